"""One table played at once from its own pages, from Foundry VTT and from Owlbear Rodeo, as stubs have them."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FrameLocator, Page, TimeoutError, expect

import dreadclock
from dreadclock.dice.rolled import faces_of
from dreadclock.wire.records import Record
from kit.browser.labels import label
from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Foundry, Gathering, User
from kit.owlbear import TABLE, Guest, Owlbear
from kit.waiting import until

pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)

SECRETS = ("What wakes below", "It is the abbot", "gm-wakes")  # a hidden countdown, the gm's note, and its id
PRESSES, WAIT_S = 8, 4.0
STORED = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"


@dataclass
class Evening:
    """Who is there: a player in each place, and a gm in Foundry and in Owlbear."""

    foundry: Gathering
    owlbear: Owlbear
    pages: dict[str, Page] = field(default_factory=dict)
    guests: dict[str, Guest] = field(default_factory=dict)

    @property
    def gm_link(self) -> str:
        """The gm's link."""
        return self.foundry.link("gm-a")

    async def open_page(self, browser: Browser) -> None:
        """Open the table's own page for a player who was invited."""
        await self.foundry.table.invite("cid", "player")
        page = self.pages["cid"] = await (await browser.new_context()).new_page()
        await page.goto(f"{self.foundry.server.url}/r/{self.foundry.table.id}#{self.foundry.table.token('cid')}")
        await page.locator("main[data-role]").wait_for()

    async def open_owlbear(self) -> None:
        """Let the gm bring her link to Owlbear, and a player knock there."""
        gm = self.guests["gm"] = await self.owlbear.seat("Mara", "GM")
        await gm.open()
        await gm.popover.get_by_text(label("owlbear.have_link")).click()
        await gm.popover.get_by_label(label("home.link")).fill(self.gm_link)
        await gm.popover.get_by_role("button", name=label("home.go_send")).click()
        await expect(gm.popover.locator("main[data-role=gm]")).to_be_visible()
        ines = self.guests["ines"] = await self.owlbear.seat("Ines")
        await ines.open()
        await ines.popover.get_by_role("button", name=label("knock.send")).click()
        await gm.popover.get_by_role("button", name=label("gm.knock.seat.player")).click()
        await expect(ines.popover.locator("main[data-role=player]")).to_be_visible()

    async def close(self) -> None:
        """Close the browsers of the pages and of Owlbear."""
        for page in (*self.pages.values(), *(guest.page for guest in self.guests.values())):
            await page.context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def evening(browser: Browser, foundry: Foundry, origin: str) -> AsyncIterator[Evening]:
    """A table at which people sit in all three places."""
    async with foundry.gather() as gathered:
        there = Evening(gathered, Owlbear(browser, origin, gathered.server.url))
        await gathered.come("gm-a", "ann")
        await there.open_page(browser)
        await there.open_owlbear()
        yield there
        await there.close()


async def sees(user: User, what: str) -> None:
    """Return once somebody in Foundry sees something, as people do before they act on it."""
    await until(lambda: user.do(f"api.view().{what}"), 30.0)


async def roll(place: Page | FrameLocator, thing: str, done: Callable[[], bool]) -> None:
    """Press the button that rolls for a thing, as people do: again where it came to nothing.

    A press right after another is none, and one that was made before the page heard of a change is refused.
    """
    for _ in range(PRESSES):
        if done():
            return
        with suppress(TimeoutError):  # the button goes once it has done its work
            await place.locator(f'[data-thing="{thing}"] .button.big').first.click(timeout=WAIT_S * 1000)
        with suppress(AssertionError):
            await until(done, WAIT_S)
    assert done(), f"nothing came of {thing}"


async def test_an_evening_across_three_origins(evening: Evening):
    pages, guests, users = evening.pages, evening.guests, evening.foundry.users
    async with dreadclock.connect(evening.gm_link) as gm:
        await gm.set_policy(check_approval="open")
        await gm.start_countdown(SECRETS[0], pool=4, id=SECRETS[2], visibility="gm", note=SECRETS[1])
        seats = {seat.name: seat.id for seat in gm.view.seats.values()}
        owners = {name: seats[name.title()] for name in ("ann", "cid", "ines")}
        for name, owner in owners.items():
            await gm.add_character(name.title(), id=name, owner=owner, attributes={"Wits": 3}, reflex=2)

        # Checks, each where somebody else sits
        for name in ("ann", "cid", "ines"):
            await gm.propose_check(name, id=f"leap-{name}", attribute="Wits")
        await sees(users["ann"], "checks.has('leap-ann')")
        await users["ann"].do("api.send({ type: 'roll_check', check_id: 'leap-ann' })")
        for place, check in ((pages["cid"], "leap-cid"), (guests["ines"].popover, "leap-ines")):
            await roll(place, f"check:{check}", lambda check=check: gm.view.checks[check].status == "resolved")  # type: ignore[misc]
        assert all(each.status == "resolved" for each in gm.view.checks.values())

        # A contest of somebody in Foundry with somebody in Owlbear
        await gm.propose_check("ann", id="duel", attribute="Wits", contest=True)
        await gm.oppose_check("duel", character_id="ines", attribute="Wits")
        await sees(users["ann"], "checks.get('duel')?.parts.length === 2")
        await users["ann"].do("api.send({ type: 'roll_check', check_id: 'duel' })")
        await roll(guests["ines"].popover, "check:duel", lambda: gm.view.checks["duel"].status == "resolved")

        # A total that misses, and a push
        await gm.propose_total("cid", id="pick", attribute=6)
        await gm.set_required("pick", required=40, crisis="physical")
        await roll(pages["cid"], "total:pick", lambda: bool(gm.view.totals["pick"].faces))
        await gm.offer_push("pick")
        await roll(pages["cid"], "total:pick", lambda: bool(gm.view.totals["pick"].pushes))

        # A player ticks her clock with no gm in Foundry
        await gm.start_clock("The flood", 6, id="flood", owner=owners["ann"])
        await evening.foundry.leave(users["gm-a"])
        await sees(users["ann"], "clocks.has('flood')")
        await users["ann"].do("api.tick('flood')")
        assert gm.view.clocks["flood"].value == 5

    await every_roll_is_one_message(evening)
    await nothing_leaked(evening)


async def every_roll_is_one_message(evening: Evening) -> None:
    """Compare Foundry's chat with what the server rolled for all to see."""
    records = [Record.model_validate_json(text) for text in await evening.foundry.table.log("ann")]
    rolled = [list(faces_of(record.event)) for record in records if faces_of(record.event)]
    messages = await evening.foundry.messages(len(rolled))
    assert [face for each in messages for faces in each["faces"] for face in faces] == [
        face for faces in rolled for face in faces
    ]
    assert len({each["record"] for each in messages}) == len(messages) == len(rolled) > 6


async def nothing_leaked(evening: Evening) -> None:
    """Look for tokens and what the gm alone knows in all that is shared, and in what each player's browser holds."""
    shared = evening.foundry.host.world.text() + json.dumps(evening.owlbear.metadata)
    shared += "".join([frame for guest in evening.guests.values() for frame in await guest.heard()])
    players = dict(evening.pages)
    players |= {name: guest.page for name, guest in evening.guests.items() if name != "gm"}
    players |= {user.id: user.page for user in evening.foundry.users.values()}
    held = {name: await held_by(page) for name, page in players.items()}
    tokens = {name: grant["token"] for name, grant in evening.foundry.table.grants.items()}
    tokens |= {name: await token_of(guest) for name, guest in evening.guests.items() if name != "gm"}
    grants = set(tokens.values())

    assert [each for each in (*SECRETS, *grants) if each in shared] == []
    for name, text in held.items():
        assert [each for each in (*SECRETS, *(grants - {tokens[name]})) if each in text] == [], name
    assert tokens["ines"] in held["ines"]
    assert SECRETS[0] in await held_by(evening.guests["gm"].page)  # they are found where they may be


async def token_of(guest: Guest) -> str:
    """Return the token that a guest got by a knock, and keeps."""
    frame = next(each for each in guest.page.frames if each.url.startswith(f"{guest.server}/owlbear/background"))
    kept = json.loads(await frame.evaluate("(name) => localStorage.getItem(name)", f"dreadclock:owlbear:{TABLE}:seat"))
    return str(kept["token"])


async def held_by(page: Page) -> str:
    """Return the markup of a page and all its frames, and all that its browser stores."""
    texts = [await frame.content() for frame in page.frames]
    return "\n".join(texts + [str(await frame.evaluate(STORED)) for frame in page.frames])
