"""Invariants of a room, and the limits on its things. An undo must keep them, too."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import attrgetter, is_
from typing import Any

from dreadclock.rules import limits
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.check_effects import keys_of
from dreadclock.wire.families.checks import check_odds, resolved, waiting
from dreadclock.wire.families.corrections import RESTORED_FIELDS
from dreadclock.wire.families.countdowns import is_waited_for, period_of
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.draft import Draft

_RUNS = (t.CountdownStatus.RUNNING, t.CountdownStatus.STABILIZED)
# Each row has a family, a function that tells which of its things count, their limit, and the words for the refusal.
LIMITS: tuple[tuple[str, Callable[[Any], bool], int, str], ...] = (
    ("countdowns", lambda countdown: not countdown.is_over, limits.MAX_COUNTDOWNS, "countdowns"),
    ("clocks", lambda clock: clock.kind is t.ClockKind.FREE and not clock.done, limits.MAX_FREE_CLOCKS, "clocks"),
    ("scenes", lambda scene: scene.status is t.SceneStatus.OPEN, limits.MAX_SCENES, "open scenes"),
    ("situations", lambda situation: not situation.is_over, limits.MAX_SITUATIONS, "situations"),
    ("characters", lambda who: who.status is t.CharacterStatus.IN_PLAY, limits.MAX_CHARACTERS, "characters in play"),
    ("characters", lambda who: who.status is t.CharacterStatus.LEFT, limits.MAX_LEFT, "characters who left"),
    ("efforts", lambda _: True, limits.MAX_EFFORTS, "efforts that wait for a ruling"),
    ("checks", lambda check: not resolved(check), limits.MAX_CHECKS, "checks that are not resolved"),
    ("totals", lambda total: not total.is_over, limits.MAX_TOTALS, "totals that are not over"),
    ("consequences", lambda _: True, limits.MAX_CONSEQUENCES, "consequences"),
)
_things = attrgetter("turn", *RESTORED_FIELDS)


def refuse_too_many(draft: Draft, family: str, visibility: Visibility = Visibility.PUBLIC) -> None:
    """Raise Refused if the limit of a family is reached.

    Things that only the gm sees are counted separately, so that a refusal does not reveal them to players.
    """
    counts, limit, what = next((counts, limit, what) for name, counts, limit, what in LIMITS if name == family)
    is_hidden = visibility is Visibility.GM
    held = [thing for thing in getattr(draft.view, family).values() if counts(thing)]
    if sum((getattr(thing, "visibility", None) is Visibility.GM) == is_hidden for thing in held) >= limit:
        raise Refused(Code.TOO_MANY, limit=limit, what=what)


def require(draft: Draft, seq: int) -> None:
    """Raise Refused if an undo causes a dangling reference, too many things, or outdated odds.

    Checks only what the sender sees. `seq`: the record whose command is being undone.
    """
    before, after = (_seen(view, draft.by.channels) for view in (draft.before.view, draft.view))
    if _has_same_things(before, after):
        return
    if adrift_after := list(adrift(after)):  # rarely true: check `before` only now
        adrift_before = set(adrift(before))
        for thing_id in adrift_after:
            if thing_id not in adrift_before:
                raise Refused(Code.CHANGED_SINCE, seq=seq, id=thing_id)
    if draft.form.keeps_odds and (outdated := _outdated(after)) and (outdated := outdated - _outdated(before)):
        raise Refused(Code.CHANGED_SINCE, seq=seq, id=min(outdated))
    for channel, part in after.channels.items():
        _require_room(before.channels[channel], part)


def _has_same_things(before: View, after: View) -> bool:
    """Return whether both views have the same things and turns. Compares by identity, because an event copies only the
    things that it changes.
    """
    parts = ((part, before.channels[channel]) for channel, part in after.channels.items())
    return all(all(map(is_, _things(part), _things(was))) for part, was in parts)


def _outdated(view: View) -> set[Id]:
    """Return the unrolled public checks whose stored odds differ from the odds of a roll now."""
    unrolled = [check for check in waiting(view) if check.status is not t.CheckStatus.ROLLING]
    return {check.id for check in unrolled if check.odds != check_odds(view, check)}


def _seen(view: View, channels: Collection[Channel]) -> View:
    return View.trusted(channels={channel: part for channel, part in view.channels.items() if channel in channels})


def adrift(view: View) -> Iterator[Id]:
    """Yield the ids of things that break an invariant, such as a reference to a thing that is gone."""
    yield from _of_scenes(view)
    yield from _of_characters(view)
    yield from _of_claims(view)
    yield from (countdown.id for countdown in view.countdowns.values() if _is_adrift(view, countdown))


def _is_adrift(view: View, countdown: t.Countdown) -> bool:
    """Tell whether a countdown breaks an invariant.

    Its last roll must not lie in a later turn or round than the current one. While it runs, its character and the
    scene or situation that it is bound to must exist.
    """
    if countdown.rolled_turn > view.turn:
        return True
    if countdown.status not in _RUNS:
        return False
    bound = countdown.bound_id is None or countdown.bound_id in view.situations or countdown.bound_id in view.scenes
    about = countdown.about is None or countdown.about in view.characters
    ahead = is_waited_for(view, countdown) and countdown.rolled_period > period_of(view, countdown) > 0
    return ahead or not (bound and about)


def overfull(view: View) -> Iterator[str]:
    """Yield the names of families that have more things than commands could have made.

    The limit of a family holds for public and sealed things (everyone sees their names) together, and again for hidden
    things. Both sorts may be in the same channel: sealed and hidden things in the gm's channel, and revealed things
    with others in the public channel. So a channel may hold twice the limit. Consequences may also reopen clocks that
    have ended, at most CLOCKS_KEPT.
    """
    for part in view.channels.values():
        for family, counts, limit, what in LIMITS:
            kept = limits.CLOCKS_KEPT if family == "clocks" else 0
            if sum(map(counts, getattr(part, family).values())) > 2 * (limit + kept):
                yield what
        inside = Counter(challenge.situation_id for challenge in part.challenges.values())
        if any(count > limits.MAX_CHALLENGES for count in inside.values()):
            yield "challenges"


def _of_scenes(view: View) -> Iterator[Id]:
    """Yield the ids of scenes and the things in them that lack something they need.

    A situation needs its scene, and the scene must be open as long as the situation is. A situation inside a race needs
    the race. A race that has begun needs the scene's threat clock. An open challenge needs a situation that is not
    over. An effort waits for the gm's ruling, and needs an open challenge. A scene, situation or challenge needs its
    clock, and the clock needs its owner.
    """
    # Each of these properties merges the channels, so read them once.
    scenes, situations, challenges, clocks = view.scenes, view.situations, view.challenges, view.clocks
    for situation in situations.values():
        scene = scenes.get(situation.scene_id)
        is_open = situation.status in NOT_OVER
        begun = situation.status not in (t.SituationStatus.PREPARED, t.SituationStatus.CLOSED)
        is_race = situation.kind is t.SituationKind.RACE and begun  # a closed race may never have begun
        if (
            scene is None
            or (is_open and scene.status is not t.SceneStatus.OPEN)
            or (is_race and scene.threat_id not in clocks)
            or (is_open and situation.within is not None and situation.within not in situations)
        ):
            yield situation.id
    for challenge in challenges.values():
        around = situations.get(challenge.situation_id)
        is_open = challenge.status is t.ChallengeStatus.OPEN
        if around is None or (is_open and around.status not in NOT_OVER):
            yield challenge.id
    for effort in view.efforts.values():
        against = challenges.get(effort.challenge_id)
        if against is None or against.status is not t.ChallengeStatus.OPEN:
            yield effort.id
    owners = {*scenes, *situations, *challenges}
    holders: Iterable[Any] = (*scenes.values(), *situations.values(), *challenges.values())
    yield from (holder.id for holder in holders if holder.clock_id not in clocks)
    yield from (clock.id for clock in clocks.values() if clock.of is not None and clock.of not in owners)


def _of_claims(view: View) -> Iterator[Id]:
    """Yield the ids of waiting checks that claim the dice of a venture which is missing or claimed twice.

    A successful venture gives a character dice for a later roll. Source: rules.md C19.
    """
    claims = [
        (check.id, part.character_id, key)
        for check in waiting(view)
        for part in check.parts
        for key in (part.claims or ())
        if part.roll is None
    ]
    times = Counter((character_id, key) for _, character_id, key in claims)
    for check_id, character_id, key in claims:
        character = view.characters.get(character_id)
        if character is None or key not in keys_of(character.bonuses) or times[character_id, key] > 1:
            yield check_id


def _of_characters(view: View) -> Iterator[Id]:
    """Yield the ids of things whose characters are missing, and of totals whose secret number is missing.

    A view drops the oldest characters that are out of play for good. Once it may have dropped some, a missing character
    is no error.
    """
    yield from (total.id for total in view.totals.values() if total.secret and total.id not in view.secrets)
    if sum(character.is_over for character in view.characters.values()) >= limits.CHARACTERS_KEPT:
        return
    for check in view.checks.values():
        named = {part.character_id for part in check.parts if part.name is None}
        named |= {part.venture.beneficiary for part in check.parts if part.venture and part.venture.beneficiary}
        if not named <= view.characters.keys():
            yield check.id
    for situation in view.situations.values():
        if situation.status is t.SituationStatus.OPEN and not {*(situation.party or ())} <= view.characters.keys():
            yield situation.id
    others: Iterable[Any] = (*view.totals.values(), *view.efforts.values(), *view.rolls.values())
    for other in others:
        if other.character_id is not None and other.character_id not in view.characters:
            yield other.id


def _require_room(before: ChannelView, after: ChannelView) -> None:
    for family, counts, limit, what in LIMITS:
        rows = getattr(after, family)
        if len(rows) <= limit:
            continue
        many = sum(map(counts, rows.values()))
        if many > limit and many > sum(map(counts, getattr(before, family).values())):
            raise Refused(Code.TOO_MANY, limit=limit, what=what)
    inside = Counter(challenge.situation_id for challenge in after.challenges.values())
    if any(inside[situation_id] > limits.MAX_CHALLENGES for situation_id in after.situations):
        raise Refused(Code.TOO_MANY, limit=limits.MAX_CHALLENGES, what="challenges in this situation")
