"""Events in plain words: one English sentence for each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dreadclock.cli import words_checks, words_totals
from dreadclock.cli.plain import finished, plain
from dreadclock.cli.words_base import dice, more_dice, shown, started
from dreadclock.cli.words_checks import CheckWords, revealed_check
from dreadclock.cli.words_totals import TotalWords
from dreadclock.wire.base import Channel, Id, Visibility
from dreadclock.wire.events import Cause, Event, SituationFailure
from dreadclock.wire.records import Record
from dreadclock.wire.things import (
    CheckApproval,
    Clock,
    ClockKind,
    Countdown,
    CountdownStatus,
    PhysicalDice,
    Policy,
    Roll,
)
from dreadclock.wire.views import View

__all__ = ["QUIET", "SENTENCES", "UNKNOWN", "dice", "sentence", "shown", "started_id", "told"]

QUIET: Final = frozenset({"lane_opened", "made_public"})
"""Events that only keep the books: a story leaves them out."""

SENTENCES: Final[Mapping[str, str]] = {
    "room_opened": 'The room "{e.title}" is open',
    "room_closed": "{w.by} closed the room",
    "policy_set": "{w.by} changed the house rules: {w.policy}",
    "seat_joined": "{e.seat.name} has a seat as {e.seat.role}",
    "seat_renamed": "{w.formerly} is called {e.name} now",
    "seat_removed": "{w.gone} {w.departed}",
    "character_added": "{e.character.name} came into play{w.owned}",
    "character_updated": "{e.character.name} changed",
    "lane_opened": "The dice lane {e.lane.label} is fixed",
    "dice_rolled": "{w.by} rolled {w.roll}",
    "sealed_started": 'There is a sealed {e.thing.kind} now: "{e.thing.name}"',
    "sealed_changed": 'Something happened to the sealed {e.kind} "{e.name}"',
    "revealed": "The {w.revealed}",
    "made_public": "The {e.kind} {e.id} is no secret any more",
    "cancelled": "{w.by} took the {w.cancelled} back: {e.reason}",
    "countdown_started": '"{e.countdown.name}" counts down: {w.pool}, {e.countdown.speed}{w.owned}',
    "countdown_rolled": '{w.by} rolled "{w.countdown}"{w.physically}: {w.faces}; {w.removed} out, {w.remaining} left',
    "stage_reached": '"{w.countdown}" is down to {e.at}: {e.effect}',
    "stage_left": '"{w.countdown}" is above {e.at} again',
    "countdown_stabilized": '"{w.countdown}" is stabilized',
    "countdown_resumed": '"{w.countdown}" runs again',
    "countdown_replenished": '"{w.countdown}" got {w.added} and has {w.remaining} now',
    "countdown_expired": '"{w.countdown}" is over{w.ending}',
    "countdown_cancelled": '{w.by} cancelled "{w.countdown}"{w.because}',
    "turn_ended": "Turn {e.turn} is over",
    "scene_opened": 'The scene "{e.scene.name}" opens with a clock of {e.clock.size}',
    "situation_started": 'The {w.situation_kind} "{e.situation.name}" begins with a clock of {e.clock.size}{w.threat}',
    "challenge_added": 'A {e.challenge.kind} stands in the way: "{e.challenge.name}" ({e.clock.size})',
    "clock_started": 'The clock "{e.clock.name}" starts at {e.clock.value} of {e.clock.size}',
    "clock_ticked": "The {w.clock} stands at {e.value} after {w.cause}",
    "clock_amended": "{w.by} set the {w.clock} to {e.value}: {e.reason}",
    "effort_made": '{w.by} makes an effort against "{w.challenge}"',
    "effort_ruled": 'The effort against "{w.challenge}" {w.ruling}',
    "challenge_overcome": '"{w.challenge}" is overcome',
    "situation_won": '"{w.situation}" is won',
    "situation_resolved": '"{w.situation}" is resolved: {e.how}',
    "situation_failed": '"{w.situation}" is lost: {w.failure}',
    "situation_closed": '"{w.situation}" is over with its scene',
    "round_ended": 'Round {e.round} of "{w.situation}" is over',
    "race_ended": 'The race "{w.situation}" ends as a {w.outcome}: scene {e.scene}, threat {e.threat}',
    "scene_ended": 'The scene "{w.scene}" ends as {w.scene_outcome}',
    "complication_introduced": 'A complication in "{w.situation}": {e.text}',
    **words_checks.SENTENCES,
    **words_totals.SENTENCES,
}
UNKNOWN: Final = "Something happened that this version has no words for: {e.type}"

_GM_ALONE: Final = "(to the gm alone) "
_CAUSES: Final = {
    Cause.EFFORT: "an effort",
    Cause.ROUND: "the end of a round",
    Cause.CHALLENGE: "an overcome challenge",
    Cause.SITUATION: "a situation that ended well",
    Cause.TRAVEL: "a journey",
    Cause.REST: "a rest",
    Cause.RULING: "the gm's word",
    Cause.TICK: "a tick",
    Cause.COMPLICATION: "a complication",
    Cause.HIDDEN: "something unseen",
}
_FAILURES: Final = {
    SituationFailure.DEFEATED: "everyone is defeated",
    SituationFailure.RETREATED: "everyone is in retreat",
    SituationFailure.THREAT: "the threat has run out",
}
_CLOCKS: Final = {
    ClockKind.SCENE: 'scene clock of "{}"',
    ClockKind.SITUATION: 'situation clock of "{}"',
    ClockKind.CHALLENGE: 'clock of "{}"',
    ClockKind.FREE: 'clock "{}"',
}


def sentence(record: Record, *views: View) -> str:
    """Tell a record as one plain sentence; `views` give things their names, before or after it."""
    event = record.event
    told = finished(SENTENCES.get(event.type, UNKNOWN).format(e=event, w=_Words(record, *views)))
    told = told[0].upper() + told[1:]
    return f'{told} "{plain(event.note)}"' if event.note else told


def told(record: Record, *views: View) -> str:
    """Tell a record as a sentence, marked where only the gm is told."""
    return _GM_ALONE * (record.channel is Channel.GM) + sentence(record, *views)


def started_id(event: Event) -> Id | None:
    """Return the id of what an event starts, if commands can name it: of plain rolls only those to reveal."""
    thing = started(event)
    if thing is None or (isinstance(thing, Roll) and thing.visibility is Visibility.PUBLIC):
        return None
    return str(thing.id)


class _Words(CheckWords, TotalWords):
    """What the sentences say of an event, beside its own fields."""

    @property
    def policy(self) -> str:
        policy: Policy = self._event.policy
        physical = "are off" if policy.physical_dice is PhysicalDice.OFF else f"are for {policy.physical_dice}"
        approval = "the gm's word" if policy.check_approval is CheckApproval.GM else "nobody's word"
        countdowns = "may" if policy.player_countdowns else "may not"
        return f"physical dice {physical}, checks need {approval}, players {countdowns} start countdowns"

    @property
    def gone(self) -> str:
        return self._seat(self._event.seat_id)

    @property
    def departed(self) -> str:
        return "left the table" if self._event.reason == "left" else "was sent away from the table"

    @property
    def owned(self) -> str:
        thing = getattr(self._event, "countdown", None) or self._event.character
        owner = self._seat(thing.owner) if thing.owner else thing.name
        return f" (of {owner})" if owner != thing.name else ""

    @property
    def roll(self) -> str:
        roll: Roll = self._event.roll
        why = f' for "{roll.name}"' if roll.name else ""
        return f"{dice(len(roll.faces))}{why}{' of their own' if roll.physical else ''}: {shown(roll.faces)}"

    @property
    def revealed(self) -> str:
        things, thing_id = self._event.things, self._event.id
        if things.checks:
            return f"check {thing_id} is revealed{revealed_check(things.checks[0])}"
        every = (*things.countdowns, *things.clocks, *things.scenes, *things.situations, *things.rolls)
        thing = next((each for each in every if each.id == thing_id), None)
        if thing is None:
            return f"{self._event.kind} {thing_id} is revealed"
        return f'{self._event.kind} "{thing.name or thing.id}" is revealed{_inside(thing)}'

    @property
    def cancelled(self) -> str:
        kind, thing_id = self._event.kind, self._event.id
        thing = self._find(kind, thing_id)
        return f'{kind} "{thing.name}"' if thing else f"{kind} {thing_id}"

    @property
    def countdown(self) -> str:
        return self._name("countdown", self._event.countdown_id)

    @property
    def pool(self) -> str:
        return dice(self._event.countdown.pool)

    @property
    def removed(self) -> str:
        return dice(self._event.removed)

    @property
    def remaining(self) -> str:
        return dice(self._event.remaining)

    @property
    def added(self) -> str:
        return more_dice(self._event.added)

    @property
    def ending(self) -> str:
        return f": {self._event.ending}" if self._event.ending else ""

    @property
    def because(self) -> str:
        return f": {self._event.reason}" if self._event.reason else ""

    @property
    def situation_kind(self) -> str:
        return "race" if self._event.situation.kind == "race" else "situation"

    @property
    def threat(self) -> str:
        one, threat = self._event.situation, self._event.threat
        return f", level {one.level}, {one.difficulty}, against a threat of {threat.value}" if threat else ""

    @property
    def clock(self) -> str:
        clock_id = self._event.clock_id
        clock = self._find("clock", clock_id)
        if clock is None:
            return f"clock {clock_id}"
        if clock.kind is ClockKind.THREAT:
            return f'threat of "{self._name("scene", clock.of or clock_id)}"'
        return _CLOCKS[clock.kind].format(clock.name)

    @property
    def cause(self) -> str:
        return _CAUSES[self._event.cause]

    @property
    def challenge(self) -> str:
        thing = getattr(self._event, "effort", self._event)
        return self._name("challenge", thing.challenge_id)

    @property
    def ruling(self) -> str:
        return f"succeeds and takes off {self._event.amount}" if self._event.success else "fails"

    @property
    def situation(self) -> str:
        return self._name("situation", self._event.situation_id)

    @property
    def failure(self) -> str:
        return _FAILURES[self._event.reason]

    @property
    def outcome(self) -> str:
        return str(self._event.outcome).replace("_", " ")

    @property
    def scene(self) -> str:
        return self._name("scene", self._event.scene_id)

    @property
    def scene_outcome(self) -> str:
        return "a success" if self._event.outcome == "success" else "unfinished"


def _inside(thing: object) -> str:
    if isinstance(thing, Countdown):
        rolls = " / ".join(shown(each.faces) for each in thing.hidden_rolls)
        left = "it is over" if thing.status is CountdownStatus.EXPIRED else f"{dice(thing.pool)} left"
        return f": {left}" + (f" after {rolls}" if rolls else "")
    if isinstance(thing, Clock):
        return f": it stands at {thing.value} of {thing.size}"
    return f": {shown(thing.faces)}" if isinstance(thing, Roll) else ""
