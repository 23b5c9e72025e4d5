"""Rolls outside of checks and totals, and opening of lanes: series of rolls fixed in advance (see docs/dice.md)."""

from dreadclock.rules.check import damage_plan, wanted
from dreadclock.rules.ledger import ZERO, text32
from dreadclock.rules.limits import MAX_LANES, MAX_POOL
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.scenes import sixes_add, usual_place
from dreadclock.wire.things import Benefit, Character, Roll, RollPurpose
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic, channel_of
from dreadclock_server.core.families.characters import acting_character
from dreadclock_server.core.families.check_effects import settle_choices
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.families.ventures import action_over, claim, pay
from dreadclock_server.core.rights import Rights, Who, only, owned
from dreadclock_server.core.rolling import begin_lane, draw_until

RIGHTS: Rights = {
    c.RollDice: owned(find.named_character, Who.ROLLS, owner_of=find.own_or_named),
    c.OpenLane: only(Who.GM, Who.PLAYER),
}


def roll_dice(draft: Draft, command: c.RollDice, character: Character | None) -> None:
    """Decide `roll_dice`: roll dice outside of checks and totals.

    A public damage roll can claim ventures: dice that a character has earned for it. If the scene says so, each 6 of
    the roll adds a die. Source: rules.md C27.
    """
    find.require_gm_for(draft, command.visibility)
    roll_id = draft.new_id(Kind.ROLL, command.id, public=command.visibility is not Visibility.GM)
    topic = Topic(Kind.ROLL, roll_id, command.name or "A roll", command.visibility)
    begin_hidden(draft, topic, rolled=True)
    within_id = _where(draft, command)
    paid = _paid(draft, command, roll_id, character)
    plan = damage_plan(command.pool + paid, sixes_add=sixes_add(draft.view, within_id))
    why = f"{plan.dice} at first, one more for each 6" if plan.explodes else "one for each die"
    faces, proof = draw_until(draft, lambda faces: wanted(plan, faces), why, command, topic)
    roll = Roll(
        id=roll_id,
        seat_id=draft.by.seat_id,
        faces=faces,
        paid=paid,
        added=len(faces) - plan.dice or None,
        name=command.name,
        character_id=command.character_id,
        purpose=command.purpose,
        action=command.action,
        within_id=within_id,
        visibility=command.visibility,
        physical=proof is None,
        proof=proof,
    )
    draft.emit(channel_of(command.visibility), e.DiceRolled(roll=roll))
    if command.action and command.character_id is not None:
        action_over(draft, command.character_id)


def _where(draft: Draft, command: c.RollDice) -> Id | None:
    """Return the scene or situation of a public damage roll; None for other rolls.

    The command may name the place. By default, it is the only open scene, or the only open situation in it, if sixes
    add dice there, else None. Raises Refused if the command names a place for another roll, or a place that is not
    open. Source: rules.md C27.
    """
    is_damage = command.purpose is RollPurpose.DAMAGE and command.visibility is Visibility.PUBLIC
    if command.within_id is None:
        usual = usual_place(draft.view, None) if is_damage else None
        return usual if sixes_add(draft.view, usual) else None
    if not is_damage:
        raise Refused(Code.NOT_AVAILABLE, what="a place for a roll that is no damage or not seen by all")
    return find.open_place(draft, command.within_id)


def _paid(draft: Draft, command: c.RollDice, roll_id: Id, roller: Character | None) -> int:
    """Spend the claimed ventures of a character, and return how many dice they add.

    Raises Refused if no dice may be rolled for the character. Also raises Refused if a hidden roll, or a roll without a
    character, claims ventures or is an action: ventures are public, and belong to characters.
    """
    character = None if roller is None else acting_character(draft, roller, command.visibility)
    everyone = command.visibility is Visibility.PUBLIC
    if (command.claims or command.action) and (character is None or not everyone):
        raise Refused(
            Code.NOT_AVAILABLE, what="actions and dice of ventures on a roll that is nobody's or not seen by all"
        )
    if character is None or not everyone:
        return 0
    settle_choices(draft, character.id)
    paid = claim(draft, character, Benefit.DAMAGE, command.claims) if command.claims else ()
    return min(MAX_POOL - command.pool, pay(draft, character.id, paid, into=roll_id))


_NO_ANCHOR = text32(ZERO)  # 32 zero bytes; an anchor must be the hash of a token, so `open_lane` refuses this one


def open_lane(draft: Draft, command: c.OpenLane) -> None:
    """Decide `open_lane`: open a lane of the sender's seat whose rolls also use the sender's dice tokens."""
    seat_id = draft.by.seat_id
    if command.anchor == _NO_ANCHOR or command.anchor in draft.room.anchors:
        raise Refused(Code.ANCHOR_USED)
    if draft.view.public.made.get(f"lane/{seat_id}", 0) >= MAX_LANES:
        raise Refused(Code.TOO_MANY, limit=MAX_LANES, what="dice lanes of this seat")
    begin_lane(draft, seat_id, command.anchor)
