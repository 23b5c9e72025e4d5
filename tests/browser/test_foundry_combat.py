"""The module for Foundry VTT, in a stub of it: combat ends turns, and each of them once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

import dreadclock
from dreadclock.wire.records import Record
from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Foundry, Gathering, User
from kit.waiting import until

pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)
COMBAT = "game.combats.get('brawl')"
VIEW = "game.modules.get('dreadclock').api.view()"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def here(foundry: Foundry) -> AsyncIterator[Gathering]:
    """A world with two gms and Ann, and a combat that has begun, at a table with a brawl.

    All tests play on in it: each begins with the turn and the round at which the one before it ended.
    """
    async with foundry.gather() as gathered:
        async with dreadclock.connect(gathered.link("gm-a")) as room:
            await room.open_scene("The yard", 8, id="yard")
            await room.start_situation("yard", "The brawl", "standard", "combat", 4, id="brawl")
        gm, *_ = await gathered.come("gm-a", "gm-b", "ann")
        await gm.page.evaluate("game.connection.do('combat', { id: 'brawl', changes: {} })")
        for user in gathered.users.values():
            await user.page.wait_for_function(f"{COMBAT}")
        await gm.page.evaluate(f"{COMBAT}.startCombat()")
        await in_round(gathered, 1)
        yield gathered


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def fever(here: Gathering) -> AsyncIterator[str]:
    """What a turn rolls: a countdown of each test's own, so that none runs out."""
    async with dreadclock.connect(here.link("gm-a")) as room:
        countdown = f"fever-{len(room.view.countdowns)}"
        await room.start_countdown("Fever", pool=30, id=countdown, bound_to="turn")
    for user in here.users.values():
        await user.page.wait_for_function(f"{VIEW}.countdowns.get('{countdown}')?.status === 'running'")
    yield countdown
    await cancelled(here, countdown)


async def cancelled(here: Gathering, countdown: str) -> None:
    """Cancel a countdown unless it is, and return once everybody knows."""
    gm = here.users["gm-a"]
    if await gm.page.evaluate(f"{VIEW}.countdowns.get('{countdown}').status === 'running'"):
        await gm.do(f"api.send({{ type: 'cancel_countdown', countdown_id: '{countdown}' }})")
    for user in here.users.values():
        await user.page.wait_for_function(f"{VIEW}.countdowns.get('{countdown}').status !== 'running'")


async def round_of(here: Gathering) -> int:
    """Return the combat's round."""
    return int(await here.users["gm-a"].page.evaluate(f"{COMBAT}.round"))


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


def more(before: tuple[list[int], list[int]], turns: int, rounds: int) -> tuple[list[int], list[int]]:
    """Return what is over once so many turns and rounds more are: each in its place, and once."""
    return [*range(1, len(before[0]) + turns + 1)], [*range(1, len(before[1]) + rounds + 1)]


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
async def test_a_round_that_two_gms_end_at_once_ends_one_turn(here: Gathering, fever: str, rolls: bool):
    before, first = await ended(here), await round_of(here)
    if not rolls:
        await cancelled(here, fever)

    for number in (1, 2):
        await end_round_at_once(here, first + number - 1)
        assert await settled(here, len(before[0]) + number) == more(before, number, number)


async def test_the_hook_of_a_second_gm_whose_world_lags_behind_ends_no_second_turn(here: Gathering):
    before, first = await ended(here), await round_of(here)
    gm, other_gm = here.users["gm-a"], here.users["gm-b"]
    await other_gm.page.evaluate(f"Combat.held = {{ round: {first}, turn: 0, flags: structuredClone({COMBAT}.flags) }}")

    await move(gm)
    assert await settled(here, len(before[0]) + 1) == more(before, 1, 1)
    lagging = "Object.assign(Object.create(Combat.prototype), Combat.held, { _id: 'brawl' })"
    await other_gm.page.evaluate(
        f"Hooks.callAll('combatRound', {lagging}, {{ round: {first + 1}, turn: 0 }}, {{ direction: 1 }})"
    )

    assert await settled(here, len(before[0]) + 1) == more(before, 1, 1)


async def test_a_player_who_ends_the_round_has_the_gms_end_one_turn(here: Gathering):
    before, first = await ended(here), await round_of(here)
    await move(here.users["ann"])
    await in_round(here, first + 1)

    assert await settled(here, len(before[0]) + 1) == more(before, 1, 1)
    await move(here.users["ann"])
    assert await settled(here, len(before[0]) + 2) == more(before, 2, 2)


async def test_a_turn_that_was_ended_by_hand_is_not_ended_again_by_its_round(here: Gathering):
    before, first = await ended(here), await round_of(here)
    await here.users["gm-b"].do("api.endTurn()")
    await settled(here, len(before[0]) + 1)

    await move(here.users["gm-a"])
    await in_round(here, first + 1)
    assert (await settled(here, len(before[0]) + 1))[0] == more(before, 1, 0)[0]

    await move(here.users["gm-a"])
    assert (await settled(here, len(before[0]) + 2))[0] == more(before, 2, 0)[0]


async def test_a_round_that_is_taken_back_ends_nothing(here: Gathering):
    before, first = await ended(here), await round_of(here)
    await move(here.users["gm-a"])
    await settled(here, len(before[0]) + 1)
    await move(here.users["gm-a"], "previousRound")
    await in_round(here, first)

    assert (await settled(here, len(before[0]) + 1))[0] == more(before, 1, 0)[0]


async def test_turns_of_combatants_end_turns_only_where_the_gm_chose_that(here: Gathering):
    before, first = await ended(here), await round_of(here)
    gm = here.users["gm-a"]
    await move(gm, "nextTurn")
    await gm.page.wait_for_function(f"{COMBAT}.turn === 1")
    assert await ended(here) == before

    await gm.page.evaluate("game.settings.set('dreadclock', 'combat', 'turn')")
    await until(lambda: here.host.world.settings.get("dreadclock.combat") == "turn")
    await gm.page.wait_for_function("game.settings.get('dreadclock', 'combat') === 'turn'")
    await move(gm, "nextTurn")
    assert await settled(here, len(before[0]) + 1) == (more(before, 1, 0)[0], before[1])

    await gm.page.evaluate("game.settings.set('dreadclock', 'combat', 'none')")
    await gm.page.wait_for_function("game.settings.get('dreadclock', 'combat') === 'none'")
    await move(gm)
    await in_round(here, first + 1)
    assert await settled(here, len(before[0]) + 1) == (more(before, 1, 0)[0], before[1])
