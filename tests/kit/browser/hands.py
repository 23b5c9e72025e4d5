"""How somebody uses a page, with a mouse or with the keyboard alone, and what work that is."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import ElementHandle, Locator, Page, expect

from kit.browser.scripts import script
from kit.server import INSTALLED
from kit.waiting import until

# For tests in which a keyboard does everything: it reads the letters in the pages' own modules.
reads_modules = pytest.mark.skipif(
    bool(INSTALLED), reason="the packages carry bundles, in which these modules are not apart"
)


MOST_TABS = 400
MOST_TABS_ON = 4
NEAR = 10

_IS_TYPING = """
() => document.activeElement.matches("input:not([type=checkbox], [type=radio]), textarea, select")
"""
_FINAL = "veu"  # what nobody can take back: its letter only leads there
_IS_MARKED = "(field) => getSelection().toString() === field.value"
_OPTIONS = "(select) => [...select.options].map((option) => option.label)"


@dataclass
class Work:
    """What hands have done: presses of a mouse, a finger or a key that types nothing; letters; scrolls.

    Its seconds are those of a practised hand at an even pace, after the keystroke-level model of Card, Moran and
    Newell: 1.3 to point and press, 0.28 a key; a scroll counts as pointing.
    """

    presses: int = 0
    keys: int = 0
    letters: int = 0
    scrolls: int = 0

    @property
    def seconds(self) -> float:
        """How long that takes a practised hand."""
        return (self.presses + self.scrolls) * 1.3 + (self.keys + self.letters) * 0.28


class Mouse:
    """Hands on a mouse: they press, type, choose and tick what a locator finds."""

    def __init__(self) -> None:
        self.work = Work()

    async def press(self, target: Locator) -> None:
        """Press a button, or open or close what can be opened."""
        await self._point(await seen(target))
        await target.click()

    async def type(self, target: Locator, text: str) -> None:
        """Put a text into a field, in place of what stands there."""
        field = await seen(target)
        tabs: int = await field.evaluate(script("tabsOn"))
        if tabs > MOST_TABS_ON:
            await self._point(field)
        else:
            self.work.keys += tabs  # whoever types goes on to a field near by with Tab
        self.work.letters += len(text)
        await target.fill(text)

    async def choose(self, target: Locator, option: str) -> None:
        """Choose among a few, by the words that are read: one press opens them, one more chooses."""
        await self._point(await seen(target))
        self.work.presses += 1
        await target.select_option(label=option)

    async def tick(self, target: Locator) -> None:
        """Tick a box, if it is not ticked."""
        box = await seen(target)
        if not await box.is_checked():
            await self._point(box)
        await target.check()

    async def untick(self, target: Locator) -> None:
        """Take the tick out of a box."""
        box = await seen(target)
        if await box.is_checked():
            await self._point(box)
            await target.uncheck()

    async def open_menu(self, menu: Locator, item: str, thing: str | None) -> bool:
        """Open the menu in which an item of a thing stands. Return whether that has pressed the item already."""
        await self.press(menu)
        return False

    async def _point(self, element: ElementHandle) -> None:
        self.work.presses += 1
        if not await element.evaluate(script("isInSight")):
            self.work.scrolls += 1


async def seen(target: Locator) -> ElementHandle:
    """Return what a locator finds once it can be seen: to look it up again for each question takes most of the time."""
    await target.wait_for()
    return await target.element_handle()


class Keyboard(Mouse):
    """Hands on a keyboard: they press what takes the fewest keys, a shortcut, or Tab and Shift+Tab to get somewhere."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._keyboard = page.keyboard

    async def press(self, target: Locator) -> None:
        element = await self._seen(target)
        ways: dict[str, Any] = await element.evaluate(script("ways"))
        if ways.get("sends"):
            await self._key(ways["sends"])
        elif not ways["keys"] or len(ways["keys"]) + ways["only"] + ways["typing"] > await self._distance(element) + 1:
            await self.reach(target, element)
            await self._key("Enter")
        else:
            await self._shortcut(target, **ways)

    async def open_menu(self, menu: Locator, item: str, thing: str | None) -> bool:
        """Press an item by its own letters, which need no menu; without letters open the menu."""
        await self._keyboard.press("Control+k")  # read, as by somebody who knows the letters: no work
        await self._page.locator("[data-palette=whole]").wait_for()
        more = self._page.locator(".palette .more")
        if await more.count():
            await more.click()
        keys: str = await self._page.evaluate(script("shortcut"), [item, thing])
        await self._keyboard.press("Escape")
        await expect(self._page.get_by_role("dialog")).to_have_count(0)
        if not keys:
            return await super().open_menu(menu, item, thing)
        if await self._page.evaluate(_IS_TYPING):
            await self._key("Escape")
        for key in keys:
            await self._key(key)
        return keys[0] not in _FINAL

    async def _seen(self, target: Locator) -> ElementHandle:
        """Wait for an element, and for the focus, which the page may move in the frame after it drew the element."""
        element = await seen(target)
        await self._page.evaluate(script("nextPicture"))
        return element

    async def _distance(self, element: ElementHandle) -> int:
        way: dict[str, int] = await element.evaluate(script("waiting"))
        return min(way["tabs"], way["cost"])

    async def _shortcut(self, target: Locator, *, keys: str, only: bool, typing: bool) -> None:
        if typing:
            await self._key("Escape")
        for key in keys:
            await self._key(key)
        if only:
            await expect(target).to_be_focused()
            await self._key("Enter")

    async def type(self, target: Locator, text: str) -> None:
        field = await self._seen(target)
        moved = await self.reach(target, field)
        if not moved and await field.input_value() and not await field.evaluate(_IS_MARKED):
            await self._key("ControlOrMeta+A")
        self.work.letters += len(text)
        await self._keyboard.type(text[:1])
        await self._keyboard.insert_text(text[1:])  # at once: a field treats the rest like its first letter

    async def choose(self, target: Locator, option: str) -> None:
        select = await self._seen(target)
        await self.reach(target, select)
        options: list[str] = await select.evaluate(_OPTIONS)
        steps = options.index(option) - await select.evaluate("(select) => select.selectedIndex")
        for _ in range(abs(steps)):
            await self._key("ArrowDown" if steps > 0 else "ArrowUp")
        assert await select.evaluate("(select) => select.selectedOptions[0].label") == option

    async def tick(self, target: Locator) -> None:
        if not await (await seen(target)).is_checked():
            await self._toggle(target)

    async def untick(self, target: Locator) -> None:
        if await (await seen(target)).is_checked():
            await self._toggle(target)

    async def _toggle(self, target: Locator) -> None:
        await self.reach(target)
        await self._key("Space")

    async def reach(self, target: Locator, element: ElementHandle | None = None) -> bool:
        """Move the focus to an element, and tell whether it moved. Raises AssertionError if it cannot."""
        element = element or await self._seen(target)
        if not await self._go_to_waiting(element) and not await element.evaluate(script("isNear"), NEAR):
            await self._go_to_thing(element)
        back = await element.evaluate(script("comesBefore"))
        for tabs in range(MOST_TABS):
            focus = await element.evaluate(script("focus"))
            if focus == "gone":  # it was drawn anew
                element = await seen(target)
                focus = await element.evaluate(script("focus"))
            if focus == "here":
                return tabs > 0
            onward = "Shift+Tab" if back else "Tab"
            await self._key("ArrowDown" if focus == "group" else onward)
        raise AssertionError(f"the keyboard does not lead to {target}")

    async def _go_to_waiting(self, element: ElementHandle) -> bool:
        """Go to what waits, if that leads nearer to an element than Tab alone. Return whether it did."""
        way: dict[str, Any] = await element.evaluate(script("waiting"))
        if way["cost"] >= way["tabs"]:
            return False
        if way["typing"]:
            await self._key("Escape")
        for _ in range(way["presses"]):
            await self._go_on()
        return True

    async def _go_on(self) -> None:
        """Go to the next of what waits."""
        before = await self._page.evaluate(script("whichWaiting"))

        async def moved() -> bool:
            return bool(await self._page.evaluate(script("whichWaiting")) != before)

        await self._key(".")
        await until(moved)

    async def _go_to_thing(self, element: ElementHandle) -> None:
        """Go to the thing that an element is about, by as much of its name as tells it apart in the palette."""
        thing: list[str] = await element.evaluate(script("thingAround"))
        if not thing:
            return
        name, heading = thing
        await self._key("Escape")
        await self._key("/")
        await expect(self._page.locator("[data-palette=whole]")).to_be_visible()
        for letter in heading:
            await self._key(letter)
            if await self._page.locator("[data-palette] li").first.get_attribute("data-deed") == name:
                break
        await self._key("Enter")
        await expect(self._page.locator(f'[data-thing="{name}"]')).to_be_focused()

    async def _key(self, key: str) -> None:
        self.work.keys += 1
        await self._keyboard.press(key)
