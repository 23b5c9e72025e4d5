"""The facade for scripts without asyncio, over real websockets."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest

from dreadclock import sync
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.commands import RollDice
from dreadclock.wire.errors import Code, ConnectionEnded, Refused
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.rest import Grant, RoomOpening
from dreadclock.wire.views import View
from kit.servers.http_server import HttpServer
from kit.servers.table_server import TableServer
from kit.table import ROOM, reset_to, rolled
from kit.waiting import until

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="threads cannot be signalled there")
T = TypeVar("T")
Elsewhere = Callable[[Coroutine[Any, Any, T]], T]


@pytest.fixture
def elsewhere() -> Iterator[Callable[[Coroutine[Any, Any, Any]], Any]]:
    """Run coroutines in the event loop of another thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def server(elsewhere: Elsewhere[Any]) -> Iterator[TableServer]:
    server = TableServer(Channel.PUBLIC)
    elsewhere(server.start())
    yield server
    elsewhere(server.stop())


@pytest.fixture
def room(server: TableServer) -> Iterator[sync.Room]:
    with sync.connect(server.url, ROOM, "token", client="a script", dice_secrets=False) as room:
        yield room


def test_a_room_says_what_the_welcome_said(server: TableServer, room: sync.Room) -> None:
    assert (room.id, room.seat, room.role, room.session) == (ROOM, "gm", Role.GM, "session-1")
    assert (room.durability, room.log_id) == ("memory", server.table.log.log_id)
    assert (room.view, room.positions) == (server.table.log.view, server.table.log.positions)
    room.wait_for(lambda view: room.here == {"gm": 1})


def test_commands_wait_until_they_are_done(server: TableServer, room: sync.Room) -> None:
    first = room.roll_dice(1, name="first")
    second = room.submit(RollDice(pool=1, name="second"))

    assert [*first.events, *second.events] == [rolled(1, "first"), rolled(2, "second")]
    assert room.view == server.table.log.view


def test_a_refusal_is_raised(room: sync.Room) -> None:
    with pytest.raises(Refused) as refused:
        room.reveal("fever")

    assert refused.value.code is Code.NOT_ALLOWED


def test_events_come_until_nothing_happens(server: TableServer, room: sync.Room, elsewhere: Elsewhere[Any]):
    events, records = room.events(timeout_s=0), room.records(timeout_s=0)
    room.roll_dice(1)
    elsewhere(server.tell(reset_to(server.table.log, ResetReason.TOO_OLD)))
    room.roll_dice(1)

    replaced = ViewReplaced(ResetReason.TOO_OLD)
    assert list(events) == [rolled(1), replaced, rolled(2)]
    first, second = server.table.log.records
    assert list(records) == [first, replaced, second]


def test_waiting_ends_when_the_view_is_as_wished(server: TableServer, room: sync.Room, elsewhere: Elsewhere[Any]):
    with pytest.raises(TimeoutError):
        room.wait_for(lambda view: bool(view.rolls), timeout_s=0)
    elsewhere(server.happen(rolled(1)))

    assert room.wait_for(lambda view: bool(view.rolls)) == server.table.log.view


def test_a_server_that_ends_it_for_good_ends_iterators(server: TableServer, room: sync.Room, elsewhere: Elsewhere[Any]):
    events = room.events()
    elsewhere(server.close(4502, "revoked"))

    with pytest.raises(ConnectionEnded, match="revoked"):
        next(events)


def test_a_room_that_was_left_says_so(server: TableServer, elsewhere: Elsewhere[Any]) -> None:
    with sync.connect(server.url, ROOM, "token", dice_secrets=False) as room:
        threads = threading.active_count()

    with pytest.raises(ConnectionEnded, match="this client"):
        room.roll_dice(1)
    assert threading.active_count() == threads - 1

    async def closed() -> None:
        await until(lambda: server.closed_with == [1000])

    elsewhere(closed())


def test_a_server_that_is_not_there_leaves_no_thread_behind(server: TableServer, elsewhere: Elsewhere[Any]) -> None:
    elsewhere(server.stop())
    threads = threading.active_count()

    with pytest.raises(ConnectionEnded, match="cannot be reached"), sync.connect(server.url, ROOM, "token"):
        pass

    assert threading.active_count() == threads


def interrupted_when(condition: Callable[[], bool], elsewhere: Elsewhere[Any]) -> threading.Thread:
    """Press Ctrl-C once `condition` holds."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else something here took it, and all hangs
    main = threading.main_thread().ident
    assert main is not None

    async def interrupt() -> None:
        try:
            await until(condition)
        finally:
            signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=lambda: elsewhere(interrupt()))
    thread.start()
    return thread


@ON_POSIX
def test_ctrl_c_ends_a_command_and_the_room_stays(server: TableServer, room: sync.Room, elsewhere: Elsewhere[Any]):
    server.keep_silent()
    interrupter = interrupted_when(lambda: server.commands == 1, elsewhere)
    with pytest.raises(KeyboardInterrupt):
        room.roll_dice(1)
    interrupter.join()
    server.speak()

    assert room.roll_dice(1).n == 2


@ON_POSIX
def test_ctrl_c_is_heeded_where_it_ends_no_wait(server: TableServer, room: sync.Room, elsewhere: Elsewhere[Any]):
    heeded, late = threading.Event(), list[AssertionError]()

    async def interrupt() -> None:
        await until(lambda: server.commands == 1)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # as one that came right before the wait
        try:
            await until(heeded.is_set)
        except AssertionError as error:
            late.append(error)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    server.keep_silent()
    interrupter = threading.Thread(target=lambda: elsewhere(interrupt()))
    interrupter.start()
    with pytest.raises(KeyboardInterrupt):
        room.roll_dice(1)
    heeded.set()
    interrupter.join()

    assert late == []


@ON_POSIX
def test_ctrl_c_ends_what_was_waited_for(room: sync.Room, elsewhere: Elsewhere[Any]) -> None:
    asked: list[View] = []

    def never(view: View) -> bool:
        asked.append(view)
        return False

    interrupter = interrupted_when(lambda: bool(asked), elsewhere)
    with pytest.raises(KeyboardInterrupt):
        room.wait_for(never)
    interrupter.join()

    asked.clear()
    room.roll_dice(1)

    assert asked == []


def test_rooms_are_opened_and_people_invited(elsewhere: Elsewhere[Any]) -> None:
    grant = Grant(seat_id="gm", token_id="abc", token="secret", link="http://host")
    server = HttpServer()
    elsewhere(server.__aenter__())
    answers = [RoomOpening(room_id=ROOM, gm=grant).model_dump_json(), grant.model_dump_json(), ""]
    server.answers.extend((200, answer) for answer in answers)

    opened = sync.open_room(server.url, "The Chapel")

    assert (opened.room_id, opened.gm, opened.invite("player", "Ann")) == (ROOM, grant, grant)
    opened.revoke("abc")
    assert [each.method for each in server.asked] == ["POST", "POST", "DELETE"]
    elsewhere(server.__aexit__())
