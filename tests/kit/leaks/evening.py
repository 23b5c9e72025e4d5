"""A random evening on a real server: the gm keeps secrets, the others look for them."""

import json
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.events import Revealed
from kit.evenings.prepared import GM_ONLY, SEALED, evening_orders
from kit.leaks import outsiders
from kit.leaks.marks import Fields, found_in, mint
from kit.leaks.people import Company, Person, gathered
from kit.raw import Frame
from kit.server import Server
from kit.strategies.marking import is_no_reveal, marked
from kit.strategies.scripts import OFTEN, random_step
from kit.tables import ANN, BO, BOT, CLERK, GM, WATCHER

NAMES = {GM: "gm", ANN: "ann", BO: "ben", WATCHER: "eve", BOT: "bot", CLERK: "timer"}
SEATS = (*(GM,) * 12, ANN, ANN, ANN, BO, CLERK, WATCHER, BOT)
KINDS = tuple(kind for kind in OFTEN if kind not in ("close_room", "leave_seat", "remove_seat", "open_lane"))
STEPS = 60
# What only the gm knows, under ids that others can guess; the texts hold the mark.
PLAIN: tuple[Fields, ...] = (
    {"type": "start_countdown", "id": "gm-plain-1", "name": GM_ONLY, "pool": 20, "bound_to": "turn"},
    {"type": "start_clock", "id": "gm-plain-2", "name": GM_ONLY, "size": 9},
    {"type": "open_scene", "id": "gm-plain-3", "name": GM_ONLY, "clock": 9},
)
PLAIN_IDS = [str(order["id"]) for order in PLAIN]
SEALED_IDS = [mark.partition("-")[2] for mark in SEALED]
_TRIED = (*("guess",) * 4, "babble", "repeat", *("read",) * 2, *("come back",) * 3, "knock")


class Evening:
    """One room, played at random from a seed.

    `secret` is in all ids and texts that only the gm may know, `seal` in those of sealed things, with the thing's id.
    """

    def __init__(self, company: Company, seed: int) -> None:
        self.company = company
        self.chance = random.Random(seed)
        self.secret, self.seal = mint(self.chance), mint(self.chance)
        self.count: Counter[str] = Counter()
        self._shown: dict[str, dict[str, int]] = {}  # sealed things, with the bytes that each had been sent before
        self._looked_at = 0

    @classmethod
    @asynccontextmanager
    async def at(cls, server: Server, seed: int, other: Server | None = None) -> "AsyncIterator[Evening]":
        """Gather a company for an evening, some of it on another node if there is one."""
        async with gathered(server, other, {"physical_dice": "everyone"}) as company:
            yield cls(company, seed)

    def leaks(self, one: Person) -> list[str]:
        """Return the marks among what somebody was sent before they were hers to know."""
        sent = one.tap.bytes
        found = [self.secret] if found_in(self.secret, sent) else []
        for thing_id in SEALED_IDS:
            before = sent[: self._shown.get(thing_id, {}).get(one.name, len(sent))]
            found += [thing_id] if found_in(f"{self.seal}-{thing_id}", before) else []
        return found

    async def play(self) -> None:
        """Set the table with secrets of every sort, and let things take their course."""
        for order in (*evening_orders(), *({**order, "visibility": "gm"} for order in PLAIN)):
            assert (await self._do("gm", order))["type"] == "ack", order
        for place in range(STEPS):
            step = random_step(place, self.chance, SEATS, KINDS)
            if is_no_reveal(step):
                fields = json.loads(marked(step).command.model_dump_json(exclude_none=True))
                await self._do(NAMES[step.by], fields, rest=self.chance.random() < 0.2)
            await self._look_for_secrets(self.chance.choice(list(self.company.outsiders.values())))
        await self._end()

    async def _end(self) -> None:
        """End the turn, send one away, and let the others read it all."""
        await self._do("gm", {"type": "end_turn", "note": "Dusk falls."})
        for one in self.company.outsiders.values():
            await outsiders.read_everything(one)
            await outsiders.meddle(one)
        table, timer = self.company.table, self.company.outsiders["timer"]
        await self.company.gm.http.delete(table.path(f"/tokens/{table.grants['timer']['token_id']}"))
        assert await timer.thrown_out() == CloseCode.REVOKED

    async def _do(self, name: str, fields: Fields, *, rest: bool = False) -> Frame:
        """Let somebody give a command; what others name of the gm's secrets is the name of nothing."""
        marks = {GM_ONLY: self.secret, "yy": self.seal} if name == "gm" else {GM_ONLY: "none", "yy": "nothing"}
        text = re.sub(f"{GM_ONLY}|yy", lambda mark: marks[mark[0]], json.dumps(fields))
        sent = self.company.sent()
        reply = await self.company.person(name).do(json.loads(text), rest=rest)
        assert reply.get("code") not in ("bug", "bad_command"), (fields, reply)
        await self.company.settle()
        self._see_what_was_shown(sent)
        reply.setdefault("type", "refused" if "code" in reply else "ack")
        self.count[f"of {'the gm' if name == 'gm' else 'players'}, {reply['type']}"] += 1
        return reply

    def _see_what_was_shown(self, sent: dict[str, int]) -> None:
        records = self.company.gm.records
        for record in records[self._looked_at :]:
            if isinstance(record.event, Revealed):
                self._shown.setdefault(record.event.id, sent)
        self._looked_at = len(records)

    async def _look_for_secrets(self, one: Person) -> None:
        """Let somebody try something."""
        chance, count, sent = self.chance, self.count, self.company.sent()
        match chance.choice(_TRIED):
            case "guess" if chance.random() < 0.7:
                part = self.company.gm.view.channels[Channel.GM]
                await outsiders.guess(one, chance, part, PLAIN_IDS, count)
            case "guess":
                await outsiders.guess_sealed(one, chance, SEALED_IDS, count)
            case "babble":
                await outsiders.babble(one, chance, count)
            case "repeat":
                await outsiders.repeat(one, chance, count)
            case "read":
                await outsiders.read(one, chance)
            case "knock":
                count[f"was closed with {await outsiders.knock(one, chance)}"] += 1
            case "come back":
                count[f"came back {await outsiders.come_back(one, chance)}"] += 1
        await self.company.settle()
        self._see_what_was_shown(sent)
