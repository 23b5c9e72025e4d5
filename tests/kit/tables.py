"""A table without a network: a room with its seats, loaded dice, commands in and events out."""

import json
from collections import deque
from collections.abc import Mapping
from itertools import count
from typing import Any, TypeVar

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, Model, Role, Scope
from dreadclock.wire.commands import COMMAND, Command
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import Record, text_of
from dreadclock.wire.rest import Undoable
from dreadclock.wire.things import Lane, Part, PartRoll, Policy
from dreadclock.wire.views import View
from dreadclock_server.core.decide import Decision, InternalCommand, decide
from dreadclock_server.core.draft import Actor, Dice
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.room import Evolving, Room, Written, empty_room, read
from dreadclock_server.core.undoable import tried

ROOM = "abcdefghijklmnopqrstuvwxya"
LOG = "0" * 32
KEY = "Q" * 43  # of every loaded lane and slot

GM = Actor("gm", Role.GM)
ANN = Actor("player-1", Role.PLAYER)
BO = Actor("player-2", Role.PLAYER)
WATCHER = Actor("spectator-3", Role.SPECTATOR)
BOT = Actor("integration-4", Role.INTEGRATION)
CLERK = Actor("integration-5", Role.INTEGRATION, (Scope.TURNS,))
ORACLE = Actor("integration-6", Role.INTEGRATION, (Scope.TURNS, Scope.SECRETS))
SEATS = {"Ann": ANN, "Bo": BO, "Watcher": WATCHER, "Bot": BOT, "Clerk": CLERK, "Oracle": ORACLE}

_Model = TypeVar("_Model", bound=Model)
Order = Command | InternalCommand | Mapping[str, Any]


def evolve(room: Room, written: Written) -> Room:
    """Return the room after a record, which must be the next of its channel."""
    evolving = Evolving(room)
    evolving.add(written)
    return evolving.end([written], keeps_undo=False)


class Loaded:
    """Dice that show the faces they were loaded with, in that order, whichever lane they are rolled in."""

    def __init__(self, *faces: int) -> None:
        self._faces = deque(faces)

    def key(self, label: str, anchor: str | None) -> str:
        return KEY

    def slot(self, lane: Lane, n: int, token: str | None) -> "LoadedSlot":
        return LoadedSlot(self, n)

    def take(self, count: int) -> Faces:
        assert count <= len(self._faces), f"{count} dice are rolled, {len(self._faces)} are loaded"
        return tuple(self._faces.popleft() for _ in range(count))

    def assert_used(self) -> None:
        """Fail if faces are left that nobody rolled."""
        assert not self._faces, f"nobody rolled {list(self._faces)}"


class LoadedSlot:
    """One roll with loaded dice."""

    key = KEY

    def __init__(self, dice: Loaded, n: int) -> None:
        self.n, self.taken = n, 0
        self._dice = dice

    def take(self, count: int) -> Faces:
        self.taken += count
        return self._dice.take(count)


def loaded(*faces: int) -> Loaded:
    """Load dice; none at all says that nothing may be rolled."""
    return Loaded(*faces)


class Table:
    """A room with a gm, Ann and Bo, a spectator and three integrations, in which commands are decided.

    Whatever happens is also replayed from the texts of its records, which must lead to the same room.
    """

    def __init__(self, *, dice: Dice | None = None, **policy: Any) -> None:
        self.room: Room = empty_room(ROOM, LOG)
        self.records: list[Record] = []  # since the table was opened, over all channels
        self.texts: list[str] = []
        self.now_ms = 1_000
        self._fresh = count(1)
        self._decide(Open("The bomb", Policy.model_validate_json(json.dumps(policy))), GM, dice or loaded())
        for name, actor in SEATS.items():
            self._decide(JoinSeat(actor.role, name, actor.scopes), GM, dice or loaded())

    @property
    def view(self) -> View:
        """What the gm sees."""
        return self.room.view

    def do(self, order: Order, *, by: Actor = GM, dice: Dice | None = None) -> list[e.Event]:
        """Do a command and return its events in order, over all channels, without the proofs of rolls."""
        return [without_proof(each.event) for each in self.write(order, by=by, dice=dice)]

    def write(self, order: Order, *, by: Actor = GM, dice: Dice | None = None) -> list[Record]:
        """Do a command and return its records."""
        dice = dice or loaded()
        decision = self._decide(command_of(order), by, dice)
        if isinstance(dice, Loaded):
            dice.assert_used()
        return [each.record for each in decision.written]

    def in_channel(self, channel: Channel, order: Order, *, by: Actor = GM, dice: Dice | None = None) -> list[e.Event]:
        """Do a command and return its events in one channel."""
        records = self.write(order, by=by, dice=dice)
        return [without_proof(each.event) for each in records if each.channel is channel]

    def refused(self, order: Order, *, by: Actor = GM, dice: Dice | None = None) -> Refused:
        """Return why a command is refused; it must be, change nothing, and name all that its sentence is about."""
        before = self.room
        try:
            decision = self._decision(command_of(order), by, dice or loaded())
        except Refused as refused:
            assert self.room is before
            sentence = refused.sentence
            assert not any(gap in sentence for gap in ("?", "None")), sentence
            return refused
        raise AssertionError(f"not refused: {decision.events}")

    def refusal(self, order: Order, *, by: Actor = GM, dice: Dice | None = None) -> tuple[Code, Mapping[str, object]]:
        """Return the code and the details of a refusal, as `refused` finds it."""
        refused = self.refused(order, by=by, dice=dice)
        return refused.code, refused.details

    def happen(self, event: e.Event) -> None:
        """Add an event to the public channel as if a command had brought it about."""
        record = Evolving(self.room).next_record(Channel.PUBLIC, event, by="gm", now_ms=self.now_ms)
        self.room = evolve(self.room, read(self.room, text_of(record)))

    def view_as(self, actor: Actor) -> View:
        """Return what a seat sees."""
        return View(channels={channel: self.view.channels[channel] for channel in actor.channels})

    def public(self) -> list[str]:
        """Return the texts of all public records."""
        pairs = zip(self.records, self.texts, strict=True)
        return [text for record, text in pairs if record.channel is Channel.PUBLIC]

    def _decide(self, command: Command | InternalCommand, by: Actor, dice: Dice) -> Decision:
        decision = self._decision(command, by, dice)
        replayed = self.room
        for written in decision.written:
            replayed = evolve(replayed, read(replayed, written.text))
        assert replayed == decision.room
        self.room = decision.room
        self.records += [each.record for each in decision.written]
        self.texts += [each.text for each in decision.written]
        return decision

    def _decision(self, command: Command | InternalCommand, by: Actor, dice: Dice) -> Decision:
        return decide(self.room, command, by=by, dice=dice, now_ms=self.now_ms, fresh=self.fresh)

    def fresh(self) -> str:
        """Make the random part of an id, which in tests counts."""
        return f"{next(self._fresh):012x}"


def command_of(order: Order) -> Command | InternalCommand:
    """Return an order as a command."""
    return read_command(order) if isinstance(order, Mapping) else order


def read_command(fields: Mapping[str, Any]) -> Command:
    """Read a command as it comes over the wire."""
    return COMMAND.validate_json(json.dumps(fields))


def without_proof(event: e.Event) -> e.Event:
    """Leave out of an event how its faces can be recomputed."""
    match event:
        case e.CountdownRolled() | e.CountdownRepeated() | e.TotalRolled():
            return event.model_copy(update={"proof": None})
        case e.DiceRolled():
            return event.model_copy(update={"roll": _unproven(event.roll)})
        case e.CheckRolled(part=Part(roll=PartRoll() as roll)):
            return event.model_copy(update={"part": event.part.model_copy(update={"roll": _unproven(roll)})})
        case e.CheckResolved():
            return event.model_copy(update={"result": _unproven(event.result)})
        case e.LuckPushed():
            return event.model_copy(update={"push": _unproven(event.push)})
    return event


def _unproven(thing: _Model) -> _Model:
    return thing.model_copy(update={"proof": None})


def undoable(room: Room, by: Actor) -> list[Undoable]:
    """Return the commands that a seat may undo, the latest first, by their records in a channel that the seat sees."""
    return [command for command in tried(room, by) if command is not None]
