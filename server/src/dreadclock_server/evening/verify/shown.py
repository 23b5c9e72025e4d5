"""Check that the history of revealed things is possible, and fits the earlier public events. Source: rules.md E4.

A sealed thing is hidden, but everyone knows its id, kind and name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dreadclock.export import Step
from dreadclock.rules import countdown as rules
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.contents import FIELDS
from dreadclock.wire.ids import GM_PREFIX
from dreadclock.wire.views import View
from dreadclock_server.core.families.checks import part_roll, planned, side_result
from dreadclock_server.core.families.ventures import Spent
from dreadclock_server.evening.verify.rebuilding import BROKEN

_NESTED = (Kind.SCENE, Kind.SITUATION)
_PHYSICAL = "physical dice were never allowed"


class Before(NamedTuple):
    """The public facts before a thing was revealed.

    `changes`: how many `sealed_changed` events the thing had. `physical_dice`: whether physical dice were ever
    allowed. `continued`: whether the room continues another room. The thing may have been rolled there.
    """

    view: View
    changes: int
    physical_dice: bool
    continued: bool


class Reveals:
    """Checks the revealed things of a log."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._changes: dict[Id, list[int]] = defaultdict(list)  # by sealed thing: the lines of its changes
        # Two lines: the first at which physical dice are allowed, and the line where the room continues another room.
        self._physical_dice = self._continued = len(steps) + 2
        for step in steps:
            if isinstance(step.record.event, e.SealedChanged):
                self._changes[step.record.event.id].append(step.line)
            elif isinstance(step.record.event, e.RoomContinued):
                self._continued = min(self._continued, step.line)
            if step.before.public.policy.physical_dice is not t.PhysicalDice.OFF:
                self._physical_dice = min(self._physical_dice, step.line)

    def problem_of(self, line: int, event: e.Revealed, view: View) -> str | None:
        """Return why the things that an event reveals are impossible; None if they are possible."""
        changes = bisect_left(self._changes[event.id], line)
        before = Before(view, changes, line >= self._physical_dice, line > self._continued)
        try:
            return next(_problems(event, before), None)
        except BROKEN as error:
            return f"it cannot be: {error}"


def _problems(event: e.Revealed, before: Before) -> Iterator[str]:
    things = event.things
    yield from _of_all(event, before.view)
    for countdown in things.countdowns:
        yield from _of_countdown(countdown, before)
    for check in things.checks:
        yield from _of_check(check, before)
    for character in things.characters:
        yield from _of_character(character, before.view)
    if any(roll.physical for roll in things.rolls) and not before.physical_dice:
        yield _PHYSICAL
    if any(clock.value > clock.size for clock in things.clocks):
        yield "a clock stands beyond its size"


def _of_all(event: e.Revealed, view: View) -> Iterator[str]:
    """Check that exactly one thing with its contents is revealed, and that it was hidden and is public now."""
    shown = {name: getattr(event.things, name) for name in FIELDS}
    things = [thing for family in shown.values() for thing in family]
    if event.id not in {thing.id for thing in shown[f"{event.kind}s"]}:
        yield "what comes to light is not among its things"
    if not (_belongs(event.things, event.kind, event.id) if event.kind in _NESTED else len(things) == 1):
        yield "something else comes to light with it"
    if any(thing.id in getattr(view.public, name) for name, family in shown.items() for thing in family):
        yield "it came to light before"
    sealed = view.public.sealed.get(event.id)
    if sealed is None and not event.id.startswith(GM_PREFIX):
        yield "no such thing is hidden"
    if sealed is not None and sealed.kind != event.kind:
        yield "something else was sealed under this id"
    if any(getattr(thing, "visibility", Visibility.PUBLIC) is not Visibility.PUBLIC for thing in things):
        yield "it is still hidden"


def _belongs(things: t.Things, kind: Kind | str, thing_id: Id) -> bool:
    """Return whether `things` holds only the scene or situation `thing_id`, what belongs to it, and their clocks."""
    scenes, situations, challenges = (
        {thing.id for thing in family} for family in (things.scenes, things.situations, things.challenges)
    )
    inside = all(situation.scene_id == thing_id for situation in things.situations)
    rooted = scenes == {thing_id} and inside if kind == Kind.SCENE else not scenes and situations == {thing_id}
    holders: tuple[t.Scene | t.Situation | t.Challenge, ...] = (*things.scenes, *things.situations, *things.challenges)
    clocks = {holder.clock_id: holder.id for holder in holders}
    clocks |= {scene.threat_id: scene.id for scene in things.scenes if scene.threat_id is not None}
    return (
        rooted
        and not (things.countdowns or things.rolls or things.checks)
        and all(challenge.situation_id in situations for challenge in things.challenges)
        and all(effort.challenge_id in challenges for effort in things.efforts)
        and {clock.id: clock.of for clock in things.clocks} == clocks
    )


def _of_countdown(countdown: t.Countdown, before: Before) -> Iterator[str]:
    """Check that the hidden rolls of a countdown lead to its pool. Between two rolls, dice may be added."""
    rolls = [roll for roll in countdown.hidden_rolls if roll.pool is None]
    if not all(roll.faces for roll in rolls):
        yield "a hidden roll has no faces"
        return
    if any(roll.physical for roll in rolls) and not before.physical_dice:
        yield _PHYSICAL
    moves = [_move(countdown, roll) for roll in countdown.hidden_rolls]
    if None in moves:
        yield "a hidden roll did not come to what it is said to"
        return
    valid = [move for move in moves if move is not None]
    grows = countdown.replenishable or any(roll.amended for roll in countdown.hidden_rolls)
    pools = [*(pool for pool, _ in valid[1:]), countdown.pool]
    fits = all(pool in (rest, None) or (grows and pool > rest) for pool, (_, rest) in zip(pools, valid, strict=False))
    shown = countdown.last_faces == (rolls[-1].faces if rolls else ()) or (not rolls and before.continued)
    if not (fits and shown and countdown.pool <= MAX_POOL):
        yield "its hidden rolls do not lead to its pool"
    changes = before.changes - (countdown.status is t.CountdownStatus.CANCELLED)
    # Each roll of a sealed thing causes a public event. An undone amendment (the gm sets the pool)
    # causes two, and leaves no roll.
    heard = changes >= len(rolls) and (changes - len(rolls)) % 2 == 0
    if not (grows or countdown.stabilizable or countdown.id not in before.view.public.sealed or heard):
        yield f"it changed {changes} times in secret, and shows {len(rolls)} rolls"
    if (countdown.pool == 0) != (countdown.status is t.CountdownStatus.EXPIRED):
        yield "its pool does not fit its end"
    if countdown.rolled_turn > before.view.turn:
        yield "its turn does not fit its rolls"


def _move(countdown: t.Countdown, roll: t.HiddenRoll) -> tuple[int | None, int] | None:
    """Return the pool before and after a hidden roll or another change; None if it is impossible.

    The gm may amend any pool, so the pool before an amendment is None.
    """
    if roll.pool is not None:
        fits = roll.amended or (countdown.repeats is not None and list(roll.faces) in ([], [roll.pool]))
        return (None if roll.amended else 0, roll.pool) if fits else None
    result = rules.roll(roll.speed or countdown.speed, roll.faces)
    return (len(roll.faces), result.remaining) if roll.removed == result.removed else None


def _of_character(character: t.Character, view: View) -> Iterator[str]:
    """Check that a hidden character belongs to the gm, and has no results of public rolls."""
    owner = view.public.seats.get(character.owner or "")
    if character.owner is not None and (owner is None or owner.role is not Role.GM):
        yield "it is somebody else's"
    if any((character.momentum, character.interference, character.bonuses, character.choices, character.crisis_due)):
        yield "something of a public roll waits for it"


def _of_check(check: t.Check, before: Before) -> Iterator[str]:
    """Check the hidden rolls of a check and its result. If none of its dice is rolled, check its odds."""
    rolls = [(part, part.roll) for part in check.parts if part.roll is not None]
    for part, roll in rolls:
        plan = planned(part, Spent())
        if roll != part_roll(part, Spent(), plan, roll.faces, physical=roll.physical, proof=roll.proof):
            yield "a hidden roll did not come to what it is said to"
    if any(roll.physical for _, roll in rolls) and not before.physical_dice:
        yield _PHYSICAL
    if not rolls and check.odds != check_odds(before.view, check):
        yield "its odds are others"
    if check.result is not None:
        opposing = side_result(check, Side.OPPOSING) if check.side(Side.OPPOSING) else None
        if (check.result.acting, check.result.opposing) != (side_result(check, Side.ACTING), opposing):
            yield "its dice come to something else"
