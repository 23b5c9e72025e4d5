"""Examples of every event, in every way that there are words for, and how they are told.

`tests/golden/narration-examples.jsonl` has one a line: the event, the seat that it is of (the gm's, unless said) and
the room that it is seen in (the full one, unless said); its first lines say how the other rooms begin.
`tests/golden/narration.txt` is what is told of them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dreadclock.narration.narrator import Narrator
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock.wire.views import View, empty_view
from kit.scenery import full_room, record

GOLDEN = Path(__file__).parents[2] / "golden"
LANGUAGES = ("en", "de")
RUDE = " At\x1b[2J\x1c\x85last,\ufeff \u2028 {by, seat} \u202e'{'\ud800x\xa0\u3000"


@dataclass(frozen=True)
class Example:
    """An event, the seat that it is of, and a view to tell it with."""

    event: e.Event
    view: View
    by: str = "gm"
    acted_for: str | None = None

    @property
    def record(self) -> Record:
        """The record of the event."""
        return record(self.event, self.by).model_copy(update={"acted_for": self.acted_for})


@cache
def written_examples() -> tuple[Example, ...]:
    """Read the examples of events as servers send them."""
    rows = [row for row in _rows() if "begins" not in row]
    return tuple(_example(row) for row in rows)


def _example(row: dict[str, Any]) -> Example:
    return Example(row["event"], room(row.get("seen_in", "full")), row.get("by", "gm"), row.get("acted_for"))


@cache
def room(name: str) -> View:
    """Return what is seen of the full room, or of the one in which `checks` or `totals` are under way, too."""
    log = full_room()
    for row in _rows():
        if row.get("begins") == name:
            log.write(row["event"])
    return log.view


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    lines = (GOLDEN / "narration-examples.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return tuple({**row, "event": e.EVENT.validate_json(json.dumps(row["event"]))} for row in rows)


def examples() -> Iterator[Example]:
    """Go through all examples: the written ones, a rude text, and an event of a later version."""
    yield from written_examples()
    nothing = empty_view(Channel.PUBLIC)
    yield Example(e.TurnEnded.model_construct(type="turn_ended", turn=1, note=RUDE), nothing)
    yield Example(e.RoomClosed(), nothing)
    yield Example(e.TurnEnded.model_construct(type="moon_rose", turn=1, note=None), nothing)  # type: ignore[arg-type]


def told_page() -> str:
    """Write all examples as a page: the type of each event, and below it a line for each language."""
    narrators = [Narrator(language) for language in LANGUAGES]
    return "\n".join(_told(example, narrators) for example in examples())


def _told(example: Example, narrators: list[Narrator]) -> str:
    told = (f"  {each.language}  {each.told(example.record, example.view)}\n" for each in narrators)
    return "".join((f"{example.event.type}\n", *told))


def first_of(type_: str) -> e.Event:
    """Return the first example of a type of event."""
    return next(each.event for each in written_examples() if each.event.type == type_)
