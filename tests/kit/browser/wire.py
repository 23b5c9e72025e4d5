"""What goes over a page's websockets."""

import json

from playwright.async_api import Page, WebSocket


class Wire:
    """Every frame that a page receives and sends, in order, over all its websockets."""

    def __init__(self, page: Page) -> None:
        self.forget()
        page.on("websocket", self._listen)

    def forget(self) -> None:
        """Begin anew."""
        self.received: list[str] = []
        self.sent: list[str] = []
        self.sockets: list[WebSocket] = []
        self.answers = 0  # to commands that somebody gave
        self._own: set[int] = set()  # the numbers of those that the client gave by itself

    def _listen(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framereceived", lambda payload: self._hear(_text(payload)))
        socket.on("framesent", lambda payload: self._say(_text(payload)))

    def _say(self, frame: str) -> None:
        self.sent.append(frame)
        if _opens_lane(frame):
            self._own.add(json.loads(frame)["n"])

    def _hear(self, frame: str) -> None:
        self.received.append(frame)
        if '"type":"ack"' in frame or '"type":"refused"' in frame:
            self.answers += json.loads(frame)["n"] not in self._own

    def holds(self, text: str) -> bool:
        """Tell whether this text was received, as it is or with its characters escaped."""
        escaped = text.encode("ascii", "backslashreplace").decode()
        return any(text in frame or escaped in frame for frame in self.received)

    def commands(self) -> list[str]:
        """Give the commands that somebody gave, as frames; the client opens lanes for its dice by itself."""
        sent = [frame for frame in self.sent if '"type":"command"' in frame.replace(" ", "")]
        return [frame for frame in sent if not _opens_lane(frame)]

    def bytes_of_frames(self) -> int:
        """Give the bytes of all frames received."""
        return sum(len(frame.encode()) for frame in self.received)


def _opens_lane(frame: str) -> bool:
    return '"type":"open_lane"' in frame.replace(" ", "")


def _text(payload: str | bytes) -> str:
    return payload if isinstance(payload, str) else payload.decode("latin-1")
