"""The published vectors: what the product makes of them, and a second reading of the page that imports none of it."""

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dreadclock.dice.audit import Report, Standing
from dreadclock.dice.flaws import Flaw
from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock_server.evening.verify import verify
from kit import second_ledger as second

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "dice-vectors.json"
PUBLISHED: dict[str, Any] = json.loads(FILE.read_text())
VECTORS: list[dict[str, Any]] = PUBLISHED["vectors"]
Fields = dict[str, Any]


def of(kind: str) -> list[Any]:
    """Give the vectors of a kind, as parameters named by their prose; there are some."""
    found = [pytest.param(each["given"], each["gives"], id=each["prose"]) for each in VECTORS if each["kind"] == kind]
    assert found, kind
    return found


def test_there_are_vectors_of_every_kind_that_the_file_explains_and_of_no_other():
    kinds = Counter(each["kind"] for each in VECTORS)

    assert kinds.keys() == PUBLISHED["kinds"].keys()
    assert kinds.total() >= 20
    assert {1, 2, 32, 33, 1024} <= {each["given"]["n"] for each in VECTORS if each["kind"] == "roll"}
    assert any(each["gives"].get("skipped") for each in VECTORS)


def test_the_page_links_the_vectors():
    assert f"({FILE.name})" in (ROOT / "docs" / "dice.md").read_text()


def test_the_second_reading_imports_nothing_of_ours():
    tree = ast.parse(Path(second.__file__).read_text())
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert named <= {"base64", "collections.abc", "dataclasses", "hashlib", "hmac", "json", "typing"}


@pytest.mark.parametrize(("given", "gives"), of("value"))
def test_a_value(given: Fields, gives: Fields):
    assert second.read32(gives["text"]).hex() == given["bytes"]
    assert len(gives["text"]) == 43


@pytest.mark.parametrize(("given", "gives"), of("room"))
def test_a_room(given: Fields, gives: Fields):
    assert second.room16(given["room"]).hex() == gives["bytes"]


@pytest.mark.parametrize(("given", "gives"), of("canonical"))
def test_a_canonical_text(given: Fields, gives: Fields):
    assert written(given["value"]) == gives["text"]
    assert gives["text"].encode().hex() == gives["bytes"]
    assert json.loads(gives["text"]) == given["value"]


def written(value: Any) -> str:
    """Write canonical JSON, letter by letter."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(key)}:{written(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(map(letter, value)) + '"'
    return str(value).lower()


def letter(one: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
    return short.get(one) or (f"\\u{ord(one):04x}" if ord(one) < 0x20 else one)


@pytest.mark.parametrize(("given", "gives"), of("opening_head"))
def test_an_opening_head(given: Fields, gives: Fields):
    assert second.head_0(given["room"], given["log_id"], given["channel"]).hex() == gives["head"]


@pytest.mark.parametrize(("given", "gives"), of("heads"))
def test_heads(given: Fields, gives: Fields):
    head, heads = second.head_0(given["room"], given["log_id"], given["channel"]), []
    for text in given["texts"]:
        head = second.next_head(head, text)
        heads.append(head.hex())

    assert heads == gives["heads"]


@pytest.mark.parametrize(("given", "gives"), of("six_words"))
def test_six_words(given: Fields, gives: Fields):
    assert second.six_words(bytes.fromhex(given["head"])) == gives["words"]


@pytest.mark.parametrize(("given", "gives"), of("tokens"))
def test_tokens(given: Fields, gives: Fields):
    token = bytes.fromhex(given["last"])
    values = {second.LAST: token}
    for n in range(second.LAST, 0, -1):
        values[n - 1] = token = second.token_before(given["room"], n, token)

    assert {int(n): bytes.fromhex(value) for n, value in gives["values"].items()}.items() <= values.items()


@pytest.mark.parametrize(("given", "gives"), of("keys"))
def test_keys(given: Fields, gives: Fields):
    key = bytes.fromhex(given["last"])
    values = {second.LAST: key}
    for n in range(second.LAST, 0, -1):
        values[n - 1] = key = second.key_before(bytes.fromhex(given["lane"]), n, key)

    assert {int(n): bytes.fromhex(value) for n, value in gives["values"].items()}.items() <= values.items()


@pytest.mark.parametrize(("given", "gives"), of("server_key"))
def test_a_servers_key(given: Fields, gives: Fields):
    lane = bytes.fromhex(given["lane"])

    assert second.mac(bytes.fromhex(given["secret"]), b"dice1/seed\0", lane).hex() == gives["key"]


@pytest.mark.parametrize(("given", "gives"), of("lane"))
def test_a_lane(given: Fields, gives: Fields):
    anchor = bytes.fromhex(given.get("anchor", "00" * 32))

    assert second.lane_of(given["room"], anchor, given["label"]).hex() == gives["lane"]


@pytest.mark.parametrize(("given", "gives"), of("witness"))
def test_a_witness(given: Fields, gives: Fields):
    assert second.witness_of([bytes.fromhex(each) for each in given["tokens"]]).hex() == gives["witness"]


@pytest.mark.parametrize(("given", "gives"), of("roll"))
def test_a_roll(given: Fields, gives: Fields):
    key, token = bytes.fromhex(given["key"]), bytes.fromhex(given.get("token", "00" * 32))
    witness = second.witness_of([bytes.fromhex(each) for each in given["witnesses"]])
    anchor = token
    for n in range(given["n"] if "token" in given else 0, 0, -1):
        anchor = second.token_before(given["room"], n, anchor)
    lane = second.lane_of(given["room"], anchor, given["label"])
    first_key = key
    for n in range(given["n"], 0, -1):
        first_key = second.key_before(lane, n, first_key)

    assert anchor.hex() == gives.get("anchor", "00" * 32)
    assert (lane.hex(), first_key.hex(), witness.hex()) == (gives["lane"], gives["first_key"], gives["witness"])
    assert second.roll(key, token, witness, given["count"]) == (gives["faces"], gives["skipped"])


@pytest.mark.parametrize(("given", "gives"), of("draws"))
def test_draws_that_go_on(given: Fields, gives: Fields):
    key, token = bytes.fromhex(given["key"]), bytes.fromhex(given.get("token", "00" * 32))
    faces, _ = second.roll(key, token, second.ZERO, sum(given["counts"]))

    for taken, count in zip(gives["rolls"], given["counts"], strict=True):
        assert taken["faces"] == faces[taken["start"] : taken["start"] + count]
    assert [taken["start"] for taken in gives["rolls"]] == [
        sum(given["counts"][:i]) for i in range(len(given["counts"]))
    ]


@pytest.mark.parametrize(("given", "gives"), of("log"))
def test_a_log(given: Fields, gives: Fields):
    reader = second.Reader(given["room"])

    assert reader.broken(given["texts"]) is None
    assert reader.rolls == gives["rolls"]
    assert head_of(given, given["texts"]) == gives["head"]
    assert second.six_words(bytes.fromhex(gives["head"])) == gives["words"]


@pytest.mark.parametrize(("given", "gives"), of("broken_log"))
def test_a_broken_log(given: Fields, gives: Fields):
    whole = next(each["given"] for each in VECTORS if each.get("name") == given["of"])
    texts = [given["instead"].get(str(seq), text) for seq, text in enumerate(whole["texts"], 1)]

    assert head_of(whole, texts) == gives["head"]
    assert second.Reader(whole["room"]).broken(texts) == (gives["seq"], gives["rule"])


def head_of(given: Fields, texts: list[str]) -> str:
    head = second.head_0(given["room"], given["log_id"], given["channel"])
    for text in texts:
        head = second.next_head(head, text)
    return head.hex()


# The audit says the same

FLAWS = [Flaw.OPENING, Flaw.LANE, Flaw.SLOT, Flaw.KEY, Flaw.TOKEN, Flaw.WITNESSES, Flaw.FACES, Flaw.START]  # by rule


def report_of(given: Fields, texts: list[str]) -> Report:
    records = [Record.model_validate_json(text) for text in texts]
    return verify("".join(write_export(given["room"], given["log_id"], [Channel.PUBLIC], records)).encode())


@pytest.mark.parametrize(("given", "gives"), of("log"))
def test_the_audit_reads_the_log_alike(given: Fields, gives: Fields):
    report = report_of(given, given["texts"])
    rolls = [each for each in report.rolls if each.standing is not Standing.PHYSICAL]

    assert report.sound
    assert report.words == tuple(gives["words"])
    assert [(each.seq, each.lane, each.n, list(each.faces)) for each in rolls] == [
        (each["seq"], each["lane"], each["n"], each["faces"]) for each in gives["rolls"]
    ]
    assert [(each.seq, each.witnesses) for each in rolls if each.lane != "seat/gm/0"] == [
        (each["seq"], each["witnesses"]) for each in gives["rolls"] if each["lane"] != "seat/gm/0"
    ]


@pytest.mark.parametrize(("given", "gives"), of("broken_log"))
def test_the_audit_finds_the_broken_log_alike(given: Fields, gives: Fields):
    whole = next(each["given"] for each in VECTORS if each.get("name") == given["of"])
    texts = [given["instead"].get(str(seq), text) for seq, text in enumerate(whole["texts"], 1)]

    first = report_of(whole, texts).faults[0]

    assert (first.seq, first.flaw) == (gives["seq"], FLAWS[gives["rule"]])
