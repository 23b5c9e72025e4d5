"""Lanes of the dice ledger: opening them, and which slot of which lane a command rolls in."""

from collections.abc import Iterator

from dreadclock.ledger import LANE_LENGTH, ZERO, text32, token_before, value32
from dreadclock.rules.limits import MAX_LANES
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, DiceToken, Id, Value32
from dreadclock.wire.commands import EndTurn, OpenLane, RollingCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import BoundTo, Lane
from dreadclock_server.core.draft import Draft

_SEATS = "seat/"  # how the labels of seats' lanes begin
_NO_ANCHOR = text32(ZERO)  # of all token-less lanes


def open_lane(draft: Draft, command: OpenLane) -> None:
    """Decide `open_lane`: fix a lane for the sender's own tokens."""
    seat_id = draft.by.seat_id
    if command.anchor == _NO_ANCHOR or command.anchor in draft.room.anchors:
        raise Refused(Code.ANCHOR_USED)
    if draft.view.public.made.get(f"lane/{seat_id}", 0) >= MAX_LANES:
        raise Refused(Code.TOO_MANY, limit=MAX_LANES, what="dice lanes of this seat")
    begin_lane(draft, seat_id, command.anchor)


def begin_lane(draft: Draft, seat_id: Id, anchor: Value32 | None = None) -> str:
    """Open a seat's next lane and return its label."""
    label = f"{_SEATS}{seat_id}/{draft.view.public.made.get(f'lane/{seat_id}', 0)}"
    lane = Lane(label=label, seat_id=seat_id, anchor=anchor, key=draft.dice.key(label, anchor))
    draft.emit(Channel.PUBLIC, e.LaneOpened(lane=lane))
    return label


def own_lane(draft: Draft) -> str:
    """Return the lane that the command names, else the sender's token-less one; a used-up one is followed by the next.

    A command that has drawn from a slot goes on with it: it uses at most one, be it the lane's last.
    """
    for label in draft.slots:
        if label.startswith(_SEATS):
            return label
    if draft.token is not None:
        return draft.token.lane
    for lane in draft.view.public.lanes.values():
        if lane.seat_id == draft.by.seat_id and lane.anchor is None and lane.used < LANE_LENGTH:
            return lane.label
    return begin_lane(draft, draft.by.seat_id)


def lane_to_roll(draft: Draft, label: str) -> Lane:
    """Return a lane with a roll left. Raises Refused if it has none."""
    channel = Channel.PUBLIC if label.startswith(_SEATS) else Channel.GM
    lane = draft.part(channel).lanes.get(label)
    if lane is None or lane.used >= LANE_LENGTH:
        raise Refused(Code.LANE_USED_UP, lane=label)
    witness = draft.room.witnesses.get(label)
    return lane if witness is None else lane.model_copy(update=witness._asdict())


def take_token(draft: Draft, command: RollingCommand) -> None:
    """Let a command roll in the slot that its `dice` name, if it rolls in public at all.

    Raises Refused if they name no lane of the sender's, another slot than the next or a token that does not fit, or
    if what the command is about has changed since they were `seen`. That is what it names by id, as far as everyone
    sees it (a roll of hidden things uses no slot of a seat), and for `end_turn` each countdown bound to the turn. Any
    event that made it what it is now counts, the sender's own too; what only the gm sees of it does not.
    """
    dice = command.dice
    if dice is None:
        return
    lane = draft.view.public.lanes.get(dice.lane)
    if lane is None or lane.seat_id != draft.by.seat_id:
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
    if isinstance(command, EndTurn):
        yield from (each.id for each in draft.view.public.countdowns.values() if each.bound_to is BoundTo.TURN)
    for name, value in command:
        if name.endswith("_id") and value is not None:
            yield value
