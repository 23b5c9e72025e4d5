"""The handlers of REST calls, the checks that run before them, and the functions that compute their arguments."""

from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable, signature
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.wire import calls
from dreadclock.wire.calls import CALLS, Call
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.limits.rates import Limits, demand
from dreadclock_server.gateway.rest import (
    addresses,
    events,
    imports,
    knock_calls,
    logs,
    odds,
    operators,
    recap_calls,
    room_calls,
)
from dreadclock_server.gateway.rest.calls import answer_of, base_url_of, bearer_of, body_of_call, host_of, with_problems
from dreadclock_server.gateway.rest.room_calls import caller_of, reader_of, require_gm, require_operator

Handler = Callable[..., Any]
Parts = Mapping[str, Any]  # objects of the server, such as the store, by the name of the parameter that gets them
Check = str | Handler
Handlers = dict[Call[Any], tuple[Handler, *tuple[Check, ...]]]

# The handler of each call, and its checks. A check is a function that raises Refused, or the name of a rate limit in
# `Limits`, for the address of the caller.
HANDLERS: Handlers = {
    calls.OPEN_ROOM: (room_calls.open_room, "calls", require_operator, "rooms"),
    calls.IMPORT_ROOM: (imports.import_room, "calls", require_operator, "imports", "rooms"),
    calls.GET_VIEW: (room_calls.get_view, "calls"),
    calls.DELETE_ROOM: (room_calls.delete_room, "calls"),
    calls.MAKE_GM_LINK: (room_calls.make_gm_link, "calls"),
    calls.INVITE: (room_calls.invite, "calls"),
    calls.KNOCK: (knock_calls.knock, "calls", "knocks"),
    calls.LIST_KNOCKS: (knock_calls.list_knocks, "calls"),
    calls.GET_KNOCK: (knock_calls.get_knock, "calls"),
    calls.WITHDRAW_KNOCK: (knock_calls.withdraw_knock, "calls"),
    calls.ANSWER_KNOCK: (knock_calls.answer_knock, "calls"),
    calls.LIST_TOKENS: (tokens.listed, "calls"),
    calls.REVOKE_TOKEN: (room_calls.revoke_token, "calls"),
    calls.GET_ADDRESSES: (addresses.get_addresses, "calls", require_gm),
    calls.DRAW_QR: (addresses.draw_qr, "calls", require_gm),
    calls.GET_SIZE: (room_calls.get_size, "calls"),
    calls.GET_UNDOABLE: (room_calls.get_undoable, "calls"),
    calls.SEND_COMMAND: (room_calls.send_command, "calls"),
    calls.GET_LOG: (logs.get_log, "calls"),
    calls.GET_RECAP: (recap_calls.get_recap, "calls"),
    calls.SHARE_RECAP: (recap_calls.share_recap, "calls"),
    calls.LIST_RECAPS: (recap_calls.list_recaps, "calls"),
    calls.WITHDRAW_RECAP: (recap_calls.withdraw_recap, "calls"),
    calls.GET_EVENTS: (events.get_events, "joins"),
    **dict.fromkeys(odds.QUESTIONS, (odds.answer, "odds")),
}
# Functions that compute a handler's arguments from a request, by the names of parameters. They run in the order of the
# parameters, and may raise Refused. If `live` comes before `body`, the body is read only if the caller is the gm.
RESOLVERS: dict[str, Handler] = {
    "bearer": bearer_of,
    "host": host_of,
    "base_url": base_url_of,
    "caller": caller_of,  # any seat of the room
    "live": require_gm,  # the room, if the caller is its gm
    "reader": reader_of,  # any seat, if its address has not used up its read limit
    "knocker": knock_calls.Knocker,
    "recap_reader": recap_calls.recap_reader_of,
    "body": body_of_call,
}


def routes(parts: Parts, handlers: Handlers) -> list[Route]:
    """Return the routes of the calls in `handlers`, and of the operators' calls, which are not in CALLS."""
    described = [
        Route(call.path, _answering({**parts, "call": call}, *handlers[call]), methods=[call.method])
        for call in CALLS
        if call in handlers
    ]
    others = [Route(path, _answering(parts, handler), methods=["GET"]) for path, handler in operators.HANDLERS.items()]
    return [*described, *others]


def _answering(parts: Parts, handler: Handler, *checks: Check) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that runs the checks and the handler.

    If one of them raises Refused, the endpoint answers with problem details.
    """
    bound_checks = [
        _rate(parts["limits"], check) if isinstance(check, str) else bound(check, parts) for check in checks
    ]
    answer, call = bound(handler, parts), parts.get("call")

    async def endpoint(request: Request) -> Response:
        for check in bound_checks:
            await check(request)
        return answer_of(call, await answer(request))

    return with_problems(endpoint, parts["rooms"])


def _rate(limits: Limits, name: str) -> Callable[[Request], Awaitable[None]]:
    async def check(request: Request) -> None:
        demand(getattr(limits, name), host_of(request))

    return check


def bound(function: Handler, parts: Parts) -> Callable[[Request], Awaitable[Any]]:
    """Return a function that calls `function` for a request.

    It finds each argument by the name of the parameter: in RESOLVERS, in `parts`, or in the variable parts of the path.
    A parameter `request` gets the request.
    """
    names = signature(function).parameters
    resolvers = {name: bound(RESOLVERS[name], parts) for name in names if name in RESOLVERS}

    async def call(request: Request) -> Any:
        given: dict[str, Any] = {**parts, **request.path_params, "request": request}
        values = {name: await resolvers[name](request) if name in resolvers else given[name] for name in names}
        result = function(**values)
        return await result if isawaitable(result) else result

    return call
