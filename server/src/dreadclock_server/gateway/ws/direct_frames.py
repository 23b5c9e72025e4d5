"""The ASGI extension `dreadclock.frames`: whole text frames, straight to a websocket's transport and straight from it.

A server that offers it spares each frame a task switch; gateway/uvicorn does. Under any other ASGI server frames take
the way that ASGI has for them.
"""

from collections.abc import Callable

EXTENSION = "dreadclock.frames"  # its name in the scope's `extensions`


class DirectFrames:
    """What the extension offers for one websocket.

    Frames leave in the order in which they were written, those of `send` among them. `on_blocked` is
    called with True once more is unsent than the transport likes, with False when it is little again,
    and may be called within `write`. `on_text` is called with each text as it comes in, unless earlier
    ones wait for `receive`; where it returns False the text waits for `receive` as well.
    """

    def __init__(
        self, write: Callable[[bytes], None], unsent: Callable[[], int], close: Callable[[int, str], None]
    ) -> None:
        self.write = write  # raises RuntimeError on a connection that is gone
        self.unsent = unsent  # bytes
        self.close = close
        self.on_blocked: Callable[[bool], None] | None = None
        self.on_text: Callable[[str], bool] | None = None
        self.is_cut = False  # whether the connection is gone

    def cut(self) -> None:
        """Let go of a connection that is gone: to hold each other would keep both until the garbage collector comes."""
        self.write, self.unsent, self.close = _write_to_nobody, int, _close_nothing
        self.on_blocked = self.on_text = None
        self.is_cut = True


def _write_to_nobody(data: bytes) -> None:
    raise RuntimeError("the connection is gone")


def _close_nothing(code: int, reason: str) -> None:
    pass
