"""Showing a connection the whole view when it asks for it, as one whose client met what it does not understand."""

import asyncio

from dreadclock.wire.errors import Refused
from dreadclock.wire.frames import ResetReason
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import ReadMeter
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.hub import reset_frame
from dreadclock_server.rooms.live import LiveRoom

PAUSE_S = 1.0  # between two views


class Resyncs:
    """The wishes of one connection for the view.

    Each is granted once the last view is a second old, all that was sent is read, and both the in-flight budget and the
    read limit of the address allow it; those that come meanwhile are one with it.
    """

    def __init__(self, live: LiveRoom, connection: Connection, in_flight: InFlightBudget, reads: ReadMeter) -> None:
        self._live, self._connection, self._in_flight, self._reads = live, connection, in_flight, reads
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._not_before_s = 0.0

    def ask(self) -> None:
        """Send the view, at once or as soon as may be."""
        if self._timer is None:
            self._timer = self._loop.call_at(max(self._not_before_s, self._loop.time()), self._show)

    def close(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _show(self) -> None:
        self._timer = None
        if not self._connection.hears:
            return
        wait_s = self._reads.wait_s()
        self._not_before_s = self._loop.time() + (wait_s or PAUSE_S)
        if wait_s:
            self.ask()
            return
        self._live.send_now()  # the view has what others may still wait for
        sender = self._connection.sender
        if sender.unsent:
            self.ask()
            return
        frame = reset_frame(self._live.views, self._live.room, self._connection.holder.channels, ResetReason.ASKED)
        try:
            self._in_flight.demand(len(frame.framed))
        except Refused:
            self.ask()
            return
        self._reads.spend(len(frame.framed))
        self._connection.greet([frame])
        self._in_flight.track(self._connection, lambda: sender.unsent)
