"""A full table is light enough for a phone, and asks nobody but its server for anything."""

from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from kit.browser.company import Company, link
from kit.browser.complaints import Asked
from kit.browser.full_table import full_table
from kit.rooms import Table
from kit.server import Server

KIB = 1024
AT_MOST = 220 * KIB


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """A room with 20 countdowns, 10 clocks and 2,000 past events."""
    return await full_table(server)


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
async def test_a_full_table_is_light(company: Company, table: Table, figures: list[str], name: str):
    seat = await company.come_first(name)
    asked = Asked(seat.page)

    await seat.open(link(table, name))
    await seat.shows_what_the_server_says()

    loads = await asked.bytes_by_url()
    assert asked.elsewhere(urlsplit(table.server.url).netloc) == []
    total = sum(loads.values()) + seat.wire.bytes_of_frames()
    figures.append(f"a full table weighs {total / KIB:.0f} KiB for {name}, in {len(loads)} loads and the frames")
    assert total <= AT_MOST, sorted(((size, url) for url, size in loads.items()), reverse=True)[:12]
