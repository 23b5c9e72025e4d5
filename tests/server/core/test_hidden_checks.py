"""Checks that not everyone sees: sealed ones, and those that only the gm knows of. Ruling E4."""

from typing import Any

import pytest

from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled, CheckWithdrawn, LaneOpened, MadePublic, SealedStarted
from dreadclock.wire.things import CheckStatus, Lane, Sealed
from kit.families import checks
from kit.families.checks import part
from kit.families.plots import parley
from kit.tables import ANN, BO, KEY, ORACLE, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("E4")


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
@pytest.mark.parametrize("seat", [ANN, BO, ORACLE], ids=lambda actor: actor.seat_id)
def test_only_the_gm_hides_a_check(visibility: str, seat: Any):
    table = checks.seated()
    table.do({"type": "update_character", "character_id": "guard", "owner": ORACLE.seat_id})
    owned = {ANN: "han", BO: "chen", ORACLE: "guard"}[seat]
    chosen = "gm-dive" if visibility == "gm" else "dive"

    refused = table.refused(checks.propose(owned, visibility=visibility) | {"id": chosen}, by=seat)

    assert (refused.code, refused.details) == (Code.NOT_ALLOWED, {"allowed": "the gm"})


# Checks that only the gm knows of


def play_in_secret(table: Table) -> None:
    """Go through everything that may happen to hidden checks."""
    table.do(checks.secret() | {"note": "Hush."})
    table.do(checks.adjust("gm-dive", bonus=1, stunts=["slide"], fumble_effects=["fall"]) | {"note": "Hush."})
    table.do(checks.aid("chen", 1, "gm-dive", note="Hush."))
    table.do(checks.oppose("guard", 1, "gm-dive") | {"note": "Hush."})
    table.do(checks.roll("han", "gm-dive") | {"note": "Hush."}, dice=loaded(3, 3, 3, 3))
    table.do(checks.roll("guard", "gm-dive"), dice=loaded(3))
    table.do(checks.roll("chen", "gm-dive") | {"note": "Hush."}, dice=loaded(2))
    table.do(checks.cost(check="gm-dive"))
    table.do(checks.answer("counter", "more", check="gm-dive"))
    table.do(checks.settle(True, check="gm-dive"))
    for number, (score, faces) in enumerate([(2, (6, 6, 1, 1)), (1, (1,)), (0, ())]):
        table.do(checks.secret(score) | {"id": f"gm-{number}"})
        table.do(checks.roll("han", f"gm-{number}"), dice=loaded(*faces))
    table.do(checks.secret() | {"id": "gm-last"})
    table.do(checks.withdraw("gm-last"))


def test_what_happens_in_public_is_the_same_with_and_without_gm_checks():
    with_secrets, without = checks.seated(), checks.seated()
    for table in (with_secrets, without):
        checks.charm(table)
        checks.reward(table, "chen", 2)
    play_in_secret(with_secrets)

    for table in (with_secrets, without):
        table.do(checks.propose(score=1) | {"id": None})
        table.do(checks.aid("chen", 1, "check-3", claim=True))
        table.do(checks.roll("han", "check-3"), by=ANN, dice=loaded(1, 4))
        table.do(checks.roll("chen", "check-3"), by=BO, dice=loaded(6, 2, 3, 4))

    assert with_secrets.public() == without.public()
    assert with_secrets.view_as(WATCHER) == without.view_as(WATCHER)


@pytest.mark.parametrize("seat", checks.OUTSIDERS, ids=lambda actor: actor.seat_id)
@pytest.mark.parametrize(
    "order",
    [
        checks.adjust("gm-dive", bonus=1),
        checks.aid("han", 1, "gm-dive"),
        checks.aid("chen", 1, "gm-dive"),
        checks.oppose("chen", 1, "gm-dive"),
        checks.roll(None, "gm-dive"),
        checks.roll("han", "gm-dive"),
        checks.roll("chen", "gm-dive", (1,)),
        checks.withdraw("gm-dive"),
        checks.choose("momentum", "han", "gm-dive"),
        checks.cost(check="gm-dive"),
        checks.answer("accept", check="gm-dive"),
        checks.settle(False, check="gm-dive"),
        checks.propose(id="gm-dive"),
        checks.reveal("gm-dive"),
    ],
    ids=lambda order: order["type"],
)
def test_a_player_cannot_tell_a_gm_check_from_none(seat: Any, order: dict[str, Any]):
    full, failed, empty = checks.seated(), checks.seated(), checks.seated()
    for table in (full, failed):
        table.do(checks.secret(1))
    failed.do(checks.roll("han", "gm-dive"), dice=loaded(3))

    refusals = [table.refused(order, by=seat) for table in (full, failed, empty)]

    assert len({(each.code, tuple(each.details.items())) for each in refusals}) == 1


def test_the_gm_sees_all_of_it():
    table = checks.seated()

    lane, first = table.do(checks.secret())
    second = table.do(checks.roll(check="gm-dive"), dice=loaded(5, 4, 4))

    assert lane == LaneOpened(lane=Lane(label="thing/check/gm-dive", key=KEY))
    shown_to_her = checks.proposed(checks.part(), odds=checks.plain_odds(3), by="gm", visibility=Visibility.GM)
    assert first == shown_to_her.model_copy(update={"check": shown_to_her.check.model_copy(update={"id": "gm-dive"})})
    assert second == [
        checks.rolled(checks.part(), checks.shown(5, 4, 4, outcome=checks.SUCCESS), "gm-dive"),
        checks.resolved(checks.SUCCESS, 5, check="gm-dive"),
    ]
    assert table.view_as(ORACLE).checks["gm-dive"].status is CheckStatus.RESOLVED


def test_a_hidden_check_is_rolled_with_the_dice_of_its_own_lane():
    table = checks.seated()
    table.do(checks.secret(1))
    table.do(checks.oppose("guard", 1, "gm-dive"))
    table.do(checks.roll("han", "gm-dive"), dice=loaded(5))

    records = table.write(checks.roll("guard", "gm-dive"), dice=loaded(5, 1, 2))

    assert [record.channel for record in records] == [checks.HIDDEN, checks.HIDDEN]
    rolls, last = (record.event for record in records)
    assert isinstance(rolls, CheckRolled)
    assert isinstance(last, CheckResolved)
    assert rolls.part.roll is not None
    proofs = [(proof.lane, proof.n, proof.start) for proof in (rolls.part.roll.proof, last.result.proof) if proof]
    assert proofs == [("thing/check/gm-dive", 2, 0), ("thing/check/gm-dive", 2, 1)]
    assert table.view.channels[checks.HIDDEN].lanes == {}
    assert table.view.public.lanes["seat/gm/0"].used == 0


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_a_hidden_check_has_no_ventures(visibility: str):
    table = checks.seated()
    chosen = "gm-dive" if visibility == "gm" else "dive"
    hidden = checks.propose(visibility=visibility) | {"id": chosen}
    order = hidden | {"venture": checks.venture()}
    assert table.refused(order).code is Code.NOT_AVAILABLE
    table.do(hidden)

    for joining in (
        checks.aid("chen", 1, chosen, venture=checks.venture()),
        checks.oppose("chen", 1, chosen, venture=checks.venture()),
    ):
        assert table.refused(joining).code is Code.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("befall", "faces"),
    [(checks.charm, (1, 2, 2)), (checks.jinx, (6, 2, 2, 2)), (checks.tempt, (1, 2, 2)), (checks.reward, (1, 2, 2))],
    ids=["momentum", "interference", "choice", "venture"],
)
def test_a_hidden_check_spends_nothing_that_waits(befall: Any, faces: tuple[int, ...]):
    table = checks.seated()
    befall(table)
    table.do(checks.secret())
    before = table.view.characters

    table.do(checks.roll("han", "gm-dive"), dice=loaded(*faces))

    assert table.view.characters == before


@pytest.mark.parametrize(("score", "faces"), [(2, (6, 6, 1, 1)), (1, (1,))], ids=["triumph", "fumble"])
def test_a_hidden_check_brings_nothing(score: int, faces: tuple[int, ...]):
    table = checks.seated()
    table.do(checks.secret(score))
    table.do(checks.adjust("gm-dive", stunts=["slide"], fumble_effects=["fall"]))
    before = table.view.characters

    table.do(checks.roll("han", "gm-dive"), dice=loaded(*faces))

    assert table.view.characters == before


def test_at_most_64_hidden_checks_wait_and_they_count_for_no_cap_of_the_others():
    table = checks.seated()
    for number in range(64):
        table.do(checks.secret() | {"id": f"gm-{number}"})

    assert table.refused(checks.secret()).details["limit"] == 64
    assert table.do(checks.propose(), by=ANN)


# Efforts against what is hidden too


def test_a_hidden_check_against_a_hidden_challenge_moves_nothing_that_others_see():
    table = checks.cast(parley())
    table.do(checks.propose(score=1, id="gm-dive", visibility="gm", effort={"challenge_id": "gm-spy"}))
    before = table.public()

    table.do(checks.roll(check="gm-dive"), dice=loaded(3))
    table.do(checks.cost(check="gm-dive"))

    assert table.public() == before


def test_a_sealed_check_that_comes_to_light_names_no_challenge_that_stays_hidden():
    table = checks.cast(parley())
    table.do(checks.propose(score=1, visibility="sealed", effort={"challenge_id": "gm-spy"}))

    table.do(checks.roll(), dice=loaded(3))

    assert "gm-spy" not in "".join(table.public())


def test_a_hidden_check_that_is_revealed_names_no_challenge_that_stays_hidden():
    table = checks.cast(parley())
    table.do(checks.propose(score=1, id="gm-dive", visibility="gm", effort={"challenge_id": "gm-spy"}))

    table.do({"type": "reveal", "thing_id": "gm-dive"})

    assert "gm-spy" not in "".join(table.public())


# Sealed checks, and hidden ones that come to light. Ruling E4


# Sealed checks


def test_of_a_sealed_check_everyone_hears_that_it_is_there_and_that_it_changes():
    table = checks.seated()

    started = table.in_channel(checks.PUBLIC, checks.propose(visibility="sealed", purpose="a trap"))
    changes = [
        table.in_channel(checks.PUBLIC, order)
        for order in (
            checks.adjust(bonus=1),
            checks.aid("chen", 1),
            checks.oppose("guard", 1),
            checks.adjust(remove="chen"),
        )
    ]

    stub = Sealed(kind=Kind.CHECK, id="dive", name="A check", seat_id="gm", lane="thing/check/dive", key=KEY)
    assert started == [SealedStarted(thing=stub)]
    assert changes == [[checks.CHANGED]] * 4
    assert table.view_as(ANN).sealed == {"dive": stub}
    assert "a trap" not in "".join(table.public())


@pytest.mark.parametrize("seat", [ANN, BO], ids=lambda actor: actor.seat_id)
@pytest.mark.parametrize(
    "order",
    [checks.roll(), checks.roll("han"), checks.aid("chen"), checks.withdraw(), checks.cost(), checks.settle(False)],
    ids=lambda order: order["type"],
)
def test_a_sealed_check_is_the_gms_to_handle(seat: Any, order: dict[str, Any]):
    assert checks.sealed().refused(order, by=seat).code is Code.NOT_ALLOWED


def test_a_sealed_check_is_shown_with_everything_when_it_is_over():
    table = checks.sealed(2)
    table.do(checks.aid("chen", 1))
    first = table.in_channel(checks.PUBLIC, checks.roll("han"), dice=loaded(4, 2))

    events = table.in_channel(checks.PUBLIC, checks.roll("chen") | {"note": "Hush."}, dice=loaded(3))

    assert first == [checks.CHANGED]
    assert events[0] == checks.CHANGED
    check = checks.revealed(events)
    assert (check.visibility, check.status, check.purpose) == (Visibility.PUBLIC, CheckStatus.RESOLVED, "a trap")
    assert [each.roll and each.roll.faces for each in check.parts] == [(4, 2), (3,)]
    assert table.view_as(WATCHER).checks["dive"] == check
    assert table.view.public.sealed == {}
    assert table.view.channels[checks.HIDDEN].checks == {}
    assert table.view.channels[checks.HIDDEN].lanes == {}


def test_over_a_sealed_check_that_failed_everyone_sees_the_bargain():
    table = checks.sealed(1)
    table.do(checks.roll(), dice=loaded(3))

    assert table.in_channel(checks.PUBLIC, checks.cost(), by=ANN)
    assert table.in_channel(checks.PUBLIC, checks.answer("accept"))
    assert table.in_channel(checks.PUBLIC, checks.settle(True), by=ANN)


def test_a_sealed_check_that_is_withdrawn_is_shown_before_it_goes():
    table = checks.sealed()

    records = table.write(checks.withdraw())

    assert [record.event.type for record in records if record.channel is checks.PUBLIC] == [
        "revealed",
        "check_withdrawn",
    ]
    assert table.view.public.sealed == {}
    assert table.view.checks == {}
    assert all(part.lanes.keys() <= table.view.public.lanes.keys() for part in table.view.channels.values())


def test_a_gm_check_that_is_withdrawn_goes_without_a_word():
    table = checks.seated()
    table.do(checks.secret())

    assert table.do(checks.withdraw("gm-dive")) == [CheckWithdrawn(check_id="gm-dive")]
    assert table.view.channels[checks.HIDDEN].lanes == {}


def test_a_sealed_check_with_a_part_that_will_never_be_rolled_comes_to_light_without_it():
    table = checks.sealed(1)
    table.do(checks.aid("chen", 1))
    table.do(checks.roll("han"), dice=loaded(4))
    checks.kill(table, "chen")

    table.do(checks.adjust(remove="chen"))

    assert table.view.public.sealed == {}
    assert table.view.public.checks["dive"].status is CheckStatus.RESOLVED


# Reveals


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_a_check_that_is_revealed_before_its_roll_is_like_any_other(visibility: str):
    table = checks.seated()
    checks.charm(table)
    chosen = "gm-dive" if visibility == "gm" else "dive"
    table.do(checks.propose(score=1, visibility=visibility) | {"id": chosen})

    shown_to_all = checks.revealed(table.do(checks.reveal(chosen)))
    events = table.do(checks.roll(check=chosen), by=ANN, dice=loaded(1, 6, 6, 2))

    assert shown_to_all.visibility is Visibility.PUBLIC
    assert events[0] == checks.momentum_spent(check=chosen)
    assert events[-1] == checks.momentum(check=chosen)
    assert table.view.public.lanes["seat/player-1/0"].used == 1


def test_a_check_that_is_revealed_after_its_roll_comes_with_all_that_it_came_to():
    table = checks.seated()
    table.do(checks.secret(1))
    table.do(checks.roll(check="gm-dive"), dice=loaded(3))

    records = table.write(checks.reveal("gm-dive"))

    assert [record.channel for record in records] == [checks.HIDDEN, checks.PUBLIC]
    assert records[0].event == MadePublic(kind=Kind.CHECK, id="gm-dive")
    check = checks.revealed([record.event for record in records])
    assert check.result is not None
    assert check.result.acting.outcome is checks.FAIL
    assert table.do(checks.cost(check="gm-dive"), by=ANN)
    assert table.refused(checks.reveal("gm-dive")).code is Code.NOT_HIDDEN
    assert table.refused(checks.secret()).code is Code.ID_TAKEN


def test_a_check_that_is_revealed_between_two_parts_goes_on_in_public():
    table = checks.seated()
    table.do(checks.secret(1))
    table.do(checks.aid("chen", 1, "gm-dive"))
    table.do(checks.roll("han", "gm-dive"), dice=loaded(4))

    table.do(checks.reveal("gm-dive"))

    assert table.in_channel(checks.PUBLIC, checks.roll("chen", "gm-dive"), by=BO, dice=loaded(1)) == [
        checks.rolled(part("chen", 1), checks.shown(1, outcome=checks.FUMBLE), "gm-dive"),
        checks.resolved(checks.SUCCESS, 4, check="gm-dive"),
        checks.interference("han", "gm-dive"),
        checks.interference("chen", "gm-dive"),
    ]


def test_what_a_hidden_check_is_about_may_happen_to_its_character_meanwhile():
    table = checks.seated()
    table.do(checks.secret(1))
    checks.kill(table, "han")

    assert table.refused(checks.roll(check="gm-dive")).code is Code.OUT_OF_PLAY
    assert table.do(checks.withdraw("gm-dive"))


def test_hidden_checks_that_are_over_are_remembered_up_to_32():
    table = checks.seated()
    for number in range(34):
        table.do(checks.secret(1) | {"id": f"gm-{number}"})
        table.do(checks.roll(check=f"gm-{number}"), dice=loaded(2))

    table.do(checks.secret(1))

    assert list(table.view.channels[checks.HIDDEN].checks) == [*(f"gm-{n}" for n in range(2, 34)), "gm-dive"]


def test_checks_that_came_to_light_count_among_the_32_that_are_remembered():
    table = checks.seated()
    for number in range(40):
        table.do(checks.propose(score=1, visibility="sealed") | {"id": f"c{number}"})
        table.do(checks.roll(check=f"c{number}"), dice=loaded(2))

    assert len(table.view.public.checks) <= 33
