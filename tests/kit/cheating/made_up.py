"""Logs that whoever runs the server made up: records as dictionaries, numbered and chained anew."""

import json
from typing import Any

from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record, canonical, text_of
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, LOG, ROOM, Table

LEDGER = Ledger(ROOM, bytes([0x42]) * 32)
LANE = "seat/player-1/1"
PUBLIC, BOTH = (Channel.PUBLIC,), tuple(Channel)
Fields = dict[str, Any]


def played(*orders: tuple[Actor, Fields], **policy: Any) -> Table:
    """Play with tokens of two seats; each command has a time of its own."""
    table = Table(dice=LEDGER, **{"check_approval": "open", "physical_dice": "everyone", **policy})
    first = [(by, {"type": "roll_dice", "pool": 8, "dice": dice(1, f"seat/{by.seat_id}/1", n)}) for n, by in _TWO]
    for by, order in [*((by, opening(n)) for n, by in _TWO), *first, *orders]:
        table.write(order, by=by, dice=LEDGER)
        table.now_ms += 10
    return table


_TWO = ((1, ANN), (2, BO))


def said(table: Table) -> list[Fields]:
    return [json.loads(text) for text in table.texts]


def record(table: Table, event: Fields, by: str = "gm", channel: str = "public") -> Fields:
    return {"v": 1, "channel": channel, "seq": 0, "at": table.now_ms, "by": by, "event": event}


def place_of(records: list[Fields], kind: str) -> int:
    """Return the place of the last record of this type."""
    return max(place for place, each in enumerate(records) if each["event"]["type"] == kind)


def lies(records: list[Fields], channels: tuple[Channel, ...] = PUBLIC) -> list[str]:
    """Number the records anew, make their chain anew, and return what the audit says."""
    seqs, texts = dict.fromkeys(map(str, channels), 0), []
    for each in records:
        if each["channel"] in seqs:
            seqs[each["channel"]] += 1
            numbers = {"seq": seqs[each["channel"]]} | ({"after": seqs["public"]} if each["channel"] == "gm" else {})
            texts.append(text_of(Record.model_validate_json(canonical({**each, **numbers}))))
    report = verify("".join(write_export(ROOM, LOG, channels, texts)).encode())
    return [fault.sentence for fault in report.faults]


def plain(thing: Any) -> Fields:
    fields: Fields = json.loads(thing.model_dump_json(exclude_none=True))
    return fields
