"""Throwing dice for a command, from a lane of the ledger or as physical faces; and plain rolls."""

from collections.abc import Callable

from dreadclock.dice.ledger import LANE_LENGTH
from dreadclock.following.telling import Root, channel_of
from dreadclock.following.tokens import pay
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, Id, Kind, Role, RollProof, Visibility
from dreadclock.wire.commands import RollDice, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import Benefit, PhysicalDice, Roll, RollPurpose
from dreadclock_server.core import find
from dreadclock_server.core.bargains import settle_choices
from dreadclock_server.core.draft import Draft, Slot
from dreadclock_server.core.lanes import lane_to_roll, own_lane
from dreadclock_server.core.secrets import begin

Wanted = Callable[[Faces], int]  # how many faces a roll takes in all, as far as the first ones tell


def throw(draft: Draft, pool: int, command: RollingCommand, root: Root) -> tuple[Faces, RollProof | None]:
    """Return `pool` faces and their proof, which physical dice lack.

    Raises Refused if physical faces are not allowed, or too few or too many.
    """
    return throw_until(draft, lambda faces: pool, "one for each die", command, root)


def throw_until(
    draft: Draft, wanted: Wanted, why: str, command: RollingCommand, root: Root
) -> tuple[Faces, RollProof | None]:
    """Return as many faces as the roll turns out to want; draws that follow from others come last.

    `why`: what makes that number, in words that end a sentence. Raises Refused as `throw` does.
    """
    if command.faces is not None:
        return _physical(draft, wanted, why, command.faces), None
    slot, proof = _slot(draft, root)
    faces: Faces = ()
    while len(faces) < (all_told := wanted(faces)):
        faces += slot.take(all_told - len(faces))
    return faces, proof


def _slot(draft: Draft, root: Root) -> tuple[Slot, RollProof]:
    """Open the command's slot, or go on with it: its later rolls only say where their faces start."""
    hidden = root.visibility is not Visibility.PUBLIC
    label = lane_of_thing(root.kind, root.id) if hidden else own_lane(draft)
    slot = draft.slots.get(label)
    if slot is not None:
        return slot, RollProof.trusted(lane=label, n=slot.n, start=slot.taken)
    lane = lane_to_roll(draft, label)
    token = draft.token.token if draft.token is not None and not hidden else None
    slot = draft.slots[label] = draft.dice.slot(lane, lane.used + 1, token)
    return slot, RollProof.trusted(lane=label, n=slot.n, key=slot.key, token=token, witnesses=lane.next_witnesses)


def deal(draft: Draft, wanted: Wanted, root: Root) -> tuple[Faces, RollProof | None]:
    """Return faces that the server deals, even where the command's own dice are physical."""
    return throw_until(draft, wanted, "", RollingCommand(), root)


def _physical(draft: Draft, wanted: Wanted, why: str, faces: Faces) -> Faces:
    allowed = draft.view.policy.physical_dice
    if allowed is PhysicalDice.OFF:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="nobody")
    if allowed is PhysicalDice.GM and draft.by.role is not Role.GM:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="only the gm")
    if len(faces) != wanted(faces):
        raise Refused(Code.WRONG_FACES, needed=wanted(faces), given=len(faces), why=why)
    return faces


def is_used_up(draft: Draft, root: Root) -> bool:
    """Tell whether a hidden thing has no roll of the ledger left."""
    hidden = root.visibility is not Visibility.PUBLIC
    return hidden and draft.part(Channel.GM).lanes[lane_of_thing(root.kind, root.id)].used >= LANE_LENGTH


def roll_dice(draft: Draft, command: RollDice) -> None:
    """Decide `roll_dice`; a public damage roll takes along the dice of ventures made for it."""
    find.require_gm_for(draft, command.visibility)
    roll_id = draft.new_id(Kind.ROLL, command.id, known=command.visibility is not Visibility.GM)
    root = Root(Kind.ROLL, roll_id, command.name or "A roll", command.visibility)
    begin(draft, root, rolled=True)
    paid = _ready(draft, command, roll_id)
    faces, proof = throw(draft, command.pool + paid, command, root)
    roll = Roll(
        id=roll_id,
        seat_id=draft.by.seat_id,
        faces=faces,
        paid=paid,
        name=command.name,
        character_id=command.character_id,
        purpose=command.purpose,
        visibility=command.visibility,
        physical=proof is None,
        proof=proof,
    )
    draft.emit(channel_of(command.visibility), e.DiceRolled(roll=roll))


def _ready(draft: Draft, command: RollDice, roll_id: Id) -> int:
    """Return the dice that ventures add for a character that may roll; a hidden roll touches nothing public."""
    if command.character_id is None:
        return 0
    find.able_character(draft, command.character_id)
    if command.visibility is not Visibility.PUBLIC:
        return 0
    settle_choices(draft, command.character_id)
    if command.purpose is not RollPurpose.DAMAGE:
        return 0
    room = MAX_POOL - command.pool
    return min(room, pay(draft, command.character_id, Benefit.DAMAGE, into=roll_id))
