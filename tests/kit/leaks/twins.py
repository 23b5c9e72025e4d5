"""Two rooms in which the same happens, but for a secret: what the others are sent, held against each other.

Set aside: times, the ids of room, log and session, the hashes that follow from them, dice that the server rolled
with what they leave of the countdown `fever`, and presence, which has a time of its own.
"""

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from dreadclock.wire.base import Channel
from kit.leaks import outsiders
from kit.leaks.book import Book, Fields
from kit.leaks.moves import FIRST, THEN, TURNS
from kit.leaks.pen import Pen, written
from kit.leaks.people import OUTSIDERS, Company, Person
from kit.leaks.public import Hand, Wish, setting, with_enough_dice
from kit.raw import Frame, parsed

_LAST: Fields = {"type": "start_countdown", "name": "Last", "pool": 9, "bound_to": "turn", "visibility": "gm"}
_ENDING: tuple[Wish, ...] = (
    ("gm", {"type": "fail_situation", "situation_id": "run", "reason": "retreated"}),
    ("timer", {"type": "end_turn", "note": "Dusk falls."}),
    ("gm", {"type": "end_turn", "note": "Dawn comes."}),
    ("gm", {"type": "end_scene", "scene_id": "bomb", "note": "Done."}),
    ("gm", {"type": "close_room"}),
    ("gm", {"type": "reopen_room", "note": "Once more."}),
    ("gm", {"type": "close_room"}),
)
_ASIDE = frozenset(("at", "hash", "session", "room", "room_id", "log_id", "key"))
_DICE = frozenset(("faces", "removed", "remaining"))
_FEVER = frozenset(("pool", "last_faces"))


def plain(value: Any) -> Any:
    """Set aside in a frame or an answer what may differ between two rooms."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    aside = _ASIDE | (_DICE if value.get("proof") else frozenset()) | (_FEVER if value.get("id") == "fever" else set())
    return {name: "..." if name in aside else plain(each) for name, each in value.items()}


@dataclass
class Transcript:
    """All that somebody was sent, in order, with what differs anyway set aside."""

    frames: list[Any] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)  # to REST calls


def transcript(one: Person, answers: Iterable[Any]) -> Transcript:
    """Write down what somebody was sent."""
    frames = [plain(parsed(text)) for text in one.frames]
    return Transcript([each for each in frames if each["type"] != "presence"], [plain(each) for each in answers])


class Twin:
    """One of two rooms."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.replies: list[Any] = []  # to all commands but the gm's secret ones
        self.answers: dict[str, list[Any]] = {name: [] for name in OUTSIDERS}

    @property
    def seats(self) -> dict[str, str]:
        """The seats by name."""
        return {name: self.company.table.seat(name) for name in self.company.table.grants}

    async def do(self, wish: Wish) -> Frame:
        """Let somebody give a command that both rooms hear."""
        reply = await self.company.person(wish[0]).do(wish[1])
        await self.company.settle()
        if wish[0] != "gm":
            self.replies.append(plain(reply))
        return reply

    async def keep(self, fields: Fields) -> Frame:
        """Let the gm give a command that this room alone hears."""
        reply = await self.company.gm.do(fields)
        await self.company.settle()
        return reply

    async def read(self, name: str, *paths: str) -> None:
        """Let somebody read all there is, or what these paths lead to."""
        one = self.company.person(name)
        for path in paths or ("", "/log", "/log?gm=0&public=5", "/tokens", "/undoable"):
            answer = await one.http.get(one.table.path(path))
            body = [json.loads(line) for line in answer.text.splitlines()]
            self.answers[name].append([answer.status_code, sorted(answer.headers), body])

    async def come_back(self, name: str, place: int | None) -> None:
        """Let somebody leave, and come back afresh or from the end of one of the frames that she has had."""
        one = self.company.person(name)
        heads = [parsed(text)["heads"]["public"] for text in one.frames if text.startswith('{"heads"')]
        await one.leave()
        known = {"public": heads[place % len(heads)]} if place is not None and heads else None
        await one.connect(**({"positions": known} if known else {}))

    async def come_from_elsewhere(self, name: str, seq: int) -> None:
        """Let somebody leave, and come back with a hash that is not the room's."""
        one = self.company.person(name)
        await one.leave()
        await one.connect(positions={"public": {"seq": seq, "hash": "0" * 64}})

    def transcripts(self) -> dict[str, Transcript]:
        """Give what each outsider was sent."""
        everyone = self.company.outsiders.values()
        return {one.name: transcript(one, self.answers[one.name]) for one in everyone}


class Pair:
    """Two rooms that hear the same, one of them with secrets beside it."""

    def __init__(self, seed: int, without: Twin, within: Twin) -> None:
        self.chance = random.Random(seed)
        self.without, self.within = without, within
        self.book = Book(random.Random(seed + 1))
        self.secret_chance = random.Random(seed + 2)
        self.kept = 0  # commands that only one room heard, and took
        self._number = 0

    @property
    def both(self) -> tuple[Twin, Twin]:
        """The one without secrets first."""
        return self.without, self.within

    async def set_up(self) -> None:
        """Put the same on both tables."""
        for fields in setting(self.without.seats):
            for twin in self.both:
                await twin.do(("gm", fields))

    async def keep(self, moves: Iterable[Callable[[Pen], Fields]]) -> None:
        """Let the gm keep something to herself in one of the rooms, of which no trace may be left."""
        for move in moves:
            self._number += 1
            view = self.within.company.gm.view
            pen = Pen(self.secret_chance, view, self.book, self._number, visibilities=("gm",), traceless=True)
            order = written(pen, move)
            if order is not None:
                self.kept += (await self.within.keep(order.fields))["type"] == "ack"

    async def happen(self) -> None:
        """Let the same thing happen in both rooms, chosen from what everyone sees in the one without secrets."""
        wish: Wish | None = Hand(self.chance, self.without.company.gm.view.public).wish()
        while wish is not None:
            first, second = [await twin.do(wish) for twin in self.both]
            assert first["type"] == second["type"], (wish, first, second)
            wish = with_enough_dice(wish, first, self.chance)

    async def happen_without(self, name: str) -> None:
        """Let somebody miss a few things, and come back to hear exactly those."""
        known = {twin: twin.company.person(name).client.positions()["public"] for twin in self.both}
        for twin in self.both:
            await twin.company.person(name).leave()
        for _ in range(3):
            await self.happen()
            await self.keep(self.secret_chance.sample((*FIRST, *TURNS), 2))
        for twin in self.both:
            welcome = await twin.company.person(name).connect(positions={"public": known[twin]})
            assert welcome["resumed"]

    async def look(self) -> None:
        """Let the same outsider look for secrets in both rooms, in the same way."""
        name, hidden = self.chance.choice(OUTSIDERS), self.within.company.gm.view.channels[Channel.GM]
        ids = [f"gm-plain-{number}" for number in range(1, self._number + 1)]
        fields = outsiders.about(*outsiders.fitting(self.chance, hidden, ids))
        way = self.chance.choice(("guess", "guess", "read", "afresh", "back", "forged"))
        place = self.chance.randint(1, 40)
        for twin in self.both:
            await twin.read(name, "/undoable")
            match way:
                case "guess":
                    await twin.do((name, fields))
                case "read":
                    await twin.read(name)
                case "afresh":
                    await twin.come_back(name, None)
                case "back":
                    await twin.come_back(name, place)
                case "forged":
                    await twin.come_from_elsewhere(name, place)

    async def play(self, steps: int) -> None:
        """Play both rooms."""
        await self.set_up()
        await self.keep(FIRST)
        for step in range(steps):
            await (self.happen_without("bot") if step % 8 == 7 else self.happen())
            await self.keep(self.secret_chance.sample((*FIRST, *THEN, *TURNS), 2))
            await self.look()
        await self.within.keep(_LAST)
        for wish in _ENDING:
            for twin in self.both:
                await twin.do(wish)
        for name in OUTSIDERS:
            for twin in self.both:
                await twin.read(name)
