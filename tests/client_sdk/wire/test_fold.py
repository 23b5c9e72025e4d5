"""The one fold, beyond what the transcripts (tests/client_sdk/test_transcripts.py) and tests/server/core show."""

from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Kind, RollProof, Visibility
from dreadclock.wire.fold import fold
from dreadclock.wire.views import View, empty_view
from kit.folds import RACE, countdown, public_after, view_after
from kit.table import Log

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
