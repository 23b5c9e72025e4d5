"""An evening played by keyboard alone: the room is opened on the pages, and everyone is invited there."""

import asyncio
from collections.abc import Mapping, Sequence

from playwright.async_api import Locator, expect

from kit.browser.company import Company
from kit.browser.hands import Keyboard
from kit.browser.labels import label
from kit.browser.seat import Seat

PLAYERS, SPECTATOR = ("Tom", "Ines"), "Wren"
Given = Mapping[str, str | int | bool]


class Evening:
    """A gm, two players and a spectator, who is asked after every step whether it can be seen."""

    def __init__(self, gm: Seat, tom: Seat, ines: Seat, wren: Seat) -> None:
        self.gm, self.tom, self.ines, self.wren = gm, tom, ines, wren
        self.opened = self.brought = self.keys  # pressed until everyone sat there, and until there were characters

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everyone."""
        return self.gm, self.tom, self.ines, self.wren

    @property
    def keys(self) -> int:
        """How many keys everyone has pressed so far, those that type a text left out."""
        return sum(seat.hands.work.keys for seat in self.seats)

    async def seen(self) -> None:
        """See that the spectator's page shows what the server says."""
        await self.wren.shows_what_the_server_says()

    async def do(self, seat: Seat, key: str, within: Locator | None = None) -> None:
        """Let somebody press a button that sends a command, and the spectator see what comes of it."""
        await seat.send(key, within)
        await self.seen()

    async def form(self, seat: Seat, key: str, send: str, given: Given, within: Locator | None = None) -> None:
        """Let somebody unfold a form, fill it in and send it, and the spectator see what comes of it."""
        form = await seat.unfold(key, within)
        await seat.fill(form, given)
        await self.do(seat, send, form)

    async def roll(self, seat: Seat, thing: str, *faces: int) -> None:
        """Let somebody type in dice of their own, and the spectator see them; `thing` is a kind and an id."""
        typed = " ".join(map(str, faces))
        if seat is self.gm:
            await self.form(seat, "gm.own_dice", "gm.enter", {"gm.faces": typed}, seat.thing(thing))
        else:
            await self.form(seat, "my.own_dice", "my.enter_faces", {"my.faces": typed}, seat.thing(thing))

    async def bring(self, seat: Seat, name: str, attribute: str, score: int, special: str = "") -> None:
        """Let a player bring her first character, with a usual attribute and perhaps a special one; the gm approves."""
        form = seat.page.locator('[data-form="add:character:send"]')
        await expect(seat.field(label("form.name"), form)).to_be_focused()  # the page did that
        await seat.fill(form, {"form.name": name, attribute: score})
        if special:
            await seat.fill(await seat.unfold("form.sheet.more", form), {"form.special": special})
        await self.do(seat, "my.add", form)
        brought = list((await self.gm.view()).characters)[-1]
        await self.do(self.gm, "gm.sheet.approve", self.gm.thing(f"sheet:{brought}"))

    async def all_see_the_same(self) -> None:
        """See that every page shows what the server says to its seat."""
        for seat in self.seats:
            await seat.shows_what_the_server_says()


async def open_evening(company: Company, title: str) -> Evening:
    """Open a room on the server's first page, let the gm invite the others, and seat them all: by keyboard alone."""
    gm, *seats = [await company.come(name) for name in ("gm", *PLAYERS, SPECTATOR)]
    for seat in (gm, *seats):
        seat.hands = Keyboard(seat.page)
    await open_room(gm, title)
    await invite_all(gm, seats)
    return Evening(gm, *seats)


async def open_room(gm: Seat, title: str) -> None:
    """Open a room where everyone rolls dice of their own, and arrive in it."""
    await gm.page.goto("/")
    await gm.press("home.open")
    form = gm.page.get_by_role("region", name=label("home.open"))
    await gm.fill(form, {"home.title": title})
    await gm.fill(await gm.unfold("home.policy", form), {"home.dice": "home.dice.everyone"})
    await gm.press("home.open_send", form)
    await gm.arrived()
    (token,) = (await gm.kept("sessionStorage")).values()
    gm.link = f"{gm.address}#{token}"


async def invite_all(gm: Seat, seats: Sequence[Seat]) -> None:
    """Make a link for everyone on the gm's page, and let them open it."""
    for seat in seats:
        role = "gm.role.spectator" if seat.name == SPECTATOR else "gm.role.player"
        invitation = await gm.unfold("gm.invite")
        await gm.fill(invitation, {"form.name": seat.name, "gm.invite.role": role})
        made = gm.page.get_by_role("group", name=label("gm.link.for", name=seat.name))
        await gm.press("gm.invite.make", invitation)
        seat.link = await gm.field(label("gm.link.address"), made).input_value()
        await gm.press("gm.done", made)
    await asyncio.gather(*(seat.open(seat.link) for seat in seats))
