"""The tools that only read: the table, what waits for the seat, the latest events, a thing, and odds."""

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, TypeVar

from pydantic import Field, ValidationError
from pydantic_core import to_json
from rich.console import Console

from dreadclock.client.room import Room
from dreadclock.narration import Narrator
from dreadclock.rules.limits import RECENT
from dreadclock.wire import rest
from dreadclock.wire.base import Channel, Id, Model
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.plain import plain
from dreadclock.wire.problems import problem_of
from dreadclock.wire.things import Seat
from dreadclock_server.tools.assistant.tools import LOOKS, Tool, schema_of
from dreadclock_server.tools.assistant.waiting import waiting
from dreadclock_server.tools.canvas import Pen
from dreadclock_server.tools.drawing import latest
from dreadclock_server.tools.layout import whole
from dreadclock_server.tools.watch import drawn

# Tools that need only the rules: exact odds.


_LONGEST_FRACTION: Final = 24  # characters; a longer fraction is replaced by a decimal
_ROLLS: Final = 12

QUESTIONS: Final[Mapping[str, type[rest.OddsQuestion]]] = {
    "odds_check": rest.CheckQuestion,
    "odds_contest": rest.ContestQuestion,
    "odds_countdown": rest.CountdownQuestion,
    "odds_total": rest.TotalQuestion,
    "odds_push": rest.PushQuestion,
    "odds_race": rest.RaceQuestion,
}


async def _answered(question: rest.OddsQuestion) -> str:
    """Compute the answer to a question in a thread.

    Raises ValueError if a value is out of range, or if the answer would be too large.
    """
    if isinstance(question, rest.CountdownQuestion) and question.rolls is None:
        question = question.model_copy(update={"rolls": _ROLLS})
    return json.dumps(_short(await asyncio.to_thread(question.report)), separators=(",", ":"))


def _short(part: Any) -> Any:
    """Replace each chance by a text: a fraction and a decimal, or only a decimal if the fraction is long."""
    if isinstance(part, list):
        return [_short(element) for element in part]
    if not isinstance(part, dict):
        return part
    if part.keys() == {"fraction", "decimal"}:
        number = f"{part['decimal']:.6g}"
        return f"{part['fraction']} = {number}" if len(part["fraction"]) <= _LONGEST_FRACTION else f"about {number}"
    return {key: _short(value) for key, value in part.items()}


BACK_WITHIN_S: Final = 5.0  # how long to wait for a reconnect before showing the last state received
_WIDTH: Final = 1000  # columns, enough that no line is wrapped
_THINGS: Final = (
    *("seats", "characters", "countdowns", "clocks", "scenes", "situations", "challenges", "efforts", "sealed"),
    *("rolls", "checks", "totals", "secrets", "consequences"),
)

_Asked = TypeVar("_Asked", bound=Model)


class Table(Model):
    """Show the current table: people, scenes, clocks, countdowns, characters, checks, totals, the latest events.

    Ids are in brackets. Long names are cut. `look_at` shows all of a thing.
    """


class WaitingFor(Model):
    """List everything that waits for this seat, and the tools to answer it."""


class LatestEvents(Model):
    """Show the latest events as sentences, the newest at the end."""

    limit: Annotated[int, Field(ge=1, le=2 * RECENT)] = RECENT


class LookAt(Model):
    """Show all that this seat sees of one thing, such as a character's sheet, a check, a countdown, a clock or a
    seat.
    """

    id: Id = Field(description="The id in brackets, as `table` shows it.")


def reading_tools(room: Room, seat: Seat, narrator: Narrator) -> list[Tool]:
    """Make the tools that change nothing."""
    return [
        _reading("table", Table, partial(_table, room, seat, narrator)),
        _reading("waiting", WaitingFor, partial(_waiting, room)),
        _reading("latest_events", LatestEvents, partial(_latest, room, narrator)),
        _reading("look_at", LookAt, partial(_look_at, room)),
        *(_reading(name, question, _answered) for name, question in QUESTIONS.items()),
    ]


def _reading(name: str, asked: type[_Asked], answer: Callable[[_Asked], Awaitable[str]]) -> Tool:
    async def run(arguments: Mapping[str, Any]) -> str:
        return await answer(_asked(asked, arguments))

    return Tool(name, asked.__doc__ or "", schema_of(asked), LOOKS, run)


def _asked(asked: type[_Asked], arguments: Mapping[str, Any]) -> _Asked:
    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        return asked.model_validate_json(to_json(given))
    except ValidationError as error:
        raise Refused(Code.BAD_REQUEST, problem=problem_of(error)) from error


async def _current(room: Room) -> None:
    """If the connection is lost, wait up to BACK_WITHIN_S for it. Raises ConnectionEnded if it has ended for good."""
    with suppress(TimeoutError):
        await room.wait_for(lambda _: room.connected, BACK_WITHIN_S)


async def _table(room: Room, seat: Seat, narrator: Narrator, asked: Table) -> str:
    await _current(room)
    console = Console(file=io.StringIO(), width=_WIDTH, color_system=None, highlight=False, _environ={})
    with console.capture() as capture:
        console.print(whole(drawn(room, Pen(width=_WIDTH, narrator=narrator))))
    rules = ", ".join(
        f"{name}: {str(value).lower()}" for name, value in room.view.policy.model_dump(mode="json").items()
    )
    lines = [f"This seat: {seat.id} ({seat.role}). House rules: {rules}.", *capture.get().splitlines()]
    return "\n".join(line.rstrip() for line in lines)


async def _waiting(room: Room, asked: WaitingFor) -> str:
    await _current(room)
    seat = room.view.seats.get(room.seat)
    return "\n".join(map(str, waiting(room.view, seat) if seat else ())) or "Nothing waits for this seat."


async def _latest(room: Room, narrator: Narrator, asked: LatestEvents) -> str:
    await _current(room)
    records = latest(room.view)[-asked.limit :]
    numbered = [(record.seq if record.channel is Channel.PUBLIC else "-", record) for record in records]
    return "\n".join(f"{number}  {narrator.told(record, room.view)}" for number, record in numbered) or "Nothing yet."


async def _look_at(room: Room, asked: LookAt) -> str:
    await _current(room)
    things = {kind: getattr(room.view, kind).get(asked.id) for kind in _THINGS}
    shown = {kind: thing.model_dump(mode="json", exclude_none=True) for kind, thing in things.items() if thing}
    if not shown:
        raise Refused(Code.UNKNOWN, kind="thing", id=asked.id)
    return json.dumps(_plain(shown), ensure_ascii=False)


def _plain(part: Any) -> Any:
    """Make all texts plain. Leave out the proofs of dice, because the client library has verified them."""
    if isinstance(part, dict):
        return {plain(key): _plain(value) for key, value in part.items() if key != "proof"}
    if isinstance(part, list):
        return [_plain(item) for item in part]
    return plain(part) if isinstance(part, str) else part
