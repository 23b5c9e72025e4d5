"""Decide commands: check a command against the rules, and return its records. Only commands change a room."""

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from dreadclock.rules.limits import EDITION
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Event
from dreadclock_server.core import access
from dreadclock_server.core.draft import Actor, Dice, Draft
from dreadclock_server.core.effects import apply_effects
from dreadclock_server.core.families import deciders
from dreadclock_server.core.families.continuing import Continue, continue_room
from dreadclock_server.core.families.room import JoinSeat, Open, join_seat, open_room
from dreadclock_server.core.forms import NEWEST, Form
from dreadclock_server.core.rolling import take_token
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.texts import text_limit_passed

InternalCommand = Open | Continue | JoinSeat  # made by REST calls; websockets cannot send them

_DECIDERS: dict[type, Callable[..., None]] = {
    Open: open_room,
    JoinSeat: join_seat,
    Continue: continue_room,
    **deciders(),
}
# Sets for lookups by a command's exact type: isinstance with these types takes 0.1 to 0.4 us per call.
_INTERNAL = frozenset(get_args(InternalCommand))
_OPENING = frozenset((Open, Continue))
_ROLLING = frozenset(command for command in _DECIDERS if issubclass(command, c.RollingCommand))


class Decision(NamedTuple):
    """The result of a command: the room after it, and its records in order."""

    room: Room
    written: list[Written]

    @property
    def events(self) -> list[Event]:
        """The events, in order, of all channels."""
        return [entry.event for entry in self.written]


def decide(
    room: Room,
    command: c.Command | InternalCommand,
    *,
    by: Actor,
    dice: Dice,
    now_ms: int,
    fresh: Callable[[], str],
    tells_skipped: bool = True,
    form: Form = NEWEST,
    new_draft: Callable[..., Draft] = Draft,
) -> Decision:
    """Check a command against the rules, and return the room after it and its records.

    Without records, nothing has changed.

    `fresh` returns 12 random hex digits, for the ids of hidden things. Numbered ids would reveal how many there are.
    `tells_skipped`: whether the gm's channel gets an event if an effect of a public consequence cannot happen. (A
    consequence attaches effects to a trigger.) `form`: the behaviour of a server version; only the verifier uses
    older forms. `new_draft`: makes the draft that collects the events. Raises Refused if the command is not allowed.
    """
    public, kind = room.view.public, type(command)
    wished: Any = command  # typed as Any, because mypy does not narrow it by `kind`
    target: tuple[Any, ...] = ()
    if kind in _INTERNAL:
        draft = new_draft(room, by, by, dice, now_ms, fresh, form=form)
    else:
        if by.seat_id not in public.seats:
            raise Refused(Code.NOT_ALLOWED, allowed="those at the table")
        actor = access.acting(room, by, wished)
        draft = new_draft(room, by, actor, dice, now_ms, fresh, tells_skipped=tells_skipped, form=form)
        target = access.check(draft, wished)
    if public.closed and kind is not c.ReopenRoom:
        raise Refused(Code.ROOM_CLOSED)
    if kind in _ROLLING and wished.dice is not None:
        take_token(draft, wished)
    if kind not in _OPENING and public.edition < EDITION:  # the room was played with an earlier edition of the rules
        draft.emit(Channel.PUBLIC, e.EditionChanged(edition=EDITION))
    _DECIDERS[kind](draft, command, *target)
    _refuse_too_much_text(draft, command)
    if draft.moments:
        apply_effects(draft)
    if draft.is_empty and command.note is None:
        return Decision(room, [])
    written = draft.finish(command)
    return Decision(draft.room.end(written, keeps_undo=draft.keeps_undo), written)


def _refuse_too_much_text(draft: Draft, command: c.Command | InternalCommand) -> None:
    """Raise Refused if the command adds text beyond a seat's limit. Source: rules.md E2.

    Never refuses a roll. Otherwise, the sender could learn about the drawn faces and then use them for another roll.
    """
    if draft.maker is None or type(command) in _ROLLING:
        return
    most = text_limit_passed(draft.before.view.public, draft.view.public)
    if most is not None:
        raise Refused(Code.TOO_MANY, limit=most // 1024, what="KiB of text in what one seat made")
