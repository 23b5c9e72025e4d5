"""Everything moves in its own way, shortly, and not at all for those who asked for stillness."""

import asyncio

import dreadclock
from kit.browser.company import Company, link
from kit.browser.layout import moved_for_ms, watch_motion, ways_of_moving
from kit.browser.moments import DICE as TUMBLING
from kit.browser.moments import came, watch_coming
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

LONGEST_MS = 1_000
CHEAP = {"transform", "opacity"}  # what a browser moves without laying out or painting anew
DICE = {"drop", "tumble", "tumble-left", "tumble-back", "burst"}
NEWS = {"fall", "pulse", "strike", "left-half", "right-half", "dusk", "come", "appear"}
STORY = (
    {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 30},
    {"type": "roll_countdown", "countdown_id": "fever", "faces": [1] * 30},
    {"type": "roll_dice", "pool": 20, "faces": [3] * 20},
    {"type": "propose_check", "id": "leap", "character_id": "rook", "attribute": "Might"},
    {"type": "roll_check", "check_id": "leap", "faces": [6, 1, 4, 2, 5, 6, 6, 6, 1]},
    {"type": "start_countdown", "id": "fuse", "name": "Fuse", "pool": 3, "bound_to": "nothing", "ending": "a bang"},
    {"type": "roll_countdown", "countdown_id": "fuse", "faces": [6, 6, 1]},
    {"type": "roll_countdown", "countdown_id": "fuse", "faces": [6]},
    {"type": "start_clock", "id": "alarm", "name": "Alarm", "size": 2, "direction": "up"},
    {"type": "tick_clock", "clock_id": "alarm", "by": 2},
    {"type": "start_countdown", "id": "below", "name": "Below", "pool": 9, "visibility": "sealed"},
    {"type": "roll_countdown", "countdown_id": "below"},
    {"type": "reveal", "thing_id": "below"},
    {"type": "propose_total", "id": "lock", "character_id": "rook", "attribute": "Might"},
    {"type": "set_required", "total_id": "lock", "required": 30},
    {"type": "roll_total", "total_id": "lock", "faces": [1, 2, 3, 4, 5]},
    {"type": "offer_push", "total_id": "lock", "crisis": "physical"},
    {"type": "push_luck", "total_id": "lock", "faces": [5]},
)


async def watching(company: Company, table: Table, motion: str) -> Seat:
    """Open a spectator's page, with its stage ready."""
    eve = await company.come("eve", reduced_motion=motion)
    await watch_motion(eve.page)
    await watch_coming(eve.page, TUMBLING)
    await eve.open(link(table, "eve"))
    await eve.page.locator(".layer").wait_for(state="attached")
    return eve


async def tell(table: Table, watcher: Seat) -> None:
    """Let something of every kind happen before everyone's eyes, each when one who watches has seen the last."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.add_character("Rook", id="rook", attributes={"Might": 5})
        for order in STORY:
            await room.submit(order)
            await watcher.shows_what_the_server_says()


async def test_everything_moves_in_its_own_way_within_a_second_and_not_at_all_for_those_who_asked_for_stillness(
    company: Company, server: Server
):
    table = await open_table(server)
    eve, still = [await watching(company, table, motion) for motion in ("no-preference", "reduce")]
    dark = asyncio.create_task(still.page.locator(".moment.landed.crisis").wait_for())  # it goes again soon

    await tell(table, eve)

    async def moved() -> bool:
        return set(await ways_of_moving(eve.page)) >= DICE | NEWS

    await until(moved)
    assert "dice" in await came(eve.page)
    assert max(await moved_for_ms(eve.page)) <= LONGEST_MS
    assert {what for ways in (await ways_of_moving(eve.page)).values() for what in ways} <= CHEAP
    await dark
    await still.shows_what_the_server_says()
    assert [each for each in await moved_for_ms(still.page) if each > 1] == []
    assert await came(still.page) == {}
