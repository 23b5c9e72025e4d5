"""People in a stub of Foundry, each in a browser context of their own, at a table on a real server elsewhere."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, Locator, Page, StorageState, ViewportSize

from kit.browser.complaints import Complaints
from kit.foundry.host import Host, Stub, hosting
from kit.foundry.module import find_handlebars, unpacked
from kit.rooms import Table, open_table
from kit.server import Server, running_server
from kit.waiting import until

USERS = {"gm-a": "Mara", "gm-b": "Nils", "ann": "Ann", "ben": "Ben"}
SEATS = {"gm-a": "gm", "gm-b": "gm", "ann": "ann", "ben": "ben"}
WITHIN_MS = 20_000  # other tests may keep the machine busy
_KEPT = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
_SEATED = """
() => game.modules.get("dreadclock").api.view() !== null && Boolean(game.user.getFlag("dreadclock", "seat")?.seat)
"""
_MESSAGES = """
() => game.messages.contents.map((message) => ({
  id: message.id, content: message.content, author: message.author, whisper: message.whisper ?? [],
  alias: message.speaker.alias, faces: message.rollsShown.map((roll) => roll.faces),
  record: message.getFlag("dreadclock", "record"),
}))
"""


@dataclass
class User:
    """One user's browser."""

    id: str
    host: Host
    context: BrowserContext
    page: Page
    complaints: Complaints

    async def enter(self, **asked: str) -> None:
        """Open the world, and return once the module has begun."""
        query = "".join(f"&{name}={value}" for name, value in asked.items())
        await self.page.goto(f"{self.host.url}/game?user={self.id}{query}")
        await self.page.locator("body[data-ready]").wait_for()

    async def sit(self, link: str) -> None:
        """Open the window of seats, and sit down with a link."""
        await self.do("api.openSeats()")
        seats = self.page.locator("#dreadclock-seats")
        await seats.locator("input").fill(link)
        await seats.locator("[name=sit]").click()
        await self.seated()
        await seats.locator("[data-action=close]").click()

    async def seated(self) -> None:
        """Return once this user sits at the table, and all know where."""
        await until(lambda: "seat" in self.host.world.users[self.id]["flags"].get("dreadclock", {}))
        await self.page.wait_for_function(_SEATED)

    async def do(self, script: str) -> Any:
        """Evaluate an expression of a macro, with the module's `api`."""
        return await self.page.evaluate(
            f"(async () => {{ const api = game.modules.get('dreadclock').api; return {script}; }})()"
        )

    async def panel(self) -> Locator:
        """Open the panel."""
        await self.do("void api.open()")
        panel = self.page.locator("#dreadclock-panel")
        await panel.wait_for()
        return panel

    async def messages(self) -> list[dict[str, Any]]:
        """Return the messages that this browser holds, seen or not."""
        found: list[dict[str, Any]] = await self.page.evaluate(_MESSAGES)
        return found

    async def kept(self) -> str:
        """Return all that this browser keeps."""
        return str(await self.page.evaluate(_KEPT))

    async def drawn(self) -> str:
        """Return the markup of the page and of all frames in it."""
        return "\n".join(
            [await frame.content() for frame in self.page.frames] + [frame.url for frame in self.page.frames[:1]]
        )

    def errors(self) -> list[str]:
        """Take what the page complained of; the server that it may call is another host by design."""
        return [each for each in self.complaints.take() if "a request to another host" not in each]


@dataclass
class Gathering:
    """A world of the stub, a table on a server, and who is in both."""

    browser: Browser
    server: Server
    table: Table
    host: Host
    users: dict[str, User] = field(default_factory=dict)
    before: frozenset[str] = frozenset()  # the messages that are not counted
    logged: int = 0  # as many records of what all see were there before

    @asynccontextmanager
    async def part(self) -> AsyncIterator["Gathering"]:
        """Count messages from now on, for as long as the block lasts; in the end nobody's page may have complained."""
        self.before, self.logged = frozenset(self.host.world.messages), len(await self.table.log("ann"))
        try:
            yield self
            errors = {user.id: user.errors() for user in self.users.values()}
            assert {user: heard for user, heard in errors.items() if heard} == {}
        finally:
            if self.server.ended_with is not None:  # a test that killed it has failed: others need it
                await self.server.start()

    def link(self, user: str) -> str:
        """Give the link of a user's seat."""
        return f"{self.server.url}/r/{self.table.id}#{self.table.token(SEATS[user])}"

    async def come(self, *names: str, sits: bool = True, by_hand: bool = False, **asked: str) -> list[User]:
        """Bring users into the world, each with a browser of their own, and to their seats unless said.

        They sit down by a link that their browser has kept from before; `by_hand`: in the window of seats.
        """
        return await asyncio.gather(*(self._come(name, sits, by_hand, asked) for name in names))

    async def among(self, *names: str) -> list[User]:
        """Let these users be here, in their seats, and nobody else; who is here already stays as they are."""
        for user in [user for name, user in self.users.items() if name not in names]:
            await self.leave(user)
        await self.come(*(name for name in names if name not in self.users))
        return [self.users[name] for name in names]

    async def _come(self, name: str, sits: bool, by_hand: bool, asked: Mapping[str, str]) -> User:
        kept = self._kept(name) if sits and not by_hand else None
        view: ViewportSize = {"width": 1280, "height": 900}
        context = await self.browser.new_context(locale="en-GB", viewport=view, storage_state=kept)
        context.set_default_timeout(WITHIN_MS)
        page = await context.new_page()
        user = User(name, self.host, context, page, Complaints(page, urlsplit(self.host.url).netloc))
        self.users[name] = user
        await page.clock.install()  # it runs as ever, until a test lets it run ahead
        await user.enter(**asked)
        if kept:
            await user.seated()
        elif sits:
            await user.sit(self.link(name))
        return user

    def _kept(self, name: str) -> StorageState:
        """Make a browser's storage with a link that leads to the world's table."""
        self.host.world.settings["dreadclock.table"] = {"server": self.server.url, "room": self.table.id}
        links = json.dumps({f"stub/{name}": self.link(name)})
        return {"origins": [{"origin": self.host.url, "localStorage": [{"name": "dreadclock.links", "value": links}]}]}

    async def leave(self, user: User) -> None:
        """Let a user close the browser, and return once the world knows."""
        del self.users[user.id]
        await user.context.close()
        await until(lambda: user.id not in self.host.sockets.values())

    async def messages(self, count: int) -> list[dict[str, Any]]:
        """Return the messages of this part once there are so many, and all who are there hold them, as rolled."""
        await until(lambda: len(self.host.world.messages.keys() - self.before) >= count)
        for user in self.users.values():
            await until(lambda user=user: self._holds(user))  # type: ignore[misc]
        held = [await user.messages() for user in self.users.values()]
        found = [[message for message in each if message["id"] not in self.before] for each in held]
        assert len(found[0]) == count
        assert all(json.dumps(each, sort_keys=True) == json.dumps(held[0], sort_keys=True) for each in held)
        return sorted(found[0], key=lambda each: int(each["record"].split("/")[2]))

    async def later(self) -> None:
        """Let all patience come to its end, and return once what follows of that is done."""
        for user in self.users.values():
            await user.page.clock.fast_forward(20_000)
        for user in self.users.values():
            await user.do("game.user.setFlag('dreadclock', 'done', 1)")

    async def _holds(self, user: User) -> bool:
        return bool(await user.page.evaluate("game.messages.size") == len(self.host.world.messages))


@dataclass(frozen=True)
class Foundry:
    """A stub of Foundry, and a server that lets its pages in; both outlast many gatherings."""

    browser: Browser
    server: Server
    stub: Stub

    @asynccontextmanager
    async def gather(self) -> AsyncIterator[Gathering]:
        """Begin a world and a table of their own; in the end nobody's page may have complained."""
        gathered = Gathering(self.browser, self.server, await open_table(self.server), self.stub.begin(USERS))
        try:
            async with gathered.part():
                yield gathered
        finally:
            await asyncio.gather(*(user.context.close() for user in gathered.users.values()))


@asynccontextmanager
async def running_foundry(browser: Browser, folder: Path, *, frames: Sequence[str] = ()) -> AsyncIterator[Foundry]:
    """Run both for as long as the block lasts; `frames`: who else may frame the server's pages."""
    handlebars = find_handlebars()
    assert handlebars is not None
    async with hosting(unpacked(folder / "module"), handlebars) as stub:
        framed = ",".join((stub.url, *frames))
        settings = {"DREADCLOCK_ALLOWED_ORIGINS": stub.url, "DREADCLOCK_FRAME_ANCESTORS": framed}
        async with running_server(folder / "data", environment=settings) as server:
            yield Foundry(browser, server, stub)
