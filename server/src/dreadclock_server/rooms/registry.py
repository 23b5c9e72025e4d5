"""The live rooms of this node: loaded on first use, kept in sync with the store, evicted when idle.

A node is a server process. The nodes share a store, in which each room has a log of entries. A node sends an
announcement to the others after each entry that it appends.
"""

import asyncio
import secrets
import time
from collections.abc import Callable

import structlog

from dreadclock.wire.base import Role, RoomId
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.records import room_id_of
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import Open
from dreadclock_server.core.room import Room, empty_room
from dreadclock_server.dice import SECRET_BYTES, Ledger
from dreadclock_server.journal import LoggedFailures
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.live import LiveRoom, fresh, now_ms
from dreadclock_server.rooms.log import batch_of, count, load
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.views import ViewCache
from dreadclock_server.store.base import Meta, Position, RoomHead, Store

SWEEP_S = 1.0
SWEEP_MANY_S = 5.0  # above MANY_ROOMS live rooms
MANY_ROOMS = 1000
PRESENCE = b"here "  # announcement that the connected seats of a node have changed, followed by the node's name
PLAY = b"play"  # prefix of messages between processes about a demo room
KNOCK = b"knock"  # announcement of a new or answered knock: a request for a seat, by somebody without a link
IDLE_S = 60.0  # a room that is unused for this long is evicted from memory
LOADS_AT_ONCE = 4  # further loads wait, because each load blocks the event loop for a while
SAVED_PER_SWEEP = 20  # snapshots per sweep; if an idle room still needs a snapshot, a later sweep evicts the room
_log = structlog.get_logger()


class Rooms:
    """The live rooms of this node. One per process."""

    def __init__(self, store: Store, most_log_bytes: int | None = None) -> None:
        """`most_log_bytes`: the limit of each room's log; None: no limit."""
        self.store, self.counters, self._views = store, Counters(), ViewCache()
        self._most_log_bytes = most_log_bytes
        self.live: dict[RoomId, LiveRoom] = {}
        self.meta: dict[RoomId, Meta] = {}
        self.on_tokens_changed: Callable[[LiveRoom], None] = lambda room: None
        # Called with a room and the name of a node, after the connected seats of that node have changed.
        self.on_presence: Callable[[LiveRoom, str], None] = lambda room, node: None
        self.on_knock: Callable[[LiveRoom], None] = lambda room: None
        self.on_play: Callable[[LiveRoom, bytes], None] = lambda room, payload: None
        self._loading: dict[RoomId, asyncio.Task[LiveRoom]] = {}
        self._may_load = asyncio.Semaphore(LOADS_AT_ONCE)
        self._token_versions: dict[RoomId, int] = {}
        self._listener = store.listen(self._heard, self._missed)
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to listen for announcements of other nodes, and start the sweeps."""
        await self._listener.start()
        self._sweeper = asyncio.create_task(self._sweep_for_ever(), name="sweep")

    async def aclose(self) -> None:
        """Stop the sweeps, finish the work of all rooms, then stop listening."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self.finish()
        await self._listener.aclose()

    async def finish(self) -> None:
        """Wait for the queued commands of all rooms, up to a limit, and send their records and replies."""
        await asyncio.gather(*(room.aclose() for room in self.live.values()))

    async def begin(
        self,
        command: Open | Continue,
        tokens: dict[str, str],
        *,
        room_id: RoomId | None = None,
        cap_bytes: int | None = None,
        granted_bytes: int | None = None,
    ) -> RoomId:
        """Open a room with the events of a command, and return its id.

        `tokens`: the first access tokens, from hash to stored value. `room_id`: the id to use; None for a random id.
        Only for a demo room: `cap_bytes` is the limit of its public bytes, and `granted_bytes` the memory reserved for
        its entries. The limit of all rooms also applies to a demo room.
        """
        room_id, log_id = room_id or new_room_id(), secrets.token_hex(16)
        secret, at = secrets.token_bytes(SECRET_BYTES), now_ms()
        opening, ledger = empty_room(room_id, log_id), Ledger(room_id, secret)
        gm = Actor(GM_SEAT, Role.GM)
        decision = decide(opening, command, by=gm, dice=ledger, now_ms=at, fresh=fresh)
        await self.store.open_room(
            room_id,
            log_id=log_id,
            session_key=secrets.token_bytes(32),
            dice_secret=secret,
            tokens=tokens,
            batch=batch_of(1, secrets.token_hex(16), at, decision.room, decision.written),
            cap_bytes=cap_bytes,
            granted_bytes=granted_bytes,
        )
        return room_id

    async def get(self, room_id: RoomId) -> LiveRoom:
        """Return a live room. Loads the room if necessary. Raises RoomUnknown."""
        room = self.live.get(room_id)
        if room is not None and not room.is_gone:
            room.last_used = time.monotonic()
            return room
        return await asyncio.shield(self._loaded(room_id))

    def _loaded(self, room_id: RoomId) -> "asyncio.Task[LiveRoom]":
        task = self._loading.get(room_id)
        if task is None:
            task = self._loading[room_id] = asyncio.create_task(self._load(room_id))
            task.add_done_callback(lambda done: self._loading.pop(room_id, None))
        return task

    async def _load(self, room_id: RoomId) -> LiveRoom:
        meta, store = await self.store.meta(room_id), self.store
        await self._listener.watch(room_id)
        try:
            async with self._may_load:
                secret = await store.dice_secret(room_id)
                log = await load(store, empty_room(room_id, meta.log_id))
                size = Size(None, *(meta.counted or await count(store, log.room)))
            self._bound(size, meta.cap_bytes)
            dice = _dice(log.room, secret)
            room = LiveRoom(store, log, dice=dice, size=size, counters=self.counters, views=self._views)
        except BaseException:
            await self._listener.unwatch(room_id)
            raise
        self.meta[room_id], self._token_versions[room_id] = meta, meta.tokens_version
        self.live[room_id] = room
        return room

    def _bound(self, size: Size, cap_bytes: int | None) -> None:
        """Set the limit of a room's size: the server's limit, or the lower `cap_bytes` of a demo room."""
        size.is_demo = cap_bytes is not None
        size.limit_bytes = min((cap for cap in (self._most_log_bytes, cap_bytes) if cap is not None), default=None)

    def _heard(self, room_id: str, payload: bytes) -> None:
        room = self.live.get(room_id)
        if room is None:
            return
        if payload.startswith(PRESENCE):
            self.on_presence(room, payload.removeprefix(PRESENCE).decode())
        elif payload == KNOCK:
            self.on_knock(room)
        elif payload.startswith(PLAY):
            self.on_play(room, payload)
        else:
            room.hear_announced(payload)

    def _missed(self) -> None:
        for room in self.live.values():
            room.catch_up()

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S if len(self.live) <= MANY_ROOMS else SWEEP_MANY_S)
            with LoggedFailures("rooms not compared with the store", where="sweep"):
                await self._sweep()

    async def _sweep(self) -> None:
        """Evict idle rooms. Compare the others with the store, so that a lost announcement causes only a delay."""
        await self._put_away_idle()
        positions = {room_id: room.log.position for room_id, room in self.live.items()}
        heads = await self.store.heads(list(positions))
        for room_id, head in heads.items():
            room = self.live.get(room_id)
            if room is not None:
                self._compare(room, head, positions[room_id])

    def _compare(self, room: LiveRoom, head: RoomHead | None, position: Position) -> None:
        """Bring a live room up to date with its `head` in the store.

        `head`: None if the store no longer has the room. `position`: the room's position when the sweep began. If the
        store has another position, the room reads the store again, unless the room has advanced since or has commands
        to decide. Also takes over the cap and the size from the store, and reports changed tokens.
        """
        if head is None or (head[0] != position and position == room.log.position and not room.is_at_work):
            room.catch_up()
        if head is not None:
            self._bound(room.size, head.cap_bytes)
        if head is not None and head.counted is not None and head.position == room.log.position:
            room.size.public_bytes, room.size.hidden_bytes = head.counted
        if head is not None and head[1] != self._token_versions[room.id]:
            self._token_versions[room.id] = head[1]
            self.on_tokens_changed(room)

    async def _put_away_idle(self) -> None:
        cut, saved = time.monotonic() - IDLE_S, 0
        for room_id in list(self.live):  # ids: a list of the rooms would keep evicted rooms in memory
            room = self.live.get(room_id)
            if room is None:
                continue
            if saved < SAVED_PER_SWEEP and _is_at_rest(room, cut) and room.is_worth_saving:
                # after a failure, save no more: further saves would time out, too
                saved += 1 if await room.save() else SAVED_PER_SWEEP
            if self.live.get(room_id) is not room:
                continue  # the room was evicted or replaced meanwhile
            if room.is_gone or (_is_at_rest(room, cut) and not room.is_worth_saving):
                del self.live[room_id], self.meta[room_id], self._token_versions[room_id]
                self.counters.unreleased["room"].add(room)
                del room
                await self._listener.unwatch(room_id)
                await asyncio.sleep(0)  # let other tasks run: hundreds of rooms may be evicted

    async def delete(self, room_id: RoomId) -> None:
        """Delete a room for good. Every node closes the connections of the room."""
        await self.store.delete_room(room_id)
        await self.store.in_play.forget(room_id)
        self._look_again(room_id)

    async def keep_demo(self, room_id: RoomId) -> None:
        """Turn a demo room into an ordinary room. Other nodes notice this at their next sweep."""
        await self.store.in_play.keep(room_id)
        if (room := self.live.get(room_id)) is not None:
            self._bound(room.size, None)

    async def end_in_play(self, room_id: RoomId, *, at_once: bool = False) -> bool:
        """Delete a demo room if its time is over and nobody is connected. Return whether it was deleted.

        At the latest possible end of the room, connections do not matter. `at_once`: its time counts as over.
        """
        if not await self.store.in_play.end(room_id, now_ms(), at_once=at_once):
            return False
        self._look_again(room_id)
        return True

    def _look_again(self, room_id: RoomId) -> None:
        room = self.live.get(room_id)
        if room is not None:
            room.catch_up()


def new_room_id() -> RoomId:
    """Return a new random room id."""
    return room_id_of(secrets.token_bytes(16))


def _dice(room: Room, secret: bytes | None) -> Ledger:
    """Return the source of a room's dice. All dice are computed from the room's secret.

    A lane is a series of rolls whose dice a seat and the server fixed in advance. The log contains a key for each lane,
    from which the ledger can tell that the secret is wrong.
    """
    if secret is None or len(secret) != SECRET_BYTES:
        _log.error("the dice secret is missing", room=room.room_id)
        return Ledger(room.room_id, None)
    lanes = (lane for part in room.view.channels.values() for lane in part.lanes.values())
    return Ledger(room.room_id, secret, next(lanes, None))


def _is_at_rest(room: LiveRoom, cut_s: float) -> bool:
    return room.idle and room.last_used < cut_s and not room.is_gone
