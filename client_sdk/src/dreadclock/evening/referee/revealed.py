"""What comes to light for those who saw nothing of it before. Source: rules.md E4."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.check_rolls import check_roll
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.following.checks import side_result
from dreadclock.following.tokens import Spent
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

_SINGLE = {
    Kind.COUNTDOWN: "countdowns",
    Kind.CLOCK: "clocks",
    Kind.ROLL: "rolls",
    Kind.CHECK: "checks",
    Kind.CHARACTER: "characters",
}
_NOT_PHYSICAL = "physical dice were never allowed"
_NESTED = {Kind.SCENE: "scenes", Kind.SITUATION: "situations"}


def revealed(r: Reader, step: Step, event: e.Revealed) -> None:
    """Something comes to light, as itself, and its rolls come to what it shows.

    Who holds the gm's channel saw it leave that, which says all there is to say.
    """
    if r.holds_gm:
        return r.fault(step, "it did not leave the gm's channel")
    field = {**_SINGLE, **_NESTED}[Kind(event.kind)]
    if not r.amid:
        r.allow(step, hidden=True)
    shown = {name: getattr(event.things, name) for name in FIELDS}
    r.require(step, event.id in {each.id for each in shown[field]}, "what comes to light is not among its things")
    if event.kind in _SINGLE:
        alone = sum(map(len, shown.values())) == 1
        r.require(step, alone, "something else comes to light with it")
    else:
        r.require(step, _belongs(event.things, event.kind, event.id), "something else comes to light with it")
    known = [each.id for name in FIELDS for each in shown[name] if each.id in getattr(step.before.public, name)]
    r.require(step, not known, f"{', '.join(known)} came to light before")
    stub = step.before.public.sealed.get(event.id)
    r.require(step, stub is not None or event.id.startswith(GM_PREFIX), "no such thing is hidden")
    r.require(step, stub is None or stub.kind == event.kind, "something else was sealed under this id")
    seen = [each for name in FIELDS for each in shown[name] if hasattr(each, "visibility")]
    r.require(step, all(each.visibility is Visibility.PUBLIC for each in seen), "it is still hidden")
    for countdown in event.things.countdowns:
        _check_countdown(r, step, countdown)
    for check in event.things.checks:
        _check_check(r, step, check)
    for roll in event.things.rolls:
        r.require(step, r.physical or not roll.physical, _NOT_PHYSICAL)
    for one in event.things.characters:
        _check_character(r, step, one)
    for clock in event.things.clocks:
        r.require(step, clock.value <= clock.size, "a clock stands beyond its size")
    return None


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


def _check_countdown(r: Reader, step: Step, one: Countdown) -> None:
    """Check the hidden rolls of a countdown: each took off its expiring faces, and between two dice may be added."""
    rolls = [each for each in one.hidden_rolls if each.pool is None]
    added = one.replenishable or any(each.amended for each in one.hidden_rolls)
    r.require(step, r.physical or not any(each.physical for each in rolls), _NOT_PHYSICAL)
    if not all(each.faces for each in rolls):
        return r.fault(step, "a hidden roll has no faces")
    left = [_moved(r, step, one, each) for each in one.hidden_rolls]
    rests, pools = [rest for _, rest in left], [*(pool for pool, _ in left[1:]), one.pool]
    fits = all(pool in (rest, None) or (added and pool > rest) for pool, rest in zip(pools, rests, strict=False))
    shown = one.last_faces == (rolls[-1].faces if rolls else ()) or (not rolls and bool(r.continued))
    r.require(step, fits and shown and one.pool <= MAX_POOL, "its hidden rolls do not lead to its pool")
    changes = r.hints[one.id] - (one.status is CountdownStatus.CANCELLED)
    told = added or one.stabilizable or one.id not in step.before.public.sealed or _is_told(changes, len(rolls))
    r.require(step, told, f"it changed {changes} times in secret, and shows {len(rolls)} rolls")
    r.require(step, (one.pool == 0) == (one.status is CountdownStatus.EXPIRED), "its pool does not fit its end")
    return r.require(step, one.rolled_turn <= step.before.turn, "its turn does not fit its rolls")


def _moved(r: Reader, step: Step, one: Countdown, roll: HiddenRoll) -> tuple[int | None, int]:
    """Return the pool before a hidden roll, or what else moved it, and after; None where any may have been before."""
    if roll.pool is not None:
        fits = roll.amended or (one.repeats is not None and list(roll.faces) in ([], [roll.pool]))
        r.require(step, fits, "it did not begin again with so many dice")
        return None if roll.amended else 0, roll.pool
    rolled = rules.roll(roll.speed or one.speed, roll.faces)
    r.require(step, roll.removed == rolled.removed, f"a hidden roll removed {rolled.removed}, not {roll.removed}")
    return len(roll.faces), rolled.remaining


def _is_told(changes: int, rolls: int) -> bool:
    """Tell whether the public heard of each roll; an amendment that was taken back is heard of twice, and is gone."""
    return changes >= rolls and (changes - rolls) % 2 == 0


def _check_character(r: Reader, step: Step, one: Character) -> None:
    """A hidden character was the gm's, and nothing that everyone sees happened to it."""
    owner = step.before.public.seats.get(one.owner or "")
    r.require(step, one.owner is None or (owner is not None and owner.role is Role.GM), "it is somebody else's")
    untouched = not (one.momentum or one.interference or one.bonuses or one.choices or one.crisis_due)
    r.require(step, untouched, "something of a public roll waits for it")


def _check_check(r: Reader, step: Step, check: Check) -> None:
    """Check the hidden rolls of a check, and what they came to; before the first its odds count all in."""
    for part in check.parts:
        if part.roll is not None:
            check_roll(r, step, part, part.roll, Spent())
            r.require(step, r.physical or not part.roll.physical, _NOT_PHYSICAL)
    if not any(part.roll for part in check.parts):
        r.same(step, check, check.model_copy(update={"odds": check_odds(step.before, check)}), "check.")
    if check.result is not None:
        opposing = side_result(check, Side.OPPOSING) if check.side(Side.OPPOSING) else None
        follows = {"acting": side_result(check, Side.ACTING), "opposing": opposing}
        r.same(step, check.result, check.result.model_copy(update=follows), "result.")


BEGINNINGS: Beginnings = {e.Revealed: revealed}
