"""Readers of a stream that are cut at any byte, a hundred times and more: each comes back, and none misses anything."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dreadclock.cli import main
from dreadclock.export import read_export
from kit.event_reader import LINES, SSE, EventReader, Told, event_reader
from kit.raw import RawClient
from kit.rooms import Table
from kit.server import Server

READERS = ("gm",) * 8 + ("ann", "ben") * 4 + ("eve",) * 9
CUTS = 5  # of each reader, so that it is more than a hundred in all
MOST = 35_000  # bytes between two cuts
END, RECORD = '"the end"', '"record":'
PUBLIC, GM = '"channel":"public"', '"channel":"gm"'
COMMANDS = (
    {"type": "roll_dice", "pool": 3, "note": "⚅ with a colon: and more"},
    {"type": "start_countdown", "name": "Gas", "pool": 2, "visibility": "gm"},
    {"type": "start_countdown", "name": "Air", "pool": 4, "visibility": "sealed", "bound_to": "turn"},
    {"type": "end_turn"},
)


@dataclass
class Killed:
    """Somebody who reads on after each cut."""

    name: str
    form: str
    chance: Random
    told: list[Told] = field(default_factory=list)
    last_id: str | None = None
    cuts: int = 0
    ends: set[str] = field(default_factory=set)  # of its channels

    @property
    def knows_all(self) -> bool:
        """Whether the last record of each of its channels was told."""
        return len(self.ends) == (2 if self.name == "gm" else 1)

    async def read(self, servers: list[Server], table: Table) -> None:
        """Read until all is told, and be cut some times before."""
        while not self.knows_all:
            server = self.chance.choice(servers)
            async with event_reader(table, self.name, self.form, self.last_id, server=server) as reader:
                await self._read_some(reader, self.chance.randrange(1, MOST) if self.cuts < CUTS else None)
                reader.vanish()
            self.cuts += 1

    async def _read_some(self, reader: EventReader, size: int | None) -> None:
        while size != 0 and not self.knows_all:
            before, piece = len(reader.told), 700 if size is None else min(size, 700)
            async with asyncio.timeout(20):
                goes_on = await reader.take(piece)
            assert goes_on, "it was cut by the server"
            size = None if size is None else size - piece
            self._keep(reader.told[before:])

    def _keep(self, told: list[Told]) -> None:
        for each in told:
            assert each.kind != "reset"
            self.last_id = each.id
            if each.kind == "record":
                self.told.append(each)
                self.ends |= {each.data["channel"]} if END in each.text else set()

    def heads(self) -> list[tuple[str, str]]:
        """Give each record with the head that its id says its channel has after it."""
        rows = []
        for told in self.told:
            heads = dict(part.split(":")[::2] for part in str(told.id).split(","))
            rows.append((told.text, heads[told.data["channel"]]))
        return rows


async def play(gm: RawClient) -> None:
    """Let a lot happen while readers come and go."""
    for number in range(100):
        await gm.do(COMMANDS[number % len(COMMANDS)])
    for visibility in ("gm", "public"):
        last = await gm.do({"type": "roll_dice", "pool": 1, "visibility": visibility, "note": "the end"})
        assert last["type"] == "ack"


async def exported(table: Table, name: str, path: Path) -> list[tuple[str, str]]:
    """Give each record that somebody's export holds, and the head after it."""
    assert await asyncio.to_thread(main, ["export", table.grants[name]["link"], "-o", str(path)]) == 0
    data = await asyncio.to_thread(path.read_bytes)
    read_export(data)  # which raises if it does not hold
    lines = data.decode().splitlines()[1:]
    return [(line[line.index(RECORD) + len(RECORD) : -1], json.loads(line)["head"]) for line in lines]


async def test_a_hundred_cut_readers_miss_nothing(table: Table, second: Server, tmp_path: Path, figures: list[str]):
    forms = [SSE, LINES] * len(READERS)
    readers = [Killed(name, forms[number], Random(number)) for number, name in enumerate(READERS)]
    start = {name: len(await table.log(name)) for name in READERS}
    for each in readers:
        async with event_reader(table, each.name) as reader:
            each.last_id = (await reader.expect("welcome")).id
    async with table.connected("gm") as gm, asyncio.TaskGroup() as group:
        group.create_task(play(gm))
        for each in readers:
            group.create_task(each.read([table.server, second], table))

    for name in start:
        records = (await exported(table, name, tmp_path / f"{name}.jsonl"))[start[name] :]
        for channel in (PUBLIC, GM):
            expected = [row for row in records if channel in row[0]]
            for each in readers:
                if each.name == name:
                    assert [row for row in each.heads() if channel in row[0]] == expected
    cuts = sum(each.cuts for each in readers)
    told = sum(len(each.told) for each in readers)
    figures.append(f"{cuts} cuts of {len(readers)} readers, who were told {told} records, each once")
    assert cuts > 100
