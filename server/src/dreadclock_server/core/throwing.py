"""Throwing dice for a command: from the ledger's lanes, or as physical faces."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from dreadclock.following.telling import Root
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, Id, Role, RollProof, Value32, Visibility
from dreadclock.wire.commands import RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import Lane, PhysicalDice

if TYPE_CHECKING:
    from dreadclock_server.core.draft import Draft, Slot

_SEATS = "seat/"  # how the labels of seats' lanes begin
Wanted = Callable[[Faces], int]  # how many faces a roll takes in all, as far as the first ones tell


def throw(draft: "Draft", pool: int, command: RollingCommand, root: Root) -> tuple[Faces, RollProof | None]:
    """Return `pool` faces and their proof, which physical dice lack.

    Raises Refused if physical faces are not allowed, or too few or too many.
    """
    if command.faces is not None:
        return _physical(draft, lambda faces: pool, "one for each die", command.faces), None
    slot, proof = _slot(draft, root)
    return slot.take(pool), proof


def throw_until(
    draft: "Draft", wanted: Wanted, why: str, command: RollingCommand, root: Root
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


def _slot(draft: "Draft", root: Root) -> "tuple[Slot, RollProof]":
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


def deal(draft: "Draft", wanted: Wanted, root: Root) -> tuple[Faces, RollProof | None]:
    """Return faces that the server deals, even where the command's own dice are physical."""
    return throw_until(draft, wanted, "", RollingCommand(), root)


def _physical(draft: "Draft", wanted: Wanted, why: str, faces: Faces) -> Faces:
    allowed = draft.view.policy.physical_dice
    if allowed is PhysicalDice.OFF:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="nobody")
    if allowed is PhysicalDice.GM and draft.by.role is not Role.GM:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="only the gm")
    if len(faces) != wanted(faces):
        raise Refused(Code.WRONG_FACES, needed=wanted(faces), given=len(faces), why=why)
    return faces


def is_used_up(draft: "Draft", root: Root) -> bool:
    """Tell whether a hidden thing has no roll of the ledger left."""
    hidden = root.visibility is not Visibility.PUBLIC
    return hidden and draft.part(Channel.GM).lanes[lane_of_thing(root.kind, root.id)].used >= LANE_LENGTH


def begin_lane(draft: "Draft", seat_id: Id, anchor: Value32 | None = None) -> str:
    """Open a seat's next lane and return its label."""
    label = f"{_SEATS}{seat_id}/{draft.view.public.made.get(f'lane/{seat_id}', 0)}"
    lane = Lane(label=label, seat_id=seat_id, anchor=anchor, key=draft.dice.key(label, anchor))
    draft.emit(Channel.PUBLIC, e.LaneOpened(lane=lane))
    return label


def own_lane(draft: "Draft") -> str:
    """Return the lane that the command names, else its sender's token-less one; a used-up one is followed by the next.

    A command that has drawn from a slot goes on with it: it uses at most one, be it the lane's last.
    """
    for label in draft.slots:
        if label.startswith(_SEATS):
            return label
    if draft.token is not None:
        return draft.token.lane
    seat_id = draft.sender.seat_id
    for lane in draft.view.public.lanes.values():
        if lane.seat_id == seat_id and lane.anchor is None and lane.used < LANE_LENGTH:
            return lane.label
    return begin_lane(draft, seat_id)


def lane_to_roll(draft: "Draft", label: str) -> Lane:
    """Return a lane with a roll left. Raises Refused if it has none."""
    channel = Channel.PUBLIC if label.startswith(_SEATS) else Channel.GM
    lane = draft.view.channels[channel].lanes.get(label)
    if lane is None or lane.used >= LANE_LENGTH:
        raise Refused(Code.LANE_USED_UP, lane=label)
    witness = draft.room.witnesses.get(label)
    return lane if witness is None else lane.model_copy(update=witness._asdict())
