"""A short evening as a vector: a public log with rolls of many sorts, and logs made from it that do not fit."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from dreadclock.dice.fingerprint import six_words
from dreadclock.wire.base import Channel
from dreadclock.wire.records import advance, canonical, opening_head
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM, LOG, ROOM, Order, Table

Fields = dict[str, Any]
Vector = dict[str, Any]
Change = Callable[[Fields], None]  # of a proof and its faces

NAME = "evening"
_LANE, _OTHER = "seat/player-1/1", "seat/player-2/1"
_POOL: Fields = {"type": "roll_dice", "pool": 6}
_GAS: Fields = {
    "type": "start_countdown",
    "id": "gas",
    "name": "Gas",
    "pool": 12,
    "visibility": "sealed",
    "bound_to": "nothing",
}
_ROLL_GAS: Fields = {"type": "roll_countdown", "countdown_id": "gas"}
_OF_TURNS: Fields = {"type": "start_countdown", "pool": 8, "bound_to": "turn"}
_DEEDS: tuple[tuple[Actor, Order], ...] = (
    (ANN, opening(1)),
    (BO, opening(2)),
    (GM, _GAS),
    (ANN, {**_POOL, "dice": dice(1, _LANE)}),
    (BO, {**_POOL, "name": "Zoës »Würfe« \\o/", "dice": dice(1, _OTHER, 2)}),
    (GM, _ROLL_GAS),
    (ANN, {**_POOL, "dice": dice(2, _LANE)}),
    (ANN, {**_POOL, "dice": dice(3, _LANE)}),
    (GM, _ROLL_GAS),
    (GM, {**_POOL, "id": "lot", "visibility": "sealed"}),
    (GM, {**_OF_TURNS, "name": "Fuse"}),
    (GM, {**_OF_TURNS, "name": "Flood"}),
    (GM, {"type": "end_turn"}),
    (ANN, opening(3)),
    (ANN, {**_POOL, "dice": dice(1, "seat/player-1/2", 3)}),
    (BO, {**_POOL, "faces": [1, 2, 3, 4, 5, 6]}),
    (BO, {**_POOL, "dice": dice(2, _OTHER, 2)}),
    (GM, _ROLL_GAS),
    (GM, {"type": "reveal", "thing_id": "lot"}),
    (GM, {"type": "reveal", "thing_id": "gas"}),
)


def vector_logs() -> list[Vector]:
    """Return the evening, and what was made of it."""
    table = Table(dice=Ledger(ROOM, bytes([0x11]) * 32), physical_dice="everyone")
    for by, order in _DEEDS:
        table.write(order, by=by, dice=Ledger(ROOM, bytes([0x11]) * 32))
        table.now_ms += 1_000
    texts = table.public()
    prose = "Rolls with and without tokens and witnesses, in turns, by hand, and sealed ones that come to light."
    given = {"room": ROOM, "log_id": LOG, "channel": Channel.PUBLIC, "texts": texts}
    head = head_of(texts)
    gives = {"head": head, "words": list(six_words(head)), "rolls": list(_told(texts))}
    return [{"kind": "log", "prose": prose, "name": NAME, "given": given, "gives": gives}, *_broken_logs(texts)]


def head_of(texts: list[str]) -> str:
    """Return the public head after some records."""
    head = opening_head(ROOM, LOG, Channel.PUBLIC)
    for text in texts:
        head = advance(head, text)
    return head.hash


def proven(value: Any) -> Iterator[Fields]:
    """Give the parts of an event that have a proof."""
    if isinstance(value, dict):
        if "proof" in value:
            yield value
        for each in value.values():
            yield from proven(each)
    if isinstance(value, list):
        for each in value:
            yield from proven(each)


def _told(texts: list[str]) -> Iterator[Fields]:
    """Say of each roll where it stands and what it is."""
    for seq, text in enumerate(texts, 1):
        for part in proven(json.loads(text)["event"]):
            proof = {
                name: value for name, value in part["proof"].items() if name in ("lane", "n", "start", "witnesses")
            }
            yield {"seq": seq, **proof, "faces": part["faces"]}


def _broken_logs(texts: list[str]) -> list[Vector]:
    third, second = _seq(texts, _LANE, 3), _seq(texts, _LANE, 2)
    later = next(roll["seq"] for roll in _told(texts) if roll["start"])
    opened = next(seq for seq, text in enumerate(texts, 1) if '"label":"seat/player-1/2"' in text)
    swapped = {second: _event_of(texts, second, third), third: _event_of(texts, third, second)}
    changes: list[tuple[str, int, int, Change]] = [
        ("A roll in another seat's lane.", 1, third, lambda part: part["proof"].update(lane=_OTHER)),
        ("A slot is left out.", 2, third, lambda part: part["proof"].update(n=4)),
        ("A key of the server's making.", 3, third, lambda part: part["proof"].update(key="Q" * 43)),
        ("A lane with tokens, and a roll without.", 4, third, lambda part: part["proof"].pop("token")),
        ("A witness more than there were.", 5, third, lambda part: part["proof"].update(witnesses=2)),
        ("One face is another.", 6, third, lambda part: part["faces"].append(part["faces"].pop() % 6 + 1)),
        ("The faces of the start of the slot once more.", 7, later, lambda part: part["proof"].update(start=0)),
    ]
    return [
        *(
            _broken(texts, prose, rule, seq, {seq: _with(texts[seq - 1], change)})
            for prose, rule, seq, change in changes
        ),
        _broken(texts, "Two rolls of a lane are swapped.", 2, second, swapped),
        _broken(texts, "A seat's lane leaves out a number.", 0, opened, {opened: _relabelled(texts[opened - 1])}),
    ]


def _seq(texts: list[str], lane: str, n: int) -> int:
    return next(int(roll["seq"]) for roll in _told(texts) if (roll["lane"], roll["n"]) == (lane, n))


def _event_of(texts: list[str], seq: int, other: int) -> str:
    return canonical({**json.loads(texts[seq - 1]), "event": json.loads(texts[other - 1])["event"]})


def _with(text: str, change: Change) -> str:
    body = json.loads(text)
    change(next(proven(body)))
    return canonical(body)


def _relabelled(text: str) -> str:
    return text.replace('"label":"seat/player-1/2"', '"label":"seat/player-1/3"')


def _broken(texts: list[str], prose: str, rule: int, seq: int, instead: dict[int, str]) -> Vector:
    forged = [instead.get(place, text) for place, text in enumerate(texts, 1)]
    given = {"of": NAME, "instead": {str(place): text for place, text in instead.items()}}
    return {
        "kind": "broken_log",
        "prose": prose,
        "given": given,
        "gives": {"head": head_of(forged), "seq": seq, "rule": rule},
    }
