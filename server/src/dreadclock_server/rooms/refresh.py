"""Refreshes of a room: whether this node has to read on in its log, and who waits until it has."""

import asyncio

Waiting = asyncio.Future[None]


class Refresh:
    """The refresh that is due, if one is. Who asks during a read waits for the next: this one may miss an entry."""

    __slots__ = ("_waiting", "is_due")

    def __init__(self) -> None:
        self.is_due = False
        self._waiting: Waiting | None = None

    def ask(self) -> Waiting:
        """Make a refresh due, and return what is done once it is."""
        self.is_due = True
        self._waiting = self._waiting or asyncio.get_running_loop().create_future()
        return self._waiting

    def begin(self) -> Waiting | None:
        """Begin with what is due, and return what is to be settled with its outcome."""
        self.is_due = False
        waiting, self._waiting = self._waiting, None
        return waiting


def settle(waiting: Waiting | None, error: Exception | None = None) -> None:
    """Let those who wait for a refresh go on."""
    if waiting is not None and error is None:
        waiting.set_result(None)
    elif waiting is not None and error is not None:
        waiting.set_exception(error)
        waiting.exception()  # nobody may be waiting any more
