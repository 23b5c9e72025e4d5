"""Routing of websockets, past the layers that only HTTP needs: each would stay with a connection to its end."""

from collections.abc import Awaitable, Callable

from starlette.routing import Match, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose

Serve = Callable[[WebSocket], Awaitable[None]]


class WebsocketRouter:
    """Serves the websockets at one path, and leaves HTTP to `rest`; other websockets are turned away."""

    def __init__(self, path: str, serve: Serve, rest: ASGIApp) -> None:
        self._route, self._serve, self._rest = WebSocketRoute(path, serve), serve, rest

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "websocket":
            return self._rest(scope, receive, send)
        match, child_scope = self._route.matches(scope)
        if match is not Match.FULL:
            return WebSocketClose()(scope, receive, send)
        scope.update(child_scope, route=self._route)
        return self._serve(WebSocket(scope, receive, send))
