"""The people of one test, each in a browser context of their own."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from playwright.async_api import Browser

import dreadclock
from kit.browser.reuse import Places
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server

EVERYONE = ("gm", "ann", "ben", "eve")


class Company:
    """Opens pages on a server, and closes them all in the end."""

    present: ClassVar["Company | None"] = None

    def __init__(self, browser: Browser, server: Server, places: Places | None = None) -> None:
        self.seats: list[Seat] = []
        self.server = server
        self.motion = "reduce"  # dice lie at once, unless a test is about them: nothing waits for them to land
        self._places = places or Places(browser, idle=0)

    async def come(self, name: str, **options: Any) -> Seat:
        """Bring somebody with an empty page; `options` are the browser context's."""
        return await self._bring(name, options, new=False)

    async def come_first(self, name: str, **options: Any) -> Seat:
        """Bring somebody whose browser never loaded anything of this server, for a test that counts what it loads."""
        return await self._bring(name, options, new=True)

    async def _bring(self, name: str, options: dict[str, Any], *, new: bool) -> Seat:
        usual = {"base_url": self.server.url, "locale": "en-GB", "reduced_motion": self.motion}
        seat = Seat(name, self.server, await self._places.take(usual | options, new=new))
        self.seats.append(seat)
        return seat

    async def sit(self, table: Table, *names: str, **options: Any) -> Mapping[str, Seat]:
        """Bring people to their seats at a table: gm, ann and ben (players), eve (a spectator); all unless said."""
        names = names or EVERYONE
        seats = dict(zip(names, await asyncio.gather(*(self.come(name, **options) for name in names)), strict=True))
        await asyncio.gather(*(seat.open(link(table, name)) for name, seat in seats.items()))
        return seats

    async def seat(self, table: Table, name: str, **options: Any) -> Seat:
        """Bring one of them to their seat at a table."""
        return (await self.sit(table, name, **options))[name]

    async def leave(self, *seats: Seat) -> None:
        """Let people leave their pages."""
        await asyncio.gather(*(self._places.give_back(seat.place) for seat in seats))
        self.seats = [seat for seat in self.seats if seat not in seats]

    async def close(self) -> None:
        """Let everybody leave."""
        await self.leave(*self.seats)

    def complaints(self) -> list[str]:
        """Return all that the pages complained of."""
        return [f"{seat.name}: {complaint}" for seat in self.seats for complaint in seat.complaints.heard]


@asynccontextmanager
async def company_at(browser: Browser, server: Server, places: Places | None = None) -> AsyncIterator[Company]:
    """Gather a company for as long as the block lasts; by its end nobody's page may have complained of anything."""
    Company.present = company = Company(browser, server, places)
    try:
        yield company
    finally:
        Company.present = None
        await company.close()
    complaints = company.complaints()
    assert not complaints, complaints


def link(table: Table, name: str) -> str:
    """Give somebody's link to a table."""
    return f"{table.server.url}/r/{table.id}#{table.token(name)}"


async def give(table: Table, name: str, *commands: dict[str, Any]) -> None:
    """Let somebody give commands without a page."""
    async with dreadclock.connect(link(table, name)) as room:
        for command in commands:
            await room.submit(command)
