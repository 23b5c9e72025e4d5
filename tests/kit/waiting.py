"""Waiting for what must come true."""

import asyncio
from collections.abc import Awaitable, Callable

_LOOK_AGAIN_S = 0.005


async def until(condition: Callable[[], bool | Awaitable[bool]], within_s: float = 20.0) -> None:
    """Return once `condition` holds. Raises AssertionError if it does not within `within_s` seconds."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + within_s
    while True:
        held = condition()
        if held if isinstance(held, bool) else await held:
            return
        assert clock() < deadline, f"not within {within_s:g} s"
        await asyncio.sleep(_LOOK_AGAIN_S)
