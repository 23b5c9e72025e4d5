"""The extension for Owlbear Rodeo, in a stub of its host around the real SDK."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

import dreadclock
from dreadclock.client.links import Link
from kit.browser.complaints import Asked
from kit.browser.labels import label
from kit.owlbear import TABLE, Guest, Owlbear
from kit.server import Server, running_server

SECRET = "What wakes below"
KEPT = "(table) => JSON.parse(localStorage.getItem(`dreadclock:owlbear:${table}:seat`))"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def framed(origin: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server whose pages the host's may hold in frames."""
    environment = {"DREADCLOCK_FRAME_ANCESTORS": origin}
    async with running_server(tmp_path_factory.mktemp("owlbear") / "data", environment=environment) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def owlbear(browser: Browser, origin: str, framed: Server) -> AsyncIterator[Owlbear]:
    """A table at the host to which nobody has come yet."""
    host = Owlbear(browser, origin, framed.url)
    yield host
    await asyncio.gather(*(guest.page.context.close() for guest in host.guests))


async def link_of(guest: Guest) -> str:
    """Return the link of the seat that somebody's browser keeps."""
    frame = next(each for each in guest.page.frames if each.url.startswith(f"{guest.server}/owlbear/background"))
    kept = await frame.evaluate(KEPT, TABLE)
    return str(Link(guest.server, kept["room"], kept["token"]))


async def open_room(owlbear: Owlbear) -> Guest:
    """Let the gm open a room for the table."""
    gm = await owlbear.seat("Mara", "GM")
    await gm.open()
    await gm.popover.get_by_label(label("home.title")).fill("The Sunken Chapel")
    await gm.popover.get_by_role("button", name=label("home.open_send")).click()
    await expect(gm.popover.locator("main[data-role=gm]")).to_be_visible()
    return gm


async def knock(owlbear: Owlbear, name: str) -> tuple[Guest, str]:
    """Let somebody who says to be a gm at the host, which opens nothing, ask for a seat, and return the code shown."""
    guest = await owlbear.seat(name, "GM")
    await guest.open()
    await expect(guest.popover.get_by_label(label("knock.name"))).to_have_value(name)
    await guest.popover.get_by_role("button", name=label("knock.send")).click()
    code = guest.popover.locator(".code")
    await expect(code).to_be_visible()
    return guest, (await code.text_content()) or ""


async def test_a_table_is_opened_joined_by_a_knock_and_played_in_the_hosts_frames(owlbear: Owlbear):
    gm = await open_room(owlbear)
    await expect(gm.popover.get_by_text(label("gm.beginning.knocked"))).to_be_visible()
    await gm.close()
    ines, code = await knock(owlbear, "Ines")
    await expect(gm.page.locator("#badge")).to_have_text("1")  # a gm sees it with the popover closed, too
    await gm.open()
    await expect(gm.popover.get_by_text(code)).to_be_visible()
    await ines.close()
    await ines.open()
    await expect(ines.popover.locator(".code")).to_have_text(code)
    await gm.popover.get_by_role("button", name=label("gm.knock.seat.player")).click()
    await expect(ines.popover.locator("main[data-role=player]")).to_be_visible()
    screens = ines.popover.locator(".screens button")
    await expect(screens).to_have_text([label(f"my.screen.{name}") for name in ("table", "me", "story")])
    await expect(screens.first).to_have_attribute("aria-pressed", "true")
    await expect(ines.popover.locator(".mine")).to_be_hidden()
    await expect(ines.popover.get_by_text(label("table.empty"))).to_be_visible()

    async with dreadclock.connect(await link_of(gm)) as room:
        await room.start_countdown(SECRET, pool=3, visibility="gm")
        await room.start_countdown("Air", pool=30, id="air", owner="player-1", bound_to="turn")
        await expect(ines.page.locator("#badge")).to_have_text("1")
        await ines.popover.locator('[data-bar="roll"]').click()
        await ines.popover.locator('[data-thing="countdown:air"] .button.big').first.click()
        await expect(ines.page.locator("#badge")).to_have_text("")
        await room.wait_for(lambda view: bool(view.countdowns["air"].last_faces))

    await nothing_leaked(owlbear, gm, ines)


async def nothing_leaked(owlbear: Owlbear, gm: Guest, ines: Guest) -> None:
    """Look for tokens and what only the gm knows in all that the host and its players hold."""
    tokens = [(await link_of(guest)).partition("#")[2] for guest in (gm, ines)]
    shared = json.dumps(owlbear.metadata) + "".join(await gm.heard() + await ines.heard())
    of_ines = "".join([await frame.content() for frame in ines.page.frames])
    stored = "".join([await frame.evaluate("JSON.stringify({...localStorage})") for frame in ines.page.frames])

    assert [token for token in tokens if token in shared] == []
    assert [secret for secret in (SECRET, tokens[0]) if secret in shared + of_ines + stored] == []
    assert owlbear.metadata == {"dreadclock/table": {"room": (await link_of(gm)).partition("/r/")[2].partition("#")[0]}}


async def test_metadata_without_a_room_are_passed_over_and_a_link_to_another_server_is_not_sent_here(owlbear: Owlbear):
    owlbear.metadata = {"dreadclock/table": {"room": "../evil"}}
    guest = await owlbear.seat("Ines", mode="LIGHT")
    asked = Asked(guest.page)
    await guest.open()
    await expect(guest.popover.get_by_text(label("owlbear.not_yet"))).to_be_visible()
    await expect(guest.popover.locator("html")).to_have_attribute("data-theme", "light")  # as the host's is
    await guest.popover.get_by_text(label("owlbear.have_link")).click()
    await guest.popover.get_by_label(label("home.link")).fill(f"https://other.example/r/{'a' * 26}#{'t' * 22}")
    await guest.popover.get_by_role("button", name=label("home.go_send")).click()

    await expect(guest.popover.get_by_text(label("owlbear.other_server"))).to_be_visible()
    assert not [url for url in asked.urls if "a" * 26 in url or "other" in url]
