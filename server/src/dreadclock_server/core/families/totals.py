"""Totals: rolls whose different faces are added up, to reach a required number. Source: rules.md D.

If a total is too low, the gm may offer a push: one more die, at the risk of a crisis. An effort is a total against a
challenge.
"""

from collections.abc import Sequence

from dreadclock.rules import total as rules
from dreadclock.rules.total import MAX_DICE, MIN_DICE, Pushed
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Name, Role, Score, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.families.totals import total_odds
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.families import challenges
from dreadclock_server.core.families.challenges import challenge_for
from dreadclock_server.core.families.characters import acting_character
from dreadclock_server.core.families.check_effects import settle_choices
from dreadclock_server.core.families.crises import suffer
from dreadclock_server.core.families.ventures import action_over
from dreadclock_server.core.invariants import refuse_too_many
from dreadclock_server.core.rights import Rights, Who, named, only, owned
from dreadclock_server.core.rolling import draw_faces


def _owner(draft: Draft, total: t.Total) -> Id | None:
    return find.owner_of(draft, total.character_id)


_ROLLERS = owned(named(find.total, "total_id"), Who.ROLLS, owner_of=_owner)
RIGHTS: Rights = {
    c.ProposeTotal: owned(find.named_character, Who.ROLLS),
    c.AdjustTotal: only(Who.GM),
    c.WithdrawTotal: _ROLLERS,
    c.SetRequired: only(Who.GM),
    c.JudgeTotal: only(Who.GM),
    c.RollTotal: _ROLLERS,
    c.OfferPush: only(Who.GM),
    c.PushLuck: _ROLLERS,
    c.StopPushing: _ROLLERS,
}


def propose_total(draft: Draft, command: c.ProposeTotal, who: t.Character) -> None:
    """Decide `propose_total`: start a total, whose dice are rolled later."""
    character = acting_character(draft, who)
    refuse_too_many(draft, "totals")
    score, attribute = _score(character, command.attribute)
    special = None if command.special is None else _special(character, command.special)
    more = _more_specials(draft, character, special, command.more_specials)
    pool = _pool(score, command.tool, special, more)
    effort = challenge_for(draft, command.effort, Visibility.PUBLIC)
    total = t.Total(
        id=draft.new_id(Kind.TOTAL, command.id),
        seat_id=draft.by.seat_id,
        character_id=character.id,
        purpose=command.purpose,
        score=score,
        attribute=attribute,
        tool=command.tool,
        special=special,
        more_specials=more,
        pool=pool,
        effort=effort,
        status=t.TotalStatus.PROPOSED if find.must_wait(draft) else t.TotalStatus.READY,
        odds=total_odds(pool),
        made_by=draft.maker,
    )
    draft.emit(Channel.PUBLIC, e.TotalProposed(total=total))


def _score(character: t.Character, attribute: Name | Score) -> tuple[int, Name | None]:
    """Return a score, and the name of its attribute if one was given."""
    if isinstance(attribute, int):
        return attribute, None
    if attribute not in character.attributes:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="attribute", name=attribute)
    return character.attributes[attribute], attribute


def _special(character: t.Character, name: Name) -> t.Special:
    for special in character.specials:
        if special.name == name:
            return special
    raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="special attribute", name=name)


def _more_specials(
    draft: Draft, character: t.Character, special: t.Special | None, names: Sequence[Name]
) -> tuple[t.Special, ...]:
    """Return the special attributes beyond the first. D11.

    Raises Refused if the room allows only one, if there is no first, or if one is named twice or not on the sheet.
    """
    if not names:
        return ()
    if draft.view.policy.specials is not t.Specials.SEVERAL:
        raise Refused(Code.ONE_SPECIAL)
    if special is None or len({special.name, *names}) != 1 + len(names):
        raise Refused(Code.ONE_SPECIAL)
    return tuple(_special(character, name) for name in names)


def _pool(score: int, tool: t.Tool | None, special: t.Special | None, more: Sequence[t.Special] = ()) -> int:
    """Return the number of dice of a total's pool. Raises Refused if the number is out of range. Source: D2."""
    quality = tool.quality if tool else 0
    extra = special.dice if special else 0
    further = [another.dice for another in more]
    try:
        return rules.pool(score, quality, extra, *further)
    except ValueError:
        parts = [score, *([quality] if tool else []), *([extra] if special else []), *further]
        shown = " + ".join(map(str, parts)) + (f" = {sum(parts)}" if len(parts) > 1 else "")
        raise Refused(Code.POOL_OUT_OF_RANGE, sum=shown, least=MIN_DICE, most=MAX_DICE) from None


def _require_not_rolled(total: t.Total) -> None:
    if total.status not in (t.TotalStatus.PROPOSED, t.TotalStatus.READY):
        raise Refused(Code.ROLL_STANDS, kind=Kind.TOTAL, id=total.id)


def adjust_total(draft: Draft, command: c.AdjustTotal) -> None:
    """Decide `adjust_total`: change a total before it is rolled.

    Odds that depend on a secret number go only to the gm's channel.
    """
    before = find.total(draft, command.total_id)
    _require_not_rolled(before)
    total = before.model_copy(update=_changes(draft, before, command))
    pool = _pool(total.score, total.tool, total.special, total.more_specials)
    total = total.model_copy(update={"pool": pool, "odds": total_odds(pool, total.required)})
    if total == before:
        return
    draft.emit(Channel.PUBLIC, e.TotalAdjusted(total=total))
    if total.secret and pool != before.pool:
        keep_secret(draft, total, draft.view.secrets[total.id].required)


def _changes(draft: Draft, total: t.Total, command: c.AdjustTotal) -> dict[str, object]:
    character = find.character(draft, total.character_id)
    changes: dict[str, object] = {str(aid): None for aid in command.without}
    if command.attribute is not None:
        changes["score"], changes["attribute"] = _score(character, command.attribute)
    if command.tool is not None:
        changes["tool"] = command.tool
    special = None if t.Aid.SPECIAL in command.without else total.special
    if command.special is not None:
        changes["special"] = special = _special(character, command.special)
    if command.more_specials is not None:
        changes["more_specials"] = _more_specials(draft, character, special, command.more_specials)
    elif special != total.special:
        more = total.more_specials if special else ()
        changes["more_specials"] = tuple(another for another in more if another != special)
    if command.approve is not None:
        changes["status"] = t.TotalStatus.READY if command.approve else t.TotalStatus.PROPOSED
    if not changes:
        raise Refused(Code.NOTHING_TO_CHANGE)
    return changes


def keep_secret(draft: Draft, total: t.Total, required: int) -> None:
    """Write a total's secret number, with its odds, into the gm's channel. Source: rules.md D4.

    The event also names the secret numbers to forget: of totals that are revealed or no longer in the view.
    """
    secret = t.SecretRequired(total_id=total.id, required=required, odds=total_odds(total.pool, required))
    totals, kept = draft.view.totals, draft.view.secrets
    forgotten = tuple(key for key in kept if key not in totals or not totals[key].secret)
    draft.emit(Channel.GM, e.SecretSet(secret=secret, forgotten=forgotten))


def withdraw_total(draft: Draft, command: c.WithdrawTotal, total: t.Total) -> None:
    """Decide `withdraw_total`: withdraw a total before it is rolled."""
    _require_not_rolled(total)
    draft.emit(Channel.PUBLIC, e.TotalWithdrawn(total_id=total.id))


def topic_of(total: t.Total) -> Topic:
    """Return the topic of a total, which decides where its dice come from. Totals are always public."""
    return Topic(Kind.ROLL, total.id, total.purpose or "A total", Visibility.PUBLIC)


def required_of(draft: Draft, total: t.Total) -> int | None:
    """Return the required number of a total, also if the number is secret; None if it is not set yet."""
    return draft.view.secrets[total.id].required if total.secret else total.required


def refuse_over(total: t.Total) -> None:
    """Raise Refused if a total is over."""
    if total.is_over:
        raise Refused(Code.ENDED, kind=Kind.TOTAL, id=total.id, status=total.status)


def set_required(draft: Draft, command: c.SetRequired) -> None:
    """Decide `set_required`: set a total's required number. A total that is already rolled is judged by it.

    The status of a proposed total becomes ready. Source: rules.md D6.
    """
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.enough is not None:
        raise Refused(Code.REQUIRED_STANDS, id=total.id)
    rolled = total.status is t.TotalStatus.ROLLED
    if rolled:
        find.require_under_way(draft, total.effort)
    shown = None if command.secret else command.required
    event = e.RequiredSet(
        total_id=total.id,
        required=shown,
        secret=command.secret,
        crisis=command.crisis or total.crisis,
        status=t.TotalStatus.ROLLED if rolled else t.TotalStatus.READY,
        enough=rules.enough(total.total, command.required) if rolled else None,
        odds=total_odds(total.pool, shown),
    )
    draft.emit(Channel.PUBLIC, event)
    if command.secret:
        keep_secret(draft, draft.view.totals[total.id], command.required)
    if event.enough:
        succeed(draft, total)


def roll_total(draft: Draft, command: c.RollTotal, total: t.Total) -> None:
    """Decide `roll_total`: roll a total. For an effort in a race, the threat clock ticks before. B1 and B13."""
    if total.status is t.TotalStatus.PROPOSED:
        raise Refused(Code.NOT_APPROVED, kind=Kind.TOTAL, id=total.id)
    if total.status is not t.TotalStatus.READY:
        raise Refused(Code.ROLL_STANDS, kind=Kind.TOTAL, id=total.id)
    find.require_able(find.character(draft, total.character_id))
    find.require_under_way(draft, total.effort)
    settle_choices(draft, total.character_id)
    challenges.roll_begins(draft, total.effort, hidden=False)
    faces, proof = draw_faces(draft, total.pool, command, topic_of(total))
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


def judge_total(draft: Draft, command: c.JudgeTotal) -> None:
    """Decide `judge_total`: say whether a rolled total that has no required number is enough. Source: rules.md D10."""
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.enough is not None:
        raise Refused(Code.REQUIRED_STANDS, id=total.id)
    if total.status is not t.TotalStatus.ROLLED:
        raise Refused(Code.NOT_ROLLED, id=total.id)
    draft.emit(Channel.PUBLIC, e.TotalJudged(total_id=total.id, enough=command.enough))
    if command.enough:
        succeed(draft, total)


# Pushing luck. Source: rules.md D3-D5


def offer_push(draft: Draft, command: c.OfferPush) -> None:
    """Decide `offer_push`: offer a push for a total that is too low.

    The crisis at stake and its description stay, unless the command gives others. Source: rules.md D4 and D10.
    """
    total = find.total(draft, command.total_id)
    refuse_over(total)
    if total.status is t.TotalStatus.OFFERED:
        raise Refused(Code.OFFER_STANDS, id=total.id)
    if total.enough is not False:
        raise Refused(Code.NOT_MISSED, id=total.id)
    find.require_able(find.character(draft, total.character_id))
    crisis = command.crisis or total.crisis
    # The earlier description stays only if the kind of crisis stays the same.
    earlier = total.description if total.crisis is crisis else None
    if command.until > 1 and required_of(draft, total) is None:
        raise Refused(Code.NUMBER_NEEDED, id=total.id)
    offered = e.PushOffered(
        total_id=total.id,
        crisis=crisis,
        description=command.description or earlier,
        odds=push_odds(total.kept, total.required),
        until=command.until,
    )
    draft.emit(Channel.PUBLIC, offered)


def push_luck(draft: Draft, command: c.PushLuck, total: t.Total) -> None:
    """Decide `push_luck`: roll one more die. If a kept die shows the same number, there is a crisis. D3 and D5."""
    refuse_over(total)
    if total.status is not t.TotalStatus.OFFERED:
        raise Refused(Code.NO_OFFER, id=total.id)
    find.require_able(find.character(draft, total.character_id))
    find.require_under_way(draft, total.effort)
    settle_choices(draft, total.character_id)
    push = _push(draft, total, command)
    draft.emit(Channel.PUBLIC, luck_pushed(total, push))
    if push.crisis:
        pushed_too_far(draft, total)
    elif push.enough:
        succeed(draft, total)


def _push(draft: Draft, total: t.Total, command: c.PushLuck) -> t.Push:
    faces, proof = draw_faces(draft, 1, command, topic_of(total))
    pushed = rules.push(total.kept, faces[0])
    enough = _enough(pushed, required_of(draft, total))
    return t.Push(**pushed._asdict(), enough=enough, physical=proof is None, proof=proof)


def _enough(pushed: Pushed, required: int | None) -> bool | None:
    """Tell whether a total is enough after a push. Without a required number, a crisis is not enough, and otherwise the
    gm judges (None).
    """
    if required is None:
        return False if pushed.crisis else None
    return rules.enough(pushed.total, required)


def stop_pushing(draft: Draft, command: c.StopPushing, total: t.Total) -> None:
    """Decide `stop_pushing`: end a rolled total as a failure. Only the gm may end a total that is not judged yet."""
    refuse_over(total)
    rolled = total.status in (t.TotalStatus.ROLLED, t.TotalStatus.OFFERED)
    if not rolled or (total.enough is None and draft.by.role is not Role.GM):
        raise Refused(Code.NOT_MISSED, id=total.id)
    fail(draft, total, e.TotalFailure.STOPPED)


# Consequences


def succeed(draft: Draft, total: t.Total) -> None:
    """End a total as a success. If the total is an effort, take a point off the clock of its challenge."""
    draft.emit(Channel.PUBLIC, e.TotalSucceeded(total_id=total.id))
    draft.happened(Kind.TOTAL, total.id, t.When.SUCCEEDED)
    action_over(draft, total.character_id)
    challenges.roll_succeeds(draft, total.effort, hidden=False)


def fail(draft: Draft, total: t.Total, reason: e.TotalFailure) -> None:
    """End a total as a failure."""
    draft.emit(Channel.PUBLIC, e.TotalFailed(total_id=total.id, reason=reason))
    draft.happened(Kind.TOTAL, total.id, t.When.FAILED)
    action_over(draft, total.character_id)


def luck_pushed(total: t.Total, push: t.Push) -> e.LuckPushed:
    """Return the event of a push. If the total is still too low, the offer's remaining pushes stay offered. D10."""
    left = total.until - 1 if push.enough is False and not push.crisis else 0
    odds = push_odds(push.kept, total.required) if left > 0 else None
    return e.LuckPushed(total_id=total.id, push=push, until=max(left, 0), odds=odds)


def pushed_too_far(draft: Draft, total: t.Total) -> None:
    """End a total as a failure with the crisis at stake.

    If the kind of the crisis is not set, the gm must name it later. Source: rules.md D6.
    """
    fail(draft, total, e.TotalFailure.CRISIS)
    draft.happened(Kind.TOTAL, total.id, t.When.CRISIS)
    if total.crisis is None:
        draft.emit(Channel.PUBLIC, e.CrisisDue(character_id=total.character_id, total_id=total.id))
    else:
        suffer(draft, draft.view.characters[total.character_id], total.id, total.crisis, total.description)
