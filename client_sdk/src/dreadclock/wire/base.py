"""The basic types of all messages: ids, names, bounded numbers, roles and visibility."""

from collections.abc import Callable, Mapping, Set
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dreadclock.rules import limits

_T = TypeVar("_T")

# A text may have letters of any script and emoji, but no control character, line separator or bidirectional override.
_UNWANTED = r"\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}"
# invisible characters, and letters that are drawn as blanks
_BLANK = r"\p{C}\p{Z}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}"
_VISIBLE_TEXT = rf"^[^{_UNWANTED}]*[^{_UNWANTED}{_BLANK}][^{_UNWANTED}]*$"

# A newly chosen name must not contain invisible characters: two different names could look the same. Joiners and
# direction marks are allowed beside non-ASCII characters, because some scripts and emoji need them. Tag characters are
# allowed in flag emoji. A name must not begin with a combining mark, which would change the character printed before
# the name.
_PLAIN = rf"[^{_UNWANTED}\p{{Cf}}]"
_JOINER = r"[\x{61C}\x{200C}-\x{200F}]?"
_JOINED = rf"{_JOINER}[^\x{{0}}-\x{{7F}}{_UNWANTED}\p{{Cf}}]{_JOINER}"
_FLAG = r"\x{1F3F4}[\x{E0020}-\x{E007E}]+\x{E007F}"
_FIRST = rf"[^{_UNWANTED}{_BLANK}\p{{M}}]"
_FIRST_JOINED = rf"{_JOINER}[^\x{{0}}-\x{{7F}}{_UNWANTED}{_BLANK}\p{{M}}]{_JOINER}"
_CHOSEN_NAME = rf"^\p{{Zs}}*(?:{_FIRST}|{_FIRST_JOINED}|{_FLAG})(?:{_PLAIN}|{_JOINED}|{_FLAG})*$"

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")]
ChosenId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$")]  # an id that a command gives
RoomId = Annotated[str, StringConstraints(pattern=r"^[a-z2-7]{26}$")]  # 16 bytes in base32, lower case
Name = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_NAME, pattern=_VISIBLE_TEXT)]
ChosenName = Annotated[
    str, StringConstraints(min_length=1, max_length=limits.MAX_NAME, pattern=_CHOSEN_NAME)
]  # a name that a command gives
Text = Annotated[str, StringConstraints(min_length=1, max_length=limits.MAX_TEXT, pattern=_VISIBLE_TEXT)]
# 32 bytes, base64url without padding. The last letter carries only 4 bits. The pattern allows one text for each value.
Value32 = Annotated[str, StringConstraints(min_length=43, max_length=43, pattern=r"^[A-Za-z0-9_-]*[AEIMQUYcgkosw048]$")]
HeadHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]  # SHA-256, lower-case hex

Face = Annotated[int, Field(ge=1, le=6)]
Faces = tuple[Face, ...]  # in the order rolled
Pool = Annotated[int, Field(ge=1, le=limits.MAX_POOL)]
ClockSize = Annotated[int, Field(ge=1, le=limits.MAX_CLOCK)]
Points = Annotated[int, Field(ge=0, le=limits.MAX_CLOCK)]
Level = Annotated[int, Field(ge=limits.MIN_LEVEL, le=limits.MAX_LEVEL)]
Score = Annotated[int, Field(ge=0, le=limits.MAX_POOL)]
Count = Annotated[int, Field(ge=0)]
Edition = Annotated[int, Field(ge=1)]  # the number of an edition of the rules
MOST_SEQ = 2**53  # the largest number up to which all whole numbers are exact in JavaScript
Seq = Annotated[int, Field(ge=1, le=MOST_SEQ)]  # the number of a record or of a command, as a client sends it
Ratio = Annotated[str, StringConstraints(pattern=r"^[0-9]+/[0-9]+$")]  # an exact chance or mean, "p/q"
MillisecondsUtc = Annotated[int, Field(ge=0)]


# `Later[T]` is the type of a field that was added later, and whose default is not None. Older records of the same
# edition of the rules lack the field.
LATER: Final = "later"
Later = Annotated[_T, LATER]


# Build validators on first use: a client needs few of the 300 models, and building all of them would double its
# start time.
DEFERRED: ConfigDict = ConfigDict(defer_build=True)


class Model(BaseModel):
    """The base of messages and their parts: immutable, validated without conversions, and without unknown fields."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with the values in `update`. Private and extra fields are lost, unless the copy is `deep`.

        To apply an event to a view, several models are copied. This method takes a quarter of the time of pydantic's.
        """
        if deep:
            return super().model_copy(update=update, deep=True)
        given = self.__pydantic_fields_set__
        if update and not given.issuperset(update):
            given = given | update.keys()
        copy = _new(type(self))
        _set_values(copy, {**self.__dict__, **(update or {})})
        _set_given(copy, given)
        _set_extra(copy, None)
        _set_private(copy, None)
        return copy

    def mark_given(self, names: Set[str]) -> None:
        """Add the names of fields that were changed in place to `model_fields_set`, pydantic's set of given fields.

        This makes a new set, because copies of this model share the old set.
        """
        given = self.__pydantic_fields_set__
        if not given.issuperset(names):
            _set_given(self, given | names)

    @classmethod
    def trusted(cls, **values: Any) -> Self:
        """Return a model with these values, without validation. Absent fields get their defaults.

        The caller must give every required field, and every field with a `default_factory`.
        """
        defaults, given = _shape(cls, *values)
        made = _new(cls)
        _set_values(made, {**defaults, **values})
        _set_given(made, given)
        _set_extra(made, None)
        _set_private(made, None)
        return made


_Made = TypeVar("_Made", bound=Model)
_new: Callable[[type[_Made]], _Made] = object.__new__
# The setters of the slots of pydantic's models. They also write to frozen models, and are faster than `setattr`.
_set_values, _set_given, _set_extra, _set_private = (
    BaseModel.__dict__[part].__set__
    for part in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


@cache
def _shape(model: type[Model], *given: str) -> tuple[dict[str, Any], set[str]]:
    """Return a model's fields in order with their defaults (`...` if a field is required), and the set of given names.

    The result is cached, so models with the same given names share the set. No model changes its set in place.
    """
    fields = model.model_fields.items()
    return {name: ... if field.is_required() else field.default for name, field in fields}, set(given)


class Channel(StrEnum):
    """A numbered, hash-chained sequence of events. Everyone sees `public`. Only the gm and integrations with the
    scope `secrets` see `gm`.

    Every event is in exactly one channel.
    """

    PUBLIC = "public"
    GM = "gm"


class Role(StrEnum):
    """The role of a seat at the table."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"
    INTEGRATION = "integration"


class Scope(StrEnum):
    """What an integration's token allows beside reading."""

    TURNS = "turns"  # end turns and rounds
    SECRETS = "secrets"  # see the gm channel
    NARRATE = "narrate"  # tell what happens
    CLOCKS = "clocks"  # start, tick and amend free-standing clocks
    COUNTDOWNS = "countdowns"  # start, roll, stabilize, resume and replenish countdowns
    CHARACTERS = "characters"  # add characters and write on any sheet
    ROLLS = "rolls"  # propose, roll and decide for any character, like its owner
    ACT_FOR = "act_for"  # act for players who lent their seats to the integration


class Visibility(StrEnum):
    """Who sees a thing. Source: rules.md E4."""

    PUBLIC = "public"
    SEALED = "sealed"  # players see its existence and its name, nothing else
    GM = "gm"  # players see nothing of it


class Kind(StrEnum):
    """The kinds of things with an id."""

    COUNTDOWN = "countdown"
    CLOCK = "clock"
    SCENE = "scene"
    SITUATION = "situation"
    CHALLENGE = "challenge"
    EFFORT = "effort"
    CHARACTER = "character"
    ROLL = "roll"
    CHECK = "check"
    TOTAL = "total"
    CONSEQUENCE = "consequence"


HiddenKind = Literal[Kind.COUNTDOWN, Kind.CLOCK, Kind.SCENE, Kind.SITUATION, Kind.ROLL, Kind.CHECK, Kind.CHARACTER]
CancelKind = Literal[Kind.SCENE, Kind.SITUATION, Kind.CHALLENGE, Kind.CLOCK]


class DiceToken(Model):
    """The slot that a client uses for a roll by the server, and the slot's token if the lane has tokens.

    A lane is a series of 1,024 slots, whose dice client and server fixed in advance. `n`: the slot's number. A token is
    the client's secret value for a slot, which goes into the dice.
    """

    lane: Annotated[str, StringConstraints(max_length=80)]
    n: Annotated[int, Field(ge=1, le=1024)]
    token: Value32 | None = None
    seen: Annotated[
        int, Field(ge=0, le=MOST_SEQ)
    ]  # the seq of the last public record that the client had when it decided to roll


class RollProof(Model):
    """The data from which anyone can recompute faces that the server rolled.

    A command that rolls uses one slot: slot `n` of the series `lane`. The command's first roll has `key` (the server's
    value k_n), `token` (the client's value t_n, absent if the lane has no tokens) and `witnesses` (how many tokens of
    other seats went into the dice). A later roll of the command has `start` instead: how many faces of the slot were
    used before.
    """

    lane: str
    n: Annotated[int, Field(ge=1, le=1024)]
    start: Count = 0
    key: Value32 | None = None
    token: Value32 | None = None
    witnesses: Count | None = None
