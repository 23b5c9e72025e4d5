"""What comes to light, for those who saw nothing of it before: whether it can be what it is said to be. E4."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dreadclock.rules import countdown as rules
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.contents import FIELDS
from dreadclock.wire.ids import GM_PREFIX
from dreadclock.wire.things import (
    Challenge,
    Character,
    Check,
    Countdown,
    CountdownStatus,
    HiddenRoll,
    Scene,
    Situation,
    Things,
)
from dreadclock.wire.views import View
from dreadclock_server.core.families.checks import part_roll, planned, side_result
from dreadclock_server.core.families.ventures import Spent

_NESTED = (Kind.SCENE, Kind.SITUATION)
_REAL_DICE = "physical dice were never allowed"


class Before(NamedTuple):
    """What is known before something comes to light.

    `changes`: how often the public heard that it changed. `real_dice`: whether any were ever allowed. `continued`:
    whether the room went on from another one, in which it may have been rolled.
    """

    view: View
    changes: int
    real_dice: bool
    continued: bool


def problems_of(event: e.Revealed, known: Before) -> Iterator[str]:
    """Say what cannot be in what comes to light."""
    yield from _of_all(event, known.view)
    for countdown in event.things.countdowns:
        yield from _of_countdown(countdown, known)
    for check in event.things.checks:
        yield from _of_check(check, known)
    for one in event.things.characters:
        yield from _of_character(one, known.view)
    if any(roll.physical for roll in event.things.rolls) and not known.real_dice:
        yield _REAL_DICE
    if any(clock.value > clock.size for clock in event.things.clocks):
        yield "a clock stands beyond its size"


def _of_all(event: e.Revealed, view: View) -> Iterator[str]:
    """Check that just this comes to light, that it was hidden, and that it is not any more."""
    shown = {name: getattr(event.things, name) for name in FIELDS}
    things = [each for of in shown.values() for each in of]
    if event.id not in {each.id for each in shown[f"{event.kind}s"]}:
        yield "what comes to light is not among its things"
    if not (_belongs(event.things, event.kind, event.id) if event.kind in _NESTED else len(things) == 1):
        yield "something else comes to light with it"
    if any(each.id in getattr(view.public, name) for name, of in shown.items() for each in of):
        yield "it came to light before"
    stub = view.public.sealed.get(event.id)
    if stub is None and not event.id.startswith(GM_PREFIX):
        yield "no such thing is hidden"
    if stub is not None and stub.kind != event.kind:
        yield "something else was sealed under this id"
    if any(getattr(each, "visibility", Visibility.PUBLIC) is not Visibility.PUBLIC for each in things):
        yield "it is still hidden"


def _belongs(things: Things, kind: Kind | str, thing_id: Id) -> bool:
    """Tell whether all that comes to light is of a scene, or of a situation: its own, and its clocks."""
    scenes, situations, challenges = (
        {each.id for each in of} for of in (things.scenes, things.situations, things.challenges)
    )
    inside = all(each.scene_id == thing_id for each in things.situations)
    rooted = scenes == {thing_id} and inside if kind == Kind.SCENE else not scenes and situations == {thing_id}
    holders: tuple[Scene | Situation | Challenge, ...] = (*things.scenes, *things.situations, *things.challenges)
    clocks = {each.clock_id: each.id for each in holders}
    clocks |= {each.threat_id: each.id for each in things.scenes if each.threat_id is not None}
    return (
        rooted
        and not (things.countdowns or things.rolls or things.checks)
        and all(each.situation_id in situations for each in things.challenges)
        and all(each.challenge_id in challenges for each in things.efforts)
        and {each.id: each.of for each in things.clocks} == clocks
    )


def _of_countdown(one: Countdown, known: Before) -> Iterator[str]:
    """Check the hidden rolls of a countdown: each took off its expiring faces, and between two dice may be added."""
    rolls = [each for each in one.hidden_rolls if each.pool is None]
    if not all(each.faces for each in rolls):
        yield "a hidden roll has no faces"
        return
    if any(each.physical for each in rolls) and not known.real_dice:
        yield _REAL_DICE
    added = one.replenishable or any(each.amended for each in one.hidden_rolls)
    left = [_moved(one, each) for each in one.hidden_rolls]
    if None in left:
        yield "a hidden roll did not come to what it is said to"
        return
    ends = [each for each in left if each is not None]
    pools = [*(pool for pool, _ in ends[1:]), one.pool]
    fits = all(pool in (rest, None) or (added and pool > rest) for pool, (_, rest) in zip(pools, ends, strict=False))
    shown = one.last_faces == (rolls[-1].faces if rolls else ()) or (not rolls and known.continued)
    if not (fits and shown and one.pool <= MAX_POOL):
        yield "its hidden rolls do not lead to its pool"
    changes = known.changes - (one.status is CountdownStatus.CANCELLED)
    # The public heard of each roll; an amendment that was taken back is heard of twice, and is gone.
    told = changes >= len(rolls) and (changes - len(rolls)) % 2 == 0
    if not (added or one.stabilizable or one.id not in known.view.public.sealed or told):
        yield f"it changed {changes} times in secret, and shows {len(rolls)} rolls"
    if (one.pool == 0) != (one.status is CountdownStatus.EXPIRED):
        yield "its pool does not fit its end"
    if one.rolled_turn > known.view.turn:
        yield "its turn does not fit its rolls"


def _moved(one: Countdown, roll: HiddenRoll) -> tuple[int | None, int] | None:
    """Return the pool before a hidden roll, or what else moved it, and after; None if the roll cannot be.

    Before an amendment there may have been any pool: it is None then.
    """
    if roll.pool is not None:
        fits = roll.amended or (one.repeats is not None and list(roll.faces) in ([], [roll.pool]))
        return (None if roll.amended else 0, roll.pool) if fits else None
    rolled = rules.roll(roll.speed or one.speed, roll.faces)
    return (len(roll.faces), rolled.remaining) if roll.removed == rolled.removed else None


def _of_character(one: Character, view: View) -> Iterator[str]:
    """Check that a hidden character was the gm's, and nothing that everyone sees happened to it."""
    owner = view.public.seats.get(one.owner or "")
    if one.owner is not None and (owner is None or owner.role is not Role.GM):
        yield "it is somebody else's"
    if one.momentum or one.interference or one.bonuses or one.choices or one.crisis_due:
        yield "something of a public roll waits for it"


def _of_check(check: Check, known: Before) -> Iterator[str]:
    """Check the hidden rolls of a check, and what they came to; before the first its odds count all in."""
    rolls = [(part, part.roll) for part in check.parts if part.roll is not None]
    for part, roll in rolls:
        if roll != part_roll(
            part, Spent(), planned(part, Spent()), roll.faces, physical=roll.physical, proof=roll.proof
        ):
            yield "a hidden roll did not come to what it is said to"
    if any(roll.physical for _, roll in rolls) and not known.real_dice:
        yield _REAL_DICE
    if not rolls and check.odds != check_odds(known.view, check):
        yield "its odds are others"
    if check.result is not None:
        opposing = side_result(check, Side.OPPOSING) if check.side(Side.OPPOSING) else None
        if (check.result.acting, check.result.opposing) != (side_result(check, Side.ACTING), opposing):
            yield "its dice come to something else"
