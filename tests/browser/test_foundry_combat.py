"""The module for Foundry VTT, in a stub of it: combat ends turns, and each of them once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

import dreadclock
from dreadclock.wire.records import Record
from kit.foundry.host import Host
from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Gathering, User, gathering
from kit.server import Server
from kit.waiting import until

pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)
COMBAT = "game.combats.get('brawl')"


@pytest_asyncio.fixture(loop_scope="session")
async def here(browser: Browser, foundry: tuple[Host, Server]) -> AsyncIterator[Gathering]:
    """A world with two gms, and a combat that has begun, at a table with what a turn and a round roll."""
    async with gathering(browser, *foundry) as gathered:
        async with dreadclock.connect(gathered.link("gm-a")) as room:
            await room.start_countdown("Fever", pool=30, id="fever", bound_to="turn")
            await room.open_scene("The yard", 8, id="yard")
            await room.start_situation("yard", "The brawl", "standard", "combat", 4, id="brawl")
        gm, _ = await gathered.come("gm-a", "gm-b")
        await gm.page.evaluate("game.connection.do('combat', { id: 'brawl', changes: {} })")
        for user in gathered.users.values():
            await user.page.wait_for_function(f"{COMBAT}")
        await gm.page.evaluate(f"{COMBAT}.startCombat()")
        await in_round(gathered, 1)
        yield gathered


async def in_round(here: Gathering, number: int) -> None:
    """Return once everybody's combat is in this round."""
    for user in here.users.values():
        await user.page.wait_for_function(f"{COMBAT}.round === {number}")


async def ended(here: Gathering) -> tuple[list[int], list[int]]:
    """Return the turns of the table and the rounds of the brawl that are over, as the server's log has them."""
    events = [Record.model_validate_json(text).event for text in await here.table.log()]
    turns = [event.turn for event in events if event.type == "turn_ended"]
    return turns, [event.round for event in events if event.type == "round_ended"]


async def settled(here: Gathering, turns: int) -> tuple[list[int], list[int]]:
    """Return what is over once so many turns are, and every client has had its answers."""
    for user in here.users.values():
        await user.page.wait_for_function(f"game.modules.get('dreadclock').api.view().turn === {turns + 1}")
    for user in here.users.values():  # whatever they sent before is done
        await user.do("api.send({ type: 'narrate', text: 'done' })")
    return await ended(here)


async def move(user: User, how: str = "nextRound") -> None:
    """Move the combat on."""
    await user.page.evaluate(f"{COMBAT}.{how}()")


AT_ONCE = """
(number) => new Promise((done) => setTimeout(() => {
  const combat = game.combats.get("brawl");
  globalThis.update = { round: number + 1, turn: 0 };
  Hooks.callAll("combatRound", combat, update, { direction: 1 });
  done(game.modules.get("dreadclock").api.view().turn);
}, 500 - (Date.now() % 500)))
"""


async def end_round_at_once(here: Gathering, number: int) -> None:
    """Let both gms end a round in the same moment, as `nextRound` does it: the hook, then the update."""
    gms = [here.users["gm-a"], here.users["gm-b"]]
    await asyncio.gather(*(gm.page.evaluate(AT_ONCE, number) for gm in gms))
    await asyncio.gather(*(gm.page.evaluate(f"{COMBAT}.update(update, {{ direction: 1 }})") for gm in gms))
    await in_round(here, number + 1)


@pytest.mark.parametrize("rolls", [True, False], ids=["that rolls", "that rolls nothing"])
async def test_a_round_that_two_gms_end_at_once_ends_one_turn(here: Gathering, rolls: bool):
    if not rolls:
        await here.users["gm-a"].do("api.send({ type: 'cancel_countdown', countdown_id: 'fever' })")
        for user in here.users.values():
            await user.page.wait_for_function(
                "game.modules.get('dreadclock').api.view().countdowns.get('fever').status === 'cancelled'"
            )

    for number in (1, 2, 3):
        await end_round_at_once(here, number)
        counted = [*range(1, number + 1)]
        assert await settled(here, number) == (counted, counted)


async def test_the_hook_of_a_second_gm_whose_world_lags_behind_ends_no_second_turn(here: Gathering):
    gm, other_gm = here.users["gm-a"], here.users["gm-b"]
    await other_gm.page.evaluate(
        "Combat.held = { round: 1, turn: 0, flags: structuredClone(game.combats.get('brawl').flags) }"
    )

    await move(gm)
    assert await settled(here, 1) == ([1], [1])
    lagging = "Object.assign(Object.create(Combat.prototype), Combat.held, { _id: 'brawl' })"
    await other_gm.page.evaluate(
        f"Hooks.callAll('combatRound', {lagging}, {{ round: 2, turn: 0 }}, {{ direction: 1 }})"
    )

    assert await settled(here, 1) == ([1], [1])


async def test_a_player_who_ends_the_round_has_the_gms_end_one_turn(here: Gathering):
    (ann,) = await here.come("ann")
    await move(ann)
    await in_round(here, 2)

    assert await settled(here, 1) == ([1], [1])
    await move(ann)
    assert await settled(here, 2) == ([1, 2], [1, 2])


async def test_a_turn_that_was_ended_by_hand_is_not_ended_again_by_its_round(here: Gathering):
    await here.users["gm-b"].do("api.endTurn()")
    await settled(here, 1)

    await move(here.users["gm-a"])
    await in_round(here, 2)
    assert (await settled(here, 1))[0] == [1]

    await move(here.users["gm-a"])
    assert (await settled(here, 2))[0] == [1, 2]


async def test_a_round_that_is_taken_back_ends_nothing(here: Gathering):
    await move(here.users["gm-a"])
    await settled(here, 1)
    await move(here.users["gm-a"], "previousRound")
    await in_round(here, 1)

    assert (await settled(here, 1))[0] == [1]


async def test_turns_of_combatants_end_turns_only_where_the_gm_chose_that(here: Gathering):
    gm = here.users["gm-a"]
    await move(gm, "nextTurn")
    await gm.page.wait_for_function(f"{COMBAT}.turn === 1")
    assert await ended(here) == ([], [])

    await gm.page.evaluate("game.settings.set('dreadclock', 'combat', 'turn')")
    await until(lambda: here.host.world.settings.get("dreadclock.combat") == "turn")
    await gm.page.wait_for_function("game.settings.get('dreadclock', 'combat') === 'turn'")
    await move(gm, "nextTurn")
    assert await settled(here, 1) == ([1], [])

    await gm.page.evaluate("game.settings.set('dreadclock', 'combat', 'none')")
    await gm.page.wait_for_function("game.settings.get('dreadclock', 'combat') === 'none'")
    await move(gm)
    await in_round(here, 2)
    assert await settled(here, 1) == ([1], [])
