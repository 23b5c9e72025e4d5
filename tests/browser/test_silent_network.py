"""A page whose network goes silent shows that, and comes back: Chromium in a network namespace."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser

import dreadclock
from kit.browser.chromium import chromium, find_chromium
from kit.browser.company import Company, company_at, link
from kit.browser.seat import Seat
from kit.links.namespaces import Network, needs_networks, network
from kit.rooms import open_table
from kit.server import Server
from kit.waiting import until

pytestmark = needs_networks
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


async def test_a_page_leaves_a_network_that_went_silent(server: Server, net: Network, remote: Company):
    table = await open_table(server)
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
