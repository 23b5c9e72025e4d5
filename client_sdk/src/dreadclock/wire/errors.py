"""What can go wrong between a client and a room.

DreadclockError
  Refused            the rules or the room refuse a command: the sender is told, and nothing is stored
  ConnectionEnded    the server closed for good (a 45xx close code), or the client closed it
  ProtocolViolation  the other side sent what the protocol does not allow
"""

from enum import IntEnum, StrEnum
from typing import Any, cast


class Code(StrEnum):
    """Why a command was refused."""

    # the message
    BAD_COMMAND = "bad_command"
    NOT_ALLOWED = "not_allowed"
    NOT_LENT = "not_lent"
    NOT_AVAILABLE = "not_available"
    # the room and its people
    ROOM_CLOSED = "room_closed"
    ROOM_OPEN = "room_open"
    CLOSED_LONG_AGO = "closed_long_ago"
    UNKNOWN = "unknown"
    ID_TAKEN = "id_taken"
    ID_RESERVED = "id_reserved"
    TOO_MANY = "too_many"
    GM_STAYS = "gm_stays"
    LOOKS_ON = "looks_on"
    NOT_HIDDEN = "not_hidden"
    NOTHING_TO_CHANGE = "nothing_to_change"
    # taking commands back
    CANNOT_BE_VOIDED = "cannot_be_voided"
    CHANGED_SINCE = "changed_since"
    LONG_AGO = "long_ago"
    # dice
    PHYSICAL_DICE_OFF = "physical_dice_off"
    WRONG_FACES = "wrong_faces"
    DICE_LOST = "dice_lost"
    ANCHOR_USED = "anchor_used"
    LANE_USED_UP = "lane_used_up"
    SLOT_TAKEN = "slot_taken"
    BAD_TOKEN = "bad_token"
    CHANGED = "changed"
    # countdowns
    NOT_RUNNING = "not_running"
    NOT_STABILIZED = "not_stabilized"
    NOT_STABILIZABLE = "not_stabilizable"
    NOT_REPLENISHABLE = "not_replenishable"
    ALREADY_ROLLED = "already_rolled"
    OTHER_TURN = "other_turn"
    POOL_TOO_LARGE = "pool_too_large"
    STAGE_TWICE = "stage_twice"
    POOL_NEEDED = "pool_needed"
    ABOUT_NEEDED = "about_needed"
    BINDING_UNSAID = "binding_unsaid"
    NAMES_HIDDEN = "names_hidden"
    # scenes, situations, races, clocks
    ENDED = "ended"
    LEVEL_NEEDED = "level_needed"
    PARTY_UNKNOWN = "party_unknown"
    MODIFIER_TOO_LARGE = "modifier_too_large"
    THREAT_SPENT = "threat_spent"
    HIDDEN_WITH_SCENE = "hidden_with_scene"
    RACE_IN_THE_OPEN = "race_in_the_open"
    RACE_KEPT_BACK = "race_kept_back"
    RACE_WITHIN = "race_within"
    NOT_A_RACE = "not_a_race"
    NOT_BEGUN = "not_begun"
    BEGUN = "begun"
    SCENE_ASIDE = "scene_aside"
    NOT_ASIDE = "not_aside"
    OUTCOME_CHANGED = "outcome_changed"
    OUTCOME_UNEXPECTED = "outcome_unexpected"
    NOT_FREE_STANDING = "not_free_standing"
    SCENE_CLOCK = "scene_clock"
    ONE_SPECIAL = "one_special"
    BEYOND_SIZE = "beyond_size"
    CLOCK_TOO_LARGE = "clock_too_large"
    CLOCK_STANDS = "clock_stands"
    THREAT_STANDS = "threat_stands"
    PLACE_NEEDED = "place_needed"
    CHARACTER_NEEDED = "character_needed"
    PARTY_TWICE = "party_twice"
    # characters and their rolls
    OUT_OF_PLAY = "out_of_play"
    GONE_FOR_GOOD = "gone_for_good"
    HAS_NOT_LEFT = "has_not_left"
    HAS_LEFT = "has_left"
    STATE_HELD = "state_held"
    BEYOND_TRACK = "beyond_track"
    THIRD_AT_ENTRY = "third_at_entry"
    NOT_THE_GMS = "not_the_gms"
    CRISIS_WAITS = "crisis_waits"
    NOT_ON_SHEET = "not_on_sheet"
    NOTHING_WAITS = "nothing_waits"
    SCORE_NEEDED = "score_needed"
    POOL_OUT_OF_RANGE = "pool_out_of_range"
    NOT_APPROVED = "not_approved"
    ROLL_STANDS = "roll_stands"
    EFFORT_HIDDEN = "effort_hidden"
    # consequences
    NO_SUCH_MOMENT = "no_such_moment"
    NEVER_HAPPENS = "never_happens"
    SECRET_NAMED = "secret_named"
    # checks
    ALREADY_IN_CHECK = "already_in_check"
    NOT_IN_CHECK = "not_in_check"
    LEADER_STAYS = "leader_stays"
    PART_UNSAID = "part_unsaid"
    ALREADY_OPPOSED = "already_opposed"
    OPPONENT_NEEDED = "opponent_needed"
    NOT_OPPOSED = "not_opposed"
    EFFECTS_ALIKE = "effects_alike"
    NOT_READY = "not_ready"
    ALREADY_CLAIMED = "already_claimed"
    NO_CHOICE = "no_choice"
    NOT_OFFERED = "not_offered"
    NOT_FAILED = "not_failed"
    NO_COST = "no_cost"
    NOT_AGREED = "not_agreed"
    CANNOT_PAY = "cannot_pay"
    TERMS_NEEDED = "terms_needed"
    # totals, pushes and crises
    NOT_MISSED = "not_missed"
    NO_OFFER = "no_offer"
    OFFER_STANDS = "offer_stands"
    NUMBER_NEEDED = "number_needed"
    NOT_ROLLED = "not_rolled"
    REQUIRED_STANDS = "required_stands"
    NO_CRISIS = "no_crisis"
    CRISIS_KIND_NEEDED = "crisis_kind_needed"
    CRISIS_STANDS = "crisis_stands"
    # delivery
    DUPLICATE = "duplicate"
    SESSION_EXPIRED = "session_expired"
    OUT_OF_ORDER = "out_of_order"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    UNSETTLED = "unsettled"
    BUG = "bug"
    # REST
    UNAUTHORISED = "unauthorised"
    KNOCK_ANSWERED = "knock_answered"
    TURNED_AWAY = "turned_away"
    KNOCK_EXPIRED = "knock_expired"
    BAD_REQUEST = "bad_request"


SENTENCES: dict[Code, str] = {
    Code.BAD_COMMAND: "That is no command the table understands: {problem}.",
    Code.NOT_ALLOWED: "Only {allowed} may do that.",
    Code.NOT_LENT: "The seat {id} is not lent to you.",
    Code.NOT_AVAILABLE: "This server does not offer {what}.",
    Code.ROOM_CLOSED: "This room is closed: it can be read, not changed.",
    Code.ROOM_OPEN: "This room is open already.",
    Code.CLOSED_LONG_AGO: "This room was closed more than {days} days ago: it stays closed.",
    Code.UNKNOWN: "There is no {kind} with the id {id} here.",
    Code.ID_TAKEN: "The id {id} has been used in this room before.",
    Code.ID_RESERVED: "The id {id} has a form that is kept for {kept_for}.",
    Code.TOO_MANY: "The room already has {limit} {what}, the most it can hold.",
    Code.GM_STAYS: "The gm's own seat cannot be given up or taken away; close the room instead.",
    Code.LOOKS_ON: "The seat {id} only looks on: nothing can be its own.",
    Code.NOT_HIDDEN: "Everyone can see {id} already.",
    Code.NOTHING_TO_CHANGE: "The command names nothing to change.",
    Code.CANNOT_BE_VOIDED: "What the record {seq} tells of cannot be taken back: {why}.",
    Code.CHANGED_SINCE: "What the record {seq} tells of cannot be taken back any more: {id} has changed since.",
    Code.LONG_AGO: "Only the latest {limit} commands can be taken back, and the record {seq} is of an earlier one.",
    Code.PHYSICAL_DICE_OFF: "This room's policy lets {allowed} type in physical dice.",
    Code.WRONG_FACES: "Faces needed: {needed}, given: {given} ({why}).",
    Code.DICE_LOST: "The room's dice secret is missing from the store or is not the room's, so nothing can be rolled.",
    Code.ANCHOR_USED: "This anchor has been used in this room before: open a lane with another one.",
    Code.LANE_USED_UP: "The lane {lane} has no roll left.",
    Code.SLOT_TAKEN: "Slot {n} of the lane {lane} is not its next one.",
    Code.BAD_TOKEN: "The token does not fit slot {n} of the lane {lane}.",
    Code.CHANGED: "{id} has changed since you looked.",
    Code.NOT_RUNNING: "The countdown {id} is {status}.",
    Code.NOT_STABILIZED: "The countdown {id} is {status}, not stabilized.",
    Code.NOT_STABILIZABLE: "The countdown {id} cannot be stabilized.",
    Code.NOT_REPLENISHABLE: "The countdown {id} cannot be replenished.",
    Code.ALREADY_ROLLED: "The countdown {id} has been rolled in turn {turn} already.",
    Code.OTHER_TURN: "It is turn {now} now, not turn {turn}.",
    Code.POOL_TOO_LARGE: "A pool of {pool} and {dice} more is over the {limit} dice that a pool can hold.",
    Code.STAGE_TWICE: "Two stages stand at {at} dice.",
    Code.POOL_NEEDED: "Give a pool or the name of an attribute, one of the two.",
    Code.ABOUT_NEEDED: "Say which character the countdown is about: its {what} is that character's.",
    Code.BINDING_UNSAID: "Name the {kind} that the countdown is bound to in bound_id, and only there.",
    Code.NAMES_HIDDEN: "Everyone would see this, and not everyone sees the {kind} {id}.",
    Code.ENDED: "The {kind} {id} is over: {status}.",
    Code.LEVEL_NEEDED: "A race needs the situation's level.",
    Code.PARTY_UNKNOWN: "There are no approved characters to measure the race by: give party_levels or a difficulty.",
    Code.MODIFIER_TOO_LARGE: (
        "Level {level} is {modifier} against a party of {party}, beyond 2 either way: name the difficulty."
    ),
    Code.THREAT_SPENT: "The threat of the scene {id} is spent: no race can start in it.",
    Code.HIDDEN_WITH_SCENE: "All that is in the scene {id} is {visibility}, as the scene itself is.",
    Code.RACE_IN_THE_OPEN: (
        "The threat clock of a race belongs to its scene, and everyone sees {id}: hide the scene instead of the race."
    ),
    Code.RACE_KEPT_BACK: (
        "The threat clock of a race comes to light with its scene {id}, and tells of the race: prepare it instead."
    ),
    Code.RACE_WITHIN: "A race ticks its own threat: it lies within no other one.",
    Code.NOT_A_RACE: "The situation {id} is no race that is under way in this scene.",
    Code.NOT_BEGUN: "The situation {id} is only prepared: begin it first.",
    Code.BEGUN: "The situation {id} has begun before.",
    Code.SCENE_ASIDE: "The scene {id} is set aside: take it up again first.",
    Code.NOT_ASIDE: "The scene {id} is not set aside.",
    Code.OUTCOME_CHANGED: "The race {id} would end as {now} now, and no longer as {expected}: look again.",
    Code.OUTCOME_UNEXPECTED: "The race {id} would end with its scene, as {now}: look again.",
    Code.NOT_FREE_STANDING: "The clock {id} belongs to a {kind} and moves with it.",
    Code.ONE_SPECIAL: "Only one special attribute adds dice, or several different ones where the policy allows it.",
    Code.SCENE_CLOCK: "The clock {id} belongs to a scene: use travel or rest to move it, or amend_clock to correct it.",
    Code.BEYOND_SIZE: "The clock {id} counts up to {size}, so it cannot stand at {value}.",
    Code.CLOCK_TOO_LARGE: "A clock of {size} and {by} more is over the {limit} points that a clock can have.",
    Code.CLOCK_STANDS: "The clock {id} stands at {value} of {size}, and this would change nothing: try {would}.",
    Code.THREAT_STANDS: (
        "The threat clock {id} is set for its whole scene: only an amendment moves it back, to {size} at most."
    ),
    Code.PLACE_NEEDED: "A complication comes to a scene or to a situation: name one of the two.",
    Code.CHARACTER_NEEDED: "Say which of your characters in play makes this effort; you have {own}.",
    Code.PARTY_TWICE: "The party names the character {id} twice.",
    Code.NOTHING_WAITS: "Nothing that was changed on the sheet of {id} waits for the gm.",
    Code.OUT_OF_PLAY: "The character {id} is {status}: nothing is rolled for it any more.",
    Code.GONE_FOR_GOOD: "The character {id} is {status} for good: bring in another one instead.",
    Code.HAS_NOT_LEFT: "The character {id} is in play: it has not left.",
    Code.HAS_LEFT: "The character {id} left already: let it return to play first.",
    Code.THIRD_AT_ENTRY: "A character enters play with at most {most} crises of each kind; a third would end it.",
    Code.NOT_THE_GMS: "Only a character of the gm's own can be hidden, and this one would be of {owner}.",
    Code.STATE_HELD: "The character {id} is in that state already: {state}.",
    Code.BEYOND_TRACK: "The track {track} of the character {id} goes from 0 to {most}, so it cannot stand at {value}.",
    Code.CRISIS_WAITS: "The gm has yet to say what the crisis of the character {id} is; until then nothing is rolled.",
    Code.NOT_ON_SHEET: "The character {id} has no {kind} called {name}.",
    Code.SCORE_NEEDED: "Give a score or the name of an attribute, one of the two.",
    Code.POOL_OUT_OF_RANGE: "That makes {sum} dice, and the roll takes {least} to {most}.",
    Code.NOT_APPROVED: "The {kind} {id} waits for the gm's approval.",
    Code.ROLL_STANDS: "The {kind} {id} has been rolled, and what was rolled stands.",
    Code.EFFORT_HIDDEN: "Everyone would see this roll, and not everyone sees the challenge {id}.",
    Code.NO_SUCH_MOMENT: "The {kind} {id} never comes to such a moment.",
    Code.NEVER_HAPPENS: (
        "This could never happen to {id}: it is over or out of play, or does not allow it, or lacks what it would take."
    ),
    Code.SECRET_NAMED: "It names what not everyone sees: let only the gm know of it.",
    Code.ALREADY_IN_CHECK: "The character {id} has a part in the check {check} already.",
    Code.NOT_IN_CHECK: "The character {id} has no part in the check {check}.",
    Code.LEADER_STAYS: "The check {check} is the character {id}'s own: withdraw it instead.",
    Code.PART_UNSAID: "Say for which character the check {id} is rolled; these have yet to roll: {waiting}.",
    Code.OPPONENT_NEEDED: "Name a character that opposes, or an opponent with its score, one of the two.",
    Code.ALREADY_OPPOSED: "The check {id} is opposed already: join a side with help_check.",
    Code.NOT_OPPOSED: "The check {id} has no other side yet, and cannot go on without one.",
    Code.EFFECTS_ALIKE: "The effects to choose from must differ from each other, and from momentum and interference.",
    Code.NOT_READY: "No venture {venture} lies ready for this roll of the character {id}.",
    Code.ALREADY_CLAIMED: "The venture {venture} is claimed for another check already.",
    Code.NO_CHOICE: "The character {id} has no effect of the check {check} to choose.",
    Code.NOT_OFFERED: "That effect was not offered; to choose from: {offered}.",
    Code.NOT_FAILED: "There is no failure of that part of the check {id} to bargain over.",
    Code.NO_COST: "There is no cost on the table for the check {id}.",
    Code.NOT_AGREED: "No terms are agreed for the check {id}.",
    Code.CANNOT_PAY: "The character {id} cannot pay with {name}.",
    Code.TERMS_NEEDED: "Another offer needs its terms, and only another offer has any.",
    Code.NOT_MISSED: "The total {id} has missed no number, so there is nothing to push for.",
    Code.NO_OFFER: "No push of the total {id} is on offer.",
    Code.OFFER_STANDS: "A push of the total {id} is on offer already.",
    Code.REQUIRED_STANDS: "The total {id} was judged already, and that stands.",
    Code.NUMBER_NEEDED: "No number is required of the total {id}: offer one push at a time, and judge each anew.",
    Code.NOT_ROLLED: "The total {id} is not rolled yet, so there is nothing to judge.",
    Code.NO_CRISIS: "The total {id} has brought no crisis.",
    Code.CRISIS_KIND_NEEDED: "Say whether the crisis of the total {id} is physical or mental.",
    Code.CRISIS_STANDS: "The crisis of the total {id} is {kind}, and what has been said of it stands.",
    Code.DUPLICATE: "Command {n} of this session was answered long ago.",
    Code.SESSION_EXPIRED: "This session is too old to be continued: start a new one.",
    Code.OUT_OF_ORDER: "Command {n} came before command {expected}.",
    Code.RATE_LIMITED: "Too much at once: try again in {retry_s} s.",
    Code.UNAVAILABLE: "{why}: nothing was changed, send it again.",
    Code.UNSETTLED: "No answer from the store: it may or may not have been done. Look before you send it again.",
    Code.BUG: "The server stumbled over this command and changed nothing; its log says more.",
    Code.UNAUTHORISED: "There is no such room, or the token does not open it.",
    Code.KNOCK_ANSWERED: "This knock has been answered already, and not in the same way.",
    Code.TURNED_AWAY: "The gm has turned you away.",
    Code.KNOCK_EXPIRED: "The knock has lapsed without an answer. Knock again.",
    Code.BAD_REQUEST: "That is no request the server understands: {problem}.",
}

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
