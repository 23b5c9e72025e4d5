"""Security headers: what every answer tells browsers to be careful about."""

from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ROOMS = "/api/rooms"  # what these answer holds tokens and secrets
_EVERYWHERE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_ASSETS = "/assets/"
_SVG = ".svg"  # the one asset that may be a page itself, if opened as one
_FOR_ASSETS = (
    "Cross-Origin-Resource-Policy",
    "X-Content-Type-Options",
)  # a page loads many, whose policy is the page's
_PAGES = {
    "Cross-Origin-Opener-Policy": "same-origin",  # it is about windows; what frames a page may go on doing so
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",  # the websocket of the same host as well
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
)


def for_pages(frame_ancestors: Iterable[str], *, shows_ours: bool = False) -> dict[str, str]:
    """Return the headers of pages, which only pages of the origins `frame_ancestors` may show in a frame.

    `shows_ours`: whether they show others of ours in frames.

    What a page loads needs none of them: its policy is the page's.
    """
    policy = (*_POLICY, "frame-src 'self'") if shows_ours else _POLICY
    framing = " ".join(frame_ancestors) or "'none'"
    return {**_PAGES, "Content-Security-Policy": "; ".join((*policy, f"frame-ancestors {framing}"))}


class SecurityHeaders:
    """Adds the headers that an answer does not say otherwise."""

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
