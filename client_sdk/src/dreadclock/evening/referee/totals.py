"""Totals, pushes and crises: what begins with each. Source: rules.md D1-D8."""

from __future__ import annotations

from typing import Any

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_able, check_id, check_made, must_wait
from dreadclock.following.telling import note
from dreadclock.following.totals import forgotten_secrets, succeed
from dreadclock.following.ventures import action_over
from dreadclock.rules import total as rules
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Scope
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.families.totals import over, total_odds
from dreadclock.wire.things import ChallengeStatus, SecretRequired, Specials, Total, TotalStatus, When

PUBLIC = Channel.PUBLIC
_BEFORE = (TotalStatus.PROPOSED, TotalStatus.READY)
_SAID = ("id", "character_id", "purpose", "score", "attribute", "tool", "special", "more_specials", "effort", "made_by")


def proposed(r: Reader, step: Step, event: e.TotalProposed) -> None:
    """A total is proposed, with its odds."""
    one = event.total
    character = check_able(r, step, one.character_id)
    r.allow(step, character.owner if character else None, scopes=(Scope.ROLLS,))
    check_id(r, step, Kind.TOTAL, one.id, known=True)
    check_made(r, step, one.made_by)
    if one.effort is not None:
        challenge = step.before.public.challenges.get(one.effort)
        open_to_it = challenge is not None and challenge.status is ChallengeStatus.OPEN
        r.require(step, open_to_it, "the challenge that it is an effort against is not open to it")
    _check_pool(r, step, one)
    said: dict[str, Any] = {name: getattr(one, name) for name in _SAID}
    status = TotalStatus.PROPOSED if must_wait(r, step) else TotalStatus.READY
    follows = Total(**said, seat_id=r.actor(step), status=status, pool=one.pool, odds=total_odds(one.pool))
    r.same(step, one, follows, "total.")


def _check_pool(r: Reader, step: Step, one: Total) -> None:
    """Check a pool's sum, and that what is named is on the sheet. Source: rules.md D2."""
    try:
        specials = [each.dice for each in ((one.special,) if one.special else ()) + one.more_specials]
        pool = rules.pool(one.score, one.tool.quality if one.tool else 0, *specials)
    except ValueError as error:
        return r.fault(step, str(error).rstrip("."))
    character = step.before.characters.get(one.character_id)
    if character is not None:
        before = step.before.totals.get(one.id)
        named = one.attribute is None or character.attributes.get(one.attribute) == one.score
        kept = before is not None and (before.attribute, before.score) == (one.attribute, one.score)
        r.require(step, named or kept, "its score is not that of its attribute")
        special = one.special is None or one.special in character.specials
        r.require(step, special or (before is not None and before.special == one.special), "it has no such attribute")
        more = before.more_specials if before is not None else ()
        listed = all(each in character.specials or each in more for each in one.more_specials)
        r.require(step, listed, "it has no such attribute")
    names = [each.name for each in ((one.special,) if one.special else ()) + one.more_specials]
    kept_more = step.before.totals.get(one.id)
    allowed = step.before.policy.specials is Specials.SEVERAL or (
        kept_more is not None and set(one.more_specials) <= set(kept_more.more_specials)
    )
    fits = not one.more_specials or (allowed and one.special is not None and len(set(names)) == len(names))
    r.require(step, fits, "the room lets one special attribute add dice")
    return r.require(step, one.pool == pool, f"its pool is {one.pool} where {pool} follows")


def _one(r: Reader, step: Step, total_id: Id) -> Total | None:
    one = step.before.totals.get(total_id)
    if one is None:
        r.fault(step, f"there is no total {total_id}")
    return one


def adjusted(r: Reader, step: Step, event: e.TotalAdjusted) -> None:
    """The gm changes or approves a total; odds that a secret number feeds are hers alone."""
    r.allow(step)
    after, before = event.total, _one(r, step, event.total.id)
    if before is None:
        return
    r.require(step, before.status in _BEFORE and after.status in _BEFORE, "its roll stands")
    _check_pool(r, step, after)
    free = ("score", "attribute", "tool", "special", "more_specials", "status", "pool")
    follows = {name: getattr(after, name) for name in free} | {"odds": total_odds(after.pool, after.required)}
    r.same(step, after, before.model_copy(update=follows), "total.")
    r.require(step, after != before, "it changes nothing")
    if after.secret and after.pool != before.pool and after.id in r.hidden.secrets:
        _keep_secret(r, after, r.hidden.secrets[after.id].required)


def _keep_secret(r: Reader, total: Total, required: int | None) -> None:
    """The gm's channel holds a secret number, with the odds that it makes; `required` is None if it is new."""
    step = r.take(Channel.GM, e.SecretSet)
    if step is None or not isinstance(step.record.event, e.SecretSet):
        return
    number = required or step.record.event.secret.required
    secret = SecretRequired(total_id=total.id, required=number, odds=total_odds(total.pool, number))
    r.same(step, step.record.event, e.SecretSet(secret=secret, forgotten=forgotten_secrets(step.before)))


def withdrawn(r: Reader, step: Step, event: e.TotalWithdrawn) -> None:
    """A total is taken back before it is rolled."""
    one = _one(r, step, event.total_id)
    if one is not None:
        r.allow(step, *_owners(step, one), scopes=(Scope.ROLLS,))
        r.require(step, one.status in _BEFORE, "its roll stands")


def _owners(step: Step, total: Total) -> tuple[Id | None, ...]:
    character = step.before.characters.get(total.character_id)
    return (character.owner,) if character else ()


def required_set(r: Reader, step: Step, event: e.RequiredSet) -> None:
    """The gm names a number; a total that was rolled before is judged by it at once. Source: rules.md D6."""
    r.allow(step)
    one = _one(r, step, event.total_id)
    if one is None:
        return
    r.require(step, one.status in (*_BEFORE, TotalStatus.ROLLED) and one.enough is None, "a number stands already")
    rolled = one.status is TotalStatus.ROLLED
    follows = {
        "crisis": event.crisis or one.crisis,
        "status": TotalStatus.ROLLED if rolled else TotalStatus.READY,
        "odds": total_odds(one.pool, event.required),
    }
    r.same(step, event, event.model_copy(update=follows))
    r.require(step, event.secret == (event.required is None), "a number is open or secret")
    if event.secret:
        _keep_secret(r, r.view.totals[one.id], None)
    judge_enough(r, step, one.id, event.enough, one.total if rolled else None)
    if event.enough:
        succeed(r, one)


def judge_enough(r: Reader, step: Step, total_id: Id, said: bool | None, total: int | None) -> None:
    """Check how a total compares with the number required of it, as far as that is known."""
    one = r.view.totals[total_id]
    required = r.hidden.secrets[total_id].required if one.secret and total_id in r.hidden.secrets else one.required
    if total is None:
        return r.require(step, said is None, "it is not rolled, and cannot be enough")
    if required is None:
        return r.require(step, (said is not None) == one.secret, "whether it is enough does not follow")
    return r.require(step, said is rules.enough(total, required), f"{total} where {required} is required")


def judged(r: Reader, step: Step, event: e.TotalJudged) -> None:
    """The gm judges a total that was rolled, and of which no number is required. Source: rules.md D10."""
    r.allow(step)
    one = _one(r, step, event.total_id)
    if one is None:
        return
    r.require(step, one.status is TotalStatus.ROLLED and one.enough is None, "it is not hers to judge")
    if event.enough:
        succeed(r, one)


def required_revealed(r: Reader, step: Step, event: e.RequiredRevealed) -> None:
    """The gm shows a secret number: what was said of the total must have followed from it. Source: rules.md D4."""
    r.allow(step)
    one = _one(r, step, event.total_id)
    if one is None:
        return
    r.require(step, one.secret, "its number is no secret")
    known = step.before.secrets.get(one.id)
    number = known.required if known else event.required
    offered = one.status is TotalStatus.OFFERED
    follows = {
        "required": number,
        "odds": total_odds(one.pool, number),
        "push_odds": push_odds(one.kept, number) if offered else None,
    }
    r.same(step, event, event.model_copy(update=follows))
    fits = one.enough is None or one.enough == rules.enough(one.total, event.required)
    pushes = all(push.enough in (None, rules.enough(push.total, event.required)) for push in one.pushes)
    r.require(step, fits and pushes, "what was said of the total does not follow from this number")


def push_offered(r: Reader, step: Step, event: e.PushOffered) -> None:
    """The gm offers a push of a total that missed. Source: rules.md D4."""
    r.allow(step)
    one = _one(r, step, event.total_id)
    if one is None:
        return
    r.require(step, one.status is TotalStatus.ROLLED and one.enough is False, "it did not miss")
    check_able(r, step, one.character_id)
    crisis = event.crisis or one.crisis
    kept = one.description if one.crisis is crisis else None
    follows = {"crisis": crisis, "description": event.description or kept, "odds": push_odds(one.kept, one.required)}
    numbered = one.required is not None or one.secret
    r.require(step, event.until == 1 or numbered, "without a number each push is offered anew")
    r.same(step, event, event.model_copy(update=follows))


def failed(r: Reader, step: Step, event: e.TotalFailed) -> None:
    """A total that missed is left at that; the gm may leave one without a number, too."""
    one = _one(r, step, event.total_id)
    if one is None:
        return
    missed = one.enough is not None
    r.allow(step, *(_owners(step, one) if missed else ()), scopes=(Scope.ROLLS,) if missed else ())
    r.require(step, event.reason is e.TotalFailure.STOPPED, "no push went too far")
    r.require(step, one.status in (TotalStatus.ROLLED, TotalStatus.OFFERED) and not over(one), "it did not miss")
    note(r, Kind.TOTAL, one.id, When.FAILED)
    action_over(r, one.character_id)


BEGINNINGS: Beginnings = {
    e.TotalProposed: proposed,
    e.TotalAdjusted: adjusted,
    e.TotalWithdrawn: withdrawn,
    e.RequiredSet: required_set,
    e.TotalJudged: judged,
    e.RequiredRevealed: required_revealed,
    e.PushOffered: push_offered,
    e.TotalFailed: failed,
}
