"""Knocking: somebody without a link asks the gm of a room for a seat."""

import asyncio
import time
from contextlib import suppress
from typing import Any

from dreadclock.client.links import parse_address
from dreadclock.client.rest import ask
from dreadclock.wire import calls
from dreadclock.wire.base import Role, RoomId
from dreadclock.wire.errors import Code, ConnectionEnded, DreadclockError, Refused
from dreadclock.wire.rest import Grant, Knocking, KnockState, KnockStatus

WAIT_S = 10  # how long the server may wait before it answers (long polling); less than the timeout of a call
PAUSE_S = 1.0  # the shortest time between two requests
CLIENT = "dreadclock-python"
_LAST_WORD_S = 30.0  # seconds to keep asking after a knock has expired: the gm may have answered at the last moment
_OVER = {KnockStatus.TURNED_AWAY: Code.TURNED_AWAY, KnockStatus.EXPIRED: Code.KNOCK_EXPIRED}


async def knock(address: str, name: str, *, wants: Role | str = Role.PLAYER, client: str = CLIENT) -> "Knocker":
    """Ask the gm of a room for a player's, spectator's or integration's seat.

    The server does not reveal whether the room exists: a knock at a missing room is never answered. Raises Refused if
    the server refuses the knock, ConnectionEnded if the server gives no answer, and ValueError if `address` is
    malformed.

    Args:
        address: The room's address, `http://host:port/r/ROOM`: a link without the part from `#`.
        name: Name for the seat, 1 to 64 characters; the gm may choose another.
        wants: Role of the seat: `player`, `spectator` or `integration`.
        client: Name of the program, shown to the gm; 1 to 64 characters.
    """
    server, room = parse_address(address)
    body = {"name": name, "wants": wants, "client": client}
    return Knocker(server, room, await ask(calls.KNOCK, server, None, body, room=room))


class Knocker:
    """A knock that waits for an answer. The gm sees the same `code`."""

    def __init__(self, server: str, room: RoomId, knocking: Knocking) -> None:
        self.code: str = knocking.code
        self._server, self._secret = server, knocking.secret
        self._path: dict[str, Any] = {"room": room, "knock": knocking.knock}
        self._until_s = time.monotonic() + knocking.expires_s

    @property
    def left_s(self) -> float:
        """Seconds until the knock expires."""
        return max(0.0, self._until_s - time.monotonic())

    async def wait(self) -> Grant:
        """Wait for the gm's answer, and return the seat with its link.

        Raises Refused if the gm turned the knocker away, the knock has expired, or the server refuses the question.
        Raises ConnectionEnded if the server cannot be reached, even 30 s after the knock has expired.
        """
        while True:
            asked_s = time.monotonic()
            state = await self._ask()
            if state is not None and state.grant is not None:
                await self._acknowledge()
                return state.grant
            if state is not None and state.state in _OVER:
                raise Refused(_OVER[state.state])
            await asyncio.sleep(max(0.0, asked_s + PAUSE_S - time.monotonic()))

    async def _ask(self) -> KnockState | None:
        """Return the state of the knock. None: the server did not answer, so ask again."""
        try:
            return await ask(calls.GET_KNOCK, self._server, self._secret, query={"wait_s": WAIT_S}, **self._path)
        except ConnectionEnded:
            if time.monotonic() > self._until_s + _LAST_WORD_S:
                raise
            return None

    async def _acknowledge(self) -> None:
        """Tell the server that the grant has arrived.

        If this call fails, the server deletes the knock later by itself.
        """
        with suppress(DreadclockError):
            await self.withdraw()

    async def withdraw(self) -> None:
        """Withdraw the knock."""
        await ask(calls.WITHDRAW_KNOCK, self._server, self._secret, **self._path)
