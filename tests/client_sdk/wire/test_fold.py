"""The one fold: it copies what events carry, and remembers the latest of what has ended."""

from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.limits import COUNTDOWNS_KEPT, RECENT, ROLLS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Role, RollProof, Visibility
from dreadclock.wire.fold import fold
from dreadclock.wire.things import (
    Character,
    CountdownStatus,
    HiddenRoll,
    Lane,
    PhysicalDice,
    Policy,
    Roll,
    Sealed,
    Seat,
    Things,
)
from dreadclock.wire.views import ChannelView, View, empty_view
from kit.folds import RACE, countdown, public_after, view_after
from kit.table import Log

PUBLIC, GM = Channel.PUBLIC, Channel.GM
KEY = "Q" * 43


# The room


def test_a_room_and_its_policy() -> None:
    policy = Policy(physical_dice=PhysicalDice.GM)
    opened = e.RoomOpened(title="Bomb", policy=Policy())

    assert public_after(opened).title == "Bomb"
    assert public_after(opened, e.PolicySet(policy=policy)).policy == policy
    assert public_after(opened, e.RoomClosed()).closed


def test_seats_come_change_and_go_with_their_lanes() -> None:
    joined = e.SeatJoined(seat=Seat(id="player-1", role=Role.PLAYER, name="Ann"))
    opened = e.LaneOpened(lane=Lane(label="seat/player-1/0", seat_id="player-1", key=KEY))
    others = e.LaneOpened(lane=Lane(label="seat/gm/0", seat_id="gm", key=KEY))

    renamed = public_after(joined, opened, others, e.SeatRenamed(seat_id="player-1", name="Anna"))
    removed = public_after(joined, opened, others, e.SeatRemoved(seat_id="player-1", reason=e.Departure.LEFT))

    assert renamed.seats["player-1"].name == "Anna"
    assert list(renamed.lanes) == ["seat/player-1/0", "seat/gm/0"]
    assert (removed.seats, list(removed.lanes)) == ({}, ["seat/gm/0"])
    assert removed.made == {"seat": 1, "lane/gm": 1}


def test_characters_are_as_they_were_told_last() -> None:
    added = e.CharacterAdded(character=Character(id="ada", name="Ada", level=2))
    updated = e.CharacterUpdated(character=Character(id="ada", name="Adah", level=3))

    assert public_after(added, updated).characters == {"ada": updated.character}


def test_a_roll_counts_in_its_lane_and_a_new_lane_replaces_the_seats_used_up_ones() -> None:
    first = Lane(label="seat/gm/0", seat_id="gm", key=KEY, used=LANE_LENGTH - 1)
    proof = RollProof(lane="seat/gm/0", n=LANE_LENGTH, key=KEY, witnesses=0)
    rolled = e.DiceRolled(roll=Roll(id="r", seat_id="gm", faces=(1,), proof=proof))
    second = e.LaneOpened(lane=Lane(label="seat/gm/1", seat_id="gm", key=KEY))

    used = public_after(e.LaneOpened(lane=first), rolled)
    renewed = public_after(e.LaneOpened(lane=first), rolled, second)

    assert used.lanes["seat/gm/0"].used == LANE_LENGTH
    assert list(renewed.lanes) == ["seat/gm/1"]
    assert renewed.made["lane/gm"] == 2


def test_the_latest_records_are_remembered() -> None:
    view = view_after(*(e.TurnEnded(turn=turn) for turn in range(1, RECENT + 11)))

    assert [record.seq for record in view.public.recent] == list(range(11, RECENT + 11))
    assert view.turn == RECENT + 11


def test_the_other_channel_is_left_alone() -> None:
    view = view_after(e.CountdownStarted(countdown=countdown(visibility=Visibility.GM)), channel=GM)

    assert view.public == ChannelView()
    assert list(view.channels[GM].countdowns) == ["c1"]


def test_a_fold_leaves_the_view_before_as_it_was() -> None:
    log = Log(PUBLIC)
    before = log.view
    record = log.write(e.CountdownStarted(countdown=countdown()))

    assert before == empty_view(PUBLIC)
    assert fold(before, record) == log.view


# Countdowns


def test_a_countdown_is_as_its_events_say_not_as_the_rules_would_have_it() -> None:
    rolled = e.CountdownRolled(countdown_id="c1", faces=(1, 2), removed=7, remaining=55, turn=9)
    replenished = e.CountdownReplenished(countdown_id="c1", added=1, remaining=2)
    started = e.CountdownStarted(countdown=countdown())

    after = public_after(started, rolled).countdowns["c1"]

    assert (after.pool, after.last_faces, after.rolled_turn, after.hidden_rolls) == (55, (1, 2), 9, ())
    assert public_after(started, rolled, replenished).countdowns["c1"].pool == 2


def test_the_statuses_of_a_countdown() -> None:
    started = e.CountdownStarted(countdown=countdown())
    statuses: dict[e.Event, CountdownStatus] = {
        e.CountdownStabilized(countdown_id="c1"): CountdownStatus.STABILIZED,
        e.CountdownResumed(countdown_id="c1"): CountdownStatus.RUNNING,
        e.CountdownExpired(countdown_id="c1"): CountdownStatus.EXPIRED,
        e.CountdownCancelled(countdown_id="c1"): CountdownStatus.CANCELLED,
        e.StageReached(countdown_id="c1", at=2, effect="x"): CountdownStatus.RUNNING,
        e.StageLeft(countdown_id="c1", at=2): CountdownStatus.RUNNING,
    }

    assert {event: public_after(started, event).countdowns["c1"].status for event in statuses} == statuses


def test_a_hidden_countdown_remembers_its_rolls_for_the_day_it_is_revealed() -> None:
    proof = RollProof(lane="thing/countdown/c1", n=1, key=KEY, witnesses=0)
    lane = e.LaneOpened(lane=Lane(label="thing/countdown/c1", key=KEY))
    started = e.CountdownStarted(countdown=countdown(visibility=Visibility.SEALED))
    rolled = e.CountdownRolled(countdown_id="c1", faces=(6,), removed=1, remaining=3, turn=1, proof=proof)
    ended = e.CountdownExpired(countdown_id="c1")

    part = view_after(lane, started, rolled, channel=GM).channels[GM]
    over = view_after(lane, started, rolled, ended, channel=GM).channels[GM]

    assert part.countdowns["c1"].hidden_rolls == (HiddenRoll(faces=(6,), removed=1, proof=proof),)
    assert part.lanes["thing/countdown/c1"].used == 1
    assert over.lanes == {}


def test_of_countdowns_that_ended_the_latest_are_remembered() -> None:
    events: list[e.Event] = []
    for number in range(COUNTDOWNS_KEPT + 2):
        events.append(e.CountdownStarted(countdown=countdown(number)))
        events.append(e.CountdownExpired(countdown_id=f"c{number}"))
    events.append(e.CountdownStarted(countdown=countdown("last")))

    part = public_after(*events)

    assert list(part.countdowns) == [*(f"c{number}" for number in range(2, COUNTDOWNS_KEPT + 2)), "clast"]
    assert part.made["countdown"] == COUNTDOWNS_KEPT + 3
    assert part.taken[0] == "c0"


# Rolls and secrets


def test_the_latest_rolls_are_remembered_the_sealed_ones_on_their_own() -> None:
    def rolled(number: int, visibility: Visibility) -> e.DiceRolled:
        return e.DiceRolled(roll=Roll(id=f"{visibility}-{number}", seat_id="gm", faces=(1,), visibility=visibility))

    both = [rolled(number, kind) for number in range(ROLLS_KEPT + 1) for kind in (Visibility.SEALED, Visibility.GM)]
    rolls = view_after(*both, channel=GM).channels[GM].rolls

    assert len(rolls) == 2 * ROLLS_KEPT
    assert "sealed-0" not in rolls
    assert "gm-0" not in rolls


def test_stubs_of_sealed_rolls_last_as_long_as_the_rolls_and_other_stubs_for_good() -> None:
    gas = e.SealedStarted(thing=Sealed(kind=Kind.COUNTDOWN, id="gas", name="Gas"))
    rolls = [
        e.SealedStarted(thing=Sealed(kind=Kind.ROLL, id=f"r{number}", name="R")) for number in range(ROLLS_KEPT + 1)
    ]

    part = public_after(gas, *rolls)

    assert list(part.sealed) == ["gas", *(f"r{number}" for number in range(1, ROLLS_KEPT + 1))]
    assert part.made == {"countdown": 1, "roll": ROLLS_KEPT + 1}
    changed = e.SealedChanged(kind=Kind.COUNTDOWN, id="gas", name="Gas")
    assert public_after(gas, changed).sealed == public_after(gas).sealed


def test_a_revealed_thing_takes_the_place_of_its_stub_and_counts_once() -> None:
    shown = e.Revealed(kind=Kind.COUNTDOWN, id="c1", things=Things(countdowns=(countdown(),)))
    stub = e.SealedStarted(thing=Sealed(kind=Kind.COUNTDOWN, id="c1", name="C"))

    sealed, hidden = public_after(stub, shown), public_after(shown)

    for part in (sealed, hidden):
        assert (list(part.countdowns), part.sealed, part.made, part.taken) == (["c1"], {}, {"countdown": 1}, ("c1",))


def test_a_revealed_scene_comes_with_all_in_it_and_leaves_the_gms_channel_whole() -> None:
    before = view_after(*RACE, channel=GM).channels[GM]
    things = Things(
        clocks=tuple(before.clocks.values()),
        scenes=tuple(before.scenes.values()),
        situations=tuple(before.situations.values()),
        challenges=tuple(before.challenges.values()),
        efforts=tuple(before.efforts.values()),
    )

    hidden = view_after(*RACE, e.MadePublic(kind=Kind.SCENE, id="bomb"), channel=GM).channels[GM]
    public = public_after(e.Revealed(kind=Kind.SCENE, id="bomb", things=things))

    assert (hidden.scenes, hidden.situations, hidden.challenges, hidden.efforts, hidden.clocks) == ({}, {}, {}, {}, {})
    assert (public.scenes, public.situations, public.clocks) == (before.scenes, before.situations, before.clocks)


def test_a_view_lists_countdowns_in_the_order_they_were_started_whatever_their_channel() -> None:
    log = Log(PUBLIC, GM)
    log.write(e.CountdownStarted(countdown=countdown("a", started=1)))
    log.write(e.CountdownStarted(countdown=countdown("gm", started=1, visibility=Visibility.GM)), GM)
    log.write(e.CountdownStarted(countdown=countdown("b", started=2)))

    assert list(log.view.countdowns) == ["ca", "cgm", "cb"]


def test_whoever_sees_inside_a_sealed_thing_sees_no_stub() -> None:
    stub = e.SealedStarted(thing=Sealed(kind=Kind.CLOCK, id="tide", name="Tide"))
    view = view_after(stub)

    assert view.sealed == {}
    assert list(View(channels={PUBLIC: view.public}).sealed) == ["tide"]
