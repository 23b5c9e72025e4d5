"""A random evening on a real server: the gm keeps secrets, the others look for them."""

import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.events import Revealed
from kit.leaks import outsiders
from kit.leaks.book import Book
from kit.leaks.moves import FIRST, TELLING, THEN, revealed, turn_ended
from kit.leaks.pen import Move, Order, Pen, written
from kit.leaks.people import Company, Person, gathered
from kit.leaks.public import POLICY, Hand, Wish, setting, with_enough_dice
from kit.raw import Frame
from kit.server import Server

_SERVER_MADE = re.compile(r"gm-[a-z]+-[0-9a-f]{12}")
_TRIED = (*("guess",) * 4, "babble", "repeat", *("read",) * 2, *("come back",) * 3, "knock")
TURNS = 20


class Evening:
    """One room, played at random from a seed; `reveals` says whether the gm shows things of her own accord."""

    def __init__(self, company: Company, seed: int) -> None:
        self.company, self.seed = company, seed
        self.chance = random.Random(seed)
        self.book = Book(self.chance)
        self.reveals = seed % 3 == 0
        self.count: Counter[str] = Counter()
        self._number = 0
        self._known_ids: set[str] = set()
        self._looked_at = 0

    @classmethod
    @asynccontextmanager
    async def at(cls, server: Server, seed: int, other: Server | None = None) -> "AsyncIterator[Evening]":
        """Gather a company for an evening, some of it on another node if there is one."""
        async with gathered(server, other, POLICY) as company:
            yield cls(company, seed)

    async def play(self) -> None:
        """Set the table, begin a secret of every sort, and let things take their course."""
        table = self.company.table
        for fields in setting({name: table.seat(name) for name in table.grants}):
            await self._do(("gm", fields))
        begin = [move for move in FIRST for _ in range(2)]
        self.chance.shuffle(begin)
        for move in (*begin, *THEN):
            await self._keep(move)
            await self._meanwhile()
        for _ in range(TURNS):
            moves = (*TELLING, *(revealed,) * 3) if self.reveals else TELLING
            await self._keep(self.chance.choice(moves))
            await self._meanwhile()
        await self._end()

    async def _end(self) -> None:
        """End the scene, which takes what is hidden in it along, send one away, and let the others read it all."""
        sent = self.company.sent()
        await self._do(("gm", {"type": "end_scene", "scene_id": "bomb"}))
        self._see_what_was_shown(sent)
        await self._keep(turn_ended)
        for one in self.company.outsiders.values():
            await outsiders.read_everything(one)
            await outsiders.meddle(one)
        table, timer = self.company.table, self.company.outsiders["timer"]
        await self.company.gm.http.delete(table.path(f"/tokens/{table.grants['timer']['token_id']}"))
        assert await timer.thrown_out() == CloseCode.REVOKED

    async def _keep(self, move: Move) -> None:
        """Let the gm give a command about what she keeps to herself."""
        self._number += 1
        pen = Pen(self.chance, self.company.gm.view, self.book, self._number)
        order = written(pen, move)
        if order is None:
            return
        sent = self.company.sent()
        reply = await self._send("gm", order.fields, rest=self.chance.random() < 0.2)
        self.count["of the gm"] += 1
        if reply["type"] == "refused":
            self.count["of the gm, refused"] += 1
        else:
            self._take_note(order, reply)
        self._see_what_was_shown(sent)

    def _take_note(self, order: Order, reply: Frame) -> None:
        """Take note of what the server has made of an order."""
        note = str(order.fields.get("note"))
        for secret in order.secrets:  # of what came to nothing, nothing is told but the note
            secret.planted = "gm" in reply["events"] and (secret.text in note or not self._is_note_alone(reply))
        new = self._new_ids()
        if new and order.root == f"gm-plain-{self._number}" and "id" not in order.fields:
            self.book.rename(order.root, new[0])
            order.root = new[0]
        for thing_id in new:
            self.book.keep(thing_id, order.root).planted = True

    def _is_note_alone(self, reply: Frame) -> bool:
        """Tell whether a command only told its note to the gm."""
        first, last = reply["events"]["gm"]
        records = [each for each in self.company.gm.records if each.channel is Channel.GM and first <= each.seq <= last]
        return [each.event.type for each in records] == ["narrated"]

    def _new_ids(self) -> list[str]:
        """Give the ids that the server has made for hidden things since last asked, in order."""
        found = []
        gm = self.company.gm
        for record in gm.records[self._looked_at :]:
            if record.channel is Channel.GM:
                found += _SERVER_MADE.findall(record.model_dump_json())
        self._looked_at = len(gm.records)
        new = [each for each in dict.fromkeys(found) if each not in self._known_ids]
        self._known_ids.update(new)
        return new

    def _see_what_was_shown(self, sent: dict[str, int]) -> None:
        for record in self.company.gm.records[-64:]:
            if isinstance(record.event, Revealed):
                self.book.shown(record.event.id, sent)

    async def _meanwhile(self) -> None:
        """Let the others do something."""
        for _ in range(self.chance.randint(0, 1)):
            hand = Hand(self.chance, self.company.gm.view.public)
            sent = self.company.sent()
            await self._do(hand.wish())
            self._see_what_was_shown(sent)
        one = self.chance.choice(list(self.company.outsiders.values()))
        await self._look_for_secrets(one)

    async def _do(self, wish: Wish) -> None:
        name, fields = wish
        reply = await self._send(name, fields, rest=self.chance.random() < 0.1)
        self.count["of players"] += 1
        again = with_enough_dice(wish, reply, self.chance)
        if again is not None:
            reply = await self._send(*again)
        if reply["type"] == "refused":
            self.count["of players, refused"] += 1

    async def _send(self, name: str, fields: dict[str, object], *, rest: bool = False) -> Frame:
        reply = await self.company.person(name).do(fields, rest=rest)
        assert reply.get("code") != "bug", fields
        assert reply.get("code") != "bad_command", (fields, reply)
        await self.company.settle()
        reply.setdefault("type", "refused" if "code" in reply else "ack")
        return reply

    async def _look_for_secrets(self, one: Person) -> None:
        """Let somebody try something."""
        chance, sent = self.chance, self.company.sent()
        match chance.choice(_TRIED):
            case "guess":
                await self._guess(one)
            case "babble":
                await outsiders.babble(one, chance, self.count)
            case "repeat":
                await outsiders.repeat(one, chance, self.count)
            case "read":
                await outsiders.read(one, chance)
            case "knock":
                self.count[f"was closed with {await outsiders.knock(one, chance)}"] += 1
            case "come back":
                self.count[f"came back {await outsiders.come_back(one, chance)}"] += 1
        await self.company.settle()
        self._see_what_was_shown(sent)

    async def _guess(self, one: Person) -> None:
        """Let somebody guess at the id of something hidden or sealed."""
        numbers = range(1, self._number + 1)
        shown = set(self.company.gm.view.public.taken)
        hidden = [each for each in (f"gm-plain-{number}" for number in numbers) if each not in shown]
        if hidden and self.chance.random() < 0.7:
            part = self.company.gm.view.channels[Channel.GM]
            await outsiders.guess(one, self.chance, part, hidden, self.count)
        else:
            await outsiders.guess_sealed(one, self.chance, [f"sealed-{number}" for number in numbers], self.count)
