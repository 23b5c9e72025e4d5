"""Every page shows every thing as the server has it, and nothing of what only the gm knows reaches another one."""

import dreadclock
from kit.browser.company import Company, link
from kit.browser.secrets import MARKS
from kit.prepared import evening_orders
from kit.rooms import Table, open_table
from kit.server import Server

ROLES = ("gm", "ann", "eve")  # a gm, a player, a spectator
PHYSICAL = {"type": "set_policy", "physical_dice": "everyone"}


async def test_every_step_of_an_evening_is_on_the_pages_and_no_secret_on_the_wrong_ones(
    company: Company, server: Server
):
    table = await open_table(server)
    seats = await company.sit(table, *ROLES)
    async with dreadclock.connect(link(table, "gm")) as room:
        for order in [PHYSICAL, *evening_orders()]:
            await room.submit(order)
            await seats["eve"].shows_what_the_server_says()

    for name, seat in seats.items():
        await seat.shows_what_the_server_says()
        known = await seat.everything_it_knows()
        for secret in MARKS:
            assert (secret in known) is (name == "gm"), f"{name} and {secret}"
            assert seat.wire.holds(secret) is (name == "gm"), f"{name} was sent {secret}"


async def test_a_page_that_comes_late_shows_the_same(company: Company, evening: Table):
    for seat in (await company.sit(evening, *ROLES)).values():
        await seat.shows_what_the_server_says()
