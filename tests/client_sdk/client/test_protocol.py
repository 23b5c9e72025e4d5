"""The client's side of the protocol, beyond what the transcripts say (tests/client_sdk/test_transcripts.py)."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.client.outcomes import Acknowledged, Answered, Output, Stalled, ViewReplaced
from dreadclock.client.protocol import ClientProtocol, State
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import RollDice
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import CLIENT_FRAME, Hello, Presence, ResetReason, events_frame, frame_text
from dreadclock.wire.records import Record
from kit.client_protocol import client, joined, numbers
from kit.table import BOTH, OTHER_LOG, ROOM, Log, Table, refusal, rolled, welcome_to

PUBLIC = Channel.PUBLIC
ROLL = RollDice(pool=3)


def test_an_empty_channel_has_to_start_from_its_own_head() -> None:
    log = Log(PUBLIC)
    log.log_id = OTHER_LOG
    protocol = client()
    protocol.connect()

    with pytest.raises(ProtocolViolation):
        protocol.receive(welcome_to(log))


def test_a_server_that_starts_over_behind_the_client_has_another_log() -> None:
    log = Log(PUBLIC)
    log.write(rolled())
    protocol = joined(log)
    protocol.disconnect()
    protocol.connect()

    assert protocol.receive(welcome_to(Log(PUBLIC))) == [ViewReplaced(ResetReason.FORKED)]


def test_a_lost_connection_ends_a_stall() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    protocol.receive(refusal(1, Refused(Code.UNAVAILABLE)))

    protocol.disconnect()
    protocol.connect()
    protocol.frames_to_send()
    protocol.receive(welcome_to(log, resumed=True))

    assert numbers(protocol) == [1]
    protocol.submit(ROLL)
    assert numbers(protocol) == [2]


def test_presence_says_who_is_here() -> None:
    protocol = joined(Log(PUBLIC))

    assert protocol.receive(frame_text(Presence(here={"gm": 2, "player-1": 1}))) == []

    assert protocol.here == {"gm": 2, "player-1": 1}


def test_a_command_larger_than_a_frame_is_refused_and_uses_no_number() -> None:
    protocol = joined(Log(PUBLIC))

    with pytest.raises(Refused) as refused:
        protocol.submit(RollDice(pool=60, faces=(1,) * 40_000))

    assert refused.value.code is Code.BAD_COMMAND
    protocol.submit(ROLL)
    assert numbers(protocol) == [1]


# Whatever a network does to frames and connections, a client ends where it would have ended without that


CHANNELS = st.sampled_from(BOTH)


class Watcher:
    """A client that only looks on, and the log that it is sent piece by piece."""

    def __init__(self, log: Log, table: Log) -> None:
        self.log, self.table = log, table  # all that will happen; what has happened so far
        self.protocol = ClientProtocol(ROOM, "token")
        self.seen: list[Record] = []

    def reconnect(self) -> None:
        self.protocol.disconnect()
        self.protocol.connect()
        hello = CLIENT_FRAME.validate_json(self.protocol.frames_to_send()[0])
        assert isinstance(hello, Hello)
        self.hear(welcome_to(self.table, resumed=hello.positions is not None))
        for frame in self.table.missed(hello.positions) if hello.positions else ():
            self.hear(frame)

    def hear(self, frame: str) -> None:
        self.seen += [each for each in self.protocol.receive(frame) if isinstance(each, Record)]


@given(
    written=st.lists(CHANNELS, max_size=40),
    before=st.integers(0, 40),
    steps=st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["heard", "lost", "apart", "together"])), max_size=60),
)
def test_any_cut_of_frames_leads_to_the_same_mirror(written: list[Channel], before: int, steps: list[tuple[int, str]]):
    log, table = Log(*BOTH), Log(*BOTH)
    for number, channel in enumerate(written):
        log.write(rolled(number), channel)
    coming = deque(log.records)
    for _ in range(min(before, len(coming))):
        happen(table, coming)
    watcher = Watcher(log, table)
    watcher.reconnect()
    missing = list(coming)
    for size, fate in steps:
        batch = [happen(table, coming) for _ in range(min(size, len(coming)))]
        deliver(watcher, batch, fate)
    while coming:
        happen(table, coming)
    watcher.reconnect()

    assert (watcher.protocol.mirror.view, watcher.protocol.mirror.positions) == (log.view, log.positions)
    for channel in BOTH:
        assert [each for each in watcher.seen if each.channel is channel] == [
            each for each in missing if each.channel is channel
        ]


def happen(table: Log, coming: deque[Record]) -> Record:
    record = coming.popleft()
    return table.write(record.event, record.channel)


def deliver(watcher: Watcher, batch: list[Record], fate: str) -> None:
    """Send a batch in one frame for all channels or one for each, or lose it with its connection."""
    if fate == "lost":
        return watcher.reconnect()
    channels = [channel for channel in BOTH if any(each.channel is channel for each in batch)]
    frames = [part_of(watcher.table, batch, channel) for channel in channels]
    if fate == "together":
        frames = [together(watcher.table, frames)] if frames else []
    for frame in frames:
        watcher.hear(frame)
        if fate == "apart":
            return watcher.reconnect()
    return None


def part_of(table: Log, batch: list[Record], channel: Channel) -> str:
    first = min(each.seq for each in batch if each.channel is channel)
    return table.frame(channel, first - 1)


def together(table: Log, frames: list[str]) -> str:
    return events_frame(table.positions, [line for frame in frames for line in frame.split("\n")[1:]])


OBSTACLES = st.sampled_from([Refused(Code.UNAVAILABLE), Refused(Code.RATE_LIMITED, retry_ms=1)])


class Wire:
    """A client and a table with a wire between them that may be cut at any time."""

    def __init__(self) -> None:
        self.table, self.protocol = Table(Channel.PUBLIC), ClientProtocol(ROOM, "token")
        self.to_table: deque[str] = deque()
        self.to_client: deque[str] = deque()
        self.session: str | None = None
        self.outputs: list[Output] = []
        self.stalled = False

    def cut(self) -> None:
        self.to_table.clear()
        self.to_client.clear()
        self.session, self.stalled = None, False
        self.protocol.disconnect()
        self.protocol.connect()

    def table_reads(self) -> None:
        self.to_table += self.protocol.frames_to_send()
        if not self.to_table:
            return
        frame = self.to_table.popleft()
        if self.session is None:
            self.session, frames = self.table.greet(frame)
            self.to_client += frames
        else:
            events, reply = self.table.take(self.session, frame)
            self.to_client += (*events, reply)

    def client_reads(self) -> None:
        if self.to_client:
            outputs = self.protocol.receive(self.to_client.popleft())
            self.stalled = self.stalled or any(isinstance(each, Stalled) for each in outputs)
            self.outputs += outputs

    def resend(self) -> None:
        if self.stalled:
            self.stalled = False
            self.protocol.resend()

    def settle(self) -> None:
        """Let everything arrive."""
        while (
            self.to_table or self.to_client or self.stalled or (self.session is None and any(self.protocol._unanswered))
        ):
            self.table_reads()
            self.client_reads()
            if not self.to_table and not self.to_client:
                self.resend()
                self.to_table += self.protocol.frames_to_send()


@given(
    st.lists(
        st.one_of(st.sampled_from(["submit", "table reads", "client reads", "resend", "cut"]), OBSTACLES), max_size=120
    )
)
def test_every_command_is_done_once_and_in_order_whatever_is_cut(steps: list[str | Refused]) -> None:
    wire, submitted = Wire(), 0
    wire.cut()
    for step in steps:
        if isinstance(step, Refused):
            wire.table.obstacles.append(step)
        elif step == "submit" and len([*wire.protocol._unanswered]) < 64:
            submitted += 1
            wire.protocol.submit(RollDice(pool=1, name=f"roll {submitted}"))
        elif step == "table reads":
            wire.table_reads()
        elif step == "client reads":
            wire.client_reads()
        elif step == "resend":
            wire.resend()
        elif step == "cut":
            wire.cut()
    wire.cut()
    wire.to_table += wire.protocol.frames_to_send()
    wire.settle()

    names = [f"roll {number}" for number in range(1, submitted + 1)]
    assert [command.name for command in wire.table.done if isinstance(command, RollDice)] == names
    assert wire.protocol.state is State.OPEN
    assert wire.protocol.mirror.positions == wire.table.log.positions
    answers = [each.outcome for each in wire.outputs if isinstance(each, Answered)]
    done = [answer for answer in answers if isinstance(answer, Acknowledged)]
    assert len(answers) == submitted
    assert [answer.n for answer in done] == list(range(1, submitted + 1))
    assert [[record.seq for record in answer.records] for answer in done if answer.complete] == [
        [answer.n] for answer in done if answer.complete
    ]
