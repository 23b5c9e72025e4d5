"""Plain rolls, opening lanes of the dice ledger, and the tokens that commands bring."""

from collections.abc import Iterator

from dreadclock.following.telling import Root, channel_of
from dreadclock.following.ventures import action_over, pay
from dreadclock.rules.check import damage_plan, wanted
from dreadclock.rules.ledger import LANE_LENGTH, ZERO, text32, token_before, value32
from dreadclock.rules.limits import MAX_LANES, MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import DiceToken, Id, Kind, Visibility
from dreadclock.wire.commands import EndRound, EndTurn, OpenLane, RollDice, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.scenes import scene_of, sixes_add, usual_place
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import Benefit, BoundTo, Countdown, Lane, Roll, RollPurpose
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.check_effects import settle_choices
from dreadclock_server.core.families.check_parts import claim
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.throwing import begin_lane, throw_until


def roll_dice(draft: Draft, command: RollDice) -> None:
    """Decide `roll_dice`; public damage takes along dice of ventures made for it, and those that sixes add. C27."""
    find.require_gm_for(draft, command.visibility)
    roll_id = draft.new_id(Kind.ROLL, command.id, known=command.visibility is not Visibility.GM)
    root = Root(Kind.ROLL, roll_id, command.name or "A roll", command.visibility)
    begin_hidden(draft, root, rolled=True)
    within_id = _where(draft, command)
    paid = _paid(draft, command, roll_id)
    plan = damage_plan(command.pool + paid, sixes_add=sixes_add(draft.view, within_id))
    why = f"{plan.dice} at first, one more for each 6" if plan.explodes else "one for each die"
    faces, proof = throw_until(draft, lambda faces: wanted(plan, faces), why, command, root)
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


def _where(draft: Draft, command: RollDice) -> Id | None:
    """Return where damage is rolled: as named, or the usual place if sixes add dice there. Source: rules.md C27."""
    is_damage = command.purpose is RollPurpose.DAMAGE and command.visibility is Visibility.PUBLIC
    if command.within_id is None:
        usual = usual_place(draft.view, None) if is_damage else None
        return usual if sixes_add(draft.view, usual) else None
    if not is_damage:
        raise Refused(Code.NOT_AVAILABLE, what="a place for a roll that is no damage or not seen by all")
    return find.open_place(draft, command.within_id)


def _paid(draft: Draft, command: RollDice, roll_id: Id) -> int:
    """Return the dice that ventures add for a character that may roll; a hidden roll touches nothing public."""
    who, seen = command.character_id, command.visibility
    character = None if who is None else find.acting_character(draft, who, seen)
    everyone = seen is Visibility.PUBLIC
    if (command.claims or command.action) and (character is None or not everyone):
        raise Refused(
            Code.NOT_AVAILABLE, what="actions and dice of ventures on a roll that is nobody's or not seen by all"
        )
    if character is None or not everyone:
        return 0
    settle_choices(draft, character.id)
    paid = claim(draft, character, Benefit.DAMAGE, command.claims) if command.claims else ()
    return min(MAX_POOL - command.pool, pay(draft, character.id, paid, into=roll_id))


_NO_ANCHOR = text32(ZERO)  # of all token-less lanes


def open_lane(draft: Draft, command: OpenLane) -> None:
    """Decide `open_lane`: fix a lane for the sender's own tokens."""
    seat_id = draft.by.seat_id
    if command.anchor == _NO_ANCHOR or command.anchor in draft.room.anchors:
        raise Refused(Code.ANCHOR_USED)
    if draft.view.public.made.get(f"lane/{seat_id}", 0) >= MAX_LANES:
        raise Refused(Code.TOO_MANY, limit=MAX_LANES, what="dice lanes of this seat")
    begin_lane(draft, seat_id, command.anchor)


def take_token(draft: Draft, command: RollingCommand) -> None:
    """Let a command roll in the slot that its `dice` name, if it rolls in public at all.

    Raises Refused if they name no lane of the sender's, another slot than the next or a token that does not fit, or
    if what the command is about has changed since they were `seen`. That is what it names by id, as far as everyone
    sees it (a roll of hidden things uses no slot of a seat), for `end_turn` and `end_round` each countdown that may
    be rolled, and for damage the scene that says whether sixes add dice. Any event that made it what it is now counts,
    the sender's own too; what only the gm sees does not.
    """
    dice = command.dice
    if dice is None:
        return
    lane = draft.view.public.lanes.get(dice.lane)
    if lane is None or lane.seat_id != draft.sender.seat_id:
        raise Refused(Code.UNKNOWN, kind="dice lane of your own", id=dice.lane)
    if lane.used >= LANE_LENGTH:
        raise Refused(Code.LANE_USED_UP, lane=lane.label)
    if dice.n != lane.used + 1:
        raise Refused(Code.SLOT_TAKEN, lane=lane.label, n=dice.n)
    if not _fits(draft, lane, dice):
        raise Refused(Code.BAD_TOKEN, lane=lane.label, n=dice.n)
    for thing_id in _named(draft, command):
        if draft.room.changed_at(thing_id) > dice.seen:
            raise Refused(Code.CHANGED, id=thing_id)
    draft.token = dice


def _fits(draft: Draft, lane: Lane, dice: DiceToken) -> bool:
    if lane.anchor is None or dice.token is None:
        return lane.anchor is dice.token is None
    before = token_before(room_bytes(draft.room.room_id), dice.n, value32(dice.token))
    return text32(before) == (lane.token or lane.anchor)


def _named(draft: Draft, command: RollingCommand) -> Iterator[Id]:
    if type(command) is EndTurn or type(command) is EndRound:
        yield from (each.id for each in draft.view.public.countdowns.values() if _may_roll(command, each))
        return
    if type(command) is RollDice and command.purpose is RollPurpose.DAMAGE:
        scene = scene_of(draft.view, command.within_id or usual_place(draft.view, None))
        yield from () if scene is None else (scene.id,)
    for name, value in command:
        if name.endswith("_id") and value is not None:
            yield value


def _may_roll(command: EndTurn | EndRound, one: Countdown) -> bool:
    if isinstance(command, EndRound):
        return one.bound_to is BoundTo.ROUNDS and one.bound_id == command.situation_id
    if command.scene_id is not None:
        return one.bound_to is BoundTo.SCENE and one.bound_id == command.scene_id
    return one.bound_to in (BoundTo.TURN, BoundTo.SCENE)


DECIDE: Deciders = {
    RollDice: roll_dice,
    OpenLane: open_lane,
}
