"""Calls to targets: over verified TLS, no redirect followed, no more read than is needed, given up in time."""

import asyncio
import json
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from ssl import SSLContext
from typing import Any

import httpx

from dreadclock.wire.errors import DreadclockError

MOST_BYTES = 64 * 1024  # of an answer
BODY_WITHIN_S = 5.0  # what of an answer is not there by then is done without
LONGEST_WAIT_S = 3600.0  # that a target may ask for
AGENT = "dreadclock-relay"


class Stopped(DreadclockError):
    """A target wants no more calls, or is not there: none is made any more. The message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a target answered; `status` is 0 where there was no answer, and `trouble` says why."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    trouble: str = ""

    @property
    def is_success(self) -> bool:
        """Whether the call was taken."""
        return 200 <= self.status < 300

    @property
    def said(self) -> str:
        """What happened, in a few words."""
        return self.trouble or f"it answered {self.status}"

    def json(self) -> dict[str, Any]:
        """Return the object in the body; an empty one if there is none."""
        with suppress(ValueError, RecursionError):
            parsed = json.loads(self.body)
            return parsed if isinstance(parsed, dict) else {}
        return {}

    def seconds(self, name: str) -> float | None:
        """Return the seconds that a header speaks of, None if it does not."""
        return seconds(self.headers.get(name))


def seconds(value: object) -> float | None:
    """Read a number of seconds, at most an hour; None if it is none."""
    try:
        wait_s = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return min(wait_s, LONGEST_WAIT_S) if wait_s >= 0 else None


@dataclass(slots=True)
class Backoff:
    """How long to wait after failures in a row: up to twice as long each time."""

    first_s: float = 1.0
    longest_s: float = 60.0
    failures: int = 0

    def next_s(self) -> float:
        """Return how long to wait now, with some chance in it."""
        self.failures += 1
        wait_s = min(self.longest_s, self.first_s * 2.0 ** min(self.failures - 1, 16))
        return wait_s * random.uniform(0.75, 1.0)


class Caller:
    """Makes one target's calls."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout_s, verify=_trust(), follow_redirects=False)

    async def send(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Make a call and return what came of it; raises nothing, and no trouble names the address."""
        try:
            async with asyncio.timeout(self._timeout_s) as deadline:
                async with self._http.stream(method, address, content=body, headers=headers) as response:
                    deadline.reschedule(None)  # it was answered: the rest has a limit of its own
                    return Answer(response.status_code, response.headers, await _beginning(response))
        except (TimeoutError, httpx.TimeoutException):
            return Answer(0, trouble=f"it did not answer within {self._timeout_s:g} s")
        except httpx.ConnectError:
            return Answer(0, trouble="it cannot be reached")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Answer(0, trouble=f"the call failed ({type(error).__name__})")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


async def _beginning(response: httpx.Response) -> bytes:
    """Read what an answer begins with."""
    read = bytearray()
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(BODY_WITHIN_S):
            async for data in response.aiter_raw(MOST_BYTES):
                read += data
                if len(read) >= MOST_BYTES:
                    break
    return bytes(read[:MOST_BYTES])


@cache
def _trust() -> SSLContext:
    """Load the certificates that are trusted: slow, so only once."""
    return httpx.create_ssl_context()
