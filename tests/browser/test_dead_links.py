"""A link that opens nothing: one page for every cause, which offers to knock; and addresses where there is no page."""

import asyncio
import re
from collections.abc import Mapping

from playwright.async_api import Page, Request, WebSocket, expect

from kit.browser.axe import violations
from kit.browser.company import Company
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table

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


async def test_every_link_that_opens_nothing_is_answered_alike_with_the_causes_and_the_knock(
    company: Company, table: Table
):
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
