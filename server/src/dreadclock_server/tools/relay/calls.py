"""HTTP calls to targets, the services that get a room's events.

TLS is verified, redirects are not followed, and the size and time of an answer are limited.
"""

import asyncio
import json
import logging
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from dreadclock.client.rest import trusted
from dreadclock.wire.errors import DreadclockError

MOST_BYTES = 64 * 1024  # bytes that are read of an answer
BODY_WITHIN_S = 5.0  # seconds for reading an answer's body; what comes later is ignored
LONGEST_WAIT_S = 3600.0  # the longest delay that a target may ask for
AGENT = "dreadclock-relay"
# Below WARNING, these libraries log the addresses of calls, and an address may be a secret.
for _library in ("httpx", "httpcore"):
    logging.getLogger(_library).setLevel(logging.WARNING)


class Stopped(DreadclockError):
    """A target refuses all calls, or does not exist, so no more calls are made. The message gives the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A target's answer. `status` is 0 if there was no answer; `trouble` then says why."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    trouble: str = ""

    @property
    def is_success(self) -> bool:
        """Whether the call succeeded."""
        return 200 <= self.status < 300

    @property
    def said(self) -> str:
        """What happened, in a few words."""
        return self.trouble or f"it answered {self.status}"

    def json(self) -> dict[str, Any]:
        """Return the JSON object in the body; empty if there is none."""
        with suppress(ValueError, RecursionError):
            parsed = json.loads(self.body)
            return parsed if isinstance(parsed, dict) else {}
        return {}

    def seconds(self, name: str) -> float | None:
        """Return the seconds in a header, at most an hour; None if the header is missing or malformed."""
        return seconds(self.headers.get(name))


def seconds(value: object) -> float | None:
    """Read a number of seconds, at most an hour; None if it is malformed."""
    try:
        wait_s = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return min(wait_s, LONGEST_WAIT_S) if wait_s >= 0 else None


@dataclass(slots=True)
class Backoff:
    """Delays before retries. Each failure in a row doubles the delay, up to `longest_s`."""

    first_s: float = 1.0
    longest_s: float = 60.0
    failures: int = 0

    def next_s(self) -> float:
        """Return the next delay, with jitter."""
        self.failures += 1
        wait_s = min(self.longest_s, self.first_s * 2.0 ** min(self.failures - 1, 16))
        return wait_s * random.uniform(0.75, 1.0)


class Caller:
    """Makes HTTP calls to one target."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout_s, verify=trusted(), follow_redirects=False)

    async def send(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Make a call and return its answer. Raises no error: `trouble` describes a failure, without the address."""
        try:
            async with asyncio.timeout(self._timeout_s) as deadline:
                async with self._http.stream(method, address, content=body, headers=headers) as response:
                    deadline.reschedule(None)  # the body has its own time limit
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
    """Read at most MOST_BYTES of a body, for at most BODY_WITHIN_S."""
    read = bytearray()
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(BODY_WITHIN_S):
            async for data in response.aiter_raw(MOST_BYTES):
                read += data
                if len(read) >= MOST_BYTES:
                    break
    return bytes(read[:MOST_BYTES])
