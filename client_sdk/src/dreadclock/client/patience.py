"""Waiting before a REST call is repeated, for as long as the server asks.

A call is repeated at most PATIENT_TIMES, and all its waits together last at most PATIENT_FOR_S.
"""

import asyncio
from collections.abc import Mapping

PATIENT_FOR_S = 30.0  # the longest total wait of a call
PATIENT_TIMES = 10
_TOO_MANY, _UNAVAILABLE = 429, 503


class Patience:
    """The remaining time for which a call may wait for retries."""

    def __init__(self) -> None:
        self._left_s, self._times = PATIENT_FOR_S, PATIENT_TIMES

    async def wait(self, status: int, headers: Mapping[str, str], *, may_repeat: bool) -> bool:
        """Wait until a call may be made again, and return True; or return False at once if it must not be repeated.

        `may_repeat`: whether the call is idempotent. A call that was refused with 429 was not executed, so it may be
        repeated even if it is not idempotent.
        """
        wait_s = told_to_wait_s(headers)
        if wait_s is None or not (status == _TOO_MANY or (status == _UNAVAILABLE and may_repeat)):
            return False
        self._left_s -= wait_s
        self._times -= 1
        if self._left_s < 0 or self._times < 0:
            return False
        await asyncio.sleep(wait_s)
        return True


def told_to_wait_s(headers: Mapping[str, str]) -> int | None:
    """Return the seconds of `Retry-After`; None if the answer has no such header."""
    text = headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
