"""The one fold, for checks and for what they leave with characters."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.rules.limits import CHECKS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, RollProof, Visibility
from dreadclock.wire.families import bargains, check_effects, check_parts, checks
from dreadclock.wire.things import (
    Benefit,
    Bonus,
    Character,
    Check,
    CheckOdds,
    CheckResult,
    CheckStatus,
    Choice,
    Cost,
    CostStage,
    EffectKind,
    Lane,
    Part,
    PartRoll,
    Sealed,
    SideResult,
    StandingEffects,
    Things,
)
from dreadclock.wire.views import ChannelView, View
from kit.folds import view_after
from kit.table import Log

PUBLIC, GM = Channel.PUBLIC, Channel.GM
KEY = "Q" * 43
LABEL = "thing/check/dive"
HAN = Part(character_id="han", score=2)
CHEN = Part(character_id="chen", score=1)
DIVE = Check(id="dive", seat_id="player-1", parts=(HAN,))
ODDS = CheckOdds(fumble="1/36", fail="2/9", success="1/2", triumph="1/4", interference="1/36")
RESULT = CheckResult(acting=SideResult(outcome=Outcome.FAIL, highest=3, margin=0))
PROPOSED = e.CheckProposed(check=DIVE)
RESOLVED = e.CheckResolved(check_id="dive", result=RESULT)
BONUS = Bonus(check_id="dive", dice=2, benefits=Benefit.CHECK, what="a feint")
CHOICE = Choice(check_id="dive", instead_of=EffectKind.MOMENTUM, offered=("slide",))
ADDED = e.CharacterAdded(character=Character(id="han", name="Han"))


def check_after(*events: e.Event) -> Check:
    return view_after(PROPOSED, *events).public.checks["dive"]


def han_after(*events: e.Event) -> Character:
    return view_after(ADDED, *events).public.characters["han"]


def rolled(part: Part = HAN, proof: RollProof | None = None) -> e.CheckRolled:
    roll = PartRoll(
        pool=1, removed=0, faces=(3,), remaining=(3,), outcome=Outcome.FAIL, highest=3, margin=0, proof=proof
    )
    return e.CheckRolled(check_id="dive", part=part.model_copy(update={"roll": roll}))


def numbered(number: int) -> list[e.Event]:
    """Propose and resolve one check of many."""
    check = DIVE.model_copy(update={"id": f"check-{number}"})
    return [e.CheckProposed(check=check), e.CheckResolved(check_id=check.id, result=RESULT)]


def test_a_check_that_is_proposed_is_there_and_counted() -> None:
    part = view_after(PROPOSED).public

    assert part.checks == {"dive": DIVE}
    assert (part.made, part.taken) == ({Kind.CHECK: 1}, ("dive",))


def test_an_adjusted_check_is_as_the_event_says() -> None:
    adjusted = DIVE.model_copy(update={"stunts": ("slide",), "odds": ODDS, "status": CheckStatus.PROPOSED})

    assert check_after(e.CheckAdjusted(check=adjusted)) == adjusted


@pytest.mark.parametrize(
    ("event", "contest"), [(e.HelpJoined, False), (e.OppositionJoined, True)], ids=["help", "opposition"]
)
def test_a_part_that_joins_brings_the_checks_status_and_odds(event: Any, contest: bool) -> None:
    with_odds = e.CheckAdjusted(check=DIVE.model_copy(update={"odds": ODDS}))
    joined = event(check_id="dive", part=CHEN, status=CheckStatus.PROPOSED, odds=None)

    changed = {"parts": (HAN, CHEN), "status": CheckStatus.PROPOSED, "odds": None, "contest": contest}
    assert check_after(with_odds, joined) == DIVE.model_copy(update=changed)


def test_help_leaves_a_contest_one() -> None:
    contest = e.CheckAdjusted(check=DIVE.model_copy(update={"contest": True}))

    assert check_after(contest, e.HelpJoined(check_id="dive", part=CHEN, status=CheckStatus.READY)).contest


def test_a_roll_is_of_its_own_part() -> None:
    joined = e.HelpJoined(check_id="dive", part=CHEN, status=CheckStatus.READY)

    check = check_after(joined, rolled(CHEN))

    assert (check.parts, check.status) == ((HAN, rolled(CHEN).part), CheckStatus.ROLLING)


def test_a_resolved_check_has_its_result() -> None:
    check = check_after(rolled(), RESOLVED)

    assert (check.result, check.status) == (RESULT, CheckStatus.RESOLVED)


def test_a_withdrawn_check_is_gone_and_its_id_taken() -> None:
    part = view_after(PROPOSED, e.CheckWithdrawn(check_id="dive")).public

    assert (part.checks, part.taken) == ({}, ("dive",))


@pytest.mark.parametrize("event", [e.CostProposed, e.CostAnswered, e.FailureSettled], ids=lambda event: event.__name__)
def test_a_bargain_is_as_the_latest_event_says(event: Any) -> None:
    earlier = e.CostProposed(check_id="dive", cost=Cost(stage=CostStage.PROPOSED, cost="a scar"))
    cost = Cost(stage=CostStage.COUNTERED, cost="a scar", terms="an arm")

    assert check_after(RESOLVED, earlier, event(check_id="dive", cost=cost)).cost == cost


def test_a_bargain_over_another_part_is_that_parts() -> None:
    joined = e.HelpJoined(check_id="dive", part=CHEN, status=CheckStatus.READY)
    cost = Cost(stage=CostStage.PROPOSED, cost="a scar")

    check = check_after(joined, e.CostProposed(check_id="dive", character_id="chen", cost=cost))

    assert (check.cost, check.parts) == (None, (HAN, CHEN.model_copy(update={"cost": cost})))


def test_what_rollers_count_on_is_as_the_event_says() -> None:
    part = HAN.model_copy(update={"claims": ()})

    check = check_after(e.CheckOddsChanged(check_id="dive", parts=(part,)))

    assert (check.parts, check.odds) == ((part,), None)


# What is remembered


def test_of_checks_that_are_over_the_latest_32_are_remembered() -> None:
    history = [event for number in range(1, 40) for event in numbered(number)]

    part = view_after(PROPOSED, *history, numbered(40)[0]).public

    assert list(part.checks) == ["dive", *(f"check-{number}" for number in range(8, 41))]
    assert CHECKS_KEPT == 32
    assert part.made[Kind.CHECK] == 41


def test_rolls_and_deals_are_counted_in_their_lane() -> None:
    lane = e.LaneOpened(lane=Lane(label="seat/gm/0", seat_id="gm", key=KEY))
    dealt = RESULT.model_copy(update={"deals": (1, 2), "proof": RollProof(lane="seat/gm/0", n=3)})

    after_roll = view_after(lane, PROPOSED, rolled(proof=RollProof(lane="seat/gm/0", n=2))).public
    after_deals = view_after(lane, PROPOSED, e.CheckResolved(check_id="dive", result=dealt)).public

    assert after_roll.lanes["seat/gm/0"].used == 2
    assert after_deals.lanes["seat/gm/0"].used == 3


@pytest.mark.parametrize(
    "end", [RESOLVED, e.CheckWithdrawn(check_id="dive"), e.MadePublic(kind=Kind.CHECK, id="dive")], ids=lambda e: e.type
)
def test_the_lane_of_a_hidden_check_is_closed_when_it_is_over(end: Any) -> None:
    lane = e.LaneOpened(lane=Lane(label=LABEL, key=KEY))
    hidden = e.CheckProposed(check=DIVE.model_copy(update={"visibility": Visibility.GM}))

    assert view_after(lane, hidden, rolled(proof=RollProof(lane=LABEL, n=1)), channel=GM).channels[GM].lanes
    assert view_after(lane, hidden, end, channel=GM).channels[GM].lanes == {}


def test_a_hidden_check_that_is_revealed_moves_to_everyone() -> None:
    log = Log(PUBLIC, GM)
    stub = Sealed(kind=Kind.CHECK, id="dive", name="A check", lane=LABEL, key=KEY)
    log.write(e.SealedStarted(thing=stub))
    log.write(PROPOSED, GM)
    assert log.view.public.sealed == {"dive": stub}

    log.write(e.MadePublic(kind=Kind.CHECK, id="dive"), GM)
    log.write(e.Revealed(kind=Kind.CHECK, id="dive", things=Things(checks=(DIVE,))))

    hidden, public = log.view.channels[GM], log.view.public
    assert (hidden.checks, public.checks, public.sealed) == ({}, {"dive": DIVE}, {})
    assert public.made == {Kind.CHECK: 1}


def test_a_viewer_sees_the_checks_of_all_channels_it_holds() -> None:
    log = Log(PUBLIC, GM)
    log.write(PROPOSED)
    log.write(e.CheckProposed(check=DIVE.model_copy(update={"id": "gm-dive"})), GM)

    assert list(log.view.checks) == ["dive", "gm-dive"]
    assert list(View(channels={PUBLIC: log.view.public}).checks) == ["dive"]


# Characters


@pytest.mark.parametrize(
    "event",
    [e.MomentumGained, e.MomentumSpent, e.InterferenceGained, e.InterferenceSpent],
    ids=lambda event: event.__name__,
)
@pytest.mark.parametrize(("momentum", "interference"), [(True, False), (False, True), (False, False)])
def test_a_character_holds_the_tokens_that_the_event_says(event: Any, momentum: bool, interference: bool) -> None:
    before = e.MomentumGained(character_id="han", check_id="old", momentum=True, interference=False)
    token = event(character_id="han", check_id="dive", momentum=momentum, interference=interference)

    han = han_after(before, token)

    assert (han.momentum, han.interference) == (momentum, interference)


def test_dice_of_ventures_are_those_that_the_event_says_still_wait() -> None:
    other = BONUS.model_copy(update={"benefits": Benefit.DAMAGE})
    earned = e.VentureEarned(character_id="han", bonus=other, bonuses=(BONUS, other))
    paid = e.VenturePaid(character_id="han", into="leap", paid=(BONUS,), bonuses=(other,))
    lapsed = e.VentureLapsed(character_id="han", lapsed=(other,), bonuses=())

    waiting = [han_after(*(earned, paid, lapsed)[:end]).bonuses for end in (1, 2, 3)]

    assert waiting == [(BONUS, other), (other,), ()]


def test_choices_are_those_that_the_event_says_still_wait() -> None:
    offered = e.EffectsOffered(character_id="han", choice=CHOICE, choices=(CHOICE,))
    chosen = e.EffectChosen(character_id="han", check_id="dive", effect="slide", choices=())

    assert [han_after(*(offered, chosen)[:end]).choices for end in (1, 2)] == [(CHOICE,), ()]


def test_effects_stand_on_whatever_they_were_set_on() -> None:
    ledge = StandingEffects(fumble_effects=("fall",))
    happened = e.EffectHappened(character_id="han", check_id="dive", effect="fall")
    before = han_after()

    assert han_after(happened) == before
    assert han_after(e.EffectsSet(kind=Kind.CHARACTER, id="han", effects=ledge)).effects == ledge


def test_every_event_of_checks_was_folded_here() -> None:
    """The list is what this file covers; an event that is added belongs in it, with a test."""
    covered = {
        *(e.CheckProposed, e.CheckAdjusted, e.HelpJoined, e.OppositionJoined, e.CheckRolled, e.CheckResolved),
        *(e.CheckWithdrawn, e.CheckOddsChanged, e.CostProposed, e.CostAnswered, e.FailureSettled),
    }
    on_characters = {
        *(e.MomentumGained, e.MomentumSpent, e.InterferenceGained, e.InterferenceSpent),
        *(e.VentureEarned, e.VenturePaid, e.VentureLapsed, e.EffectsOffered, e.EffectChosen),
        *(e.EffectHappened, e.EffectsSet),
    }

    assert checks.FOLDS.keys() | check_parts.FOLDS.keys() | bargains.FOLDS.keys() == covered
    assert on_characters == check_effects.FOLDS.keys()


@pytest.mark.parametrize("part", [PUBLIC, GM])
def test_a_view_with_checks_survives_json(part: Channel) -> None:
    empty = CheckResult(acting=SideResult(outcome=Outcome.FUMBLE, highest=None, margin=0))
    view = view_after(PROPOSED, e.CheckResolved(check_id="dive", result=empty), channel=part).channels[part]

    assert ChannelView.model_validate_json(view.model_dump_json(exclude_none=True)) == view
