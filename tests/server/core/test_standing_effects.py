"""Stunts and fumble effects that stand on characters, scenes and situations. Rulings C21 and C22."""

from typing import Any

import pytest

from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import EffectHappened, EffectsOffered, EffectsSet, SealedChanged
from dreadclock.wire.things import Choice, EffectKind, StandingEffects
from kit.families.checks import adjust, aid, cast, choose, chosen, holds, interference, propose, roll, seated
from kit.families.races import opened, racing
from kit.tables import ANN, WATCHER, Table, loaded

MOMENTUM, INTERFERENCE = EffectKind


def stands(thing: str, *fumble_effects: str, **more: Any) -> dict[str, Any]:
    return {"type": "set_effects", "thing_id": thing, "fumble_effects": fumble_effects, **more}


def offered(*effects: str, token: EffectKind = INTERFERENCE, or_token: bool = False) -> EffectsOffered:
    choice = Choice(check_id="dive", instead_of=token, offered=effects, or_token=or_token)
    return EffectsOffered(character_id="han", choice=choice, choices=(choice,))


def happened(effect: str) -> EffectHappened:
    return EffectHappened(character_id="han", check_id="dive", effect=effect)


def dive(table: Table, *faces: int, adjusted: dict[str, Any] | None = None, **more: Any) -> list[Any]:
    """Let Han roll, and return what it brings."""
    table.do(propose(score=len(faces), **more))
    if adjusted:
        table.do(adjust(**adjusted))
    extra = [2] * faces.count(6)
    events = table.do(roll("han"), dice=loaded(*faces, *extra))
    return events[[event.type for event in events].index("check_resolved") + 1 :]


@pytest.mark.rule("C21")
@pytest.mark.parametrize("thing", ["han", "bomb", "run"])
def test_c21_what_stands_on_a_character_a_scene_or_a_situation_is_offered_by_itself(thing: str):
    table = cast(racing())
    table.do(stands(thing, "fall", stunts=["swing"]))

    assert dive(table, 1) == [happened("fall")]
    assert holds(table) == (False, False)
    table.do(propose(id="leap", score=2))
    [*_, swing] = table.do(roll("han", "leap"), dice=loaded(6, 6, 2, 2))
    assert (swing.choice.instead_of, swing.choice.offered) == (MOMENTUM, ("swing",))  # type: ignore[union-attr]
    table.do(choose("momentum", check="leap"), by=ANN)
    assert holds(table) == (True, False)


@pytest.mark.rule("C21", "C22")
def test_c22_of_several_effects_that_fit_the_player_chooses_one_and_never_interference():
    table = cast(racing())
    for order in (stands("bomb", "smoke"), stands("run", "Fall."), stands("han", "the old wound")):
        table.do(order)

    events = dive(table, 1, adjusted={"fumble_effects": ["fall"]})

    offer = offered("fall", "the old wound", "smoke")  # the situation's is the gm's in other letters
    assert events == [offer]
    refused = table.refused(choose("interference"), by=ANN)
    assert (refused.code, refused.details) == (Code.NOT_OFFERED, {"offered": "fall, the old wound, smoke"})
    assert table.do(choose("smoke"), by=ANN) == [chosen("smoke", offer.choice)]
    assert holds(table) == (False, False)


@pytest.mark.rule("C22")
def test_c22_one_mark_among_those_that_fit_leaves_interference_open():
    table = cast(racing())
    table.do(stands("bomb", "smoke", or_interference=["smoke"]))

    offer = offered("fall", "smoke", or_token=True)
    assert dive(table, 1, adjusted={"fumble_effects": ["fall"]}) == [offer]
    assert table.do(choose("interference"), by=ANN) == [chosen("interference", offer.choice), interference()]


@pytest.mark.rule("C22")
def test_c22_what_is_not_chosen_in_time_is_the_first_effect_offered():
    table = cast(racing())
    table.do(stands("bomb", "smoke", "sparks"))
    [offer] = dive(table, 1)

    table.do(propose(score=1, id="leap"))

    assert table.do(roll("han", "leap"), dice=loaded(2))[0] == chosen("smoke", offer.choice)
    assert holds(table) == (False, False)


@pytest.mark.rule("C21")
@pytest.mark.parametrize(
    ("more", "effect"),
    [
        ({}, []),  # in which of two scenes is not said
        ({"within_id": "bomb"}, [happened("smoke")]),
        ({"within_id": "roof"}, [happened("wind")]),
        ({"effort": {"challenge_id": "door"}}, [happened("smoke")]),
        ({"within_id": "bomb", "adjusted": {"within_id": "roof"}}, [happened("wind")]),
        ({"within_id": "bomb", "adjusted": {"standing": False}}, []),
    ],
    ids=str,
)
def test_c21_effects_are_those_of_where_the_check_happens(more: dict[str, Any], effect: list[Any]):
    table = cast(racing())
    table.do({"type": "open_scene", "id": "roof", "name": "Roof", "clock": 8})
    table.do(stands("bomb", "smoke"))
    table.do(stands("roof", "wind"))

    assert dive(table, 1, **more) == (effect or [interference()])


@pytest.mark.rule("C21")
def test_c21_nothing_is_offered_of_what_is_over_or_only_the_gm_sees():
    table = cast(opened())
    table.do({"type": "open_scene", "id": "gm-trap", "name": "Trap", "clock": 8, "visibility": "gm"})
    table.do(stands("gm-trap", "spikes"))
    table.do(stands("bomb", "smoke"))
    table.do(propose(score=1))
    table.do({"type": "end_scene", "scene_id": "bomb"})

    assert table.do(roll("han"), dice=loaded(1))[2:] == [interference()]
    for within, code in (("bomb", Code.ENDED), ("gm-trap", Code.UNKNOWN)):
        assert table.refused(propose(id="leap", within_id=within)).code is code
    hidden = table.refused(propose(id="gm-leap", visibility="gm", within_id="gm-trap"))
    assert hidden.code is Code.NOT_AVAILABLE


@pytest.mark.rule("C21")
def test_c21_whoever_fumbles_as_a_helper_has_her_own_effects_and_those_of_the_place():
    table = cast(racing())
    table.do(stands("chen", "her knee"))
    table.do(propose(score=1))
    table.do(aid("chen", 1))
    table.do(roll("han"), dice=loaded(5))

    events = table.do(roll("chen"), dice=loaded(1))[2:]

    assert events == [interference(), EffectHappened(character_id="chen", check_id="dive", effect="her knee")]


@pytest.mark.rule("C21")
def test_c21_what_stands_is_told_where_the_thing_is_and_may_be_taken_away():
    table = cast(racing())
    fall = StandingEffects(fumble_effects=("fall",), or_interference=("fall",))

    told = table.do(stands("bomb", "fall", or_interference=["fall"]))
    assert told == [EffectsSet(kind=Kind.SCENE, id="bomb", effects=fall)]
    assert table.view_as(WATCHER).scenes["bomb"].effects == fall
    assert table.do(stands("bomb", "fall")) == []
    table.do(stands("bomb"))
    assert table.view.scenes["bomb"].effects == StandingEffects()  # a mark goes with its effect
    table.do({"type": "open_scene", "id": "vault", "name": "Vault", "clock": 8, "visibility": "sealed"})
    vault = EffectsSet(kind=Kind.SCENE, id="vault", effects=StandingEffects(fumble_effects=("gas",)))
    assert table.do(stands("vault", "gas")) == [vault, SealedChanged(kind=Kind.SCENE, id="vault", name="Vault")]


@pytest.mark.rule("C21")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        (stands("door", "fall"), Code.UNKNOWN),
        (stands("han", "fall", stunts=["FALL"]), Code.EFFECTS_ALIKE),
        (stands("han", "momentum"), Code.EFFECTS_ALIKE),
        (stands("han", "fall", or_interference=["slip"]), Code.NOT_OFFERED),
        ({"type": "set_effects", "thing_id": "han"}, Code.NOTHING_TO_CHANGE),
    ],
    ids=str,
)
def test_c21_effects_stand_on_what_there_is_and_can_be_told_apart(order: dict[str, Any], code: Code):
    assert cast(racing()).refused(order).code is code


@pytest.mark.rule("C22")
def test_a_mark_that_is_on_none_of_a_checks_effects_is_refused():
    table = seated()
    table.do(propose())

    assert table.refused(adjust(fumble_effects=["fall"], or_interference=["slip"])).code is Code.NOT_OFFERED
    table.do(adjust(fumble_effects=["fall"], or_interference=["fall"]))
    table.do(adjust(fumble_effects=["slip"]))
    assert table.view.checks["dive"].or_interference == ()
