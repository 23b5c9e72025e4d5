"""h11 with stricter rules against request smuggling, and with support for absolute URLs as request targets.

If a proxy and the server disagree on where a request ends, an attacker can hide a request inside another (request
smuggling). So the server refuses every ambiguity that RFC 9112 allows it to refuse: it answers 400 and closes the
connection.
"""

import re
from typing import Any

import h11

_LENGTH, _ENCODING = b"content-length", b"transfer-encoding"
_ABSOLUTE = re.compile(rb"https?://", re.IGNORECASE)
# Groups: the authority, the path, the query.
_PARTS = re.compile(rb"https?://([^/?#@]+)(/[^#]*)?(\?[^#]*)?", re.IGNORECASE)


class StrictConnection(h11.Connection):
    """The server's side of a connection."""

    _looked_at = _line_at = 0  # in the request head: how many bytes are checked, and where the last checked line ends

    def next_event(self) -> Any:
        """Return the next event. Raises RemoteProtocolError for ambiguous requests."""
        try:
            return self._next()
        except h11.RemoteProtocolError as error:
            raise error.with_traceback(None) from None  # h11 keeps the error, and so its traceback (test_unreleased)

    def _next(self) -> Any:
        if self.their_state is h11.IDLE:
            self._look_at_head()
        event = super().next_event()
        if event is not h11.NEED_DATA:
            self._looked_at = self._line_at = 0
        if isinstance(event, h11.Request) and {_LENGTH, _ENCODING} <= {name for name, _ in event.headers}:
            raise h11.RemoteProtocolError("Content-Length together with Transfer-Encoding")
        return _in_origin_form(event) if isinstance(event, h11.Request) else event

    def _look_at_head(self) -> None:
        """Check the lines of a request head. Raises RemoteProtocolError for a bare LF or a continued line.

        Checks only new bytes, because a long head may come in thousands of pieces.
        """
        data = self.trailing_data[0]
        looked_at, self._looked_at = self._looked_at, len(data)
        if data.find(b"\n", max(0, looked_at - 1)) < 0:
            return
        before = max(0, self._line_at - 1)
        end = data.find(b"\n\r\n", before)
        stop = end + 3 if end >= 0 else len(data)
        ends, ends_well = (data.count(line_end, self._line_at, stop) for line_end in (b"\n", b"\r\n"))
        if ends != ends_well or any(data.find(fold, before, stop) >= 0 for fold in (b"\n ", b"\n\t")):
            raise h11.RemoteProtocolError("lines end with CR LF, and do not go on in the next one (obs-fold)")
        self._line_at = data.rfind(b"\n", 0, stop) + 1


def _in_origin_form(request: h11.Request) -> h11.Request:
    """Return a request with a path as its target. The host of an absolute URL replaces Host (RFC 9112, 3.2.2).

    The scheme of the URL is ignored. Raises RemoteProtocolError if the URL is malformed.
    """
    if not _ABSOLUTE.match(request.target):
        return request
    parts = _PARTS.fullmatch(request.target)
    if parts is None:
        raise h11.RemoteProtocolError("the request target is no URI of this server")
    headers = [(name, value) for name, value in request.headers if name != b"host"]
    return h11.Request(
        method=request.method,
        target=(parts[2] or b"/") + (parts[3] or b""),
        headers=[(b"host", parts[1]), *headers],
        http_version=request.http_version,
    )
