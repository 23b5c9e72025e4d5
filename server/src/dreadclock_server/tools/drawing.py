"""Draws a room as a picture made of text. The picture shows the room as one viewer sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from dreadclock.narration import is_quiet
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.events import CommandVoided
from dreadclock.wire.families.consequences import is_over
from dreadclock.wire.plain import isolated, plain
from dreadclock.wire.records import Record, in_order
from dreadclock.wire.things import BoundTo, Consequence, Countdown, CountdownStatus, Sealed, Seat
from dreadclock.wire.views import View
from dreadclock_server.tools.canvas import LOST, OVER, Pen, Rank, Row, Section, remarks, with_few_ended
from dreadclock_server.tools.characters_drawing import drawn_characters
from dreadclock_server.tools.rolls_drawing import drawn_checks, drawn_totals
from dreadclock_server.tools.scenes_drawing import drawn_clocks, drawn_scenes
from dreadclock_server.tools.words import Words

LATEST: Final = 8  # events in a picture
NEWEST: Final = 3  # events that are shown even if the terminal has few lines

_APART: Final = "   "


@dataclass(frozen=True, slots=True)
class Seen:
    """The content of a picture: a view, the connected seats, and whether the viewer is connected."""

    view: View
    here: Mapping[Id, int] = field(default_factory=dict)
    connected: bool = True


def sections(seen: Seen, pen: Pen) -> list[Section]:
    """Draw a room: its people, scenes, clocks, countdowns, characters and rolls, and the latest events."""
    view, words = seen.view, pen.words
    drawn = [
        Section("", [Row((_title(seen, words),), Rank.TOP), *_people(seen, pen)]),
        *(Section("", rows, pen.label) for rows in drawn_scenes(view, pen)),
        Section(words("section.clocks"), drawn_clocks(view, pen), pen.label),
        Section(words("section.countdowns"), _countdowns(view, pen), pen.label),
        Section(words("section.characters"), drawn_characters(view, pen), pen.label),
        Section(words("section.checks"), drawn_checks(view, pen), pen.label),
        Section(words("section.totals"), drawn_totals(view, pen), pen.label),
        Section(words("section.consequences"), _consequences(view, pen)),
        Section("", _sealed(view, pen)),
        Section(words("section.latest"), _latest(view, pen)),
    ]
    return [section for section in drawn if section.rows]


def _title(seen: Seen, words: Words) -> Text:
    title = Text(isolated(plain(seen.view.title)), "bold")
    title.append(_APART + words("title.turn", turn=seen.view.turn), "not bold")
    if seen.view.public.closed:
        title.append(_APART + words("title.closed"), "not bold yellow")
    if not seen.connected:
        title.append(_APART + words("title.apart"), "not bold red")
    return title


def _people(seen: Seen, pen: Pen) -> list[Row]:
    """Draw the seats. A line takes as many seats as fit."""
    lines: list[Text] = []
    for seat in seen.view.seats.values():
        person = _person(seat, pen, here=seat.id in seen.here)
        if lines and lines[-1].cell_len + len(_APART) + person.cell_len <= pen.width:
            lines[-1] = Text(_APART).join([lines[-1], person])
        else:
            lines.append(person)
    return [Row((line,)) for line in lines]


def _person(seat: Seat, pen: Pen, *, here: bool) -> Text:
    mark = pen.glyphs.here if here else pen.glyphs.away
    person = Text(f"{mark} {isolated(plain(seat.name))} ({pen.words(f'role.{seat.role}')})", "" if here else OVER)
    return person if seat.id == seat.role else person.append(pen.id_of(seat.id), OVER)


# Countdowns


def _countdowns(view: View, pen: Pen) -> list[Row]:
    return [_countdown(view, pen, countdown) for countdown in with_few_ended(view.countdowns, _has_ended)]


def _countdown(view: View, pen: Pen, countdown: Countdown) -> Row:
    over = _has_ended(countdown)
    label = pen.labelled(2, countdown.name, countdown.id, OVER if over else "")
    pool = Text(pen.glyphs.die * countdown.pool)
    stays = [face not in countdown.speed.expiring for face in countdown.last_faces]
    cells = (label, pool, pen.rolled(countdown.last_faces, stays), _said_of(view, pen, countdown))
    return Row(cells, Rank.ENDED if over else Rank.GOES_ON)


def _has_ended(countdown: Countdown) -> bool:
    return countdown.status in (CountdownStatus.EXPIRED, CountdownStatus.CANCELLED)


def _said_of(view: View, pen: Pen, countdown: Countdown) -> Text:
    runs, words = countdown.status is CountdownStatus.RUNNING, pen.words
    start = countdown.started_with
    ahead = [stage for stage in countdown.stages if stage.at < countdown.pool]
    return remarks(
        pen.dice(countdown.pool) if runs else words(f"countdown.{countdown.status}"),
        words(f"speed.{countdown.speed}"),
        pen.of(view, countdown.owner),
        pen.mark(countdown.visibility),
        _bound(view, words, countdown) if not _has_ended(countdown) else "",
        *_allowed(view, words, countdown),
        *(words("countdown.start", effect=stage.effect) for stage in countdown.stages if stage.at == start),
        *(words("countdown.stage", at=stage.at, effect=stage.effect) for stage in ahead if stage.at != start),
        words("countdown.end", effect=countdown.ending) if countdown.ending else "",
    )


def _bound(view: View, words: Words, countdown: Countdown) -> str:
    """Say when a countdown is rolled: with each turn, the turns of a scene, or the rounds of a situation.

    Return an empty text if it is only rolled by its own command. Source: rules.md A12.
    """
    if countdown.bound_to is BoundTo.NOTHING:
        return ""
    thing = view.situations.get(countdown.bound_id or "") or view.scenes.get(countdown.bound_id or "")
    return words(f"countdown.{countdown.bound_to}", name=thing.name if thing else countdown.bound_id or "")


def _allowed(view: View, words: Words, countdown: Countdown) -> list[str]:
    """Return words for a countdown's character, starting attribute, permissions and repetition.

    Source: rules.md A9, A10, A13 and A15.
    """
    about = view.characters.get(countdown.about or "")
    name = about.name if about else countdown.about
    return [
        words(f"countdown.about.{countdown.fate or 'nothing'}", name=name) if name else "",
        words("countdown.from", attribute=countdown.from_attribute) if countdown.from_attribute else "",
        *(() if _has_ended(countdown) else _permissions(words, countdown)),
        words(f"countdown.repeats.{countdown.repeats}") if countdown.repeats else "",
    ]


def _permissions(words: Words, countdown: Countdown) -> tuple[str, str]:
    """Say whether a countdown may be stabilized (stopped for a while), and whether dice may be added."""
    return (
        words("countdown.stabilizable" if countdown.stabilizable else "countdown.not_stabilizable"),
        words("countdown.replenishable" if countdown.replenishable else "countdown.not_replenishable"),
    )


# The rest


def _consequences(view: View, pen: Pen) -> list[Row]:
    """Draw a line for each consequence: what happens automatically at a certain point of a thing.

    Leaves out the consequences of things that are over.
    """
    return [
        _consequence(view, pen, consequence)
        for consequence in view.consequences.values()
        if not is_over(view, consequence.of)
    ]


def _consequence(view: View, pen: Pen, consequence: Consequence) -> Row:
    mark = pen.mark(consequence.visibility)
    beside = pen.id_of(consequence.id) + (f" ({mark})" if mark else "")
    return Row((Text("  ").append(pen.narrator.follows(consequence, view)).append(beside, OVER),))


def _sealed(view: View, pen: Pen) -> list[Row]:
    return [Row((_sealed_thing(pen, thing),)) for thing in view.sealed.values()]


def _sealed_thing(pen: Pen, thing: Sealed) -> Text:
    said = pen.words("sealed", name=plain(thing.name), kind=thing.kind)
    return Text(said, "magenta").append(pen.id_of(thing.id), OVER)


def _latest(view: View, pen: Pen) -> list[Row]:
    latest_records = latest(view)
    voided = [(record.channel, event) for record in latest_records if isinstance(event := record.event, CommandVoided)]
    records = latest_records[-LATEST:]
    return [
        Row((_sentence(record, voided, view, pen),), Rank.TOP if place >= len(records) - NEWEST else Rank.TOLD)
        for place, record in enumerate(records)
    ]


def _sentence(record: Record, voided: Sequence[tuple[Channel, CommandVoided]], view: View, pen: Pen) -> Text:
    """Return the sentence about a record. If the record's command was undone, the sentence is struck through."""
    is_back = any(channel is record.channel and undo.first <= record.seq <= undo.last for channel, undo in voided)
    return Text("  ").append(pen.narrator.told(record, view), LOST if is_back else "")


def latest(view: View) -> list[Record]:
    """Return the latest records of all channels, the oldest first. Leaves out quiet events: these have no sentence."""
    records = in_order(record for part in view.channels.values() for record in part.recent)
    return [record for record in records if not is_quiet(record.event)]
