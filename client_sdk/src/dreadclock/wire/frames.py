"""Frames: the messages of a websocket. A frame is a JSON object, except `events`.

An events frame has several lines: a header `{"heads": ..., "type": "events"}`, then one record per line. The header has
the head of each channel after these records: the number of its last record, and the hash over all its records. Each
record has its canonical text, so that a client can hash the bytes that it received.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field, TypeAdapter

from dreadclock.wire.base import DEFERRED, Channel, Count, Id, MillisecondsUtc, Model, Name, Role, RoomId, Seq
from dreadclock.wire.errors import Code
from dreadclock.wire.records import Head, Positions
from dreadclock.wire.views import View

PROTOCOL_VERSION = 1
MAX_FRAME_BYTES = 65_536  # the largest frame that a client may send
MAX_DEPTH = 16  # the deepest nesting in a client's JSON
MAX_PARTS = 1024  # the most brackets, braces and commas in a client's JSON
MAX_UNANSWERED = 64  # the most unanswered commands of one connection

Session = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+$")]
KnockId = Annotated[str, Field(pattern=r"^[a-z2-7]{26}$")]
KnockRole = Literal[Role.PLAYER, Role.SPECTATOR, Role.INTEGRATION]  # the roles that a request for a seat may name


class Client(Model):
    """The client's program and version."""

    name: Name
    version: Name | None = None


class Hello(Model):
    """The first frame of a client: its token, and on a reconnect its session and positions.

    In a session, a client numbers its commands, so that the server applies each command once. `knocks`: whether the gm
    wants `knocks` frames. `beat`: whether the server must send a `beat` frame every 20 s, for
    clients that cannot see pings.
    """

    type: Literal["hello"] = "hello"
    v: int = PROTOCOL_VERSION
    token: Token
    client: Client | None = None
    session: Session | None = None
    positions: Positions | None = None
    knocks: bool | None = None
    beat: bool | None = None


class CommandFrame(Model):
    """A command with its number in the session. The command itself is parsed separately."""

    type: Literal["command"] = "command"
    n: Seq
    command: dict[str, Any]


class Resync(Model):
    """A request for the whole view, because the client received something that it does not understand.

    The answer is a `reset` with the reason `asked`. Later events continue from the view in that `reset`.
    """

    type: Literal["resync"] = "resync"


ClientFrame = Annotated[Hello | CommandFrame | Resync, Field(discriminator="type")]
CLIENT_FRAME: TypeAdapter[ClientFrame] = TypeAdapter(ClientFrame, config=DEFERRED)


class Welcome(Model):
    """The answer to `hello`.

    If `resumed` is true, exactly the missed records follow. Otherwise the client gets the whole view. If the hello
    had no positions, `view` has it. If the server could not resume from the positions, a `reset` frame follows.
    """

    type: Literal["welcome"] = "welcome"
    v: int = PROTOCOL_VERSION
    room: RoomId
    log_id: str
    seat: Id
    role: Role
    session: Session
    durability: str
    positions: Positions
    resumed: bool
    view: View | None = None


class Ack(Model):
    """A command was applied, and is stored as durably as the welcome promised.

    `positions`: the seq of each channel's last record after the command. `events`: the first and last seq of the
    command's events, in each channel that this viewer sees.
    """

    type: Literal["ack"] = "ack"
    n: int
    positions: dict[Channel, Count]
    events: dict[Channel, tuple[int, int]]


class RefusedFrame(Model):
    """A command was refused. `sentence`: the reason. `details`: the values in this sentence."""

    type: Literal["refused"] = "refused"
    n: int
    code: Code
    sentence: str
    details: dict[str, str | int]


class Pending(Model):
    """The outcome of a command is not known yet, because the store is slow.

    On a websocket, the final reply follows later. By REST, send the command again with the same Idempotency-Key.
    """

    type: Literal["pending"] = "pending"
    n: int


class ResetReason(StrEnum):
    """Why a client has to start from a fresh view."""

    TOO_OLD = "too_old"  # the client missed more records than the server sends
    FORKED = "forked"  # the log differs from the log that the client has read
    ASKED = "asked"  # the client sent `resync`


class Reset(Model):
    """The whole view, in place of the view that the client has.

    `differs`: after a fork, by channel, the first seq at which the logs certainly differ.
    """

    type: Literal["reset"] = "reset"
    reason: ResetReason
    log_id: str
    positions: Positions
    view: View
    differs: dict[Channel, int] | None = None


class Presence(Model):
    """Who is connected: each seat, and the number of its connections. Not part of the log."""

    type: Literal["presence"] = "presence"
    here: dict[Id, int]


class WaitingKnock(Model):
    """Somebody who asks for a seat and waits for the gm's answer. `name` and `client` are not verified.

    `code`: the knocker sees the same code, so that the gm can recognize the knocker. `resembles`: a seat with a similar
    name.
    """

    knock: KnockId
    name: Name
    wants: KnockRole
    client: Name | None = None
    code: str
    expires_at: MillisecondsUtc
    resembles: Id | None = None


class Knocks(Model):
    """All waiting knocks, for a gm whose hello asked for them. Not part of the log."""

    type: Literal["knocks"] = "knocks"
    waiting: tuple[WaitingKnock, ...]


class Beat(Model):
    """A heartbeat, every 20 s, for a client whose hello asked for it. Any other frame counts as a heartbeat, too."""

    type: Literal["beat"] = "beat"


class EventsHeader(Model):
    """The first line of an events frame: each channel's head after its records."""

    type: Literal["events"] = "events"
    heads: dict[Channel, Head]


ServerFrame = Annotated[
    Welcome | Ack | RefusedFrame | Pending | Reset | Presence | Knocks | Beat | EventsHeader,
    Field(discriminator="type"),
]
SERVER_FRAME: TypeAdapter[ServerFrame] = TypeAdapter(ServerFrame, config=DEFERRED)


def events_frame(heads: Mapping[Channel, Head], texts: Iterable[str]) -> str:
    """Return an events frame.

    `heads`: each channel's head after the records. `texts`: the canonical texts of the records.
    """
    written = ",".join([f'"{name}":{{"hash":"{head.hash}","seq":{head.seq}}}' for name, head in heads.items()])
    return "\n".join((f'{{"heads":{{{written}}},"type":"events"}}', *texts))


def ack_text(n: int, positions: Mapping[Channel, int], events: Mapping[Channel, tuple[int, int]]) -> str:
    """Return the text of an `Ack`. Builds no model, to save time: every applied command needs an ack."""
    ack = {"type": "ack", "n": n, "positions": positions, "events": events}
    return orjson.dumps(ack, option=orjson.OPT_NON_STR_KEYS).decode()


def frame_text(frame: Model) -> str:
    """Return the JSON text of a frame that is a JSON object, so not of an `events` frame."""
    return frame.model_dump_json(exclude_none=True)
