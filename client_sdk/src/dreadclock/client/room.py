"""A connection to a room: submits commands, reads events, and keeps a view current."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal
from weakref import WeakSet

from dreadclock.client.connection import Backoff, Connection
from dreadclock.client.links import Link, parse_link
from dreadclock.client.methods import Commands
from dreadclock.client.outcomes import Acknowledged, Answered, Output, Stalled, ViewReplaced
from dreadclock.client.problems import checked_command
from dreadclock.client.protocol import ClientProtocol, State
from dreadclock.client.streams import Stream
from dreadclock.client.trust.alarms import Alarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.client.trust.roller import Roller
from dreadclock.client.trust.watching import Watch
from dreadclock.client.unanswered import Ticket
from dreadclock.dice.verify import DiceAlarm
from dreadclock.gc_pause import gc_paused
from dreadclock.wire.base import Id, Role, RoomId
from dreadclock.wire.commands import CommandBase, RollingCommand
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.events import Event
from dreadclock.wire.frames import MAX_UNANSWERED, SERVER_FRAME, Client, WaitingKnock
from dreadclock.wire.records import Positions, Record
from dreadclock.wire.views import View

CLIENT = "dreadclock-python"
VERSION = "0.1.0"
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
    dice_secrets: DiceSecrets | Literal[False] | None = None,
    knocks: bool = False,
) -> AsyncIterator["Room"]:
    """Open a room: `connect(server, room, token)`, or `connect(link)`.

    Each roll includes a secret value of this client, a dice token, so that the server alone cannot know the faces.
    After a lost connection, the client reconnects and catches up with what it missed. Raises ConnectionEnded if the
    first connection fails or the token does not open the room, ProtocolViolation if the server breaks the protocol, and
    ValueError if a part of the link is malformed.

    Args:
        server: A link to a seat, `http://host:port/r/ROOM#TOKEN`; or the server's address, with `room` and `token`.
        room: Id of the room, 26 characters. None: `server` is a link.
        token: Token of a seat in the room. None: `server` is a link.
        client: Name of the program, sent to the server.
        backoff: How long to wait before a reconnect. None: up to 50 ms at first, up to 5 s later.
        retry_for_s: Commands are retried while the server is temporarily unavailable. The client gives up when no
            command has succeeded for this many seconds.
        give_up_after_s: Seconds without a server after which the connection ends for good. None: never.
        dice_secrets: Where to keep the secrets of the dice tokens and the last position in the log. None: in the
            user's state directory. False: nowhere, and rolls include no tokens.
        knocks: Whether `Room.knocks` lists the people who ask for a seat. Only for a gm.
    """
    secrets = DiceSecrets.usual() if dice_secrets is None else dice_secrets or None
    link = _link(server, room, token)
    with gc_paused():
        SERVER_FRAME.rebuild()  # build the models of frames now, not when the first frame is read
        opened = Room(link, client, backoff or Backoff(), retry_for_s, give_up_after_s, secrets, knocks=knocks)
    await opened._connection.open()
    opened._watch.begin()
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
    """A room that this client is connected to. `connect` makes it.

    There is a method for each command, such as `start_countdown`. It calls `submit` with the command's fields.
    """

    def __init__(
        self,
        link: Link,
        client: str,
        backoff: Backoff,
        retry_for_s: float,
        give_up_after_s: float | None,
        secrets: DiceSecrets | None,
        *,
        knocks: bool = False,
    ) -> None:
        self.link = link
        program = Client(name=client, version=VERSION)
        self._protocol = ClientProtocol(link.room, link.token, program, knocks=knocks)
        self._connection = Connection(link.websocket, self._protocol, self._hear, backoff, retry_for_s, give_up_after_s)
        self._places = asyncio.Semaphore(MAX_UNANSWERED)
        self._waiting: dict[Ticket, asyncio.Future[_Outcome]] = {}
        self._streams: WeakSet[Stream[Any]] = WeakSet()
        self._conditions: dict[asyncio.Future[View], Callable[[View], bool]] = {}
        self._alarms: list[Alarm] = []
        self._roller = Roller(self, secrets, self._post, self._alarm) if secrets else None
        self._watch = Watch(link, self._protocol, secrets.directory if secrets else None, self._roller, self._alarm)
        self._over: Exception | None = None
        self._closing = ConnectionEnded(None, "this client closed the connection")

    @property
    def id(self) -> RoomId:
        """The room's id."""
        return self.link.room

    @property
    def view(self) -> View:
        """What this seat sees after the latest record. A view is immutable: each record replaces it."""
        return self._protocol.mirror.view

    @property
    def positions(self) -> Positions:
        """By channel, the number of the latest record and the hash over all records."""
        return dict(self._protocol.mirror.positions)

    @property
    def seat(self) -> Id:
        """The id of the token's seat."""
        return self._protocol.welcome.seat

    @property
    def role(self) -> Role:
        """The role of the token's seat."""
        return self._protocol.welcome.role

    @property
    def session(self) -> str:
        """The id of the session in which this client numbers its commands."""
        return self._protocol.welcome.session

    @property
    def log_id(self) -> str:
        """The id of the log that `positions` refer to. It changes if the server forks the log."""
        return self._protocol.welcome.log_id

    @property
    def durability(self) -> str:
        """Where an acknowledged command is stored: on disk (`fsync`), also on R replicas (`fsync+R`), or in `memory`
        only.
        """
        return self._protocol.welcome.durability

    @property
    def connected(self) -> bool:
        """Whether the connection is open and the view current. If not, the client is reconnecting."""
        return self._protocol.state is State.OPEN

    @property
    def complete(self) -> bool:
        """Whether the view includes every record received.

        False after a record that only newer versions of this client understand. True again when the server has sent
        the view again; `events` then yields a ViewReplaced.
        """
        return self._protocol.mirror.complete

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The problems that verification detected since this client connected: with dice, its seat's rolls, or the log.

        Normally empty. Each alarm is logged as an error, except `not_sent`: a roll of this seat that this client did
        not send. That is logged as a warning, because another device of the seat may have sent the roll.
        """
        return tuple(self._alarms)

    @property
    def here(self) -> dict[Id, int]:
        """The connected seats: a dict from seat id to the number of connections."""
        return dict(self._protocol.here)

    @property
    def knocks(self) -> tuple[WaitingKnock, ...]:
        """The people who ask for a seat, the oldest first. Empty unless a gm connected with `knocks=True`.

        Answer with `RestRoom.of(link).answer_knock`. After each change, `wait_for` calls its predicate again.
        """
        return self._protocol.knocks

    async def submit(self, command: CommandBase | Mapping[str, Any]) -> Acknowledged:
        """Submit a command and wait until the server has applied it.

        At most MAX_UNANSWERED (64) commands are under way; further commands wait here, in order. Once a command is
        under way, it is sent even if the caller is cancelled. Rolls with dice tokens are sent one after the other. Such
        a roll is refused if the rolled thing changed after the call. Raises Refused if the room refuses the command,
        and ConnectionEnded if the connection has ended. After ConnectionEnded, nobody knows whether the command was
        applied. This is also true after Refused(session_expired): the server forgot the session.

        Args:
            command: A command of `dreadclock.wire`, or its JSON fields with their `type`.
        """
        checked = checked_command(command)
        if self._roller and isinstance(checked, RollingCommand) and self._roller.takes(checked):
            return await self._roller.roll(checked)
        outcome = await asyncio.shield(await self._post(checked))
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def _post(self, command: CommandBase) -> "asyncio.Future[_Outcome]":
        """Send a command once fewer than MAX_UNANSWERED are under way. Returns a future of the outcome."""
        await self._places.acquire()
        try:
            if self._over is not None:
                raise self._over
            ticket = self._protocol.submit(command)
        except BaseException:
            self._places.release()
            raise
        self._watch.send(ticket, command)
        self._connection.flush()
        answer = self._waiting[ticket] = asyncio.get_running_loop().create_future()
        return answer

    def events(self) -> Stream[Event]:
        """Iterate over the events from now on. If the server replaces the view, the iterator yields a ViewReplaced. Its
        `type` is `view_replaced`.

        Every iterator has its own queue, so that a loop over events may submit commands.
        """
        return self._stream(lambda record: record.event)

    def records(self) -> Stream[Record]:
        """Iterate over the records from now on: events with their seq, channel, time and seat."""
        return self._stream(lambda record: record)

    def _stream(self, select: Callable[[Record], Any]) -> Stream[Any]:
        stream: Stream[Any] = Stream(select)
        if self._over is not None:
            stream.end(None if self._over is self._closing else self._over)
        self._streams.add(stream)
        return stream

    async def wait_for(self, predicate: Callable[[View], bool], timeout_s: float | None = None) -> View:
        """Wait until `predicate(view)` is true, and return that view.

        Raises TimeoutError after `timeout_s`, ConnectionEnded if the connection ends first, and whatever `predicate`
        raises.

        Args:
            predicate: Called with the view, now and after every frame; must not block. `dreadclock.sync` calls it in
                another thread.
            timeout_s: Seconds to wait at most. None: no limit.
        """
        if predicate(self.view):
            return self.view
        if self._over is not None:
            raise self._over
        answer: asyncio.Future[View] = asyncio.get_running_loop().create_future()
        self._conditions[answer] = predicate
        try:
            async with asyncio.timeout(timeout_s):
                return await answer
        finally:
            del self._conditions[answer]

    def _hear(self, outputs: Sequence[Output]) -> None:
        self._watch.hear(outputs)
        for output in outputs:
            if isinstance(output, Answered):
                self._answer(output.ticket, output.outcome)
            elif not isinstance(output, DiceAlarm | Stalled):
                for stream in self._streams:
                    stream.put(output)
            if isinstance(output, ViewReplaced) and self._roller:
                self._roller.look_anew()
        self._ask_all()

    def _alarm(self, alarm: Alarm) -> None:
        self._alarms.append(alarm)
        _log.log(logging.ERROR if alarm.is_certain else logging.WARNING, "%s", alarm.sentence)
        self._ask_all()

    def _ask_all(self) -> None:
        """Wake the callers of `wait_for` whose predicate is now true."""
        for answer, predicate in self._conditions.items():
            try:
                if not answer.done() and predicate(self.view):
                    answer.set_result(self.view)
            except Exception as error:
                answer.set_exception(error)

    def _answer(self, ticket: Ticket, outcome: _Outcome) -> None:
        self._places.release()
        answer = self._waiting.pop(ticket)
        if not answer.done():
            answer.set_result(outcome)

    async def _keep(self) -> None:
        try:
            await self._connection.keep()
        except Exception as error:
            self._end(error)

    async def _close(self) -> None:
        self._end(self._closing)
        await self._connection.close()
        await self._watch.close()
        if self._roller:
            self._roller.close()

    def _end(self, over: Exception) -> None:
        """Give `over` to every waiting caller and stream. Later calls do nothing."""
        if self._over is not None:
            return
        self._over = over
        for ticket in list(self._waiting):
            self._answer(ticket, over)
        for answer in self._conditions:
            if not answer.done():
                answer.set_exception(over)
        for stream in self._streams:
            stream.end(None if over is self._closing else over)
