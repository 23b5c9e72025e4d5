"""Rate limiting of calls to Discord.

Discord allows 5 calls of a webhook in 2 s, and 30 messages a minute in a channel. The relay waits 2.1 s from
the end of a call to the next call. So both limits are kept, even on a slow network.
"""

import asyncio
import logging
from collections.abc import Callable

from dreadclock_server.tools.relay.calls import Answer, Backoff, Caller, seconds

SPACING_S = 2.1
_TIMEOUT, _TOO_MANY = 408, 429
_log = logging.getLogger("dreadclock.relay")
Time = Callable[[], float]


class Everywhere:
    """The rate limits of all calls from this process to Discord, and a Pace for each webhook."""

    def __init__(self) -> None:
        self.free_at = 0.0  # in the loop's time: when the next call is allowed
        self._paces: dict[str, Pace] = {}

    def pace(self, address: str) -> "Pace":
        """Return the Pace of a webhook. Targets with the same webhook share it."""
        return self._paces.setdefault(address, Pace(self))


class Pace:
    """Sends calls to a webhook one after the other, within the rate limits."""

    def __init__(self, everywhere: Everywhere) -> None:
        self._everywhere = everywhere
        self._free_at = 0.0
        self._turn = asyncio.Lock()
        self._time: Time = asyncio.get_running_loop().time

    async def call(
        self, name: str, caller: Caller, request: Callable[[], tuple[str, str, bytes]], headers: dict[str, str]
    ) -> Answer:
        """Make a call. Retry while it is rate limited, unanswered, or answered with a server error.

        Other calls to the same webhook may run between the tries, so that a failing story does not delay the tracker.
        `request`: returns method, address and body; called before each try, so that the content is current.
        """
        backoff = Backoff()
        while True:
            async with self._turn:
                await self._until_free()
                answer = await caller.send(*request(), headers)
                self._hold(SPACING_S)
                self._heed(answer)
                if answer.status == _TOO_MANY:
                    self._put_off(name, answer, backoff)
                    continue
            if answer.is_success or (400 <= answer.status < 500 and answer.status != _TIMEOUT):
                return answer
            wait_s = max(backoff.next_s(), SPACING_S)
            _log.warning("%s: %s; the next try is in %.0f s", name, answer.said, wait_s)
            await asyncio.sleep(wait_s)

    async def _until_free(self) -> None:
        wait_s = max(self._free_at, self._everywhere.free_at) - self._time()
        if wait_s > 0:
            await asyncio.sleep(wait_s)
            await self._until_free()  # meanwhile, another webhook may have met a global rate limit

    def _hold(self, wait_s: float) -> None:
        self._free_at = max(self._free_at, self._time() + wait_s)

    def _heed(self, answer: Answer) -> None:
        """Delay the next call if the answer says that the rate limit is used up."""
        if answer.headers.get("X-RateLimit-Remaining") == "0":
            self._hold(answer.seconds("X-RateLimit-Reset-After") or 0.0)

    def _put_off(self, name: str, answer: Answer, backoff: Backoff) -> None:
        """Delay the next call to this webhook, or to all webhooks, as the refusal `answer` asks.

        If the refusal names no time, back off exponentially.
        """
        told_s = seconds(answer.json().get("retry_after")) or answer.seconds("Retry-After")
        wait_s = told_s if told_s is not None else backoff.next_s()
        _log.warning("%s: Discord asks to be called later; the next try is in %.0f s", name, max(wait_s, SPACING_S))
        self._hold(wait_s)
        if answer.json().get("global") is True or answer.headers.get("X-RateLimit-Global") == "true":
            self._everywhere.free_at = max(self._everywhere.free_at, self._time() + wait_s)
