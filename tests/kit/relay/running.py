"""Relays: in this process, or in one of their own that may be killed."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from dreadclock import Room
from dreadclock_server.tools.relay.kept import Kept
from dreadclock_server.tools.relay.relay import Relay, state_folder
from dreadclock_server.tools.relay.secrets import fetched
from dreadclock_server.tools.relay.settings import read_settings
from kit.relay.stubs import Call
from kit.rooms import Table
from kit.servers import nursery
from kit.waiting import until

_MAIN = "import sys; from dreadclock.cli import main; sys.exit(main(['relay', *sys.argv[1:]]))"
KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQWE="
OLD_KEY = "whsec_" + "C2FVsBQIhrscChlQIMV+b5sSYspob7oDazY="


def link_of(table: Table, name: str) -> str:
    """Return the link to somebody's seat."""
    return f"{table.server.url}/r/{table.id}#{table.token(name)}"


def written(folder: Path, link: str, targets: str, more: str = "") -> Path:
    """Write the settings of a relay, and the file with its link; return where they are."""
    folder.mkdir(exist_ok=True)
    (folder / "link").write_text(link)
    (folder / "link").chmod(0o600)
    (folder / "key").write_text(KEY)
    (folder / "key").chmod(0o600)
    path = folder / "relay.toml"
    path.write_text(f'link = "file:link"\nstate = "state"\n{more}\n{targets}')
    return path


def webhook(url: str, more: str = "") -> str:
    """Write a target of webhooks."""
    return f'[targets.hook]\nkind = "webhook"\nurl = "{url}"\nsecrets = ["file:key"]\n{more}\n'


@asynccontextmanager
async def relaying(path: Path, again: tuple[str, ...] = ()) -> AsyncIterator[asyncio.Task[None]]:
    """Run a relay for as long as the block lasts."""
    settings = read_settings(path)
    secrets = fetched(settings, path.parent)
    relay = Relay(settings, secrets, state_folder(settings, path.parent, secrets.link), again)
    running = asyncio.create_task(relay.run())
    try:
        yield running
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running
        relay.close()


def kept(path: Path, name: str = "hook") -> Kept | None:
    """Return what a target keeps, None if it does not yet."""
    files = list((path.parent / "state").glob(f"*/{name}.json"))
    return Kept.model_validate_json(files[0].read_text()) if files else None


async def begun(path: Path, name: str = "hook") -> None:
    """Wait until a target knows where it stands."""
    await until(lambda: (found := kept(path, name)) is not None and found.standing is not None, 30.0)


async def roll(gm: Room, *names: str) -> None:
    """Roll a die under each of these names."""
    for name in names:
        await gm.submit({"type": "roll_dice", "pool": 1, "name": name})


def names(calls: list[Call]) -> list[str]:
    """Return the names of the rolls that webhooks were sent."""
    return [json.loads(call.body)["data"]["record"]["event"]["roll"]["name"] for call in calls]


class RelayProcess:
    """A relay in a process of its own; `prelude` is what it runs before anything else."""

    def __init__(self, path: Path, prelude: str = "", environment: Mapping[str, str] = {}) -> None:
        self.log = path.with_name("relay.log")
        with self.log.open("ab") as log:
            code, environment = f"{prelude}\n{_MAIN}", {**os.environ, **environment}
            self.process = nursery.start(code, [str(path)], environment, log, "dreadclock_server.tools.relay.command")

    def log_text(self) -> str:
        """Give all that was logged, by earlier processes with these settings, too."""
        return self.log.read_text(errors="replace")

    async def dies(self, within_s: float = 60.0) -> None:
        """Wait until it has died of kill -9."""
        try:
            await until(lambda: self.process.poll() is not None, within_s)
        finally:
            self.kill()
        assert self.process.returncode == -signal.SIGKILL, self.log_text()[-3000:]

    async def ends(self, within_s: float = 60.0) -> int:
        """Wait until it has ended by itself; return its exit status."""
        await until(lambda: self.process.poll() is not None, within_s)
        return self.process.returncode

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
