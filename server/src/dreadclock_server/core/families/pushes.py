"""Pushing luck: offered by the gm, taken or declined by the player. Source: rules.md D3-D5."""

from dreadclock.following.totals import fail, luck_pushed, pushed_too_far, succeed
from dreadclock.rules import total as rules
from dreadclock.rules.total import CrisisKind, Pushed
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.commands import OfferPush, PushLuck, StopPushing
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.things import Push, Total, TotalStatus
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.check_effects import settle_choices
from dreadclock_server.core.families.totals import refuse_over, required_of, root_of
from dreadclock_server.core.throwing import throw


def offer_push(draft: Draft, command: OfferPush) -> None:
    """Decide `offer_push`; what is at stake stays as it was said, unless said anew. Source: rules.md D4 and D10."""
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.status is TotalStatus.OFFERED:
        raise Refused(Code.OFFER_STANDS, id=total.id)
    if total.enough is not False:
        raise Refused(Code.NOT_MISSED, id=total.id)
    find.able_character(draft, total.character_id)
    crisis = command.crisis or total.crisis
    description = command.description or _still_fitting(total, crisis)
    if command.until > 1 and required_of(draft, total) is None:
        raise Refused(Code.NUMBER_NEEDED, id=total.id)
    offered = e.PushOffered(
        total_id=total.id,
        crisis=crisis,
        description=description,
        odds=push_odds(total.kept, total.required),
        until=command.until,
    )
    draft.emit(Channel.PUBLIC, offered)


def _still_fitting(total: Total, crisis: CrisisKind | None) -> str | None:
    """Return the description of an earlier offer, which says nothing of a crisis of another kind."""
    return total.description if total.crisis is crisis else None


def push_luck(draft: Draft, command: PushLuck) -> None:
    """Decide `push_luck`: a number that is kept already is a crisis. Source: rules.md D3 and D5."""
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.status is not TotalStatus.OFFERED:
        raise Refused(Code.NO_OFFER, id=total.id)
    find.able_character(draft, total.character_id)
    find.require_under_way(draft, total.effort)
    settle_choices(draft, total.character_id)
    push = _throw(draft, total, command)
    draft.emit(Channel.PUBLIC, luck_pushed(total, push))
    if push.crisis:
        pushed_too_far(draft, total)
    elif push.enough:
        succeed(draft, total)


def _throw(draft: Draft, total: Total, command: PushLuck) -> Push:
    faces, proof = throw(draft, 1, command, root_of(total))
    pushed = rules.push(total.kept, faces[0])
    required = required_of(draft, total)
    return Push(
        face=pushed.face,
        kept=pushed.kept,
        total=pushed.total,
        enough=_enough(pushed, required),
        crisis=pushed.crisis,
        physical=proof is None,
        proof=proof,
    )


def _enough(pushed: Pushed, required: int | None) -> bool | None:
    """Tell whether a push made a total enough; where no number is required the gm says so, unless it is a crisis."""
    if required is None:
        return False if pushed.crisis else None
    return rules.enough(pushed.total, required)


def stop_pushing(draft: Draft, command: StopPushing) -> None:
    """Decide `stop_pushing`; the gm may leave a total without a number at that too."""
    total = find.total(draft, command.total_id)
    refuse_over(total)
    rolled = total.status in (TotalStatus.ROLLED, TotalStatus.OFFERED)
    if not rolled or (total.enough is None and draft.by.role is not Role.GM):
        raise Refused(Code.NOT_MISSED, id=total.id)
    fail(draft, total, e.TotalFailure.STOPPED)


DECIDE: Deciders = {
    OfferPush: offer_push,
    PushLuck: push_luck,
    StopPushing: stop_pushing,
}
