"""What follows from totals and pushes, and the crises that they bring. Source: rules.md D1-D8."""

from dreadclock.following import challenges, characters
from dreadclock.following.telling import Telling, note
from dreadclock.following.ventures import action_over
from dreadclock.rules import total as rules
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.things import Character, Crisis, Push, Total, When
from dreadclock.wire.views import View


def succeed(t: Telling, total: Total) -> None:
    """End a total that reached its number, and take its point off the challenge it was an effort against."""
    t.emit(Channel.PUBLIC, e.TotalSucceeded(total_id=total.id))
    note(t, Kind.TOTAL, total.id, When.SUCCEEDED)
    action_over(t, total.character_id)
    challenges.roll_succeeds(t, total.effort, hidden=False)


def fail(t: Telling, total: Total, reason: e.TotalFailure) -> None:
    """End a total that does not reach its number."""
    t.emit(Channel.PUBLIC, e.TotalFailed(total_id=total.id, reason=reason))
    note(t, Kind.TOTAL, total.id, When.FAILED)
    action_over(t, total.character_id)


def luck_pushed(total: Total, push: Push) -> e.LuckPushed:
    """Return the event of a push: of several that were offered at once, the others still are. Source: rules.md D10."""
    left = total.until - 1 if push.enough is False and not push.crisis else 0
    odds = push_odds(push.kept, total.required) if left > 0 else None
    return e.LuckPushed(total_id=total.id, push=push, until=max(left, 0), odds=odds)


def pushed_too_far(t: Telling, total: Total) -> None:
    """Fail a total with the crisis that was at stake, or let the character wait for its kind. Source: rules.md D6."""
    fail(t, total, e.TotalFailure.CRISIS)
    note(t, Kind.TOTAL, total.id, When.CRISIS)
    if total.crisis is None:
        t.emit(Channel.PUBLIC, e.CrisisDue(character_id=total.character_id, total_id=total.id))
    else:
        suffer(t, t.view.characters[total.character_id], total.id, total.crisis, total.description)


def suffer(t: Telling, character: Character, total_id: Id, kind: CrisisKind, description: str | None) -> None:
    """Mark the next box of a kind; a character whose third is marked rolls no more, so there is no fourth. D7."""
    crisis = Crisis(total_id=total_id, kind=kind, box=character.boxes(kind) + 1, description=description)
    t.emit(Channel.PUBLIC, e.CrisisSuffered(character_id=character.id, crisis=crisis))
    suffered(t, character.id, crisis)


def suffered(t: Telling, character_id: Id, crisis: Crisis) -> None:
    """Take a character out of play whose third box of a kind was marked. Source: rules.md D7."""
    note(t, Kind.CHARACTER, character_id, When.CRISIS)
    fate = rules.fate(crisis.kind, crisis.box)
    if fate is not None:
        characters.lost(t, character_id, fate)


def forgotten_secrets(view: View) -> tuple[Id, ...]:
    """Return the totals whose secret numbers nobody needs any more. Source: rules.md D4."""
    return tuple(key for key in view.secrets if key not in view.totals or not view.totals[key].secret)
