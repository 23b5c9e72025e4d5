"""The parts of checks: making, joining and finding them, and who may roll them. Source: rules.md C.

A part is one character's roll in a check. A venture is a bet on a part: it takes dice from the part. If the part
succeeds, a later roll of the venture's beneficiary can claim dice.
"""

from typing import NamedTuple

from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Name, Scope, Score, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.check_effects import keys_of
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.ids import NAMED_OPPONENT
from dreadclock.wire.things import Benefit, Character, Check, CheckStatus, Part, Venture
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.families.characters import acting_character, bring_to_light
from dreadclock_server.core.families.ventures import claim
from dreadclock_server.core.find import topic_of_check
from dreadclock_server.core.rights import Rights, Who, owned


def _opponent_owner(_: Draft, opponent: Character | None) -> Id | None:
    """Return the owner of an opponent; None for an opponent without a sheet, who belongs to the gm."""
    return opponent.owner if opponent is not None else None


RIGHTS: Rights = {
    c.HelpCheck: owned(find.named_character, Who.ROLLS),
    c.OpposeCheck: owned(find.named_character, Who.ROLLS, owner_of=_opponent_owner),
}


class PartOfCheck(NamedTuple):
    """A part of a check, and the check."""

    check: Check
    part: Part


def named_part(draft: Draft, command: c.ProposeCost | c.AnswerCost | c.SettleFailure) -> PartOfCheck:
    """Return the part of the character that a command names, or the leader's part if the command names none."""
    check = find.check(draft, command.check_id)
    return PartOfCheck(check, check.leader if command.character_id is None else part_of(check, command.character_id))


def owner_of_part(draft: Draft, target: PartOfCheck) -> Id | None:
    """Return the owner of the part's character."""
    return find.owner_of(draft, target.part.character_id)


def make_part(draft: Draft, command: c.JoiningCheck, who: Character | None, side: Side, visibility: Visibility) -> Part:
    """Make the part that a command adds to a check.

    `who`: the character that the command names, or None for an opponent without a sheet.
    """
    if who is None:
        return _named_part(command, side)
    character = acting_character(draft, who, visibility)
    claims = _claims(draft, character, command, visibility)
    part = Part(
        character_id=character.id,
        side=side,
        score=score_of(character, command.score, command.attribute),
        attribute=command.attribute,
        bonus=command.bonus,
        penalty=command.penalty,
        venture=_venture(draft, command, visibility),
        claim=bool(claims),
        claims=claims,
    )
    refuse_too_large(part)
    return part


def _named_part(command: c.JoiningCheck, side: Side) -> Part:
    """Make the part of an opponent without a sheet, who exists only in this check. Source: rules.md E6."""
    name = command.name if isinstance(command, c.OpposeCheck) else None
    if name is None:
        raise Refused(Code.OPPONENT_NEEDED)
    if command.score is None or command.attribute is not None:
        raise Refused(Code.SCORE_NEEDED)
    if command.venture is not None:
        raise Refused(Code.NOT_AVAILABLE, what="ventures of an opponent without a sheet")
    part = Part(
        character_id=NAMED_OPPONENT,
        name=name,
        side=side,
        score=command.score,
        bonus=command.bonus,
        penalty=command.penalty,
    )
    refuse_too_large(part)
    return part


def score_of(character: Character, score: Score | None, attribute: Name | None) -> int:
    """Return the given score, or the score of an attribute. Raises Refused unless exactly one of them is given.

    Also if the character does not have the attribute.
    """
    if (score is None) == (attribute is None):
        raise Refused(Code.SCORE_NEEDED)
    if score is not None:
        return score
    name = str(attribute)
    if name not in character.attributes:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="attribute", name=name)
    return character.attributes[name]


def _claims(draft: Draft, character: Character, command: c.JoiningCheck, visibility: Visibility) -> tuple[Id, ...]:
    """Return the keys of the ventures whose dice a new part claims.

    A part of a hidden check claims none, because ventures are public. Raises Refused if a command for it names
    ventures.
    """
    if visibility is not Visibility.PUBLIC:
        if command.claims:
            raise Refused(Code.NOT_AVAILABLE, what="dice of ventures on a check that not everyone sees")
        return ()
    if command.claims is None and not command.claim:
        return ()
    return keys_of(claim(draft, character, Benefit.CHECK, command.claims))


def _venture(draft: Draft, command: c.JoiningCheck, visibility: Visibility) -> Venture | None:
    """Return the venture of a new part, or None. The beneficiary is by default the part's own character.

    Raises Refused if the check is hidden (the venture would reveal it), or if the beneficiary does not exist or is out
    of play. A hidden beneficiary is revealed, which only the gm may do.
    """
    new = command.venture
    if new is None:
        return None
    if visibility is not Visibility.PUBLIC:
        raise Refused(Code.NOT_AVAILABLE, what="ventures on a check that not everyone sees")
    beneficiary = find.character(draft, new.beneficiary or str(command.character_id))
    find.require_in_play(beneficiary)
    bring_to_light(draft, beneficiary)
    return Venture(level=new.level, benefits=new.benefits, beneficiary=beneficiary.id, what=new.what)


def refuse_too_large(part: Part) -> None:
    """Raise Refused if a part starts with more dice than a roll may have."""
    dice = part.score + part.bonus - part.penalty
    if dice > MAX_POOL:
        made_of = f"{part.score} + {part.bonus} - {part.penalty} = {dice}"
        raise Refused(Code.POOL_OUT_OF_RANGE, sum=made_of, least=0, most=MAX_POOL)


def part_of(check: Check, character_id: Id) -> Part:
    """Return a character's part of a check. Raises Refused(not_in_check) if it has none."""
    part = check.part_of(character_id)
    if part is None:
        raise Refused(Code.NOT_IN_CHECK, id=character_id, check=check.id)
    return part


def own_part(draft: Draft, check: Check, character_id: Id | None) -> Part:
    """Return the part to roll: the named part, or the sender's first unrolled part.

    If the sender has none to roll, returns another part, and the caller refuses the roll.
    """
    if character_id is not None:
        return part_of(check, character_id)
    if len(check.parts) == 1:
        return check.parts[0]
    mine = [part for part in check.parts if is_own(draft, check, part)]
    return next((part for part in mine if part.roll is None), (mine or check.parts)[0])


def is_own(draft: Draft, check: Check, part: Part) -> bool:
    """Tell whether a part counts as the sender's own: the sender owns its character.

    For a sender who may roll for everyone, these count, too: parts of characters without an owner, all parts of a
    hidden check, and the only part of a check.
    """
    owner = find.owner_of(draft, part.character_id)
    if not draft.by.may(Scope.ROLLS):
        return owner == draft.by.seat_id
    alone = len(check.parts) == 1 or check.visibility is not Visibility.PUBLIC
    return alone or owner in (None, draft.by.seat_id)


def require_not_begun(check: Check) -> None:
    """Raise Refused(roll_stands) if the rolling of a check has begun."""
    if check.status not in (CheckStatus.PROPOSED, CheckStatus.READY):
        raise Refused(Code.ROLL_STANDS, kind=Kind.CHECK, id=check.id)


def is_stuck(draft: Draft, part: Part) -> bool:
    """Tell whether a part will never be rolled: its character is out of play."""
    return part.roll is None and part.name is None and not in_play(draft.view, part.character_id)


def help_check(draft: Draft, command: c.HelpCheck, character: Character) -> None:
    """Decide `help_check`: add a character's dice to a side of a check."""
    check = find.check(draft, command.check_id)
    require_not_begun(check)
    if command.side is Side.OPPOSING and not check.side(Side.OPPOSING):
        raise Refused(Code.NOT_OPPOSED, id=check.id)
    _join(draft, check, command, character, command.side, e.HelpJoined)


def oppose_check(draft: Draft, command: c.OpposeCheck, character: Character | None) -> None:
    """Decide `oppose_check`: make a check a contest, with a leader for its other side."""
    check = find.check(draft, command.check_id)
    require_not_begun(check)
    if check.side(Side.OPPOSING):
        raise Refused(Code.ALREADY_OPPOSED, id=check.id)
    if command.character_id is not None and command.name is not None:
        raise Refused(Code.OPPONENT_NEEDED)
    _join(draft, check, command, character, Side.OPPOSING, e.OppositionJoined)


def _join(
    draft: Draft,
    check: Check,
    command: c.JoiningCheck,
    who: Character | None,
    side: Side,
    event: type[e.HelpJoined | e.OppositionJoined],
) -> None:
    """Add a part to a check. If the sender's proposals need approval, the whole check must be approved again."""
    if command.character_id is not None and check.part_of(command.character_id) is not None:
        raise Refused(Code.ALREADY_IN_CHECK, id=command.character_id, check=check.id)
    part = make_part(draft, command, who, side, check.visibility)
    status = CheckStatus.PROPOSED if find.must_wait(draft) else check.status
    odds = check_odds(draft.view, check.model_copy(update={"parts": (*check.parts, part)}))
    draft.tell(topic_of_check(check), event(check_id=check.id, part=part, status=status, odds=odds))
