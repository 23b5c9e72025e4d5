"""The access log: a line for every finished HTTP call and websocket, without query and content."""

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dreadclock_server.gateway.tokens import ROOM_ID

_log = structlog.get_logger()


class AccessLog:
    """Logs calls by the pattern of their path, because a path may contain a secret by mistake."""

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
