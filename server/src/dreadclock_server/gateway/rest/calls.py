"""What all REST calls have in common: what they are answered with, how often they may come, how refusals are told."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.frames import MAX_FRAME_BYTES
from dreadclock.wire.problems import problem_of
from dreadclock.wire.rest import Problem
from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.lapsed_knocks import LapsedKnocks
from dreadclock_server.gateway.limits.caps import Caps, ConnectionLimiter
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Buckets, Limits, demand, retry_after
from dreadclock_server.gateway.metrics import Metrics
from dreadclock_server.gateway.rest.calculations import Calculations
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.rooms.answers import trouble_of, unavailable
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import StoreError

MOST_IMPORTS = 4  # at a time: what is imported is held in memory
MOST_RECAPS = 8  # at a time, of which one is made and the others wait
LONG_POLLS = Caps(in_all=256, per_address=8)  # whose answers may take their time; others are answered at once
UNAVAILABLE_MS = 1_000  # after which a store may be back
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


@dataclass(frozen=True, slots=True)
class Api:
    """What the REST calls are answered with."""

    rooms: Rooms
    hubs: Hubs
    health: Health
    metrics: Metrics
    operator_key: str | None  # None: anyone who reaches the server may open rooms
    metrics_key: str | None  # one more that opens the figures
    public_url: str | None  # how links begin, if not as the request came
    limits: Limits
    in_flight: InFlightBudget
    names: tuple[str, ...] = ()  # that the server is reached by from elsewhere
    is_everywhere: bool = False  # whether it listens at all addresses of its machine
    links_key: str | None = None  # makes a gm's link to any room: the operator's key, or a secret in the data folder
    calculations: Calculations = field(default_factory=Calculations)
    lapsed_knocks: LapsedKnocks = field(default_factory=LapsedKnocks)
    long_polls: ConnectionLimiter = field(default_factory=lambda: ConnectionLimiter(LONG_POLLS))
    # Aside from those that a table waits for.
    imports: Calculations = field(default_factory=lambda: Calculations(MOST_IMPORTS))
    recaps: Calculations = field(default_factory=lambda: Calculations(MOST_RECAPS))
    drawings: Calculations = field(default_factory=Calculations)  # of QR codes: a long link's takes 16 ms

    def base_url(self, request: Request) -> str:
        """Return how links begin."""
        return self.public_url or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"


Endpoint = Callable[[Api, Request], Awaitable[Response]]


def problem(refused: Refused) -> Response:
    """Answer with a refusal as problem details."""
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
    """Return the header that says when what was refused may come again, if it may."""
    if refused.code is Code.RATE_LIMITED:
        return retry_after(int(refused.details["retry_ms"]))
    return retry_after(UNAVAILABLE_MS) if STATUS.get(refused.code) == STATUS[Code.UNAVAILABLE] else {}


async def body_of(in_flight: InFlightBudget, request: Request, limit: int = MAX_FRAME_BYTES) -> bytes:
    """Read a body of at most `limit` bytes. Raises Refused."""
    return b"".join([chunk async for chunk in chunks_of(in_flight, request, limit)])


async def chunks_of(in_flight: InFlightBudget, request: Request, limit: int) -> AsyncIterator[bytes]:
    """Yield a body of at most `limit` bytes as it comes in. Raises Refused."""
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


def host_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def limited(api: Api, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """Answer an endpoint's calls as often as an address may call, with problem details where something goes wrong."""
    return with_problems(api, counted(endpoint, lambda limits: limits.calls))


def counted(endpoint: Endpoint, buckets: Callable[[Limits], Buckets]) -> Endpoint:
    """Answer an endpoint's calls as often as one of the limits lets an address."""

    async def called(api: Api, request: Request) -> Response:
        """Answer, or raise Refused if the address calls too often."""
        demand(buckets(api.limits), host_of(request))
        return await endpoint(api, request)

    return called


def with_problems(api: Api, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """Turn what can go wrong into problem details."""

    async def answer(request: Request) -> Response:
        """Answer, whatever the endpoint raises that it may raise."""
        try:
            return await endpoint(api, request)
        except (Refused, ValidationError, StoreError) as error:
            # Not kept in a variable: its traceback holds this frame. Held by test_unreleased, "calls".
            return _counted_problem(api, error)
        except ClientDisconnect:
            return Response(status_code=400)  # which nobody is there to read

    return answer


def _counted_problem(api: Api, error: Refused | ValidationError | StoreError) -> Response:
    refused = _refused(error)
    api.rooms.counters.refusals[refused.code] += 1
    return problem(refused)


def _refused(error: Refused | ValidationError | StoreError) -> Refused:
    if isinstance(error, Refused):
        return error
    if isinstance(error, ValidationError):
        return Refused(Code.BAD_REQUEST, problem=problem_of(error))
    outcome = unavailable(trouble_of(error))
    return Refused(outcome.code, **outcome.details)
