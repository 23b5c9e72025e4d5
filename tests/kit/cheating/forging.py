"""Logs that somebody changed: single fields altered, and the chain made anew, as a forger with the server would."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from dreadclock.wire.records import Record, canonical

Path = tuple[str | int, ...]
Change = Callable[[dict[str, Any]], None]
FREE = (  # what people say and name, and the server's keys, which nothing before them determines
    *("note", "name", "title", "text", "reason", "purpose", "description", "what", "ending", "how", "cost", "terms"),
    *("effect", "key", "type"),
)


class Forgery(NamedTuple):
    """One field of one record, changed."""

    place: int
    event: str
    path: str  # with * for the places in lists
    texts: list[str]


def changed(texts: Sequence[str], place: int, change: Change) -> list[str]:
    """Change a record; the chain is made anew when the texts are exported."""
    record = json.loads(texts[place])
    change(record)
    return [*texts[:place], canonical(record), *texts[place + 1 :]]


def find(texts: Sequence[str], kind: str, fits: Callable[[dict[str, Any]], bool] = lambda event: True) -> int:
    """Return the place of the first record with an event of this type that fits."""
    events = [json.loads(text)["event"] for text in texts]
    return next(place for place, event in enumerate(events) if event["type"] == kind and fits(event))


def forgeries(texts: Sequence[str], chance: Random) -> Iterator[Forgery]:
    """Give changes of single fields that can still be read, in an order of chance."""
    events = [json.loads(text)["event"] for text in texts]
    known: dict[Path, set[str]] = defaultdict(set)
    for event in events:
        for path, value in _leaves(event):
            if isinstance(value, str):
                known[_general(path)].add(value)
    all_of_them = [
        (place, path, other)
        for place, event in enumerate(events)
        for path, value in _leaves(event)
        if path[-1] not in FREE
        for other in _others(value, sorted(known[_general(path)]), chance)
    ]
    chance.shuffle(all_of_them)
    for place, path, other in all_of_them:
        forged = changed(texts, place, _setting(path, other))
        if _can_be_read(forged[place]):
            yield Forgery(place, events[place]["type"], ".".join(map(str, _general(path))), forged)


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for place, each in enumerate(value):
            yield from _leaves(each, (*path, place))
    else:
        yield path, value


def _general(path: Path) -> Path:
    return tuple("*" if isinstance(step, int) else step for step in path)


def _others(value: Any, known: Sequence[str], chance: Random) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1] if value else [1]
    if isinstance(value, list):
        return [value[:-1]] if value else []
    numerator, slash, denominator = value.partition("/")
    if slash and numerator.isdigit() and denominator.isdigit():
        return [f"{int(numerator) + 1}/{denominator}"]
    different = [other for other in known if other != value]
    return [chance.choice(different)] if different else []


def _setting(path: Path, new: Any) -> Change:
    def change(record: dict[str, Any]) -> None:
        value: Any = record["event"]
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = new

    return change


def _can_be_read(text: str) -> bool:
    try:
        Record.model_validate_json(text)
    except ValueError:
        return False
    return True
