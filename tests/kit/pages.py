"""What pages print to be played: sessions, and blocks of a language.

In a session a step begins with who sends it and the JSON of the command; below it stands what
everyone is told, set in by ten columns, or by more where a line goes on.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dreadclock import Refused, RestRoom
from dreadclock.narration import Narrator, is_quiet
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record, in_order
from kit.rooms import Table, http_client
from kit.server import Server

_FENCE = "```"
_TOLD = re.compile(r"^ {10}(?! )")
_GOES_ON = re.compile(r"^ {12}")
_SENT = re.compile(r"^(?P<by>[a-z]+) +(?P<json>\{.*)$")
_INVITED = re.compile(r"^\$ dreadclock invite GM_LINK --name (?P<name>\w+)$", re.MULTILINE)


@dataclass
class Step:
    """A command of a session, and what the page says of it, a line for each event."""

    by: str
    text: str
    told: list[str] = field(default_factory=list)

    @property
    def command(self) -> dict[str, Any]:
        """The command itself."""
        command: dict[str, Any] = json.loads(self.text)
        return command

    def go_on(self, line: str) -> None:
        """Add a line of the page."""
        if _TOLD.match(line):
            self.told.append(line.strip())
        elif _GOES_ON.match(line) and self.told:
            self.told[-1] += f" {line.strip()}"
        else:
            self.text += f" {line.strip()}"


def block_of(page: str, language: str) -> str:
    """Read the one block of a page that is in a language."""
    (block,) = re.findall(rf"^{_FENCE}{language}\n(.*?)^{_FENCE}$", page, re.MULTILINE | re.DOTALL)
    return str(block)


def steps_of(page: str) -> list[Step]:
    """Read a page's session."""
    return [step for block in page.split(_FENCE)[1::2] for step in _steps(block.splitlines())]


def _steps(lines: Sequence[str]) -> Iterator[Step]:
    step: Step | None = None
    for line in lines:
        if sent := _SENT.match(line):
            if step is not None:
                yield step
            step = Step(sent["by"], sent["json"])
        elif step is not None:
            step.go_on(line)
    if step is not None:
        yield step


class Session:
    """A page's session on a table of its own."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._heard = Counter[Channel]()

    @classmethod
    async def begin(cls, server: Server, page: str) -> "Session":
        """Open a room, and invite whom the page invites, in its order."""
        async with http_client(server) as http:
            answer = await http.post("/api/rooms", json={"title": "The evening"})
        table = Table(server, answer.json()["room_id"], "The evening", {"gm": answer.json()["gm"]})
        for name in _INVITED.findall(page):
            await table.invite(name.lower(), "player")
        session = cls(table)
        await session._new_records()
        return session

    async def play(self, step: Step) -> list[str]:
        """Send a step's command, and tell what came of it as a page does."""
        try:
            await self._room(step.by).send_command(step.command)
        except Refused as refused:
            return [f"(refused, to {'the gm' if step.by == 'gm' else step.by.title()} alone) {refused.sentence}"]
        view = await self._room("gm").view()
        tell = Narrator().told
        return [tell(record, view) for record in await self._new_records() if not is_quiet(record.event)]

    def _room(self, name: str) -> RestRoom:
        return RestRoom(self._table.server.url, self._table.id, self._table.token(name))

    async def _new_records(self) -> Sequence[Record]:
        texts = await self._table.log(public=self._heard[Channel.PUBLIC], gm=self._heard[Channel.GM])
        records = in_order(Record.model_validate_json(text) for text in texts)
        self._heard.update(record.channel for record in records)
        return records
