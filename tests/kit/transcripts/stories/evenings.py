"""Whole evenings, from their first event to their last."""

import json
from collections import deque
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock_server.core.draft import Actor
from dreadclock_server.rooms.answers import from_json
from dreadclock_server.store.codec import decode
from kit.evenings.golden import FOLDER, evening, fifth_evening, golden_files, read_golden, second_evening
from kit.evenings.prepared import evening_orders
from kit.strategies.orders import random_order
from kit.strategies.picks import Picks
from kit.strategies.scripts import OFTEN, SEATS
from kit.tables import ANN, BO, GM, Order
from kit.transcripts.host import Host, Recorder
from kit.transcripts.stories.base import STORIES, opened, story


def _stored(about: str, viewer: Actor, name: str, orders: list[tuple[Actor, Order]]) -> Recorder:
    golden = read_golden(next(path for path in golden_files() if path.name == name))
    recorder = Recorder(f"An evening as it was stored ({name}), seen by {about}.", Host(viewer))
    recorder.join()
    for entry, (by, order) in zip(map(decode, golden.entries), orders, strict=True):
        mine = by == viewer and isinstance(order, dict)
        numbers = recorder.submit(order) if mine else []
        recorder.host.happen(entry.texts)
        recorder.catch_up()
        for n in numbers:
            recorder.answer(n, from_json(entry.answers[0]).outcome)
    return recorder


STORIES["stored-evening-gm"] = partial(_stored, "gm", GM, "entry-v1.txt", evening())
STORIES["stored-evening-player"] = partial(_stored, "player-1", ANN, "entry-v1.txt", evening())
STORIES["second-evening-player"] = partial(_stored, "player-1", ANN, "entry-v1b.txt", second_evening())


_SECOND_EDITION = read_golden(FOLDER / "entry-v2.txt").entries
_NOBODYS: list[tuple[Actor, Order]] = [(BO, {})] * len(_SECOND_EDITION)  # the viewer only looks on
STORIES["second-edition-gm"] = partial(_stored, "gm", GM, "entry-v2.txt", _NOBODYS)


@story
def every_event() -> Recorder:
    """The first two golden evenings in one room."""
    recorder = Recorder("Every event of a room of its own, seen by the gm, who gives most of the commands.", Host(GM))
    recorder.join()
    renamed = json.dumps([order for _, order in evening()[3:]])
    for one in ("bomb", "ada", "slip"):
        renamed = renamed.replace(f'"{one}', f'"{one}-2')
    said = deque(("ada", "bea"))
    for by, order in second_evening()[:-1]:
        more = {"character_id": said.popleft()} if _rolls_feint(order) else _marked(order)
        recorder.order({**order, **more} if isinstance(order, dict) else order, by)
    recorder.order({"type": "set_policy", "care": "owner"}, GM)
    for approve, level in ((True, 4), (False, 5)):
        recorder.order({"type": "update_character", "character_id": "ada", "level": level}, ANN)
        recorder.order({"type": "approve_sheet", "character_id": "ada", "approve": approve}, GM)
    recorder.order({"type": "start_clock", "name": "Slip", "size": 4}, GM)
    recorder.order({"type": "void_command", "seq": recorder.host.room.seq(Channel.PUBLIC), "reason": "A slip."}, GM)
    for (by, _), order in zip(evening()[3:], json.loads(renamed), strict=True):
        recorder.order(order, by)
    stored = {record["event"]["type"] for record in _golden_records()}
    stored.remove("room_continued")  # of rooms that go on from another one
    assert recorder.host.types >= stored, stored - recorder.host.types
    return recorder


def _rolls_feint(order: Order) -> bool:
    return isinstance(order, dict) and order["type"] == "roll_check" and order["check_id"] == "feint-2"


def _marked(order: Order) -> dict[str, Any]:
    """Leave interference to choose, as every fumble effect did in the first edition of the rules."""
    effects = order.get("fumble_effects") if isinstance(order, dict) else None
    return {"or_interference": effects} if effects else {}


def _golden_records() -> Iterator[dict[str, Any]]:
    for name in ("entry-v1.txt", "entry-v1b.txt", "entry-v1c.txt", "entry-v1d.txt", "entry-v1e.txt"):
        for entry in read_golden(FOLDER / name).entries:
            yield from map(json.loads, decode(entry).texts)


def _continued(about: str, viewer: Actor) -> Recorder:
    recorder = Recorder(about, Host(viewer))
    recorder.join()
    for by, order in fifth_evening():
        recorder.order(order, by)
    return recorder


STORIES["continued-gm"] = partial(_continued, "A room that goes on from another one, seen by the gm.", GM)
STORIES["continued-player"] = partial(_continued, "A room that goes on from another one, seen by a player.", ANN)


def _random(about: str, viewer: Actor, seed: int, steps: int) -> Recorder:
    """Let seats give random commands in a room in which a bit of everything is under way."""
    chance = Random(seed)
    kinds = [kind for kind in OFTEN if kind not in ("close_room", "reopen_room")]
    host = opened(Host(viewer))
    for order in evening_orders():
        host.do(order, GM)
    recorder = Recorder(about, host)
    recorder.join()
    for _ in range(steps):
        picks = Picks(chance.getrandbits(80))
        by, kind = picks.one(SEATS), picks.one(kinds)
        order = random_order(kind, picks)
        if by.seat_id in host.room.view.seats:
            recorder.order(order, by)
    return recorder


STORIES["random-evening-gm"] = partial(
    _random, "A random evening, plausible and implausible, seen by the gm.", GM, 3, 160
)
STORIES["random-evening-player"] = partial(_random, "Another, seen by a player.", BO, 8, 220)
