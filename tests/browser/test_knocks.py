"""Somebody without a link asks for a seat, and the gm's page answers."""

import re
from collections.abc import AsyncIterator
from functools import partial

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from kit.browser.axe import violations
from kit.browser.company import Company, company_at
from kit.browser.labels import label
from kit.browser.reuse import Places
from kit.browser.scripts import script
from kit.browser.seat import Seat
from kit.knocks import Knocker, knock_at
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

NAME = "Ines with a name"
PHONE = {"width": 360, "height": 740}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def company(browser: Browser, server: Server, places: Places) -> AsyncIterator[Company]:
    """Whoever comes in one of these tests."""
    async with company_at(browser, server, places) as company:
        yield company


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """One table for all tests: each leaves nobody who knocks."""
    return await open_table(server)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def gm(company: Company, table: Table) -> Seat:
    """The gm, whose page stays open."""
    return (await company.sit(table, "gm"))["gm"]


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def guests(company: Company, gm: Seat) -> AsyncIterator[None]:
    """Close the pages that a test opened; nobody's may have complained by then."""
    before = len(company.seats)
    yield
    complaints = [(seat.name, each) for seat in company.seats for each in seat.complaints.take()]
    await company.leave(*company.seats[before:])
    assert complaints == []


async def comes_without_a_link(company: Company, table: Table, name: str = "ines", **options: object) -> Seat:
    """Open the room's page without a token."""
    seat = await company.come(name, **options)
    await seat.page.goto(f"/r/{table.id}")
    await seat.field(label("knock.name")).wait_for()
    return seat


async def knocks(seat: Seat, name: str = "Ines", wants: str = "knock.wants.player") -> str:
    """Fill in the form, and return the code that is shown."""
    await seat.fill(seat.page.locator("main"), {"knock.name": name, "knock.wants": wants})
    shown = seat.page.locator("[data-part=code]")
    await seat.press("knock.send")
    return await shown.inner_text()


def knock_of(gm: Seat, name: str = "Ines") -> Locator:
    """Find the card of somebody who knocks."""
    return gm.page.locator(".card.knock").filter(has_text=label("gm.knock.of", name=name))


async def test_who_knocks_is_let_in_and_the_table_opens_by_itself(company: Company, table: Table, gm: Seat):
    ines = await comes_without_a_link(company, table)
    code = await knocks(ines, NAME)
    card = knock_of(gm, NAME)
    await expect(card).to_contain_text(code)
    await expect(gm.page).to_have_title(re.compile(r"^\(1\) "))
    assert "secret" in str(await ines.kept("sessionStorage"))

    await gm.press("gm.knock.seat.player", card)

    await ines.page.locator("main[data-role=player]").wait_for()
    await expect(card).to_have_count(0)
    assert "#" not in ines.page.url
    kept = await ines.kept("sessionStorage")
    assert list(kept) == [f"dreadclock:{table.id}"], "nothing is left of the knock"
    ines.link = f"{table.server.url}/r/{table.id}#{kept[f'dreadclock:{table.id}']}"
    seats = (await table.view())["channels"]["public"]["seats"]
    assert [seat["name"] for seat in seats.values() if seat["role"] == "player"] == ["Ann", "Ben", NAME]
    await ines.shows_what_the_server_says()


_WATCH = """
(() => {
  window.seen = [];
  const note = (what) => window.seen.at(-1) !== what && window.seen.push(what);
  new MutationObserver(() => {
    const main = document.querySelector("main");
    if (main?.matches("[data-role]")) note("table");
    if (main?.matches(".knock")) note("knock");
  }).observe(document, { childList: true, subtree: true });
  const close = BroadcastChannel.prototype.close;
  BroadcastChannel.prototype.close = function () {
    close.call(this);
    window.looked = true; // whether another tab sits here
  };
})()
"""


async def test_who_is_turned_away_may_knock_again_and_who_was_away_is_seated(company: Company, table: Table, gm: Seat):
    ines = await comes_without_a_link(company, table)
    await knocks(ines)

    await gm.press("gm.knock.away", knock_of(gm))

    await expect(ines.page.get_by_role("alert")).to_contain_text("turned you away")
    await knocks(ines, "Ines again")
    await knock_of(gm, "Ines again").wait_for()
    await ines.press("knock.withdraw")
    await expect(gm.page.locator("[data-place=knocks]")).to_have_count(0)
    await expect(ines.field(label("knock.name"))).to_be_visible()
    code = await knocks(ines, "Ines who looks on", wants="knock.wants.spectator")
    await ines.page.reload()
    await expect(ines.page.locator("[data-part=code]")).to_have_text(code)
    await ines.page.goto("/assets/icon.svg")
    await gm.press("gm.knock.seat.spectator", knock_of(gm, "Ines who looks on"))
    await ines.page.add_init_script(_WATCH)
    await ines.page.goto(f"/r/{table.id}")
    await ines.page.locator("main[data-role=spectator]").wait_for()
    await ines.page.wait_for_function("() => window.looked")
    await ines.page.evaluate(script("nextPicture"))
    assert await ines.page.evaluate("() => window.seen.at(-1)") == "table"
    other = await ines.context.new_page()  # of the same browser, which has a seat by now
    await other.goto(f"/r/{table.id}")
    sits = other.locator("[data-place=sits]")
    await expect(sits).to_contain_text(label("knock.sits", name="Ines who looks on"))
    await expect(sits.get_by_role("button")).to_have_count(0)  # a link stays in the tab that was given it
    assert await violations(other) == []
    await other.close()


async def test_a_name_that_is_taken_is_pointed_out_and_the_seat_can_be_given_again(table: Table, gm: Seat):
    before = (await table.view())["channels"]["public"]["seats"]
    ann = await knock_at(table.server, table.id, name="A n n", wants="player")
    card = knock_of(gm, "A n n")
    await expect(card).to_contain_text(label("gm.knock.alike", name="Ann"))
    form = await gm.unfold("gm.knock.otherwise", card)
    await gm.fill(form, {"gm.knock.which": "Ann"})

    await gm.press("gm.knock.give", form)

    await until(partial(is_seated, ann))
    assert (await table.view())["channels"]["public"]["seats"].keys() == before.keys()


async def is_seated(knocker: Knocker) -> bool:
    """Tell whether somebody who knocked has a seat."""
    return bool((await knocker.state())["state"] == "seated")


async def test_who_passes_for_the_gm_gets_in_under_another_name_only(table: Table, gm: Seat):
    other = await knock_at(table.server, table.id, name="GM", wants="player")
    card = knock_of(gm, "GM")
    await expect(card).to_contain_text(label("gm.knock.alike.gm"))
    assert await gm.button(label("gm.knock.seat.player"), card).count() == 0
    form = await gm.unfold("gm.knock.otherwise", card)
    await gm.fill(form, {"gm.knock.role": "gm.knock.role.spectator", "form.name": "Otto"})
    await gm.press("gm.knock.give", form)

    await until(partial(is_seated, other))
    seats = (await table.view())["channels"]["public"]["seats"]
    assert [seat["role"] for seat in seats.values() if seat["name"] == "Otto"] == ["spectator"]


async def test_a_program_gets_the_scopes_that_the_gm_ticks(table: Table, gm: Seat):
    module = await knock_at(table.server, table.id, name="Vault", wants="integration", client="Foundry VTT")
    card = knock_of(gm, "Vault")
    await expect(card).to_contain_text("Foundry VTT")
    form = await gm.unfold("gm.knock.otherwise", card)
    await gm.fill(form, {"gm.scope.turns": True})
    await gm.press("gm.knock.give", form)

    await until(partial(is_seated, module))
    seats = (await table.view())["channels"]["public"]["seats"]
    assert [seat["scopes"] for seat in seats.values() if seat["role"] == "integration"] == [["turns"]]


async def test_a_flood_is_folded_away_and_turned_away_at_once(table: Table, gm: Seat):
    guests = [await knock_at(table.server, table.id, name=f"Guest {number}") for number in range(5)]
    cards = gm.page.locator(".card.knock")
    await expect(gm.page).to_have_title(re.compile(r"^\(5\) "))
    await expect(cards).to_have_count(3)
    await gm.unfold("gm.knock.more", number=2)
    await expect(cards).to_have_count(5)

    await gm.press("gm.knock.none")
    await gm.press("gm.knock.none.yes")

    await expect(cards).to_have_count(0)
    assert {(await each.state())["state"] for each in guests} == {"turned_away"}


@pytest.mark.layout
async def test_both_pages_speak_german_too_and_have_no_violation_in_either_theme(company: Company, server: Server):
    table, german = await open_table(server), {"locale": "de-DE", "color_scheme": "light", "viewport": PHONE}
    gm = (await company.sit(table, "gm", **german))["gm"]
    ines = await company.come("ines", **german)
    await ines.page.goto(f"/r/{table.id}")
    await ines.page.get_by_label("Dein Name").fill("Ines")
    await ines.page.get_by_role("button", name="Anklopfen").click()
    away = gm.page.get_by_role("button", name="Abweisen")
    await gm.page.locator(".card.knock .actions > summary").click()
    await away.wait_for()
    await ines.page.locator("[data-part=code]").wait_for()

    for page, place in ((ines.page, ""), (gm.page, "[data-place=knocks]")):
        assert await violations(page, place=place) == []
        await page.emulate_media(color_scheme="dark")
        assert await violations(page, ("color-contrast",), place=place) == []
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await away.click()
    await expect(ines.page.get_by_role("alert")).to_have_text("Die Spielleitung hat dich abgewiesen.")
