"""A link that opens nothing: one page for every cause, which offers to knock; and addresses where there is no page."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import httpx
from playwright.async_api import Page, Request, WebSocket, expect

from kit.browser.axe import violations
from kit.browser.company import Company
from kit.browser.labels import label
from kit.rooms import Table, http_client, open_table
from kit.server import Server
from kit.waiting import until

_STORED = "() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])"


async def _dead_links(server: Server, table: Table) -> Mapping[str, str]:
    """Return a link for each cause, by what is wrong with it."""
    async with http_client(server) as http:
        http.headers["Authorization"] = f"Bearer {table.token('gm')}"
        invite = {"role": "player", "name": "Ines"}
        made = [
            (await http.post(f"/api/rooms/{table.id}/invites", json=invite | more)).json()
            for more in ({"expires_s": 1}, {})
        ]
        links = [re.sub("^[^/]*//[^/]*", "", each["link"]) for each in made]
        await http.delete(f"/api/rooms/{table.id}/tokens/{made[1]['token_id']}")
        for link in links:
            await until(partial(_opens_nothing, http, table, link))
    token = table.token("eve")
    other = await open_table(server)
    return {
        "expired": links[0],
        "revoked": links[1],
        "mistyped token": f"/r/{table.id}#{token[::-1]}",
        "cut token": f"/r/{table.id}#{token[:17]}",
        "another room's": f"/r/{other.id}#{token}",
        "unknown room": f"/r/{table.id[::-1]}#{token}",
        "mistyped room": f"/r/{table.id[:-1]}1#{token}",
        "cut room": f"/r/{table.id[:9]}#{token}",
    }


async def _opens_nothing(http: httpx.AsyncClient, table: Table, link: str) -> bool:
    token = link.partition("#")[2]
    return (await http.get(f"/api/rooms/{table.id}", headers={"Authorization": f"Bearer {token}"})).status_code == 401


def _note(page: Page, asked: list[str]) -> None:
    """Note the address of each request and websocket of a page."""

    def on_request(request: Request) -> None:
        asked.append(request.url)

    def on_websocket(socket: WebSocket) -> None:
        asked.append(socket.url)

    page.on("request", on_request)
    page.on("websocket", on_websocket)


async def test_every_link_that_opens_nothing_is_answered_alike_with_the_causes_and_the_knock(
    company: Company, server: Server
):
    table = await open_table(server)
    seen: dict[str, Any] = {}
    for cause, link in (await _dead_links(server, table)).items():
        visitor = await company.come(cause)
        visitor.complaints.forgive("ConnectionEnded")
        asked: list[str] = []
        room = link.removeprefix("/r/").partition("#")[0]
        _note(visitor.page, asked)
        await visitor.page.goto(link)
        await expect(visitor.page.get_by_role("heading", name=label("knock.dead"))).to_be_visible()
        await visitor.page.wait_for_load_state("networkidle")
        main = (await visitor.page.locator("main").inner_html()).replace(room, "ROOM")
        kept = (await visitor.page.evaluate(_STORED)).replace(room, "ROOM")
        seen[cause] = (
            re.sub(r"<!--.*?-->", "", main),
            sorted(each.partition("#")[0].replace(room, "ROOM") for each in asked),
            kept,
            visitor.page.url.replace(room, "ROOM"),
        )
        if cause == "expired":
            assert not (found := await violations(visitor.page)), "\n".join(found)

    first = seen["expired"]
    assert {cause: what for cause, what in seen.items() if what != first} == {}
    for key in ("knock.dead.whole", "knock.dead.over", "knock.dead.gone", "knock.dead.ask"):
        assert label(key).replace("'", "&#39;") in first[0] or label(key) in first[0]


async def test_whoever_has_a_dead_link_knocks_and_is_let_in(company: Company, server: Server):
    table = await open_table(server)
    gm = (await company.sit(table, "gm"))["gm"]
    ines = await company.come("ines")
    ines.complaints.forgive("ConnectionEnded")
    await ines.page.goto(f"/r/{table.id}#{table.token('eve')[::-1]}")
    await ines.fill(ines.page.locator("main"), {"knock.name": "Ines", "knock.wants": "knock.wants.player"})
    await ines.button(label("knock.send")).click()
    card = gm.page.locator("[data-thing^='knock:']")

    await card.get_by_role("button").first.click()

    await ines.arrived()
    await ines.page.reload()
    await ines.arrived()


async def test_an_address_without_a_page_is_answered_by_one_in_both_languages(company: Company):
    visitor = await company.come("visitor")
    visitor.complaints.forgive("404")

    answer = await visitor.page.goto("/nothing/here")

    assert answer is not None
    assert answer.status == 404
    assert await visitor.page.evaluate("getComputedStyle(document.querySelector('main')).display") == "grid"
    await expect(visitor.page.locator("[lang=de]").first).to_be_visible()
    assert not (found := await violations(visitor.page)), "\n".join(found)
    await visitor.page.get_by_role("link").click()
    await expect(visitor.page.get_by_role("heading", name="Dreadclock")).to_be_visible()
