"""Checks that not everyone sees: sealed ones, and those that only the gm knows of. Ruling E4."""

from typing import Any

import pytest

from dreadclock.wire.base import Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled, LaneOpened
from dreadclock.wire.things import CheckStatus, Lane
from kit.families.checks import (
    HIDDEN,
    OUTSIDERS,
    SUCCESS,
    adjust,
    aid,
    answer,
    cast,
    charm,
    choose,
    cost,
    jinx,
    oppose,
    part,
    plain_odds,
    propose,
    proposed,
    resolved,
    reveal,
    reward,
    roll,
    rolled,
    seated,
    secret,
    settle,
    shown,
    tempt,
    venture,
    withdraw,
)
from kit.families.plots import parley
from kit.tables import ANN, BO, KEY, ORACLE, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("E4")


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
@pytest.mark.parametrize("seat", [ANN, BO, ORACLE], ids=lambda actor: actor.seat_id)
def test_only_the_gm_hides_a_check(visibility: str, seat: Any):
    table = seated()
    table.do({"type": "update_character", "character_id": "guard", "owner": ORACLE.seat_id})
    owned = {ANN: "han", BO: "chen", ORACLE: "guard"}[seat]
    chosen = "gm-dive" if visibility == "gm" else "dive"

    refused = table.refused(propose(owned, visibility=visibility) | {"id": chosen}, by=seat)

    assert (refused.code, refused.details) == (Code.NOT_ALLOWED, {"allowed": "the gm"})


# Checks that only the gm knows of


def play_in_secret(table: Table) -> None:
    """Go through everything that may happen to hidden checks."""
    table.do(secret() | {"note": "Hush."})
    table.do(adjust("gm-dive", bonus=1, stunts=["slide"], fumble_effects=["fall"]) | {"note": "Hush."})
    table.do(aid("chen", 1, "gm-dive", note="Hush."))
    table.do(oppose("guard", 1, "gm-dive") | {"note": "Hush."})
    table.do(roll("han", "gm-dive") | {"note": "Hush."}, dice=loaded(3, 3, 3, 3))
    table.do(roll("guard", "gm-dive"), dice=loaded(3))
    table.do(roll("chen", "gm-dive") | {"note": "Hush."}, dice=loaded(2))
    table.do(cost(check="gm-dive"))
    table.do(answer("counter", "more", check="gm-dive"))
    table.do(settle(True, check="gm-dive"))
    for number, (score, faces) in enumerate([(2, (6, 6, 1, 1)), (1, (1,)), (0, ())]):
        table.do(secret(score) | {"id": f"gm-{number}"})
        table.do(roll("han", f"gm-{number}"), dice=loaded(*faces))
    table.do(secret() | {"id": "gm-last"})
    table.do(withdraw("gm-last"))


def test_of_a_gm_check_nobody_else_hears_anything():
    table = seated()
    charm(table)
    reward(table, "han", 2)
    before, seen = table.public(), table.view_as(WATCHER)

    play_in_secret(table)

    assert table.public() == before
    assert table.view_as(WATCHER) == seen


def test_what_happens_in_public_is_the_same_with_and_without_gm_checks():
    with_secrets, without = seated(), seated()
    for table in (with_secrets, without):
        charm(table)
        reward(table, "chen", 2)
    play_in_secret(with_secrets)

    for table in (with_secrets, without):
        table.do(propose(score=1) | {"id": None})
        table.do(aid("chen", 1, "check-3", claim=True))
        table.do(roll("han", "check-3"), by=ANN, dice=loaded(1, 4))
        table.do(roll("chen", "check-3"), by=BO, dice=loaded(6, 2, 3, 4))

    assert with_secrets.public() == without.public()


@pytest.mark.parametrize("seat", OUTSIDERS, ids=lambda actor: actor.seat_id)
@pytest.mark.parametrize(
    "order",
    [
        adjust("gm-dive", bonus=1),
        aid("han", 1, "gm-dive"),
        aid("chen", 1, "gm-dive"),
        oppose("chen", 1, "gm-dive"),
        roll(None, "gm-dive"),
        roll("han", "gm-dive"),
        roll("chen", "gm-dive", (1,)),
        withdraw("gm-dive"),
        choose("momentum", "han", "gm-dive"),
        cost(check="gm-dive"),
        answer("accept", check="gm-dive"),
        settle(False, check="gm-dive"),
        propose(id="gm-dive"),
        reveal("gm-dive"),
    ],
    ids=lambda order: order["type"],
)
def test_a_player_cannot_tell_a_gm_check_from_none(seat: Any, order: dict[str, Any]):
    full, failed, empty = seated(), seated(), seated()
    for table in (full, failed):
        table.do(secret(1))
    failed.do(roll("han", "gm-dive"), dice=loaded(3))

    refusals = [table.refused(order, by=seat) for table in (full, failed, empty)]

    assert len({(each.code, tuple(each.details.items())) for each in refusals}) == 1


def test_the_gm_sees_all_of_it():
    table = seated()

    lane, first = table.do(secret())
    second = table.do(roll(check="gm-dive"), dice=loaded(5, 4, 4))

    assert lane == LaneOpened(lane=Lane(label="thing/check/gm-dive", key=KEY))
    shown_to_her = proposed(part(), odds=plain_odds(3), by="gm", visibility=Visibility.GM)
    assert first == shown_to_her.model_copy(update={"check": shown_to_her.check.model_copy(update={"id": "gm-dive"})})
    assert second == [
        rolled(part(), shown(5, 4, 4, outcome=SUCCESS), "gm-dive"),
        resolved(SUCCESS, 5, check="gm-dive"),
    ]
    assert table.view_as(ORACLE).checks["gm-dive"].status is CheckStatus.RESOLVED


def test_a_hidden_check_is_rolled_with_the_dice_of_its_own_lane():
    table = seated()
    table.do(secret(1))
    table.do(oppose("guard", 1, "gm-dive"))
    table.do(roll("han", "gm-dive"), dice=loaded(5))

    records = table.write(roll("guard", "gm-dive"), dice=loaded(5, 1, 2))

    assert [record.channel for record in records] == [HIDDEN, HIDDEN]
    rolls, last = (record.event for record in records)
    assert isinstance(rolls, CheckRolled)
    assert isinstance(last, CheckResolved)
    assert rolls.part.roll is not None
    proofs = [(proof.lane, proof.n, proof.start) for proof in (rolls.part.roll.proof, last.result.proof) if proof]
    assert proofs == [("thing/check/gm-dive", 2, 0), ("thing/check/gm-dive", 2, 1)]
    assert table.view.channels[HIDDEN].lanes == {}
    assert table.view.public.lanes["seat/gm/0"].used == 0


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_a_hidden_check_has_no_ventures(visibility: str):
    table = seated()
    chosen = "gm-dive" if visibility == "gm" else "dive"
    hidden = propose(visibility=visibility) | {"id": chosen}
    order = hidden | {"venture": venture()}
    assert table.refused(order).code is Code.NOT_AVAILABLE
    table.do(hidden)

    for joining in (aid("chen", 1, chosen, venture=venture()), oppose("chen", 1, chosen, venture=venture())):
        assert table.refused(joining).code is Code.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("befall", "faces"),
    [(charm, (1, 2, 2)), (jinx, (6, 2, 2, 2)), (tempt, (1, 2, 2)), (reward, (1, 2, 2))],
    ids=["momentum", "interference", "choice", "venture"],
)
def test_a_hidden_check_spends_nothing_that_waits(befall: Any, faces: tuple[int, ...]):
    table = seated()
    befall(table)
    table.do(secret())
    before = table.view.characters

    table.do(roll("han", "gm-dive"), dice=loaded(*faces))

    assert table.view.characters == before


@pytest.mark.parametrize(("score", "faces"), [(2, (6, 6, 1, 1)), (1, (1,))], ids=["triumph", "fumble"])
def test_a_hidden_check_brings_nothing(score: int, faces: tuple[int, ...]):
    table = seated()
    table.do(secret(score))
    table.do(adjust("gm-dive", stunts=["slide"], fumble_effects=["fall"]))
    before = table.view.characters

    table.do(roll("han", "gm-dive"), dice=loaded(*faces))

    assert table.view.characters == before


def test_at_most_64_hidden_checks_wait_and_they_count_for_no_cap_of_the_others():
    table = seated()
    for number in range(64):
        table.do(secret() | {"id": f"gm-{number}"})

    assert table.refused(secret()).details["limit"] == 64
    assert table.do(propose(), by=ANN)


# Efforts against what is hidden too


def test_a_hidden_check_against_a_hidden_challenge_moves_nothing_that_others_see():
    table = cast(parley())
    table.do(propose(score=1, id="gm-dive", visibility="gm", effort={"challenge_id": "gm-spy"}))
    before = table.public()

    table.do(roll(check="gm-dive"), dice=loaded(3))
    table.do(cost(check="gm-dive"))

    assert table.public() == before


def test_a_sealed_check_that_comes_to_light_names_no_challenge_that_stays_hidden():
    table = cast(parley())
    table.do(propose(score=1, visibility="sealed", effort={"challenge_id": "gm-spy"}))

    table.do(roll(), dice=loaded(3))

    assert "gm-spy" not in "".join(table.public())


def test_a_hidden_check_that_is_revealed_names_no_challenge_that_stays_hidden():
    table = cast(parley())
    table.do(propose(score=1, id="gm-dive", visibility="gm", effort={"challenge_id": "gm-spy"}))

    table.do({"type": "reveal", "thing_id": "gm-dive"})

    assert "gm-spy" not in "".join(table.public())
