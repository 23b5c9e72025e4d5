"""A stub of Owlbear Rodeo: pages that hold the extension in frames, and answer the real SDK as their host does.

It keeps to what the SDK sends and waits for (`MessageBus`, version 3.1). All players of a table share its metadata.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, FrameLocator, Page

TABLE = "4f9c1a52-0b57-4a6e-9d2b-6d1f1a1f7c11"  # its id at the host

_HOST = Path(__file__).with_name("owlbear_host.html").read_text()


@dataclass(eq=False)
class Guest:
    """One player's browser at the host."""

    page: Page
    server: str

    async def open(self) -> None:
        """Open the extension's popover."""
        await self.page.evaluate("(server) => openPopover(server + manifest.action.popover)", self.server)

    async def close(self) -> None:
        """Close it, which ends its page."""
        await self.page.evaluate("closePopover()")

    @property
    def popover(self) -> FrameLocator:
        """What the popover shows."""
        return self.page.frame_locator("#action")

    async def heard(self) -> list[str]:
        """Return all that the extension told the host."""
        told: list[str] = await self.page.evaluate("heard")
        return told


@dataclass(eq=False)
class Owlbear:
    """The host with one table, as its players see it."""

    browser: Browser
    origin: str
    server: str
    metadata: dict[str, Any] = field(default_factory=dict)
    guests: list[Guest] = field(default_factory=list)

    async def seat(self, name: str, role: str = "PLAYER", *, mode: str = "DARK") -> Guest:
        """Let somebody come to the table who has added the extension."""
        context = await self.browser.new_context(viewport={"width": 460, "height": 900}, locale="en")
        page = await context.new_page()
        await page.expose_function("metadataOfTable", lambda: self.metadata)
        await page.expose_function("updateMetadata", self._update)
        ref = base64.b64encode(f"{self.origin} {TABLE}".encode()).decode()
        given = {"server": self.server, "ref": ref, "player": {"name": name, "role": role}, "mode": mode}
        await page.goto(f"{self.origin}/#{json.dumps(given)}")
        await page.wait_for_function("window.manifest")
        self.guests.append(Guest(page, self.server))
        return self.guests[-1]

    async def _update(self, update: dict[str, Any]) -> None:
        self.metadata.update(update)
        for guest in self.guests:
            await guest.page.evaluate("(metadata) => metadataChanged(metadata)", self.metadata)


@asynccontextmanager
async def owlbear_origin() -> AsyncIterator[str]:
    """Serve the host's page, and give its origin."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(_HOST)}\r\nConnection: close\r\n\r\n"
        )
        writer.write((head + _HOST).encode())
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listener:
        yield f"http://localhost:{listener.sockets[0].getsockname()[1]}"
