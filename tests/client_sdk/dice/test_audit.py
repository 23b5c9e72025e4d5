"""An audit checks an export from the file alone: chain, order, dice, and heads noted elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from dreadclock.cli import main
from dreadclock.dice.audit import FaultKind, NotedHead, Standing, audit
from dreadclock.dice.fingerprint import six_words
from dreadclock.dice.flaws import Flaw
from dreadclock.export import read_export, write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.events import LaneOpened, SealedStarted
from dreadclock.wire.records import Record
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from kit.cheating.forging import changed, find
from kit.dice.lanes import dice, opening
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, GM, LOG, ROOM, Table

EVENTS = 300


def evening(*channels: Channel) -> bytes:
    return export_of(list(evening_of(EVENTS)), *channels)


def public_head(seq: int) -> tuple[str, tuple[str, ...]]:
    """Return the head of `public` at a record, and its six words."""
    texts = [text for text in evening_of(EVENTS) if '"channel":"public"' in text][:seq]
    head = read_export("".join(write_export(ROOM, LOG, PUBLIC, texts)).encode()).header.heads[Channel.PUBLIC].hash
    return head, six_words(head)


# Whole logs


def test_all_rolls_of_an_evening_stand():
    report = audit(evening(*BOTH))

    assert report.sound
    assert report.records >= EVENTS
    assert report.words == six_words(report.positions[Channel.PUBLIC].hash)
    assert {roll.standing for roll in report.rolls} == set(Standing) - {Standing.HIDDEN}
    assert any(roll.witnesses for roll in report.rolls if roll.standing is Standing.PROVEN)
    assert all(roll.faces for roll in report.rolls)


@pytest.mark.parametrize("broken", range(3, 120, 3))
def test_the_first_fault_of_a_broken_log_is_the_record_that_is_broken(broken: int):
    lines = evening(*BOTH).split(b"\n")

    report = audit(b"\n".join([*lines[: broken - 1], lines[broken - 1].replace(b'"v":1', b'"v":2'), *lines[broken:]]))

    assert (report.faults[0].line, report.faults[0].kind) == (broken, FaultKind.CHAIN)


def test_who_saw_the_public_channel_alone_is_told_what_is_hidden():
    hidden = [roll for roll in audit(evening(*PUBLIC)).rolls if roll.standing is Standing.HIDDEN]

    assert {roll.lane for roll in hidden} <= sealed_lanes()
    assert hidden
    assert all((roll.n, roll.faces, roll.channel) == (None, (), Channel.PUBLIC) for roll in hidden)


def sealed_lanes() -> set[str | None]:
    events = [Record.model_validate_json(text).event for text in evening_of(EVENTS)]
    return {event.thing.lane for event in events if isinstance(event, SealedStarted)}


def test_a_sealed_thing_that_was_revealed_is_proven_to_those_who_saw_nothing_of_it():
    texts = list(evening_of(500, 0))
    insiders, outsiders = (audit(export_of(texts, *channels)) for channels in (BOTH, PUBLIC))

    shown = {(roll.lane, roll.n, roll.faces): roll for roll in outsiders.rolls if "thing/" in str(roll.lane) and roll.n}
    seen = {(roll.lane, roll.n, roll.faces): roll for roll in insiders.rolls if "thing/" in str(roll.lane)}

    assert {roll.standing for roll in shown.values()} == {Standing.PROVEN, Standing.UNCOMMITTED}
    assert {key: (roll.standing, roll.witnesses) for key, roll in shown.items()} == {
        key: (seen[key].standing, seen[key].witnesses) for key in shown
    }


def test_where_server_and_roller_could_have_come_to_terms_no_witness_is_counted():
    def witnesses(*seats: Actor) -> list[int]:
        ledger = Ledger(ROOM, bytes(32))
        table = Table(dice=ledger)
        for number, by in enumerate(seats, 1):
            table.write(opening(number), by=by, dice=ledger)
        for n in (1, 2):
            for number, by in enumerate(seats, 1):
                roll = {"type": "roll_dice", "pool": 8, "dice": dice(n, f"seat/{by.seat_id}/1", number)}
                table.write(roll, by=by, dice=ledger)
        report = audit("".join(write_export(ROOM, LOG, PUBLIC, table.records)).encode())
        assert {roll.standing for roll in report.rolls} == {Standing.PROVEN}
        return [roll.witnesses for roll in report.rolls]

    assert witnesses(ANN) == [0, 0]
    assert max(witnesses(ANN, BO)) == 1


def test_an_empty_log_is_sound():
    report = audit("".join(write_export(ROOM, LOG, PUBLIC, [])).encode())

    assert (report.sound, report.records, report.rolls) == (True, 0, ())


# What is wrong


@pytest.mark.parametrize("data", [b"", b"no export", b'{"v":1}\n'])
def test_what_is_no_export_is_a_fault_of_its_header(data: bytes):
    report = audit(data)

    assert [(fault.line, fault.kind) for fault in report.faults] == [(1, FaultKind.HEADER)]
    assert (report.header, report.records, report.words) == (None, 0, ())


def test_a_broken_chain_ends_the_audit_and_what_came_before_is_still_told():
    lines = evening(*PUBLIC).split(b"\n")
    lines[100] = lines[100].replace(b'"type":"', b'"type":"x', 1)

    report = audit(b"\n".join(lines))

    first = next(fault for fault in report.faults if fault.kind is FaultKind.CHAIN)
    assert (first.line, first.channel, first.seq) == (101, Channel.PUBLIC, 100)
    assert report.records == 99
    # What is hidden where the log breaks may yet be revealed in the whole one: such rolls are told by nobody here.
    told, whole = (
        [roll for roll in rolls if roll.line <= 100 and roll.standing is not Standing.HIDDEN]
        for rolls in (report.rolls, audit(evening(*PUBLIC)).rolls)
    )
    assert told == whole
    assert told


def test_a_time_that_goes_back_is_a_fault():
    texts = list(evening_of(EVENTS))
    place = find(texts, "dice_rolled")
    forged = changed(texts, place, lambda record: record.update(at=1))

    kinds = {fault.kind for fault in audit(export_of(forged, *BOTH)).faults}

    assert FaultKind.ORDER in kinds


def test_a_record_that_speaks_of_what_is_not_there_is_a_fault_and_the_audit_goes_on():
    texts = list(evening_of(EVENTS))
    place = find(texts, "countdown_rolled")
    forged = changed(texts, place, lambda record: record["event"].update(countdown_id="nobody"))

    report = audit(export_of(forged, *BOTH))

    assert report.records == len(texts)
    assert any("names 'nobody'" in fault.sentence for fault in report.faults)


# Heads that were noted elsewhere


def test_a_head_that_was_noted_is_found_in_the_log():
    head, words = public_head(60)

    noted = [NotedHead(60, head), NotedHead.read(f"60:{' '.join(words)}"), NotedHead.read(f"60 {'-'.join(words)}")]
    noted.append(NotedHead.read(f"Record 60 of the public log reads: {' '.join(words)}"))

    assert audit(evening(*BOTH), noted).sound


def test_a_tail_that_was_cut_is_shown_even_if_the_header_was_made_anew():
    _, words = public_head(60)
    cut = [text for text in evening_of(EVENTS) if '"channel":"public"' in text][:50]

    report = audit("".join(write_export(ROOM, LOG, PUBLIC, cut)).encode(), [NotedHead.read(f"60:{' '.join(words)}")])

    [fault] = [fault for fault in report.faults if fault.kind is FaultKind.HEAD]
    assert (fault.channel, fault.seq) == (Channel.PUBLIC, 50)
    assert "record 60 was seen, and the file ends at 50" in fault.sentence


def test_another_past_is_shown_against_a_head_even_if_it_is_sound_by_itself():
    head, _ = public_head(60)
    texts = list(evening_of(EVENTS))
    place = find(texts, "character_added")
    other = changed(texts, place, lambda record: record["event"]["character"].update(name="Somebody"))
    assert audit(export_of(other, *BOTH)).sound

    report = audit(export_of(other, *BOTH), [NotedHead(60, head)])

    assert [(fault.kind, fault.channel, fault.seq) for fault in report.faults] == [(FaultKind.HEAD, Channel.PUBLIC, 60)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60",
        "60:",
        "60:lusab",
        "x:" + "0" * 64,
        "60:" + "0" * 63,
        "60:lusab babad babad babad babad pasux",
        "-1:" + "0" * 64,
    ],
)
def test_what_is_no_head_is_refused(text: str):
    with pytest.raises(ValueError, match="a noted head looks like"):
        NotedHead.read(text)


# Dice


def flaws(texts: list[str], *channels: Channel) -> list[str | None]:
    return [fault.flaw for fault in audit(export_of(texts, *(channels or BOTH))).faults if fault.kind is FaultKind.DICE]


def forged(kind: str, field: str, value: object) -> list[str]:
    """Change a field of the first proof of such an event that begins a slot with a token."""
    texts = list(evening_of(EVENTS))
    place = find(texts, kind, lambda event: "token" in event.get("roll", {}).get("proof", {}))
    return changed(texts, place, lambda record: record["event"]["roll"]["proof"].update({field: value}))


@pytest.mark.parametrize(
    ("field", "value", "flaw"),
    [
        ("key", "A" * 43, Flaw.KEY),
        ("token", "A" * 43, Flaw.TOKEN),
        ("n", 900, Flaw.SLOT),
        ("witnesses", 9, Flaw.WITNESSES),
        ("start", 1, Flaw.START),
        ("lane", "seat/nobody/1", Flaw.LANE),
    ],
)
def test_a_roll_that_does_not_fit_its_lane_is_found(field: str, value: object, flaw: Flaw):
    assert flaws(forged("dice_rolled", field, value))[0] == flaw


def test_another_face_is_found():
    texts = list(evening_of(EVENTS))
    place = find(texts, "dice_rolled", lambda event: "token" in event["roll"].get("proof", {}))

    def other(record: dict[str, Any]) -> None:
        faces = record["event"]["roll"]["faces"]
        faces[0] = faces[0] % 6 + 1

    assert flaws(changed(texts, place, other)) == [Flaw.FACES]


def test_an_anchor_that_was_used_before_is_found():
    texts = list(evening_of(EVENTS))
    opened = [place for place, text in enumerate(texts) if '"anchor"' in text and '"lane_opened"' in text]
    first = Record.model_validate_json(texts[opened[0]]).event
    assert isinstance(first, LaneOpened)
    anchor = first.lane.anchor

    found = flaws(changed(texts, opened[1], lambda record: record["event"]["lane"].update(anchor=anchor)))

    assert found[0] == Flaw.ANCHOR


def test_a_face_of_a_sealed_thing_is_found_as_soon_as_it_is_revealed():
    texts = list(evening_of(500, 3))
    place = find(texts, "revealed", lambda event: any(one["hidden_rolls"] for one in event["things"]["countdowns"]))

    def other(record: dict[str, Any]) -> None:
        roll = record["event"]["things"]["countdowns"][0]["hidden_rolls"][0]
        roll["faces"][0] = 7 - roll["faces"][0]

    changed_texts = changed(texts, place, other)
    assert Flaw.FACES in flaws(changed_texts, *PUBLIC)
    assert any(fault.kind is FaultKind.RULES for fault in verify(export_of(changed_texts, *BOTH)).faults)


# Rolls that nobody can vouch for, without a token and without a witness: an audit names them by their seats


BARE: dict[str, Any] = {"type": "roll_dice", "pool": 2}
TOKEN = {**BARE, "dice": dice(1, f"seat/{ANN.seat_id}/1")}


def table() -> Table:
    table = Table(dice=LEDGER, physical_dice="everyone")
    table.write(opening(), by=ANN, dice=LEDGER)
    return table


def rolled(table: Table, order: dict[str, Any], by: Actor) -> int:
    """Roll, and return the number of the public record that shows it."""
    [record] = [each for each in table.write(order, by=by, dice=LEDGER) if each.channel in PUBLIC]
    return record.seq


def file_of(table: Table, *channels: Any) -> bytes:
    return export_of(table.texts, *channels)


@pytest.mark.parametrize("channels", [PUBLIC, BOTH], ids=["a player's file", "the gm's"])
def test_rolls_without_a_token_and_without_a_witness_are_named_by_seat(channels: tuple[Any, ...]):
    one = table()
    bare = [rolled(one, BARE, GM), rolled(one, BARE, BO), rolled(one, BARE, GM)]
    rolled(one, TOKEN, ANN)
    own = rolled(one, BARE, ANN)

    found = audit(file_of(one, *channels)).unvouched

    assert {seat: [each.seq for each in rolls] for seat, rolls in found.items()} == {
        GM.seat_id: [bare[0], bare[2]],
        BO.seat_id: [bare[1]],
        ANN.seat_id: [own],
    }


def test_a_witness_a_token_or_dice_on_the_table_speak_for_a_roll():
    one = table()
    before = rolled(one, BARE, GM)
    rolled(one, TOKEN, ANN)
    fixed_before = rolled(one, BARE, GM)  # right after a roll whose witnesses it uses
    rolled(one, BARE, GM)
    rolled(one, {**BARE, "faces": [3, 6]}, BO)
    one.write({**BARE, "visibility": "sealed"}, by=GM, dice=LEDGER)

    [(seat, rolls)] = audit(file_of(one, *BOTH)).unvouched.items()

    assert (seat, [each.seq for each in rolls]) == (GM.seat_id, [before, fixed_before])


def test_verify_lists_and_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, path = table(), tmp_path / "evening.jsonl"
    seqs = [rolled(one, BARE, GM) for _ in range(23)]
    own = rolled(one, BARE, ANN)
    path.write_bytes(file_of(one, *BOTH))

    assert main(["verify", str(path), "--rolls"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    place = next(number for number, line in enumerate(lines) if line.startswith("Nobody can vouch for 24 rolls: "))
    assert lines[place + 1] == f"  gm: 23 rolls, records {', '.join(map(str, seqs[:20]))} and 3 more"
    assert lines[place + 2] == f"  {ANN.seat_id}: 1 roll, record {own}"
    assert sum("knew it ahead, and with no witness could have chosen it" in line for line in lines) == 24
    assert found["unvouched"] == {"gm": seqs, ANN.seat_id: [own]}


def test_verify_says_nothing_of_it_where_all_rolls_show_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, path = table(), tmp_path / "evening.jsonl"
    rolled(one, TOKEN, ANN)
    path.write_bytes(file_of(one, *BOTH))

    assert main(["verify", str(path)]) == 0
    assert "Nobody can vouch" not in capsys.readouterr().out
