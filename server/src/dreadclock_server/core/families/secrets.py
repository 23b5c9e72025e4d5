"""Sealed and hidden things: how they start, and how they come to light. Source: rules.md E4."""

from dreadclock.following.secrets import kind_of, show
from dreadclock.following.telling import Root
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Visibility
from dreadclock.wire.commands import Reveal
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.things import Lane, Sealed, SituationStatus, Total, TotalStatus
from dreadclock.wire.views import ChannelView
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    Reveal: only(Who.GM),
}


def begin_hidden(draft: Draft, root: Root, *, rolled: bool) -> None:
    """Announce a thing that is about to start, if it is sealed, and fix its dice, if it is `rolled`."""
    if root.visibility is Visibility.PUBLIC:
        return
    own = lane_of_thing(root.kind, root.id)
    lane = Lane(label=own, key=draft.dice.key(own, None)) if rolled else None
    if root.visibility is Visibility.SEALED:
        label, key = (lane.label, lane.key) if lane else (None, None)
        starter = draft.by.seat_id if lane else None
        stub = Sealed(kind=root.kind, id=root.id, name=root.name, seat_id=starter, lane=label, key=key)
        draft.emit(Channel.PUBLIC, e.SealedStarted(thing=stub))
    if lane is not None:
        draft.emit(Channel.GM, e.LaneOpened(lane=lane))


def reveal(draft: Draft, command: Reveal) -> None:
    """Decide `reveal`."""
    hidden, public = draft.part(Channel.GM), draft.part(Channel.PUBLIC)
    kind = kind_of(hidden, command.thing_id)
    if kind is not None:
        _require_begun(hidden, command.thing_id)
        return show(draft, kind, command.thing_id)
    total = public.totals.get(command.thing_id)
    if total is not None and total.secret:
        return _show_required(draft, total)
    if total is not None or kind_of(public, command.thing_id) is not None:
        raise Refused(Code.NOT_HIDDEN, id=command.thing_id)
    raise Refused(Code.UNKNOWN, kind="hidden thing", id=command.thing_id)


def _require_begun(hidden: ChannelView, thing_id: Id) -> None:
    situation = hidden.situations.get(thing_id)
    if situation is not None and situation.status is SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=thing_id)


def _show_required(draft: Draft, total: Total) -> None:
    """Show everyone the number required of a total. Source: rules.md D4."""
    secret = draft.part(Channel.GM).secrets[total.id]
    on_offer = total.status is TotalStatus.OFFERED
    event = e.RequiredRevealed(
        total_id=total.id,
        required=secret.required,
        odds=secret.odds,
        push_odds=push_odds(total.kept, secret.required) if on_offer else None,
    )
    draft.emit(Channel.PUBLIC, event)


DECIDE: Deciders = {
    Reveal: reveal,
}
