"""How somebody uses a page, with a mouse or with the keyboard alone, and what work that is."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import ElementHandle, Locator, Page, expect

from kit.server import INSTALLED
from kit.waiting import until

# For tests in which a keyboard does everything: it reads the letters in the pages' own modules.
reads_modules = pytest.mark.skipif(
    bool(INSTALLED), reason="the packages carry bundles, in which these modules are not apart"
)


MOST_TABS = 400
MOST_TABS_ON = 4
NEAR = 10

# Whether an element has the focus, or another one of its radio buttons has, which arrow keys lead from.
_FOCUS = """
(element) => {
  const focused = document.activeElement;
  if (!element.isConnected) return "gone";
  if (element === focused) return "here";
  return element.type === "radio" && focused.type === "radio" && element.name === focused.name ? "group" : "elsewhere";
}
"""
_COMES_BEFORE = """
(element) => !!(document.activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING)
"""
_IN_SIGHT = """
(element) => {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}
"""
# How many times Tab leads from what has the focus to an element; 0 if it is there.
_TABS_ON = """
(element) => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const stops = all.filter((each) => each.checkVisibility() && each.tabIndex >= 0);
  const [from, to] = [stops.indexOf(document.activeElement), stops.indexOf(element)];
  return from < 0 || to < from ? 1000 : to - from;
}
"""
# Say how to press an element with the fewest keys: the shortcut that the palette shows, and how far Tab has to go.
_WAYS = """
async (element) => {
  const isShown = !!document.querySelector(".palette-button"); // there are pages without a palette
  const here = (path) => import(new URL(path, document.scripts[0].src));
  const deeds = isShown ? await here("palette/entries.js") : null;
  const role = document.querySelector("main[data-role]")?.dataset.role;
  const actions = role === "gm" ? (await here("actions/gm.js")).GMS : (await here("actions/player.js")).PLAYERS;
  const table = { root: document.getElementById("root"), role: { actions } };
  const focused = document.activeElement;
  const typing = focused.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  const own = element.ariaKeyShortcuts ?? element.getAttribute("aria-keyshortcuts");
  if (element.form && element.form === focused.form && element.matches(":not([type=button])")) {
    if (focused.matches("input")) return { sends: "Enter" };
    if (own) return { sends: own };
  }
  if (own && !element.form && element.parentElement.closest("[role=group]")?.contains(focused)) return { sends: own };
  const thing = focused.closest("[data-thing]");
  const menu = thing && document.querySelector(`[data-place="menu:${thing.dataset.thing}"] > summary`);
  if (!typing && menu === element) return { keys: "m", only: false, typing };
  const found = deeds?.entriesInSight(table) ?? [];
  const meant = found.find(({ id }) => deeds.controlOf(document, id) === element);
  return { keys: meant?.keys ?? "", only: !!meant && deeds.isFinal(table, meant), typing };
}
"""
# Whether Tab leads to an element within so many times, or no palette leads anywhere.
_NEAR = """
(element, near) => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const stops = all.filter((each) => each.checkVisibility() && each.tabIndex >= 0);
  const [from, to] = [stops.indexOf(document.activeElement), stops.indexOf(element)];
  const isShown = !!document.querySelector(".palette-button") && !document.querySelector("dialog[open]");
  const form = element.closest("form, .panel");
  return !isShown || (form && form.contains(document.activeElement)) || (from >= 0 ? Math.abs(to - from) : to) <= near;
}
"""
# How the shortcut for what waits leads near to an element: after how many presses, and what that costs with Tab, beside
# what it costs with Tab alone.
_WAITING = """
async (element) => {
  const isShown = !!document.querySelector(".palette-button") && !document.querySelector("dialog[open]");
  const { waysToWaiting } = isShown ? await import(new URL("palette/entries.js", document.scripts[0].src)) : {};
  const ways = waysToWaiting?.(document) ?? [];
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const stops = all.filter((each) => each.checkVisibility() && each.tabIndex >= 0);
  const focused = document.activeElement;
  const typing = focused.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  const [to, now] = [stops.indexOf(element), typing ? -1 : ways.indexOf(focused)];
  const found = ways.map((way, at) => {
    const presses = ((at - now - 1 + ways.length) % ways.length) + 1;
    return { at, presses, typing, cost: typing + presses + Math.abs(to - stops.indexOf(way)) };
  });
  const best = found.sort((one, other) => one.cost - other.cost)[0];
  return { at: -1, cost: 1000, ...best, tabs: Math.abs(to - stops.indexOf(focused)) };
}
"""
_WHICH_WAITING = """
async () => {
  const { waysToWaiting } = await import(new URL("palette/entries.js", document.scripts[0].src));
  return waysToWaiting(document).indexOf(document.activeElement);
}
"""
# The letters that the palette shows for an action of a thing.
_SHORTCUT = """
([label, thing]) => {
  const isMeant = (each) => each.querySelector(".label").textContent.trim() === label
    && (!thing || each.dataset.deed.startsWith(`${thing}:`));
  const found = [...document.querySelectorAll("li[role=option]")].find(isMeant);
  return [...(found?.querySelectorAll("kbd") ?? [])].map((key) => key.textContent.toLowerCase()).join("");
}
"""
_IS_TYPING = """
() => document.activeElement.matches("input:not([type=checkbox], [type=radio]), textarea, select")
"""
_FINAL = "veu"  # what nobody can take back: its letter only leads there
_IS_MARKED = "(field) => getSelection().toString() === field.value"
_THING_AROUND = """
(element) => {
  const card = element.closest("article[data-thing]");
  return card ? [card.dataset.thing, card.querySelector("h3, h4").textContent.trim().toLowerCase()] : [];
}
"""
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
        tabs: int = await field.evaluate(_TABS_ON)
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
        if not await element.evaluate(_IN_SIGHT):
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
        element = await seen(target)
        ways: dict[str, Any] = await element.evaluate(_WAYS)
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
        keys: str = await self._page.evaluate(_SHORTCUT, [item, thing])
        await self._keyboard.press("Escape")
        await expect(self._page.get_by_role("dialog")).to_have_count(0)
        if not keys:
            return await super().open_menu(menu, item, thing)
        if await self._page.evaluate(_IS_TYPING):
            await self._key("Escape")
        for key in keys:
            await self._key(key)
        return keys[0] not in _FINAL

    async def _distance(self, element: ElementHandle) -> int:
        way: dict[str, int] = await element.evaluate(_WAITING)
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
        field = await seen(target)
        moved = await self.reach(target, field)
        if not moved and await field.input_value() and not await field.evaluate(_IS_MARKED):
            await self._key("ControlOrMeta+A")
        self.work.letters += len(text)
        await self._keyboard.type(text[:1])
        await self._keyboard.insert_text(text[1:])  # at once: a field treats the rest like its first letter

    async def choose(self, target: Locator, option: str) -> None:
        select = await seen(target)
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
        element = element or await seen(target)
        if not await self._go_to_waiting(element) and not await element.evaluate(_NEAR, NEAR):
            await self._go_to_thing(element)
        back = await element.evaluate(_COMES_BEFORE)
        for tabs in range(MOST_TABS):
            focus = await element.evaluate(_FOCUS)
            if focus == "gone":  # it was drawn anew
                element = await seen(target)
                focus = await element.evaluate(_FOCUS)
            if focus == "here":
                return tabs > 0
            onward = "Shift+Tab" if back else "Tab"
            await self._key("ArrowDown" if focus == "group" else onward)
        raise AssertionError(f"the keyboard does not lead to {target}")

    async def _go_to_waiting(self, element: ElementHandle) -> bool:
        """Go to what waits, if that leads nearer to an element than Tab alone. Return whether it did."""
        way: dict[str, Any] = await element.evaluate(_WAITING)
        if way["cost"] >= way["tabs"]:
            return False
        if way["typing"]:
            await self._key("Escape")
        for _ in range(way["presses"]):
            await self._go_on()
        return True

    async def _go_on(self) -> None:
        """Go to the next of what waits."""
        before = await self._page.evaluate(_WHICH_WAITING)

        async def moved() -> bool:
            return bool(await self._page.evaluate(_WHICH_WAITING) != before)

        await self._key(".")
        await until(moved)

    async def _go_to_thing(self, element: ElementHandle) -> None:
        """Go to the thing that an element is about, by as much of its name as tells it apart in the palette."""
        thing: list[str] = await element.evaluate(_THING_AROUND)
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
