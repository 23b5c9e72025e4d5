"""What it costs to grow: rooms held, watchers of a room, a past that gets long. Ours alone, and CPU time alone.

Sizes take turns within a run, so that what else the machine does meets all of them alike; a figure is the median of
the runs. A roll is of six dice, by the gm.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from contextlib import ExitStack

from figures import Bar, Rows, Work
from ours import Ours, cpu_us, resident_mib, running
from rooms import BenchRoom, Crowd, Spent

HELD, AT_ONCE, ROLLS = (10, 100, 1_000, 10_000), 10, 2_000
WATCHERS, DELIVERIES, WINDOW = (10, 100, 1_000), 40_000, 2
LONG, SHORT, SHORT_ROOMS, ROLLS_EACH, JOINS = 100_000, 100, 10, 20, 100
FILLING = 32  # rolls in flight while a past is made
UPKEEP_S, GONE_WITHIN_S, RUN_WITHIN_S = 10.0, 180.0, 400.0
GROWN, FLAT = 1.3, 1.1  # times as much as for the smallest


class Found:
    """Figures of several runs."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def note(self, label: str, figure: str, value: float) -> None:
        """Note a figure of one run."""
        self._rows[label][figure].append(value)

    def medians(self) -> Rows:
        """Return the medians of the runs."""
        return {
            label: {name: statistics.median(values) for name, values in row.items()}
            for label, row in self._rows.items()
        }


def times(what: str, figure: str, rows: Rows, most: float, small: str, large: str) -> Bar:
    """Hold a figure against what it was when all was small."""
    return Bar(f"{what}: {large} to {small}", rows[large][figure] / rows[small][figure], most)


# Rooms held


def rooms(runs: int, size: float) -> Work:
    """Hold rooms in memory, each with its gm connected, and roll in one after the other."""
    found, last = Found(), ""
    with ExitStack() as stack:
        held: dict[str, tuple[Ours, Crowd]] = {}
        for count in dict.fromkeys(max(AT_ONCE, int(each * size)) for each in HELD):
            last = f"{count:,}"
            held[last] = _hold(stack.enter_context(running()), last, found, held)
        spent: dict[str, list[Spent]] = {label: [] for label in held}
        for _ in range(runs):
            for label, (_, crowd) in held.items():
                _tend(held)
                spent[label].append(crowd.rolls_in_turn(ROLLS, AT_ONCE))
        for label, (ours, _) in held.items():
            _note_rolls(found, label, spent[label], _upkeep(ours, held))
            _weigh(found, label, ours)
        ours, crowd = held.pop(last)
        crowd.close()
        _when_put_away(found, f"{last}, then all left", ours, held)
    rows = found.medians()
    bar = times("rooms held, us/roll", "us/roll", rows, GROWN, f"{HELD[0]}", last)
    return Work("growth-rooms", "rooms in memory, each with its gm connected; the rooms roll in turn", rows, [bar])


def _note_rolls(found: Found, label: str, spent: list[Spent], upkeep_ms: float) -> None:
    """Note what rolls took, without and with the upkeep meanwhile: that grows with whatever holds up the rolls."""
    for each in spent:
        found.note(label, "us/roll", each.cpu_us - upkeep_ms * 1000 * each.wall_s)
        found.note(label, "with upkeep", each.cpu_us)
    found.note(label, "upkeep ms/s", upkeep_ms)


def _hold(ours: Ours, label: str, found: Found, others: dict[str, tuple[Ours, Crowd]]) -> tuple[Ours, Crowd]:
    """Open rooms and roll twice in each, so that all is there that a room in use has."""
    count = int(label.replace(",", ""))
    crowd = Crowd(ours.port, ours.pid, rooms=count, also=lambda: _tend(others))
    for start in range(0, 2 * count, ROLLS):  # whoever answers no ping for 20 s is sent away
        crowd.rolls_in_turn(min(ROLLS, 2 * count - start), AT_ONCE)
        _tend(others)
    return ours, crowd


def _tend(held: dict[str, tuple[Ours, Crowd]]) -> None:
    for _, crowd in held.values():
        crowd.tend()


def _upkeep(ours: Ours, held: dict[str, tuple[Ours, Crowd]]) -> float:
    """Return the CPU time in ms that a second takes in which nobody does anything."""
    before, start = cpu_us(ours.pid), time.perf_counter()
    while time.perf_counter() - start < UPKEEP_S:
        _tend(held)
        time.sleep(0.1)
    return (cpu_us(ours.pid) - before) / 1000 / (time.perf_counter() - start)


def _weigh(found: Found, label: str, ours: Ours) -> None:
    own, valkey = resident_mib(ours.pid)
    found.note(label, "server MiB", own)
    found.note(label, "Valkey MiB", valkey)


def _when_put_away(found: Found, label: str, ours: Ours, held: dict[str, tuple[Ours, Crowd]]) -> None:
    """Wait until rooms that nobody uses have left memory, and weigh what is left."""
    start = time.perf_counter()
    while ours.rooms_live() > 1:  # the first room of a server stays as long as its start is not long ago
        if time.perf_counter() - start > GONE_WITHIN_S:
            raise TimeoutError(f"{ours.rooms_live()} rooms are still in memory")
        _tend(held)
        time.sleep(0.5)
    found.note(label, "put away after s", time.perf_counter() - start)
    found.note(label, "upkeep ms/s", _upkeep(ours, held))
    _weigh(found, label, ours)


# Watchers


def watchers(runs: int, size: float) -> Work:
    """Let more and more watch one room."""
    found = Found()
    with running() as ours:
        crowds: dict[str, Crowd] = {}
        for count in WATCHERS:
            crowds[f"{count:,}"] = Crowd(ours.port, ours.pid, rooms=1, members=count, also=lambda: _tend_all(crowds))
        for crowd in crowds.values():
            crowd.run(WINDOW * 2, WINDOW)
        for _ in range(runs):
            for label, crowd in crowds.items():
                _tend_all(crowds)
                rolls = max(10, int(DELIVERIES * size) // crowd.members)
                before = cpu_us(ours.pid)
                result = crowd.run(rolls, WINDOW, RUN_WITHIN_S)
                cpu = cpu_us(ours.pid) - before
                found.note(label, "us/delivery", cpu / result.deliveries)
                found.note(label, "us/roll", cpu / rolls)
    rows = found.medians()
    steps = list(zip(list(rows), list(rows)[1:], strict=False))
    bars = [times("watchers, us/delivery", "us/delivery", rows, FLAT, less, more) for less, more in steps]
    return Work("growth-watchers", "watchers of one room, 2 rolls in flight", rows, bars)


def _tend_all(crowds: dict[str, Crowd]) -> None:
    for crowd in crowds.values():
        crowd.tend()


# A long past


def past(runs: int, size: float) -> Work:
    """Let a room get a long past, by real rolls, and hold it against rooms with a short one."""
    found, many = Found(), max(SHORT * 10, int(LONG * size))
    short, long = f"{SHORT}", f"{many:,}"
    with running() as ours:
        old = Crowd(ours.port, ours.pid, rooms=1)
        old.run(many, FILLING, RUN_WITHIN_S)
        for turn in range(runs):
            young = Crowd(ours.port, ours.pid, rooms=SHORT_ROOMS)
            young.rolls_in_turn(SHORT_ROOMS * SHORT, SHORT_ROOMS)
            pair = [(short, young), (long, old)][:: -1 if turn % 2 else 1]
            for label, crowd in pair:
                old.tend()
                found.note(label, "us/roll", crowd.rolls_in_turn(SHORT_ROOMS * ROLLS_EACH, 1).cpu_us)
            for label, crowd in pair:
                _joins(found, label, ours, crowd.rooms[0])
            old.tend()
            _cold_joins(found, ours, [(label, crowd.rooms[0]) for label, crowd in pair], young.rooms[1])
            young.close()
    rows = found.medians()
    bars = [times(f"a past, {figure}", figure, rows, GROWN, short, long) for figure in ("us/roll", "us/join")]
    return Work("growth-past", "past events of a room; one roll or join at a time", rows, bars)


def _joins(found: Found, label: str, ours: Ours, room: BenchRoom) -> None:
    """Join as a gm who was never here before, and leave again, one after the other."""
    before, size = cpu_us(ours.pid), 0
    for _ in range(JOINS):
        sock, received = room.enter(room.gm)
        size = len(received)
        sock.close()
    found.note(label, "us/join", (cpu_us(ours.pid) - before) / JOINS)
    found.note(label, "welcome KiB", size / 1024)


def _cold_joins(found: Found, ours: Ours, rooms: list[tuple[str, BenchRoom]], other: BenchRoom) -> None:
    """Join rooms that a second server has never held; `other` is there for what any first join costs."""
    with running("--store", ours.store_url) as second:
        for label, room in [("", other), *rooms]:
            before = cpu_us(ours.pid) + cpu_us(second.pid)
            room.at(second.port).enter(room.gm)[0].close()
            if label:
                found.note(label, "us/cold join", cpu_us(ours.pid) + cpu_us(second.pid) - before)


WORKS = {"growth-rooms": rooms, "growth-watchers": watchers, "growth-past": past}
