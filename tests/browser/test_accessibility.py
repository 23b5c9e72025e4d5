"""axe-core finds nothing wrong with any page, in light and in dark, and every label and sentence is there."""

from collections.abc import Sequence

import pytest
import pytest_asyncio

import dreadclock
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import keys_read
from kit.browser.layout import unfold_each_kind
from kit.browser.scene import flooded_vault
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1366, "height": 768}


async def faultless(seat: Seat, *, rules: Sequence[str] = ()) -> None:
    """See that axe-core finds nothing, by all its rules or by some."""
    found = await violations(seat.page, rules)
    assert not found, "\n".join(found)


async def faultless_enlarged(seat: Seat) -> None:
    """See that nothing is wrong with text twice as large."""
    found = await violations_enlarged(seat.page)
    assert not found, "\n".join(found)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def vault(server: Server) -> Table:
    """A table in mid-game, with what waits for the gm, what only she knows, and what is over."""
    table = await flooded_vault(server)
    check = {"type": "propose_check", "character_id": "rook"}
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.start_countdown("The beast", 30, id="gm-beast", visibility="gm")
        await room.add_character("The warden", id="gm-warden", visibility="gm", attributes={"Aim": 4})
        await room.start_clock("The tide", 6, id="tide", visibility="sealed")
        await room.start_clock("The ladder", 6, id="ladder")
        await room.cancel("ladder", "It is gone.")
        await room.submit(check | {"id": "duel", "attribute": "Might", "contest": True, "purpose": "wrestle"})
    async with dreadclock.connect(link(table, "tom")) as room:
        await room.submit(check | {"id": "gate", "attribute": "Might", "purpose": "lift the gate"})
        total = {"type": "propose_total", "id": "climb", "character_id": "rook", "attribute": "Might"}
        await room.submit(total | {"purpose": "climb out"})
    return table


@pytest.mark.parametrize("name", ["gm", "tom"])
@pytest.mark.layout
async def test_a_table_has_no_violation_with_all_its_forms_even_on_a_phone(company: Company, vault: Table, name: str):
    seat = await company.come(name, color_scheme="light", viewport=PHONE, has_touch=True)
    await seat.open(link(vault, name))
    if name == "gm":
        await seat.page.locator("[data-place=desk]").wait_for()
    await unfold_each_kind(seat.page)

    assert await keys_read(seat.page) == []
    screens = seat.page.locator(".screens button")
    for number in range(await screens.count() or 1):
        if await screens.count():
            await screens.nth(number).click()
        await seat.page.emulate_media(color_scheme="light")
        await faultless(seat)
        await seat.page.emulate_media(color_scheme="dark")
        await faultless(seat, rules=("color-contrast",))
        await faultless_enlarged(seat)


async def test_the_overlay_has_no_violation(company: Company, vault: Table):
    seat = await company.come("stream")
    for theme in ("light", "dark"):
        await seat.page.goto(f"/o/{vault.id}?theme={theme}#{vault.token('wren')}")
        await seat.page.locator("[data-thing]").first.wait_for()
        await faultless(seat, rules=("color-contrast",) if theme == "dark" else ())
    await faultless_enlarged(seat)


async def test_the_ways_in_have_no_violation(company: Company, server: Server):
    seat = await company.come("gm", color_scheme="light", viewport=LAPTOP)
    fresh = await open_table(server)
    for address in ("/", f"/r/{fresh.id}", link(fresh, "gm"), "/rules/checks"):
        await seat.page.goto(address)
        await seat.page.locator("main :is(h1, h2, h3)").first.wait_for()
        if address == "/":
            await seat.press("home.open")
            await seat.unfold("home.policy")
        await faultless(seat)
        await seat.page.emulate_media(color_scheme="dark")
        await faultless(seat, rules=("color-contrast",))
        await faultless_enlarged(seat)
        await seat.page.emulate_media(color_scheme="light")
