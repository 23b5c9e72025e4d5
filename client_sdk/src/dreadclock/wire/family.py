"""What belongs together: a scene with its situations, a situation with its challenges, and their clocks."""

from dataclasses import dataclass

from dreadclock.wire.base import Id, Kind
from dreadclock.wire.things import Things
from dreadclock.wire.views import ChannelView

Changes = dict[str, object]  # fields of a ChannelView and their new values


@dataclass(frozen=True, slots=True)
class Family:
    """The ids of a thing and of all that is in it."""

    countdowns: frozenset[Id] = frozenset()
    clocks: frozenset[Id] = frozenset()
    scenes: frozenset[Id] = frozenset()
    situations: frozenset[Id] = frozenset()
    challenges: frozenset[Id] = frozenset()
    efforts: frozenset[Id] = frozenset()
    rolls: frozenset[Id] = frozenset()
    checks: frozenset[Id] = frozenset()


FIELDS = tuple(Family.__dataclass_fields__)


def family_of(part: ChannelView, kind: Kind | str, thing_id: Id) -> Family:
    """Find a thing and all that is in it."""
    one = frozenset((thing_id,))
    if kind == Kind.SCENE:
        inside = frozenset(each.id for each in part.situations.values() if each.scene_id == thing_id)
        return _situated(part, scenes=one, situations=inside)
    if kind == Kind.SITUATION:
        return _situated(part, situations=one)
    if kind == Kind.CHALLENGE:
        return _challenged(part, scenes=frozenset(), situations=frozenset(), challenges=one)
    if kind == Kind.COUNTDOWN:
        return Family(countdowns=one)
    if kind == Kind.CHECK:
        return Family(checks=one)
    return Family(clocks=one) if kind == Kind.CLOCK else Family(rolls=one)


def _situated(part: ChannelView, situations: frozenset[Id], scenes: frozenset[Id] = frozenset()) -> Family:
    inside = frozenset(each.id for each in part.challenges.values() if each.situation_id in situations)
    return _challenged(part, scenes, situations, inside)


def _challenged(
    part: ChannelView, scenes: frozenset[Id], situations: frozenset[Id], challenges: frozenset[Id]
) -> Family:
    owners = scenes | situations | challenges
    return Family(
        scenes=scenes,
        situations=situations,
        challenges=challenges,
        clocks=frozenset(each.id for each in part.clocks.values() if each.of in owners),
        efforts=frozenset(each.id for each in part.efforts.values() if each.challenge_id in challenges),
    )


def gather(part: ChannelView, family: Family) -> Things:
    """Collect the things of a family, in the order in which they were started."""
    chosen = {
        field: tuple(thing for key, thing in getattr(part, field).items() if key in getattr(family, field))
        for field in FIELDS
    }
    return Things(**chosen)


def without(part: ChannelView, family: Family) -> Changes:
    """Say what changes in a channel's view when a family leaves it."""
    return {
        field: {key: thing for key, thing in getattr(part, field).items() if key not in getattr(family, field)}
        for field in FIELDS
        if getattr(family, field)
    }
