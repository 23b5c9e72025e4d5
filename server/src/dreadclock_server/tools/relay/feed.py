"""Feeds: the relay passes a room's log on to targets, which are other services. Each target has a feed.

A feed reads the log from the target's own position, at its own pace, and verifies the hashes. The relay's
connection tells feeds that the log has grown, and at which position a new feed begins. A feed fetches the records by
REST. So a target that was away, slow or restarted misses nothing, and no target fills the relay's memory.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from dreadclock.client.newer import read_record
from dreadclock.client.rest import RestRoom
from dreadclock.client.room import Room
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Head, Record, advance, opening_head
from dreadclock.wire.views import View, empty_view
from dreadclock_server.tools.relay.kept import Keeper, Standing

GATHER_S = 0.05  # a wait before reading, so that events of the same time are read together
LOOK_AGAIN_S = 1.0  # retry delay if the log cannot be read, or lacks the announced records
_NOTHING = 10**15 - 1  # larger than the seq of any record
_log = logging.getLogger("dreadclock.relay")


class PastChanged(DreadclockError):
    """The log differs from the log that a target has read: its past was changed, or its last records were lost."""


@dataclass(frozen=True, slots=True)
class Step:
    """A record, with the views before and after it."""

    text: str  # the record's canonical text, as it was hashed
    record: Record
    before: View
    after: View
    standing: Standing  # the position after the record


def seen(view: View, channels: Sequence[Channel]) -> View:
    """Return the part of a view that a target may see."""
    return View.trusted(channels={channel: view.channels[channel] for channel in channels})


class Feed:
    """Reads the log from the position `standing` on. `view`: the view at this position, of the feed's channels only."""

    def __init__(self, room: Room, channels: Sequence[Channel]) -> None:
        self._room, self._channels = room, tuple(channels)
        self._rest = RestRoom(room.link.server, room.link.room, room.link.token)
        self.standing = self.now()
        self.view = seen(room.view, self._channels)

    def now(self) -> Standing:
        """Return the latest position of the log that the connection has received."""
        positions = self._room.positions
        return Standing(log_id=self._room.log_id, heads={channel: positions[channel] for channel in self._channels})

    def jump(self) -> None:
        """Skip to the current end of the log."""
        self.standing, self.view = self.now(), seen(self._room.view, self._channels)

    async def resume(
        self, keeper: Keeper, restart: Callable[["Feed", PastChanged], Awaitable[None]], *, from_beginning: bool
    ) -> None:
        """Start from the stored position, or store a first position. Call `restart` if the past was changed."""
        try:
            await self.begin(keeper.kept.standing, from_beginning=from_beginning)
        except PastChanged as changed:
            await restart(self, changed)
        if keeper.kept.standing is None:
            await keeper.change(standing=self.standing)

    async def begin(self, noted: Standing | None, *, from_beginning: bool = False) -> None:
        """Start from the position `noted`. If `noted` is None, start from now, or from the log's beginning.

        Raises PastChanged if the log does not contain `noted`, and ConnectionEnded if the room is closed.
        """
        self.jump()
        if noted is None and from_beginning:
            self.standing, self.view = self._opening(), empty_view(*self._channels)
        elif noted is not None and noted != self.standing:
            goal = {channel: noted.heads.get(channel, self.standing.heads[channel]) for channel in self._channels}
            if noted.log_id != self.standing.log_id or _is_beyond(goal, self.standing.heads):
                raise PastChanged(_difference(goal, self.standing.heads))
            await self._go_to(Standing(log_id=noted.log_id, heads=goal))

    async def read(self, most: int) -> list[Step]:
        """Wait for new records, and read up to `most` of them.

        Raises PastChanged if they do not continue the log that was read, and ConnectionEnded if the room is closed.
        """
        while True:
            if self.now() == self.standing:
                await self._room.wait_for(lambda _: self.now() != self.standing)
                await asyncio.sleep(GATHER_S)
            steps = await self._steps(self.now().heads, most)
            if steps:
                self.standing, self.view = steps[-1].standing, steps[-1].after
                self._look_anew()
                return steps
            await self._pause()

    def _opening(self) -> Standing:
        log_id, room = self._room.log_id, self._room.id
        return Standing(
            log_id=log_id, heads={channel: opening_head(room, log_id, channel) for channel in self._channels}
        )

    async def _go_to(self, goal: Standing) -> None:
        """Read the log from its beginning up to `goal`, and compute the view there.

        Raises PastChanged if the log does not contain `goal`.
        """
        while True:
            at, view = self._opening(), empty_view(*self._channels)
            async for step in self._read_on(at, view, goal.heads):
                at, view = step.standing, step.after
            if _has_reached(at.heads, goal.heads):
                break
            await self._pause()
        if at != goal:
            raise PastChanged(_difference(goal.heads, at.heads))
        self.standing, self.view = at, view

    async def _steps(self, goal: dict[Channel, Head], most: int) -> list[Step]:
        if self._room.log_id != self.standing.log_id or _is_beyond(self.standing.heads, goal):
            raise PastChanged(_difference(self.standing.heads, goal))
        steps: list[Step] = []
        async with aclosing(self._read_on(self.standing, self.view, goal)) as following:
            async for step in following:
                steps.append(step)
                if len(steps) == most:
                    break
        if steps and _has_reached(steps[-1].standing.heads, goal) and steps[-1].standing.heads != goal:
            raise PastChanged(_difference(steps[-1].standing.heads, goal))
        return steps

    async def _read_on(self, at: Standing, view: View, goal: dict[Channel, Head]) -> AsyncGenerator[Step, None]:
        """Yield the records from a position to a goal. Stop early if the log cannot be read now.

        Raises PastChanged if a record is missing.
        """
        try:
            async with self._texts(at) as texts:
                async for text in texts:
                    record, understood = read_record(text)
                    if record.channel not in goal or record.seq > goal[record.channel].seq:
                        continue
                    if record.seq != at.heads[record.channel].seq + 1:
                        raise PastChanged(f"record {record.seq} of {record.channel} is not the next one")
                    heads = {**at.heads, record.channel: advance(at.heads[record.channel], text)}
                    at, before = at.model_copy(update={"heads": heads}), view
                    view = _folded(view, record) if understood else view
                    yield Step(text, record, before, view, at)
                    if _has_reached(heads, goal):
                        return
        except PastChanged:
            raise
        except DreadclockError as error:
            _log.info("the log cannot be read for now: %s", error)

    def _texts(self, at: Standing) -> "aclosing[AsyncGenerator[str, None]]":
        after = {channel: at.heads[channel].seq if channel in at.heads else _NOTHING for channel in Channel}
        return aclosing(self._rest.log_texts(public=after[Channel.PUBLIC], gm=after[Channel.GM]))

    async def _pause(self) -> None:
        """Wait a little, and then for a connection. Raises ConnectionEnded if the connection has ended for good."""
        await asyncio.sleep(LOOK_AGAIN_S)
        await self._room.wait_for(lambda _: self._room.connected)

    def _look_anew(self) -> None:
        """Use the connection's view, if that view is complete and the feed is at its position.

        The feed's own view lacks events that only newer versions understand. The connection's view has them.
        """
        if self._room.complete and self.now() == self.standing:
            self.view = seen(self._room.view, self._channels)


def _folded(view: View, record: Record) -> View:
    """Return the view after a record; unchanged if the record names a thing that this version does not understand."""
    try:
        return fold(view, record)
    except KeyError:
        return view


def _is_beyond(heads: dict[Channel, Head], others: dict[Channel, Head]) -> bool:
    """Return True if a log that ends at `others` cannot contain the position `heads`.

    False proves nothing: only the hashes of the last records are compared.
    """
    pairs = [(head, others[channel]) for channel, head in heads.items()]
    return any(head.seq > other.seq or (head.seq == other.seq and head != other) for head, other in pairs)


def _has_reached(heads: dict[Channel, Head], goal: dict[Channel, Head]) -> bool:
    return all(heads[channel].seq >= head.seq for channel, head in goal.items())


def _difference(before: dict[Channel, Head], now: dict[Channel, Head]) -> str:
    parts = (f"{channel} was read up to {head.seq} and ends at {now[channel].seq}" for channel, head in before.items())
    return "; ".join(parts)
