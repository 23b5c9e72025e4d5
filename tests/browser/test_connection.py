"""What a page says and does where it has no table to show, no websocket opens, or its server or network goes away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, WebSocketRoute, expect

import dreadclock
from kit.browser.chromium import chromium, find_chromium
from kit.browser.company import Company, company_at, link
from kit.browser.labels import label
from kit.browser.moments import CUTS
from kit.browser.seat import Seat
from kit.links.namespaces import Network, needs_networks, network
from kit.rooms import Table, open_table
from kit.server import Server, running_server
from kit.waiting import until


async def told(seat: Seat, text: str) -> None:
    """Expect a sentence in place of the table."""
    await expect(seat.page.get_by_role("status").filter(has_text=text)).to_be_visible()


async def test_a_server_that_breaks_the_protocol_at_once_is_named(company: Company, table: Table):
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
    company: Company, table: Table, name: str, language: str, missing: str, said: str
):
    seat = await company.come(name, locale=f"{language}-DE")
    seat.complaints.forgive("net::ERR_FAILED")
    await seat.page.route(missing, lambda route: route.abort())
    await seat.page.goto(link(table, name))

    await told(seat, said)


async def test_what_the_server_says_wrong_before_the_page_is_there_is_shown_later(company: Company, table: Table):
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


BACK_WITHIN_MS = 60_000
BLOCKED = ("WebSocket connection to", "status of 426")
BLOCKER = f"{CUTS} window.__isCut = !sessionStorage.isFree;"

REACH = Path(__file__).parents[2] / "client_sdk/js/reach.js"
DIAGNOSE = """
async ([source, address]) =>
  (await import(`data:text/javascript,${encodeURIComponent(source)}`)).diagnose(address)
"""


@pytest_asyncio.fixture(loop_scope="session")
async def crowd(
    browser: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Company, Server]]:
    """Whoever comes to a process that takes one connection of an address."""
    data = tmp_path_factory.mktemp("narrow") / "data"
    environment = {"DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": "1"}
    async with (
        running_server(data, store=server.store_url, environment=environment) as narrow,
        company_at(browser, narrow) as company,
    ):
        yield company, narrow


async def test_a_page_says_what_stops_its_websocket_and_comes_in_again(company: Company, server: Server):
    ann = await company.come("ann")
    ann.complaints.forgive(*BLOCKED)
    await ann.page.add_init_script(BLOCKER)
    await ann.page.goto(link(await open_table(server), "ann"))

    await expect(ann.page.get_by_role("status")).to_have_text(label("over.blocked"))
    await ann.page.evaluate("() => { sessionStorage.isFree = 'yes'; }")
    await ann.button(label("over.again")).click()
    await ann.arrived()

    await ann.page.evaluate("() => window.__cut()")
    await expect(ann.page.locator("[data-connection=away]")).to_have_text(label("over.blocked"))
    await ann.page.evaluate("() => { window.__isCut = false; }")
    await ann.stands("open")


async def test_a_page_of_another_origin_hears_only_that_a_server_answers(browser: Browser, origin: str, server: Server):
    page = await browser.new_page()
    await page.goto(origin)

    found = await page.evaluate(DIAGNOSE, [REACH.read_text(), f"{server.url.replace('http', 'ws')}/ws/room"])
    await page.close()

    assert found == {"obstacle": "blocked_or_limit", "retryMs": 10_000}


async def test_a_page_for_which_there_is_no_connection_left_says_so_and_comes_in_later(crowd: tuple[Company, Server]):
    company, narrow = crowd
    table = (await open_table(narrow)).at(narrow)
    eve = await company.come("eve")
    eve.complaints.forgive("WebSocket connection to", "status of 429")
    async with table.connected("ann"):
        await eve.page.clock.install()
        await eve.page.goto(link(table, "eve"))
        await expect(eve.page.get_by_role("status")).to_have_text(label("over.limit"))

    await eve.page.clock.fast_forward(BACK_WITHIN_MS)
    await eve.stands("open")


# What the browser says of a server that is away, or is back as the page asks what keeps its websocket from it.
LOST = ("WebSocket connection to", "net::ERR_", "426 (Upgrade Required)")
_TO_THE_END = "() => scrollTo(0, document.documentElement.scrollHeight)"
_ON_TOP = """
(each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def survivors(browser: Browser, mortal: Server) -> AsyncIterator[Company]:
    """Whoever sits at the table of a server that is killed."""
    async with company_at(browser, mortal) as company:
        yield company


async def test_a_killed_server_comes_back_and_what_was_pressed_meanwhile_is_done_once(
    survivors: Company, mortal: Server
):
    table = await open_table(mortal)
    seats = await survivors.sit(table, "gm", "ann")
    stream = await survivors.come("stream")
    stream.complaints.forgive(*LOST)
    await stream.page.goto(link(table, "eve").replace("/r/", "/o/"))
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Fever", 12, id="fever", owner=table.seat("ann"))
        await room.start_clock("Guards", 6, id="guards")
        await room.start_countdown("Mole", 12, id="gm-mole", visibility="gm")
    for seat in seats.values():
        await seat.shows_what_the_server_says()
        seat.complaints.forgive(*LOST)

    await mortal.kill()
    for seat in seats.values():
        await seat.stands("away")
        await seat.page.evaluate(_TO_THE_END)
        assert await seat.page.locator("[data-connection=away]").evaluate(_ON_TOP), f"hidden from {seat.name}"
    lost = stream.page.get_by_role("img", name=label("reconnecting"))
    await lost.wait_for()
    await seats["ann"].press("my.roll", seats["ann"].thing("countdown:fever"), dice=12)
    guards = seats["gm"].thing("clock:guards")
    await guards.locator(".press").click(click_count=3)
    await expect(guards.locator(".dial .value")).to_have_text("3")
    await mortal.start()

    for seat in seats.values():
        await seat.stands("open")
    await stream.page.locator("[data-overlay=open]").wait_for(state="attached")
    assert await lost.count() == 0
    await seats["gm"].thing("countdown:fever").get_by_label(label("last_roll", faces="")).wait_for()
    for seat in seats.values():
        await seat.shows_what_the_server_says()
    log = await table.log("gm")
    assert [sum(f'"{each}"' in text for text in log) for each in ("countdown_rolled", "clock_ticked")] == [1, 3]


SILENT_FOR_MS = 51_000  # 45 s, and a look every 5 s
# 426: the page asks what keeps its websocket away, and the network is back already.
EXPECTED = (
    "WebSocket connection to",
    "net::ERR_",
    "status of 426",
    "Cross-Origin-Opener-Policy header has been ignored",
)


@pytest_asyncio.fixture(loop_scope="session")
async def net(server: Server) -> AsyncIterator[Network]:
    async with network(server.port) as net:
        yield net


@pytest_asyncio.fixture(loop_scope="session")
async def far(net: Network, tmp_path: Path) -> AsyncIterator[Browser]:
    """A browser in the namespace."""
    path = find_chromium()
    assert path is not None
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec {" ".join(net.command)} {path} "$@"\n')
    program.chmod(0o755)
    async with chromium(program, draws=False) as far:
        yield far


@pytest_asyncio.fixture(loop_scope="session")
async def remote(far: Browser, server: Server) -> AsyncIterator[Company]:
    """Whoever comes by that network."""
    async with company_at(far, server) as company:
        yield company


@needs_networks
async def test_a_page_leaves_a_network_that_went_silent(table: Table, net: Network, remote: Company):
    ann = await remote.come("ann")
    ann.complaints.forgive(*EXPECTED)
    await ann.page.clock.install()
    await ann.open(link(table, "ann"))
    await ann.page.evaluate(_NOTES_STATES)
    for silence, heal, missed in ((net.cut, net.heal, "fever"), (net.forget_flows, lambda: None, "chill")):
        silence()
        async with dreadclock.connect(link(table, "gm")) as gm:
            await gm.start_countdown(missed, 12, id=missed)

        await ann.page.evaluate("() => { window.__states = []; }")
        await ann.page.clock.run_for(SILENT_FOR_MS)
        await until(lambda: was_doubtful(ann))
        heal()
        await ann.page.clock.run_for(1_000)
        await ann.stands("open")
        await ann.thing(f"countdown:{missed}").wait_for()


async def was_doubtful(ann: Seat) -> bool:
    """Tell whether the page said that its connection is away."""
    return bool(await ann.page.evaluate("() => window.__states.includes('away')"))


_NOTES_STATES = """
() => {
  window.__states = [];
  const look = () => window.__states.push(document.querySelector("[data-connection]").dataset.connection);
  new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
}
"""


PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<!doctype html>"
PLAY = """
async (server) => {
  const { connect } = await import(`${server}/assets/client/dreadclock.js`);
  const { openRoom, invite, log, odds } = await import(`${server}/assets/client/rest.js`);
  const { gm } = await openRoom(server, { title: "From elsewhere" });
  const { link } = await invite(gm.link, { role: "player", name: "Ines" });
  const room = await connect(link);
  await room.submit({ type: "roll_dice", pool: 3 });
  room.close();
  const lines = await log(link);
  const { mean_rolls: { decimal: mean } } = await odds(server, "countdown", { pool: 4, speed: "slow" });
  return { rolled: lines.some((line) => line.includes('"dice_rolled"')), mean };
}
"""
COME = """
async ({ server, link, change }) => {
  const { connect } = await import(`${server}/assets/client/dreadclock.js`);
  const name = Object.keys(localStorage).find((key) => key.startsWith("dreadclock.head/"));
  if (change) localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), ...change }));
  const room = await connect(link);
  const until = async (holds) => { while (!holds()) await new Promise((done) => setTimeout(done, 20)); };
  if (change) await until(() => room.forked || room.unchecked);
  else {
    await room.submit({ type: "roll_dice", pool: 3 });
    await until(() => Object.keys(localStorage).some((key) => key.startsWith("dreadclock.head/")));
  }
  room.close();
  return { forked: room.forked?.sentence ?? null, unchecked: room.unchecked !== null };
}
"""
REFUSED = "(server) => fetch(`${server}/api/version`).then(() => 'read', String)"


@asynccontextmanager
async def page_elsewhere() -> AsyncIterator[str]:
    """Serve an empty page, and give its origin."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PAGE)
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listener:
        yield f"http://localhost:{listener.sockets[0].getsockname()[1]}"


async def test_an_allowed_page_plays_and_raises_an_alarm_at_another_past(browser: Browser, tmp_path: Path):
    async with page_elsewhere() as origin:
        settings = {"DREADCLOCK_ALLOWED_ORIGINS": origin}
        async with running_server(tmp_path / "data", environment=settings) as server:
            table = await open_table(server)
            page = await browser.new_page()
            await page.goto(origin)
            played = await page.evaluate(PLAY, server.url)
            asked = {"server": server.url, "link": f"{server.url}/r/{table.id}#{table.token('ann')}"}
            await page.evaluate("() => localStorage.clear()")
            first = await page.evaluate(COME, asked)
            again = await page.evaluate(COME, {**asked, "change": {"hash": "0" * 64}})  # as if the log had been changed
            await page.close()

    assert played["rolled"]
    assert played["mean"] > 0
    assert first == {"forked": None, "unchecked": False}
    assert again == {"forked": "This log is not the one that was shown here before.", "unchecked": False}


async def test_another_page_reads_nothing(browser: Browser, server: Server):
    async with page_elsewhere() as origin:
        page = await browser.new_page()
        await page.goto(origin)
        assert "TypeError" in await page.evaluate(REFUSED, server.url)
        await page.close()
