"""Every page shows every thing as the server has it, and nothing of what only the gm knows reaches another one."""

import asyncio
import os

import dreadclock
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import keys_read
from kit.browser.seat import Seat
from kit.browser.secrets import GMS_ALONE, MARKS
from kit.evenings.prepared import evening_orders
from kit.rooms import Table
from kit.strategies.picks import Fields

EVERY = int(os.environ.get("DREADCLOCK_LOOK_EVERY", "12"))  # commands; 1 looks at the page after each of them
BEGINNING: list[Fields] = [
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "start_clock", "id": "horn", "name": "The horn", "size": 4},
    {"type": "attach_consequence", "of": {"kind": "clock", "id": "horn"}, "when": {"when": "end"}}
    | {"do": [{"does": "tell", "text": "It blows."}]},
]
LAPTOP = {"width": 1366, "height": 768}


async def test_an_evening_is_on_the_pages_as_it_goes_on_and_no_secret_on_the_wrong_ones(company: Company, table: Table):
    seats = dict(await company.sit(table, "eve", color_scheme="light", viewport=LAPTOP))
    orders = [*BEGINNING, *evening_orders()]
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for first in range(0, len(orders), EVERY):
            await asyncio.gather(*(room.submit(order) for order in orders[first : first + EVERY]))
            await seats["eve"].shows_what_the_server_says()

    seats |= await company.sit(table, "gm", "ann")  # who come late, and are told all at once
    for name, seat in seats.items():
        await seat.shows_what_the_server_says()
        assert await keys_read(seat.page) == []
        known = await seat.everything_it_knows()
        for secret in MARKS:
            assert name == "gm" or secret not in known, f"{name} and {secret}"
            assert seat.wire.holds(secret) is (name == "gm"), f"{name} was sent {secret}"
        for secret in GMS_ALONE:  # ids may also stand in a menu, which is drawn when it is opened
            assert (secret in known) is (name == "gm"), f"{name} and {secret}"
    await everything_can_be_read(seats["eve"])


async def everything_can_be_read(seat: Seat) -> None:
    """See that axe-core finds nothing, in light, in dark and with large letters, of all kinds of things."""
    await seat.open_all()
    assert await violations(seat.page) == []
    await seat.page.emulate_media(color_scheme="dark")
    assert await violations(seat.page, ("color-contrast",)) == []
    assert await violations_enlarged(seat.page) == []
