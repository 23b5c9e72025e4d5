"""Every page shows every thing as the server has it, and nothing of what only the gm knows reaches another one."""

import os

import dreadclock
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import keys_read
from kit.browser.seat import Seat
from kit.browser.secrets import MARKS
from kit.evenings.prepared import evening_orders
from kit.rooms import Table

ROLES = ("gm", "ann", "eve")  # a gm, a player, a spectator
EVERY = int(os.environ.get("DREADCLOCK_LOOK_EVERY", "12"))  # commands; 1 looks at the page after each of them
PHYSICAL = {"type": "set_policy", "physical_dice": "everyone"}
LAPTOP = {"width": 1366, "height": 768}


async def test_an_evening_is_on_the_pages_as_it_goes_on_and_no_secret_on_the_wrong_ones(company: Company, table: Table):
    seats = await company.sit(table, *ROLES, color_scheme="light", viewport=LAPTOP)
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
    await a_page_that_comes_late_shows_the_same(company, table)
    await everything_can_be_read(seats["eve"])


async def a_page_that_comes_late_shows_the_same(company: Company, table: Table) -> None:
    """See that what a page is told at once is drawn like what others were told bit by bit."""
    late = (await company.sit(table, "gm"))["gm"]
    await late.shows_what_the_server_says()
    assert await keys_read(late.page) == []


async def everything_can_be_read(seat: Seat) -> None:
    """See that axe-core finds nothing, in light, in dark and with large letters, of all kinds of things."""
    await seat.open_all()
    assert await violations(seat.page) == []
    await seat.page.emulate_media(color_scheme="dark")
    assert await violations(seat.page, ("color-contrast",)) == []
    assert await violations_enlarged(seat.page) == []
