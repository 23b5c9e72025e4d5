"""A history that holds, made without a network: a table in memory, with an operation for each command."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Positions, advance, opening_head
from dreadclock_server.core.draft import Actor
from kit.history.recorded import Done, History, Operation, Stands, Stream, spans_of
from kit.tables import ANN, BO, GM, LOG, ROOM, Table, loaded

Fields = Mapping[str, Any]
CLOCK: Fields = {"type": "start_clock", "id": "tide", "name": "Tide", "size": 99, "owner": "player-2"}
TICK: Fields = {"type": "tick_clock", "clock_id": "tide"}
ROLL: Fields = {"type": "roll_dice", "pool": 2}
HIDDEN: Fields = {**ROLL, "visibility": "gm"}  # two records: the roll has a lane of its own


def good_history() -> History:
    """Make a history of eight operations in two channels, with the gm and Ann, who hear it in several frames."""
    evening = Evening()
    evening.do("clock", GM, CLOCK)
    evening.do("a1", ANN, ROLL)
    evening.do("g1", GM, HIDDEN)
    evening.do("b1", BO, TICK)
    evening.do("g2", GM, HIDDEN)
    evening.do("a2", ANN, ROLL)
    evening.do("b2", BO, ROLL)
    evening.do("g3", GM, TICK)
    end = len(evening.table.texts)
    streams = [evening.stream(GM, end - 10, end - 3, end), evening.stream(ANN, end - 8, end - 5, end - 1, end)]
    views = {actor.seat_id: evening.table.view_as(actor) for actor in (GM, ANN)}
    return History(ROOM, LOG, list(evening.table.texts), evening.heads(end), evening.operations, streams, views)


class Evening:
    """A table, and what was done at it one after the other, at the times 0, 1, 2 ..."""

    def __init__(self) -> None:
        self.table, self.operations = Table(), list[Operation]()
        self._time = count()

    def do(self, name: str, by: Actor, order: Fields) -> None:
        """Do a command under a name."""
        start, before = float(next(self._time)), len(self.table.texts)
        dice = loaded(3, 4) if order["type"] == "roll_dice" else None
        records = self.table.write({**order, "note": name}, by=by, dice=dice)
        positions = {channel: self.table.room.positions[channel].seq for channel in by.channels}
        done = Done(positions, spans_of(records), self.table.texts[before:])
        self.operations.append(Operation(by.seat_id, name, start, float(next(self._time)), done))

    def heads(self, length: int) -> Positions:
        """Give where the channels stood after so many records."""
        return heads_of(self.table.texts[:length])

    def stream(self, by: Actor, start: int, *ends: int) -> Stream:
        """Give what a seat was sent that came in after `start` records, in frames that end after so many."""
        stream = Stream(by.seat_id, [self._stands(by, start)])
        for first, last in zip((start, *ends), ends, strict=False):
            stream.steps += [text for text in self.table.texts[first:last] if _channel(text) in by.channels]
            stream.steps.append(self._stands(by, last))
        return stream

    def _stands(self, by: Actor, length: int) -> Stands:
        return Stands({channel: head for channel, head in self.heads(length).items() if channel in by.channels})


def heads_of(texts: Sequence[str]) -> Positions:
    """Work out where the channels stand after records."""
    heads = {channel: opening_head(ROOM, LOG, channel) for channel in Channel}
    for text in texts:
        heads[_channel(text)] = advance(heads[_channel(text)], text)
    return heads


def _channel(text: str) -> Channel:
    return Channel.GM if '"channel":"gm"' in text else Channel.PUBLIC
