"""Checking each roll as it comes in: honest ones fit, and each way to cheat is named."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pytest

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.lanes import Lanes
from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.rules.ledger import LANE_LENGTH, ZERO, text32
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.events import CountdownRolled, DiceRolled, Event, LaneOpened, Revealed, SealedStarted
from dreadclock.wire.fold import fold, proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane
from dreadclock.wire.views import View, empty_view
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.cheating.alarms import alarms_of
from kit.dice.lanes import dice, opening, tokens
from kit.tables import ANN, BO, CLERK, GM, ROOM, Order, Table

LEDGER = Ledger(ROOM, bytes(32))
OTHER_LEDGER = Ledger(ROOM, bytes([1] * 32))
ROLL = {"type": "roll_dice", "pool": 4}
LANE = "seat/player-1/1"
Change = Callable[[Record], Record]


def alarms(records: list[Record]) -> list[tuple[int, Flaw]]:
    return alarms_of(ROOM, records)


def flaws(records: Iterable[Record], lanes: Lanes | None = None) -> list[Flaw]:
    """Check a log with the gm's channel as an audit does."""
    lanes, view, found = lanes or Lanes(ROOM, holds_gm=True), empty_view(*Channel), list[Flaw]()
    for record in records:
        found += [each.flaw for each in lanes.check(view.channels[record.channel], record) if each.flaw]
        view = fold(view, record)
    return found


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
        (BO, opening(4)),
        (ANN, {**ROLL, "dice": dice(4, LANE)}),
        (BO, {**ROLL, "dice": dice(1, "seat/player-2/2", 4)}),
        (BO, {**ROLL, "dice": dice(2, "seat/player-2/2", 4)}),
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


FIRST, SECOND, THIRD, _ = rolls_of(LANE)
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
    assert alarms(in_place(with_roll(THIRD, **fields)))[0] == (THIRD.seq, flaw)


BEGINNINGS = [
    i for i, (one, next_one) in enumerate(pairwise(EVENING), 1) if (one.by, one.at) != (next_one.by, next_one.at)
]


@pytest.mark.parametrize("start", BEGINNINGS)
def test_whoever_joins_between_two_commands_raises_no_alarm_over_an_honest_evening(start: int):
    view: View = empty_view(*Channel)
    for record in EVENING[:start]:
        view = fold(view, record)
    verifier = Verifier(ROOM, view.public)

    for record in EVENING[start:]:
        assert list(verifier.check(view.channels[record.channel], record)) == []
        view = fold(view, record)


@pytest.mark.parametrize(
    "fields",
    [{"faces": FACES}, {"key": "Q" * 43}, {"token": text32(tokens(1).value(4))}, {"witnesses": 2}, {"start": 1}],
    ids=str,
)
def test_one_lie_is_named_once(fields: dict[str, Any]):
    assert len(alarms(in_place(with_roll(SECOND, **fields)))) == 1


def test_a_slot_that_no_lane_has_uses_up_none():
    found = alarms(in_place(with_roll(FIRST, n=5_000_000_000)))

    assert found == [(FIRST.seq, Flaw.SLOT), (SECOND.seq, Flaw.SLOT)]


@pytest.mark.parametrize("fields", [{"token": "Q" * 43}, {"witnesses": 0}], ids=str)
def test_a_roll_that_goes_on_says_no_token_and_no_witnesses_of_its_own(fields: dict[str, Any]):
    assert alarms(in_place(_with_proof(_going_on(), **fields)))[:1] == [(_going_on().seq, Flaw.TOKEN)]


def test_a_roll_goes_on_only_in_the_command_that_began_it():
    later = _going_on()

    assert alarms(in_place(later.model_copy(update={"at": later.at + 1})))[:1] == [(later.seq, Flaw.START)]


def _going_on() -> Record:
    return next(each for each in EVENING if (proof := proof_of(each.event)) and proof.start and proof.key is None)


def _with_proof(record: Record, **fields: Any) -> Record:
    assert isinstance(record.event, CountdownRolled)
    assert record.event.proof is not None
    proof = record.event.proof.model_copy(update=fields)
    return changed(record, record.event.model_copy(update={"proof": proof}))


def test_a_roll_that_was_dropped_is_missed_at_the_lanes_next():
    assert alarms([each for each in EVENING if each is not SECOND])[:1] == [(THIRD.seq, Flaw.SLOT)]


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
    later = _going_on()
    elsewhere = _with_proof(later, start=0)

    assert alarms(in_place(elsewhere))[:1] == [(later.seq, Flaw.START)]


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
        {"seat_id": "ghost", "label": "seat/ghost/0"},
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

    assert alarms(in_place(changed(opened, odd)))[:1] == [(opened.seq, Flaw.OPENING)]


def test_the_anchor_of_no_tokens_is_none():
    opened = next(each for each in EVENING if isinstance(each.event, LaneOpened) and each.event.lane.anchor)
    assert isinstance(opened.event, LaneOpened)
    lane = opened.event.lane.model_copy(update={"anchor": text32(ZERO)})

    assert alarms(in_place(changed(opened, LaneOpened(lane=lane))))[:1] == [(opened.seq, Flaw.ANCHOR)]


def test_a_lane_that_is_used_up_is_closed_by_the_next_and_rolled_in_no_more():
    place = EVENING.index(THIRD)
    view: View = empty_view(*Channel)
    for record in EVENING[:place]:
        view = fold(view, record)
    full = view.public.lanes[LANE].model_copy(update={"used": LANE_LENGTH})
    public = view.public.model_copy(update={"lanes": {**view.public.lanes, LANE: full}})
    beyond = with_roll(THIRD, n=LANE_LENGTH + 1)
    fresh = Lane(label="seat/player-1/2", seat_id="player-1", anchor="Q" * 43, key="Q" * 43)
    verifier = Verifier(ROOM, public)

    assert [each.flaw for each in verifier.check(public, beyond)] == [Flaw.SLOT]
    assert list(verifier.check(public, changed(THIRD, LaneOpened(lane=fresh)))) == []
    assert [each.flaw for each in verifier.check(public, beyond)] == [Flaw.LANE]


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
    assert DiceAlarm(THIRD, Flaw.FACES).sentence == (
        f"Record {THIRD.seq} (dice_rolled) is not to be trusted:"
        " its faces are not those that follow from its key, token and witness."
    )


def _sealed_evening() -> list[Record]:
    """Roll a sealed countdown twice, with a player's token between, and reveal it."""
    table = Table(dice=LEDGER)
    gas = {
        "type": "start_countdown",
        "id": "gas",
        "name": "Gas",
        "bound_to": "nothing",
        "pool": 12,
        "visibility": "sealed",
    }
    roll = {"type": "roll_countdown", "countdown_id": "gas"}
    anns = (ANN, {**ROLL, "dice": dice(1, LANE)})
    for by, order in ((ANN, opening()), (GM, gas), (GM, roll), anns, (GM, roll), (GM, roll), (ANN, ROLL)):
        table.write(order, by=by, dice=LEDGER)
    table.write({"type": "reveal", "thing_id": "gas"}, dice=LEDGER)
    return table.records


SEALED = _sealed_evening()


def _first(kind: type[Event], channel: Channel = Channel.PUBLIC) -> int:
    """Return the place of the first event of a kind in the sealed evening."""
    return next(i for i, each in enumerate(SEALED) if isinstance(each.event, kind) and each.channel is channel)


def _thing_lane() -> int:
    return next(i for i, each in enumerate(SEALED) if isinstance(each.event, LaneOpened) and each.channel is Channel.GM)


def test_a_sealed_evening_fits_with_the_gms_channel_and_without():
    assert flaws(SEALED) == []
    assert alarms(SEALED) == []
    assert flaws([each for each in SEALED if each.channel is Channel.PUBLIC], Lanes(ROOM)) == []


def _sealed_with(**fields: Any) -> list[Record]:
    place = _first(SealedStarted)
    sealed = SEALED[place]
    assert isinstance(sealed.event, SealedStarted)
    event = SealedStarted(thing=sealed.event.thing.model_copy(update=fields))
    return [*SEALED[:place], changed(sealed, event), *SEALED[place + 1 :]]


def test_the_lane_of_a_sealed_thing_is_its_own_and_leaves_out_whoever_started_it():
    assert flaws(_sealed_with(lane="thing/countdown/other"))[:1] == [Flaw.OPENING]
    assert flaws(_sealed_with(seat_id=BO.seat_id))[:1] == [Flaw.OPENING]


def _joined(records: Iterable[Record]) -> Verifier:
    """Return the verifier of somebody who comes after these records."""
    view: View = empty_view(*Channel)
    for record in records:
        view = fold(view, record)
    return Verifier(ROOM, view.public)


def test_a_thing_is_sealed_once():
    sealed = SEALED[_first(SealedStarted)]
    assert isinstance(sealed.event, SealedStarted)
    as_roll = sealed.event.thing.model_copy(update={"kind": "roll", "lane": "thing/roll/gas"})
    revealed = _first(Revealed)

    assert [flaw for _, flaw in alarms([*SEALED[:revealed], changed(sealed, SealedStarted(thing=as_roll))])][:1] == [
        Flaw.OPENING
    ]
    assert [flaw for _, flaw in alarms([*SEALED, sealed])][:1] == [Flaw.OPENING]
    verifier = _joined(SEALED[:revealed])
    after = empty_view(*Channel).public
    assert list(verifier.check(after, SEALED[revealed])) == []
    assert [each.flaw for each in verifier.check(after, sealed)] == [Flaw.OPENING]


def test_the_gms_channel_opens_a_sealed_lane_before_its_first_roll():
    place = _thing_lane()
    last = max(i for i, each in enumerate(SEALED) if isinstance(each.event, CountdownRolled))
    late = [*SEALED[:place], *SEALED[place + 1 : last + 1], SEALED[place]]

    lanes, view, found = Lanes(ROOM, holds_gm=True), empty_view(*Channel), list[Flaw]()
    for each in late:
        found += [one.flaw for one in lanes.check(view.channels[each.channel], each) if one.flaw]
        view = fold(view, each) if each.channel is Channel.PUBLIC else view

    assert found == [Flaw.OPENING]


def test_the_lane_of_what_only_the_gm_knows_is_no_public_record():
    lane = Lane(label="thing/roll/x", key="Q" * 43)
    opened = SEALED[_thing_lane()]

    assert flaws([*SEALED, changed(opened, LaneOpened(lane=lane))]) == []
    public = changed(SEALED[-1], LaneOpened(lane=lane))
    assert flaws([*SEALED, public]) == [Flaw.OPENING]


def test_a_seats_lane_is_no_secret():
    place = next(i for i, each in enumerate(SEALED) if isinstance(each.event, LaneOpened) and each.event.lane.seat_id)
    hidden = SEALED[place].model_copy(update={"channel": Channel.GM})
    view: View = empty_view(*Channel)
    for record in SEALED[:place]:
        view = fold(view, record)

    assert [each.flaw for each in Lanes(ROOM, holds_gm=True).check(view.public, hidden)] == [Flaw.OPENING]


def test_what_has_come_to_light_is_rolled_in_secret_no_more():
    rolled = next(each for each in reversed(SEALED) if isinstance(each.event, CountdownRolled))
    lanes = Lanes(ROOM, holds_gm=True)
    assert flaws(SEALED, lanes) == []

    assert [each.flaw for each in lanes.check(empty_view(*Channel).public, rolled)] == [Flaw.LANE]


def test_a_sealed_thing_whose_lane_the_view_does_not_show_is_checked_by_its_own_key():
    """As in rooms that were saved before such lanes gathered witnesses."""
    view: View = empty_view(*Channel)
    revealed = _first(Revealed)
    for record in SEALED[:revealed]:
        view = fold(view, record)
    bare = view.public.model_copy(update={"lanes": {}})
    record = SEALED[revealed]

    assert [each.flaw for each in Verifier(ROOM, bare).check(bare, record)] == [Flaw.WITNESSES]
