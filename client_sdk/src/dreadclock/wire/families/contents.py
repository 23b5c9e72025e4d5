"""What a thing contains: a scene has situations, a situation has challenges, and each of them has a clock."""

from collections.abc import Collection, Mapping

from dreadclock.wire.base import Id, Kind
from dreadclock.wire.families.folds import Changes, ViewPart, dropped

FIELDS = ("countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "rolls", "checks", "characters")
Contents = Mapping[str, Collection[Id]]  # the ids of a thing and of everything in it, by field of a view


def contents_of(part: ViewPart, kind: Kind | str, thing_id: Id, *, shown: bool = False) -> Contents:
    """Return the ids of a thing and of everything in it.

    `shown`: leave out situations that stay hidden when their scene is revealed. Source: rules.md B20.
    """
    if kind == Kind.SCENE:
        within = [situation for situation in part.situations.values() if situation.scene_id == thing_id]
        inside = {situation.id for situation in within if not (shown and situation.kept_back)}
        return _situated(part, situations=inside, scenes={thing_id})
    if kind == Kind.SITUATION:
        return _situated(part, situations={thing_id}, scenes=set())
    if kind == Kind.CHALLENGE:
        return _challenged(part, challenges={thing_id})
    return {f"{kind}s": {thing_id}}


def _situated(part: ViewPart, situations: set[Id], scenes: set[Id]) -> Contents:
    inside = {challenge.id for challenge in part.challenges.values() if challenge.situation_id in situations}
    return _challenged(part, challenges=inside, situations=situations, scenes=scenes)


def _challenged(part: ViewPart, **holders: set[Id]) -> Contents:
    owners = set[Id]().union(*holders.values())
    clocks = {clock.id for clock in part.clocks.values() if clock.of in owners}
    efforts = {effort.id for effort in part.efforts.values() if effort.challenge_id in holders["challenges"]}
    return {**holders, "clocks": clocks, "efforts": efforts}


def without(contents: Contents) -> Changes:
    """Return the changes that remove a thing and everything in it from a channel's view."""
    return [change for field in FIELDS for change in dropped(field, contents.get(field, ()))]
