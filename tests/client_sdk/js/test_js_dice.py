"""Two verifiers that were written apart, the SDK's and the JavaScript client's, agree on every roll.

`DREADCLOCK_DICE_ROLLS=100000` has them look at so many rolls of each other's making, instead of a sample.
"""

import json
import os
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record, advance, opening_head
from kit.cheating.alarms import alarms_of
from kit.dice.rolled_logs import LOG, ROOM, SEATS, RolledLog
from kit.puppet import FOLDER, needs_node

pytestmark = needs_node
ROLLS = int(os.environ.get("DREADCLOCK_DICE_ROLLS", "1000"))
WRONG = max(5, ROLLS // 1000)
WITHIN_S = 500
Json = dict[str, Any]


def node(what: str, file: Path) -> str:
    """Let the JavaScript side do something with a file, and return what it says."""
    program = shutil.which("node")
    assert program is not None
    command = [program, str(FOLDER / "dice.mjs"), what, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


def verified(texts: list[str], file: Path) -> Json:
    """Return what the JavaScript verifier says of a public log."""
    file.write_text(json.dumps({"room": ROOM, "log_id": LOG, "texts": texts}))
    said: Json = json.loads(node("verify", file))
    return said


def flaws_in(texts: list[str]) -> list[tuple[int, str]]:
    """Return the seq and the flaw of what the SDK finds wrong in a public log."""
    return [(seq, flaw.value) for seq, flaw in alarms_of(ROOM, map(Record.model_validate_json, texts))]


def head_of(texts: list[str]) -> dict[str, Any]:
    head = opening_head(ROOM, LOG, Channel.PUBLIC)
    for text in texts:
        head = advance(head, text)
    return head.model_dump()


def test_rolls_made_in_python_fit_in_javascript_and_wrong_faces_are_found(tmp_path: Path, figures: list[str]) -> None:
    log = RolledLog(ROLLS, seed=1, wrong=WRONG)

    said = verified(log.texts, tmp_path / "log.json")

    assert {flaw["seq"] for flaw in said["flaws"]} == log.planted
    assert {flaw["flaw"] for flaw in said["flaws"]} == {"faces"}
    standings = Counter(roll["standing"] for roll in said["rolls"])
    assert (standings.total(), standings[None]) == (ROLLS, WRONG)
    assert standings["proven"] > ROLLS // 3
    assert standings["no_token"] > ROLLS // 10
    assert said["heads"] == {"public": head_of(log.texts)}
    figures.append(f"{ROLLS} rolls made in Python: {said['ms'] / len(log.texts) * 1000:.0f} us a record in JavaScript")


def test_rolls_made_in_javascript_fit_in_python_and_wrong_faces_are_found(tmp_path: Path, figures: list[str]) -> None:
    file = tmp_path / "made.json"
    file.write_text(json.dumps({"room": ROOM, "seats": SEATS, "rolls": ROLLS, "seed": 2, "wrong": WRONG}))
    node("make", file)
    made = json.loads(file.read_text())

    began = time.perf_counter()
    found = flaws_in(made["texts"])

    assert sum('"type":"dice_rolled"' in text for text in made["texts"]) == ROLLS
    assert found == [(seq, "faces") for seq in made["planted"]]
    spent_us = (time.perf_counter() - began) / len(made["texts"]) * 1e6
    figures.append(f"{ROLLS} rolls made in JavaScript: {spent_us:.0f} us a record in Python, with its view")


def test_both_find_the_same_in_what_was_tampered_with(tmp_path: Path) -> None:
    log = RolledLog(300, seed=3)
    for change in CHANGES:
        texts = change(list(log.texts))

        said = verified(texts, tmp_path / "log.json")
        first = flaws_in(texts)[0]

        rolled = [flaw for flaw in said["flaws"] if flaw["flaw"] not in ("order", "head")]
        assert (rolled[0]["seq"], rolled[0]["flaw"]) == first, change.__name__


def changed(texts: list[str], seq: int, part: str, **fields: object) -> list[str]:
    """Change fields of the lane or the proof in a record."""
    body = json.loads(texts[seq - 1])
    (body["event"]["lane"] if part == "lane" else proof_in(body)).update(fields)
    texts[seq - 1] = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return texts


def proof_in(body: Json) -> Json:
    proof: Json = body["event"].get("roll", body["event"])["proof"]
    return proof


def rolls_with_tokens(texts: list[str]) -> list[int]:
    return [seq for seq, text in enumerate(texts, 1) if '"token":' in text]


def with_lane_renumbered(texts: list[str]) -> list[str]:
    seq = next(seq for seq, text in enumerate(texts, 1) if '"anchor":' in text)
    label = json.loads(texts[seq - 1])["event"]["lane"]["label"]
    return changed(texts, seq, "lane", label=f"{label}1")


def with_slot_left_out(texts: list[str]) -> list[str]:
    seq = rolls_with_tokens(texts)[100]
    return changed(texts, seq, "proof", n=proof_in(json.loads(texts[seq - 1]))["n"] + 1)


def with_token_of_another(texts: list[str]) -> list[str]:
    one, other = (rolls_with_tokens(texts)[place] for place in (40, 90))
    return changed(texts, other, "proof", token=proof_in(json.loads(texts[one - 1]))["token"])


def without_a_record_of_a_roll(texts: list[str]) -> list[str]:
    """Leave a roll out, and number what follows anew, as a server would that drops one."""
    del texts[rolls_with_tokens(texts)[60] - 1]
    return [text.replace(f'"seq":{json.loads(text)["seq"]},', f'"seq":{seq},') for seq, text in enumerate(texts, 1)]


def with_an_anchor_used_again(texts: list[str]) -> list[str]:
    one, other = [seq for seq, text in enumerate(texts, 1) if '"anchor":' in text][:2]
    return changed(texts, other, "lane", anchor=json.loads(texts[one - 1])["event"]["lane"]["anchor"])


def with_a_first_roll_that_starts_later(texts: list[str]) -> list[str]:
    return changed(texts, rolls_with_tokens(texts)[30], "proof", start=2)


CHANGES = (
    with_lane_renumbered,
    with_slot_left_out,
    with_token_of_another,
    without_a_record_of_a_roll,
    with_an_anchor_used_again,
    with_a_first_roll_that_starts_later,
)
