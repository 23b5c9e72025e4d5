"""What a room does not take over: states that no room could have come to."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from dreadclock.rules.contest import Side
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role, Scope, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.things import ClockKind, Consequence, Origin, Seat, SituationStatus, Stage, TotalStatus
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.decide import decide
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.import_checks import MOST, unfit
from dreadclock_server.core.room import empty_room
from dreadclock_server.dice import Ledger
from kit.evenings.prepared import secret_evening
from kit.examples import examples
from kit.strategies.scripts import LEDGER, Outcome, Script, play, scripts
from kit.tables import ANN, GM, ROOM, Order, Table, loaded
from server.core.test_properties import LOG, continued

Spoil = Callable[[ChannelView], dict[str, object]]


def fit() -> View:
    """Return what a room takes over from an evening with a bit of everything."""
    return continued(secret_evening(), Channel.PUBLIC, Channel.GM).room.view


def spoiled(spoil: Spoil, channel: Channel = Channel.PUBLIC) -> View:
    view = fit()
    part = view.channels[channel]
    return View(channels={**view.channels, channel: part.model_copy(update=spoil(part))})


def one(family: str, **changes: object) -> Spoil:
    """Change the first thing of a family."""

    def spoil(part: ChannelView) -> dict[str, object]:
        things = getattr(part, family)
        first = next(iter(things))
        return {family: {**things, first: things[first].model_copy(update=changes)}}

    return spoil


def many(family: str, count: int) -> Spoil:
    """Multiply the first thing of a family."""

    def spoil(part: ChannelView) -> dict[str, object]:
        thing: Any = next(iter(getattr(part, family).values()))
        more = {f"x-{i}": thing.model_copy(update={"id": f"x-{i}"}) for i in range(count)}
        return {family: {**getattr(part, family), **more}}

    return spoil


def seated(*seats: Seat) -> Spoil:
    return lambda part: {"seats": {**part.seats, **{seat.id: seat for seat in seats}}}


def without(family: str, gone: Callable[[Any], bool] = lambda thing: True) -> Spoil:
    return lambda part: {family: {key: one for key, one in getattr(part, family).items() if not gone(one)}}


def clocks_of_another_kind(part: ChannelView) -> dict[str, object]:
    """Make the clock of a scene that of a situation, which the room looks for when the clock fills."""
    of_scene = next(clock for clock in part.clocks.values() if clock.kind is ClockKind.SCENE)
    changed = of_scene.model_copy(update={"kind": ClockKind.SITUATION})
    return {"clocks": {**part.clocks, changed.id: changed}}


LEAK = """{"id": "x", "of": {"kind": "clock", "id": "guards"}, "when": {"when": "end"},
"do": [{"does": "tick", "thing_id": "tide", "by": 1}]}"""


def parts(change: Callable[[Any], dict[str, object]]) -> Spoil:
    def spoil(part: ChannelView) -> dict[str, object]:
        check = next(iter(part.checks.values()))
        changed = tuple(each.model_copy(update=change(each)) for each in check.parts)
        return {"checks": {**part.checks, check.id: check.model_copy(update={"parts": changed})}}

    return spoil


def test_what_a_room_came_to_is_fit():
    assert list(unfit(fit())) == []


@pytest.mark.parametrize(
    "spoil",
    [
        seated(Seat(id="evil", role=Role.GM, name="Evil")),
        seated(Seat(id="gm", role=Role.PLAYER, name="No gm")),
        seated(Seat(id="player-1", role=Role.PLAYER, name="Spy", scopes=(Scope.SECRETS,))),
        seated(Seat(id="player-9999", role=Role.PLAYER, name="From the future")),
        seated(Seat(id="spectator-1", role=Role.PLAYER, name="Another role")),
        seated(*(Seat(id=f"player-{i}", role=Role.PLAYER, name="Many") for i in range(300))),
        one("countdowns", pool=61),
        one("countdowns", pool=30_000_000),
        one("countdowns", pool=0),
        one("countdowns", rolled_turn=10**6),
        one("countdowns", stages=(Stage(at=2, effect="a"), Stage(at=2, effect="b"))),
        one("countdowns", visibility=Visibility.SEALED),
        one("clocks", value=10**6),
        one("clocks", of="nothing"),
        clocks_of_another_kind,
        one("scenes", clock_id="nothing"),
        one("scenes", visibility=Visibility.GM),
        one("situations", scene_id="nothing"),
        one("situations", clock_id="nothing"),
        one("situations", status=SituationStatus.OPEN, clock_id="tide"),
        one("challenges", situation_id="nothing"),
        one("efforts", challenge_id="nothing"),
        one("checks", parts=()),
        parts(lambda part: {"side": Side.OPPOSING}),
        parts(lambda part: {"character_id": "nobody"}),
        parts(lambda part: {"score": 60, "bonus": 60}),
        one("totals", character_id="nobody"),
        one("totals", status=TotalStatus.OFFERED),
        one("totals", kept=(1, 1, 1)),
        one("characters", crisis_due="nothing"),
        one("characters", attributes={f"a{i}": 1 for i in range(40)}),
        many("characters", 140),
        many("countdowns", 140),
        many("efforts", 140),
        many("checks", 1_100),
        without("clocks"),
        without("characters"),
        lambda part: {"consequences": {"x": Consequence.model_validate_json(LEAK)}},
        lambda part: {"turn": MOST + 1},
        lambda part: {"made": {**part.made, "countdown": 10**39}},
        lambda part: {"made": {**part.made, "anything": 1}},
        lambda part: {"taken": tuple(f"id-{i}" for i in range(5_000))},
    ],
)
def test_what_no_room_could_have_come_to_is_named(spoil: Spoil):
    assert list(unfit(spoiled(spoil)))


@pytest.mark.parametrize("family", ["countdowns", "scenes", "checks"])
def test_what_everyone_sees_is_not_in_the_gms_channel(family: str):
    assert list(unfit(spoiled(one(family, visibility=Visibility.PUBLIC), Channel.GM)))


def test_a_room_that_would_take_it_over_is_not_opened():
    old = secret_evening()
    view = View(
        channels={Channel.PUBLIC: old.view.public.model_copy(update=one("countdowns", pool=99)(old.view.public))}
    )
    command = Continue("Forged", view, {Channel.PUBLIC: Origin(room=ROOM, log_id=LOG, seq=1, hash="0" * 64)})

    with pytest.raises(Refused) as refused:
        decide(empty_room(ROOM, LOG), command, by=GM, dice=LEDGER, now_ms=1, fresh=lambda: "0" * 12)

    assert refused.value.code is Code.BAD_REQUEST


# A room whose dice secret is missing: nothing is rolled with other dice instead, and all else goes on


LOST = Ledger(ROOM, None)
ROLLS = (e.DiceRolled, e.CountdownRolled, e.CheckRolled, e.CheckResolved, e.TotalRolled, e.LuckPushed)


def needs_dice(event: e.Event) -> bool:
    """Tell whether an event shows what follows from the room's secret."""
    return isinstance(event, e.LaneOpened) or (isinstance(event, ROLLS) and proof_of(event) is not None)


def played(outcome: Outcome) -> object:
    return outcome.refused.code if outcome.refused else [each.text for each in outcome.written]


@examples(80)
@given(scripts())
def test_exactly_what_needs_the_secret_is_refused(script: Script):
    room = secret_evening()
    for step in script:
        [kept], [lost] = play(room, [step], LEDGER), play(room, [step], LOST)
        if any(needs_dice(each.event) for each in kept.written):
            assert played(lost) is Code.DICE_LOST
        else:
            assert played(lost) in (played(kept), Code.DICE_LOST if kept.refused else None)
        room = kept.room


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR, Role.INTEGRATION])
def test_people_still_come_and_go(role: Role):
    table = Table()

    events = table.do(JoinSeat(role, "Cyd"), dice=LOST)
    events += table.do({"type": "remove_seat", "seat_id": f"{role}-7"}, dice=LOST)

    assert [type(event) for event in events] == [e.SeatJoined, e.SeatRemoved]


def test_who_came_meanwhile_rolls_in_a_first_lane_once_the_secret_is_back():
    table = Table()
    table.do({"type": "remove_seat", "seat_id": ANN.seat_id}, dice=LOST)
    table.do(JoinSeat(Role.PLAYER, "Cyd"), dice=LOST)
    roll: Order = {"type": "roll_dice", "pool": 1}
    cyd = type(ANN)("player-7", Role.PLAYER)

    assert table.refused(roll, by=cyd, dice=LOST).code is Code.DICE_LOST
    assert [type(event) for event in table.do(roll, by=cyd, dice=loaded(4))] == [e.LaneOpened, e.DiceRolled]
    assert table.view.public.lanes["seat/player-7/0"].used == 1


def test_dice_of_ones_own_need_no_secret():
    table = Table(physical_dice="everyone")

    assert table.do({"type": "roll_dice", "pool": 2, "faces": [1, 6]}, by=ANN, dice=LOST)
