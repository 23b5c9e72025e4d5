"""Stored entries: what they are written as, what they fold to, and how a spoiled one is noticed."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Event
from dreadclock.wire.records import Head
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.sessions import SEAT_OUTCOMES_KEPT, Answer, Done, No, Outcome, Sessions
from dreadclock_server.gateway.sessions import issue
from dreadclock_server.rooms.answers import QueuedCommand, from_json, to_json
from dreadclock_server.rooms.live import Attempt, decide_batch
from dreadclock_server.rooms.log import BrokenLog, Log, NewerLog, Tail, batch_of, empty_log, from_snapshot, snapshot
from dreadclock_server.rooms.size import Size
from dreadclock_server.store.base import EMPTY
from dreadclock_server.store.codec import Entry, UnreadableEntry, decode, encode
from dreadclock_server.store.index import rows_of
from kit.evenings.golden import Golden, golden_files, read_golden
from kit.tables import ANN, GM, Loaded, Order, Table, command_of, loaded

ENTRY = Entry(
    batch_id="b",
    at_ms=7,
    answers=[["gm", "s", 1, {"no": "unknown", "details": {"id": "ä", "limit": 3}}]],
    heads={Channel.PUBLIC: Head(seq=2, hash="0f" * 32), Channel.GM: Head(seq=0, hash="00" * 32)},
    texts=['{"é":"\\n"}', "{}"],
    counts=[1, 1],
)


def folded(golden: Golden, upto: int | None = None) -> Log:
    log = empty_log(golden.room, EMPTY)
    for number, data in enumerate(golden.entries[:upto], 1):
        log.take(number, data)
    return log


# How entries are written


def test_an_entry_is_an_envelope_and_the_records_line_by_line():
    envelope, *records = encode(ENTRY).decode().split("\n")

    assert records == ENTRY.texts
    assert json.loads(envelope)["v"] == 1


def test_the_index_rows_of_a_new_entry_are_those_that_are_read_from_old_ones():
    """Over all golden entries: of one channel or two, taken in turn or not, short or too long to be read as a whole."""
    long, shapes = (
        [Answer("gm", "s", 1, No(Code.UNKNOWN, {"id": "x" * 2000}))],
        set[tuple[tuple[str, int, bool], ...]](),
    )
    for golden in map(read_golden, golden_files()):
        log = empty_log(golden.room, EMPTY)
        for number, data in enumerate(golden.entries, 1):
            written = log.take(number, data)
            for answers in ([], long):
                batch = batch_of(number, "b", 7, log.room, written, answers=answers)

                assert list(batch.rows) == rows_of(number, batch.entry)
                parts = [(row.channel, row.ranges.count("-"), row.records is None) for row in batch.rows]
                shapes.add(tuple(parts))

    assert shapes >= {(), (("public", 1, True),), (("public", 1, False),), (("gm", 1, True),)}
    assert any(len(shape) == 2 and max(parts for _, parts, _ in shape) > 1 for shape in shapes)


@pytest.mark.parametrize("entry", [ENTRY, Entry("b", 0, [], {}, [], [])], ids=["full", "empty"])
def test_an_entry_is_read_as_it_was_written(entry: Entry):
    assert decode(encode(entry)) == entry


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"\xff",
        encode(ENTRY).replace(b'"v":1', b'"v":2'),
        encode(ENTRY).replace(b'"public":', b'"secret":'),
        encode(ENTRY).replace(b"[2,", b"[-2,"),
        b'{"v":1,"batch":"b","at":1,"answers":[],"heads":[]}',
    ],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_entry_is_unreadable(data: bytes):
    with pytest.raises(UnreadableEntry):
        decode(data)


def test_outcomes_are_read_as_they_were_written():
    done = Done({Channel.PUBLIC: 5, Channel.GM: 2}, {Channel.PUBLIC: (4, 5)})

    for outcome in (done, Done({Channel.PUBLIC: 5}, {}), No(Code.WRONG_FACES, {"needed": 3, "given": 2})):
        answer = Answer("gm", "s", 7, outcome)
        assert from_json(json.loads(json.dumps(to_json(answer)))) == answer


# Golden entries


@pytest.mark.parametrize("path", golden_files(), ids=lambda path: path.name)
def test_what_was_stored_once_replays_for_ever(path: Path):
    golden = read_golden(path)

    log = folded(golden)

    assert log.room.positions == decode(golden.entries[-1]).heads
    assert log.position.number == len(golden.entries)


def test_golden_entries_hold_every_event():
    stored = [
        json.loads(text) for path in golden_files() for data in read_golden(path).entries for text in decode(data).texts
    ]

    known = {model.model_fields["type"].default for model in get_args(get_args(Event)[0])}
    assert {record["event"]["type"] for record in stored} == known


def test_the_first_golden_room_ends_as_it_ended():
    log = folded(read_golden(golden_files()[0]))
    view = log.room.view

    assert log.room.positions[Channel.PUBLIC].hash == "6af6d350b5a8e3f16bc722841b7ffd0d431455e1e0ec4d34020f989d2b727398"
    assert log.room.positions[Channel.GM].hash == "72ca84aa000b44cb4e6f39cd872d6da6b2afad58640205188cba6cc910b5d434"
    assert (view.title, view.public.closed, view.turn) == ("Die Bombe 💣", True, 3)
    assert view.situations["run"].outcome is RaceOutcome.SUCCESS
    assert view.clocks["bomb-threat"].value == 5
    assert view.countdowns["doomed"].ending == "She dies."
    assert view.characters["ada"].specials[0].starred
    assert list(log.sessions.by_id) == ["session-of-gm", "session-of-player-1", "session-of-player-2"]
    assert log.sessions.outcome("session-of-player-2", 9) == No(Code.NOT_ALLOWED, {"allowed": "the gm"})


def test_the_golden_room_with_tokens_ends_as_it_ended():
    log = folded(read_golden(golden_files()[2]))
    lane = log.room.view.public.lanes["seat/player-1/1"]

    assert log.room.positions[Channel.PUBLIC].hash == "053f9af2e3758eafab40476e977cbdc976f50e588c3a6630cacc5e225ae51a7e"
    assert (lane.used, lane.witnesses, lane.next_witnesses) == (3, 2, 2)
    assert lane.witness == "mkZAp3ESLMQ3dhhy_oBoPI7OvFDsEaFVx5iGWBDclXA"
    assert log.sessions.outcome("session-of-player-1", 13) == No(Code.SLOT_TAKEN, {"lane": lane.label, "n": 2})


# Snapshots


@pytest.fixture(scope="module")
def golden() -> Golden:
    return read_golden(golden_files()[0])


def test_a_snapshot_remembers_anchors_and_when_things_changed():
    golden = read_golden(golden_files()[2])
    log = folded(golden)
    room = from_snapshot(golden.room, log.position, snapshot(log)).room

    assert room == log.room
    assert len(room.anchors) == 3
    assert [room.changed_at(each) for each in ("countdown-1", "countdown-2", "ghost")] == [16, 17, 0]


@pytest.mark.parametrize("upto", [1, 3, 20, 41, None])
def test_a_snapshot_is_the_fold_of_the_log(golden: Golden, upto: int | None):
    log = folded(golden, upto)

    again = from_snapshot(golden.room, log.position, snapshot(log))

    assert (again.room, again.position) == (log.room, log.position)
    assert again.sessions.by_id == log.sessions.by_id
    assert again.room.view.model_dump_json() == log.room.view.model_dump_json()


def test_a_snapshot_knows_that_sessions_had_to_make_room(golden: Golden):
    log = folded(golden)
    keys = [Answer("player-1", f"key-{n}", 1, No(Code.UNKNOWN, {})) for n in range(SEAT_OUTCOMES_KEPT + 1)]
    log.sessions.remember(keys, 7)

    again = from_snapshot(golden.room, log.position, snapshot(log)).sessions

    assert again.forgotten == log.sessions.forgotten
    assert list(again.forgotten) == ["player-1"]
    assert list(again.by_use()) == list(log.sessions.by_use())


def test_the_log_goes_on_from_a_snapshot_as_from_the_start(golden: Golden):
    log = folded(golden, 20)
    again = from_snapshot(golden.room, log.position, snapshot(log))

    for number, data in enumerate(golden.entries[20:], 21):
        again.take(number, data)

    whole = folded(golden)
    assert (again.room, again.position, again.sessions.by_id) == (whole.room, whole.position, whole.sessions.by_id)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda blob: b"",
        lambda blob: blob[:-9],
        lambda blob: b"x" + blob,
        lambda blob: zlib.compress(b"{}"),
        lambda blob: zlib.compress(b"[]\n{}"),
        lambda blob: zlib.compress(zlib.decompress(blob).replace(b'"v": 5', b'"v": 4')),
        lambda blob: zlib.compress(zlib.decompress(blob).replace(b'"title"', b'"tilte"')),
    ],
)
def test_a_spoiled_snapshot_or_one_of_another_version_is_not_taken(golden: Golden, spoil: Callable[[bytes], bytes]):
    log = folded(golden)

    with pytest.raises(BrokenLog):
        from_snapshot(golden.room, log.position, spoil(snapshot(log)))


# Spoiled entries


@pytest.mark.parametrize("number", [1, 8, 20, 33, 41])
def test_any_changed_byte_of_an_entry_is_noticed(golden: Golden, number: int):
    """By the entry itself, or by the digest that the store keeps of all entries."""
    data = golden.entries[number - 1]
    before, honest = folded(golden, number - 1), folded(golden, number).position

    for place in range(len(data)):
        log = Log(before.room, before.position, Sessions(), Tail(before.room.positions))
        spoiled = data[:place] + bytes([data[place] ^ 0x01]) + data[place + 1 :]
        try:
            log.take(number, spoiled)
        except BrokenLog:
            assert log.position.number == number - 1
        else:
            assert log.position != honest


def test_a_changed_record_is_noticed_by_the_entry_itself(golden: Golden):
    log = folded(golden, 7)
    spoiled = golden.entries[7].replace(b'"pool":', b'"pole":').replace(b"For Ada!", b"For Eve!")
    assert spoiled != golden.entries[7]

    with pytest.raises(BrokenLog, match="do not hash to its heads"):
        log.take(8, spoiled)


@pytest.mark.parametrize("number", [7, 9])
def test_an_entry_out_of_its_place_is_noticed(golden: Golden, number: int):
    with pytest.raises(BrokenLog, match="cannot follow 7"):
        folded(golden, 7).take(number, golden.entries[number - 1])


def test_an_entry_in_the_place_of_another_is_noticed_and_changes_nothing(golden: Golden):
    log = folded(golden, 7)
    before = (log.room, log.position, dict(log.sessions.by_id))

    with pytest.raises(BrokenLog):
        log.take(8, golden.entries[9])

    assert (log.room, log.position, log.sessions.by_id) == before


def test_an_entry_of_a_newer_version_is_called_so(golden: Golden):
    newer = golden.entries[7].replace(b'"v":1', b'"v":7')

    with pytest.raises(NewerLog, match="entry 8 was written by a newer version of Dreadclock: it is of version 7"):
        folded(golden, 7).take(8, newer)


def test_why_an_entry_is_broken_does_not_tell_what_is_in_it(golden: Golden):
    spoiled = golden.entries[7].replace(b'"faces":[', b'"faces":["For Ada!",')

    with pytest.raises(BrokenLog) as broken:
        folded(golden, 7).take(8, spoiled)

    assert "For Ada!" not in str(broken.value)


# One batch: decided in order, each command once, a bug ends its own command alone


ROLL = {"type": "roll_dice", "pool": 1}
UNKNOWN = {"type": "roll_countdown", "countdown_id": "ghost"}


def ignore(outcome: Outcome | None) -> None:
    raise AssertionError("an attempt replies to nobody")


def pending(order: Order | Refused, n: int, session: str = "s", by: Actor = GM) -> QueuedCommand:
    command = order if isinstance(order, Refused) else command_of(order)
    return QueuedCommand(by, command, session, n, ignore)


def tried(
    *batch: QueuedCommand,
    dice: Loaded | None = None,
    sessions: Sessions | None = None,
    unsaved: tuple[Answer, ...] = (),
) -> Attempt:
    table = Table()
    log = Log(table.room, EMPTY, sessions or Sessions(), Tail(table.room.positions), unsaved=list(unsaved))
    dice = dice or loaded()
    result = decide_batch(log, batch, size=Size(), dice=dice, now_ms=5, fresh=table.fresh)
    dice.assert_used()
    return result


def stored(result: Attempt) -> Entry:
    batch = batch_of(1, "b", result.now_ms, result.room, result.written, result.counts, result.answers)
    return decode(batch.entry)


def outcomes(result: Attempt) -> list[Outcome]:
    return [outcome for _, outcome in result.replies]


def remembered(*answers: Answer) -> Sessions:
    sessions = Sessions()
    sessions.remember(answers, 0)
    return sessions


DONE = Done({Channel.PUBLIC: 3}, {})
REFUSED = No(Code.UNKNOWN, {"kind": "countdown", "id": "ghost"})


def test_each_command_is_decided_after_what_those_before_it_brought_about():
    start = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 1}

    result = tried(pending(start, 1), pending({"type": "roll_countdown", "countdown_id": "fever"}, 2), dice=loaded(2))

    last = Table().room.seq(Channel.PUBLIC)
    assert outcomes(result) == [
        Done({Channel.PUBLIC: last + 1, Channel.GM: 0}, {Channel.PUBLIC: (last + 1, last + 1)}),
        Done({Channel.PUBLIC: last + 2, Channel.GM: 0}, {Channel.PUBLIC: (last + 2, last + 2)}),
    ]
    assert [each.record.seq for each in result.written] == [last + 1, last + 2]
    assert result.room.seq(Channel.PUBLIC) == last + 2


def test_a_refused_command_leaves_the_batch_as_it_was():
    result = tried(pending(UNKNOWN, 1), pending(ROLL, 2), dice=loaded(1))

    assert outcomes(result)[0] == REFUSED
    assert len(result.written) == 1
    assert [answer.n for answer in result.answers] == [1, 2]


@pytest.mark.rule("E3")
def test_a_command_twice_in_a_batch_is_done_once():
    result = tried(pending(ROLL, 1), pending(ROLL, 1), dice=loaded(1))

    first, second = outcomes(result)
    assert first == second
    assert (len(result.written), len(result.answers), result.repeats) == (1, 1, 1)


@pytest.mark.rule("E3")
def test_a_command_that_was_answered_before_gets_its_first_outcome_and_brings_about_nothing():
    sessions = remembered(Answer("gm", "s", 1, DONE))

    result = tried(pending(ROLL, 1), sessions=sessions)

    assert (outcomes(result), result.written, result.answers, result.repeats) == ([DONE], [], [], 1)


def test_an_outcome_that_is_not_stored_yet_is_an_answer_all_the_same():
    result = tried(pending(ROLL, 1), unsaved=(Answer("gm", "s", 1, REFUSED),))

    assert (outcomes(result), result.answers, result.repeats) == ([REFUSED], [], 1)


def test_what_another_node_stored_comes_before_what_is_not_stored_yet():
    sessions = remembered(Answer("gm", "s", 1, DONE))

    result = tried(pending(ROLL, 1), sessions=sessions, unsaved=(Answer("gm", "s", 1, REFUSED),))

    assert outcomes(result) == [DONE]


def test_a_number_below_the_latest_that_is_remembered_no_more_is_a_duplicate():
    sessions = remembered(Answer("gm", "s", 5, DONE))

    assert outcomes(tried(pending(ROLL, 4), sessions=sessions)) == [No(Code.DUPLICATE, {"n": 4})]


@pytest.mark.rule("E3")
def test_in_a_session_that_made_room_while_its_connection_stayed_nothing_is_done_again():
    session, sessions = issue(b"key", Table().room.room_id, "gm", 1), remembered()
    sessions.remember([Answer("gm", session, 1, DONE)], 0)
    sessions.remember([Answer("gm", f"key-{number}", 1, DONE) for number in range(SEAT_OUTCOMES_KEPT)], 1)

    result = tried(pending(ROLL, 1, session), pending(ROLL, 2, session), sessions=sessions)

    assert outcomes(result) == [No(Code.SESSION_EXPIRED, {})] * 2
    assert (result.written, result.answers) == ([], [])


def test_the_same_number_in_two_sessions_is_two_commands():
    result = tried(pending(ROLL, 1, "s"), pending(ROLL, 1, "t"), dice=loaded(1, 2))

    assert len(result.written) == 2


def test_a_command_without_a_session_is_not_remembered():
    result = tried(pending(ROLL, 1, session=""), pending(ROLL, 1, session=""), dice=loaded(1, 2))

    assert (len(result.written), result.answers, result.repeats) == (2, [], 0)


def test_a_command_that_could_not_be_read_is_answered_in_its_turn():
    result = tried(pending(Refused(Code.BAD_COMMAND, problem="what?"), 1), pending(ROLL, 2), dice=loaded(1))

    assert outcomes(result)[0] == No(Code.BAD_COMMAND, {"problem": "what?"})
    assert [answer.n for answer in result.answers] == [1, 2]


def test_nothing_to_do_is_done_without_events():
    [outcome] = outcomes(tried(pending({"type": "set_policy", "physical_dice": "off"}, 1)))

    assert isinstance(outcome, Done)
    assert outcome.events == {}


class Broken(Loaded):
    """Dice that fall off the table."""

    def take(self, count: int) -> tuple[int, ...]:
        raise RuntimeError("a die is missing")


def test_a_bug_in_a_decision_ends_that_command_alone(capsys: pytest.CaptureFixture[str]):
    result = tried(pending(ROLL, 1), pending({"type": "end_turn"}, 2), pending(ROLL, 3), dice=Broken())

    assert [type(outcome) for outcome in outcomes(result)] == [No, Done, No]
    assert outcomes(result)[0] == No(Code.BUG, {})
    assert len(result.written) == 1
    assert "bug" in capsys.readouterr().out


def test_a_refusal_that_cannot_be_written_is_a_bug_of_its_own_command_alone(capsys: pytest.CaptureFixture[str]):
    result = tried(pending(Refused(Code.UNKNOWN, id=2**64), 1), pending({"type": "end_turn"}, 2))

    assert outcomes(result)[0] == No(Code.BUG, {})
    assert stored(result).texts
    assert "bug" in capsys.readouterr().out


def test_an_entry_stores_the_outcomes_and_the_records_of_its_batch():
    result = tried(pending(ROLL, 1), pending(UNKNOWN, 2, by=ANN), dice=loaded(1))

    entry = stored(result)

    assert (entry.batch_id, entry.at_ms, entry.heads) == ("b", 5, result.room.positions)
    assert entry.texts == [each.text for each in result.written]
    assert [from_json(row) for row in entry.answers] == result.answers


def test_the_outcome_of_a_command_names_its_events_in_each_channel():
    order = {"type": "roll_dice", "pool": 1, "visibility": "sealed"}

    [outcome] = outcomes(tried(pending(order, 1), dice=loaded(1)))

    last = Table().room.seq(Channel.PUBLIC)
    assert outcome == Done(
        {Channel.PUBLIC: last + 1, Channel.GM: 2}, {Channel.PUBLIC: (last + 1, last + 1), Channel.GM: (1, 2)}
    )


def test_the_outcome_of_a_command_that_made_a_seat_names_it_as_long_as_it_is_in_memory():
    result = tried(QueuedCommand(GM, JoinSeat(Role.PLAYER, "Kim"), "s", 1, ignore))

    [outcome], [stored_row] = outcomes(result), stored(result).answers
    assert isinstance(outcome, Done)
    assert outcome.new_seat is not None
    assert result.room.view.seats[outcome.new_seat].name == "Kim"
    assert from_json(stored_row).outcome == outcome
    assert from_json(stored_row).outcome == Done(outcome.positions, outcome.events, None)
    assert stored_row[3].keys() == {"at", "events"}
