"""Whole evenings, played with the ledger's dice, and their exports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import cycle
from random import Random
from typing import Any

from dreadclock.export import Step, read_export, write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Refused
from dreadclock.wire.records import Record, canonical, text_of
from dreadclock.wire.things import RollPurpose
from dreadclock_server.core.draft import Actor
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, GM, LOG, ROOM, Loaded, Table, loaded

EIGHT_PM_MS = 1_800_993_600_000  # in UTC, in the winter of 2027
_BY = {"ada": ANN, "bea": BO}
BOTH = (Channel.PUBLIC, Channel.GM)
_NAMED = ("description", "effect", "ending", "name", "note", "purpose", "text", "title")
_WORDS = tuple(RollPurpose)  # that stand where elsewhere people write


def export_of(records: Iterable[Record], *channels: Channel) -> bytes:
    """Export what these channels hold, both unless said."""
    wanted = channels or BOTH
    held = [record for record in records if record.channel in wanted]
    return "".join(write_export(ROOM, LOG, wanted, held)).encode()


def steps_of(records: Iterable[Record], *channels: Channel) -> tuple[Step, ...]:
    """Return the steps of an export of these channels, both unless said."""
    return tuple(read_export(export_of(records, *channels)).steps())


def spread(records: Iterable[Record], *minutes: float) -> list[Record]:
    """Let records happen so many minutes after eight; those for which none is said, with the last."""
    at = [round(EIGHT_PM_MS + 60_000 * each) for each in minutes]
    return [record.model_copy(update={"at": at[min(place, len(at) - 1)]}) for place, record in enumerate(records)]


def renamed(records: Iterable[Record], *names: str) -> list[Record]:
    """Call everything that people named something else: the first by the first of these names, and so on, in turn."""
    fresh, chosen = cycle(names), dict[str, str]()

    def other(value: str) -> str:
        return chosen[value] if value in chosen else chosen.setdefault(value, next(fresh))

    return [Record.model_validate_json(canonical(_renamed(json.loads(text_of(one)), other))) for one in records]


def _renamed(value: Any, other: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {
            key: other(each) if key in _NAMED and each not in _WORDS else _renamed(each, other)
            for key, each in value.items()
        }
    return [_renamed(each, other) for each in value] if isinstance(value, list) else value


def played(events: int, seed: int = 1) -> list[Record]:
    """Play scene after scene until there are at least so many events over all channels."""
    evening = Evening(seed)
    while len(evening.table.records) < events:
        evening.scene()
    return [_at_eight(record) for record in evening.table.records]


def _at_eight(record: Record) -> Record:
    """Let the table be opened when the evening begins."""
    return record.model_copy(update={"at": max(record.at, EIGHT_PM_MS)})


class Evening:
    """An evening under way: each command comes up to a minute after the one before."""

    def __init__(self, seed: int = 1) -> None:
        self.chance = Random(seed)
        self.table = Table(dice=LEDGER, physical_dice="everyone", check_approval="open")
        self.table.now_ms = EIGHT_PM_MS
        self._scenes = 0
        for character, owner in _BY.items():
            self.do("add_character", id=character, name=character.title(), owner=owner.seat_id, attributes={"Wits": 3})

    def do(self, kind: str, /, *, by: Actor = GM, dice: Loaded | None = None, **fields: Any) -> None:
        """Do a command, with the ledger's dice unless loaded ones are given."""
        self.table.now_ms += self.chance.randrange(1_000, 60_000)
        self.table.do({"type": kind, **fields}, by=by, dice=dice or LEDGER)

    def scene(self) -> None:
        """Play a scene: a race, countdowns, checks, totals, a secret that comes to light, and a few turns."""
        self._scenes += 1
        scene, run, door = (f"{name}-{self._scenes}" for name in ("vault", "run", "door"))
        self.do("open_scene", id=scene, name=f"The vault {self._scenes}", clock=self.chance.randint(8, 15))
        self.do("start_countdown", id=f"air-{scene}", name="Air", pool=self.chance.randint(3, 9), bound_to="turn")
        self.do("start_countdown", id=f"gas-{scene}", name="Gas", pool=6, speed="fast", visibility="sealed")
        self.do("start_clock", id=f"water-{scene}", name="Water", size=8, direction="up")
        race: dict[str, Any] = {"content": "exploration", "clock": 5, "level": 5, "difficulty": "normal"}
        self.do("start_situation", id=run, scene_id=scene, name="The way out", kind="race", **race)
        self.do("add_challenge", id=door, situation_id=run, name="The door", kind="barrier", clock=3)
        for turn in range(self.chance.randint(3, 6)):
            self._turn(scene, door, turn)
        self._if_allowed("reveal", thing_id=f"gas-{scene}")
        self._if_allowed("end_scene", scene_id=scene)

    def _turn(self, scene: str, door: str, turn: int) -> None:
        self._if_allowed("attempt_effort", challenge_id=door, success=self.chance.random() < 0.7)
        self._if_allowed("tick_clock", clock_id=f"water-{scene}")
        self._if_allowed("roll_countdown", countdown_id=f"gas-{scene}")
        self.do("roll_dice", by=ANN, pool=self.chance.randint(2, 8), name="Luck")
        faces = [self.chance.randint(1, 6) for _ in range(4)]
        self.do("roll_dice", by=BO, pool=4, faces=faces, dice=loaded())
        for character, owner in _BY.items():
            self._check(f"check-{scene}-{turn}-{character}", character, owner)
        self._total(f"total-{scene}-{turn}", self.chance.choice([*_BY]))
        self.do("end_turn")

    def _check(self, check: str, character: str, owner: Actor) -> None:
        self._if_allowed("propose_check", by=owner, id=f"of-{check}", character_id=character, attribute="Wits")
        self._if_allowed("roll_check", by=owner, check_id=f"of-{check}")

    def _total(self, total: str, character: str) -> None:
        asked = {"character_id": character, "attribute": 3, "purpose": "Outrun it"}
        self._if_allowed("propose_total", by=_BY[character], id=f"of-{total}", **asked)
        self._if_allowed("set_required", total_id=f"of-{total}", required=13, crisis="physical")
        self._if_allowed("roll_total", by=_BY[character], total_id=f"of-{total}")
        self._if_allowed("offer_push", total_id=f"of-{total}")
        self._if_allowed("push_luck", by=_BY[character], total_id=f"of-{total}")
        self._if_allowed("describe_crisis", total_id=f"of-{total}", description="a broken arm")

    def _if_allowed(self, kind: str, /, *, by: Actor = GM, **fields: Any) -> None:
        """Do a command unless the rules have moved on."""
        try:
            self.do(kind, by=by, **fields)
        except Refused:
            return
