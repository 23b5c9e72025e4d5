"""Checking each roll as it comes in: honest ones fit, and each way to cheat is named."""

from collections.abc import Callable
from typing import Any

import pytest

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.ledger import text32
from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.events import CountdownRolled, DiceRolled, Event, LaneOpened
from dreadclock.wire.fold import fold, proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane
from dreadclock.wire.views import View, empty_view
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening, tokens
from kit.tables import ANN, BO, CLERK, GM, ROOM, Order, Table

LEDGER = Ledger(ROOM, bytes(32))
OTHER_LEDGER = Ledger(ROOM, bytes([1] * 32))
ROLL = {"type": "roll_dice", "pool": 4}
LANE = "seat/player-1/1"
Change = Callable[[Record], Record]


def alarms(records: list[Record]) -> list[tuple[int, Flaw]]:
    """Verify a log from its start, folding on after each alarm; name what does not fit by its seq."""
    view, found = empty_view(*Channel), list[DiceAlarm]()
    verifier = Verifier(ROOM, view.public)
    for record in records:
        found += verifier.check(view.channels[record.channel], record)
        view = fold(view, record)
    return [(alarm.record.seq, alarm.flaw) for alarm in found]


def evening() -> Table:
    """Play rolls of all sorts: with and without tokens, in a turn, dealt, physical, hidden, in lanes that go on."""
    table = Table(dice=LEDGER, physical_dice="everyone", check_approval="open")
    orders: list[tuple[Actor, Order]] = [
        *((by, opening(secret)) for secret, by in enumerate((ANN, BO, GM), 1)),
        (ANN, {**ROLL, "dice": dice(1, LANE)}),
        (BO, {**ROLL, "dice": dice(1, "seat/player-2/1", 2)}),
        (ANN, {**ROLL, "dice": dice(2, LANE)}),
        (GM, {"type": "start_countdown", "name": "C", "pool": 4, "bound_to": "turn"}),
        (GM, {"type": "start_countdown", "name": "D", "pool": 4, "bound_to": "turn"}),
        (
            GM,
            {
                "type": "start_countdown",
                "id": "gas",
                "name": "E",
                "pool": 4,
                "bound_to": "turn",
                "visibility": "sealed",
            },
        ),
        (GM, {"type": "end_turn", "dice": dice(1, "seat/gm/1", 3)}),
        (CLERK, {"type": "end_turn"}),
        (ANN, {**ROLL, "faces": [1, 2, 3, 4]}),
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
        (BO, {"type": "add_character", "id": "bea", "name": "Bea"}),
        *_duel(),
        (ANN, {**ROLL, "dice": dice(3, LANE)}),
        (ANN, ROLL),
    ]
    for by, order in orders:
        table.write(order, by=by, dice=LEDGER)
        table.now_ms += 1
    return table


def _duel() -> list[tuple[Actor, Order]]:
    part = {"check_id": "duel", "character_id": "bea"}
    total = {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2}
    return [
        (ANN, {"type": "propose_check", "id": "duel", "character_id": "ada", "score": 1, "contest": True}),
        (BO, {"type": "oppose_check", **part, "score": 1}),
        (ANN, {"type": "roll_check", "check_id": "duel", "faces": [5]}),
        (BO, {"type": "roll_check", **part, "faces": [5], "dice": dice(2, "seat/player-2/1", 2)}),
        (ANN, {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 9}),
        (ANN, {"type": "roll_check", "check_id": "leap"}),
        (GM, total),
        (GM, {"type": "set_required", "total_id": "climb", "required": 40}),
        (ANN, {"type": "roll_total", "total_id": "climb"}),
        (GM, {"type": "offer_push", "total_id": "climb", "crisis": "mental"}),
        (ANN, {"type": "push_luck", "total_id": "climb"}),
    ]


EVENING = evening().records


def test_an_honest_evening_raises_no_alarm():
    proofs = [proof for record in EVENING if (proof := proof_of(record.event))]

    assert alarms(EVENING) == []
    assert len(proofs) >= 14
    assert max(proof.witnesses or 0 for proof in proofs) == 2
    assert any(proof.start for proof in proofs)


def rolls_of(lane: str) -> list[Record]:
    return [record for record in EVENING if (proof := proof_of(record.event)) and proof.lane == lane]


def changed(record: Record, event: Event) -> Record:
    return record.model_copy(update={"event": event})


def with_roll(record: Record, **fields: Any) -> Record:
    """Change a plain roll, or its proof where the fields are of that."""
    assert isinstance(record.event, DiceRolled)
    roll = record.event.roll
    own = {name: value for name, value in fields.items() if name in type(roll).model_fields}
    proof = roll.proof and roll.proof.model_copy(update={name: fields[name] for name in fields.keys() - own.keys()})
    return changed(record, record.event.model_copy(update={"roll": roll.model_copy(update={"proof": proof, **own})}))


def in_place(changed_record: Record) -> list[Record]:
    return [
        changed_record if (each.channel, each.seq) == (changed_record.channel, changed_record.seq) else each
        for each in EVENING
    ]


FIRST, SECOND, THIRD = rolls_of(LANE)
FACES = tuple(THIRD.event.roll.faces) if isinstance(THIRD.event, DiceRolled) else ()


@pytest.mark.parametrize(
    ("fields", "flaw"),
    [
        ({"faces": (*FACES[:-1], FACES[-1] % 6 + 1)}, Flaw.FACES),
        ({"faces": FACES[::-1]}, Flaw.FACES),
        ({"proof": None}, Flaw.UNPROVEN),
        ({"physical": True}, Flaw.LANE),
        ({"lane": "seat/player-2/1"}, Flaw.LANE),
        ({"lane": "seat/player-1/7"}, Flaw.LANE),
        ({"n": 2}, Flaw.SLOT),
        ({"n": 4}, Flaw.SLOT),
        ({"key": "Q" * 43}, Flaw.KEY),
        ({"token": text32(tokens(1).value(4))}, Flaw.TOKEN),
        ({"token": None}, Flaw.TOKEN),
        ({"witnesses": 2}, Flaw.WITNESSES),
        ({"witnesses": None}, Flaw.WITNESSES),
        ({"start": 1}, Flaw.START),
    ],
)
def test_a_roll_that_says_anything_else_than_what_was_fixed_is_named(fields: dict[str, Any], flaw: Flaw):
    found = alarms(in_place(with_roll(THIRD, **fields)))

    assert found[0] == (THIRD.seq, flaw)


def test_a_roll_that_was_dropped_is_missed_at_the_lanes_next():
    assert alarms([each for each in EVENING if each is not SECOND])[0] == (THIRD.seq, Flaw.SLOT)


def test_two_slots_that_were_swapped_are_both_named():
    swapped = {id(SECOND): changed(SECOND, THIRD.event), id(THIRD): changed(THIRD, SECOND.event)}

    found = alarms([swapped.get(id(each), each) for each in EVENING])

    assert [seq for seq, _ in found][:2] == [SECOND.seq, THIRD.seq]


def test_a_server_that_has_two_secrets_cannot_choose_between_them():
    table = Table(dice=LEDGER)
    table.write(opening(), by=ANN, dice=LEDGER)
    table.write({**ROLL, "dice": dice(1, LANE)}, by=ANN, dice=OTHER_LEDGER)

    assert alarms(table.records) == [(len(table.public()), Flaw.KEY)]


def test_a_roll_of_a_turn_that_does_not_go_on_where_the_last_one_ended_is_named():
    later = next(each for each in EVENING if (proof := proof_of(each.event)) and proof.start)
    assert isinstance(later.event, CountdownRolled)
    assert later.event.proof is not None
    elsewhere = changed(
        later, later.event.model_copy(update={"proof": later.event.proof.model_copy(update={"start": 0})})
    )

    assert alarms(in_place(elsewhere))[0] == (later.seq, Flaw.START)


@pytest.mark.parametrize("fields", [{}, {"at": 99_999}, {"by": BO.seat_id}], ids=["at once", "later", "by another"])
def test_a_slot_whose_key_is_known_by_now_cannot_be_gone_on_with(fields: dict[str, Any]):
    """After a roll everyone knows the slot's other faces: a plain roll never uses them."""
    table = Table(dice=LEDGER)
    table.write(opening(), by=ANN, dice=LEDGER)
    [rolled] = table.write({**ROLL, "dice": dice(1, LANE)}, by=ANN, dice=LEDGER)
    assert isinstance(rolled.event, DiceRolled)
    more = LEDGER.slot(Lane(label=LANE, anchor=text32(tokens().value(0)), key="Q" * 43), 1, text32(tokens().value(1)))
    faces = more.take(8)[4:]
    roll = rolled.event.roll.model_copy(
        update={"id": "again", "faces": faces, "proof": RollProof(lane=LANE, n=1, start=4)}
    )
    again = rolled.model_copy(update={"seq": rolled.seq + 1, "event": DiceRolled(roll=roll)})

    assert alarms(table.records) == []
    assert alarms([*table.records, again.model_copy(update=fields)])[0][0] == again.seq


@pytest.mark.parametrize(
    "fields",
    [
        {"label": "seat/player-1/9"},
        {"label": "thing/roll/x"},
        {"seat_id": "ghost"},
        {"used": 1},
        {"token": "Q" * 43},
        {"next_witness": "Q" * 43},
        {"next_witnesses": 1},
        {"tokens_before": 1},
    ],
    ids=str,
)
def test_a_lane_that_is_opened_in_mid_course_is_named(fields: dict[str, Any]):
    opened = next(each for each in EVENING if isinstance(each.event, LaneOpened) and each.event.lane.anchor)
    assert isinstance(opened.event, LaneOpened)
    odd = opened.event.model_copy(update={"lane": opened.event.lane.model_copy(update=fields)})

    assert alarms(in_place(changed(opened, odd)))[0] == (opened.seq, Flaw.OPENING)


@pytest.mark.parametrize("forgotten", [False, True], ids=["in view", "seen earlier"])
def test_a_lane_for_an_anchor_that_was_used_before_is_named(forgotten: bool):
    """A lane whose tokens were shown in another has no secrets left: its dice could be chosen."""
    first = next(each for each in EVENING if isinstance(each.event, LaneOpened) and each.event.lane.anchor)
    place = EVENING.index(FIRST)
    view = empty_view(*Channel)
    verifier = Verifier(ROOM, view.public)
    for record in EVENING[:place]:
        assert list(verifier.check(view.channels[record.channel], record)) == []
        view = fold(view, record)
    assert isinstance(first.event, LaneOpened)
    lane = first.event.lane.model_copy(update={"label": "seat/player-2/2", "seat_id": "player-2"})
    again = changed(first, LaneOpened(lane=lane)).model_copy(update={"seq": FIRST.seq})
    lanes = {} if forgotten else view.public.lanes

    public = view.public.model_copy(update={"lanes": lanes})
    found = list(verifier.check(public, again))

    assert [(each.record.seq, each.flaw) for each in found] == [(FIRST.seq, Flaw.ANCHOR)]
    later = Verifier(ROOM, public).check(public, again)
    assert [each.flaw for each in later] == ([] if forgotten else [Flaw.ANCHOR])


def test_whoever_comes_later_checks_on_from_the_view_that_they_are_shown():
    place = EVENING.index(THIRD)
    view: View = empty_view(*Channel)
    for record in EVENING[:place]:
        view = fold(view, record)

    verifier = Verifier(ROOM, view.public)

    assert list(verifier.check(view.public, THIRD)) == []
    other = Verifier(ROOM, view.public)
    assert [each.flaw for each in other.check(view.public, with_roll(THIRD, key="Q" * 43))] == [Flaw.KEY]


def test_an_alarm_says_which_record_it_is_about_and_what_does_not_fit():
    alarm = DiceAlarm(THIRD, Flaw.FACES)

    assert alarm.sentence == (
        f"Record {THIRD.seq} (dice_rolled) is not to be trusted:"
        " its faces are not those that follow from its key, token and witness."
    )
