"""Allowed hosts and origins: calls by the server's own names, and from pages that are its own."""

import re
from collections.abc import Awaitable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

_READING = ("GET", "HEAD")  # what these answer, only pages that are allowed can read


class AllowedHosts:
    """Turn away what a page elsewhere sends through a visitor's browser, before anything else is done.

    The Host header must name the server, which a rebound name does not. A browser says in Origin which
    page sends a change or opens a websocket: it must be the server's own, or an allowed one; programs
    send no Origin.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], origins: re.Pattern[str]) -> None:
        self._app, self._origins = app, origins
        self._hosts = frozenset(name.lower() for name in hosts)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        why = self._objection(scope)
        if why is None:
            return self._app(scope, receive, send)
        if scope["type"] == "websocket":
            return WebSocketClose(1008)(scope, receive, send)
        return PlainTextResponse(why[1], why[0])(scope, receive, send)

    def _objection(self, scope: Scope) -> tuple[int, str] | None:
        if scope["type"] not in ("http", "websocket"):
            return None
        headers = Headers(scope=scope)
        hosts, origin = headers.getlist("host"), headers.get("origin")
        if len(hosts) != 1 or not self._goes_by(host_name(hosts[0]), scope):
            return 421, "This server does not go by that name: its operator can add it to DREADCLOCK_ALLOWED_HOSTS.\n"
        if origin is None or scope.get("method") in _READING or self._is_own(origin, hosts[0]):
            return None
        return 403, "This server takes no changes from pages elsewhere.\n"

    def _goes_by(self, name: str, scope: Scope) -> bool:
        """Tell whether the server has this name, or is called by the very address that the call came in at.

        An address is no name that could be rebound: a page that has it in its address bar is of this machine.
        """
        return name in self._hosts or name == (scope.get("server") or ("",))[0]

    def _is_own(self, origin: str, host: str) -> bool:
        return bool(self._origins.fullmatch(origin)) or origin in (f"http://{host}", f"https://{host}")


def host_name(header: str) -> str:
    """Return the name in a Host header, without port and brackets."""
    name, _, port = header.rpartition(":")
    if not name or not port.isdigit():
        name = header
    return name.removeprefix("[").removesuffix("]").lower()
