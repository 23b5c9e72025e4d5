"""A stub of Owlbear Rodeo: pages that hold the extension in frames, and answer the real SDK as their host does.

It keeps to what the SDK sends and waits for (`MessageBus`, version 3.1). All players of a table share its metadata.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, FrameLocator, Page

TABLE = "4f9c1a52-0b57-4a6e-9d2b-6d1f1a1f7c11"  # its id at the host

_HOST = """<!doctype html><meta charset="utf-8"><title>A map</title>
<style>body { margin: 0; background: #23242b; color: #fff } iframe { border: 0; width: 420px; height: 760px }
  #background { display: none }</style>
<p>Badge: <b id="badge"></b></p><div id="popover"></div><iframe id="background"></iframe>
<script>
const { server, ref, player, mode } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
window.heard = [];
const frames = new Set();
const metadata = () => window.metadataOfTable();
const ANSWERS = {
  OBR_PLAYER_GET_ROLE: async () => ({ role: player.role }),
  OBR_PLAYER_GET_NAME: async () => ({ name: player.name }),
  OBR_ROOM_GET_METADATA: async () => ({ metadata: await metadata() }),
  OBR_ROOM_SET_METADATA: async ({ update }) => (await window.updateMetadata(update), {}),
  OBR_THEME_GET_THEME: async () => ({ theme: { mode } }),
  OBR_ACTION_SET_BADGE_TEXT: async ({ badgeText }) => (badge.textContent = badgeText ?? "", {}),
};
addEventListener("message", async ({ origin, data, source }) => {
  if (origin !== new URL(server).origin) return;
  heard.push(JSON.stringify(data));
  const answer = ANSWERS[data.id];
  if (data.ref !== "ref-1" || !answer || !data.nonce) return;
  source.postMessage({ id: `${data.id}_RESPONSE${data.nonce}`, data: await answer(data.data) }, origin);
});
window.metadataChanged = (metadata) => {
  for (const frame of document.querySelectorAll("iframe"))
    frame.contentWindow.postMessage({ id: "OBR_ROOM_METADATA_EVENT_CHANGE", data: { metadata } }, "*");
};
async function hold(frame, address) {
  frame.onload = () => frame.contentWindow.postMessage(
    { id: "OBR_READY", data: { ref: "ref-1", userId: player.name } }, new URL(server).origin);
  frame.src = `${address}?obrref=${encodeURIComponent(ref)}`;
}
window.openPopover = (address) => {
  popover.innerHTML = "<iframe id='action'></iframe>";
  hold(popover.firstChild, address);
};
window.closePopover = () => popover.replaceChildren();
fetch(`${server}/owlbear/manifest.json`).then((answer) => answer.json()).then((manifest) => {
  window.manifest = manifest;
  hold(background, server + manifest.background_url);
});
</script>"""


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
