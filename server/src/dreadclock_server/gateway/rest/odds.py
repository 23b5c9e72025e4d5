"""Calls for exact odds. They need no token and no room.

The parameters have the names of the options of `dreadclock odds`, and the answers are the JSON of that command.
"""

from typing import Any, Final, get_args, get_origin

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dreadclock.rules.countdown import Speed
from dreadclock.wire import calls, rest
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.rest.workers import Calculations

QUESTIONS: Final[dict[calls.Call[Any], type[rest.OddsQuestion]]] = {
    calls.COUNTDOWN_ODDS: rest.CountdownQuestion,
    calls.ODDS_TABLE: rest.TableQuestion,
    calls.RACE_ODDS: rest.RaceQuestion,
    calls.CHECK_ODDS: rest.CheckQuestion,
    calls.CONTEST_ODDS: rest.ContestQuestion,
    calls.TOTAL_ODDS: rest.TotalQuestion,
    calls.PUSH_ODDS: rest.PushQuestion,
}
_FLAGS: Final = {"": True, "true": True, "1": True, "false": False, "0": False}
_MAX_DIGITS: Final = 6
_MAX_LISTED: Final = 100
_SHOWN: Final = 40


async def answer(request: Request, call: calls.Call[Any], calculations: Calculations) -> Response:
    """Answer a question about odds. Raises Refused if a value is out of range or the answer too large."""
    question = _read(request.query_params, QUESTIONS[call])
    try:
        return JSONResponse(await calculations.work_out(question.report))
    except ValueError as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error).rstrip(".")) from None


def _read(query: QueryParams, question: type[rest.OddsQuestion]) -> rest.OddsQuestion:
    """Read a question from query parameters. Raises Refused for an unknown, repeated or malformed parameter.

    Raises ValidationError if a value is out of range or missing.
    """
    fields = question.model_fields
    for name in query:
        if name not in fields:
            names = ", ".join(fields) or "none"
            raise Refused(Code.BAD_REQUEST, problem=f"there is no parameter {name[:_SHOWN]!r}, only {names}")
    values: dict[str, Any] = {}
    for name, field in fields.items():
        is_list = get_origin(field.annotation) is tuple
        texts = query.getlist(name)[:_MAX_LISTED]
        if len(texts) > 1 and not is_list:
            raise Refused(Code.BAD_REQUEST, problem=f"{name} is given more than once")
        if not texts and field.is_required() and not is_list:
            texts = [""]
        kinds = {*get_args(field.annotation), field.annotation}
        read = [_value(name, text, kinds) for text in texts]
        if is_list and (read or field.is_required()):
            values[name] = tuple(read)
        elif read:
            values[name] = read[0]
    return question(**values)


def _value(name: str, text: str, kinds: set[Any]) -> object:
    """Return a parameter as a number, a flag or a speed, or else as text. Raises Refused if it is malformed."""
    if int in kinds:
        if not text.isascii() or not text.isdigit() or len(text) > _MAX_DIGITS:
            raise Refused(Code.BAD_REQUEST, problem=f"{name} must be a whole number")
        return int(text)
    if bool in kinds:
        if text not in _FLAGS:
            raise Refused(Code.BAD_REQUEST, problem=f"{name} must be true or false")
        return _FLAGS[text]
    if Speed in kinds:
        if text not in list(Speed):
            raise Refused(Code.BAD_REQUEST, problem="speed must be slow, medium or fast")
        return Speed(text)
    return text.replace(" ", "+") if name.endswith("helper") else text  # an unescaped plus arrives as a space
