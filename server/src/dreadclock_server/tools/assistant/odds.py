"""The tools that answer from the rules alone: exact odds."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from dreadclock.wire import rest
from dreadclock_server.tools.assistant.tools import Tool

_LONGEST_FRACTION: Final = 24  # characters that are still of use to somebody
_ROLLS: Final = 12

QUESTIONS: Final[Mapping[str, type[rest.OddsQuestion]]] = {
    "odds_check": rest.CheckQuestion,
    "odds_contest": rest.ContestQuestion,
    "odds_countdown": rest.CountdownQuestion,
    "odds_total": rest.TotalQuestion,
    "odds_push": rest.PushQuestion,
    "odds_race": rest.RaceQuestion,
}


def odds_tools(reading: Callable[..., Tool]) -> list[Tool]:
    """Make the tools that tell odds; `reading` makes one of its name, its question and what answers that."""
    return [reading(name, question, _answered) for name, question in QUESTIONS.items()]


async def _answered(question: rest.OddsQuestion) -> str:
    """Answer a question beside all else that goes on. Raises ValueError where it has no answer, or too large a one."""
    if isinstance(question, rest.CountdownQuestion) and question.rolls is None:
        question = question.model_copy(update={"rolls": _ROLLS})
    return json.dumps(_short(await asyncio.to_thread(question.report)), separators=(",", ":"))


def _short(part: Any) -> Any:
    """Write a chance as its exact fraction and the number, or as the number alone where the fraction is long."""
    if isinstance(part, list):
        return [_short(element) for element in part]
    if not isinstance(part, dict):
        return part
    if part.keys() == {"fraction", "decimal"}:
        number = f"{part['decimal']:.6g}"
        return f"{part['fraction']} = {number}" if len(part["fraction"]) <= _LONGEST_FRACTION else f"about {number}"
    return {key: _short(value) for key, value in part.items()}
