"""A new room that goes on where another one stood."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dreadclock.following.telling import Root, root_of_check
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Name, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Carried, ClockKind, Origin
from dreadclock.wire.views import View
from dreadclock_server.core import secrets
from dreadclock_server.core.carrying import carried
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.people import begin_seat
from dreadclock_server.core.unfit import unfit


@dataclass(frozen=True, slots=True)
class Continue:
    """Open a room that goes on from another one. Not on the wire: `POST /api/rooms/import` does it.

    `view`: what the other room held when its channels stood at `origins`.
    """

    title: Name
    view: View
    origins: Mapping[Channel, Origin]
    note: None = None


def continue_room(draft: Draft, command: Continue) -> None:
    """Decide the first events of such a room: its seats, its secrets' new lanes, and what is carried over."""
    draft.emit(Channel.PUBLIC, e.RoomOpened(title=command.title, policy=command.view.policy))
    for seat in command.view.seats.values():
        begin_seat(draft, seat)
    if Channel.GM in command.origins:
        for root, rolled in _hidden(carried(command.view, Channel.GM, 0)):
            secrets.begin(draft, root, rolled=rolled)
    started = draft.room.seq(Channel.PUBLIC) + 1
    for channel in filter(command.origins.get, Channel):  # the public first, however they are given
        things = carried(command.view, channel, started)
        turn = command.view.channels[channel].turn
        draft.emit(channel, e.RoomContinued(origin=command.origins[channel], turn=turn, carried=things))
    _require_fit(draft.view)


def _require_fit(view: View) -> None:
    """Raise Refused(bad_request) if what is carried over is nothing that a room can hold."""
    for what in unfit(view):
        raise Refused(Code.BAD_REQUEST, problem=f"no room could have come to what the export holds: {what}")


def _hidden(things: Carried) -> Iterator[tuple[Root, bool]]:
    """Give what is hidden for itself, and whether it is rolled."""
    for countdown in things.countdowns:
        yield Root(Kind.COUNTDOWN, countdown.id, countdown.name, countdown.visibility), True
    for clock in things.clocks:
        if clock.kind is ClockKind.FREE:
            yield Root(Kind.CLOCK, clock.id, clock.name, clock.visibility), False
    for scene in things.scenes:
        yield Root(Kind.SCENE, scene.id, scene.name, scene.visibility), False
    inside = {scene.id for scene in things.scenes}
    for situation in things.situations:
        if situation.scene_id not in inside and situation.visibility is not Visibility.PUBLIC:
            yield Root(Kind.SITUATION, situation.id, situation.name, situation.visibility), False
    for check in things.checks:
        yield root_of_check(check), True
