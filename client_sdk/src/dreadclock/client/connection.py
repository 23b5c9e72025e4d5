"""The connection to a room: a websocket that is opened again whenever it is lost."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from dreadclock.client.links import is_this_machine
from dreadclock.client.outcomes import Answered, Output, Stalled
from dreadclock.client.patience import PATIENT_FOR_S, told_to_wait_s
from dreadclock.client.protocol import ClientProtocol, State
from dreadclock.wire.errors import ConnectionEnded, ProtocolViolation
from dreadclock.wire.records import Record
from dreadclock.wire.returning import return_within_ms

MAX_FRAME_BYTES = 8 * 1024 * 1024  # the largest frame from the server: a view may be large
OPEN_TIMEOUT_S = 10  # for opening the websocket, and as long again for the welcome
PING_S = 20
CLOSE_TIMEOUT_S = 2
MOST_VIOLATIONS = 3  # after 3 protocol violations without a record or a final reply between them, the client gives up

_TOO_LARGE = 1009  # close code: this client sent a frame that is too large, and would send the same frame again
FOR_GOOD = (*range(4500, 4600), _TOO_LARGE)  # close codes after which the client does not reconnect
_PROTOCOL_ERROR = 1002
# This client closes a websocket with one of these codes if the server broke the protocol.
_BROKEN = (_PROTOCOL_ERROR, 1003, 1007, _TOO_LARGE)
_TOO_MANY = 429

_log = logging.getLogger("dreadclock.connection")
# Above DEBUG, because websockets logs whole frames at DEBUG, and the first frame contains the token.
_websocket_log = logging.getLogger("dreadclock.websocket")
_websocket_log.setLevel(logging.INFO)


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays between tries: random, up to a limit that doubles from `first_s` to `longest_s`."""

    first_s: float = 0.05
    longest_s: float = 5.0
    chance: Callable[[], float] = random.random  # returns a random number from 0 to 1

    def delay_s(self, attempt: int) -> float:
        """Return the random number of seconds to wait before try `attempt`, which counts from 0."""
        return self.chance() * min(self.longest_s, self.first_s * 2.0 ** min(attempt, 32))


class Connection:
    """Keeps a ClientProtocol connected, and passes its outputs to `hear`.

    After a lost connection, it reconnects for up to `give_up_after_s` (None: for ever). A command that the
    server cannot take now is retried. Retries end when no command has got a final reply for `retry_for_s`.
    """

    def __init__(
        self,
        address: str,
        protocol: ClientProtocol,
        hear: Callable[[Sequence[Output]], None],
        backoff: Backoff,
        retry_for_s: float,
        give_up_after_s: float | None,
    ) -> None:
        self._address, self._protocol, self._hear, self._backoff = address, protocol, hear, backoff
        self._retry_for_s, self._give_up_after_s = retry_for_s, give_up_after_s
        self._time = asyncio.get_running_loop().time
        self._socket: ClientConnection | None = None
        self._to_send = asyncio.Event()
        self._violations = 0
        self._stalls = 0  # how often the server could not take a command, since the last final reply
        self._stalled_at = 0.0
        self._return_within_s = 0.0  # the delay that the server asked for when it closed the websocket
        self._resend: asyncio.TimerHandle | None = None

    def flush(self) -> None:
        """Schedule the frames of the protocol to be sent."""
        self._to_send.set()

    async def open(self) -> None:
        """Connect for the first time. Raises ConnectionEnded or ProtocolViolation if that fails."""
        try:
            self._socket = await self._greeted()
        except ConnectionClosed as closed:
            raise ended_by(closed) from closed
        except (OSError, WebSocketException) as error:
            raise ConnectionEnded(None, f"{self._address} {_why(error)}") from error

    async def keep(self) -> None:
        """Stay connected.

        Raises ConnectionEnded when the server ends the connection for good, has been out of reach for
        `give_up_after_s`, or breaks the protocol MOST_VIOLATIONS times in a row.
        """
        failures = 0  # failed tries in a row; a connection that ended early counts, too
        while self._socket is not None:
            began = self._time()
            await self._converse(self._socket)
            failures = failures + 1 if self._time() - began < self._backoff.longest_s else 0
            self._socket = await self._reopened(failures)

    async def close(self) -> None:
        """Close the websocket, if it is open."""
        if self._socket is not None:
            await self._socket.close()

    async def _greeted(self) -> ClientConnection:
        socket = await open_websocket(
            self._address,
            compression=None,
            max_size=MAX_FRAME_BYTES,
            proxy=None if is_this_machine(self._address) else True,  # a proxy from the environment would see the token
            open_timeout=OPEN_TIMEOUT_S,
            ping_interval=PING_S,
            ping_timeout=PING_S,
            close_timeout=CLOSE_TIMEOUT_S,
            logger=_websocket_log,
        )
        try:
            self._protocol.connect()
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                for frame in self._protocol.frames_to_send():
                    await socket.send(frame)
                self._take(await socket.recv())
        except BaseException:
            self._protocol.disconnect()
            await socket.close()
            raise
        return socket

    async def _converse(self, socket: ClientConnection) -> None:
        """Exchange frames until the connection is lost.

        Raises ConnectionEnded if the server ended the connection for good, or broke the protocol too often.
        """
        async with self._writing(socket):
            try:
                while self._protocol.state is not State.APART:
                    self._take(await socket.recv())
            except ConnectionClosed as closed:
                self._lost(closed)
            except ProtocolViolation as violation:
                self._note(violation)
                await socket.close(_PROTOCOL_ERROR)

    @asynccontextmanager
    async def _writing(self, socket: ClientConnection) -> AsyncIterator[None]:
        self.flush()
        writer = asyncio.create_task(self._write(socket))
        try:
            yield
        finally:
            writer.cancel()
            if self._resend:
                self._resend.cancel()
                self._resend = None
            self._protocol.disconnect()
            await asyncio.gather(writer, socket.close(), return_exceptions=True)

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            for frame in self._protocol.frames_to_send():
                await socket.send(frame)

    async def _reopened(self, failures: int) -> ClientConnection:
        lost_at, told_s = self._time(), 0.0
        for attempt in count(failures):
            await asyncio.sleep(told_s + max(self._backoff.delay_s(attempt), self._spread_s()))
            told_s = 0.0
            try:
                return await self._greeted()
            except ConnectionClosed as closed:
                self._lost(closed)
            except ProtocolViolation as violation:
                self._note(violation)
            except (OSError, WebSocketException) as error:
                _log.info("%s %s", self._address, _why(error))
                told_s = _told_to_wait_s(error)
            if self._give_up_after_s is not None and self._time() - lost_at > self._give_up_after_s:
                break
        raise ConnectionEnded(None, f"{self._address} has been out of reach for {self._give_up_after_s:g} s")

    def _spread_s(self) -> float:
        """Return a random delay up to the time that the server asked for when it closed the websocket.

        Such random delays spread the reconnects of all clients. The server's time counts once: later calls return 0.
        """
        within_s, self._return_within_s = self._return_within_s, 0.0
        return self._backoff.chance() * within_s

    def _lost(self, closed: ConnectionClosed) -> None:
        end = ended_by(closed)
        if end.code in FOR_GOOD:
            raise end from closed
        self._return_within_s = return_within_ms(end.code, end.reason) / 1000
        _log.info("%s was lost: %s", self._address, closed)
        if closed.sent is not None and not closed.rcvd_then_sent and closed.sent.code in _BROKEN:
            self._note(ProtocolViolation(f"{closed.sent.reason or closed.sent.code}"))

    def _note(self, violation: ProtocolViolation) -> None:
        """Count a protocol violation. Raises ConnectionEnded after MOST_VIOLATIONS in a row."""
        _log.warning("%s broke the protocol: %s", self._address, violation)
        self._violations += 1
        if self._violations >= MOST_VIOLATIONS:
            raise ConnectionEnded(None, f"the server keeps breaking the protocol: {violation}") from violation

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            raise ProtocolViolation("a binary frame")
        outputs = self._protocol.receive(frame)
        for output in outputs:
            if isinstance(output, Stalled):
                self._plan_resend(output)
            elif isinstance(output, Answered):
                self._violations = self._stalls = 0
            elif isinstance(output, Record):
                self._violations = 0
        self._hear(outputs)
        self.flush()  # the frame may need an answer

    def _plan_resend(self, stalled: Stalled) -> None:
        """Schedule a retry of stalled commands.

        End them instead if no command has got a final reply for `retry_for_s`.
        """
        if self._resend is not None:
            return
        now = self._time()
        if self._stalls == 0:
            self._stalled_at = now
        left_s = self._stalled_at + self._retry_for_s - now
        if left_s <= 0:
            self._stalls = 0
            self._hear(self._protocol.give_up())
            return
        pause_ms = stalled.refusal.details.get("retry_ms")
        delay_s = pause_ms / 1000 if isinstance(pause_ms, int) else self._backoff.delay_s(self._stalls)
        self._stalls += 1
        self._resend = asyncio.get_running_loop().call_later(min(delay_s, left_s), self._send_again)

    def _send_again(self) -> None:
        self._resend = None
        self._protocol.resend()
        self.flush()


def _why(error: Exception) -> str:
    """Return why no websocket was opened: too many connections, another answer, or no answer."""
    if not isinstance(error, InvalidStatus):
        return f"cannot be reached: {error}"
    if error.response.status_code == _TOO_MANY:
        return f"takes no more connections for now, its limit is reached: {error}"
    return f"answers, but opens no websocket: {error}"


def _told_to_wait_s(error: Exception) -> float:
    """Return the delay in s that a server asked for when it refused the websocket; 0 if it asked for none."""
    told_s = told_to_wait_s(error.response.headers) if isinstance(error, InvalidStatus) else None
    return min(told_s or 0.0, PATIENT_FOR_S)


def ended_by(closed: ConnectionClosed) -> ConnectionEnded:
    """Return the error for a closed websocket, with the server's code and reason."""
    code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (None, "")
    return ConnectionEnded(code, reason or "the server closed the connection")
