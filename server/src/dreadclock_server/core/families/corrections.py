"""Undo of whole commands, and cancelling of open things. Source: rules.md E3."""

from typing import NamedTuple

from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import CancelKind, Channel, Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.families.corrections import may_affect_hidden
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.things import ClockKind, Scene
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.families import clocks, secrets
from dreadclock_server.core.find import topic_of_clock, topic_of_scene, topic_of_situation
from dreadclock_server.core.invariants import require
from dreadclock_server.core.rights import Rights, Who, only, owned
from dreadclock_server.core.undo import UNDO_KEPT, UndoEntry, UndoLog, place_of


class Logged(NamedTuple):
    """The undo log that the sender may see, and a command's index in it (`place`), or None if it is not in the log."""

    entries: UndoLog
    place: int | None


def _logged(draft: Draft, command: c.VoidCommand) -> Logged:
    entries = draft.room.undo_log_for(draft.by.channels)
    return Logged(entries, place_of(entries, command.channel, command.seq))


def _giver(_: Draft, logged: Logged) -> Id | None:
    """Return the seat that sent a command, or for which it was sent; None if the command is not in the log."""
    return None if logged.place is None else logged.entries[logged.place].giver


RIGHTS: Rights = {
    c.VoidCommand: owned(_logged, owner_of=_giver),
    c.Cancel: only(Who.GM),
}


ROOMS_OWN = {"turn": "the turn", "policy": "what the house rules are"}


def void_command(draft: Draft, command: c.VoidCommand, logged: Logged) -> None:
    """Decide `void_command`: restore what the command changed, and write an event to each channel of the command.

    Repeats the command's `sealed_changed` events, because sealed things (everyone sees only their names) change again.
    A sender who sees only the public channel undoes only the public changes. The hidden changes stay, and have no
    influence on whether the undo is allowed.
    """
    entry = _voidable(draft, command, logged)
    for channel, part in entry.told.items():
        if not part.only_hints:
            event = e.CommandVoided(
                first=part.first,
                last=part.last,
                what=part.what,
                reason=command.reason_in(channel),
                physical=part.physical,
                restored=part.before,
            )
            draft.emit(channel, event)
    for hint in entry.hints:
        draft.emit(Channel.PUBLIC, hint)
    require(draft, command.seq)


def _voidable(draft: Draft, command: c.VoidCommand, logged: Logged) -> UndoEntry:
    """Return the undo entry of the command, restricted to the sender's channels.

    Raises Refused if the command is not in the log or can never be undone, if only the gm may undo it, or if a later
    command changed the same things.
    """
    entries, place = logged
    if command.seq > draft.room.seq(command.channel):
        raise Refused(Code.UNKNOWN, kind="record", id=command.seq)
    if place is None:
        raise Refused(Code.LONG_AGO, limit=UNDO_KEPT, seq=command.seq)
    entry = entries[place]
    parts = entry.told.values()
    reason = entry.reason or (NoUndo.NOTHING if all(part.only_hints for part in parts) else None)
    if reason is not None:
        raise Refused(Code.CANNOT_BE_VOIDED, seq=command.seq, why=reason.value)
    if draft.by.role is not Role.GM and any(part.physical for part in parts):  # Source: rules.md E7
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    if Channel.GM not in draft.by.channels and any(may_affect_hidden(part.what, part.before) for part in parts):
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    for other in entries[place + 1 :]:
        if both := set(entry.touched).intersection(other.standing):
            raise Refused(Code.CHANGED_SINCE, seq=command.seq, id=_named(min(both)))
    return entry


def _named(touched: str) -> str:
    """Return the id of the thing in a key of `UndoEntry.touched`, or words if it is the turn or the house rules."""
    _, *family, name = touched.split("/")
    return name if family else ROOMS_OWN[name]


def cancel(draft: Draft, command: c.Cancel) -> None:
    """Decide `cancel`: remove a thing that was started by mistake. A sealed thing is revealed first."""
    kind, topic = _mistake(draft, command)
    if topic.visibility is Visibility.SEALED and topic.id == command.thing_id:
        secrets.end(draft, topic)
        topic = topic._replace(visibility=Visibility.PUBLIC)
    if kind is Kind.SCENE:
        _cancel_hidden_in(draft, draft.view.scenes[command.thing_id], command.reason)
    draft.tell(topic, e.Cancelled(kind=kind, id=command.thing_id, reason=command.reason))


def _cancel_hidden_in(draft: Draft, scene: Scene, reason: str) -> None:
    """Cancel the hidden situations of a public scene, because they end with the scene."""
    clocks.show_sealed_in(draft, scene)
    for situation in clocks.hidden_situations(draft, scene.id):
        draft.emit(Channel.GM, e.Cancelled(kind=Kind.SITUATION, id=situation.id, reason=reason))


def _mistake(draft: Draft, command: c.Cancel) -> tuple[CancelKind, Topic]:
    view, thing_id = draft.view, command.thing_id
    if thing_id in view.scenes:
        scene = find.open_scene(draft, thing_id, aside=True)
        return Kind.SCENE, topic_of_scene(draft.view, scene.id)
    if thing_id in view.situations:
        return Kind.SITUATION, _open_topic(draft, Kind.SITUATION, view.situations[thing_id].status, thing_id)
    if thing_id in view.challenges:
        return Kind.CHALLENGE, _open_topic(draft, Kind.CHALLENGE, view.challenges[thing_id].status, thing_id)
    clock = find.clock(draft, thing_id)
    if clock.kind is not ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    return Kind.CLOCK, topic_of_clock(draft.view, clock)


def _open_topic(draft: Draft, kind: Kind, status: str, thing_id: str) -> Topic:
    if status not in NOT_OVER:
        raise Refused(Code.ENDED, kind=kind, id=thing_id, status=status)
    situation_id = draft.view.challenges[thing_id].situation_id if kind is Kind.CHALLENGE else thing_id
    return topic_of_situation(draft.view, situation_id)
