"""The same without asyncio, for scripts and notebooks: an event loop in a thread of its own does the work.

    with dreadclock.sync.connect(link) as room:
        room.roll_countdown("fever")
        for event in room.events(timeout_s=5):
            print(event)

Ctrl-C interrupts what is waiting; leaving the `with` block closes the connection.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager
from threading import Thread
from typing import Any, Literal, TypeVar

from dreadclock.client.connection import Backoff
from dreadclock.client.methods import Commands
from dreadclock.client.outcomes import Acknowledged, ViewReplaced
from dreadclock.client.rest import OpenedRoom as AsyncOpenedRoom
from dreadclock.client.rest import import_room as import_room_async
from dreadclock.client.rest import open_room as open_room_async
from dreadclock.client.room import CLIENT, RETRY_FOR_S
from dreadclock.client.room import Room as AsyncRoom
from dreadclock.client.room import connect as connect_async
from dreadclock.client.streams import Stream
from dreadclock.client.trust.alarms import Alarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.wire.base import Id, Role, RoomId, Scope
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.events import Event
from dreadclock.wire.records import Positions, Record
from dreadclock.wire.rest import Grant, TokenId
from dreadclock.wire.things import Policy
from dreadclock.wire.views import View

T = TypeVar("T")
_Loop = asyncio.AbstractEventLoop
_HEED_CTRL_C_EVERY_S = 1.0


@contextmanager
def connect(
    server: str,
    room: RoomId | None = None,
    token: str | None = None,
    *,
    client: str = CLIENT,
    backoff: Backoff | None = None,
    retry_for_s: float = RETRY_FOR_S,
    give_up_after_s: float | None = None,
    dice_secrets: DiceSecrets | Literal[False] | None = None,
) -> Iterator["Room"]:
    """Open a room, as `dreadclock.connect` does.

    Args:
        server: A link to a seat, `http://host:port/r/ROOM#TOKEN`; or the server's address, with `room` and `token`.
        room: Id of the room, 26 characters. None: `server` is a link.
        token: Token of a seat in the room. None: `server` is a link.
        client: Name of the program, as the server is told it.
        backoff: How long to wait before the connection is tried again. None: up to 50 ms at first, up to 5 s later.
        retry_for_s: Seconds without a success for which commands that the server cannot take just now are sent again.
        give_up_after_s: Seconds without a server after which the connection ends for good. None: never.
        dice_secrets: Where the secrets of the dice tokens and the last position in the log are kept. None: in the
            user's state directory. False: nowhere, and rolls show no tokens.
    """
    opening = connect_async(
        server,
        room,
        token,
        client=client,
        backoff=backoff,
        retry_for_s=retry_for_s,
        give_up_after_s=give_up_after_s,
        dice_secrets=dice_secrets,
    )
    with _background() as loop:
        opened = _wait(loop, opening.__aenter__())
        try:
            yield Room(opened, loop)
        finally:
            _wait(loop, opening.__aexit__(None, None, None))


class Room(Commands[Acknowledged]):
    """A room that this client is connected to; `connect` makes it. Several threads may share it.

    Its methods wait until a command is done, and raise what those of `dreadclock.Room` raise.
    """

    def __init__(self, room: AsyncRoom, loop: _Loop) -> None:
        self._room, self._loop = room, loop

    @property
    def id(self) -> RoomId:
        """The room's id."""
        return self._room.id

    @property
    def view(self) -> View:
        """What this viewer sees, after the latest record; never changed, only replaced."""
        return self._room.view

    @property
    def positions(self) -> Positions:
        """Where the view stands in each channel."""
        return self._room.positions

    @property
    def seat(self) -> Id:
        """The seat that the token opened."""
        return self._room.seat

    @property
    def role(self) -> Role:
        """The role of that seat."""
        return self._room.role

    @property
    def session(self) -> str:
        """The session that commands are numbered in."""
        return self._room.session

    @property
    def log_id(self) -> str:
        """Which log the positions are of; another one after a fork."""
        return self._room.log_id

    @property
    def durability(self) -> str:
        """What an acknowledged command has survived: `fsync`, `fsync+R` or `memory`."""
        return self._room.durability

    @property
    def complete(self) -> bool:
        """Whether the view holds all that was heard, see `Room.complete`."""
        return self._room.complete

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """What did not fit since this client connected: dice, rolls of its own seat, the log."""
        return self._room.alarms

    @property
    def here(self) -> dict[Id, int]:
        """The seats that are connected, and by how many connections each."""
        return self._room.here

    def submit(self, command: CommandBase | Mapping[str, Any]) -> Acknowledged:
        """Submit a `command`, a model or its JSON fields, and wait until it is done. Raises Refused."""
        return _wait(self._loop, self._room.submit(command))

    def events(self, timeout_s: float | None = None) -> Iterator[Event | ViewReplaced]:
        """Iterate over what happens from now on, until nothing has happened for `timeout_s`; None waits for ever."""
        return self._each(self._room.events, timeout_s)

    def records(self, timeout_s: float | None = None) -> Iterator[Record | ViewReplaced]:
        """Iterate like `events` until `timeout_s`, with each record's place in its channel, its time and its seat."""
        return self._each(self._room.records, timeout_s)

    def wait_for(self, predicate: Callable[[View], bool], timeout_s: float | None = None) -> View:
        """Wait until `predicate` holds of the view, and return that view. It is called in another thread.

        Raises TimeoutError after `timeout_s` seconds; None waits for ever.
        """
        return _wait(self._loop, self._room.wait_for(predicate, timeout_s))

    def _each(self, start: Callable[[], Stream[T]], timeout_s: float | None) -> Iterator[T | ViewReplaced]:
        stream = _wait(self._loop, _called(start))  # now, not when it is first read
        return self._items(stream, timeout_s)

    def _items(self, stream: Stream[T], timeout_s: float | None) -> Iterator[T | ViewReplaced]:
        while True:
            following = _next(stream, timeout_s)
            item = _wait(self._loop, following)
            if isinstance(item, _Nothing):
                return
            yield item


def open_room(server: str, title: str, policy: Policy | None = None, operator_key: str | None = None) -> "OpenedRoom":
    """Open a room and return it with its gm's seat, as `dreadclock.open_room` does.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        title: Name of the room, 1 to 64 characters.
        policy: The house rules. None: those of `Policy()`.
        operator_key: The operator's key, if the server has one; one started with `--lan` keeps it in the file
            `operator-key` of its data folder. None: the server has none.
    """
    return OpenedRoom(_wait_once(open_room_async(server, title, policy, operator_key)))


def import_room(server: str, export: bytes, title: str | None = None, operator_key: str | None = None) -> "OpenedRoom":
    """Open a room that goes on from an export and return it with its gm's seat, as `dreadclock.import_room` does.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        export: The log, as `RestRoom.log_texts` yields it, one record a line in UTF-8.
        title: Name of the new room, 1 to 64 characters. None: the title in the export.
        operator_key: The operator's key, if the server has one; one started with `--lan` keeps it in the file
            `operator-key` of its data folder. None: the server has none.
    """
    return OpenedRoom(_wait_once(import_room_async(server, export, title, operator_key)))


class OpenedRoom:
    """A room that was just opened, with its gm's seat, token and link in `gm`."""

    def __init__(self, room: AsyncOpenedRoom) -> None:
        self._room = room
        self.room_id, self.gm = room.room_id, room.gm

    def invite(
        self,
        role: Role | str,
        name: str | None = None,
        *,
        scopes: Iterable[Scope | str] = (),
        expires_s: int | None = None,
        seat_id: Id | None = None,
        qr: bool = False,
    ) -> Grant:
        """Make a seat with a token, or one more token for a seat.

        Args:
            role: What the seat is at the table; of a seat that exists, its role.
            name: Name of the seat, 1 to 64 characters. None: the role and a number, such as `Player 2`.
            scopes: What an integration may do beyond looking on; empty for other roles.
            expires_s: Seconds until the token ends, at most 366 days. None: never.
            seat_id: Id of the seat that gets one more token. None: make a new seat.
            qr: Whether to draw the link as a QR code, too.
        """
        return _wait_once(self._room.invite(role, name, scopes=scopes, expires_s=expires_s, seat_id=seat_id, qr=qr))

    def revoke(self, token_id: TokenId) -> None:
        """Make the token `token_id` worthless, and close its connections."""
        _wait_once(self._room.revoke(token_id))


class _Nothing:
    """Stands for the end of a stream."""


async def _called(start: Callable[[], T]) -> T:
    return start()


async def _next(stream: Stream[T], timeout_s: float | None) -> T | ViewReplaced | _Nothing:
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(stream, _Nothing())
    except TimeoutError:
        return _Nothing()


def _wait(loop: _Loop, work: Coroutine[Any, Any, T]) -> T:
    """Let the loop's thread do the work; what interrupts the wait ends the work, too."""
    if loop.is_closed():
        work.close()
        raise ConnectionEnded(None, "this client closed the connection")
    outcome: Future[T] = Future()  # made first: whenever Ctrl-C comes, there is something to cancel
    try:
        loop.call_soon_threadsafe(_start, work, outcome, loop)
        while not wait((outcome,), _HEED_CTRL_C_EVERY_S).done:
            pass  # a Ctrl-C that comes right before a wait, or to another thread, ends none: it is heeded after it
        return outcome.result()
    except BaseException:
        outcome.cancel()
        raise


def _start(work: Coroutine[Any, Any, T], outcome: Future[T], loop: _Loop) -> None:
    """Do the work in the loop's thread, for as long as its outcome is waited for."""
    task = loop.create_task(work)
    task.add_done_callback(lambda _: _settle(task, outcome))
    outcome.add_done_callback(lambda _: loop.call_soon_threadsafe(task.cancel))


def _settle(task: asyncio.Task[T], outcome: Future[T]) -> None:
    error = CancelledError() if task.cancelled() else task.exception()
    if not outcome.set_running_or_notify_cancel():
        return
    if error is not None:
        outcome.set_exception(error)
    else:
        outcome.set_result(task.result())


def _wait_once(work: Coroutine[Any, Any, T]) -> T:
    with _background() as loop:
        return _wait(loop, work)


@contextmanager
def _background() -> Iterator[_Loop]:
    """Run an event loop in a thread of its own for as long as the block lasts."""
    ready: Future[tuple[_Loop, asyncio.Event]] = Future()

    async def stay() -> None:
        stop = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()

    thread = Thread(target=lambda: asyncio.run(stay()), name="dreadclock", daemon=True)
    thread.start()
    loop, stop = ready.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
