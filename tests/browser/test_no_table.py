"""A page that has no table to show says why, and never only waits."""

import asyncio

import pytest
from playwright.async_api import Route, WebSocketRoute, expect

from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import open_table
from kit.server import Server


async def told(seat: Seat, text: str) -> None:
    """Expect a sentence in place of the table."""
    await expect(seat.page.get_by_role("status").filter(has_text=text)).to_be_visible()


async def test_a_server_that_breaks_the_protocol_at_once_is_named(company: Company, server: Server):
    table = await open_table(server)
    eve = await company.come("eve")
    welcomes: list[str | bytes] = ["no JSON", '{"type": "welcome"}', b"\0"]
    await eve.page.route_web_socket("**/ws/**", lambda socket: socket.on_message(lambda _: socket.send(welcomes[0])))
    await eve.page.goto(link(table, "eve"))
    while welcomes:
        await told(eve, label("alarm", what=""))
        welcomes.pop(0)
        if welcomes:
            await eve.page.reload()


@pytest.mark.parametrize(
    ("name", "language", "missing", "said"),
    [
        ("eve", "de", "**/labels/table.de.json", "Lade die Seite neu, um es noch einmal zu versuchen."),
        ("eve", "en", "**/opening*.js", "Reload the page to try again."),
        ("gm", "en", "**/labels/gm.en.json", label("over.unreachable")),
    ],
)
async def test_a_page_without_words_or_that_did_not_all_come_says_that_the_server_cannot_be_reached(
    company: Company, server: Server, name: str, language: str, missing: str, said: str
):
    table = await open_table(server)
    seat = await company.come(name, locale=f"{language}-DE")
    seat.complaints.forgive("net::ERR_FAILED")
    await seat.page.route(missing, lambda route: route.abort())
    await seat.page.goto(link(table, name))

    await told(seat, said)


async def test_what_the_server_says_wrong_before_the_page_is_there_is_shown_later(company: Company, server: Server):
    table = await open_table(server)
    eve = await company.come("eve")
    eve.complaints.forgive("ProtocolViolation")
    again = asyncio.Event()

    def lie(socket: WebSocketRoute) -> None:
        truth = socket.connect_to_server()
        if lies:  # the page has read it, and comes back
            again.set()
            return

        def tell(frame: str | bytes) -> None:
            socket.send(frame)
            if not lies:
                lies.append(frame)
                socket.send('{"type": "events"}')

        truth.on_message(tell)

    async def late(route: Route) -> None:
        await again.wait()
        await route.continue_()

    lies: list[str | bytes] = []
    await eve.page.route_web_socket("**/ws/**", lie)
    await eve.page.route("**/opening*.js", late)
    await eve.open(link(table, "eve"))

    await expect(eve.page.get_by_role("alert")).to_contain_text("events: ")
