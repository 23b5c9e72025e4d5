"""Allowed hosts and origins: calls by the server's own names, and from pages that are its own."""

import re
from collections.abc import Awaitable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

_READING = ("GET", "HEAD")  # only allowed pages can read the answers to these


class AllowedHosts:
    """Refuses requests that a page of another site sends through a visitor's browser.

    The Host header must name the server; after DNS rebinding it does not. The Origin header names the
    page that sends a change or opens a websocket. It must be a page of the server, or an allowed page.
    Programs send no Origin.
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
        """Tell whether this is a name of the server, or the exact address at which the call arrived.

        An address cannot be rebound like a name: a page with this address comes from this machine.
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
