"""The bodies and answers of REST calls, except commands and views."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from dreadclock.rules import odds
from dreadclock.rules.check import Plan, plan
from dreadclock.rules.countdown import Speed
from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.notation import read_faces, read_parts
from dreadclock.wire.base import Channel, ChosenName, Count, Id, MillisecondsUtc, Model, Role, RoomId, Scope
from dreadclock.wire.errors import Code
from dreadclock.wire.frames import Ack, KnockId, KnockRole
from dreadclock.wire.records import Record
from dreadclock.wire.things import Policy

LONGEST_GRANT_S = 366 * 24 * 3600

TokenId = Annotated[str, Field(pattern=r"^[a-z2-7]{1,26}$")]


class OpenRoom(Model):
    """The body of `POST /api/rooms`."""

    title: ChosenName
    policy: Policy = Policy()


Language = Literal["en", "de"]
# The time zone in which times are written.
Zone = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,2}$")]


class OpenInPlay(Model):
    """The body of `POST /api/rooms/in-play`: the language of the story."""

    language: Language = "en"


class InPlayAct(StrEnum):
    """What a page may ask of a demo room, in which a story plays. A page sends `watch` to keep the story playing.

    If nobody watches a room, its story stops.
    """

    WATCH = "watch"
    PAUSE = "pause"
    GO_ON = "go_on"
    NEXT = "next"
    FASTER = "faster"
    SLOWER = "slower"
    TAKE_OVER = "take_over"


class InPlayWish(Model):
    """The body of `POST /api/rooms/{room}/in-play`."""

    act: InPlayAct


class InPlay(StrEnum):
    """The state of the story in a demo room. `stopped`: no story plays in the room any more."""

    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    STOPPED = "stopped"


class InPlayState(Model):
    """The state of a demo room. `caption`: a sentence about the thing with the id `about`.

    The caption is to be shown once the public record `after` has arrived. `ends_at`: when a `stopped` room is deleted;
    absent if the room stays.
    """

    state: InPlay
    caption: str | None = None
    fast: bool = False
    after: Annotated[int, Field(ge=0)] | None = None
    about: str | None = None
    ends_at: MillisecondsUtc | None = None


class Invite(Model):
    """The body of `POST /api/rooms/{room}/invites`.

    `seat_id`: make another token for an existing seat; `role` must be its role. `qr`: also return the link as a QR
    code.
    """

    role: Role
    name: ChosenName | None = None
    scopes: tuple[Scope, ...] = ()
    expires_s: Annotated[int, Field(ge=1, le=LONGEST_GRANT_S)] | None = None
    seat_id: Id | None = None
    qr: bool | None = None


class Grant(Model):
    """A token and its seat. The token is shown only here, because the server stores only its hash.

    `qr`: the link as a QR code, a text of `0` (light) and `1` (dark) for each row, without the light margin of four
    modules. Absent if the link is too long for a QR code.
    """

    seat_id: Id
    token_id: TokenId
    token: str
    link: str
    qr: tuple[str, ...] | None = None


class TableInPlay(Model):
    """A room that plays a story, with tokens for three of its seats."""

    room_id: RoomId
    gm: Grant
    player: Grant
    spectator: Grant


class Knock(Model):
    """The body of `POST /api/rooms/{room}/knocks`.

    `name`: who asks for a seat. `wants`: the role of the seat. `client`: the program that asks.
    """

    name: ChosenName
    wants: KnockRole = Role.PLAYER
    client: ChosenName | None = None


class Knocking(Model):
    """The answer to a knock. Only the knocker may know `secret`. The gm sees the same `code`."""

    knock: KnockId
    code: str
    secret: str
    expires_s: Annotated[int, Field(ge=0)]


class KnockAnswer(Model):
    """The body of `POST /api/rooms/{room}/knocks/{knock}/answer`.

    `role` and `name` default to those of the knock. `seat_id`: give another token for this seat.
    """

    accept: bool
    role: KnockRole | None = None
    name: ChosenName | None = None
    scopes: tuple[Scope, ...] = ()
    seat_id: Id | None = None


class KnockStatus(StrEnum):
    """The status of a knock."""

    PENDING = "pending"
    SEATED = "seated"
    TURNED_AWAY = "turned_away"
    EXPIRED = "expired"


class KnockState(Model):
    """The state of a knock. Only the knocker gets the `grant`."""

    state: KnockStatus
    expires_s: Annotated[int, Field(ge=0)] | None = None
    seat_id: Id | None = None
    role: KnockRole | None = None
    grant: Grant | None = None


class RoomOpening(Model):
    """The answer to `POST /api/rooms`."""

    room_id: RoomId
    gm: Grant


class TokenInfo(Model):
    """The data of a token, for the gm. `made_by`: "operator" if the server's operator made it."""

    token_id: TokenId
    seat_id: Id
    role: Role
    scopes: tuple[Scope, ...] = ()
    expires_at: MillisecondsUtc | None = None
    created_at: MillisecondsUtc
    last_use: MillisecondsUtc | None = None
    made_by: Literal["operator"] | None = None


class SharedRecap(Model):
    """The data of a shared recap, for the gm. `seq`: the last public record in the recap."""

    recap_id: TokenId
    seq: Count
    created_at: MillisecondsUtc


class RecapGrant(SharedRecap):
    """A new link to a recap.

    Anyone with the link may read all public events up to the record `seq`. The link is shown only once.
    """

    link: str


class Undoable(Model):
    """A command that the caller may undo now: its records in a channel, and the seat that sent it."""

    channel: Channel
    first: Count
    last: Count
    by: Id | None = None


class RoomSize(Model):
    """The size of a room's log, up to a second old.

    `bytes` may grow to `limit_bytes`, of which the last sixteenth is reserved for the gm's commands. `bytes` is
    the size of the public records, plus 256 bytes for each public record, plus 256 bytes for each outcome of a command
    whose sender does not see the gm's channel. `hidden_bytes` is the size of everything else. When it reaches
    `hidden_limit_bytes`, the server refuses commands that write hidden records. This concerns only senders who see
    hidden records. A limit is absent if the server sets none.
    """

    bytes: Annotated[int, Field(ge=0)]
    limit_bytes: Annotated[int, Field(ge=1)] | None = None
    hidden_bytes: Annotated[int, Field(ge=0)] = 0
    hidden_limit_bytes: Annotated[int, Field(ge=0)] | None = None


class Addresses(Model):
    """Addresses at which other devices may reach this server, the best first.

    Empty if only this machine can reach the server, or if the caller may not learn the addresses. `start`: the
    command that restarts the server so that other devices can reach it. Present only for callers on the server's
    machine.
    """

    addresses: tuple[str, ...]
    start: str | None = None


class QrRequest(Model):
    """The body of `POST /api/rooms/{room}/qr`."""

    link: Annotated[str, Field(min_length=1, max_length=400, pattern=r"^https?://[!-~]+$")]


class QrCode(Model):
    """A link as a QR code, as in a `Grant`. `qr` is absent if the link is too long."""

    qr: tuple[str, ...] | None = None


class CommandAnswer(Ack):
    """The answer to an applied command. `records`: the command's records that the caller sees."""

    records: tuple[Record, ...] = ()


class Problem(Model):
    """A refusal in the form of RFC 9457. `detail`: the reason as a sentence. `details`: the values in this sentence."""

    type: str
    title: str
    status: int
    detail: str
    code: Code
    details: dict[str, str | int] = Field(default_factory=dict)


# Questions about exact odds. Their fields are the parameters of REST calls, the options of `dreadclock odds`, and the
# arguments of an assistant's tools.


class OddsQuestion(Model):
    """A question about odds, which does not depend on a room."""

    def report(self) -> Mapping[str, Any]:
        """Return the answer, ready for JSON. Raises ValueError if a value is out of range or the answer too large."""
        raise NotImplementedError


class CountdownQuestion(OddsQuestion):
    """Tell how long a countdown lasts, roll by roll."""

    pool: int = Field(description="Dice at the start, 1 to 60.")
    speed: Speed = Field(Speed.SLOW, description="How fast dice leave.")
    stage: tuple[int, ...] = Field((), description="Dice left at a stage.")
    rolls: int | None = Field(None, description="How many rolls to look ahead.")

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        return odds.countdown_report(self.pool, self.speed, stages=self.stage, rolls=self.rolls)


class TableQuestion(OddsQuestion):
    """Tell how many rolls countdowns of 1 to 10 dice last on average."""

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        return odds.table_report()


class RaceQuestion(OddsQuestion):
    """Tell how likely a race is won before its threat runs out."""

    situation: int = Field(description="Challenges to overcome.")
    threat: int = Field(description="Points left on the threat clock.")
    chance: tuple[str, ...] = Field(
        description="Chance of an effort, like 2/3 or 0.65: one for all, or one per challenge."
    )
    efforts: tuple[int, ...] = Field(
        (1,), description="Successes that a challenge needs: one for all, or one per challenge."
    )
    rounds_per_effort: str = Field("0", description="Rounds that end per effort, like 2 or 1/3.")

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        chances, rounds = [odds.read_fraction(text) for text in self.chance], odds.read_fraction(self.rounds_per_effort)
        chance = chances[0] if len(chances) == 1 else chances
        efforts = self.efforts[0] if len(self.efforts) == 1 else self.efforts
        return odds.race_report(self.situation, self.threat, chance, efforts=efforts, rounds_per_effort=rounds)


_Helpers = Annotated[tuple[str, ...], Field(description="Dice of each helper, like 3, 3+1-2 or 3-1,momentum.")]


class CheckQuestion(OddsQuestion):
    """Tell how likely each outcome of a check is, each highest die, and each margin (further dice that show the
    highest).
    """

    dice: int = Field(description="The score: dice before bonus and penalty.")
    bonus: int = 0
    penalty: int = 0
    venture: int = Field(0, description="Level of a venture, 1 to 3: highest dice taken away.")
    momentum: bool = Field(False, description="Each 1 is rolled again.")
    interference: bool = Field(False, description="A 6 adds no die.")
    helper: _Helpers = ()

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        return odds.check_report(self.dice, **self._modifiers(), helpers=read_parts(self.helper))

    @property
    def plan(self) -> Plan:
        """The dice of the character who makes the check, without the dice of helpers."""
        return plan(self.dice, **self._modifiers())

    def _modifiers(self, side: str = "") -> dict[str, Any]:
        names = ("bonus", "penalty", "venture", "momentum", "interference")
        return {name: getattr(self, side + name) for name in names}


class ContestQuestion(CheckQuestion):
    """Tell how likely each side wins a contest, and what decides it. `against_...`: the dice of the other side."""

    against: int = Field(description="The other side's score.")
    reflex: int | None = Field(None, description="For ties.")
    against_bonus: int = 0
    against_penalty: int = 0
    against_venture: int = 0
    against_momentum: bool = False
    against_interference: bool = False
    against_reflex: int | None = None
    against_helper: _Helpers = ()

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        if max(self.reflex or 0, self.against_reflex or 0) > MAX_POOL:
            raise ValueError(f"A reflex is from 0 to {MAX_POOL}.")
        acting = [self.plan, *read_parts(self.helper)]
        opposing = [self.against_plan, *read_parts(self.against_helper)]
        return odds.contest_report(acting, opposing, (self.reflex, self.against_reflex))

    @property
    def against_plan(self) -> Plan:
        """The dice of the other side, without the dice of its helpers."""
        return plan(self.against, **self._modifiers("against_"))


class TotalQuestion(OddsQuestion):
    """The odds of a total, and the chance that it reaches the required number."""

    dice: int
    required: int | None = None

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        return odds.total_report(self.dice, required=self.required)


class PushQuestion(OddsQuestion):
    """Tell how likely a push succeeds, fails or ends in a crisis.

    A push is one more die for a total that is too low.
    """

    kept: str = Field(description="The dice that were kept, like 2,4,5.")
    required: int

    def report(self) -> Mapping[str, Any]:
        """Return the answer."""
        return odds.push_report(read_faces(self.kept), self.required)
