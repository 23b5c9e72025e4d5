"""Draw the faces of a roll, or check the faces that somebody typed in for physical dice.

A lane is a series of 1,024 rolls that are fixed in advance, and a slot is the n-th of them. The faces follow from a key
of the server, a token of the seat (not in every lane), and a witness: a hash of the tokens that other seats have shown.
Source: docs/dice.md.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dreadclock.rules.ledger import LANE_LENGTH, text32, token_before, value32
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, DiceToken, Faces, Id, Role, RollProof, Value32, Visibility
from dreadclock.wire.commands import EndRound, EndTurn, RollDice, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.scenes import scene_of, usual_place
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import BoundTo, Countdown, Lane, PhysicalDice, RollPurpose

if TYPE_CHECKING:
    from dreadclock_server.core.draft import Draft, Slot, Topic

_SEATS = "seat/"  # prefix of the labels of seats' lanes
# Returns how many dice a roll has in total. Its argument is the faces drawn so far: some faces add dice.
DiceNeeded = Callable[[Faces], int]


def draw_faces(draft: "Draft", pool: int, command: RollingCommand, topic: "Topic") -> tuple[Faces, RollProof | None]:
    """Return `pool` faces and their proof, with which anybody can compute them again. No proof for physical dice.

    Raises Refused if physical dice are not allowed, if there are too few or too many faces, if the lane for the roll
    is missing or used up, or if the room's dice secret is lost.
    """
    if command.faces is not None:
        return _physical(draft, lambda faces: pool, "one for each die", command.faces), None
    slot, proof = _slot(draft, topic)
    return slot.take(pool), proof


def draw_until(
    draft: "Draft", wanted: DiceNeeded, why: str, command: RollingCommand, topic: "Topic"
) -> tuple[Faces, RollProof | None]:
    """Draw dice until `wanted` asks for no more, and return the faces in the order drawn, with their proof.

    `why`: the reason for this number of dice, as the end of a sentence in a refusal. Raises Refused if physical dice
    are not allowed, if there are too few or too many faces, if the lane is missing or used up, or if the room's dice
    secret is lost.
    """
    if command.faces is not None:
        return _physical(draft, wanted, why, command.faces), None
    slot, proof = _slot(draft, topic)
    faces: Faces = ()
    while len(faces) < (all_told := wanted(faces)):
        faces += slot.take(all_told - len(faces))
    return faces, proof


def _slot(draft: "Draft", topic: "Topic") -> "tuple[Slot, RollProof]":
    """Return the slot for a roll, and the roll's proof.

    All rolls of a command in the same lane share a slot. The proof of the first roll has the slot's key and token; the
    proofs of later rolls only have `start`, the number of faces taken before.
    """
    hidden = topic.visibility is not Visibility.PUBLIC
    label = lane_of_thing(topic.kind, topic.id) if hidden else own_lane(draft)
    slot = draft.slots.get(label)
    if slot is not None:
        return slot, RollProof.trusted(lane=label, n=slot.n, start=slot.taken)
    lane = lane_to_roll(draft, label)
    token = draft.token.token if draft.token is not None and not hidden else None
    slot = draft.slots[label] = draft.dice.slot(lane, lane.used + 1, token)
    return slot, RollProof.trusted(lane=label, n=slot.n, key=slot.key, token=token, witnesses=lane.next_witnesses)


def draw_from_ledger(draft: "Draft", wanted: DiceNeeded, topic: "Topic") -> tuple[Faces, RollProof | None]:
    """Return faces that the server rolls, and their proof. Ignores faces of physical dice in the command."""
    return draw_until(draft, wanted, "", RollingCommand(), topic)


def _physical(draft: "Draft", wanted: DiceNeeded, why: str, faces: Faces) -> Faces:
    allowed = draft.view.policy.physical_dice
    if allowed is PhysicalDice.OFF:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="nobody")
    if allowed is PhysicalDice.GM and draft.by.role is not Role.GM:
        raise Refused(Code.PHYSICAL_DICE_OFF, allowed="only the gm")
    if len(faces) != wanted(faces):
        raise Refused(Code.WRONG_FACES, needed=wanted(faces), given=len(faces), why=why)
    return faces


def begin_lane(draft: "Draft", seat_id: Id, anchor: Value32 | None = None) -> str:
    """Open a seat's next lane and return its label. `anchor`: a hash of the seat's tokens; None without tokens.

    Raises Refused if the room's dice secret is lost.
    """
    label = f"{_SEATS}{seat_id}/{draft.view.public.made.get(f'lane/{seat_id}', 0)}"
    lane = Lane(label=label, seat_id=seat_id, anchor=anchor, key=draft.dice.key(label, anchor))
    draft.emit(Channel.PUBLIC, e.LaneOpened(lane=lane))
    return label


def own_lane(draft: "Draft") -> str:
    """Return the label of the lane for a public roll of the command. Opens a lane without tokens if there is none.

    If the command has rolled in a seat's lane before, returns this lane. All public rolls of a command share a slot, so
    that the command can finish its rolls even in the last slot of a lane. Otherwise, returns the lane that the
    command's `dice` name, or else a lane of the sender without tokens that is not used up.
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
    """Return a lane, with the witness for its next roll. Raises Refused if the lane is missing or used up."""
    channel = Channel.PUBLIC if label.startswith(_SEATS) else Channel.GM
    lane = draft.view.channels[channel].lanes.get(label)
    if lane is None or lane.used >= LANE_LENGTH:
        raise Refused(Code.LANE_USED_UP, lane=label)
    witness = draft.room.witnesses.get(label)
    return lane if witness is None else lane.model_copy(update=witness._asdict())


def take_token(draft: "Draft", command: RollingCommand) -> None:
    """Check the `dice` of a command, which name a slot and its token. The command's public rolls then use this slot.

    Raises Refused if the lane is not the sender's or is used up, if the slot is not the next slot of the lane, or if
    the token is wrong. `dice.seen` is the last public record that the sender had seen. Also raises Refused if a later
    public event changed one of these things, even if the sender caused that event:

    - the public things that the command names by id (rolls of hidden things do not use the slots of seats);
    - for `end_turn` and `end_round`, every countdown that may be rolled;
    - for a damage roll, the scene that says whether each 6 adds a die.
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


def _fits(draft: "Draft", lane: Lane, dice: DiceToken) -> bool:
    if lane.anchor is None or dice.token is None:
        return lane.anchor is dice.token is None
    before = token_before(room_bytes(draft.room.room_id), dice.n, value32(dice.token))
    return text32(before) == (lane.token or lane.anchor)


def _named(draft: "Draft", command: RollingCommand) -> Iterator[Id]:
    if type(command) is EndTurn or type(command) is EndRound:
        countdowns = draft.view.public.countdowns.values()
        yield from (countdown.id for countdown in countdowns if _may_roll(command, countdown))
        return
    if type(command) is RollDice and command.purpose is RollPurpose.DAMAGE:
        scene = scene_of(draft.view, command.within_id or usual_place(draft.view, None))
        yield from () if scene is None else (scene.id,)
    for name, value in command:
        if name.endswith("_id") and value is not None:
            yield value


def _may_roll(command: EndTurn | EndRound, countdown: Countdown) -> bool:
    if isinstance(command, EndRound):
        return countdown.bound_to is BoundTo.ROUNDS and countdown.bound_id == command.situation_id
    if command.scene_id is not None:
        return countdown.bound_to is BoundTo.SCENE and countdown.bound_id == command.scene_id
    return countdown.bound_to in (BoundTo.TURN, BoundTo.SCENE)
