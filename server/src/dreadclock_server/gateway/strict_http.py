"""h11's reading of requests, without what it forgives and a proxy before it may read otherwise.

Two readers who disagree on where a request ends can be made to take one for two (request smuggling). So what RFC 9112
lets a server refuse is refused: with 400, and the connection closes.
"""

import re
from typing import Any

import h11

_END = re.compile(rb"\n\r?\n")
_FORGIVEN = re.compile(rb"(?<!\r)\n|\n[ \t]")  # a line that ends without CR; one that goes on in the next (obs-fold)
_LENGTH, _ENCODING = b"content-length", b"transfer-encoding"


class StrictConnection(h11.Connection):
    """The server's side of one connection."""

    def next_event(self) -> Any:
        """Return what comes next. Raises RemoteProtocolError for what two readers could understand differently."""
        try:
            return self._next()
        except h11.RemoteProtocolError as error:
            raise error.with_traceback(None) from None  # a frame of h11's own holds the error in turn

    def _next(self) -> Any:
        if self.their_state is h11.IDLE:
            self._look_at_head()
        event = super().next_event()
        if isinstance(event, h11.Request) and {_LENGTH, _ENCODING} <= {name for name, _ in event.headers}:
            raise h11.RemoteProtocolError("Content-Length together with Transfer-Encoding")
        return event

    def _look_at_head(self) -> None:
        """Look at what has come of a head, which is as little as h11 lets wait."""
        data = self.trailing_data[0]
        end = _END.search(data)
        if _FORGIVEN.search(data, 0, end.end() if end else len(data)):
            raise h11.RemoteProtocolError("lines end with CR LF, and do not go on in the next one")
