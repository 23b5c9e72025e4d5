"""The JavaScript client verifies whole evenings, secrets included, and says of each roll what the audit says."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dreadclock.dice.audit import FaultKind, audit
from dreadclock.wire.base import Channel
from dreadclock.wire.records import canonical
from dreadclock_server.evening.verify import verify
from kit.cheating.forging import changed, find
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of
from kit.puppet import FOLDER, needs_node
from kit.tables import LOG, ROOM

pytestmark = needs_node
Json = dict[str, Any]


def verified(texts: Sequence[str], folder: Path, heads: Json | None = None) -> Json:
    program = shutil.which("node")
    assert program is not None
    file = folder / "log.json"
    file.write_text(json.dumps({"room": ROOM, "log_id": LOG, "texts": texts, "heads": heads or {}}))
    command = [program, str(FOLDER / "dice.mjs"), "verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    said: Json = json.loads(done.stdout)
    return said


def held_by(texts: Sequence[str], channels: Sequence[Channel]) -> list[str]:
    return [text for text in texts if Channel.GM in channels or '"channel":"public"' in text]


@pytest.mark.parametrize("channels", [PUBLIC, BOTH], ids=["player", "gm"])
def test_an_evening_is_sound_and_each_roll_stands_as_the_audit_finds(channels: tuple[Channel, ...], tmp_path: Path):
    texts = evening_of(700)
    report = verify(export_of(list(texts), *channels))

    said = verified(held_by(texts, channels), tmp_path)

    assert (said["flaws"], report.faults) == ([], ())
    assert said["heads"] == {channel: head.model_dump() for channel, head in report.positions.items()}
    found = [(r["channel"], r["seq"], r.get("lane"), r.get("n"), r["standing"], r["witnesses"]) for r in said["rolls"]]
    audited = [(r.channel, r.seq, r.lane, r.n, r.standing, r.witnesses) for r in report.rolls]
    assert sorted(found, key=str) == sorted(audited, key=str)
    assert {"proven", "no_token", "physical"} < {standing for *_, standing, _ in found}


def changed_face(text: str) -> str:
    """Change the first face that a record shows."""
    body = json.loads(text)

    def change(part: Any) -> bool:
        if isinstance(part, dict):
            faces = part.get("faces") or part.get("deals")
            if faces and part.get("proof"):
                faces[0] = faces[0] % 6 + 1
                return True
            return any(change(each) for each in part.values())
        return isinstance(part, list) and any(change(each) for each in part)

    assert change(body["event"])
    return canonical(body)


@pytest.mark.parametrize("kind", ["countdown_rolled", "total_rolled", "dice_rolled", "check_rolled", "revealed"])
def test_a_face_of_any_event_that_is_changed_is_found(kind: str, tmp_path: Path):
    texts = held_by(evening_of(700), PUBLIC)
    rolls = [seq for seq, text in enumerate(texts, 1) if f'"type":"{kind}"' in text and '"proof":' in text]
    sealed = [json.loads(text)["event"]["thing"]["id"] for text in texts if '"type":"sealed_started"' in text]
    place = next(seq for seq in rolls if kind != "revealed" or json.loads(texts[seq - 1])["event"]["id"] in sealed)
    texts[place - 1] = changed_face(texts[place - 1])

    flaws = verified(texts, tmp_path)["flaws"]

    assert (flaws[0]["seq"], flaws[0]["flaw"]) == (place, "faces")


@pytest.mark.parametrize(
    ("field", "value"),
    [("key", "A" * 43), ("token", "A" * 43), ("n", 900), ("witnesses", 9), ("start", 1), ("lane", "seat/nobody/1")],
)
def test_a_proof_that_is_changed_has_the_flaw_that_the_audit_finds(field: str, value: object, tmp_path: Path):
    texts = held_by(evening_of(700), PUBLIC)
    place = find(texts, "dice_rolled", lambda event: "token" in event["roll"].get("proof", {}))
    forged = changed(texts, place, lambda record: record["event"]["roll"]["proof"].update({field: value}))

    flaws = [flaw["flaw"] for flaw in verified(forged, tmp_path)["flaws"] if flaw["flaw"] not in ("order", "head")]

    audited = [fault.flaw for fault in audit(export_of(forged, *PUBLIC)).faults if fault.kind is FaultKind.DICE]
    assert flaws[0] == audited[0]


def test_an_anchor_that_was_used_before_is_found(tmp_path: Path):
    texts = held_by(evening_of(700), PUBLIC)
    first, second, *_ = [place for place, text in enumerate(texts) if '"anchor"' in text and '"lane_opened"' in text]
    anchor = json.loads(texts[first])["event"]["lane"]["anchor"]
    forged = changed(texts, second, lambda record: record["event"]["lane"].update(anchor=anchor))

    assert verified(forged, tmp_path)["flaws"][0]["flaw"] == "anchor"


def test_a_face_in_the_gms_channel_that_is_changed_is_found(tmp_path: Path):
    texts = list(evening_of(700))
    place = next(i for i, text in enumerate(texts) if '"channel":"gm"' in text and '"type":"countdown_rolled"' in text)
    seq = json.loads(texts[place])["seq"]
    texts[place] = changed_face(texts[place])

    flaws = verified(texts, tmp_path)["flaws"]

    assert (flaws[0]["channel"], flaws[0]["seq"], flaws[0]["flaw"]) == ("gm", seq, "faces")


def test_a_log_is_held_against_the_heads_that_are_known(tmp_path: Path):
    texts = held_by(evening_of(700), PUBLIC)
    head = verified(texts[:400], tmp_path)["heads"]["public"]

    def said(lines: list[str]) -> list[tuple[str, int]]:
        return [(flaw["flaw"], flaw["seq"]) for flaw in verified(lines, tmp_path, {"public": head})["flaws"]]

    assert said(texts) == []
    assert said(texts[:399]) == [("head", 400)]
    assert said([*texts[:20], texts[20].replace('"at":', '"at":1'), *texts[21:]])[-1:] == [("head", 400)]
    assert said([*texts[:20], *texts[21:]])[:1] == [("order", 22)]
    assert said([*texts[:20], "no record", *texts[21:]])[:1] == [("record", 21)]
