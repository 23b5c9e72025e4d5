"""A room as one viewer has it: commands to submit, events to read, and a view that is always current."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any
from weakref import WeakSet

from dreadclock.connection import Backoff, Connection
from dreadclock.links import Link, parse_link
from dreadclock.methods import Commands
from dreadclock.outcomes import Acknowledged, Answered, Output, Stalled
from dreadclock.problems import checked_command, given
from dreadclock.protocol import ClientProtocol, State
from dreadclock.streams import Stream
from dreadclock.unanswered import Ticket
from dreadclock.verify import DiceAlarm
from dreadclock.wire.base import Id, Role, RoomId
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.events import Event
from dreadclock.wire.frames import MAX_UNANSWERED, Client
from dreadclock.wire.records import Positions, Record
from dreadclock.wire.views import View

CLIENT = "dreadclock-python"
RETRY_FOR_S = 30.0
_log = logging.getLogger("dreadclock.dice")
_Outcome = Acknowledged | Exception


@asynccontextmanager
async def connect(
    server: str,
    room: RoomId | None = None,
    token: str | None = None,
    *,
    client: str = CLIENT,
    backoff: Backoff | None = None,
    retry_for_s: float = RETRY_FOR_S,
    give_up_after_s: float | None = None,
) -> AsyncIterator["Room"]:
    """Open a room: `connect(server, room, token)`, or `connect(link)`.

    A lost connection comes back by itself and misses nothing; it gives up only after `give_up_after_s` without
    a server, None for never. Commands that the server cannot take just now are tried again until none got
    through for `retry_for_s`. Raises ConnectionEnded if this first connection cannot be made, or the token
    does not open the room.
    """
    opened = Room(_link(server, room, token), client, backoff or Backoff(), retry_for_s, give_up_after_s)
    await opened._connection.open()
    keeping = asyncio.create_task(opened._keep())
    try:
        yield opened
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await opened._close()


def _link(server: str, room: RoomId | None, token: str | None) -> Link:
    if room is None and token is None:
        return parse_link(server)
    if room is None or token is None:
        raise ValueError("connect takes a link, or a server, a room and a token")
    return Link(server, room, token)


class Room(Commands[Coroutine[Any, Any, Acknowledged]]):
    """A room that this client is connected to; `connect` makes it.

    The methods for the single commands, `start_countdown` and so on, are `submit` with the fields spelled out.
    """

    def __init__(
        self, link: Link, client: str, backoff: Backoff, retry_for_s: float, give_up_after_s: float | None
    ) -> None:
        self.link = link
        self._protocol = ClientProtocol(link.room, link.token, Client(name=client, version=version("dreadclock")))
        self._connection = Connection(link.websocket, self._protocol, self._hear, backoff, retry_for_s, give_up_after_s)
        self._places = asyncio.Semaphore(MAX_UNANSWERED)
        self._waiting: dict[Ticket, asyncio.Future[_Outcome]] = {}
        self._streams: WeakSet[Stream[Any]] = WeakSet()
        self._conditions: dict[asyncio.Future[View], Callable[[View], bool]] = {}
        self._alarms: list[DiceAlarm] = []
        self._over: Exception | None = None
        self._closing = ConnectionEnded(None, "this client closed the connection")

    @property
    def id(self) -> RoomId:
        """The room's id."""
        return self.link.room

    @property
    def view(self) -> View:
        """What this viewer sees, after the latest record; never changed, only replaced."""
        return self._protocol.mirror.view

    @property
    def positions(self) -> Positions:
        """Where the view stands in each channel."""
        return dict(self._protocol.mirror.positions)

    @property
    def seat(self) -> Id:
        """The seat that the token opened."""
        return self._protocol.welcome.seat

    @property
    def role(self) -> Role:
        """The role of that seat."""
        return self._protocol.welcome.role

    @property
    def session(self) -> str:
        """The session that commands are numbered in."""
        return self._protocol.welcome.session

    @property
    def log_id(self) -> str:
        """Which log the positions are of; another one after a fork."""
        return self._protocol.welcome.log_id

    @property
    def durability(self) -> str:
        """What an acknowledged command has survived: `fsync`, `fsync+R` or `memory`."""
        return self._protocol.welcome.durability

    @property
    def connected(self) -> bool:
        """Whether the view is being kept current right now; if not, the connection is coming back."""
        return self._protocol.state is State.OPEN

    @property
    def alarms(self) -> tuple[DiceAlarm, ...]:
        """The dice that did not fit since this client connected, each logged as an error; there should be none."""
        return tuple(self._alarms)

    @property
    def here(self) -> dict[Id, int]:
        """The seats that are connected, and by how many connections each."""
        return dict(self._protocol.here)

    async def submit(self, command: CommandBase | Mapping[str, Any]) -> Acknowledged:
        """Submit a command, a model or its JSON fields, and wait until it is done.

        At most 64 commands are on their way; further ones wait here for a place, in order. A command that has its
        place is sent even if the caller is cancelled. Raises Refused if the room says no. After
        Refused(session_expired), a session that the server forgot, it is not known whether the command was done.
        Raises ConnectionEnded if the connection is over, with the same doubt.
        """
        checked = checked_command(command)
        await self._places.acquire()
        try:
            if self._over is not None:
                raise self._over
            ticket = self._protocol.submit(checked)
        except BaseException:
            self._places.release()
            raise
        self._connection.flush()
        answer: asyncio.Future[_Outcome] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = answer
        outcome = await answer
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def _perform(self, type_: str, /, **fields: Any) -> Acknowledged:
        return await self.submit(given(type_, fields))

    def events(self) -> Stream[Event]:
        """Iterate over what happens from now on; after a reset comes a ViewReplaced.

        Every iterator has a queue of its own, so that whoever reads it may submit commands, too.
        """
        return self._stream(lambda record: record.event)

    def records(self) -> Stream[Record]:
        """Iterate over what happens from now on, with its place in its channel, its time and its seat."""
        return self._stream(lambda record: record)

    def _stream(self, select: Callable[[Record], Any]) -> Stream[Any]:
        stream: Stream[Any] = Stream(select)
        if self._over is not None:
            stream.end(None if self._over is self._closing else self._over)
        self._streams.add(stream)
        return stream

    async def wait_for(self, predicate: Callable[[View], bool], timeout_s: float | None = None) -> View:
        """Wait until `predicate` holds of the view, and return that view.

        It is asked now and after every frame. Raises TimeoutError after `timeout_s`, ConnectionEnded if the
        connection is over first, and whatever `predicate` raises.
        """
        if predicate(self.view):
            return self.view
        if self._over is not None:
            raise self._over
        found: asyncio.Future[View] = asyncio.get_running_loop().create_future()
        self._conditions[found] = predicate
        try:
            async with asyncio.timeout(timeout_s):
                return await found
        finally:
            del self._conditions[found]

    def _hear(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            if isinstance(output, Answered):
                self._answer(output.ticket, output.outcome)
            elif isinstance(output, DiceAlarm):
                self._alarms.append(output)
                _log.error("%s", output.sentence)
            elif not isinstance(output, Stalled):
                for stream in self._streams:
                    stream.put(output)
        for found, predicate in self._conditions.items():
            self._ask(found, predicate)

    def _answer(self, ticket: Ticket, outcome: _Outcome) -> None:
        self._places.release()
        answer = self._waiting.pop(ticket)
        if not answer.done():
            answer.set_result(outcome)

    def _ask(self, found: asyncio.Future[View], predicate: Callable[[View], bool]) -> None:
        if found.done():
            return
        try:
            if predicate(self.view):
                found.set_result(self.view)
        except Exception as error:
            found.set_exception(error)

    async def _keep(self) -> None:
        try:
            await self._connection.keep()
        except Exception as error:
            self._end(error)

    async def _close(self) -> None:
        self._end(self._closing)
        await self._connection.close()

    def _end(self, over: Exception) -> None:
        """Tell everyone who waits that it is over; only the first reason counts."""
        if self._over is not None:
            return
        self._over = over
        for ticket in list(self._waiting):
            self._answer(ticket, over)
        for found in self._conditions:
            if not found.done():
                found.set_exception(over)
        for stream in self._streams:
            stream.end(None if over is self._closing else over)
