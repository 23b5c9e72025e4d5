"""A room as a script or a bot uses it, over real websockets."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

import pytest

from dreadclock.client.methods import Commands
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.room import Room, connect
from dreadclock.client.streams import QUEUE_LIMIT, FellBehind, Stream
from dreadclock.dice.flaws import Flaw
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.commands import COMMAND, RollDice
from dreadclock.wire.errors import Code, ConnectionEnded, Refused
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.frames import MAX_UNANSWERED, Presence, ResetReason, frame_text
from dreadclock.wire.records import Record
from dreadclock.wire.things import Stage
from kit.servers.table_server import TableServer
from kit.table import BOTH, ROOM, Log, reset_to, rolled
from kit.waiting import until


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(*BOTH) as server:
        yield server


@pytest.fixture
async def room(server: TableServer) -> AsyncIterator[Room]:
    async with connect(server.url, ROOM, "token", dice_secrets=False) as room:
        yield room


async def test_a_room_says_what_the_welcome_said(server: TableServer, room: Room) -> None:
    assert (room.id, room.seat, room.role, room.durability) == (ROOM, "gm", Role.GM, "memory")
    assert (room.session, room.log_id) == ("session-1", server.table.log.log_id)
    assert (room.view, room.positions) == (server.table.log.view, server.table.log.positions)


async def test_a_room_says_who_is_here(server: TableServer, room: Room) -> None:
    await server.tell(frame_text(Presence(here={"gm": 1, "player-1": 2})))

    await room.wait_for(lambda _: len(room.here) == 2)

    assert room.here == {"gm": 1, "player-1": 2}


async def test_dice_that_do_not_fit_raise_an_alarm(server: TableServer, room: Room, caplog: pytest.LogCaptureFixture):
    honest = rolled(1)
    made_up = honest.model_copy(update={"roll": honest.roll.model_copy(update={"physical": False})})
    stream = room.events()

    await server.happen(honest)
    await server.happen(made_up)
    await room.wait_for(lambda _: len(room.alarms) == 3)

    assert [await anext(stream), await anext(stream)] == [honest, made_up]
    unproven = room.alarms[2]
    assert isinstance(unproven, DiceAlarm)
    assert (unproven.flaw, unproven.record.seq) == (Flaw.UNPROVEN, 2)
    assert [each.sentence for each in room.alarms[:2]] == [
        f"Record {seq} (dice_rolled) is not by this client: it was rolled for your seat;"
        " it may have been another device of yours."
        for seq in (1, 2)
    ]
    assert caplog.messages == [each.sentence for each in room.alarms]
    assert (await room.roll_dice(1)).n == 1


async def test_a_roll_before_a_new_view_is_not_held_against_later_answers(server: TableServer, room: Room):
    """The answer may have come in between: whose roll it was is not known any more."""
    server.keep_silent()
    ending = asyncio.create_task(room.end_turn())
    await until(lambda: server.commands == 1)
    await server.happen(rolled(1))
    await server.tell(reset_to(server.table.log, ResetReason.TOO_OLD))
    server.speak()

    with pytest.raises(Refused):
        await ending
    assert room.alarms == ()


# Commands


@pytest.mark.parametrize("command", [RollDice(pool=2, name="luck"), {"type": "roll_dice", "pool": 2, "name": "luck"}])
async def test_a_command_is_a_model_or_fields(server: TableServer, room: Room, command: RollDice | dict[str, object]):
    acknowledged = await room.submit(command)

    assert server.table.done == [RollDice(pool=2, name="luck")]
    assert acknowledged.events == (rolled(1, "luck"),)
    assert acknowledged.positions == {Channel.PUBLIC: 1, Channel.GM: 0}
    assert room.view == server.table.log.view


async def test_a_refusal_is_raised_and_the_room_goes_on(room: Room) -> None:
    with pytest.raises(Refused) as refused:
        await room.reveal("fever")

    assert refused.value.code is Code.NOT_ALLOWED
    assert (await room.roll_dice(1)).n == 2


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"type": "roll_dice", "pool": 61}, "roll_dice.pool"),
        ({"type": "roll_dice", "pool": "6"}, "roll_dice.pool"),
        ({"type": "roll_dice", "pool": 6, "hat": 1}, "roll_dice.hat"),
        ({"type": "roll_dice", "pool": 6, "name": ""}, "roll_dice.name"),
        ({"type": "dance"}, "dance"),
        ({}, "type"),
        ({"type": "roll_dice", "pool": object()}, "not JSON"),
    ],
)
async def test_a_bad_command_is_never_sent(server: TableServer, room: Room, fields: dict[str, object], problem: str):
    with pytest.raises(Refused, match=problem) as refused:
        await room.submit(fields)

    assert refused.value.code is Code.BAD_COMMAND
    assert (await room.roll_dice(1)).n == 1
    assert server.commands == 1


async def test_the_method_of_a_command_takes_strings_and_mappings(room: Room) -> None:
    with pytest.raises(Refused, match="Only nobody"):
        await room.start_countdown(
            "Fever", 6, speed="fast", bound_to="turn", stages=[{"at": 2, "effect": "blind"}, Stage(at=1, effect="mad")]
        )
    with pytest.raises(Refused, match=r"start_countdown\.speed"):
        await room.start_countdown("Fever", 6, speed="glacial")  # type: ignore[arg-type]


async def test_a_65th_command_waits_for_a_place(server: TableServer, room: Room) -> None:
    server.keep_silent()
    submitted = [asyncio.create_task(room.roll_dice(1, name=f"roll {n}")) for n in range(MAX_UNANSWERED + 36)]
    await until(lambda: server.commands == 1)

    server.speak()

    acknowledged = await asyncio.gather(*submitted)
    assert [each.n for each in acknowledged] == list(range(1, MAX_UNANSWERED + 37))


async def test_a_command_that_was_never_sent_takes_no_place(server: TableServer, room: Room) -> None:
    too_large = RollDice(pool=1, faces=(1,) * 40_000)
    for _ in range(MAX_UNANSWERED + 1):
        with pytest.raises(Refused, match="larger"):
            await room.submit(too_large)

    assert (await room.roll_dice(1)).n == 1


async def test_a_cancelled_command_is_done_all_the_same_and_disturbs_no_other(server: TableServer, room: Room) -> None:
    server.keep_silent()
    submitted = [asyncio.create_task(room.roll_dice(1)) for _ in range(3)]
    await until(lambda: server.commands == 1)
    submitted[1].cancel()
    server.speak()

    outcomes = await asyncio.gather(*submitted, return_exceptions=True)

    assert isinstance(outcomes[1], asyncio.CancelledError)
    assert len(server.table.done) == 3
    assert (await room.roll_dice(1)).n == 4


async def test_a_cancelled_wait_for_a_place_sends_nothing(server: TableServer, room: Room) -> None:
    server.keep_silent()
    submitted = [asyncio.create_task(room.roll_dice(1)) for _ in range(MAX_UNANSWERED)]
    waiting = asyncio.create_task(room.roll_dice(1))
    await until(lambda: server.commands == 1)
    waiting.cancel()
    server.speak()
    await asyncio.gather(*submitted)

    assert (await room.roll_dice(1)).n == MAX_UNANSWERED + 1


# Iterators


async def test_every_iterator_starts_where_it_was_made_and_has_all_to_itself(server: TableServer, room: Room) -> None:
    first = room.events()
    await server.happen(rolled(1))
    await room.wait_for(lambda view: "roll-1" in view.rolls)
    second = room.records()
    hidden = await server.happen(rolled(2), Channel.GM)

    assert [await anext(first), await anext(first)] == [rolled(1), rolled(2)]
    assert await anext(second) == hidden


async def test_whoever_reads_events_may_submit_commands(server: TableServer, room: Room) -> None:
    async def answer_each_roll_of_others() -> None:
        async for event in room.events():
            if isinstance(event, DiceRolled) and event.roll.name == "theirs":
                await room.roll_dice(1, name="mine")

    answering = asyncio.create_task(answer_each_roll_of_others())
    await asyncio.sleep(0)
    for number in range(3):
        await server.happen(rolled(100 + number, "theirs"))

    await until(lambda: len(server.table.done) == 3)
    answering.cancel()


async def test_an_iterator_that_was_dropped_is_forgotten(server: TableServer, room: Room) -> None:
    events = room.events()
    dropped = weakref.ref(events)
    await server.happen(rolled(1))
    assert await anext(events) == rolled(1)

    del events
    gc.collect()

    assert dropped() is None


async def test_a_reset_is_told_to_iterators(server: TableServer, room: Room) -> None:
    events = room.events()

    await server.tell(reset_to(server.table.log, ResetReason.TOO_OLD))

    assert await anext(events) == ViewReplaced(ResetReason.TOO_OLD)


# Waiting


async def test_waiting_ends_when_the_view_is_as_wished(server: TableServer, room: Room) -> None:
    waiting = asyncio.create_task(room.wait_for(lambda view: len(view.rolls) == 2))
    await asyncio.sleep(0)
    await server.happen(rolled(1))
    await server.happen(rolled(2))

    assert await waiting == server.table.log.view
    assert await room.wait_for(lambda view: len(view.rolls) == 2) == server.table.log.view


async def test_waiting_may_have_an_end(room: Room) -> None:
    with pytest.raises(TimeoutError):
        await room.wait_for(lambda view: False, timeout_s=0)


async def test_a_wish_that_fails_is_told_to_the_one_who_had_it(server: TableServer, room: Room) -> None:
    waiting = asyncio.create_task(room.wait_for(lambda view: bool(view.rolls) and 1 // 0 > 0))
    await asyncio.sleep(0)
    await server.happen(rolled(1))

    with pytest.raises(ZeroDivisionError):
        await waiting
    assert (await room.roll_dice(1)).n == 1


async def test_no_command_hides_behind_anything_else_of_a_room() -> None:
    commands = {name for name in vars(Commands).keys() - Commands.__abstractmethods__ if not name.startswith("_")}

    assert commands == set(COMMAND.json_schema()["discriminator"]["mapping"])
    assert vars(Room).keys() & commands == set()


# Streams of what happens


def records(count: int) -> list[Record]:
    log = Log(Channel.PUBLIC)
    return [log.write(rolled(number)) for number in range(count)]


def stream_of_seqs(limit: int = QUEUE_LIMIT) -> Stream[int]:
    return Stream(lambda record: record.seq, limit)


async def test_what_was_put_comes_out_in_order() -> None:
    stream = stream_of_seqs()
    replaced = ViewReplaced(ResetReason.FORKED)
    first, second = records(2)
    for item in (first, replaced, second):
        stream.put(item)
    stream.end(None)

    assert [item async for item in stream] == [1, replaced, 2]


async def test_a_reader_waits_for_what_comes() -> None:
    stream = stream_of_seqs()
    (record,) = records(1)
    reader = asyncio.create_task(anext(stream))
    await asyncio.sleep(0)

    stream.put(record)

    assert await reader == 1


async def test_a_cancelled_reader_loses_nothing() -> None:
    stream = stream_of_seqs()
    reader = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    stream.put(records(1)[0])
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)

    assert await anext(stream) == 1


async def test_two_readers_of_one_stream_are_a_mistake() -> None:
    stream = stream_of_seqs()
    first = asyncio.create_task(anext(stream))
    await asyncio.sleep(0)

    with pytest.raises(RuntimeError):
        await anext(stream)

    stream.end(None)
    with pytest.raises(StopAsyncIteration):
        await first


async def test_an_end_by_the_server_is_raised_after_what_was_queued_and_then_always() -> None:
    stream = stream_of_seqs()
    stream.put(records(1)[0])
    stream.end(ConnectionEnded(4502, "revoked"))

    assert await anext(stream) == 1
    for _ in range(2):
        with pytest.raises(ConnectionEnded):
            await anext(stream)


async def test_a_stream_that_is_not_read_ends_alone_and_keeps_nothing() -> None:
    unread, read = stream_of_seqs(limit=3), stream_of_seqs(limit=3)
    for record in records(4):
        unread.put(record)
        read.put(record)
        assert await anext(read) == record.seq

    with pytest.raises(FellBehind):
        await anext(unread)
    unread.put(records(1)[0])
    with pytest.raises(FellBehind):
        await anext(unread)
