"""The in-flight budget: one limit for all bytes of unread answers and of incoming bodies.

The owner of bytes is the request, response or connection for which the server holds them.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dreadclock_server.gateway.limits.rates import too_soon

MOST = 1 << 24  # bytes in total; a single owner may have more if there are no others
SMALL = 1 << 16  # bytes; sizes up to this are always allowed
PIECE = 1 << 16  # bytes of an answer that are sent at once
RETRY_MS = 1_000


class InFlightBudget:
    """Counts the bytes that the server holds for answers being sent and bodies being read."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._tracked: dict[object, Callable[[], int]] = {}

    def __len__(self) -> int:
        return len(self._tracked)

    def demand(self, size: int, owner: object = None) -> None:
        """Raise Refused(rate_limited) if `size` bytes, together with the bytes of other owners, exceed the budget.

        An owner may exceed the budget while no other owner has bytes.
        """
        if size <= SMALL:
            return
        self._tracked = {holder: left for holder, left in self._tracked.items() if left() > 0}
        under_way = sum(left() for holder, left in self._tracked.items() if holder is not owner)
        if under_way and under_way + size > self._most:
            raise too_soon(RETRY_MS)

    def track(self, owner: object, left: Callable[[], int]) -> None:
        """Count `left()` bytes for an owner, until `left()` returns 0 or the owner is released."""
        self._tracked[owner] = left

    def release(self, owner: object) -> None:
        """Stop counting an owner."""
        self._tracked.pop(owner, None)


class PiecewiseResponse(Response):
    """A response that is sent in pieces, as fast as the client reads. Its unsent bytes count in the in-flight budget.

    Raises Refused(rate_limited) at its creation if the budget does not allow its bytes.
    """

    def __init__(self, in_flight: InFlightBudget, content: str | bytes, status: int, media_type: str) -> None:
        super().__init__(content, status, media_type=media_type)
        in_flight.demand(len(self.body))
        self._in_flight, self._left = in_flight, len(self.body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._in_flight.track(self, lambda: self._left)
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await self._send_body(send)
        finally:
            self._in_flight.release(self)

    async def _send_body(self, send: Callable[[Any], Awaitable[None]]) -> None:
        body = memoryview(self.body)
        while True:
            piece, body = bytes(body[:PIECE]), body[PIECE:]
            await send({"type": "http.response.body", "body": piece, "more_body": len(body) > 0})
            self._left = len(body)
            if not body:
                return
