"""Helpers for all REST calls: read requests, and build responses and problem details."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from dreadclock.wire.calls import Call
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import MAX_FRAME_BYTES
from dreadclock.wire.problems import problem_of
from dreadclock.wire.rest import Problem
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import retry_after
from dreadclock_server.gateway.parsing import refuse_too_much
from dreadclock_server.rooms.answers import trouble_of, unavailable
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import StoreError

UNAVAILABLE_MS = 1_000  # retry delay while the store is unavailable
STATUS = {
    Code.UNAUTHORISED: 401,
    Code.NOT_ALLOWED: 403,
    Code.UNKNOWN: 404,
    Code.BAD_COMMAND: 422,
    Code.BAD_REQUEST: 422,
    Code.RATE_LIMITED: 429,
    Code.UNAVAILABLE: 503,
    Code.UNSETTLED: 503,
    Code.BUG: 500,
}


def problem(refused: Refused) -> Response:
    """Return the response for a refusal, in the format of problem details (RFC 9457)."""
    status = STATUS.get(refused.code, 409)
    body = Problem(
        type=f"urn:dreadclock:{refused.code}",
        title=refused.code.replace("_", " "),
        status=status,
        detail=refused.sentence,
        code=refused.code,
        details=refused.details,
    )
    return Response(body.model_dump_json(), status, when_again(refused), media_type="application/problem+json")


def when_again(refused: Refused) -> dict[str, str]:
    """Return the header Retry-After if the refused call may be retried, else no header."""
    if refused.code is Code.RATE_LIMITED:
        return retry_after(int(refused.details["retry_ms"]))
    return retry_after(UNAVAILABLE_MS) if STATUS.get(refused.code) == STATUS[Code.UNAVAILABLE] else {}


async def body_of(in_flight: InFlightBudget, request: Request, limit: int = MAX_FRAME_BYTES) -> bytes:
    """Read a body. Raises Refused if it has more than `limit` bytes, or exceeds the in-flight budget."""
    return b"".join([chunk async for chunk in chunks_of(in_flight, request, limit)])


async def chunks_of(in_flight: InFlightBudget, request: Request, limit: int) -> AsyncIterator[bytes]:
    """Yield the chunks of a body as they come in.

    Raises Refused if there are more than `limit` bytes, or if they exceed the in-flight budget: the limit of all bytes
    that are being sent and received.
    """
    sizes, announced = [0], request.headers.get("content-length", "")
    _refuse_more_than(limit, int(announced[:20]) if announced.isdecimal() else 0)
    try:
        async for chunk in request.stream():
            _refuse_more_than(limit, sizes[0] + len(chunk))
            in_flight.demand(sizes[0] + len(chunk), request)
            sizes[0] += len(chunk)
            in_flight.track(request, partial(sizes.__getitem__, 0))
            yield chunk
    finally:
        in_flight.release(request)


def _refuse_more_than(limit: int, size: int) -> None:
    if size > limit:
        raise Refused(Code.BAD_REQUEST, problem=f"the body is larger than {limit} bytes")


async def text_of(in_flight: InFlightBudget, request: Request) -> str:
    """Read a body as text. Raises Refused if it is too large or not UTF-8."""
    try:
        return (await body_of(in_flight, request)).decode()
    except UnicodeDecodeError:
        raise Refused(Code.BAD_REQUEST, problem="the body is not UTF-8") from None


async def body_of_call(call: Call[Any], in_flight: InFlightBudget, request: Request) -> BaseModel:
    """Read a body as the model of the call. Raises Refused if it is too large, and ValidationError if it is invalid."""
    text = await text_of(in_flight, request)
    try:
        refuse_too_much(text)
    except ProtocolViolation as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error)) from None
    body: BaseModel = call.body.model_validate_json(text)
    return body


def bearer_of(request: Request) -> str:
    """Return the bearer token of a request, which may be a seat's token or another secret. Raises Refused if it has
    none.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(Code.UNAUTHORISED)
    return token.strip(" ")


def host_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def number_in(request: Request, name: str, most: int | None = None) -> int:
    """Return a number of the query; 0 if it is missing. Raises Refused if the value is above `most` or no number."""
    text = request.query_params.get(name, "0")
    digits = 15 if most is None else len(str(most))
    if not text.isascii() or not text.isdigit() or len(text) > digits or (most is not None and int(text) > most):
        raise Refused(Code.BAD_REQUEST, problem=f"{name} is no number" + (f" up to {most}" if most is not None else ""))
    return int(text)


def base_url_of(public_url: str | None, request: Request) -> str:
    """Return the beginning of links to this server, without a slash at its end."""
    return public_url or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"


def json_answer(body: BaseModel | Sequence[BaseModel], status: int = 200) -> Response:
    """Return a JSON response with a model, or with an array of models."""
    if isinstance(body, BaseModel):
        text = body.model_dump_json(exclude_none=True)
    else:
        text = f"[{','.join(part.model_dump_json(exclude_none=True) for part in body)}]"
    return Response(text, status, media_type="application/json")


def answer_of(call: Call[Any] | None, result: Response | BaseModel | Sequence[BaseModel] | None) -> Response:
    """Return the response for a handler's result, with the status from the table of calls."""
    if isinstance(result, Response):
        return result
    assert call is not None
    return Response(status_code=call.status) if result is None else json_answer(result, call.status)


def with_problems(
    answer: Callable[[Request], Awaitable[Response]], rooms: Rooms
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that calls `answer`, turns its errors into problem details, and counts them as refusals."""

    async def endpoint(request: Request) -> Response:
        """Return the response of `answer`, or of its error."""
        try:
            return await answer(request)
        except (Refused, ValidationError, StoreError) as error:
            # Do not assign the response to a variable: the error's traceback keeps this frame, and its variables, in
            # memory (test_unreleased, "calls").
            return _counted_problem(rooms, error)
        except ClientDisconnect:
            return Response(status_code=400)  # the client has disconnected, so nobody gets this response

    return endpoint


def _counted_problem(rooms: Rooms, error: Refused | ValidationError | StoreError) -> Response:
    """Count an error, and return its response. The caller must not keep the error or the response in a variable."""
    refused = _refused(error)
    rooms.counters.refusals.labels(refused.code).inc()
    return problem(refused)


def _refused(error: Refused | ValidationError | StoreError) -> Refused:
    if isinstance(error, Refused):
        return error
    if isinstance(error, ValidationError):
        return Refused(Code.BAD_REQUEST, problem=problem_of(error))
    outcome = unavailable(trouble_of(error))
    return Refused(outcome.code, **outcome.details)
