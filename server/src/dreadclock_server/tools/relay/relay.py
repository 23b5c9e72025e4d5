"""The relay: a connection to the room, and an independent worker for each target.

A target is a service that gets the room's events, such as a channel of Discord.
"""

import asyncio
import logging
import os
from collections.abc import Coroutine, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from dreadclock.client.connection import FOR_GOOD
from dreadclock.client.links import Link
from dreadclock.client.room import Room, connect
from dreadclock.client.trust.device import state_directory
from dreadclock.narration import Narrator
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.calls import Backoff, Stopped
from dreadclock_server.tools.relay.dddice import Dddice
from dreadclock_server.tools.relay.discord import Discord
from dreadclock_server.tools.relay.feed import Feed
from dreadclock_server.tools.relay.kept import Keeper, occupy
from dreadclock_server.tools.relay.obs import Obs
from dreadclock_server.tools.relay.pace import Everywhere
from dreadclock_server.tools.relay.secrets import Secrets
from dreadclock_server.tools.relay.settings import (
    BadSettings,
    DddiceSettings,
    DiscordSettings,
    ObsSettings,
    RelaySettings,
    WebhookSettings,
)
from dreadclock_server.tools.relay.webhook import Webhook, key_of

CLIENT = "dreadclock relay"
FAREWELL_S = 30.0  # seconds that targets have to send the rest after the room has ended
TWICE_S = 60.0  # for this many seconds, a second connection of the seat may be our own old connection
_log = logging.getLogger("dreadclock.relay")


def state_folder(settings: RelaySettings, folder: Path, link: Link) -> Path:
    """Return the folder for the state of a room's targets.

    Raises BadSettings if the settings name no folder, and this machine has no folder for the state of programs.
    """
    home = folder / settings.state if settings.state is not None else state_directory()
    if home is None:
        raise BadSettings("there is no folder for the relay's state: name a folder as `state`")
    return home / ("" if settings.state is not None else "relay") / link.room


class Relay:
    """Relays a room to all targets in the settings."""

    def __init__(self, settings: RelaySettings, secrets: Secrets, state: Path, again: Iterable[str] = ()) -> None:
        self._settings, self._secrets, self._state = settings, secrets, state
        self._narrator = Narrator(settings.lang)
        self._again = frozenset(again)
        self._keepers: dict[str, Keeper] = {}
        self._everywhere = Everywhere()
        self._out_of_reach = Backoff(longest_s=30.0)
        self._lock: int | None = None

    async def run(self) -> None:
        """Relay until all targets have stopped.

        Raises ConnectionEnded if the connection ends for good. Raises BadSettings if the state cannot be read, or if
        the settings name the channel "gm" and the link does not see it.
        """
        self._lock = occupy(self._state)
        for name in self._settings.targets:
            keeper = self._keepers[name] = Keeper(name, self._state / f"{name}.json", self._secrets.link.room)
            keeper.load()
            await self._recognize(name, keeper)
        while True:
            try:
                return await self._connected()
            except ConnectionEnded as ended:
                if ended.code in FOR_GOOD:
                    raise
                wait_s = self._out_of_reach.next_s()
                _log.warning("%s; the next try is in %.0f s", ended.reason, wait_s)
                await asyncio.sleep(wait_s)

    def close(self) -> None:
        """Unlock the state folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def _recognize(self, name: str, keeper: Keeper) -> None:
        """Let a stopped target start again if its address has changed, or if `--again` names the target.

        After a change of the address, forget the messages at the old address. After `--again`, pending events are due
        at once.
        """
        target = self._settings.targets[name]
        address = self._secrets.of[name][0] if isinstance(target, DiscordSettings | WebhookSettings) else ""
        whom = sha256(f"{target.kind} {address}".encode()).hexdigest()[:32]
        if keeper.kept.whom != whom:
            await keeper.change(whom=whom, stopped=None, message=None, thread=None)
        elif name in self._again:
            now = [call.model_copy(update={"tries": 0, "due_ms": 0}) for call in keeper.kept.pending]
            await keeper.change(stopped=None, pending=tuple(now))

    async def _connected(self) -> None:
        link = self._secrets.link
        async with connect(link.server, link.room, link.token, client=CLIENT, dice_secrets=False) as room:
            self._check_channels(room)
            _log.info("telling %r to %s", room.view.title, ", ".join(self._settings.targets))
            workers = [asyncio.create_task(self._work(name, room)) for name in self._settings.targets]
            over = asyncio.create_task(room.wait_for(lambda _: False))  # ends only by ConnectionEnded
            twice = asyncio.create_task(_warn_of_twice(room))
            working: asyncio.Future[Any] = asyncio.gather(*workers)
            both: list[asyncio.Future[Any]] = [over, working]
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if over.done():
                    await asyncio.wait({working}, timeout=FAREWELL_S)
                    await over
            finally:
                for task in (*both, twice):
                    task.cancel()
                await asyncio.gather(*both, twice, return_exceptions=True)

    def _check_channels(self, room: Room) -> None:
        for name, target in self._settings.targets.items():
            if not set(target.channels) <= set(room.positions):
                raise BadSettings(f"targets.{name}: this link does not see the channel gm")

    async def _work(self, name: str, room: Room) -> None:
        """Serve a target until the target stops or the room is closed. Catches all errors of the target."""
        keeper, backoff = self._keepers[name], Backoff(longest_s=300.0)
        if keeper.kept.stopped is not None:
            message = "%s: it stays stopped: %s; `dreadclock relay --again %s` tries it again"
            _log.error(message, name, keeper.kept.stopped, name)
            return
        while True:
            try:
                await self._service(name, room)
            except ConnectionEnded:
                return
            except Stopped as stopped:
                _log.error("%s: nothing is sent there any more: %s", name, stopped)
                await keeper.change(stopped=str(stopped))
                return
            except Exception:
                _log.exception("%s failed because of a bug, and begins again", name)
                await asyncio.sleep(backoff.next_s())

    def _service(self, name: str, room: Room) -> Coroutine[Any, Any, None]:
        target, secrets, keeper = self._settings.targets[name], self._secrets.of[name], self._keepers[name]
        match target:
            case DiscordSettings():
                discord = Discord(name, target, secrets[0], self._narrator, keeper, self._everywhere)
                return discord.run(room, Feed(room, target.channels))
            case WebhookSettings():
                keys = [key_of(secret) for secret in secrets[1:]]
                webhook = Webhook(name, target, secrets[0], keys, self._narrator, keeper)
                return webhook.run(Feed(room, target.channels))
            case DddiceSettings():
                return Dddice(name, target, secrets[0], self._narrator).run(room)
            case ObsSettings():
                return Obs(name, target, secrets[0] if secrets else None, self._narrator).run(room)


async def _warn_of_twice(room: Room) -> None:
    """Log an error whenever the relay's seat has several connections for a minute: another relay may be running."""

    def is_twice(_: View) -> bool:
        return room.here.get(room.seat, 0) > 1

    while True:
        await room.wait_for(is_twice)
        try:
            await room.wait_for(lambda view: not is_twice(view), TWICE_S)
        except TimeoutError:
            _log.error(
                "the seat of this link is connected %d times: a second relay with the same link tells everything "
                "twice; end it, or give each program a link of its own (dreadclock invite)",
                room.here[room.seat],
            )
            await room.wait_for(lambda view: not is_twice(view))
