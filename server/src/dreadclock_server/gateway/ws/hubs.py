"""The hubs of all rooms that have connections on this node, that is, in this server process.

A hub has the connections of one room. Presence is the number of connections of each seat.
"""

import asyncio
import secrets
from itertools import islice

from dreadclock.wire.base import RoomId
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.returning import restart_reason
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import Hub
from dreadclock_server.journal import LoggedFailures
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.registry import Rooms

PRESENCE_EVERY_S = 10.0  # well below the time after which the store ignores the connections of a silent node
_STEPS = 100  # the refresh is spread over this many steps


class Hubs:
    """The hubs by room. Also stores when tokens were used."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._node = rooms, secrets.token_hex(8)
        self._hubs: dict[RoomId, Hub] = {}
        self._uses: dict[RoomId, dict[str, int]] = {}
        self._side: set[asyncio.Task[None]] = set()
        self._keeper: asyncio.Task[None] | None = None
        self._is_leaving, self._reason = False, ""
        rooms.on_tokens_changed = self._tokens_changed
        rooms.on_presence = self._presence_changed
        rooms.on_knock = self._knocked

    def start(self) -> None:
        """Start the task that refreshes presence and knocks, and stores when tokens were used."""
        self._keeper = asyncio.create_task(self._keep(), name="presence")

    async def send_away(self) -> None:
        """Answer all queued commands, then close every connection. The close reason tells clients when to reconnect."""
        self._is_leaving = True
        connections = [connection for hub in self.all() for connection in hub.connections]
        for connection in connections:
            connection.is_leaving = True
        self._reason = restart_reason(len(connections))
        try:
            await self._rooms.finish()
        finally:
            for hub in self.all():
                for connection in list(hub.connections):
                    connection.close(CloseCode.RESTART, self._reason)

    async def aclose(self) -> None:
        """Stop refreshing presence, and wait until the store knows that the closed connections are gone."""
        if self._keeper is not None:
            self._keeper.cancel()
        if self._side:
            await asyncio.wait(self._side)

    def of(self, live: LiveRoom) -> Hub:
        """Return a room's hub. Makes the hub if necessary."""
        hub = self._hubs.get(live.id)
        if hub is None or hub.live is not live:
            hub = self._hubs[live.id] = Hub(live, self._rooms.store, self._node, self._rooms.counters)
        return hub

    def joined(self, hub: Hub, connection: Connection) -> None:
        """Close a new connection during a shutdown. In the background, close it if its token was just revoked."""
        if self._is_leaving:
            connection.close(CloseCode.RESTART, self._reason)
        self._watch_over(asyncio.create_task(hub.recheck_token(connection)))

    def left(self, hub: Hub) -> None:
        """Drop a hub without connections, so that its room can be evicted from memory."""
        if not hub.connections and self._hubs.get(hub.live.id) is hub:
            del self._hubs[hub.live.id]
            hub.live.leave(hub)
            self._watch_over(hub.presence_changed())

    def all(self) -> list[Hub]:
        """Return all hubs."""
        return list(self._hubs.values())

    def used(self, room_id: RoomId, token_hash: str, at_ms: int) -> None:
        """Remember that a token was used. The store gets the time some seconds later."""
        self._uses.setdefault(room_id, {})[token_hash] = at_ms

    async def tokens_changed(self, live: LiveRoom) -> None:
        """Close the connections of revoked tokens on this node at once. Other nodes do this within seconds.

        They compare their rooms with the store at regular times, and call `on_tokens_changed`.
        """
        hub = self._hubs.get(live.id)
        if hub is not None:
            await hub.recheck_tokens()

    def _tokens_changed(self, live: LiveRoom) -> None:
        hub = self._hubs.get(live.id)
        if hub is not None:
            self._watch_over(asyncio.create_task(hub.recheck_tokens_at_last()))

    def _watch_over(self, task: "asyncio.Task[None]") -> None:
        self._side.add(task)
        task.add_done_callback(self._side.discard)

    def _presence_changed(self, live: LiveRoom, node: str) -> None:
        hub = self._hubs.get(live.id)
        if hub is not None and node != self._node:
            hub.presence_changed()

    def _knocked(self, live: LiveRoom) -> None:
        hub = self._hubs.get(live.id)
        if hub is not None:
            hub.knocks.changed()

    async def _keep(self) -> None:
        """Refresh the presence and the knocks of all rooms every PRESENCE_EVERY_S, in steps, to avoid a burst.

        Each step also stores when some tokens were used.
        """
        while True:
            hubs = self.all()
            for step in range(_STEPS):
                await asyncio.sleep(PRESENCE_EVERY_S / _STEPS)
                for hub in hubs[step::_STEPS]:
                    hub.presence_changed()
                    hub.knocks.changed()
                await self._store_uses(len(self._uses) // 10 + 1)

    async def _store_uses(self, most: int) -> None:
        """Store the last uses of tokens, for at most `most` rooms."""
        rooms = list(islice(self._uses, most))
        await asyncio.gather(*(self._store_use(room_id, self._uses.pop(room_id)) for room_id in rooms))

    async def _store_use(self, room_id: RoomId, last_use: dict[str, int]) -> None:
        with LoggedFailures("the last uses of tokens could not be stored", room=room_id):
            await self._rooms.store.touch_tokens(room_id, last_use)
