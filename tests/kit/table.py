"""A room's server in memory, as far as a client can tell: no rules, no store, no network."""

from collections import deque
from collections.abc import Iterable

from dreadclock.wire import frames
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.commands import COMMAND, Command, RollDice
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import DiceRolled, Event, RoomClosed, UnknownEvent
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Head, Positions, Record, advance, canonical, is_understood, opening_head, text_of
from dreadclock.wire.things import Roll
from dreadclock.wire.views import View, empty_view

ROOM = "abcdefghijklmnopqrstuvwxyz"
LOG = "0" * 32
OTHER_LOG = "1" * 32
BOTH = (Channel.PUBLIC, Channel.GM)


def rolled(number: int = 1, name: str | None = None) -> DiceRolled:
    """Make an event that every view takes, and in which there is nothing to verify."""
    return DiceRolled(roll=Roll(id=f"roll-{number}", seat_id="gm", faces=(1, 2, 3), name=name, physical=True))


class Log:
    """A log with the view that it folds to."""

    def __init__(self, *channels: Channel, log_id: str = LOG) -> None:
        self.log_id = log_id
        self.view: View = empty_view(*channels)
        self.records: list[Record] = []
        self.texts: dict[Channel, list[str]] = {channel: [] for channel in channels}
        self.heads: dict[Channel, list[Head]] = {channel: [opening_head(ROOM, log_id, channel)] for channel in channels}

    @property
    def positions(self) -> Positions:
        """Where each channel stands."""
        return {channel: heads[-1] for channel, heads in self.heads.items()}

    def write(self, event: Event | UnknownEvent, channel: Channel = Channel.PUBLIC) -> Record:
        """Append an event to a channel."""
        after = None if channel is Channel.PUBLIC else len(self.texts[Channel.PUBLIC])
        seq = len(self.texts[channel]) + 1
        place = Record(channel=channel, seq=seq, at=1_700_000_000_000 + seq, by="gm", after=after, event=RoomClosed())
        record = place.model_copy(update={"event": event})
        text = text_of(record)
        self.records.append(record)
        self.texts[channel].append(text)
        self.heads[channel].append(advance(self.heads[channel][-1], text))
        self.view = fold(self.view, record) if is_understood(record) else _remembering(self.view, record)
        return record

    def frame(self, channel: Channel = Channel.PUBLIC, after: int = 0, until: int | None = None) -> str:
        """Write the events frame of a channel's records beyond `after`, up to `until`."""
        texts = self.texts[channel][after:until]
        return frames.events_frame({channel: self.heads[channel][after + len(texts)]}, texts)

    def missed(self, known: Positions) -> list[str]:
        """Write what somebody missed who stood there."""
        return [self.frame(channel, head.seq) for channel, head in known.items() if head != self.positions[channel]]

    def knows(self, known: Positions) -> bool:
        """Tell whether positions are positions of this log."""
        return known.keys() == self.heads.keys() and all(head in self.heads[channel] for channel, head in known.items())


class Table:
    """What a server of one room says to each client, and what it takes from them.

    A `roll_dice` is done; every other command is refused for good. `obstacles` are refusals that the next
    commands get without being counted; what was done is in `done`, in order.
    """

    def __init__(self, *channels: Channel) -> None:
        self.log = Log(*channels)
        self.hellos: list[frames.Hello] = []
        self.obstacles: deque[Refused] = deque()
        self.done: list[Command] = []
        self.sessions: dict[str, list[str]] = {}  # the final reply to each command, by session

    def greet(self, text: str) -> tuple[str, list[str]]:
        """Answer a hello: the session, and the frames."""
        hello = frames.CLIENT_FRAME.validate_json(text)
        assert isinstance(hello, frames.Hello)
        self.hellos.append(hello)
        session = hello.session if hello.session in self.sessions else f"session-{len(self.hellos)}"
        assert session is not None
        self.sessions.setdefault(session, [])
        return session, [*self._greeting(hello, session), frames.frame_text(frames.Presence(here={"gm": 1}))]

    def _greeting(self, hello: frames.Hello, session: str) -> Iterable[str]:
        resumed = hello.positions is not None and self.log.knows(hello.positions)
        yield welcome_to(self.log, session, resumed=resumed, with_view=hello.positions is None)
        if resumed and hello.positions is not None:
            yield from self.log.missed(hello.positions)
        elif hello.positions is not None:
            yield reset_to(self.log, frames.ResetReason.FORKED)

    def take(self, session: str, text: str) -> tuple[list[str], str]:
        """Take a frame: the frames of events for everyone, and the reply."""
        frame = frames.CLIENT_FRAME.validate_json(text)
        if isinstance(frame, frames.Resync):
            return [], reset_to(self.log, frames.ResetReason.ASKED)
        assert isinstance(frame, frames.CommandFrame)
        replies = self.sessions[session]
        if frame.n <= len(replies):
            return [], replies[frame.n - 1]
        if frame.n > len(replies) + 1:
            return [], refusal(frame.n, Refused(Code.OUT_OF_ORDER, n=frame.n, expected=len(replies) + 1))
        if self.obstacles:
            return [], refusal(frame.n, self.obstacles.popleft())
        return self._done(frame, replies)

    def _done(self, frame: frames.CommandFrame, replies: list[str]) -> tuple[list[str], str]:
        command = COMMAND.validate_json(canonical(frame.command))
        if not isinstance(command, RollDice):
            replies.append(refusal(frame.n, Refused(Code.NOT_ALLOWED, allowed="nobody")))
            return [], replies[-1]
        self.done.append(command)
        record = self.log.write(rolled(len(self.done), command.name))
        replies.append(ack(frame.n, self.log, {Channel.PUBLIC: (record.seq, record.seq)}))
        return [self.log.frame(after=record.seq - 1)], replies[-1]


def _remembering(view: View, record: Record) -> View:
    """Return a view after a record of which it shows no more than that it happened."""
    part = view.channels[record.channel]
    part = part.model_copy(update={"recent": (*part.recent, record)})
    return view.model_copy(update={"channels": {**view.channels, record.channel: part}})


def welcome_to(log: Log, session: str = "session-1", *, resumed: bool = False, with_view: bool = True) -> str:
    """Write a welcome; a resumed one never has a view."""
    welcome = frames.Welcome(
        room=ROOM,
        log_id=log.log_id,
        seat="gm",
        role=Role.GM,
        session=session,
        durability="memory",
        positions=log.positions,
        resumed=resumed,
        view=log.view if with_view and not resumed else None,
    )
    return frames.frame_text(welcome)


def reset_to(log: Log, reason: frames.ResetReason, differs: dict[Channel, int] | None = None) -> str:
    """Write a reset to where a log stands."""
    reset = frames.Reset(reason=reason, log_id=log.log_id, positions=log.positions, view=log.view, differs=differs)
    return frames.frame_text(reset)


def ack(n: int, log: Log, events: dict[Channel, tuple[int, int]] | None = None) -> str:
    """Write an ack."""
    positions = {channel: head.seq for channel, head in log.positions.items()}
    return frames.frame_text(frames.Ack(n=n, positions=positions, events=events or {}))


def refusal(n: int, refused: Refused) -> str:
    """Write a refusal."""
    return frames.frame_text(
        frames.RefusedFrame(n=n, code=refused.code, sentence=refused.sentence, details=refused.details)
    )
