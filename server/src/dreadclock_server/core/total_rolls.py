"""The number required of a total, its roll, and its success. Source: rules.md D1 and D4."""

from dreadclock.following import challenges
from dreadclock.following.odds import total_odds
from dreadclock.following.telling import Root
from dreadclock.following.totals import succeed
from dreadclock.rules import total as rules
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Visibility
from dreadclock.wire.commands import RollTotal, SetRequired
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.totals import over
from dreadclock.wire.things import Total, TotalStatus
from dreadclock_server.core import find
from dreadclock_server.core.bargains import settle_choices
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.rolls import throw
from dreadclock_server.core.totals import keep_secret


def root_of(total: Total) -> Root:
    """Return the root for a total's dice: those of a roll that everyone sees."""
    return Root(Kind.ROLL, total.id, total.purpose or "A total", Visibility.PUBLIC)


def required_of(draft: Draft, total: Total) -> int | None:
    """Return the number required of a total, be it secret; None if there is none yet."""
    return draft.view.secrets[total.id].required if total.secret else total.required


def refuse_over(total: Total) -> None:
    """Raise Refused if a total is over."""
    if over(total):
        raise Refused(Code.ENDED, kind=Kind.TOTAL, id=total.id, status=total.status)


def set_required(draft: Draft, command: SetRequired) -> None:
    """Decide `set_required`; a total that was rolled before is judged by it at once. Source: rules.md D6."""
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.enough is not None:
        raise Refused(Code.REQUIRED_STANDS, id=total.id)
    rolled = total.status is TotalStatus.ROLLED
    known = None if command.secret else command.required
    event = e.RequiredSet(
        total_id=total.id,
        required=known,
        secret=command.secret,
        crisis=command.crisis or total.crisis,
        status=TotalStatus.ROLLED if rolled else TotalStatus.READY,
        enough=rules.enough(total.total, command.required) if rolled else None,
        odds=total_odds(total.pool, known),
    )
    draft.emit(Channel.PUBLIC, event)
    if command.secret:
        keep_secret(draft, draft.view.totals[total.id], command.required)
    if event.enough:
        succeed(draft, total)


def roll_total(draft: Draft, command: RollTotal) -> None:
    """Decide `roll_total`: an effort ticks the threat before its result is known. Source: rules.md B1 and B13."""
    total = find.total(draft, command.total_id)
    if total.status is TotalStatus.PROPOSED:
        raise Refused(Code.NOT_APPROVED, kind=Kind.TOTAL, id=total.id)
    if total.status is not TotalStatus.READY:
        raise Refused(Code.ROLL_STANDS, kind=Kind.TOTAL, id=total.id)
    find.able_character(draft, total.character_id)
    settle_choices(draft, total.character_id)
    challenges.roll_begins(draft, total.effort, hidden=False)
    faces, proof = throw(draft, total.pool, command, root_of(total))
    kept, required = rules.keep(faces), required_of(draft, total)
    event = e.TotalRolled(
        total_id=total.id,
        faces=faces,
        kept=kept,
        total=rules.total(kept),
        enough=None if required is None else rules.enough(rules.total(kept), required),
        physical=proof is None,
        proof=proof,
    )
    draft.emit(Channel.PUBLIC, event)
    if event.enough:
        succeed(draft, total)
