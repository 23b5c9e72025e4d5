"""A server that lies to one page: it changes records on their way, and the hashes so that they fit."""

import json
from collections.abc import Callable
from typing import Any

from playwright.async_api import Page, WebSocketRoute

from dreadclock.wire.records import Head, advance, canonical

Twist = Callable[[dict[str, Any]], None]


class Liar:
    """Stands between a page and its server; `twist` changes the event of each record as it likes."""

    def __init__(self, twist: Twist) -> None:
        self._twist = twist
        self._heads: dict[str, Head] = {}

    async def stand_before(self, page: Page) -> None:
        """Let nothing reach a page that did not pass through here."""
        await page.route_web_socket("**/ws/**", self._between)

    def _between(self, socket: WebSocketRoute) -> None:
        behind = socket.connect_to_server()
        behind.on_message(lambda frame: socket.send(self._told(frame if isinstance(frame, str) else frame.decode())))

    def _told(self, frame: str) -> str:
        first, *texts = frame.split("\n")
        message: dict[str, Any] = json.loads(first)
        if message["type"] == "welcome":
            self._heads = {channel: Head.model_validate(head) for channel, head in message["positions"].items()}
        if message["type"] != "events":
            return frame
        twisted = [self._twisted(text) for text in texts]
        message["heads"] = {channel: self._heads[channel].model_dump() for channel in message["heads"]}
        return "\n".join([canonical(message), *twisted])

    def _twisted(self, text: str) -> str:
        record: dict[str, Any] = json.loads(text)
        self._twist(record["event"])
        twisted = canonical(record)
        self._heads[record["channel"]] = advance(self._heads[record["channel"]], twisted)
        return twisted


def forge(event: dict[str, Any]) -> None:
    """Turn every die of plain rolls to the next face."""
    if event["type"] == "dice_rolled":
        event["roll"]["faces"] = [face % 6 + 1 for face in event["roll"]["faces"]]
