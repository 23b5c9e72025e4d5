"""Corrections of a countdown under way. Source: rules.md A14."""

from dreadclock.following import countdowns as following
from dreadclock.following.telling import root_of_countdown
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.commands import AmendCountdown
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.countdown_changes import AMENDED
from dreadclock.wire.families.countdowns import ALIVE
from dreadclock.wire.things import Countdown
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.countdowns import require, require_fit


def amend_countdown(draft: Draft, command: AmendCountdown) -> None:
    """Decide `amend_countdown`; a pool set past a stage or to 0 falls there. Source: rules.md A14."""
    before = find.countdown(draft, command.countdown_id)
    require(before, *ALIVE)
    after = _amended(before, command)
    if after == before:
        raise Refused(Code.NOTHING_TO_CHANGE)
    if after.owner is not None:
        find.owning_seat(draft, after.owner)
    if after.pool and after.pool > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=0, dice=after.pool, limit=MAX_POOL)
    require_fit(draft, after, before)
    said = {name: getattr(after, name) for name in AMENDED}
    event = e.CountdownAmended(countdown_id=before.id, reason=command.reason, **said)
    draft.tell(root_of_countdown(before), event)
    amended = draft.view.countdowns[before.id].model_copy(update={"pool": before.pool})
    if after.pool < before.pool:
        following.fell(draft, amended, after.pool)
    else:
        following.rose(draft, amended, after.pool)


def _amended(before: Countdown, command: AmendCountdown) -> Countdown:
    """Return a countdown with what a command changes of it; another binding starts without one's id."""
    given = {name: getattr(command, name) for name in AMENDED if getattr(command, name) is not None}
    if "bound_to" in given:
        given.setdefault("bound_id", None)
    cleared: dict[str, None] = dict.fromkeys(command.clear)
    if "about" in cleared:
        cleared["fate"] = None
    return before.model_copy(update={**given, **cleared})


DECIDE: Deciders = {
    AmendCountdown: amend_countdown,
}
