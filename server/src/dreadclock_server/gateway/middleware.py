"""Middleware for every call: the access log, allowed hosts and origins, CORS, security headers."""

import re
import time
from collections.abc import Awaitable, Iterable

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from dreadclock_server.gateway.tokens import ROOM_ID

# The access log: a line for every finished HTTP call and websocket, without query and content.


_log = structlog.get_logger()


class AccessLog:
    """Logs every call. Instead of the path, logs the pattern of its route: a path may contain a secret by mistake."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status: int | None = None

        async def send_and_see(message: Message) -> None:
            nonlocal status
            if message["type"].endswith("http.response.start"):
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        async def receive_and_see() -> Message:
            nonlocal status
            message = await receive()
            if message["type"] == "websocket.disconnect":
                status = message.get("code")
            return message

        began = time.monotonic()
        try:
            await self._app(scope, receive_and_see, send_and_see)
        finally:
            _tell(scope, status, time.monotonic() - began)


def _tell(scope: Scope, status: int | None, seconds: float) -> None:
    room = scope.get("path_params", {}).get("room", "")
    _log.info(
        scope["type"],
        method=scope.get("method", "GET"),
        path=getattr(scope.get("route"), "path", None),
        **({"room": room} if ROOM_ID.fullmatch(room) else {}),
        status=status,
        ms=round(seconds * 1000),
        client=(scope.get("client") or ("",))[0],
    )


# Allowed hosts and origins: a call must name this server as its host, and come from its own or an allowed page.


_READING = ("GET", "HEAD")  # allowed from any page: browsers show the answers only to allowed pages


class AllowedHosts:
    """Refuses requests that a page of another site sends through a visitor's browser.

    The Host header must name the server: after DNS rebinding, it names the attacker's site. The Origin header names
    the site whose page makes a call or opens a websocket. That site must be the server, or an allowed site. Clients
    other than browsers send no Origin. GET and HEAD are allowed with any Origin.
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
            return 421, "This server does not have that name: its operator can add it to DREADCLOCK_ALLOWED_HOSTS.\n"
        if origin is None or scope.get("method") in _READING or self._is_own(origin, hosts[0]):
            return None
        return 403, "This server takes no changes from pages of other sites.\n"

    def _goes_by(self, name: str, scope: Scope) -> bool:
        """Return whether `name` is a name of the server, or the exact address at which the call arrived.

        An attack by DNS rebinding needs a host name. So a call whose Host header is an address is no such attack.
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


# Origins: which pages of other sites may connect, and the CORS headers for their browsers.


_METHODS = ("GET", "POST", "DELETE")
_HEADERS = ("Authorization", "Idempotency-Key", "Last-Event-ID")  # in addition to the headers that are always allowed
_READABLE = ("Retry-After",)
_ANY_NAME = "*."
_NAMES = r"(?:[a-z0-9_-]+\.)+"  # one or more labels before the host


def pattern_of(origins: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for these origins. The star in `https://*.vtt.example` stands for one or more labels."""
    patterns = (re.escape(origin).replace(re.escape(_ANY_NAME), _NAMES) for origin in origins)
    return re.compile("|".join(patterns) or "(?!)")


def with_cors(app: ASGIApp, allowed: re.Pattern[str]) -> ASGIApp:
    """Return `app` with CORS: browsers let allowed pages read answers, and preflight requests are answered.

    Credentials of browsers, such as cookies, are not used: callers send a token in a header, which browsers never add
    on their own.
    """
    return CORSMiddleware(
        app,
        allow_origin_regex=allowed.pattern,
        allow_methods=_METHODS,
        allow_headers=_HEADERS,
        expose_headers=_READABLE,
    )


# Security headers of every answer.


_ROOMS = "/api/rooms"  # answers below this path have tokens and secrets
_EVERYWHERE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_ASSETS = "/assets/"
_SVG = ".svg"  # a browser can open such an asset as a page, so it gets all headers
# Assets need fewer headers: the policy of the page that loads an asset applies.
_FOR_ASSETS = ("Cross-Origin-Resource-Policy", "X-Content-Type-Options")
_PAGES = {
    "Cross-Origin-Opener-Policy": "same-origin",  # separates a page from windows that it opens; frames stay allowed
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",  # includes websockets of the same host
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
)


def for_pages(frame_ancestors: Iterable[str], *, shows_ours: bool = False) -> dict[str, str]:
    """Return the headers of pages. Only pages of the origins `frame_ancestors` may show these pages in a frame.

    `shows_ours`: whether these pages show other pages of this server in frames.

    The files that a page loads need no such headers, because the page's policy applies.
    """
    policy = (*_POLICY, "frame-src 'self'") if shows_ours else _POLICY
    framing = " ".join(frame_ancestors) or "'none'"
    return {**_PAGES, "Content-Security-Policy": "; ".join((*policy, f"frame-ancestors {framing}"))}


class SecurityHeaders:
    """Adds security headers to answers. A header that an answer already has stays."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_carefully(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name in _needed(scope["path"]):
                    headers.setdefault(name, _EVERYWHERE[name])
                if scope["path"].startswith(_ROOMS):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_carefully)


def _needed(path: str) -> Iterable[str]:
    return _FOR_ASSETS if path.startswith(_ASSETS) and not path.endswith(_SVG) else _EVERYWHERE
