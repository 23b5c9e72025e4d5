"""The verifier decides a log again: of real logs nothing is said, and a changed record is named where it differs.

`DREADCLOCK_ROOMS=300` decides so many random rooms.
"""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from dreadclock.cli.verify import sentences
from dreadclock.dice.audit import FaultKind, Report
from dreadclock.export import write_export
from dreadclock.rules.limits import EDITION, MAX_EFFECTS
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import Refused
from dreadclock.wire.events import ConsequenceHappened, CountdownResumed, CountdownStabilized, SealedStarted
from dreadclock.wire.records import canonical, text_of
from dreadclock.wire.things import Sealed
from dreadclock_server.core.decide import decide
from dreadclock_server.core.forms import FORMS, NEWEST, Form
from dreadclock_server.core.room import Evolving, Room, read
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from dreadclock_server.import_worker import examined
from dreadclock_server.store.codec import decode
from kit.cheating.forging import changed, find
from kit.evenings.audited import BOTH, PUBLIC, Evening, evening_of, export_of
from kit.evenings.golden import golden_files, read_golden
from kit.tables import ANN, BO, GM, Order, Table, command_of, evolve, loaded

ROOMS = int(os.environ.get("DREADCLOCK_ROOMS", "2"))
EVENTS = 300


def rules_broken(report: Report) -> list[str]:
    return [str(fault) for fault in report.faults if fault.kind is FaultKind.RULES]


# Real logs


@pytest.mark.parametrize("seed", range(1, ROOMS + 1))
@pytest.mark.parametrize("helped", [False, True])
def test_nothing_is_said_of_a_real_evening(seed: int, helped: bool):
    report = verify(export_of(list(evening_of(EVENTS, seed, helped=helped)), *BOTH))

    assert ([str(fault) for fault in report.faults], report.remarks) == ([], ())
    assert report.unjudged == 0


def test_nothing_is_said_of_an_undo_at_the_time_of_a_sealed_start():
    table = Table()
    table.do({"type": "set_policy", "physical_dice": "everyone"})
    table.do({"type": "set_policy", "check_approval": "open"})
    first, second = (record.seq for record in table.records[-2:])
    table.do({"type": "start_clock", "name": "Tide", "size": 4, "visibility": "sealed"})
    table.do({"type": "void_command", "channel": "public", "seq": second, "reason": "a slip"})
    table.do({"type": "void_command", "channel": "public", "seq": first, "reason": "a slip"})

    assert len({record.at for record in table.records}) == 1
    assert rules_broken(verify(export_of(table.texts, *PUBLIC))) == []


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.name)
def test_nothing_is_said_of_a_room_that_an_earlier_version_stored(path: Any, channels: Any):
    """Whoever changes what `decide` writes or refuses adds a row to `core/forms.py`, and a golden file."""
    texts = [text for entry in read_golden(path).entries for text in decode(entry).texts]

    assert rules_broken(verify(export_of(texts, *channels))) == []


# Changed logs


def test_a_countdown_that_loses_another_number_of_dice_is_named_at_its_record():
    texts = list(evening_of(EVENTS))
    place = find(texts, "countdown_rolled")

    forged = changed(texts, place, lambda record: record["event"].update(removed=record["event"]["removed"] + 1))

    [first, *_] = [fault for fault in verify(export_of(forged, *BOTH)).faults if fault.kind is FaultKind.RULES]
    assert first.line == place + 2
    assert first.sentence.startswith("countdown_rolled: ")


def test_a_record_that_is_missing_is_named_in_its_command():
    table = Table()
    start = {"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 3, "bound_to": "nothing"}
    table.do({**start, "stages": [{"at": 2, "effect": "smoke"}, {"at": 1, "effect": "flames"}]})
    table.do({"type": "roll_countdown", "countdown_id": "fire"}, dice=loaded(6, 6, 1))
    texts = [text for text in table.texts if '"at":2' not in text or "stage_reached" not in text]
    last = texts.pop()

    [fault] = [each for each in verify(export_of([*texts, renumbered(last, -1)], *BOTH)).faults if each.kind == "rules"]

    assert fault.line == len(texts) + 2
    assert fault.sentence == "stage_reached: its at is 1 where 2 follows"


def renumbered(text: str, by: int) -> str:
    """Return a record with another number."""
    record = json.loads(text)
    return canonical({**record, "seq": record["seq"] + by})


@pytest.mark.parametrize(("later", "kind"), [(5, FaultKind.RULES), (-5, FaultKind.ORDER)])
def test_records_of_one_command_have_one_time(later: int, kind: FaultKind):
    table = Table()
    table.do({"type": "add_character", "id": "ada", "name": "Ada"})
    table.do({"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2})
    table.do({"type": "roll_check", "check_id": "leap"}, dice=loaded(5, 1))
    *texts, last = table.texts
    record = json.loads(last)

    report = verify(export_of([*texts, canonical({**record, "at": record["at"] + later})], *BOTH))

    assert record["event"]["type"] == "check_resolved"
    assert kind in {fault.kind for fault in report.faults if fault.line == len(table.texts) + 1}


def test_what_the_server_would_refuse_is_named_with_its_reason():
    table = Table()
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4})
    table.do({"type": "tick_clock", "clock_id": "tide"})
    lied = [*table.texts[:-1], table.texts[-1].replace('"by":"gm"', '"by":"player-1"')]

    [said] = rules_broken(verify(export_of(lied, *BOTH)))

    assert "the server refuses it: " in said


def test_a_loan_that_was_never_made_is_named():
    table = Table()
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4}, by=ANN)
    table.do({"type": "tick_clock", "clock_id": "tide"}, by=ANN)
    by_another = '"acted_for":"player-1","at":1000,"by":"integration-5"'
    lied = [*table.texts[:-1], table.texts[-1].replace('"at":1000,"by":"player-1"', by_another)]

    assert lied != table.texts
    assert rules_broken(verify(export_of(table.texts, *BOTH))) == []
    assert len(rules_broken(verify(export_of(lied, *BOTH)))) == 1


def sealed_tick() -> list[str]:
    """Return a log whose last public record is the change of a sealed clock."""
    table = Table()
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4, "visibility": "sealed"})
    table.now_ms += 1
    table.do({"type": "tick_clock", "clock_id": "tide"})
    assert '"sealed_changed"' in table.texts[-1]
    return table.texts


@pytest.mark.parametrize("change", ["a loan that was never made", "a closed room"])
def test_a_change_of_a_sealed_thing_that_nobody_may_make_is_named_without_the_gms_channel(change: str):
    *texts, last = sealed_tick()
    record = json.loads(last)
    if change == "a closed room":
        closing = {**record, "event": {"type": "room_closed"}}
        lied = [*texts, canonical(closing), canonical({**record, "seq": record["seq"] + 1, "at": record["at"] + 1})]
    else:
        lied = [*texts, canonical({**record, "acted_for": "player-1"})]

    assert rules_broken(verify(export_of([*texts, last], *PUBLIC))) == []
    assert len(rules_broken(verify(export_of(lied, *PUBLIC)))) == 1


@pytest.mark.parametrize(("field", "value"), [("key", "A" * 43), ("token", "A" * 43), ("n", 900), ("start", 1)])
def test_a_die_from_another_slot_is_no_broken_rule(field: str, value: object):
    texts = list(evening_of(EVENTS))
    place = find(texts, "dice_rolled", lambda event: "token" in event["roll"].get("proof", {}))

    forged = changed(texts, place, lambda record: record["event"]["roll"]["proof"].update({field: value}))
    report = verify(export_of(forged, *BOTH))

    assert {fault.kind for fault in report.faults} == {FaultKind.DICE}


# Older forms


def told_in(form: Form, table: Table, *orders: dict[str, Any]) -> None:
    """Play on as a server that writes in this form."""
    for order in orders:
        table.now_ms += 10
        decided = decide(
            table.room, command_of(order), by=ANN, dice=loaded(), now_ms=table.now_ms, fresh=table.fresh, form=form
        )
        table.room = decided.room
        table.texts += [each.text for each in decided.written]


CLOCKS = [{"type": "start_clock", "name": "Tide", "size": 4}, {"type": "start_clock", "name": "Storm", "size": 4}]


@pytest.mark.parametrize("form", FORMS)
def test_what_an_older_server_wrote_is_no_fault(form: Form):
    table = Table()
    told_in(form, table, *CLOCKS)

    report = verify(export_of(table.texts, *BOTH))

    assert (report.faults, report.remarks) == ((), ())


def test_what_an_older_server_took_is_no_fault():
    table = Table()
    told_in(FORMS[-1], table, {"type": "rename_seat", "seat_id": "player-1", "name": "G\u043c"})

    assert rules_broken(verify(export_of(table.texts, *BOTH))) == []
    with pytest.raises(Refused):
        told_in(NEWEST, table, {"type": "rename_seat", "seat_id": "player-1", "name": "g\u043c"})


def without_a_field_that_came_later(event: dict[str, Any]) -> None:
    del event["policy"]["specials"]


def without_a_field_that_was_always_written(event: dict[str, Any]) -> None:
    del event["policy"]["player_countdowns"]


def with_a_field_that_says_nothing(event: dict[str, Any]) -> None:
    event["note"] = None


@pytest.mark.parametrize(
    ("change", "is_older"),
    [
        (without_a_field_that_came_later, True),
        (without_a_field_that_was_always_written, False),
        (with_a_field_that_says_nothing, False),
    ],
)
def test_a_record_with_later_fields_is_of_no_older_server(change: Callable[[dict[str, Any]], None], is_older: bool):
    texts = changed(Table().texts, 0, lambda record: change(record["event"]))

    assert verify(export_of(texts, *BOTH)).sound == is_older


def test_an_older_form_after_a_newer_one_is_a_remark():
    table = Table()
    told_in(NEWEST, table, CLOCKS[0])
    told_in(FORMS[-1], table, CLOCKS[1])

    data = export_of(table.texts, *BOTH)
    report = verify(data)

    assert report.faults == ()
    [remark] = report.remarks
    assert "things did not say who made them" in remark
    assert examined(data).remarks == (remark,)


# The same course of records can come of one command or of two; what is taken back later says which


def test_commands_of_one_millisecond_are_told_apart_by_what_is_taken_back():
    table = Table()
    table.do({"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 3, "bound_to": "turn"})
    table.do({"type": "roll_countdown", "countdown_id": "fire"}, dice=loaded(6, 6, 6))
    table.do({"type": "end_turn"})
    table.do({"type": "void_command", "seq": table.records[-1].seq, "reason": "a slip"})

    assert rules_broken(verify(export_of(table.texts, *BOTH))) == []


def test_a_tick_that_two_commands_of_one_millisecond_may_have_caused_goes_to_the_one_that_needs_it():
    hidden, table = {"visibility": "gm"}, Table(check_approval="open")
    race = {"type": "start_situation", "id": "gm-race", "scene_id": "gm-den", "name": "R", "kind": "race", "level": 2}
    table.do({"type": "open_scene", "id": "gm-den", "name": "Den", "clock": 8, **hidden})
    table.do({"type": "open_scene", "id": "gm-fog", "name": "Fog", "clock": 8, **hidden})
    table.do({**race, "content": "combat", "clock": 3, "difficulty": "normal"})
    wall = {"type": "add_challenge", "id": "gm-wall", "situation_id": "gm-race", "name": "W", "kind": "barrier"}
    table.do({**wall, "clock": 3})
    table.do({"type": "add_character", "id": "ada", "name": "Ada"})
    effort = {"effort": {"challenge_id": "gm-wall"}, **hidden}
    table.do({"type": "propose_check", "id": "gm-leap", "character_id": "ada", "score": 2, **effort})
    table.do({"type": "introduce_complication", "scene_id": "gm-fog", "text": "Fog."})
    table.do({"type": "roll_check", "check_id": "gm-leap"}, dice=loaded(5, 1))

    assert rules_broken(verify(export_of(table.texts, *BOTH))) == []


def test_a_long_evening_is_decided_again():
    texts = Evening(5).until(600).texts

    assert rules_broken(verify(export_of(texts, *BOTH))) == []


# Without the gm's channel


@pytest.mark.parametrize("seed", range(1, ROOMS + 1))
@pytest.mark.parametrize("helped", [False, True])
def test_nothing_is_said_of_a_real_evening_whose_hidden_things_are_not_seen(seed: int, helped: bool):
    report = verify(export_of(list(evening_of(EVENTS, seed, helped=helped)), *PUBLIC))

    assert [str(fault) for fault in report.faults] == []
    assert "not explained by this export" in str(report.remarks)


def test_what_a_hidden_consequence_does_is_allowed_and_what_follows_from_it_must():
    table = Table()
    for name in "ab":
        table.do({"type": "start_clock", "id": name, "name": name, "size": 2})
    end, tick = {"when": "end"}, {"does": "tick", "thing_id": "b", "by": 2}
    tell = {"does": "tell", "text": "It falls."}
    attach = {"type": "attach_consequence", "when": end}
    table.do({**attach, "of": {"kind": "clock", "id": "a"}, "do": [tick], "visibility": "gm"})
    table.do({**attach, "of": {"kind": "clock", "id": "b"}, "do": [tell]})
    table.do({"type": "tick_clock", "clock_id": "a", "by": 2})
    [told] = [text for text in table.texts if "consequence_told" in text]

    assert verify(export_of(table.texts, *PUBLIC)).faults == ()
    silent = verify(export_of([text for text in table.texts if text != told], *PUBLIC))
    assert len(rules_broken(silent)) == 1


def test_a_hidden_complication_that_starts_a_public_countdown_is_one_command():
    table = Table()
    table.do({"type": "open_scene", "id": "gm-heist", "name": "Heist", "clock": 8, "visibility": "gm"})
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4})
    change = {"clock": {"clock_id": "tide", "enlarge": 2}, "countdown": {"name": "Doom", "pool": 2}}
    table.do({"type": "introduce_complication", "scene_id": "gm-heist", "text": "Fog.", **change})
    table.do({"type": "void_command", "seq": table.records[-1].seq, "reason": "a slip"})

    for channels in (BOTH, PUBLIC):
        assert verify(export_of(table.texts, *channels)).faults == ()


def test_what_is_settled_before_a_roll_is_taken_back_with_it():
    """Its first record alone could be a command, too: where the taking back ends says that it is not."""
    table = Table(physical_dice="everyone")
    table.do({"type": "add_character", "id": "ada", "name": "Ada"})
    table.do({"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2})
    table.do({"type": "adjust_check", "check_id": "leap", "stunts": ["fly", "fall"]})
    table.do({"type": "roll_check", "check_id": "leap", "faces": [6, 6, 1, 2]})
    table.do({"type": "roll_dice", "pool": 1, "character_id": "ada", "faces": [3]})
    table.do({"type": "void_command", "seq": table.records[-1].seq, "reason": "a slip"})

    for channels in (BOTH, PUBLIC):
        assert verify(export_of(table.texts, *channels)).faults == ()


def hidden_effects(count: int, *, announced_every: int) -> list[str]:
    """Return a log that tells of so many effects of hidden consequences, after a command of a player.

    `announced_every`: of how many effects one is announced; 0: none.
    """
    table = Table()
    table.do({"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 3, "stabilizable": True})
    table.do({"type": "narrate", "text": "It hisses."}, by=BO)
    room = Evolving(table.room)
    texts = list(table.texts)
    for number in range(count):
        stabilized = (CountdownStabilized, CountdownResumed)[number % 2](countdown_id="gas")
        is_announced = announced_every > 0 and number % announced_every == 0
        for event in [*[ConsequenceHappened()] * is_announced, stabilized]:
            record = room.next_record(Channel.PUBLIC, event, by=BO.seat_id, now_ms=table.now_ms)
            room.take(Channel.PUBLIC, event)
            texts.append(text_of(record))
    return texts


def test_no_effect_is_taken_for_a_hidden_one_that_nothing_announced():
    [said] = rules_broken(verify(export_of(hidden_effects(1, announced_every=0), *PUBLIC)))

    assert "the server refuses it: " in said


@pytest.mark.parametrize(
    ("count", "announced_every", "ends_well"),
    [(MAX_EFFECTS, MAX_EFFECTS, True), (MAX_EFFECTS + 1, 1_000, False), (64, 8, True), (65, 1, False)],
)
def test_a_hidden_consequence_explains_no_more_than_a_command_does(count: int, announced_every: int, ends_well: bool):
    texts = hidden_effects(count, announced_every=announced_every)

    assert (rules_broken(verify(export_of(texts, *PUBLIC))) == []) == ends_well


def test_no_sealed_thing_has_an_id_that_only_the_gm_knows():
    for sealed_id, lied in (("clock-1", 0), ("tide", 0), ("gm-tide", 1), ("gm-clock-0123456789ab", 1)):
        room, texts = Evolving(Table().room), list(Table().texts)
        event = SealedStarted(thing=Sealed(kind=Kind.CLOCK, id=sealed_id, name="Tide"))
        texts.append(text_of(room.next_record(Channel.PUBLIC, event, by="gm", now_ms=room.at)))

        assert len(rules_broken(verify(export_of(texts, *PUBLIC)))) == lied


def test_notes_are_put_back_on_the_records_that_carry_them():
    table = Table()
    note = {"note": "As it were."}
    table.do({"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 3, "visibility": "sealed", **note}, by=GM)
    table.do({"type": "start_clock", "name": "Tide", "size": 4, **note}, by=ANN)
    table.do({"type": "rename_seat", "seat_id": "player-1", "name": "Ann", **note}, by=ANN)
    table.do({"type": "narrate", "text": "It rains.", **note}, by=ANN)

    assert rules_broken(verify(export_of(table.texts, *BOTH))) == []


# Rooms of an earlier edition of the rules: they go on by this one, and only what came about by it is judged


STORED = read_golden(next(path for path in golden_files() if path.name == "entry-v1d.txt"))
TEXTS = [text for entry in STORED.entries for text in decode(entry).texts]


def old_room() -> Room:
    """Return a room as it was stored by the first edition."""
    room = STORED.room
    for text in TEXTS:
        room = evolve(room, read(room, text))
    return room


def told(room: Room, order: Order) -> tuple[Room, list[str]]:
    """Return the room after a command, and the records of it."""
    ledger = Ledger(room.room_id, bytes(range(32)))
    decision = decide(room, command_of(order), by=GM, dice=ledger, now_ms=room.at + 1, fresh=lambda: "0" * 12)
    return decision.room, [each.text for each in decision.written]


START = {"type": "start_clock", "id": "flood", "name": "The flood", "size": 6, "note": "At last"}


def test_the_first_command_in_a_room_of_before_says_that_it_is_played_by_this_edition():
    room, first = told(old_room(), START)
    _, second = told(room, {"type": "tick_clock", "clock_id": "flood"})

    events = [json.loads(text)["event"] for text in first]
    assert [event["type"] for event in events] == ["edition_changed", "clock_started"]
    assert events[0]["edition"] == EDITION == room.view.public.edition
    assert "note" not in events[0]
    assert events[1]["note"] == "At last"
    assert [json.loads(text)["event"]["type"] for text in second] == ["clock_ticked"]


def test_a_command_that_comes_to_nothing_leaves_a_room_of_before_as_it_is():
    room = old_room()

    after, texts = told(room, {"type": "set_policy", "physical_dice": room.view.policy.physical_dice})

    assert (texts, after) == ([], room)


def test_the_first_command_is_taken_back_like_any_other():
    room, _ = told(old_room(), START)
    seq = room.seq(Channel.PUBLIC)

    after, texts = told(room, {"type": "void_command", "seq": seq, "reason": "A slip"})

    assert json.loads(texts[0])["event"]["what"] == "clock_started"
    assert "flood" not in after.view.clocks
    assert after.view.public.edition == EDITION


DOOM = {"type": "start_countdown", "id": "fever-2", "name": "Fever", "pool": 4, "speed": "slow"}
ROLL = {"type": "roll_countdown", "countdown_id": "fever-2"}


@pytest.mark.parametrize("edition", [1, EDITION])
def test_the_referee_judges_what_came_about_by_its_own_edition(edition: int):
    room, started = told(old_room(), DOOM)
    _, rolled = told(room, ROLL)
    texts = [*TEXTS, *started, *rolled]
    place = find(TEXTS, "countdown_rolled") if edition == 1 else find(texts, "edition_changed") + 2

    forged = changed(texts, place, lambda record: record["event"].update(removed=record["event"]["removed"] + 1))
    report = verify(export(forged))

    assert verify(export(texts)).sound
    rules = [str(fault) for fault in report.faults if fault.kind is FaultKind.RULES]
    assert bool(rules) is (edition == EDITION), rules


def test_an_audit_says_what_it_did_not_judge():
    _room, started = told(old_room(), DOOM)

    report = verify(export([*TEXTS, *started]))

    assert report.unjudged == len(TEXTS)
    assert report.records == len(TEXTS) + 2
    assert any(f"{len(TEXTS)} records came about by another edition" in each for each in sentences(report))


def export(texts: list[str]) -> bytes:
    return "".join(write_export(STORED.room.room_id, STORED.room.log_id, BOTH, texts)).encode()
