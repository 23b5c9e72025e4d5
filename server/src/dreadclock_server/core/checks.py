"""Checks and who takes part in them: proposed, helped, opposed. Source: rules.md C."""

from dreadclock.following.odds import check_odds
from dreadclock.following.telling import channel_of, root_of_check
from dreadclock.rules.contest import Side
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.commands import (
    HelpCheck,
    JoiningCheck,
    OpposeCheck,
    ProposeCheck,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Check, CheckStatus
from dreadclock_server.core import efforts, find, secrets
from dreadclock_server.core.check_parts import make_part, not_begun
from dreadclock_server.core.draft import Draft

MAX_CHECKS = 64  # that are not resolved


def propose_check(draft: Draft, command: ProposeCheck) -> None:
    """Decide `propose_check`."""
    find.require_gm_for(draft, command.visibility)
    part = make_part(draft, command, Side.ACTING, command.visibility)
    _refuse_too_many(draft, command.visibility)
    effort = efforts.challenge_for(draft, command.effort, command.visibility)
    check = Check(
        id=draft.new_id(Kind.CHECK, command.id, known=command.visibility is not Visibility.GM),
        seat_id=draft.by.seat_id,
        purpose=command.purpose,
        parts=(part,),
        contest=command.contest,
        effort=effort,
        visibility=command.visibility,
        status=CheckStatus.PROPOSED if find.must_wait(draft) else CheckStatus.READY,
    )
    secrets.begin(draft, root_of_check(check), rolled=True)
    channel = channel_of(command.visibility)
    draft.emit(channel, e.CheckProposed(check=check.model_copy(update={"odds": check_odds(draft.view, check)})))


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    """Count what the public knows of and what it does not on their own: a cap may not tell of secrets."""
    waiting = [each.visibility for each in draft.view.checks.values() if each.status is not CheckStatus.RESOLVED]
    if sum((each is Visibility.GM) == (visibility is Visibility.GM) for each in waiting) >= MAX_CHECKS:
        raise Refused(Code.TOO_MANY, limit=MAX_CHECKS, what="checks that are not resolved")


def help_check(draft: Draft, command: HelpCheck) -> None:
    """Decide `help_check`."""
    check = not_begun(draft, command.check_id)
    if command.side is Side.OPPOSING and not check.side(Side.OPPOSING):
        raise Refused(Code.NOT_OPPOSED, id=check.id)
    _join(draft, check, command, command.side, e.HelpJoined)


def oppose_check(draft: Draft, command: OpposeCheck) -> None:
    """Decide `oppose_check`."""
    check = not_begun(draft, command.check_id)
    if check.side(Side.OPPOSING):
        raise Refused(Code.ALREADY_OPPOSED, id=check.id)
    _join(draft, check, command, Side.OPPOSING, e.OppositionJoined)


def _join(
    draft: Draft, check: Check, command: JoiningCheck, side: Side, event: type[e.HelpJoined | e.OppositionJoined]
) -> None:
    """Add a part; what a player adds waits for the gm as a proposal does."""
    if check.part_of(command.character_id) is not None:
        raise Refused(Code.ALREADY_IN_CHECK, id=command.character_id, check=check.id)
    part = make_part(draft, command, side, check.visibility)
    status = CheckStatus.PROPOSED if find.must_wait(draft) else check.status
    odds = check_odds(draft.view, check.model_copy(update={"parts": (*check.parts, part)}))
    draft.tell(root_of_check(check), event(check_id=check.id, part=part, status=status, odds=odds))
