"""Checks of the second edition as a table plays them, over websockets, with faces that people type in."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from dreadclock import Room
from dreadclock.wire.errors import Code, Refused
from kit.links.listeners import listener
from kit.raw import WITHIN_S
from kit.rooms import Table


@asynccontextmanager
async def seated(table: Table) -> AsyncIterator[tuple[Room, Room, Room, Room]]:
    """Seat the gm, Ann with Han, Ben with Chen, and Eve who looks on; dice are everyone's own."""
    async with AsyncExitStack() as stack:
        gm, ann, ben, eve = [
            (await stack.enter_async_context(listener(table, name))).room for name in ("gm", "ann", "ben", "eve")
        ]
        await gm.set_policy(physical_dice="everyone", check_approval="gm")
        for id_, owner in (("han", "ann"), ("chen", "ben")):
            await gm.add_character(
                name=id_.title(), id=id_, owner=table.seat(owner), attributes={"Agility": 2, "Nerve": 1}
            )
        await gm.add_character(name="The officer", id="officer")
        yield gm, ann, ben, eve


def told(done: Any) -> list[str]:
    """Name the events that a command brought about."""
    return [record.event.type for record in done.records]


async def refused(coming: Any) -> Code:
    """Return the code that a command is refused with."""
    with pytest.raises(Refused) as caught:
        await coming
    return caught.value.code


async def watched(eve: Room, other: Room) -> None:
    """Wait until Eve has seen what somebody else has."""
    await eve.wait_for(lambda view: view.public == other.view.public, WITHIN_S)


async def dodge(gm: Room, ann: Room, check_id: str, **more: Any) -> None:
    """Let the officer shoot and Han dodge, who ventures for a threat; it comes off."""
    await gm.propose_check("officer", score=1, id=check_id, contest=True)
    threat = {"level": 1, "what": "threaten the officer"}
    await ann.oppose_check(check_id, character_id="han", attribute="Agility", venture=threat, **more)
    await gm.adjust_check(check_id, approve=True)
    await gm.roll_check(check_id, character_id="officer", faces=[3])
    await ann.roll_check(check_id, faces=[5, 4])


async def test_hans_venture_on_a_dodge_is_paid_only_into_the_threat_that_it_named(table: Table):
    async with seated(table) as (gm, ann, ben, eve):
        await dodge(gm, ann, "shot")
        assert await refused(ben.propose_check("chen", attribute="Nerve", claims=["shot-v2"])) is Code.NOT_READY

        await gm.propose_check("officer", score=1, id="grab", contest=True)
        await ann.oppose_check("grab", character_id="han", attribute="Agility")
        await gm.adjust_check("grab", approve=True)
        await gm.roll_check("grab", character_id="officer", faces=[3])
        assert told(await ann.roll_check("grab", faces=[5, 2]))[0] == "check_rolled"  # no dice more, and none lost

        await ann.propose_check("han", attribute="Nerve", id="threat", claims=["shot-v2"])
        assert await refused(ann.propose_check("han", attribute="Nerve", claims=["shot-v2"])) is Code.ALREADY_CLAIMED
        await gm.adjust_check("threat", approve=True)
        done = await ann.roll_check("threat", faces=[4, 2])

        assert told(done)[:2] == ["venture_paid", "check_rolled"]
        assert await refused(ann.propose_check("han", attribute="Nerve", claims=["shot-v2"])) is Code.NOT_READY
        await watched(eve, ann)
        roll = eve.view.checks["threat"].parts[0].roll
        assert roll is not None
        assert (roll.pool, roll.paid) == (2, 1)


async def test_it_lapses_when_han_runs_instead_also_where_it_was_claimed(table: Table):
    async with seated(table) as (gm, ann, _, eve):
        await dodge(gm, ann, "shot")
        await ann.propose_check("han", attribute="Nerve", id="threat", claims=["shot-v2"])
        before = ann.view.checks["threat"]
        await ann.propose_check("han", attribute="Agility", id="run")
        await gm.adjust_check("run", approve=True)

        done = await ann.roll_check("run", faces=[4, 1])

        assert told(done) == ["check_rolled", "check_resolved", "venture_lapsed", "check_odds_changed"]
        await watched(eve, ann)
        after = eve.view.checks["threat"]
        assert (before.parts[0].claims, after.parts[0].claims) == (("shot-v2",), ())
        assert before.odds is not None
        assert after.odds is not None
        assert (before.odds.fumble, after.odds.fumble) == ("1/36", "1/6")
        assert await refused(gm.adjust_check("threat", claims=["shot-v2"])) is Code.NOT_READY


async def test_chen_who_lost_the_door_pays_with_a_state_and_holds_it(table: Table):
    async with seated(table) as (gm, ann, ben, eve):
        await ann.propose_check("han", attribute="Agility", id="door", contest=True)
        await ben.oppose_check("door", character_id="chen", attribute="Nerve")
        await gm.adjust_check("door", approve=True)
        await ann.roll_check("door", faces=[5, 2])
        await ben.roll_check("door", faces=[4])
        hurt = [{"state": "a wrenched shoulder"}]

        assert await refused(ann.propose_cost("door", "a scar")) is Code.NOT_FAILED  # Han won
        await ben.propose_cost("door", "my shoulder", character_id="chen", pays=hurt)
        await gm.answer_cost("door", "accept", character_id="chen")
        await watched(eve, gm)
        assert not eve.view.characters["chen"].states
        done = await ben.settle_failure("door", True, character_id="chen")

        assert told(done) == ["failure_settled", "state_gained"]
        await watched(eve, ben)
        assert eve.view.characters["chen"].states == ("a wrenched shoulder",)
        assert await refused(ben.settle_failure("door", True, character_id="chen")) is Code.NOT_FAILED


async def test_two_fumbles_on_a_ledge_end_in_the_fall(table: Table):
    async with seated(table) as (gm, ann, _, eve):
        await gm.open_scene("The ledge", 8, id="ledge")
        await gm.set_effects("ledge", fumble_effects=["hangs by her fingers"])

        async def climb(check_id: str) -> list[str]:
            await ann.propose_check("han", attribute="Nerve", id=check_id)
            await gm.adjust_check(check_id, approve=True)
            return told(await ann.roll_check(check_id, faces=[1]))

        assert (await climb("first"))[-1] == "effect_happened"
        await gm.give_state("han", "hanging")
        await gm.set_effects("ledge", fumble_effects=[])
        await gm.set_effects("han", fumble_effects=["falls"])
        assert (await climb("second"))[-1] == "effect_happened"

        await watched(eve, ann)
        han = eve.view.characters["han"]
        effects = [record.event.effect for record in eve.view.public.recent if record.event.type == "effect_happened"]
        assert (effects, han.interference, han.choices) == (["hangs by her fingers", "falls"], False, ())
