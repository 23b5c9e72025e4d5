"""Several things that a target does at once, each without an end of its own."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def together(*parts: Coroutine[Any, Any, None]) -> None:
    """Do all of them until one raises, and raise that once the others have stopped."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
