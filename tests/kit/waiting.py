"""Waiting for what must come true."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

_LOOK_AGAIN_S = 0.005
_RARER, _AT_LEAST_EVERY_S = 1.25, 0.1  # whoever looks all the time keeps busy what they wait for


async def until(condition: Callable[[], bool | Awaitable[bool]], within_s: float = 20.0) -> None:
    """Return once `condition` holds. Raises AssertionError if it does not within `within_s` seconds."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + within_s
    pause = _LOOK_AGAIN_S
    while True:
        held = condition()
        if held if isinstance(held, bool) else await held:
            return
        assert clock() < deadline, f"not within {within_s:g} s: {_words_of(condition)}"
        await asyncio.sleep(pause)
        pause = min(pause * _RARER, _AT_LEAST_EVERY_S)


async def until_equal(ask: Callable[[], Awaitable[object]], expected: object) -> None:
    """Return once `ask` answers what is expected. Raises AssertionError with the last answer if it does not."""
    answers = list[object]()

    async def agrees() -> bool:
        answers.append(await ask())
        return answers[-1] == expected

    try:
        await until(agrees)
    except AssertionError:
        assert answers[-1] == expected


def _words_of(condition: Callable[[], bool | Awaitable[bool]]) -> str:
    try:
        return inspect.getsource(condition).strip()
    except (TypeError, OSError):  # it is no function, or one without a file
        return repr(condition)
