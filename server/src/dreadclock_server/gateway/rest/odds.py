"""Calls for exact odds: calculators that need no token and know of no room.

The parameters are named like the options of `dreadclock odds`, and the answers are its JSON.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dreadclock.rules import odds
from dreadclock.rules.check import plan
from dreadclock.rules.countdown import Speed
from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.notation import read_faces, read_parts
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.rest.calculations import Calculations

_Number = TypeVar("_Number")

_NUMBERS: Final = ("bonus", "penalty", "venture")
_TOKENS: Final = ("momentum", "interference")
_MODIFIERS: Final = (*_NUMBERS, *_TOKENS)
_SIDE: Final = (*_MODIFIERS, "reflex", "helper")
_FLAGS: Final = {"": True, "true": True, "1": True, "false": False, "0": False}
_LISTS: Final = ("stage", "chance", "efforts", "helper")  # parameters that may be given several times
_MAX_DIGITS: Final = 6
_MAX_LISTED: Final = 100
_SHOWN: Final = 40


async def countdown(request: Request, calculations: Calculations) -> Response:
    """Say a countdown's odds: `?pool=6&speed=slow&stage=2&rolls=10`."""
    query = _query(request, "pool", "speed", "stage", "rolls")
    speed = _speed(query.get("speed", Speed.SLOW))
    stages = [_whole("stage", text) for text in query.getlist("stage")[:_MAX_LISTED]]
    rolls = _whole("rolls", query["rolls"]) if "rolls" in query else None
    pool = _needed(query, "pool")
    return await _report(calculations, lambda: odds.countdown_report(pool, speed, stages=stages, rolls=rolls))


async def table(request: Request, calculations: Calculations) -> Response:
    """Say how long countdowns of 1 to 10 dice last on average."""
    _query(request)
    return await _report(calculations, odds.table_report)


async def race(request: Request, calculations: Calculations) -> Response:
    """Say a race's odds: `?situation=3&threat=15&chance=1/2&efforts=1&rounds_per_effort=1/2`."""
    query = _query(request, "situation", "threat", "chance", "efforts", "rounds_per_effort")
    situation, threat = _needed(query, "situation"), _needed(query, "threat")
    return await _report(
        calculations,
        lambda: odds.race_report(
            situation,
            threat,
            _one_or_each([odds.read_fraction(text) for text in query.getlist("chance")[:_MAX_LISTED]]),
            efforts=_one_or_each([_whole("efforts", text) for text in query.getlist("efforts")[:_MAX_LISTED]] or [1]),
            rounds_per_effort=odds.read_fraction(query.get("rounds_per_effort", "0")),
        ),
    )


async def check(request: Request, calculations: Calculations) -> Response:
    """Say a check's odds: `?dice=4&bonus=1&penalty=2&venture=1&momentum=true&helper=3`."""
    query = _query(request, "dice", *_MODIFIERS, "helper")
    dice, modifiers = _needed(query, "dice"), _modifiers(query)
    return await _report(
        calculations, lambda: odds.check_report(dice, **modifiers, helpers=read_parts(_helpers(query)))
    )


async def contest(request: Request, calculations: Calculations) -> Response:
    """Say a contest's odds: `?dice=3&reflex=2&against=2&against_penalty=1&against_reflex=3`."""
    query = _query(request, "dice", "against", *_SIDE, *(f"against_{name}" for name in _SIDE))
    dice, against = _needed(query, "dice"), _needed(query, "against")
    ours, theirs = _modifiers(query), _modifiers(query, "against_")
    reflex = _reflex(query, "reflex"), _reflex(query, "against_reflex")
    return await _report(
        calculations,
        lambda: odds.contest_report(
            [plan(dice, **ours), *read_parts(_helpers(query))],
            [plan(against, **theirs), *read_parts(_helpers(query, "against_"))],
            reflex,
        ),
    )


async def total(request: Request, calculations: Calculations) -> Response:
    """Say a roll total's odds: `?dice=5&required=13`."""
    query = _query(request, "dice", "required")
    dice = _needed(query, "dice")
    required = _whole("required", query["required"]) if "required" in query else None
    return await _report(calculations, lambda: odds.total_report(dice, required=required))


async def push(request: Request, calculations: Calculations) -> Response:
    """Say the odds of a push: `?kept=2,4,5&required=13`."""
    query = _query(request, "kept", "required")
    required = _needed(query, "required")
    return await _report(calculations, lambda: odds.push_report(read_faces(query.get("kept", "")), required))


async def _report(calculations: Calculations, ask: Callable[[], object]) -> Response:
    """Work an answer out; a question with no answer, or too large a one, is refused with its limit."""
    try:
        return JSONResponse(await calculations.work_out(ask))
    except ValueError as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error).rstrip(".")) from None


def _query(request: Request, *names: str) -> QueryParams:
    """Return the parameters of a question. Raises Refused if one is not among `names`: its answer would mislead."""
    for name in request.query_params:
        if name not in names:
            allowed = ", ".join(names) or "none"
            raise Refused(Code.BAD_REQUEST, problem=f"there is no parameter {name[:_SHOWN]!r}, only {allowed}")
    for name in names:
        if name.removeprefix("against_") not in _LISTS and len(request.query_params.getlist(name)) > 1:
            raise Refused(Code.BAD_REQUEST, problem=f"{name} is given more than once")
    return request.query_params


def _modifiers(query: QueryParams, side: str = "") -> dict[str, Any]:
    """Return what changes the dice of a check."""
    numbers = {name: _whole(side + name, query.get(side + name, "0")) for name in _NUMBERS}
    return numbers | {name: _flag(side + name, query.get(side + name, "false")) for name in _TOKENS}


def _helpers(query: QueryParams, side: str = "") -> list[str]:
    """List the helpers' dice; a plus that the caller left as it is has arrived as a blank."""
    return [text.replace(" ", "+") for text in query.getlist(f"{side}helper")]


def _reflex(query: QueryParams, name: str) -> int | None:
    if name not in query:
        return None
    reflex = _whole(name, query[name])
    if reflex > MAX_POOL:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} must be from 0 to {MAX_POOL}")
    return reflex


def _one_or_each(numbers: list[_Number]) -> _Number | list[_Number]:
    """Return a single number as one for all challenges, several as one for each."""
    return numbers[0] if len(numbers) == 1 else numbers


def _needed(query: QueryParams, name: str) -> int:
    return _whole(name, query.get(name, ""))


def _whole(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _MAX_DIGITS:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} must be a whole number")
    return int(text)


def _flag(name: str, text: str) -> bool:
    if text not in _FLAGS:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} must be true or false")
    return _FLAGS[text]


def _speed(text: str) -> Speed:
    if text not in list(Speed):
        raise Refused(Code.BAD_REQUEST, problem="speed must be slow, medium or fast")
    return Speed(text)
