"""The one fold, for totals, pushes and crises."""

from typing import Any

import pytest

from dreadclock.rules.limits import TOTALS_KEPT
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, RollProof
from dreadclock.wire.things import (
    Character,
    CharacterStatus,
    Crisis,
    Lane,
    Push,
    PushOdds,
    SecretRequired,
    Special,
    Total,
    TotalOdds,
    TotalStatus,
)
from dreadclock.wire.views import ChannelView
from kit.table import Log

PUBLIC, GM = Channel.PUBLIC, Channel.GM
KEY = "Q" * 43
ODDS, OPEN = TotalOdds(mean="7/2"), TotalOdds(mean="7/2", reaches="1/6", reaches_pushing="1/3")
ADA = Character(id="ada", name="Ada")
LEG = Crisis(total_id="leap", kind=CrisisKind.PHYSICAL, box=1)


def total(total_id: str = "leap", **fields: Any) -> Total:
    return Total(**{"id": total_id, "seat_id": "gm", "character_id": "ada", "score": 2, "pool": 2, **fields})


def after(*events: e.Event, channel: Channel = PUBLIC) -> ChannelView:
    log = Log(PUBLIC, GM)
    for event in events:
        log.write(event, channel)
    return log.view.channels[channel]


def leap_after(*events: e.Event) -> Total:
    """Return a total that was proposed, after more events."""
    return after(e.TotalProposed(total=total()), *events).totals["leap"]


def ada_after(*events: e.Event) -> Character:
    return after(e.CharacterAdded(character=ADA), *events).characters["ada"]


def required(number: int | None = 12, **fields: Any) -> e.RequiredSet:
    return e.RequiredSet(
        **{"total_id": "leap", "required": number, "status": TotalStatus.READY, "odds": OPEN, **fields}
    )


def rolled(**fields: Any) -> e.TotalRolled:
    return e.TotalRolled(**{"total_id": "leap", "faces": (4, 3), "kept": (3, 4), "total": 7, "enough": False, **fields})


OFFERED = e.PushOffered(total_id="leap", crisis=CrisisKind.MENTAL, description="Vertigo", odds=PushOdds(crisis="1/3"))
PUSH = Push(face=1, kept=(1, 3, 4), total=8, enough=False, crisis=False)


# Totals


def test_a_total_that_was_proposed_is_counted_and_its_chosen_id_is_taken() -> None:
    part = after(e.TotalProposed(total=total()), e.TotalProposed(total=total("total-2")))

    assert part.totals == {"leap": total(), "total-2": total("total-2")}
    assert part.made == {Kind.TOTAL: 2}
    assert part.taken == ("leap",)


def test_an_adjusted_total_stands_as_the_event_says() -> None:
    adjusted = total(pool=3, score=1, special=Special(name="Racer", starred=True))

    assert leap_after(e.TotalAdjusted(total=adjusted)) == adjusted


def test_a_withdrawn_total_is_gone_and_its_id_stays_taken() -> None:
    part = after(e.TotalProposed(total=total()), e.TotalWithdrawn(total_id="leap"))

    assert (part.totals, part.taken) == ({}, ("leap",))


def test_a_number_is_set_with_all_that_comes_with_it() -> None:
    assert leap_after(required(crisis=CrisisKind.MENTAL)) == total(required=12, crisis=CrisisKind.MENTAL, odds=OPEN)
    assert leap_after(required(), required(None, secret=True, odds=ODDS)) == total(secret=True, odds=ODDS)
    judged = required(status=TotalStatus.ROLLED, enough=False)
    assert leap_after(judged) == total(required=12, status=TotalStatus.ROLLED, enough=False, odds=OPEN)


def test_a_roll_leaves_its_faces_and_what_is_kept_of_them() -> None:
    one = leap_after(rolled(physical=True))

    fields: dict[str, Any] = {"faces": (4, 3), "kept": (3, 4), "total": 7, "enough": False, "physical": True}
    assert one == total(status=TotalStatus.ROLLED, **fields)


def test_a_push_on_offer_says_what_is_at_stake() -> None:
    one = leap_after(rolled(), OFFERED)

    assert (one.status, one.crisis, one.description, one.push_odds) == (
        TotalStatus.OFFERED,
        CrisisKind.MENTAL,
        "Vertigo",
        PushOdds(crisis="1/3"),
    )


def test_a_push_uses_up_its_offer_and_leaves_what_is_kept_then() -> None:
    one = leap_after(rolled(), OFFERED, e.LuckPushed(total_id="leap", push=PUSH))

    assert (one.status, one.pushes, one.kept, one.total, one.enough) == (
        TotalStatus.ROLLED,
        (PUSH,),
        (1, 3, 4),
        8,
        False,
    )
    assert one.push_odds is None
    assert one.faces == (4, 3)


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        (e.TotalSucceeded(total_id="leap"), TotalStatus.SUCCEEDED),
        (e.TotalFailed(total_id="leap", reason=e.TotalFailure.STOPPED), TotalStatus.FAILED),
    ],
    ids=["succeeded", "failed"],
)
def test_a_total_that_is_over_has_no_push_on_offer(ending: e.Event, status: TotalStatus) -> None:
    one = leap_after(rolled(), OFFERED, ending)

    assert (one.status, one.push_odds) == (status, None)


def test_rolls_and_pushes_count_in_their_lane() -> None:
    lane = Lane(label="seat/gm/0", seat_id="gm", key=KEY)
    proofs = [RollProof(lane="seat/gm/0", n=n, key=KEY, witnesses=0) for n in (1, 2)]
    begun = (e.LaneOpened(lane=lane), e.TotalProposed(total=total()))
    pushed = e.LuckPushed(total_id="leap", push=PUSH.model_copy(update={"proof": proofs[1]}))

    assert after(*begun, rolled(proof=proofs[0])).lanes["seat/gm/0"].used == 1
    assert after(*begun, rolled(proof=proofs[0]), pushed).lanes["seat/gm/0"].used == 2


def test_of_totals_that_are_over_the_latest_stay_and_all_that_are_open() -> None:
    events: list[e.Event] = [e.TotalProposed(total=total("open"))]
    for number in range(TOTALS_KEPT + 5):
        events += [e.TotalProposed(total=total(f"t{number}")), e.TotalSucceeded(total_id=f"t{number}")]
    events.append(e.TotalProposed(total=total("last")))

    assert list(after(*events).totals) == ["open", *(f"t{n}" for n in range(5, TOTALS_KEPT + 5)), "last"]


# Secret numbers


def secret(total_id: str, number: int = 12, forgotten: tuple[str, ...] = ()) -> e.SecretSet:
    return e.SecretSet(secret=SecretRequired(total_id=total_id, required=number, odds=OPEN), forgotten=forgotten)


@pytest.mark.rule("E4")
def test_a_secret_number_is_kept_in_the_channel_that_it_was_told_in() -> None:
    log = Log(PUBLIC, GM)
    log.write(e.TotalProposed(total=total()))
    log.write(required(None, secret=True, odds=ODDS))
    log.write(secret("leap"), GM)

    assert log.view.secrets == {"leap": secret("leap").secret}
    assert log.view.public.secrets == {}


def test_a_secret_number_is_replaced_by_the_next_one_and_forgotten_when_an_event_says_so() -> None:
    part = after(secret("one"), secret("two"), secret("one", 9), secret("three", forgotten=("two",)), channel=GM)

    assert {key: one.required for key, one in part.secrets.items()} == {"one": 9, "three": 12}


def test_a_number_that_was_revealed_is_no_secret_any_more() -> None:
    odds = PushOdds(crisis="1/3", reaches="1/2", reaches_pushing="2/3")
    hidden = (rolled(), required(None, secret=True, status=TotalStatus.ROLLED, enough=False, odds=ODDS), OFFERED)

    one = leap_after(*hidden, e.RequiredRevealed(total_id="leap", required=12, odds=OPEN, push_odds=odds))

    assert (one.required, one.secret, one.odds, one.push_odds) == (12, False, OPEN, odds)


# Crises


@pytest.mark.rule("D6", "D8")
def test_a_crisis_is_added_to_those_a_character_has_and_waits_no_more() -> None:
    due = e.CrisisDue(character_id="ada", total_id="fall")
    mind = Crisis(total_id="fall", kind=CrisisKind.MENTAL, box=1)

    assert ada_after(due).crisis_due == "fall"
    one = ada_after(
        e.CrisisSuffered(character_id="ada", crisis=LEG), due, e.CrisisSuffered(character_id="ada", crisis=mind)
    )
    assert (one.crises, one.crisis_due) == ((LEG, mind), None)
    assert (one.boxes(CrisisKind.PHYSICAL), one.boxes(CrisisKind.MENTAL)) == (1, 1)


def test_a_description_changes_its_own_crisis_alone() -> None:
    mind = Crisis(total_id="fall", kind=CrisisKind.MENTAL, box=1)
    told = LEG.model_copy(update={"description": "A limp"})

    one = ada_after(
        e.CrisisSuffered(character_id="ada", crisis=LEG),
        e.CrisisSuffered(character_id="ada", crisis=mind),
        e.CrisisDescribed(character_id="ada", crisis=told),
    )

    assert one.crises == (told, mind)


@pytest.mark.rule("D7")
def test_a_character_who_died_or_retired_is_out_of_play() -> None:
    assert ada_after(e.CharacterDied(character_id="ada")).status is CharacterStatus.DEAD
    assert ada_after(e.CharacterRetired(character_id="ada")).status is CharacterStatus.RETIRED


@pytest.mark.rule("D8")
def test_an_updated_character_has_the_crises_that_the_update_carries() -> None:
    hurt = ADA.model_copy(update={"crises": (LEG,), "level": 2})

    assert ada_after(e.CrisisSuffered(character_id="ada", crisis=LEG), e.CharacterUpdated(character=hurt)) == hurt
