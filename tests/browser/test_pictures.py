"""Every page shows every thing as the server has it, and nothing of what only the gm knows reaches another one."""

import os

import dreadclock
from kit.browser.company import Company, link
from kit.browser.secrets import MARKS
from kit.evenings.prepared import evening_orders
from kit.rooms import Table, open_table
from kit.server import Server

ROLES = ("gm", "ann", "eve")  # a gm, a player, a spectator
EVERY = int(os.environ.get("DREADCLOCK_LOOK_EVERY", "3"))  # commands; 1 looks at the page after each of them
PHYSICAL = {"type": "set_policy", "physical_dice": "everyone"}


async def test_an_evening_is_on_the_pages_as_it_goes_on_and_no_secret_on_the_wrong_ones(
    company: Company, server: Server
):
    table = await open_table(server)
    seats = await company.sit(table, *ROLES)
    async with dreadclock.connect(link(table, "gm")) as room:
        for step, order in enumerate([PHYSICAL, *evening_orders()]):
            await room.submit(order)
            if step % EVERY == 0:
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
