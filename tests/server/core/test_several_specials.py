"""Several special attributes in one pool, where the policy of the room allows them. Ruling D11."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from kit.evenings.audited import BOTH as BOTH_CHANNELS
from kit.evenings.audited import rules_broken
from kit.tables import GM, Table, loaded

pytestmark = pytest.mark.rule("D11")

SPECIALS = [{"name": "Climber"}, {"name": "Roofer", "starred": True}, {"name": "Thief"}]
CLIMB = {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2, "special": "Climber"}
BOTH = {**CLIMB, "more_specials": ["Roofer"]}


def table(**policy: Any) -> Table:
    result = Table(check_approval="open", **policy)
    result.do({"type": "add_character", "id": "ada", "name": "Ada", "specials": SPECIALS})
    return result


def test_one_special_attribute_adds_dice_unless_the_policy_says_several():
    assert table().refused(BOTH).code is Code.ONE_SPECIAL


def test_each_one_that_is_named_adds_its_dice():
    room = table(specials="several")

    room.do(BOTH)

    total = room.view.totals["climb"]
    assert (total.pool, [each.name for each in total.more_specials]) == (5, ["Roofer"])
    assert room.do({"type": "roll_total", "total_id": "climb"}, dice=loaded(1, 2, 3, 4, 5))[-1].total == 15  # type: ignore[union-attr]


@pytest.mark.rule("D2")
def test_the_pool_stays_within_8_dice_and_the_sum_is_shown():
    refused = table(specials="several").refused({**BOTH, "attribute": 6})

    assert (refused.code, refused.details["sum"]) == (Code.POOL_OUT_OF_RANGE, "6 + 1 + 2 = 9")


@pytest.mark.parametrize("more", [["Climber"], ["Roofer", "Roofer"]])
def test_each_special_attribute_counts_once(more: list[str]):
    assert table(specials="several").refused({**CLIMB, "more_specials": more}).code is Code.ONE_SPECIAL


def test_the_gm_changes_which_ones_count_and_without_the_first_there_is_none():
    room = table(specials="several")
    room.do(BOTH)

    room.do({"type": "adjust_total", "total_id": "climb", "more_specials": ["Roofer", "Thief"]}, by=GM)
    assert room.view.totals["climb"].pool == 6
    room.do({"type": "adjust_total", "total_id": "climb", "without": ["special"]}, by=GM)
    assert (room.view.totals["climb"].pool, room.view.totals["climb"].more_specials) == (2, ())


def test_one_that_becomes_the_first_counts_once():
    room = table(specials="several")
    room.do({**BOTH, "more_specials": ["Roofer", "Thief"]})

    room.do({"type": "adjust_total", "total_id": "climb", "special": "Roofer"}, by=GM)

    total = room.view.totals["climb"]
    assert (total.pool, [each.name for each in total.more_specials]) == (5, ["Thief"])


def test_the_policy_is_changed_in_play_and_totals_that_stand_stay_as_they_are():
    room = table()
    room.do({"type": "set_policy", "specials": "several"})
    room.do(BOTH)
    room.do({"type": "set_policy", "specials": "one"})

    assert room.refused({**BOTH, "id": "leap"}).code is Code.ONE_SPECIAL
    room.do({"type": "adjust_total", "total_id": "climb", "attribute": 3}, by=GM)
    assert room.view.totals["climb"].pool == 6
    assert rules_broken(room.texts, BOTH_CHANNELS) == []


ONE_ADDS = "the server refuses it: Only one special attribute adds dice"
NO_DIVER = "the server refuses it: The character ada has no special attribute called Diver."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"specials":"several"', '"specials":"one"', ONE_ADDS),
        ('{"name":"Roofer","starred":true}]', '{"name":"Climber"}]', ONE_ADDS),
        ('"pool":5', '"pool":3', "its total.pool is 3 where 5 follows"),
        ('"more_specials":[{"name":"Roofer"', '"more_specials":[{"name":"Diver"', NO_DIVER),
    ],
)
def test_verify_knows_which_ones_may_add_dice(old: str, new: str, said: str):
    room = table(specials="several")
    room.do(BOTH)
    assert rules_broken(room.texts, BOTH_CHANNELS) == []

    texts = [
        text.replace(old, new) if '"more_specials"' in text or "room_opened" in text else text for text in room.texts
    ]

    assert texts != room.texts
    assert any(fault.startswith(f"total_proposed: {said}") for fault in rules_broken(texts, BOTH_CHANNELS))
