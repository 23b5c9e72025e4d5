"""What a room remembers of its latest commands: entries say which records belong together, and snapshots keep it."""

import asyncio
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.rest import Undoable
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room
from dreadclock_server.core.sessions import Done, Sessions
from dreadclock_server.core.undo import UNDO_ENTRIES, UNDO_KEPT, UndoLogs
from dreadclock_server.core.undoable import tried
from dreadclock_server.rooms import views
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import Attempt, decide_batch
from dreadclock_server.rooms.log import BrokenLog, Log, batch_of, empty_log, from_snapshot, snapshot
from dreadclock_server.rooms.size import Size
from dreadclock_server.rooms.views import Undoables
from dreadclock_server.store.base import EMPTY
from dreadclock_server.store.codec import Entry, decode, encode
from kit.evenings.golden import Golden, golden_files, read_golden
from kit.tables import ANN, GM, ORACLE, Loaded, Order, Table, command_of, loaded, undoable
from server.rooms.test_log import folded

CLOCK = {"type": "start_clock", "id": "guards", "name": "Guards", "size": 6}
TICK = {"type": "tick_clock", "clock_id": "guards"}
SECRET = {"type": "start_clock", "id": "gm-tide", "name": "Tide", "size": 6, "visibility": "gm"}
PUBLIC_HASH = "e1698ca024ac8cb7b0fcb9339a46c465da5280cf0a2bdb51b6c3768a6fd4beb5"
SEALED = {"type": "start_clock", "id": "gas", "name": "Gas", "size": 6, "visibility": "sealed"}


def batch(room: Room, *orders: Order, dice: Loaded | None = None) -> Attempt:
    """Decide commands that come together, as one entry will store them; nobody will send them again."""
    pending = [QueuedCommand(GM, command_of(order), "", n, lambda outcome: None) for n, order in enumerate(orders, 1)]
    return decide_batch(
        empty_log(room, EMPTY), pending, size=Size(), dice=dice or loaded(), now_ms=5_000, fresh=lambda: "0" * 12
    )


def entry(tried: Attempt, **changes: object) -> bytes:
    stored = batch_of(1, "b", tried.now_ms, tried.room, tried.written, tried.counts)
    return encode(replace(decode(stored.entry), **changes))  # type: ignore[arg-type]


def void(seq: int, channel: str = "public") -> Order:
    return {"type": "void_command", "seq": seq, "channel": channel, "reason": "a slip"}


@pytest.fixture
def start() -> Room:
    return replace(Table().room, undo_logs=UndoLogs.of(()))


def test_another_node_tells_the_commands_of_an_entry_apart(start: Room):
    tried = batch(
        start,
        CLOCK,
        SECRET,
        {**TICK, "clock_id": "ghost"},
        SEALED,
        TICK,
        {"type": "roll_dice", "pool": 1},
        dice=loaded(4),
    )
    there = empty_log(start, EMPTY)

    there.take(1, entry(tried))

    assert tried.counts == [1, 1, 2, 1, 1]
    assert there.room.undo_logs.all == tried.room.undo_logs.all
    assert [list(step.told) for step in there.room.undo_logs.all] == [
        [Channel.PUBLIC],
        [Channel.GM],
        [Channel.PUBLIC, Channel.GM],
        [Channel.PUBLIC],
        [Channel.PUBLIC],
    ]


def test_so_it_takes_back_one_of_several_that_were_stored_together(start: Room):
    there = empty_log(start, EMPTY)
    there.take(1, entry(batch(start, CLOCK, TICK, SECRET)))
    seq = there.room.seq(Channel.PUBLIC)

    tried = batch(there.room, void(seq), void(1, "gm"))
    there.take(2, entry(tried))

    assert [type(outcome) for _, outcome in tried.replies] == [Done, Done]
    assert {key: clock.value for key, clock in there.room.view.clocks.items()} == {"guards": 6}
    assert there.room.undo_logs.all == tried.room.undo_logs.all
    assert [step.reason for step in there.room.undo_logs.all] == [
        None,
        NoUndo.VOIDED,
        NoUndo.VOIDED,
        NoUndo.VOID,
        NoUndo.VOID,
    ]


def test_of_an_entry_that_does_not_say_so_no_command_is_taken_back(start: Room):
    there = empty_log(start, EMPTY)
    there.take(1, entry(batch(start, CLOCK, TICK), counts=()))

    [step] = there.room.undo_logs.all

    assert step.reason is NoUndo.UNKNOWN
    assert step.touched == ("public/clocks/guards",)


@pytest.mark.parametrize("counts", [[1], [1, 2], [3, -1], [2, 0], ["a", 1], [1.0, 1]], ids=str)
def test_an_entry_whose_counts_do_not_fit_is_not_taken(start: Room, counts: list[object]):
    there = empty_log(start, EMPTY)

    with pytest.raises(BrokenLog):
        there.take(1, entry(batch(start, CLOCK, TICK), counts=counts))

    assert there.room is start


def test_a_snapshot_remembers_the_latest_commands(start: Room):
    tried = batch(start, CLOCK, SECRET, SEALED, TICK, TICK)
    log = Log(tried.room, EMPTY, Sessions(), empty_log(start, EMPTY).tail)
    log = Log(batch(log.room, void(log.room.seq(Channel.PUBLIC))).room, EMPTY, Sessions(), log.tail)

    again = from_snapshot(start, EMPTY, snapshot(log)).room

    assert again == log.room
    assert again.undo_logs.all == log.room.undo_logs.all
    command = command_of(void(log.room.seq(Channel.PUBLIC) - 2))
    both = [decide(room, command, by=GM, dice=loaded(), now_ms=9_000, fresh=str).events for room in (log.room, again)]
    assert both[0] == both[1]


WORDS = [  # of reasons in the snapshots of all servers so far: a row is never changed
    (NoUndo.ROOM, "the room itself began or ended with it"),
    (NoUndo.PEOPLE, "it was about who is at the table"),
    (NoUndo.CRISIS, "a crisis stands"),
    (NoUndo.CRISIS, "a crisis is permanent"),
    (NoUndo.DICE, "it touched dice, or what they brought"),
    (NoUndo.DICE, "it fixed dice, rolled dice, or used their result"),
    (NoUndo.SHOWN, "it showed everyone what was hidden"),
    (NoUndo.SEALED, "it sealed something, and only cancelling shows what that was"),
    (NoUndo.SEALED, "it started something sealed, and an undo would not show what that was"),
    (NoUndo.VOID, "it took another command back"),
    (NoUndo.VOIDED, "it was taken back before"),
    (NoUndo.NOTHING, "it changed nothing"),
    (NoUndo.UNKNOWN, "nobody knows any more which records belong to it"),
]


@pytest.mark.parametrize(("reason", "words"), WORDS)
def test_a_snapshot_is_taken_whatever_words_its_server_had_for_a_reason(start: Room, reason: NoUndo, words: str):
    [told] = batch(start, CLOCK).room.undo_logs.all
    undo_logs = UndoLogs.of([replace(told, reason=reason, public_reason=reason)])
    log = Log(replace(start, undo_logs=undo_logs), EMPTY, Sessions(), empty_log(start, EMPTY).tail)
    stored = zlib.decompress(snapshot(log)).replace(reason.encode(), words.encode())

    again = from_snapshot(start, EMPTY, zlib.compress(stored)).room

    assert again.undo_logs == undo_logs


def test_the_words_of_every_reason_are_among_them():
    assert {(reason, reason.value) for reason in NoUndo} <= set(WORDS)


def test_what_is_remembered_does_not_grow_with_the_rooms_past(start: Room):
    room = batch(start, {**CLOCK, "size": 99}).room
    amends = [{"type": "amend_clock", "clock_id": "guards", "value": 10 + n, "reason": "x"} for n in range(UNDO_KEPT)]
    sizes = []
    for _ in range(3):
        room = batch(room, *amends).room
        sizes.append(len(UNDO_ENTRIES.dump_json(tuple(room.undo_logs.all))))

    assert len(room.undo_logs.all) == UNDO_KEPT
    assert max(sizes) - min(sizes) < 4 * UNDO_KEPT  # longer numbers alone


# The stored rooms


@pytest.fixture
def taken_back() -> Golden:
    return read_golden(next(path for path in golden_files() if path.name == "entry-v1d.txt"))


def test_the_golden_room_in_which_things_were_taken_back_ends_as_it_ended(taken_back: Golden):
    log = folded(taken_back)
    view = log.room.view

    assert log.room.positions[Channel.PUBLIC].hash == PUBLIC_HASH
    assert (view.clocks["guards"].value, view.scenes) == (3, {})
    assert [each.proof and each.proof.witnesses for each in view.countdowns["gas"].hidden_rolls] == [0, 1]
    assert [step.reason for step in log.room.undo_logs.all].count(NoUndo.VOIDED) == 2


@pytest.mark.parametrize("upto", [4, 6, 7, 10, 13])
def test_a_snapshot_keeps_witnesses_and_commands_wherever_it_is_made(taken_back: Golden, upto: int):
    log = folded(taken_back, upto)
    again = from_snapshot(taken_back.room, log.position, snapshot(log))
    assert (again.room, again.room.undo_logs.all) == (log.room, log.room.undo_logs.all)

    for number, data in enumerate(taken_back.entries[upto:], upto + 1):
        again.take(number, data)

    whole = folded(taken_back)
    assert (again.room, again.room.undo_logs.all) == (whole.room, whole.room.undo_logs.all)
    assert log.room.witnesses.keys() == ({"thing/countdown/gas"} if upto >= 6 else set())


def test_entries_of_before_there_were_counts_have_none():
    for path in golden_files()[:3]:
        assert {tuple(decode(data).counts) for data in read_golden(path).entries} == {()}
    assert Entry("b", 0, [], {}, []).counts == ()


# What seats may take back: worked out once for all who ask, in turns with other work, and by what the seat sees


SAID = {"type": "narrate", "text": "It rains."}


@pytest.fixture
def table() -> Table:
    table = Table()
    for _ in range(5):
        table.do(SAID, by=ANN)
    return table


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[Actor]:
    """For whom commands were tried, once for each."""
    seen: list[Actor] = []

    def counted(room: Room, by: Actor) -> Iterator[Undoable | None]:
        for each in tried(room, by):
            seen.append(by)
            yield each

    monkeypatch.setattr(views, "tried", counted)
    return seen


async def test_all_who_ask_from_a_seat_share_an_answer_and_others_have_turns(table: Table, tries: list[Actor]):
    answers = Undoables()
    asked = asyncio.gather(*[answers.of(table.room, ANN) for _ in range(8)])
    turns = list[int]()
    while not asked.done():
        turns.append(len(tries))
        await asyncio.sleep(0)

    assert await asked == [undoable(table.room, ANN)] * 8
    assert len(undoable(table.room, ANN)) == 5
    assert len(tries) == len(set(turns)) - (0 in turns), "each try had a turn of its own, and was made once"
    assert await answers.of(table.room, GM) == undoable(table.room, GM)


async def test_an_answer_lasts_until_something_happens_that_the_seat_sees(table: Table, tries: list[Actor]):
    answers = Undoables()
    for seat in (ANN, GM, ORACLE):
        await answers.of(table.room, seat)
    tries.clear()

    table.do(SECRET)
    for seat in (ANN, GM, ORACLE):
        assert await answers.of(table.room, seat) == undoable(table.room, seat)
    assert set(tries) == {GM, ORACLE}

    table.do(SAID)
    tries.clear()
    assert await answers.of(table.room, ANN) == undoable(table.room, ANN)
    assert set(tries) == {ANN}


async def test_who_leaves_does_not_take_the_answer_from_the_others(table: Table):
    answers = Undoables()
    gone, waits = (asyncio.create_task(answers.of(table.room, ANN)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()

    assert await waits == undoable(table.room, ANN)
