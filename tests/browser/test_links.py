"""Links: the token of one that opens is nowhere that others find it; all that open nothing are answered alike."""

import asyncio
import re
from collections.abc import Mapping

from playwright.async_api import Page, Request, WebSocket, expect

from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.complaints import Asked
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server


async def test_the_token_is_in_no_address_history_lasting_storage_or_other_tab(
    company: Company, server: Server, table: Table
):
    eve = await company.come("eve")
    asked = Asked(eve.page)
    await eve.open(link(table, "eve"))

    assert eve.token == table.token("eve")
    assert eve.address == f"{server.url}/r/{table.id}"
    assert eve.token in (await eve.kept("sessionStorage")).values()
    assert eve.token not in str(await eve.kept("localStorage"))
    assert await eve.context.cookies() == []
    assert eve.address in asked.urls
    assert not [url for url in asked.urls if eve.token in url]
    assert eve.token not in await eve.page.content()

    tab = await eve.context.new_page()
    await tab.goto(eve.address)
    await tab.get_by_role("button", name=label("knock.send")).wait_for()
    assert await tab.locator("main[data-role]").count() == 0

    await eve.page.goto("/healthz")
    for back in (eve.page.go_back, eve.page.reload):  # to the same seat, without the token in sight
        await back()
        await eve.page.locator("main[data-role=spectator]").wait_for(state="attached")
        assert eve.address == f"{server.url}/r/{table.id}"


async def test_a_token_leaves_the_address_even_where_it_is_wrong(company: Company, server: Server, table: Table):
    eve = await company.come("eve")
    for address in (f"{link(table, 'eve')}).", link(table, "eve").replace("#", "%23")):
        await eve.page.goto(address)
        await eve.page.locator("main[data-role=spectator]").wait_for(state="attached")
        assert eve.address == f"{server.url}/r/{table.id}"
        await eve.page.goto("/healthz")
    for wrong in ("A" * 16, "A" * 100, "A" * 20 + "%22"):
        await eve.page.goto("/healthz")
        await eve.page.goto(f"/r/{table.id}#{wrong}")
        await eve.page.wait_for_function("() => location.hash === ''")


_STORED = "() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])"


def _dead_links(table: Table) -> Mapping[str, str]:
    """Return links by what is wrong with them; to the server, all causes are one (gateway/ws/test_hello.py)."""
    token = table.token("eve")
    return {
        "mistyped token": f"/r/{table.id}#{token[::-1]}",
        "cut token": f"/r/{table.id}#{token[:17]}",
        "unknown room": f"/r/{table.id[::-1]}#{token}",
        "cut room": f"/r/{table.id[:9]}#{token}",
    }


def _note(page: Page, asked: list[str]) -> None:
    """Note the address of each request and websocket of a page."""

    def on_request(request: Request) -> None:
        asked.append(request.url)

    def on_websocket(socket: WebSocket) -> None:
        asked.append(socket.url)

    page.on("request", on_request)
    page.on("websocket", on_websocket)


async def test_all_links_that_open_nothing_are_answered_alike_with_causes_and_a_knock(company: Company, table: Table):
    links = _dead_links(table)
    visitors = {cause: await company.come_first(cause) for cause in links}
    seen = dict(
        zip(links, await asyncio.gather(*(_shown(visitors[cause], link) for cause, link in links.items())), strict=True)
    )

    first = seen["mistyped token"]
    assert {cause: what for cause, what in seen.items() if what != first} == {}
    for key in ("knock.dead.whole", "knock.dead.over", "knock.dead.gone", "knock.dead.ask", "knock.send"):
        assert label(key).replace("'", "&#39;") in first[0] or label(key) in first[0]
    ines = visitors["mistyped token"]
    assert not (found := await violations(ines.page)), "\n".join(found)


async def _shown(visitor: Seat, link: str) -> tuple[str, list[str], str, str]:
    """Return what a page shows of a dead link, whom it asks, what it keeps and its address, without the room's id."""
    visitor.complaints.forgive("ConnectionEnded")
    asked: list[str] = []
    room = link.removeprefix("/r/").partition("#")[0]
    _note(visitor.page, asked)
    await visitor.page.goto(link)
    await expect(visitor.page.get_by_role("heading", name=label("knock.dead"))).to_be_visible()
    await visitor.page.wait_for_load_state("networkidle")
    main = (await visitor.page.locator("main").inner_html()).replace(room, "ROOM")
    return (
        re.sub(r"<!--.*?-->", "", main),
        sorted(each.partition("#")[0].replace(room, "ROOM") for each in asked),
        (await visitor.page.evaluate(_STORED)).replace(room, "ROOM"),
        visitor.page.url.replace(room, "ROOM"),
    )


async def test_an_address_without_a_page_is_answered_by_one_in_both_languages(company: Company):
    visitor = await company.come("visitor")
    visitor.complaints.forgive("404")

    answer = await visitor.page.goto("/nothing/here")

    assert answer is not None
    assert answer.status == 404
    await expect(visitor.page.locator("[lang=de]").first).to_be_visible()
    assert not (found := await violations(visitor.page)), "\n".join(found)
    await visitor.page.get_by_role("link").click()
    await expect(visitor.page.get_by_role("heading", name="Dreadclock")).to_be_visible()
