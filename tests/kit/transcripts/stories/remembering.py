"""What a view remembers: the latest of what has ended, in the right order."""

from collections.abc import Iterator

from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import Done
from kit.tables import ANN, GM, Order
from kit.transcripts.host import Host, Recorder
from kit.transcripts.stories.base import ROLL, opened, story

_SITUATION = {"type": "start_situation", "name": "S", "kind": "standard", "content": "social", "clock": 2}


def _many(first: int, last: int) -> Iterator[Order]:
    """Start many things of all kinds, and end them."""
    for i in range(first, last):
        names = {"name": f"N{i}"}
        yield {"type": "start_countdown", "id": f"c{i}", "pool": 2, "bound_to": "nothing", **names}
        yield {"type": "cancel_countdown", "countdown_id": f"c{i}"}
        yield {**ROLL, "id": f"r{i}"}
        yield {**ROLL, "id": f"s{i}", "visibility": "sealed"}
        yield {"type": "start_clock", "id": f"k{i}", "size": 1, **names}
        yield {"type": "tick_clock", "clock_id": f"k{i}"}
        yield {"type": "propose_check", "id": f"p{i}", "character_id": "ada", "score": 1, "claim": True}
        yield {"type": "roll_check", "check_id": f"p{i}", "faces": [3]}
        yield {"type": "propose_total", "id": f"t{i}", "character_id": "ada", "attribute": 1}
        yield {"type": "set_required", "total_id": f"t{i}", "required": 1}
        yield {"type": "roll_total", "total_id": f"t{i}"}
        yield from _scene(i, names)


def _scene(i: int, names: dict[str, str]) -> Iterator[Order]:
    yield {**_SITUATION, "id": f"long-{i}", "scene_id": "long"}
    yield {"type": "add_challenge", "id": f"h{i}", "situation_id": f"long-{i}", "kind": "puzzle", **names}
    yield {"type": "resolve_situation", "situation_id": f"long-{i}", "how": "They talk."}
    yield {"type": "open_scene", "id": f"short-{i}", "clock": 8, **names}
    yield {**_SITUATION, "id": f"short-{i}-in", "scene_id": f"short-{i}"}
    yield {"type": "end_scene", "scene_id": f"short-{i}"}


def _long_room(viewer: Actor, last: int) -> Host:
    host = opened(Host(viewer))
    host.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": "player-1"}, GM)
    host.do({"type": "open_scene", "id": "long", "name": "Long", "clock": 99}, GM)
    for order in (*_old(), *_many(0, last)):
        assert isinstance(host.do(order, GM), Done), order
    return host


def _old() -> list[Order]:
    """Start one of each kind that ends later than those that were started after it."""
    return [
        {"type": "start_countdown", "id": "old-c", "name": "Old", "pool": 2, "bound_to": "nothing"},
        {"type": "start_clock", "id": "old-k", "name": "Old", "size": 2},
        {"type": "propose_check", "id": "old-p", "character_id": "ada", "score": 1, "claim": True},
        {"type": "propose_total", "id": "old-t", "character_id": "ada", "attribute": 1},
        {"type": "propose_total", "id": "old-f", "character_id": "ada", "attribute": 1},
        {**_SITUATION, "id": "old-s", "scene_id": "long"},
        {"type": "open_scene", "id": "old-scene", "name": "Old", "clock": 8},
    ]


def _old_ends() -> list[Order]:
    return [
        {"type": "cancel_countdown", "countdown_id": "old-c"},
        {"type": "tick_clock", "clock_id": "old-k", "by": 2},
        {"type": "roll_check", "check_id": "old-p", "faces": [4]},
        {"type": "set_required", "total_id": "old-t", "required": 1},
        {"type": "roll_total", "total_id": "old-t"},
        {"type": "set_required", "total_id": "old-f", "required": 9},
        {"type": "roll_total", "total_id": "old-f"},
        {"type": "stop_pushing", "total_id": "old-f"},
        {"type": "resolve_situation", "situation_id": "old-s", "how": "They leave."},
        {"type": "end_scene", "scene_id": "old-scene"},
    ]


@story
def what_is_remembered() -> Recorder:
    about = "More has ended of everything than a view remembers; the oldest go, and what comes to light counts."
    recorder = Recorder(about, _long_room(ANN, 30))
    recorder.join()
    for order in (*_old_ends(), *_many(30, 34)):
        assert isinstance(recorder.order(order, GM), Done), order
    for thing_id in ("s3", "s33"):
        recorder.order({"type": "reveal", "thing_id": thing_id}, GM)
    return recorder


@story
def what_a_gm_remembers() -> Recorder:
    recorder = Recorder("The same, seen by the gm.", _long_room(GM, 31))
    recorder.join()
    for order in (*_old_ends(), *_many(31, 33)):
        assert isinstance(recorder.order(order, GM), Done), order
    recorder.order({"type": "reveal", "thing_id": "s32"}, GM)
    return recorder


@story
def ids_of_digits() -> Recorder:
    about = "Ids made of digits keep their order, and attributes may have any name."
    host = opened(Host(ANN))
    sheet = {"10": 1, "9": 2, "__proto__": 3, 'a "7"': 4, ',"8"': 5, "constructor": 6, "Größe 💣": 7}
    host.do({"type": "add_character", "id": "1", "name": "One", "owner": "player-1", "attributes": sheet}, GM)
    for one in ("10", "9", "fever", "1", "007"):
        start = {"type": "start_countdown", "id": one, "name": 'A, "5": b', "pool": 9, "bound_to": "nothing"}
        host.do(start, GM)
        host.do({"type": "start_clock", "id": f"{one}0", "name": '{"6":', "size": 3}, GM)
    recorder = Recorder(about, host)
    recorder.join()
    for one in ("8", "x", "3"):
        start = {"type": "start_countdown", "id": one, "name": "C", "pool": 2, "bound_to": "nothing"}
        recorder.order({**start, "note": "Line → 💣"}, ANN)
        recorder.order({"type": "tick_clock", "clock_id": "90"}, GM)
    recorder.order({"type": "add_character", "id": "2", "name": "Two", "attributes": sheet}, ANN)
    return recorder
