"""Reading the commands of one websocket: they go to the room, and those beyond a limit are refused."""

from collections.abc import Callable
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect

from dreadclock.wire.errors import Code, Details, ProtocolViolation
from dreadclock_server.gateway.limits.rates import Flood, Meter
from dreadclock_server.gateway.parsing import read_command
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.rooms.batch import QueuedCommand
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.live import LiveRoom


class CommandReader:
    """Takes the texts of one connection, as they come in or from `receive`; `ask_for_view` has it shown the view."""

    def __init__(
        self, live: LiveRoom, connection: Connection, meter: Meter, counters: Counters, ask_for_view: Callable[[], None]
    ) -> None:
        self._ask_for_view = ask_for_view
        self._live, self._connection, self._meter, self._counters = live, connection, meter, counters
        self._error: Exception | None = None
        connection.sender.listen(self._takes)

    async def run(self, socket: WebSocket) -> None:
        """Take what `receive` gives, until either side closes. Raises what ends the connection."""
        while not self._connection.closed:
            text = await next_text(socket)
            self._raise_error()
            self._take(text)

    def _raise_error(self) -> None:
        """Raise what a text led to, and forget it: its traceback holds this reader (test_unreleased)."""
        error, self._error = self._error, None
        try:
            if error is not None:
                raise error
        finally:
            del error

    def _takes(self, text: str) -> bool:
        """Take a text, and tell whether the connection goes on; if not, the next to `receive` learns why."""
        if self._error is None:
            try:
                self._take(text)
            except Exception as error:
                self._error = error
        return self._error is None

    def _take(self, text: str) -> None:
        connection = self._connection
        if connection.closed or connection.is_leaving:
            return  # neither done nor answered: it is sent again to whoever comes next
        numbered = read_command(text)
        if numbered is None:
            self._resync()
            return
        n, command = numbered
        if not connection.expects(n):
            details: Details = {"n": n, "expected": connection.next_n or 1}
            self._refuse(Code.OUT_OF_ORDER, partial(connection.refuse, n, Code.OUT_OF_ORDER, details))
        elif wait_ms := self._meter.take():
            self._refuse(Code.RATE_LIMITED, partial(connection.hold, n, wait_ms))
        elif connection.took(n):
            reply = partial(connection.reply, n)
            self._live.submit(QueuedCommand(connection.holder.actor, command, connection.session, n, reply))
        else:
            raise ProtocolViolation("too many unanswered commands")

    def _resync(self) -> None:
        """Show the view; more wishes than commands may be are a flood."""
        if self._meter.take() and not self._meter.may_refuse():
            raise Flood("too many wishes for the view")
        self._ask_for_view()

    def _refuse(self, code: Code, refuse: Callable[[], None]) -> None:
        self._counters.refusals[code] += 1
        refuse()
        if not self._meter.may_refuse():
            raise Flood("too many refused commands")


async def next_text(socket: WebSocket) -> str:
    """Return what comes next. Raises WebSocketDisconnect, and ProtocolViolation for bytes."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    if text is None:
        raise ProtocolViolation("frames are text")
    return text
