"""What can go wrong between a client and a room.

DreadclockError
  Refused            the rules or the room refuse a command: the sender is told, and nothing is stored
  ConnectionEnded    the server closed for good (a 45xx close code), or the client closed it
  ProtocolViolation  the other side sent what the protocol does not allow
"""

from enum import IntEnum, StrEnum
from typing import Any, cast

SENTENCES: dict[str, str] = {}  # by the codes, in their order


def _code(code: str, sentence: str) -> str:
    """Return a code, once its sentence is in SENTENCES; words in braces stand for values of `Refused.details`."""
    SENTENCES[code] = sentence
    return code


class Code(StrEnum):
    """Why a command was refused."""

    # the message
    BAD_COMMAND = _code("bad_command", "That is no command the table understands: {problem}.")
    NOT_ALLOWED = _code("not_allowed", "Only {allowed} may do that.")
    NOT_LENT = _code("not_lent", "The seat {id} is not lent to you.")
    NOT_AVAILABLE = _code("not_available", "This server does not offer {what}.")
    # the room and its people
    ROOM_CLOSED = _code("room_closed", "This room is closed: it can be read, not changed.")
    ROOM_OPEN = _code("room_open", "This room is open already.")
    CLOSED_LONG_AGO = _code("closed_long_ago", "This room was closed more than {days} days ago: it stays closed.")
    UNKNOWN = _code("unknown", "There is no {kind} with the id {id} here.")
    ID_TAKEN = _code("id_taken", "The id {id} has been used in this room before.")
    ID_RESERVED = _code("id_reserved", "The id {id} has a form that is kept for {kept_for}.")
    TOO_MANY = _code("too_many", "The room already has {limit} {what}, the most it can hold.")
    GM_STAYS = _code("gm_stays", "The gm's own seat cannot be given up or taken away; close the room instead.")
    LOOKS_ON = _code("looks_on", "The seat {id} only looks on: nothing can be its own.")
    NOT_HIDDEN = _code("not_hidden", "Everyone can see {id} already.")
    NOTHING_TO_CHANGE = _code("nothing_to_change", "The command names nothing to change.")
    # taking commands back
    CANNOT_BE_VOIDED = _code("cannot_be_voided", "What the record {seq} tells of cannot be taken back: {why}.")
    CHANGED_SINCE = _code(
        "changed_since", "What the record {seq} tells of cannot be taken back any more: {id} has changed since."
    )
    LONG_AGO = _code(
        "long_ago", "Only the latest {limit} commands can be taken back, and the record {seq} is of an earlier one."
    )
    # dice
    PHYSICAL_DICE_OFF = _code("physical_dice_off", "This room's policy lets {allowed} type in physical dice.")
    WRONG_FACES = _code("wrong_faces", "Faces needed: {needed}, given: {given} ({why}).")
    DICE_LOST = _code(
        "dice_lost", "The room's dice secret is missing from the store or is not the room's, so nothing can be rolled."
    )
    ANCHOR_USED = _code("anchor_used", "This anchor has been used in this room before: open a lane with another one.")
    LANE_USED_UP = _code("lane_used_up", "The lane {lane} has no roll left.")
    SLOT_TAKEN = _code("slot_taken", "Slot {n} of the lane {lane} is not its next one.")
    BAD_TOKEN = _code("bad_token", "The token does not fit slot {n} of the lane {lane}.")
    CHANGED = _code("changed", "{id} has changed since you looked.")
    # countdowns
    NOT_RUNNING = _code("not_running", "The countdown {id} is {status}.")
    NOT_STABILIZED = _code("not_stabilized", "The countdown {id} is {status}, not stabilized.")
    NOT_STABILIZABLE = _code("not_stabilizable", "The countdown {id} cannot be stabilized.")
    NOT_REPLENISHABLE = _code("not_replenishable", "The countdown {id} cannot be replenished.")
    ALREADY_ROLLED = _code("already_rolled", "The countdown {id} has been rolled in turn {turn} already.")
    OTHER_TURN = _code("other_turn", "It is turn {now} now, not turn {turn}.")
    POOL_TOO_LARGE = _code(
        "pool_too_large", "A pool of {pool} and {dice} more is over the {limit} dice that a pool can hold."
    )
    STAGE_TWICE = _code("stage_twice", "Two stages stand at {at} dice.")
    POOL_NEEDED = _code("pool_needed", "Give a pool or the name of an attribute, one of the two.")
    ABOUT_NEEDED = _code("about_needed", "Say which character the countdown is about: its {what} is that character's.")
    BINDING_UNSAID = _code(
        "binding_unsaid", "Name the {kind} that the countdown is bound to in bound_id, and only there."
    )
    NAMES_HIDDEN = _code("names_hidden", "Everyone would see this, and not everyone sees the {kind} {id}.")
    # scenes, situations, races, clocks
    ENDED = _code("ended", "The {kind} {id} is over: {status}.")
    LEVEL_NEEDED = _code("level_needed", "A race needs the situation's level.")
    PARTY_UNKNOWN = _code(
        "party_unknown", "There are no approved characters to measure the race by: give party_levels or a difficulty."
    )
    MODIFIER_TOO_LARGE = _code(
        "modifier_too_large",
        "Level {level} is {modifier} against a party of {party}, beyond 2 either way: name the difficulty.",
    )
    THREAT_SPENT = _code("threat_spent", "The threat of the scene {id} is spent: no race can start in it.")
    HIDDEN_WITH_SCENE = _code(
        "hidden_with_scene", "All that is in the scene {id} is {visibility}, as the scene itself is."
    )
    RACE_IN_THE_OPEN = _code(
        "race_in_the_open",
        "The threat clock of a race belongs to its scene, and everyone sees {id}: hide the scene instead of the race.",
    )
    RACE_KEPT_BACK = _code(
        "race_kept_back",
        "The threat clock of a race comes to light with its scene {id}, and tells of the race: prepare it instead.",
    )
    RACE_WITHIN = _code("race_within", "A race ticks its own threat: it lies within no other one.")
    NOT_A_RACE = _code("not_a_race", "The situation {id} is no race that is under way in this scene.")
    NOT_BEGUN = _code("not_begun", "The situation {id} is only prepared: begin it first.")
    BEGUN = _code("begun", "The situation {id} has begun before.")
    SCENE_ASIDE = _code("scene_aside", "The scene {id} is set aside: take it up again first.")
    NOT_ASIDE = _code("not_aside", "The scene {id} is not set aside.")
    OUTCOME_CHANGED = _code(
        "outcome_changed", "The race {id} would end as {now} now, and no longer as {expected}: look again."
    )
    OUTCOME_UNEXPECTED = _code("outcome_unexpected", "The race {id} would end with its scene, as {now}: look again.")
    NOT_FREE_STANDING = _code("not_free_standing", "The clock {id} belongs to a {kind} and moves with it.")
    SCENE_CLOCK = _code(
        "scene_clock", "The clock {id} belongs to a scene: use travel or rest to move it, or amend_clock to correct it."
    )
    ONE_SPECIAL = _code(
        "one_special", "Only one special attribute adds dice, or several different ones where the policy allows it."
    )
    BEYOND_SIZE = _code("beyond_size", "The clock {id} counts up to {size}, so it cannot stand at {value}.")
    CLOCK_TOO_LARGE = _code(
        "clock_too_large", "A clock of {size} and {by} more is over the {limit} points that a clock can have."
    )
    CLOCK_STANDS = _code(
        "clock_stands", "The clock {id} stands at {value} of {size}, and this would change nothing: try {would}."
    )
    THREAT_STANDS = _code(
        "threat_stands",
        "The threat clock {id} is set for its whole scene: only an amendment moves it back, to {size} at most.",
    )
    PLACE_NEEDED = _code("place_needed", "A complication comes to a scene or to a situation: name one of the two.")
    CHARACTER_NEEDED = _code(
        "character_needed", "Say which of your characters in play makes this effort; you have {own}."
    )
    PARTY_TWICE = _code("party_twice", "The party names the character {id} twice.")
    # characters and their rolls
    OUT_OF_PLAY = _code("out_of_play", "The character {id} is {status}: nothing is rolled for it any more.")
    GONE_FOR_GOOD = _code("gone_for_good", "The character {id} is {status} for good: bring in another one instead.")
    HAS_NOT_LEFT = _code("has_not_left", "The character {id} is in play: it has not left.")
    HAS_LEFT = _code("has_left", "The character {id} left already: let it return to play first.")
    STATE_HELD = _code("state_held", "The character {id} is in that state already: {state}.")
    BEYOND_TRACK = _code(
        "beyond_track", "The track {track} of the character {id} goes from 0 to {most}, so it cannot stand at {value}."
    )
    THIRD_AT_ENTRY = _code(
        "third_at_entry", "A character enters play with at most {most} crises of each kind; a third would end it."
    )
    NOT_THE_GMS = _code(
        "not_the_gms", "Only a character of the gm's own can be hidden, and this one would be of {owner}."
    )
    CRISIS_WAITS = _code(
        "crisis_waits", "The gm has yet to say what the crisis of the character {id} is; until then nothing is rolled."
    )
    NOT_ON_SHEET = _code("not_on_sheet", "The character {id} has no {kind} called {name}.")
    NOTHING_WAITS = _code("nothing_waits", "Nothing that was changed on the sheet of {id} waits for the gm.")
    SCORE_NEEDED = _code("score_needed", "Give a score or the name of an attribute, one of the two.")
    POOL_OUT_OF_RANGE = _code("pool_out_of_range", "That makes {sum} dice, and the roll takes {least} to {most}.")
    NOT_APPROVED = _code("not_approved", "The {kind} {id} waits for the gm's approval.")
    ROLL_STANDS = _code("roll_stands", "The {kind} {id} has been rolled, and what was rolled stands.")
    EFFORT_HIDDEN = _code("effort_hidden", "Everyone would see this roll, and not everyone sees the challenge {id}.")
    # consequences
    NO_SUCH_MOMENT = _code("no_such_moment", "The {kind} {id} never comes to such a moment.")
    NEVER_HAPPENS = _code(
        "never_happens",
        "This could never happen to {id}: it is over or out of play, or does not allow it, or lacks what it would "
        "take.",
    )
    SECRET_NAMED = _code("secret_named", "It names what not everyone sees: let only the gm know of it.")
    # checks
    ALREADY_IN_CHECK = _code("already_in_check", "The character {id} has a part in the check {check} already.")
    NOT_IN_CHECK = _code("not_in_check", "The character {id} has no part in the check {check}.")
    LEADER_STAYS = _code("leader_stays", "The check {check} is the character {id}'s own: withdraw it instead.")
    PART_UNSAID = _code(
        "part_unsaid", "Say for which character the check {id} is rolled; these have yet to roll: {waiting}."
    )
    ALREADY_OPPOSED = _code("already_opposed", "The check {id} is opposed already: join a side with help_check.")
    OPPONENT_NEEDED = _code(
        "opponent_needed", "Name a character that opposes, or an opponent with its score, one of the two."
    )
    NOT_OPPOSED = _code("not_opposed", "The check {id} has no other side yet, and cannot go on without one.")
    EFFECTS_ALIKE = _code(
        "effects_alike", "The effects to choose from must differ from each other, and from momentum and interference."
    )
    NOT_READY = _code("not_ready", "No venture {venture} lies ready for this roll of the character {id}.")
    ALREADY_CLAIMED = _code("already_claimed", "The venture {venture} is claimed for another check already.")
    NO_CHOICE = _code("no_choice", "The character {id} has no effect of the check {check} to choose.")
    NOT_OFFERED = _code("not_offered", "That effect was not offered; to choose from: {offered}.")
    NOT_FAILED = _code("not_failed", "There is no failure of that part of the check {id} to bargain over.")
    NO_COST = _code("no_cost", "There is no cost on the table for the check {id}.")
    NOT_AGREED = _code("not_agreed", "No terms are agreed for the check {id}.")
    CANNOT_PAY = _code("cannot_pay", "The character {id} cannot pay with {name}.")
    TERMS_NEEDED = _code("terms_needed", "Another offer needs its terms, and only another offer has any.")
    # totals, pushes and crises
    NOT_MISSED = _code("not_missed", "The total {id} has missed no number, so there is nothing to push for.")
    NO_OFFER = _code("no_offer", "No push of the total {id} is on offer.")
    OFFER_STANDS = _code("offer_stands", "A push of the total {id} is on offer already.")
    NUMBER_NEEDED = _code(
        "number_needed", "No number is required of the total {id}: offer one push at a time, and judge each anew."
    )
    NOT_ROLLED = _code("not_rolled", "The total {id} is not rolled yet, so there is nothing to judge.")
    REQUIRED_STANDS = _code("required_stands", "The total {id} was judged already, and that stands.")
    NO_CRISIS = _code("no_crisis", "The total {id} has brought no crisis.")
    CRISIS_KIND_NEEDED = _code("crisis_kind_needed", "Say whether the crisis of the total {id} is physical or mental.")
    CRISIS_STANDS = _code(
        "crisis_stands", "The crisis of the total {id} is {kind}, and what has been said of it stands."
    )
    # delivery
    DUPLICATE = _code("duplicate", "Command {n} of this session was answered long ago.")
    SESSION_EXPIRED = _code("session_expired", "This session is too old to be continued: start a new one.")
    OUT_OF_ORDER = _code("out_of_order", "Command {n} came before command {expected}.")
    RATE_LIMITED = _code("rate_limited", "Too much at once: try again in {retry_s} s.")
    UNAVAILABLE = _code("unavailable", "{why}: nothing was changed, send it again.")
    UNSETTLED = _code(
        "unsettled", "No answer from the store: it may or may not have been done. Look before you send it again."
    )
    BUG = _code("bug", "The server stumbled over this command and changed nothing; its log says more.")
    # REST
    UNAUTHORISED = _code("unauthorised", "There is no such room, or the token does not open it.")
    KNOCK_ANSWERED = _code("knock_answered", "This knock has been answered already, and not in the same way.")
    TURNED_AWAY = _code("turned_away", "The gm has turned you away.")
    KNOCK_EXPIRED = _code("knock_expired", "The knock has lapsed without an answer. Knock again.")
    BAD_REQUEST = _code("bad_request", "That is no request the server understands: {problem}.")


Details = dict[str, str | int]

UNCOUNTED = frozenset({Code.RATE_LIMITED, Code.UNAVAILABLE, Code.OUT_OF_ORDER})
"""Refusals that do not use up a command's number: the same command may be sent again."""


class DreadclockError(Exception):
    """The base of all errors between a client and a room."""


class Refused(DreadclockError):
    """A command was refused. Nothing was stored, and only the sender is told."""

    def __init__(self, code: Code, /, **details: str | int) -> None:
        self.code = code
        self.details: Details = details
        super().__init__(code, details)

    @property
    def sentence(self) -> str:
        """Say why in one sentence, with the numbers in it."""
        return sentence(self.code, self.details)

    def __str__(self) -> str:
        return self.sentence


class KeyRefused(Refused):
    """`unauthorised` in calls that need the operator's key, such as opening a room."""

    def __init__(self) -> None:
        super().__init__(Code.UNAUTHORISED)

    @property
    def sentence(self) -> str:
        """Say that the key is missing or wrong."""
        return "This server opens rooms with its operator's key only, and the key is missing or wrong."


class UnknownRefusal(Refused):
    """A refusal by a newer server. Its `code` is a text that Code does not have."""

    def __init__(self, code: str, sentence: str, details: Details) -> None:
        super().__init__(cast(Code, code), **details)
        self._sentence = sentence

    @property
    def sentence(self) -> str:
        """Return the server's sentence."""
        return self._sentence


def sentence(code: Code, details: Details) -> str:
    """Say in one sentence why a command was refused."""
    return SENTENCES[code].format_map(_Lenient(details))


class _Lenient(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


class CloseCode(IntEnum):
    """Why the server closed a connection: 40xx reconnect and resume, 45xx do not come back."""

    SLOW_CONSUMER = 4000
    RESTART = 4001
    FULL = 4002
    BAD_FRAME = 4500
    UNAUTHORISED = 4501
    REVOKED = 4502
    ROOM_DELETED = 4503

    @property
    def for_good(self) -> bool:
        """Whether a reconnect would be closed again for the same reason."""
        return self >= 4500


class ConnectionEnded(DreadclockError):
    """The connection is over for good; `code` is the close code, None if the client closed it."""

    def __init__(self, code: int | None, reason: str) -> None:
        self.code: int | None = code
        self.reason: str = reason
        super().__init__(f"{reason} ({code})" if code is not None else reason)


class ProtocolViolation(DreadclockError):
    """The other side sent what the protocol does not allow, or a hash that does not fit."""
