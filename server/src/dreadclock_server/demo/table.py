"""The four connected seats that play the worked examples of the rules."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import dreadclock
from dreadclock import Room
from dreadclock.wire.base import Role

TITLE = "The flooded vault"
GIVE_UP_AFTER_S = 3


class DemoFailed(Exception):
    """The demo could not run, or did not end as expected. The message is a sentence about it."""


class Table(NamedTuple):
    """The seats of the story. Each has its own websocket."""

    gm: Room
    rook: Room
    sparks: Room
    spectator: Room


@asynccontextmanager
async def seated(url: str) -> AsyncIterator[Table]:
    """Open a room on a server, invite everyone, and connect all seats."""
    opened = await dreadclock.open_room(url, TITLE)
    invited = [
        await opened.invite(Role.PLAYER, "Rook"),
        await opened.invite(Role.PLAYER, "Sparks"),
        await opened.invite(Role.SPECTATOR, "Wren"),
    ]
    async with AsyncExitStack() as stack:
        links = [opened.gm.link, *(grant.link for grant in invited)]
        # Keep the secrets of the dice in memory, because the room is deleted when the demo ends.
        secrets = dreadclock.DiceSecrets(None)
        opening = [dreadclock.connect(link, give_up_after_s=GIVE_UP_AFTER_S, dice_secrets=secrets) for link in links]
        yield Table(*[await stack.enter_async_context(room) for room in opening])
