"""Where handlers of REST calls get their parameters from, and what is checked before them."""

from inspect import isclass, signature
from typing import Any, get_origin, get_type_hints

import pytest
from starlette.requests import Request
from starlette.routing import Route

from dreadclock.wire import calls
from dreadclock.wire.calls import CALLS, Call
from dreadclock_server.app import create_app
from dreadclock_server.gateway.limits.rates import Rates
from dreadclock_server.gateway.rest import routes
from dreadclock_server.gateway.rest.routes import HANDLERS, RESOLVERS
from dreadclock_server.in_play import calls as in_play
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import Store

ALL = HANDLERS | in_play.HANDLERS


def test_every_call_has_a_handler_and_each_rate_is_a_limit():
    rates = {check for row in ALL.values() for check in row if isinstance(check, str)}
    assert set(CALLS) == set(ALL)
    assert rates == {"calls", "joins", "odds", "rooms", "imports", "knocks", "in_play"}
    assert rates <= Rates.__dataclass_fields__.keys()


async def test_each_parameter_gets_what_its_type_says(store: Store, monkeypatch: pytest.MonkeyPatch):
    given: list[dict[str, Any]] = []

    def no_routes(parts: dict[str, Any], _: object) -> list[Route]:
        given.append(parts)
        return []

    monkeypatch.setattr("dreadclock_server.app.routes", no_routes)
    app = create_app(store, Settings(operator_key="k" * 22))
    [parts] = given
    for call, (handler, *checks) in ALL.items():
        for function in (handler, *filter(callable, checks), *RESOLVERS.values()):
            for name in signature(function).parameters:
                fits(name, hints_of(function)[name], parts, call)
    await app.rooms.aclose()


def hints_of(function: Any) -> dict[str, Any]:
    """Return the types of a function's parameters and result. A class is a function that returns its instance."""
    return {**get_type_hints(function.__init__), "return": function} if isclass(function) else get_type_hints(function)


def fits(name: str, hint: Any, parts: dict[str, Any], call: Call[Any]) -> None:
    """See that a parameter is of the type of what it gets."""
    own = {"request": Request, "call": Call[Any], "body": call.body}
    assert not parts.keys() & RESOLVERS.keys()
    if name in own:
        assert hint == own[name]
    elif name in RESOLVERS:
        assert hint == hints_of(RESOLVERS[name])["return"]
    elif name in parts:
        assert hint is Store or isinstance(parts[name], tuple if get_origin(hint) is tuple else hint)
    else:
        assert hint is str or name in ("room", "knock")
        assert f"{{{name}}}" in call.path or name in ("room", "knock")  # of resolvers, which not all calls use


def test_two_calls_of_a_path_differ_in_their_method():
    assert len({call.route for call in CALLS}) == len(CALLS)
    assert len({call.name for call in CALLS}) == len(CALLS)


def test_an_address_is_the_path_with_its_parts_and_query():
    call: Call[Any] = calls.GET_KNOCK
    assert (call.method, call.path) == ("GET", "/api/rooms/{room}/knocks/{knock}")
    assert call.address("http://x/t", {"wait_s": 9}, room="r", knock="k") == "http://x/t/api/rooms/r/knocks/k?wait_s=9"
    assert routes.HANDLERS[call][1:] == ("calls",)
