"""A server that cheats, and the audit of what it told: from an export alone, each way to cheat is named."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from dreadclock.dice.audit import Fault, FaultKind, NotedHead, Report, Standing
from dreadclock.dice.fingerprint import six_words
from dreadclock.dice.flaws import Flaw
from dreadclock.export import write_export
from dreadclock.rules.check import Outcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from kit.cheating import ways as ways
from kit.cheating.server import Case, Cheat
from kit.cheating.ways import BestOfTwo
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM, LOG, ROOM, Order, Table, command_of

LEDGER = Ledger(ROOM, bytes([0x42]) * 32)
POOL = 8
LANE, OTHER = "seat/player-1/1", "seat/player-2/1"
Deed = tuple[Actor, Order]
Change = Callable[[list[Record]], Sequence[Record]]


def roll(n: int, lane: str = LANE, secret: int = 1) -> dict[str, Any]:
    return {"type": "roll_dice", "pool": POOL, "dice": dice(n, lane, secret)}


EVENING: tuple[Deed, ...] = (
    (ANN, opening(1)),
    (BO, opening(2)),
    (ANN, roll(1)),
    (BO, roll(1, OTHER, 2)),
    (ANN, roll(2)),
    (GM, {"type": "open_scene", "id": "cave", "name": "The cave", "clock": 20}),
    (GM, {"type": "travel", "scene_id": "cave"}),
    (GM, {"type": "travel", "scene_id": "cave"}),
    (GM, {"type": "start_countdown", "id": "fuse", "name": "Fuse", "pool": 30}),
    (GM, {"type": "roll_countdown", "countdown_id": "fuse"}),
    (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
    (ANN, {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 6}),
    (ANN, {"type": "roll_check", "check_id": "leap", "dice": dice(3, LANE)}),
    (BO, roll(2, OTHER, 2)),
)


def played(*deeds: Deed, cheat: Cheat | None = None) -> Table:
    """Play an evening; the last deed is cheated at."""
    table = Table(dice=LEDGER, check_approval="open", physical_dice="everyone")
    for by, order in deeds[:-1] if cheat else deeds:
        table.write(order, by=by, dice=LEDGER)
        table.now_ms += 10
    if cheat:
        by, order = deeds[-1]
        decision = cheat(Case(table.room, command_of(order), by, LEDGER, table.now_ms, table.fresh))
        table.room = decision.room
        table.records += [each.record for each in decision.written]
    return table


def audited(records: Sequence[Record], *noted: NotedHead, channels: Sequence[Channel] = (Channel.PUBLIC,)) -> Report:
    """Audit an export of records; their chain is made anew, as a server that cheats makes it."""
    mine = [record for record in records if record.channel in channels]
    return verify("".join(write_export(ROOM, LOG, channels, mine)).encode(), noted)


def named(report: Report) -> list[tuple[int | None, FaultKind, str | None]]:
    """Say what is wrong where."""
    return [(fault.seq, fault.kind, fault.flaw) for fault in report.faults]


def noted(table: Table) -> NotedHead:
    """Return the six words that somebody wrote down at the end."""
    head = table.room.positions[Channel.PUBLIC]
    return NotedHead(head.seq, " ".join(six_words(head.hash)))


@pytest.mark.parametrize("channels", [(Channel.PUBLIC,), tuple(Channel)], ids=["a player's", "the gm's"])
def test_an_honest_evening_is_sound(channels: Sequence[Channel]):
    table = played(*EVENING)

    report = audited(table.records, noted(table), channels=channels)

    assert report.faults == ()
    standings = [each.standing for each in report.rolls]
    assert standings.count(Standing.PROVEN) == 5
    assert standings.count(Standing.NO_TOKEN) == len(standings) - 5 == 1


# At a roll


def better_key(case: Case) -> Any:
    """Choose the better of two keys, which is not the room's own."""
    best = BestOfTwo(LEDGER, better_than(case), POOL)
    decision = case.honest(dice=best)
    assert best.others_taken == 1
    return decision


def better_than(case: Case) -> Ledger:
    """Find a secret whose roll shows more than the room's own."""
    total = sum(ways.told(case.honest()).roll.faces)
    ledgers = (Ledger(ROOM, bytes([number]) * 32) for number in range(1, 256))
    return next(each for each in ledgers if sum(ways.told(case.honest(dice=each)).roll.faces) > total)


@pytest.mark.parametrize(
    ("cheat", "flaw"),
    [
        (ways.other_faces, Flaw.FACES),
        (better_key, Flaw.KEY),
        (ways.swapped_slots, Flaw.KEY),
        (ways.next_slot, Flaw.SLOT),
        (ways.used_slot, Flaw.SLOT),
        (ways.in_the_name_of(BO.seat_id, token=True), Flaw.TOKEN),
    ],
    ids=["re-rolled", "the better of two keys", "swapped slots", "the next slot", "a used slot", "a token once more"],
)
def test_a_cheat_at_a_roll_is_named(cheat: Cheat, flaw: Flaw):
    table = played(*EVENING, (ANN, roll(4)), cheat=cheat)

    assert named(audited(table.records)) == [(len(table.records), FaultKind.DICE, flaw)]


def test_a_roll_without_the_token_that_was_sent_shows_as_one_without():
    """Whether she sent one only her own client knows, which names it."""
    table = played(*EVENING, (ANN, roll(4)), cheat=ways.without_token)

    report = audited(table.records)

    assert report.sound
    assert [each.standing for each in report.rolls if each.seq == len(table.records)] == [Standing.NO_TOKEN]


# At what was stored


def without(records: list[Record], gone: Record) -> list[Record]:
    """Leave a public record out, and number those after it anew."""
    rest = [each for each in records if each is not gone]
    return [each.model_copy(update={"seq": seq}) for seq, each in enumerate(rest, 1)]


def rolls_of(table: Table, seat: Actor) -> list[Record]:
    return [each for each in table.records if isinstance(each.event, e.DiceRolled) and each.by == seat.seat_id]


def changed(table: Table, record: Record, **fields: Any) -> list[Record]:
    """Change what one event says."""
    event = record.event.model_copy(update=fields)
    return [each.model_copy(update={"event": event}) if each is record else each for each in table.records]


def swapped(table: Table, first: Record, second: Record, *names: str) -> list[Record]:
    """Let two records change places, with the fields that are named."""
    updates = {
        id(here): {name: getattr(other, name) for name in ("event", "by", *names)}
        for here, other in ((first, second), (second, first))
    }
    return [each.model_copy(update=updates.get(id(each), {})) for each in table.records]


def test_a_roll_that_was_dropped_is_missed_at_the_next_of_its_lane_and_against_a_noted_head():
    table = played(*EVENING)
    first, second = rolls_of(table, ANN)
    assert second.seq > first.seq

    report = audited(without(table.records, first), noted(table))

    assert (second.seq - 1, FaultKind.DICE, Flaw.SLOT) in named(report)
    assert FaultKind.HEAD in [fault.kind for fault in report.faults]


def test_the_last_roll_of_a_lane_that_was_dropped_shows_against_a_noted_head():
    table = played(*EVENING)

    report = audited(table.records[:-1], noted(table))

    assert audited(table.records[:-1]).sound
    assert [fault.kind for fault in report.faults] == [FaultKind.HEAD]


def test_a_stored_face_that_was_changed_is_named():
    table = played(*EVENING)
    [record, _] = rolls_of(table, ANN)
    assert isinstance(record.event, e.DiceRolled)
    faces = (record.event.roll.faces[0] % 6 + 1, *record.event.roll.faces[1:])

    report = audited(changed(table, record, roll=record.event.roll.model_copy(update={"faces": faces})), noted(table))

    assert named(report) == [(record.seq, FaultKind.DICE, Flaw.FACES), (len(table.records), FaultKind.HEAD, None)]


def test_two_rolls_that_changed_places_are_named():
    table = played(*EVENING)
    first, second = rolls_of(table, ANN)

    assert named(audited(swapped(table, first, second)))[0] == (first.seq, FaultKind.DICE, Flaw.SLOT)


def test_two_events_that_changed_places_are_named_by_the_rules_their_times_or_a_noted_head():
    table = played(*EVENING)
    first, second = (each for each in table.records if isinstance(each.event, e.ClockTicked))
    opened, added = of_type(table, e.SceneOpened), of_type(table, e.CharacterAdded)

    ticks = audited(swapped(table, first, second))
    times = audited(swapped(table, opened, added, "at"))
    heads = audited(swapped(table, opened, added), noted(table))

    assert (first.seq, FaultKind.RULES) in [(fault.seq, fault.kind) for fault in ticks.faults]
    assert FaultKind.ORDER in [fault.kind for fault in times.faults]
    assert FaultKind.HEAD in [fault.kind for fault in heads.faults]


# At the rules


def of_type(table: Table, kind: type[e.EventBase]) -> Record:
    return next(each for each in table.records if isinstance(each.event, kind))


def kept_dice(event: Any) -> dict[str, Any]:
    return {"removed": 0, "remaining": event.remaining + event.removed}


def better_outcome(event: Any) -> dict[str, Any]:
    acting = event.result.acting
    other = Outcome.SUCCESS if acting.outcome is Outcome.TRIUMPH else Outcome.TRIUMPH
    return {"result": event.result.model_copy(update={"acting": acting.model_copy(update={"outcome": other})})}


def further(event: Any) -> dict[str, Any]:
    return {"value": event.value - 1}


@pytest.mark.parametrize(
    ("kind", "change"),
    [(e.CountdownRolled, kept_dice), (e.CheckResolved, better_outcome), (e.ClockTicked, further)],
    ids=["a countdown", "a check", "a clock"],
)
def test_a_changed_outcome_is_named(kind: type[e.EventBase], change: Callable[[Any], dict[str, Any]]):
    table = played(*EVENING)
    record = of_type(table, kind)

    faults = audited(changed(table, record, **change(record.event))).faults

    assert (faults[0].seq, faults[0].kind) == (record.seq, FaultKind.RULES)


# What stays open is shown


def test_where_server_and_roller_could_have_come_to_terms_no_witness_is_counted():
    alone = audited(played((ANN, opening(1)), *((ANN, roll(n)) for n in (1, 2, 3))).records)
    seen = audited(played(*EVENING).records)

    assert [each.witnesses for each in alone.rolls] == [0, 0, 0]
    assert all(each.standing is Standing.PROVEN for each in alone.rolls)
    assert max(each.witnesses for each in seen.rolls if each.lane == LANE) == 1


@pytest.mark.parametrize(
    ("visibility", "before", "after"),
    [("sealed", [Standing.HIDDEN], Standing.PROVEN), ("gm", [], Standing.UNCOMMITTED)],
)
def test_a_hidden_roll_that_is_shown_is_proven_if_it_was_sealed(
    visibility: str, before: list[Standing], after: Standing
):
    name = "lot" if visibility == "sealed" else "gm-lot"
    hidden: Deed = (GM, {"type": "roll_dice", "id": name, "pool": 4, "visibility": visibility})
    shown: Deed = (GM, {"type": "reveal", "thing_id": name})

    first, then = audited(played(hidden).records), audited(played(hidden, shown).records)

    assert first.sound
    assert then.sound
    assert [(each.standing, each.faces) for each in first.rolls] == [(each, ()) for each in before]
    [roll] = then.rolls
    assert (roll.standing, len(roll.faces)) == (after, 4)


def test_every_fault_is_told_in_a_sentence_that_names_its_record():
    table = played(*EVENING, (ANN, roll(4)), cheat=ways.other_faces)

    [fault] = audited(table.records).faults

    assert isinstance(fault, Fault)
    assert f"record {len(table.records)} of public" in str(fault)
