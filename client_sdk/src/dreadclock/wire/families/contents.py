"""The tree of things: a scene has situations, a situation has challenges, and all of them have a clock."""

from dataclasses import dataclass

from dreadclock.wire.base import Id, Kind
from dreadclock.wire.families.base import Changes, ViewPart, dropped


@dataclass(frozen=True, slots=True)
class Contents:
    """The ids of a thing and of everything in it."""

    countdowns: frozenset[Id] = frozenset()
    clocks: frozenset[Id] = frozenset()
    scenes: frozenset[Id] = frozenset()
    situations: frozenset[Id] = frozenset()
    challenges: frozenset[Id] = frozenset()
    efforts: frozenset[Id] = frozenset()
    rolls: frozenset[Id] = frozenset()
    checks: frozenset[Id] = frozenset()
    characters: frozenset[Id] = frozenset()


FIELDS = tuple(Contents.__dataclass_fields__)


def contents_of(part: ViewPart, kind: Kind | str, thing_id: Id, *, shown: bool = False) -> Contents:
    """Return a thing and everything in it. `shown`: only what is revealed with it. Source: rules.md B20."""
    alone = frozenset((thing_id,))
    if kind == Kind.SCENE:
        within = [situation for situation in part.situations.values() if situation.scene_id == thing_id]
        inside = frozenset(situation.id for situation in within if not (shown and situation.kept_back))
        return _situated(part, scenes=alone, situations=inside)
    if kind == Kind.SITUATION:
        return _situated(part, situations=alone)
    if kind == Kind.CHALLENGE:
        return _challenged(part, scenes=frozenset(), situations=frozenset(), challenges=alone)
    if kind == Kind.COUNTDOWN:
        return Contents(countdowns=alone)
    if kind == Kind.CHECK:
        return Contents(checks=alone)
    if kind == Kind.CHARACTER:
        return Contents(characters=alone)
    return Contents(clocks=alone) if kind == Kind.CLOCK else Contents(rolls=alone)


def _situated(part: ViewPart, situations: frozenset[Id], scenes: frozenset[Id] = frozenset()) -> Contents:
    inside = frozenset(challenge.id for challenge in part.challenges.values() if challenge.situation_id in situations)
    return _challenged(part, scenes, situations, inside)


def _challenged(
    part: ViewPart, scenes: frozenset[Id], situations: frozenset[Id], challenges: frozenset[Id]
) -> Contents:
    owners = scenes | situations | challenges
    return Contents(
        scenes=scenes,
        situations=situations,
        challenges=challenges,
        clocks=frozenset(clock.id for clock in part.clocks.values() if clock.of in owners),
        efforts=frozenset(effort.id for effort in part.efforts.values() if effort.challenge_id in challenges),
    )


def without(contents: Contents) -> Changes:
    """Return the changes that remove a thing and everything in it from a channel's view."""
    return [change for field in FIELDS for change in dropped(field, getattr(contents, field))]
