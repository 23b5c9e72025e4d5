"""Dice are seen to settle, shortly, and not at all by those who asked for stillness."""

import dreadclock
from kit.browser.company import Company, link
from kit.browser.layout import moved_for_ms, watch_motion
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

LONGEST_MS = 900


async def roll_everything(table: Table) -> None:
    """Roll something of every kind, before everyone's eyes."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        for order in (
            {"type": "add_character", "id": "rook", "name": "Rook", "attributes": {"Might": 5}},
            {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 30},
            {"type": "roll_countdown", "countdown_id": "fever"},
            {"type": "start_countdown", "id": "below", "name": "Below", "pool": 5, "visibility": "sealed"},
            {"type": "roll_countdown", "countdown_id": "below"},
            {"type": "roll_dice", "pool": 20},
            {"type": "propose_check", "id": "leap", "character_id": "rook", "attribute": "Might"},
            {"type": "roll_check", "check_id": "leap"},
            {"type": "propose_total", "id": "lock", "character_id": "rook", "attribute": "Might"},
            {"type": "set_required", "total_id": "lock", "required": 30},
            {"type": "roll_total", "total_id": "lock"},
            {"type": "offer_push", "total_id": "lock"},
            {"type": "push_luck", "total_id": "lock"},
        ):
            await room.submit(order)


async def test_dice_settle_within_the_time_they_have(company: Company, server: Server):
    table = await open_table(server)
    eve = await company.come("eve", reduced_motion="no-preference")
    await watch_motion(eve.page)
    await eve.open(link(table, "eve"))

    await roll_everything(table)
    await eve.shows_what_the_server_says()

    async def moved() -> bool:
        return len(await moved_for_ms(eve.page)) > 0

    await until(moved)
    assert max(await moved_for_ms(eve.page)) <= LONGEST_MS


async def test_nothing_moves_for_those_who_asked_for_stillness(company: Company, server: Server):
    table = await open_table(server)
    eve = await company.come("eve", reduced_motion="reduce")
    await watch_motion(eve.page)
    await eve.open(link(table, "eve"))

    await roll_everything(table)
    await eve.shows_what_the_server_says()

    assert [each for each in await moved_for_ms(eve.page) if each > 1] == []


async def test_dice_of_a_first_picture_lie_still(company: Company, server: Server):
    table = await open_table(server)
    await roll_everything(table)
    eve = await company.come("eve", reduced_motion="no-preference")
    await watch_motion(eve.page)

    await eve.open(link(table, "eve"))
    await eve.shows_what_the_server_says()

    assert await eve.page.locator(".settles").count() == 0
