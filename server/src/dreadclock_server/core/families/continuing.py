"""Open a new room that continues an exported room, with all its characters, and all other things that are not over."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dreadclock.rules.limits import EDITION
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Name, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.consequences import is_over
from dreadclock.wire.families.countdowns import is_waited_for
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.effects import FIELDS_OF
from dreadclock_server.core.families.room import begin_seat
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import topic_of_check
from dreadclock_server.core.import_checks import unfit


class Continue(NamedTuple):
    """Open a room that continues another room. `POST /api/rooms/import` sends it; websockets cannot.

    `view`: the other room's view. `origins`: the record of each channel at which the view was made.
    """

    title: Name
    view: View
    origins: Mapping[Channel, t.Origin]
    note: None = None


def continue_room(draft: Draft, command: Continue) -> None:
    """Decide `Continue`: open the new room with the seats and the things of the other room, and new lanes for dice.

    Raises Refused if no room could have these things.
    """
    draft.emit(Channel.PUBLIC, e.RoomOpened(title=command.title, policy=command.view.policy, edition=EDITION))
    for seat in command.view.seats.values():
        begin_seat(draft, seat.model_copy(update={"lent_to": None}))
    if Channel.GM in command.origins:
        for topic, rolled in _hidden(carried(command.view, Channel.GM, 0)):
            begin_hidden(draft, topic, rolled=rolled)
    started = draft.room.seq(Channel.PUBLIC) + 1
    for channel in filter(command.origins.get, Channel):  # the public channel first
        things = carried(command.view, channel, started)
        turn = command.view.channels[channel].turn
        draft.emit(channel, e.RoomContinued(origin=command.origins[channel], turn=turn, carried=things))
    _require_fit(draft.view, is_whole=draft.has_hidden_things)


def _require_fit(view: View, *, is_whole: bool) -> None:
    """Raise Refused(bad_request) if the things to carry over contradict each other."""
    for what in unfit(view, is_whole=is_whole):
        raise Refused(Code.BAD_REQUEST, problem=f"no room could have come to what the export holds: {what}")


def _hidden(things: t.Carried) -> Iterator[tuple[Topic, bool]]:
    """Yield the hidden things outside of other hidden things, and whether each needs a lane for dice."""
    for countdown in things.countdowns:
        yield Topic(Kind.COUNTDOWN, countdown.id, countdown.name, countdown.visibility), True
    for clock in things.clocks:
        if clock.kind is t.ClockKind.FREE:
            yield Topic(Kind.CLOCK, clock.id, clock.name, clock.visibility), False
    for scene in things.scenes:
        yield Topic(Kind.SCENE, scene.id, scene.name, scene.visibility), False
    inside = {scene.id for scene in things.scenes}
    for situation in things.situations:
        if situation.scene_id not in inside and situation.visibility is not Visibility.PUBLIC:
            yield Topic(Kind.SITUATION, situation.id, situation.name, situation.visibility), False
    for check in things.checks:
        yield topic_of_check(check), True


_BARGAINED = (t.CostStage.PROPOSED, t.CostStage.ACCEPTED, t.CostStage.COUNTERED)
_OF_THE_LEDGER = ("lane/", "token")  # prefixes of the counters of lanes and tokens, which start at 0 again


def carried(view: View, channel: Channel, started: int) -> t.Carried:
    """Return the things of a channel that the new room takes over.

    `started`: the seq of the new room's public `room_continued`, at which the new room's countdowns start.
    """
    part = view.channels[channel]
    scenery, totals = _of_scenes(view, part), _open_totals(view)
    return t.Carried(
        countdowns=tuple(
            _restarted(view, countdown, started) for countdown in part.countdowns.values() if not countdown.is_over
        ),
        checks=tuple(_check(check) for check in part.checks.values() if _goes_on(check)),
        characters=tuple(part.characters.values()),
        totals=tuple(_total(view, total) for total in part.totals.values() if total.id in totals),
        secrets=tuple(secret for secret in part.secrets.values() if secret.total_id in totals),
        consequences=tuple(_of_consequences(view, part)),
        made={kind: count for kind, count in part.made.items() if not kind.startswith(_OF_THE_LEDGER)},
        taken=part.taken,
        **{field: getattr(scenery, field) for field in scenery.model_fields_set},
    )


def _of_consequences(view: View, part: ChannelView) -> Iterator[t.Consequence]:
    """Yield the consequences of things that the new room takes over, unless the things have ended.

    Leaves out effects on things that the new room does not take over.
    """
    scenery = [_of_scenes(view, channel) for channel in view.channels.values()]
    kept: dict[str, set[Id]] = {
        "countdowns": {countdown.id for countdown in view.countdowns.values() if not countdown.is_over},
        "checks": {check.id for check in view.checks.values() if _goes_on(check)},
        "characters": set(view.characters),
        "totals": _open_totals(view),
    }
    for field in ("scenes", "situations", "challenges", "clocks"):
        kept[field] = {thing.id for things in scenery for thing in getattr(things, field)}
    for consequence in part.consequences.values():
        do = tuple(effect for effect in consequence.do if _keeps_thing(effect, kept))
        if do and consequence.of.id in kept[f"{consequence.of.kind}s"] and not is_over(view, consequence.of):
            yield consequence.model_copy(update={"do": do})


def _keeps_thing(effect: t.Effect, kept: dict[str, set[Id]]) -> bool:
    """Tell whether an effect's target is carried over. True for an effect without a target."""
    families = FIELDS_OF.get(effect.does, ())
    return not families or any(effect.thing_id in kept[family] for family in families)


def _of_scenes(view: View, part: ChannelView) -> t.Things:
    """Return a channel's part of the open scenes and of everything in them, and its free-standing clocks."""
    scenes = {scene.id for scene in view.scenes.values() if scene.status is t.SceneStatus.OPEN}
    situations = {situation.id for situation in view.situations.values() if situation.scene_id in scenes}
    challenges = {challenge.id for challenge in view.challenges.values() if challenge.situation_id in situations}
    owners = scenes | situations | challenges
    return t.Things(
        scenes=tuple(scene for scene in part.scenes.values() if scene.id in scenes),
        situations=tuple(situation for situation in part.situations.values() if situation.id in situations),
        challenges=tuple(challenge for challenge in part.challenges.values() if challenge.id in challenges),
        clocks=tuple(clock for clock in part.clocks.values() if clock.kind is t.ClockKind.FREE or clock.of in owners),
        efforts=tuple(effort for effort in part.efforts.values() if effort.challenge_id in challenges),
    )


def _restarted(view: View, countdown: t.Countdown, started: int) -> t.Countdown:
    """Return a countdown for the new room, without its rolls and without references to things that stay behind."""
    changes: dict[str, object] = {"started": started, "hidden_rolls": ()}
    if countdown.about not in view.characters:
        changes |= {"about": None, "fate": None}
    if countdown.bound_id is not None and not is_waited_for(view, countdown):
        changes |= {"bound_to": t.BoundTo.NOTHING, "bound_id": None}
    return countdown.model_copy(update=changes)


def _goes_on(check: t.Check) -> bool:
    """Tell whether a check is carried over: it is not resolved, or its leader still bargains over a failure.

    A hidden check with rolled dice is not carried over, because its rolls could not be proven in the new room.
    """
    if check.visibility is not Visibility.PUBLIC and any(part.roll for part in check.parts):
        return False
    return check.status is not t.CheckStatus.RESOLVED or (check.cost is not None and check.cost.stage in _BARGAINED)


def _check(check: t.Check) -> t.Check:
    result = check.result and check.result.model_copy(update={"proof": None})
    return check.model_copy(update={"parts": tuple(map(_part, check.parts)), "result": result})


def _part(part: t.Part) -> t.Part:
    return part.model_copy(update={"roll": part.roll and part.roll.model_copy(update={"proof": None})})


def _open_totals(view: View) -> set[Id]:
    """Return the ids of the totals that are carried over: open totals, and totals whose crisis is not named yet."""
    due = {character.crisis_due for character in view.characters.values()}
    return {total.id for total in view.totals.values() if not total.is_over or total.id in due}


def _total(view: View, total: t.Total) -> t.Total:
    pushes = tuple(push.model_copy(update={"proof": None}) for push in total.pushes)
    bare = total.model_copy(update={"proof": None, "pushes": pushes})
    return _unnumbered(bare) if total.secret and total.id not in view.secrets else bare


def _unnumbered(total: t.Total) -> t.Total:
    """Return a total whose secret number is missing in the export, as if no number had been set.

    The gm must set the number again. If the gm has offered a push (one more die), the offer is withdrawn.
    """
    changes: dict[str, object] = {"secret": False}
    if not total.is_over:
        changes |= {"enough": None, "push_odds": None}
    if total.status is t.TotalStatus.OFFERED:
        changes["status"] = t.TotalStatus.ROLLED
    return total.model_copy(update=changes)
