"""The errors between a client and a room.

All these errors are subclasses of DreadclockError:
  Refused            the server refuses a command or a REST call: the sender is told, and nothing is stored
  ConnectionEnded    the connection ended for good: the client does not reconnect
  ProtocolViolation  the other side sent what the protocol does not allow
"""

from enum import IntEnum, StrEnum, auto
from typing import Any, cast

_SENTENCES: list[str] = []  # the sentence of each code, in the order of `Code`


def _says(sentence: str) -> str:
    """Return the value of a code, which is its name in lower case. Append the sentence to `_SENTENCES`.

    Words in braces stand for values of `Refused.details`.
    """
    _SENTENCES.append(sentence)
    return cast(str, auto())


class Code(StrEnum):
    """The reason why a command or a REST call was refused."""

    # the message
    BAD_COMMAND = _says("That is no command the table understands: {problem}.")
    NOT_ALLOWED = _says("Only {allowed} may do that.")
    NOT_LENT = _says("The seat {id} is not lent to you.")
    NOT_AVAILABLE = _says("This server does not offer {what}.")
    # the room and its people
    ROOM_CLOSED = _says("This room is closed: it can be read, not changed.")
    ROOM_OPEN = _says("This room is open already.")
    CLOSED_LONG_AGO = _says("This room was closed more than {days} days ago: it stays closed.")
    UNKNOWN = _says("There is no {kind} with the id {id} here.")
    ID_TAKEN = _says("The id {id} has been used in this room before.")
    ID_RESERVED = _says("The id {id} has a form that is kept for {kept_for}.")
    TOO_MANY = _says("The room already has {limit} {what}, the most it can hold.")
    GM_STAYS = _says("The gm's own seat cannot be given up or taken away; close the room instead.")
    LOOKS_ON = _says("The seat {id} is a spectator's, so it cannot own anything.")
    NOT_HIDDEN = _says("Everyone can see {id} already.")
    NOTHING_TO_CHANGE = _says("The command names nothing to change.")
    # taking commands back
    CANNOT_BE_VOIDED = _says("The command of the record {seq} cannot be undone: {why}.")
    CHANGED_SINCE = _says("The command of the record {seq} can no longer be undone: {id} has changed since.")
    LONG_AGO = _says("Only the latest {limit} commands can be undone, and the record {seq} is of an earlier one.")
    # dice
    PHYSICAL_DICE_OFF = _says("This room's policy lets {allowed} type in physical dice.")
    WRONG_FACES = _says("Faces needed: {needed}, given: {given} ({why}).")
    DICE_LOST = _says(
        "The room's dice secret is missing from the store or is not the room's, so nothing can be rolled."
    )
    ANCHOR_USED = _says("This anchor has been used in this room before: open a lane with another one.")
    LANE_USED_UP = _says("The lane {lane} has no roll left.")
    SLOT_TAKEN = _says("Slot {n} of the lane {lane} is not its next one.")
    BAD_TOKEN = _says("The token does not fit slot {n} of the lane {lane}.")
    CHANGED = _says("{id} has changed since you looked.")
    # countdowns
    NOT_RUNNING = _says("The countdown {id} is {status}.")
    NOT_STABILIZED = _says("The countdown {id} is {status}, not stabilized.")
    NOT_STABILIZABLE = _says("The countdown {id} cannot be stabilized.")
    NOT_REPLENISHABLE = _says("The countdown {id} cannot be replenished.")
    ALREADY_ROLLED = _says("The countdown {id} has been rolled in turn {turn} already.")
    OTHER_TURN = _says("It is turn {now} now, not turn {turn}.")
    POOL_TOO_LARGE = _says("A pool of {pool} and {dice} more is over the {limit} dice that a pool can hold.")
    STAGE_TWICE = _says("Two stages are at {at} dice.")
    POOL_NEEDED = _says("Give a pool or the name of an attribute, one of the two.")
    ABOUT_NEEDED = _says("Name a character in about: the {what} of this countdown is that character's.")
    BINDING_UNSAID = _says("Name in bound_id the {kind} that the countdown is bound to, or leave bound_id out.")
    NAMES_HIDDEN = _says("Everyone would see this, but the {kind} {id} is hidden.")
    # scenes, situations, races, clocks
    ENDED = _says("The {kind} {id} is over: {status}.")
    LEVEL_NEEDED = _says("A race needs the situation's level.")
    PARTY_UNKNOWN = _says("There are no approved characters to measure the race by: give party_levels or a difficulty.")
    MODIFIER_TOO_LARGE = _says(
        "Level {level} is more than 2 away from the party's level {party} ({modifier}): name the difficulty.",
    )
    THREAT_SPENT = _says("The threat of the scene {id} is at 0: no race can start in it.")
    HIDDEN_WITH_SCENE = _says("Everything in the scene {id} is {visibility}, like the scene itself.")
    RACE_IN_THE_OPEN = _says(
        "The threat clock of a race belongs to its scene, and everyone sees {id}: hide the scene instead of the race.",
    )
    RACE_KEPT_BACK = _says(
        "The reveal of the scene {id} would show the threat clock of this race: prepare the race instead.",
    )
    RACE_WITHIN = _says("A race has a threat of its own, so it cannot be within another race.")
    NOT_A_RACE = _says("The situation {id} is no race that is under way in this scene.")
    NOT_BEGUN = _says("The situation {id} is only prepared: begin it first.")
    BEGUN = _says("The situation {id} has begun before.")
    SCENE_ASIDE = _says("The scene {id} is set aside: take it up again first.")
    NOT_ASIDE = _says("The scene {id} is not set aside.")
    OUTCOME_CHANGED = _says("The race {id} would end as {now} now, and no longer as {expected}: look again.")
    OUTCOME_UNEXPECTED = _says("The race {id} would end with its scene, as {now}: look again.")
    NOT_FREE_STANDING = _says("The clock {id} belongs to a {kind} and moves with it.")
    SCENE_CLOCK = _says(
        "The clock {id} belongs to a scene: use travel or rest to move it, or amend_clock to correct it."
    )
    ONE_SPECIAL = _says("Only one special attribute adds dice, or several different ones where the policy allows it.")
    BEYOND_SIZE = _says("The clock {id} counts up to {size}, so it cannot stand at {value}.")
    CLOCK_TOO_LARGE = _says("A clock of {size} and {by} more is over the {limit} points that a clock can have.")
    CLOCK_STANDS = _says("The clock {id} stands at {value} of {size}, and this would change nothing: try {would}.")
    THREAT_STANDS = _says(
        "The threat clock {id} is set for its whole scene: only an amendment moves it back, to {size} at most.",
    )
    PLACE_NEEDED = _says("Name the scene or the situation of the complication, one of the two.")
    CHARACTER_NEEDED = _says("Say which of your characters in play makes this effort; you have {own}.")
    PARTY_TWICE = _says("The party names the character {id} twice.")
    # characters and their rolls
    OUT_OF_PLAY = _says("The character {id} is {status}: nothing is rolled for it any more.")
    GONE_FOR_GOOD = _says("The character {id} is {status} for good: bring in another one instead.")
    HAS_NOT_LEFT = _says("The character {id} is in play: it has not left.")
    HAS_LEFT = _says("The character {id} left already: let it return to play first.")
    STATE_HELD = _says("The character {id} is in that state already: {state}.")
    BEYOND_TRACK = _says(
        "The track {track} of the character {id} goes from 0 to {most}, so it cannot stand at {value}."
    )
    THIRD_AT_ENTRY = _says("A character enters play with at most {most} crises of each kind; a third would end it.")
    NOT_THE_GMS = _says("Only a character of the gm can be hidden, and this one would belong to {owner}.")
    CRISIS_WAITS = _says(
        "The gm has yet to say what the crisis of the character {id} is; until then nothing is rolled."
    )
    NOT_ON_SHEET = _says("The character {id} has no {kind} called {name}.")
    NOTHING_WAITS = _says("No change on the sheet of {id} waits for the gm's approval.")
    SCORE_NEEDED = _says("Give a score or the name of an attribute, one of the two.")
    POOL_OUT_OF_RANGE = _says("That makes {sum} dice, and the roll takes {least} to {most}.")
    NOT_APPROVED = _says("The {kind} {id} waits for the gm's approval.")
    ROLL_STANDS = _says("The {kind} {id} has been rolled already, and the roll stands.")
    EFFORT_HIDDEN = _says("Everyone would see this roll, but the challenge {id} is hidden.")
    # consequences
    NO_SUCH_MOMENT = _says("The {kind} {id} has no such trigger.")
    NEVER_HAPPENS = _says(
        "This effect on {id} can never happen: {id} is over or out of play, does not allow it, or lacks something "
        "that it needs.",
    )
    SECRET_NAMED = _says("This names a hidden thing, so it cannot be public.")
    # checks
    ALREADY_IN_CHECK = _says("The character {id} has a part in the check {check} already.")
    NOT_IN_CHECK = _says("The character {id} has no part in the check {check}.")
    LEADER_STAYS = _says("The character {id} leads the check {check}, so withdraw the check instead.")
    PART_UNSAID = _says("Say for which character the check {id} is rolled; these have yet to roll: {waiting}.")
    ALREADY_OPPOSED = _says("The check {id} is opposed already: join a side with help_check.")
    OPPONENT_NEEDED = _says("Name an opposing character, or an opponent with a score, one of the two.")
    NOT_OPPOSED = _says("The check {id} has no other side yet, and cannot go on without one.")
    EFFECTS_ALIKE = _says("The effects to choose from must differ from each other, and from momentum and interference.")
    NOT_READY = _says("The venture {venture} is not ready for this roll of the character {id}.")
    ALREADY_CLAIMED = _says("The venture {venture} is claimed for another check already.")
    NO_CHOICE = _says("The character {id} has no effect of the check {check} to choose.")
    NOT_OFFERED = _says("That effect was not offered; to choose from: {offered}.")
    NOT_FAILED = _says("This part of the check {id} did not fail, or its failure is settled already.")
    NO_COST = _says("No cost is proposed for the check {id}.")
    NOT_AGREED = _says("No terms are agreed for the check {id}.")
    CANNOT_PAY = _says("The character {id} cannot pay with {name}.")
    TERMS_NEEDED = _says("A counter-offer needs terms, and only a counter-offer has terms.")
    # totals, pushes and crises
    NOT_MISSED = _says("The total {id} has missed no number, so there is nothing to push for.")
    NO_OFFER = _says("No push of the total {id} is on offer.")
    OFFER_STANDS = _says("A push of the total {id} is on offer already.")
    NUMBER_NEEDED = _says("No number is required of the total {id}: offer one push at a time, and judge each anew.")
    NOT_ROLLED = _says("The total {id} is not rolled yet, so there is nothing to judge.")
    REQUIRED_STANDS = _says("The total {id} was judged already, and that stands.")
    NO_CRISIS = _says("The total {id} has brought no crisis.")
    CRISIS_KIND_NEEDED = _says("Say whether the crisis of the total {id} is physical or mental.")
    CRISIS_STANDS = _says("The crisis of the total {id} is {kind}: its kind, or its description, cannot change now.")
    # delivery
    DUPLICATE = _says("Command {n} of this session was answered long ago.")
    SESSION_EXPIRED = _says("This session is too old to be continued: start a new one.")
    OUT_OF_ORDER = _says("Command {n} came before command {expected}.")
    RATE_LIMITED = _says("Too much at once: try again in {retry_s} s.")
    UNAVAILABLE = _says("{why}: nothing was changed, send it again.")
    UNSETTLED = _says("The store did not answer, so nobody knows whether this was done. Look before you send it again.")
    BUG = _says("The server failed at this command and changed nothing. The server's log says more.")
    # REST
    UNAUTHORISED = _says("There is no such room, or the token does not open it.")
    KNOCK_ANSWERED = _says("This knock already has another answer.")
    TURNED_AWAY = _says("The gm has turned you away.")
    KNOCK_EXPIRED = _says("The knock has lapsed without an answer. Knock again.")
    BAD_REQUEST = _says("That is no request the server understands: {problem}.")


SENTENCES: dict[str, str] = dict(zip(map(str, Code), _SENTENCES, strict=True))
Details = dict[str, str | int]

UNCOUNTED = frozenset({Code.RATE_LIMITED, Code.UNAVAILABLE, Code.OUT_OF_ORDER})
"""Refusals that do not use up a command's number: the same command may be sent again with this number."""


class DreadclockError(Exception):
    """The base of all errors between a client and a room."""


class Refused(DreadclockError):
    """A command or a REST call was refused. Nothing was stored, and only the sender is told."""

    def __init__(self, code: Code, /, **details: str | int) -> None:
        self.code = code
        self.details: Details = details
        super().__init__(code, details)

    @property
    def sentence(self) -> str:
        """The reason in one sentence, with the values of `details`."""
        return sentence(self.code, self.details)

    def __str__(self) -> str:
        return self.sentence


class KeyRefused(Refused):
    """The refusal (code `unauthorised`) of a call that needs the operator's key, such as opening a room."""

    def __init__(self) -> None:
        super().__init__(Code.UNAUTHORISED)

    @property
    def sentence(self) -> str:
        """The reason: the operator's key is missing or wrong."""
        return "This server opens rooms with its operator's key only, and the key is missing or wrong."


class UnknownRefusal(Refused):
    """A refusal by a newer server, with a code that this version does not know. `code` is a plain text."""

    def __init__(self, code: str, sentence: str, details: Details) -> None:
        super().__init__(cast(Code, code), **details)
        self._sentence = sentence

    @property
    def sentence(self) -> str:
        """The server's sentence."""
        return self._sentence


def sentence(code: Code, details: Details) -> str:
    """Return the reason of a refusal as one sentence. `details`: values for the braces; a missing value becomes `?`."""
    return SENTENCES[code].format_map(_Lenient(details))


class _Lenient(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


class CloseCode(IntEnum):
    """Why the server closed a connection. After 40xx, the client reconnects and resumes. After 45xx, it must not
    reconnect.
    """

    SLOW_CONSUMER = 4000
    RESTART = 4001
    FULL = 4002
    BAD_FRAME = 4500
    UNAUTHORISED = 4501
    REVOKED = 4502
    ROOM_DELETED = 4503


class ConnectionEnded(DreadclockError):
    """The connection has ended, and the client does not reconnect.

    `code`: the close code from the server. None: the client ended the connection, or gave up
    because it could not reach the server or the server broke the protocol.
    """

    def __init__(self, code: int | None, reason: str) -> None:
        self.code: int | None = code
        self.reason: str = reason
        super().__init__(f"{reason} ({code})" if code is not None else reason)


class ProtocolViolation(DreadclockError):
    """The other side broke the protocol, for example with a record whose hash does not fit."""
