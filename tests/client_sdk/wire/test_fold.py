"""The one fold, beyond what the transcripts (tests/client_sdk/test_transcripts.py) and tests/server/core show."""

import pickle
from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Kind, RollProof, Visibility
from dreadclock.wire.fold import fold
from dreadclock.wire.things import Clock, ClockKind, Place, Policy, Restored, SecretRequired, TotalOdds
from dreadclock.wire.views import View, empty_view
from kit.folds import RACE, after, countdown, public_after, view_after
from kit.table import BOTH, Log

PUBLIC, GM = Channel.PUBLIC, Channel.GM
KEY = "Q" * 43


def test_a_fold_leaves_the_view_before_as_it_was() -> None:
    log = Log(PUBLIC)
    before = log.view
    record = log.write(e.CountdownStarted(countdown=countdown()))

    assert before == empty_view(PUBLIC)
    assert fold(before, record) == log.view


def test_a_countdown_is_as_its_events_say_not_as_the_rules_would_have_it() -> None:
    rolled = e.CountdownRolled(countdown_id="c1", faces=(1, 2), removed=7, remaining=55, turn=9)

    after = public_after(e.CountdownStarted(countdown=countdown()), rolled).countdowns["c1"]

    assert (after.pool, after.last_faces, after.rolled_turn, after.hidden_rolls) == (55, (1, 2), 9, ())


def test_a_hidden_countdown_remembers_its_rolls_and_loses_its_lane_at_its_end() -> None:
    proof = RollProof(lane="thing/countdown/c1", n=1, key=KEY, witnesses=0)
    lane = e.LaneOpened(lane=t.Lane(label="thing/countdown/c1", key=KEY))
    started = e.CountdownStarted(countdown=countdown(visibility=Visibility.SEALED))
    rolled = e.CountdownRolled(countdown_id="c1", faces=(6,), removed=1, remaining=3, turn=1, proof=proof)

    part = view_after(lane, started, rolled, channel=GM).channels[GM]
    over = view_after(lane, started, rolled, e.CountdownExpired(countdown_id="c1"), channel=GM).channels[GM]

    assert part.countdowns["c1"].hidden_rolls == (t.HiddenRoll(faces=(6,), removed=1, proof=proof),)
    assert part.lanes["thing/countdown/c1"].used == 1
    assert over.lanes == {}


def test_a_revealed_scene_comes_with_all_in_it_and_leaves_the_gms_channel_whole() -> None:
    before = view_after(*RACE, channel=GM).channels[GM]
    kinds = ("clocks", "scenes", "situations", "challenges", "efforts")
    things = t.Things(**{kind: tuple(getattr(before, kind).values()) for kind in kinds})

    hidden = view_after(*RACE, e.MadePublic(kind=Kind.SCENE, id="bomb"), channel=GM).channels[GM]
    public = public_after(e.Revealed(kind=Kind.SCENE, id="bomb", things=things))

    assert [getattr(hidden, kind) for kind in kinds] == [{}] * 5
    assert [getattr(public, kind) for kind in kinds] == [getattr(before, kind) for kind in kinds]


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (e.SituationWon(situation_id="run"), t.SituationStatus.WON),
        (e.SituationResolved(situation_id="run", how="x"), t.SituationStatus.RESOLVED),
    ],
    ids=["won", "resolved"],
)
def test_the_end_of_a_situation_closes_what_is_open_in_it(event: e.Event, status: t.SituationStatus) -> None:
    part = public_after(*RACE, event)

    assert (part.situations["run"].status, part.efforts) == (status, {})
    assert part.challenges["door"].status is t.ChallengeStatus.CLOSED


def test_ids_of_what_is_taken_back_stay_taken() -> None:
    part = public_after(*RACE, e.Cancelled(kind=Kind.SCENE, id="bomb", reason="x"))

    assert (part.scenes, part.taken) == ({}, ("bomb", "run", "door", "kick"))


@pytest.mark.parametrize("event", [e.MomentumSpent, e.InterferenceSpent], ids=lambda event: event.__name__)
@pytest.mark.parametrize(("momentum", "interference"), [(True, False), (False, True)])
def test_a_character_holds_the_tokens_that_the_event_says(event: Any, momentum: bool, interference: bool) -> None:
    spent = event(character_id="han", check_id="dive", momentum=momentum, interference=interference)

    han = public_after(e.CharacterAdded(character=t.Character(id="han", name="Han")), spent).characters["han"]

    assert (han.momentum, han.interference) == (momentum, interference)


def test_a_total_that_succeeded_has_no_push_on_offer() -> None:
    total = t.Total(id="leap", seat_id="gm", character_id="ada", score=2, pool=2, odds=t.TotalOdds(mean="7/2"))
    offered = total.model_copy(update={"push_odds": t.PushOdds(crisis="1/3")})

    part = public_after(e.TotalProposed(total=offered), e.TotalSucceeded(total_id="leap"))

    assert (part.totals["leap"].status, part.totals["leap"].push_odds) == (t.TotalStatus.SUCCEEDED, None)


def test_a_view_lists_countdowns_in_the_order_they_were_started_whatever_their_channel() -> None:
    log = Log(PUBLIC, GM)
    log.write(e.CountdownStarted(countdown=countdown("a", started=1)))
    log.write(e.CountdownStarted(countdown=countdown("gm", started=1, visibility=Visibility.GM)), GM)
    log.write(e.CountdownStarted(countdown=countdown("b", started=2)))

    assert list(log.view.countdowns) == ["ca", "cgm", "cb"]


def test_whoever_sees_inside_a_sealed_thing_sees_no_stub() -> None:
    view = view_after(e.SealedStarted(thing=t.Sealed(kind=Kind.CLOCK, id="tide", name="Tide")))

    assert view.sealed == {}
    assert list(View(channels={PUBLIC: view.public}).sealed) == ["tide"]


# Taking a command back in a view: what the event carries is copied, and nothing is worked out


ODDS = TotalOdds(mean="7/2")


def clock(name: str, value: int = 4) -> Clock:
    return Clock(id=name, kind=ClockKind.FREE, name=name, size=4, value=value)


def started(*names: str) -> list[e.Event]:
    return [e.ClockStarted(clock=clock(name)) for name in names]


def voided(**restored: Any) -> e.CommandVoided:
    return e.CommandVoided(first=1, last=1, what="clock_ticked", reason="a slip", restored=Restored(**restored))


def test_what_changed_is_as_it_was_and_stays_in_its_place():
    view = after(*started("one", "two", "three"), voided(clocks=(clock("two", 3),)))

    assert list(view.clocks.items()) == [("one", clock("one")), ("two", clock("two", 3)), ("three", clock("three"))]


def test_what_was_started_goes_and_its_id_stays_taken():
    view = after(*started("one", "two"), voided(removed={"clocks": ("two",)}))

    assert (list(view.clocks), view.taken, view.made) == (["one"], ("one", "two"), {"clock": 2})


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ((Place(id="new"),), ["new", "one", "two"]),
        ((Place(id="new", after="one"),), ["one", "new", "two"]),
        ((Place(id="new", after="two"),), ["one", "two", "new"]),
        ((Place(id="new", after="gone"),), ["new", "one", "two"]),
        ((), ["one", "two", "new"]),
    ],
    ids=["first", "between", "last", "behind what is gone", "nowhere in particular"],
)
def test_what_had_gone_comes_back_to_its_place(places: tuple[Place, ...], order: list[str]):
    view = after(*started("one", "two"), voided(clocks=(clock("new"),), places={"clocks": places} if places else {}))

    assert list(view.clocks) == order


def test_what_had_moved_goes_back_and_what_follows_it_behind_it():
    back = (Place(id="three"), Place(id="two", after="three"))

    view = after(
        *started("one", "two", "three"), voided(clocks=(clock("three"), clock("two")), places={"clocks": back})
    )

    assert list(view.clocks) == ["three", "two", "one"]


def test_the_turn_and_the_house_rules_go_back():
    policy = Policy(player_countdowns=False)

    view = after(e.TurnEnded(turn=3), voided(policy=policy, turn=3))

    assert (view.turn, view.policy) == (3, policy)


def test_secret_numbers_are_kept_by_their_total():
    secret = SecretRequired(total_id="climb", required=9, odds=ODDS)

    assert after(voided(secrets=(secret,)), channel=Channel.GM).secrets == {"climb": secret}
    assert after(e.SecretSet(secret=secret), voided(removed={"secrets": ("climb",)}), channel=Channel.GM).secrets == {}


def test_what_is_not_named_is_left_the_very_object_that_it_was():
    log = Log(Channel.PUBLIC, Channel.GM)
    for event in (*started("one", "two"), e.TurnEnded(turn=1)):
        log.write(event, Channel.PUBLIC)
    before = log.view.public
    log.write(voided(clocks=(clock("two", 1),)), Channel.PUBLIC)

    assert log.view.public.clocks["one"] is before.clocks["one"]
    assert log.view.public.characters is before.characters
    assert before.clocks["two"] == clock("two")


# Views: what the channels of a viewer hold together


def asked_and_unasked() -> tuple[View, View]:
    """Return two equal views, of which one was asked for what its channels hold together."""
    log = Log(*BOTH)
    log.write(e.CountdownStarted(countdown=countdown(2, started=2)), Channel.PUBLIC)
    log.write(e.CountdownStarted(countdown=countdown(1, started=1)), Channel.GM)
    unasked = log.view.model_copy()
    assert list(log.view.countdowns) == ["c1", "c2"]
    return log.view, unasked


def test_channels_are_merged_once_for_each_view() -> None:
    view, _ = asked_and_unasked()

    assert view.countdowns is view.countdowns
    assert view.clocks is view.clocks
    assert view.clocks == {}


def test_a_view_that_follows_merges_its_own_channels() -> None:
    view, _ = asked_and_unasked()
    public = view.public.model_copy(update={"countdowns": {}})

    after = view.model_copy(update={"channels": {**view.channels, Channel.PUBLIC: public}})

    assert list(after.countdowns) == ["c1"]
    assert list(view.countdowns) == ["c1", "c2"]


def test_nobody_can_tell_from_outside_what_a_view_was_asked() -> None:
    asked, unasked = asked_and_unasked()

    assert asked == unasked
    assert repr(asked) == repr(unasked)
    assert asked.model_dump_json() == unasked.model_dump_json()
    assert pickle.dumps(asked) == pickle.dumps(unasked)
    assert list(View.model_json_schema()["properties"]) == ["channels"]


def test_copies_do_not_carry_what_was_merged() -> None:
    asked, _ = asked_and_unasked()

    for copied in (asked.model_copy(), asked.model_copy(deep=True), pickle.loads(pickle.dumps(asked))):
        assert copied.countdowns == asked.countdowns
        assert copied.countdowns is not asked.countdowns
