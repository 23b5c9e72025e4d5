"""Plain rolls (outside of countdowns, checks and totals), and the lanes of the dice ledger.

A lane is a series of rolls whose dice a seat and the server fixed in advance. For each of these rolls, the seat has a
secret token, and the server a secret key. The faces are computed from both, and from a witness: a hash over tokens of
other seats.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.ledger import LANE_LENGTH, ZERO, text32, value32, witnessed
from dreadclock.rules.limits import LANES_KEPT, MAX_WAITING_ON_SHEET, ROLLS_KEPT
from dreadclock.wire.base import (
    ChosenId,
    ChosenName,
    Count,
    Faces,
    HiddenKind,
    Id,
    Kind,
    Later,
    Model,
    Name,
    Pool,
    RollProof,
    Value32,
    Visibility,
)
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo, RollingCommand
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, adds, counted, dropped, joins, too_old, updated


class RollPurpose(StrEnum):
    """The purpose of a plain roll."""

    DAMAGE = "damage"
    OTHER = "other"


class Roll(Model):
    """A plain roll: a roll of a pool that belongs to no countdown, check or total."""

    id: Id
    seat_id: Id
    faces: Faces
    paid: Count = 0  # how many of the dice came from ventures
    added: Annotated[int, Field(ge=1)] | None = None  # how many of the dice were added by sixes; absent: none
    name: Name | None = None
    character_id: Id | None = None
    purpose: RollPurpose = RollPurpose.OTHER
    action: Later[bool] = False  # whether the roll was the character's action
    within_id: Id | None = None  # the scene or situation of the roll, if named or if sixes add dice there
    visibility: Visibility = Visibility.PUBLIC
    physical: bool = False
    proof: RollProof | None = None


class Lane(Model):
    """A lane of the dice ledger: before its first roll, client and server commit to their secrets for all its rolls.

    After the lane was opened, each other seat's first revealed token is hashed into `witness`. A roll uses
    `next_witness`: the value that `witness` had at the lane's previous roll. An absent witness means 32 zero bytes.

    Of a sealed thing, players see only the name. From `sealed_started` until the thing is revealed, its lane is in the
    public view, too. In that view, `used` stays 0 until the reveal, because the rolls become public with the thing.
    `tokens` lists the tokens in `witness`, in order.
    """

    label: str
    seat_id: Id | None = None  # absent in the lane of a hidden thing
    started_by: Id | None = None  # the seat that started the sealed thing: its tokens are not hashed into `witness`
    anchor: Value32 | None = None  # t_0 of the client's tokens; absent in a lane without tokens
    key: Value32  # k_0 of the server's keys
    used: Count = 0  # rolls made
    token: Value32 | None = None  # the latest token shown
    tokens_before: Count = 0  # how many tokens the room had seen when the lane was opened
    witness: Value32 | None = None
    witnesses: Count = 0  # tokens in `witness`
    tokens: tuple[Value32, ...] | None = None  # the tokens in `witness`, for the lane of a sealed thing
    next_witness: Value32 | None = None
    next_witnesses: Count = 0  # tokens in `next_witness`


# Commands


class RollDice(RollingCommand):
    """Roll a pool of dice that belongs to no countdown, check or total.

    `claims`: the ventures whose dice are added to a character's damage; by default none. With a venture, a
    character gives up dice in a check to gain dice for a later roll. `action`: whether the roll is the character's
    action. After an action, the ventures that the character declared earlier lapse. `within_id`: the scene or
    situation in which damage is rolled. If its scene has `sixes_add`, each 6 adds a die.
    """

    type: Literal["roll_dice"] = "roll_dice"
    id: ChosenId | None = None
    pool: Pool
    name: ChosenName | None = None
    character_id: Id | None = None
    purpose: RollPurpose = RollPurpose.OTHER
    claims: Annotated[tuple[Id, ...], Field(max_length=MAX_WAITING_ON_SHEET)] | None = None
    action: bool = False
    within_id: Id | None = None
    visibility: Visibility = Visibility.PUBLIC


class OpenLane(CommandBase):
    """Open a lane: a series of rolls for whose dice the client and the server fix their secrets now.

    `anchor`: the first value of the client's hash chain of dice tokens; it commits the client to all of them.
    """

    type: Literal["open_lane"] = "open_lane"
    anchor: Value32


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class LaneOpened(EventBase):
    """The server opened a lane: a series of 1,024 rolls for whose dice the server fixes secret keys now.

    The rolls belong to a seat, or to a hidden thing. `key` of `lane`: the lane's first key, which anyone needs to
    verify these rolls. The dice can also depend on tokens: secrets that seats show when they roll.
    """

    type: Literal["lane_opened"] = "lane_opened"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    lane: Lane


class DiceRolled(EventBase):
    """Dice were rolled that belong to no countdown, check or total."""

    type: Literal["dice_rolled"] = "dice_rolled"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    roll: Roll


# How these events change a view


def forgotten_rolls(rolls: Mapping[Id, Roll]) -> list[Id]:
    """Return the ids of the rolls to drop. The latest ROLLS_KEPT sealed rolls and the latest ROLLS_KEPT other rolls
    remain.
    """
    sealed = too_old(rolls, lambda roll: roll.visibility is Visibility.SEALED, ROLLS_KEPT)
    return sealed + too_old(rolls, lambda roll: roll.visibility is not Visibility.SEALED, ROLLS_KEPT)


TOKEN = "token"  # the key in `made` that counts the tokens of a room


def _lane_opened(part: ViewPart, event: LaneOpened) -> Changes:
    """Add a lane. Remove the seat's used-up lanes. If the new lane has tokens, keep at most LANES_KEPT such lanes."""
    fresh = event.lane
    if fresh.seat_id is None:
        return [("lanes", fresh.label, fresh)]
    mine: list[Lane] = [lane for lane in part.lanes.values() if lane.seat_id == fresh.seat_id]
    usable = [lane.label for lane in mine if lane.used < LANE_LENGTH and lane.anchor is not None]
    closed = {lane.label for lane in mine if lane.used >= LANE_LENGTH}
    if fresh.anchor is not None:
        closed.update(usable[: max(0, len(usable) + 1 - LANES_KEPT)])
    fresh = fresh.model_copy(update={"tokens_before": part.made.get(TOKEN, 0)})
    return [*dropped("lanes", closed), ("lanes", fresh.label, fresh), *counted(part, f"lane/{fresh.seat_id}")]


def lane_rolled(part: ViewPart, proof: RollProof) -> Changes:
    """Return the changes that a roll by the server makes in lanes.

    The roll is counted in its own lane, and its token is hashed into the witnesses of other seats' lanes.
    """
    before: Lane = part.lanes[proof.lane]
    rolled = updated(
        part,
        "lanes",
        proof.lane,
        used=proof.n,
        token=proof.token or before.token,
        next_witness=before.witness,
        next_witnesses=before.witnesses,
    )
    if proof.token is None or before.seat_id is None:
        return [rolled]
    shown = ("shown", before.seat_id, part.made.get(TOKEN, 0) + 1)
    return [rolled, *_witnessing(part, before.seat_id, proof.token), shown, *counted(part, TOKEN)]


def _witnessing(part: ViewPart, seat_id: Id, token: Value32) -> Changes:
    """Return the changes that hash a seat's token into the witnesses of other seats' lanes.

    A lane that was opened before this seat's previous token is left out: it already has a token of this seat.
    """
    last = part.shown.get(seat_id, 0)
    return [
        ("lanes", label, _witnessed(lane, token))
        for label, lane in part.lanes.items()
        if (lane.seat_id or lane.started_by) not in (None, seat_id) and last <= lane.tokens_before
    ]


def _witnessed(lane: Lane, token: Value32) -> Lane:
    witness = value32(lane.witness) if lane.witness is not None else ZERO
    value = text32(witnessed(witness, value32(token)))
    changes: dict[str, Any] = {"witness": value, "witnesses": lane.witnesses + 1}
    if lane.tokens is not None:
        changes["tokens"] = (*lane.tokens, token)
    return lane.model_copy(update=changes)


def lane_of_thing(kind: Kind | str, thing_id: Id) -> str:
    """Return the label of a hidden thing's lane."""
    return f"thing/{kind}/{thing_id}"


def lane_closed(part: ViewPart, kind: HiddenKind, thing_id: Id) -> Changes:
    """Return the changes that remove the lane of a hidden thing, which will not be rolled again."""
    label = lane_of_thing(kind, thing_id)
    return dropped("lanes", [label]) if label in part.lanes else []


def closes(kind: HiddenKind) -> partial[Changes]:
    """Return a fold (a function that applies an event to a view) that removes the lane of the event's thing."""
    return partial(_close, kind, f"{kind}_id")


def _close(kind: HiddenKind, id_field: str, part: ViewPart, event: Any) -> Changes:
    return lane_closed(part, kind, getattr(event, id_field, None) or getattr(event, kind).id)


FOLDS: dict[type[EventBase], Fold] = {
    LaneOpened: _lane_opened,
    DiceRolled: joins(adds("rolls", forgotten=forgotten_rolls), closes(Kind.ROLL)),
}
