"""Somebody at a table: a page, and what they can do with it."""

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from typing import Literal
from urllib.parse import urlsplit

from playwright.async_api import Locator, expect

from dreadclock.client.links import parse_link
from dreadclock.wire.views import View
from kit.browser.hands import Mouse
from kit.browser.labels import label, words
from kit.browser.picture import NOT_DRAWN, differences
from kit.browser.reuse import Place
from kit.browser.scripts import script
from kit.rooms import http_client
from kit.server import Server
from kit.waiting import until

WITHIN_S = 20.0
DOUBLE_CLICK_S = 0.4  # AGAIN_AFTER_MS of the pages, js/app/table.js
_CLOSED = "details.actions:not([open])"


class Seat:
    """One page in a context of its own. What is looked for is looked for as a screen reader would: by role and name."""

    def __init__(self, name: str, server: Server, place: Place) -> None:
        self.name = name
        self.server = server
        self.place = place
        self.context = place.context
        self.page = place.page
        self.complaints = place.complaints
        self.wire = place.wire
        self.link = ""
        self.hands = Mouse()
        self._pressed: dict[str, float] = {}

    async def open(self, link: str) -> None:
        """Open a link to a table, and return once the table is there."""
        self.link = link
        await self.page.goto(link)
        await self.arrived()

    async def arrived(self) -> None:
        """Return once the table is there."""
        shown = "#root:not([style*='display: none']) main[data-role]"  # while it loads, it is there out of sight
        await self.page.locator(shown).wait_for(state="attached")

    # What is there

    def thing(self, name: str) -> Locator:
        """Find the drawing of a thing; `name` is its kind and its id, as in `countdown:fever`.

        Of a situation whose dial's menu is open also its part of that menu, which comes after the drawing.
        """
        return self.page.locator(f'[data-thing="{name}"], [data-of="{name}"]')

    def button(self, name: str, within: Locator | None = None) -> Locator:
        """Find a button by its label; what tells it apart from others of that label may follow."""
        return (within or self.page).get_by_role("button", name=_label(name))

    def field(self, name: str, within: Locator | None = None) -> Locator:
        """Find what is typed, chosen or ticked, by its label; a hint may follow."""
        place = within or self.page
        found = place.get_by_role("textbox", name=_label(name))
        for role in ("spinbutton", "slider", "combobox", "checkbox", "radio", "radiogroup"):
            found = found.or_(place.get_by_role(role, name=_label(name)))
        return found

    def folded(self, name: str, within: Locator | None = None) -> Locator:
        """Find what is folded away under a line."""
        return (
            (within or self.page).locator("details").filter(has=self.page.locator("> summary", has_text=_label(name)))
        )

    # What is done

    async def press(self, key: str, within: Locator | None = None, **fields: object) -> None:
        """Press a button, by the key of its label. A second press waits: two at once are a double click."""
        await asyncio.sleep(self._pressed.get(key, 0.0) + DOUBLE_CLICK_S - time.monotonic())
        button = self.button(label(key, **fields), within)
        if not await self.reach(button, label(key, **fields), within):
            await self.hands.press(button)
        self._pressed[key] = time.monotonic()

    async def unfold(self, key: str, within: Locator | None = None, **fields: object) -> Locator:
        """Open what is folded away, and return it."""
        folded = self.folded(label(key, **fields), within)
        if await folded.evaluate_all("(all) => all.some((each) => each.open)"):
            return folded
        if await self.reach(folded.locator("> summary"), label(key, **fields), within):
            await expect(folded).to_have_attribute("open", "")
            return folded
        await self.page.evaluate(script("nextPicture"))  # a menu may open with one of its forms
        if await folded.get_attribute("open") is None:
            await self.hands.press(folded.locator("> summary"))
        return folded

    async def reach(self, control: Locator, name: str, within: Locator | None = None) -> bool:
        """Open the menu in which a control stands, unless it is in sight: the thing's own, `Add` or the drawer.

        Return whether that has pressed the control already, as its letters do.
        """
        thing = None if within is None else await within.first.get_attribute("data-thing")
        if thing is not None and within is not None:
            scene = "(one) => one.closest('.card.scene').dataset.thing"  # a situation is a part of its dial
            holder = await within.first.evaluate(scene) if thing.startswith("situation:") else thing
            menu = self.page.locator(f'{_CLOSED}[data-place="menu:{holder}"]')
        else:
            item = self.page.locator("button, summary", has_text=_label(name))
            menu = self.page.locator(_CLOSED).filter(has=item)
        way = menu.locator("> summary")
        await expect(control.or_(way).first).to_be_visible()
        if await control.first.is_visible():
            return False
        return await self.hands.open_menu(way.first, name, thing)

    async def send(self, key: str, within: Locator | None = None) -> None:
        """Press a button that sends a command, and return once the server has answered, and the page shows that."""
        sent, answers = len(self.wire.commands()), self.wire.answers
        await self.press(key, within)
        await until(lambda: len(self.wire.commands()) > sent, WITHIN_S)
        await until(lambda: self.wire.answers > answers, WITHIN_S)
        await expect(self.page.locator("button[aria-busy=true]")).to_have_count(0)
        await self.page.evaluate(script("nextPicture"))  # in which a form that was sent is folded away

    async def fill(self, within: Locator, given: Mapping[str, str | int | bool]) -> None:
        """Fill in fields, each by its label or by the label's key: what is typed, the words of a choice, or a tick."""
        for name, value in given.items():
            field = self.field(words(name), within)
            kind: str = await field.evaluate("(field) => field.getAttribute('role') ?? field.localName")
            if isinstance(value, bool):
                await (self.hands.tick if value else self.hands.untick)(field)
            elif kind == "select":
                await self.hands.choose(field, words(str(value)))
            elif kind == "radiogroup":
                await self.hands.tick(field.get_by_role("radio", name=words(str(value)), exact=True))
            else:
                await self.hands.type(field, str(value))

    async def enter(
        self, key: str, given: Mapping[str, str | int | bool], send: str, within: Locator | None = None
    ) -> None:
        """Unfold a form, fill it in, and send it."""
        form = await self.unfold(key, within)
        await self.fill(form, given)
        await self.send(send, form)

    async def view(self) -> View:
        """Ask the server, not the page, what this seat sees."""
        link = parse_link(self.link)
        async with http_client(self.server, link.token) as http:
            answer = await http.get(f"/api/rooms/{link.room}")
        return View.model_validate_json(answer.text)

    async def sees(self, holds: Callable[[View], bool]) -> None:
        """Return once this holds of what the server says that this seat sees."""

        async def it_holds() -> bool:
            return holds(await self.view())

        await until(it_holds)

    async def open_all(self) -> None:
        """Show what is over, too."""
        while await self.page.evaluate(script("unfold"), True):
            await self.page.evaluate(script("nextPicture"))

    async def unfold_all(self) -> None:
        """Open every form and all else that is folded away, and what is folded away in there."""
        while await self.page.evaluate(script("unfold"), False):
            await self.page.evaluate(script("nextPicture"))

    async def shows_what_the_server_says(self) -> None:
        """Return once every thing is drawn as the server has it. Raises AssertionError with all that differs."""
        await self.shows(await self.view())

    async def shows(self, view: View) -> None:
        """Return once every thing is drawn as it is in a view. Raises AssertionError with all that differs."""
        found = ["nothing was compared"]

        async def agreed() -> bool:
            nonlocal found
            if any(each.endswith(NOT_DRAWN) for each in found):
                await self.open_all()
            found = await differences(self.page, view)
            return not found

        try:
            await until(agreed, WITHIN_S)
        except AssertionError:
            differs = "\n  ".join(found)
            raise AssertionError(f"{self.name}'s page differs from the view:\n  {differs}") from None

    async def stands(self, connection: str) -> None:
        """Wait until the page says of its connection that it is `open`, `away` or `over`."""
        await self.page.locator(f"[data-connection={connection}]").wait_for()

    # What it keeps

    async def kept(self, storage: Literal["localStorage", "sessionStorage"]) -> dict[str, str]:
        """Return what the page keeps in one of the browser's storages."""
        found: dict[str, str] = await self.page.evaluate(f"() => ({{...{storage}}})")
        return found

    async def everything_it_knows(self) -> str:
        """Return its document and all that it keeps, as one text."""
        kept = [await self.kept("localStorage"), await self.kept("sessionStorage"), await self.context.cookies()]
        return f"{await self.page.content()} {kept}"

    @property
    def address(self) -> str:
        """What stands in the address bar."""
        return self.page.url

    @property
    def token(self) -> str:
        """The secret part of its link."""
        return urlsplit(self.link).fragment


def _label(name: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*{re.escape(name)}\s*(: .*|\s.*)?$", re.DOTALL)
