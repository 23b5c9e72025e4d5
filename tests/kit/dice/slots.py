"""Rooms in a store whose seats roll with tokens, what a slot must show, and nodes that die at a call to their store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from dreadclock.rules.ledger import Chain, text32, token_chain
from dreadclock.wire.base import Channel, Faces, Role, RoomId
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import Policy
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.base import Store
from dreadclock_server.store.codec import decode
from kit import second_ledger as second
from kit.nodes import ask, node, opened
from kit.stores import whole_log
from kit.tables import ANN, BO

Fields = dict[str, Any]
_CALLS = ("append", "read", "heads")  # of the store, which a command may lead to
_SEEN = 100_000  # a public seq after all others


@dataclass(frozen=True)
class Roller:
    """A seat with the tokens of its lane."""

    actor: Actor
    tokens: Chain

    @property
    def lane(self) -> str:
        """The label of its one lane with tokens."""
        return f"seat/{self.actor.seat_id}/1"

    @property
    def opening(self) -> Fields:
        """The command that opens the lane."""
        return {"type": "open_lane", "anchor": text32(self.tokens.value(0))}

    def roll(self, n: int, pool: int = 6) -> Fields:
        """Return the command that rolls in a slot."""
        dice = {"lane": self.lane, "n": n, "token": text32(self.tokens.value(n)), "seen": _SEEN}
        return {"type": "roll_dice", "pool": pool, "dice": dice}


@dataclass(frozen=True)
class DiceRoom:
    """A room in a store, with two players who have a lane with tokens each."""

    store: Store
    id: RoomId
    ann: Roller
    bo: Roller

    async def node(self) -> LiveRoom:
        """Load the room on a node of its own."""
        return await node(self.store, self.id)

    async def texts(self) -> list[str]:
        """Return the public records so far, as the store has them."""
        entries = [decode(data) for data in await whole_log(self.store, self.id)]
        return [text for entry in entries for text in entry.texts if f'"channel":"{Channel.PUBLIC}"' in text]

    async def shown(self, roller: Roller, n: int) -> list[Faces]:
        """Return the faces of all rolls that a slot was used for; in a log that fits it is one at most."""
        reader = second.Reader(self.id)
        assert reader.broken(await self.texts()) is None
        return [tuple(each["faces"]) for each in reader.rolls if (each["lane"], each["n"]) == (roller.lane, n)]

    async def fixed(self, roller: Roller, n: int, pool: int = 6) -> Faces:
        """Work out what the next slot of a lane must show: from the room's secret and the log up to now alone."""
        reader = second.Reader(self.id)
        assert reader.broken(await self.texts()) is None
        lane = reader.lanes[roller.lane]
        assert n == lane.n + 1
        secret = await self.store.dice_secret(self.id)
        assert secret is not None
        key = second.mac(secret, b"dice1/seed\0", lane.hash)
        for place in range(second.LAST, n, -1):
            key = second.key_before(lane.hash, place, key)
        witness = second.witness_of(list(lane.seen.values())[: lane.seen_at_last])
        return tuple(second.roll(key, roller.tokens.value(n), witness, pool)[0])


async def dice_room(store: Store) -> DiceRoom:
    """Open a room in which Ann and Bo have opened their lanes."""
    room_id = await opened(store, Policy())
    live = await node(store, room_id)
    assert isinstance(await ask(live, JoinSeat(Role.PLAYER, "Bo")), Done)
    chains = [token_chain(room_bytes(room_id), bytes([place]) * 32) for place in (1, 2)]
    room = DiceRoom(store, room_id, Roller(ANN, chains[0]), Roller(BO, chains[1]))
    for roller in (room.ann, room.bo):
        assert isinstance(await ask(live, roller.opening, by=roller.actor), Done)
    return room


class Doomed:
    """A store whose node dies at one of its calls, counted from 1: before the store hears of it, or after."""

    def __init__(self, store: Store, call: int, *, after: bool) -> None:
        self.died = asyncio.Event()
        self.before_append: Callable[[], Awaitable[object]] | None = None  # called once
        self._store, self._left, self._after = store, call, after
        self._counts = False

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        return partial(self._call, name, method) if self._counts and name in _CALLS else method

    async def _call(self, name: str, method: Callable[..., Awaitable[object]], *args: object) -> object:
        if name == "append" and self.before_append is not None:
            meddle, self.before_append = self.before_append, None
            await meddle()
        self._left -= 1
        if self._left:
            return await method(*args)
        if self._after:
            await method(*args)
        self.died.set()
        return await asyncio.Event().wait()  # nobody hears of it any more

    async def give(self, room: DiceRoom, order: Fields, by: Actor, session: str, n: int) -> Outcome | None:
        """Give a command to a node on this store; None if the node died over it."""
        live = await node(cast(Store, self), room.id)
        self._counts = True
        asked = asyncio.ensure_future(ask(live, order, by=by, session=session, n=n))
        dying = asyncio.ensure_future(self.died.wait())
        done, waiting = await asyncio.wait({asked, dying}, return_when=asyncio.FIRST_COMPLETED)
        await _end(*waiting, *(task for task in asyncio.all_tasks() if task.get_name() == f"room {room.id}"))
        return asked.result() if asked in done else None


async def _end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
