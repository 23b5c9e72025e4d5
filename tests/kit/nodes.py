"""Nodes on one store, without a network: live rooms, those who listen to them, and a store that can be meddled with."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from redis.asyncio import Redis

from dreadclock.wire.base import Channel, Role, RoomId
from dreadclock.wire.things import Policy
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.rooms.answers import QueuedCommand, unavailable
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Batch, Position, RoomHead, Store, StoreUnavailable, Trouble
from dreadclock_server.store.codec import decode
from dreadclock_server.store.keys import LOG, META, key
from kit.stores import whole_log
from kit.tables import GM, Order, command_of
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
LATE_S = 20.0


class Meddler:
    """A store that loses replies, refuses appends, or lets something happen right before one."""

    def __init__(self, store: Store) -> None:
        self.replies_to_lose = 0  # of appends that were made
        self.appends_to_refuse = 0
        self.appends = 0
        self.before_append: Callable[[], Awaitable[object]] | None = None  # called once
        self.heads_asked = 0
        self.is_down = False
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, room: str, expected: Position, batch: Batch) -> Position:
        self.appends += 1
        if self.before_append is not None:
            meddle, self.before_append = self.before_append, None
            await meddle()
        if self.is_down or self.appends_to_refuse:
            self.appends_to_refuse -= not self.is_down
            raise StoreUnavailable("refused", applied=False)
        position = await self._store.append(room, expected, batch)
        if self.replies_to_lose:
            self.replies_to_lose -= 1
            raise StoreUnavailable("the reply was lost")
        return position

    async def heads(self, rooms: Sequence[str]) -> dict[str, RoomHead | None]:
        self.heads_asked += 1
        if self.is_down:
            raise StoreUnavailable("down")
        return await self._store.heads(rooms)


def meddled(store: Store) -> tuple[Meddler, Store]:
    """Make a meddler and the store that it is."""
    meddler = Meddler(store)
    return meddler, cast(Store, meddler)


class Witness:
    """Somebody who hears what happens in a live room."""

    def __init__(self, live: LiveRoom) -> None:
        self.texts: list[str] = []
        self.rounds: list[int] = []  # how many records came in one go
        self.size = 1
        self.replaced_by: list[Room] = []
        self.is_gone = False
        live.join(self)

    def committed(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        self.texts += [each.text for each in written]
        self.rounds.append(len(written))

    def reset(self, before: Room, after: Room) -> None:
        self.replaced_by.append(after)

    def deleted(self) -> None:
        self.is_gone = True


async def opened(store: Store, policy: Policy | None = None) -> RoomId:
    """Open a room with its gm and Ann, player-1."""
    rooms = Rooms(store)
    room_id = await rooms.begin(Open("The bomb", policy or Policy()), {})
    await ask(await rooms.get(room_id), JoinSeat(Role.PLAYER, "Ann"))
    return room_id


async def node(store: Store, room_id: RoomId) -> LiveRoom:
    """Load a room on a node of its own, which hears no announcements and looks at the store only when it must."""
    return await Rooms(store).get(room_id)


async def ask(live: LiveRoom, order: Order, *, by: Actor = GM, session: str = "", n: int = 1) -> Outcome:
    """Submit a command and wait for its outcome."""
    return await asyncio.wait_for(submit(live, order, by=by, session=session, n=n)[0], LATE_S)


def submit(
    live: LiveRoom, order: Order, *, by: Actor = GM, session: str = "", n: int = 1
) -> tuple[asyncio.Future[Outcome], list[Outcome | None]]:
    """Submit a command. Returns its outcome to come, and all that was replied."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    replies: list[Outcome | None] = []

    def reply(outcome: Outcome | None) -> None:
        replies.append(outcome)
        if outcome is not None:
            future.set_result(outcome)

    live.submit(QueuedCommand(by, cast(Any, command_of(order)), session, n, reply))
    return future, replies


def done_at(outcome: Outcome) -> int:
    """Return the public seq of the first event of a command that was done."""
    assert isinstance(outcome, Done), outcome
    return outcome.events[Channel.PUBLIC][0]


Backup = dict[str, bytes | None]


async def backup(admin: Redis, room_id: str) -> Backup:
    """Save what the store holds of a room's log."""
    return {name: await admin.dump(name) for name in (key(room_id, META), key(room_id, LOG))}


async def restore(admin: Redis, saved: Backup) -> None:
    """Go back to a backup, as an operator would, or a failover."""
    for name, value in saved.items():
        assert value is not None
        await admin.restore(name, 0, value, replace=True)


async def same_everywhere(store: Store, *nodes: LiveRoom) -> None:
    """Assert that nodes know just what the log says, sessions included."""
    replayed = await node(store, nodes[0].id)
    for each in nodes:
        assert (each.room, each.log.position) == (replayed.room, replayed.log.position)
        assert each.log.sessions.by_id == replayed.log.sessions.by_id


async def rolls(store: Store, room_id: str) -> int:
    return sum(text.count('"dice_rolled"') for data in await whole_log(store, room_id) for text in decode(data).texts)


async def done_at_last(live: LiveRoom, meanwhile: Trouble, session: str = "") -> None:
    """Send a command again until the room takes it; `meanwhile`: why it does not yet."""

    async def is_done() -> bool:
        outcome = await ask(live, ROLL, session=session)
        assert isinstance(outcome, Done) or outcome == unavailable(meanwhile)
        return isinstance(outcome, Done)

    await until(is_done)
