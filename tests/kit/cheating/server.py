"""A real server in this process that cheats as it is told to, and the ways to cheat.

All of it is the server's own but for its decisions, which are tampered with before they are hashed and stored: the
chain of a server that cheats is in order.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
import uvicorn

from dreadclock.wire.base import Channel
from dreadclock.wire.events import Event
from dreadclock.wire.records import Record
from dreadclock_server.app import create_app
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Actor, Dice
from dreadclock_server.core.room import Evolving, Room
from dreadclock_server.rooms import live
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.serving import listening_socket
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import Store
from kit.nodes import Meddler, meddled
from kit.server import Server
from kit.waiting import until


@dataclass(frozen=True)
class Case:
    """A command that a cheating server is to decide."""

    room: Room
    command: Any
    by: Actor
    dice: Dice
    now_ms: int
    fresh: Callable[[], str]
    tells_skipped: bool = True

    def honest(self, dice: Dice | None = None, **changed: object) -> Decision:
        """Decide as the rules say, maybe with other dice, or as if the command were another."""
        command = self.command.model_copy(update=changed) if changed else self.command
        return decide(
            self.room,
            command,
            by=self.by,
            dice=dice or self.dice,
            now_ms=self.now_ms,
            fresh=self.fresh,
            tells_skipped=self.tells_skipped,
        )

    def told(self, *events: Event, by: str | None = None) -> Decision:
        """Return the decision that these public events make, whatever the rules say."""
        room, records = Evolving(self.room), list[Record]()
        for event in events:
            records.append(room.next_record(Channel.PUBLIC, event, by=by or self.by.seat_id, now_ms=self.now_ms))
            room.take(Channel.PUBLIC, event)
        written = room.write(records)
        return Decision(room.end(written, keeps_undo=False), written)


Cheat = Callable[[Case], Decision]


@dataclass
class Cheater:
    """The server; honest until it has a `cheat`."""

    url: str
    store_url: str
    store: Meddler
    rooms: Rooms
    cheat: Cheat | None = None
    cheated: list[Decision] = field(default_factory=list)

    @property
    def websocket_url(self) -> str:
        """Where its websockets begin."""
        return self.url.replace("http:", "ws:") + "/ws/"

    @property
    def server(self) -> Server:
        """It, where a server is asked for by its addresses alone."""
        return cast(Server, self)

    def decide(self, room: Room, command: Any, **more: Any) -> Decision:
        """Decide a command, in the one way or the other."""
        if self.cheat is None:
            return decide(room, command, **more)
        decision = self.cheat(Case(room, command, **more))
        self.cheated.append(decision)
        return decision

    @contextmanager
    def cheating(self, cheat: Cheat) -> Iterator[None]:
        """Cheat for as long as the block lasts."""
        self.cheat = cheat
        self.cheated.clear()
        try:
            yield
        finally:
            self.cheat = None


@asynccontextmanager
async def cheater_on(store: Store, store_url: str) -> AsyncIterator[Cheater]:
    """Run a server that can cheat."""
    meddler, meddled_store = meddled(store)
    app = create_app(meddled_store, Settings(limits=False))
    with listening_socket("127.0.0.1", 0) as listener, pytest.MonkeyPatch.context() as patch:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        cheater = Cheater(url, store_url, meddler, app.rooms)
        patch.setattr(live, "decide", cheater.decide)
        server = uvicorn.Server(uvicorn.Config(app.asgi, ws="websockets-sansio", log_config=None, lifespan="on"))
        serving = asyncio.create_task(server._serve([listener]))  # which leaves the signals of this process alone
        await until(lambda: server.started)
        yield cheater
        server.should_exit = True
        await app.hubs.send_away()
        await serving
