"""How somebody uses a page, with a mouse or with the keyboard alone, and what work that is."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect

from kit.waiting import until

MOST_TABS = 400
MOST_TABS_ON = 4
NEAR = 10

# Whether an element has the focus, or another one of its radio buttons has, which arrow keys lead from.
_FOCUS = """
(element) => {
  const focused = document.activeElement;
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
  const deeds = isShown ? await import("/assets/js/palette/deeds.js") : null;
  const focused = document.activeElement;
  const typing = focused.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  const own = element.ariaKeyShortcuts ?? element.getAttribute("aria-keyshortcuts");
  if (element.form && element.form === focused.form && element.matches(":not([type=button])")) {
    if (focused.matches("input")) return { sends: "Enter" };
    if (own) return { sends: own };
  }
  if (own && !element.form && element.parentElement.closest("[role=group]")?.contains(focused)) return { sends: own };
  const found = deeds?.deedsInSight(document.getElementById("root")) ?? [];
  const meant = found.find(({ id }) => deeds.controlOf(document, id) === element);
  return { keys: meant?.keys ?? "", only: !!meant && deeds.isFinal(meant), typing };
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
  const { waysToWaiting } = isShown ? await import("/assets/js/palette/deeds.js") : {};
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
async () => (await import("/assets/js/palette/deeds.js")).waysToWaiting(document).indexOf(document.activeElement)
"""
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
        await self._point(target)
        await target.click()

    async def type(self, target: Locator, text: str) -> None:
        """Put a text into a field, in place of what stands there."""
        await target.wait_for()
        tabs: int = await target.evaluate(_TABS_ON)
        if tabs > MOST_TABS_ON:
            await self._point(target)
        else:
            self.work.keys += tabs  # whoever types goes on to a field near by with Tab
        self.work.letters += len(text)
        await target.fill(text)

    async def choose(self, target: Locator, option: str) -> None:
        """Choose among a few, by the words that are read: one press opens them, one more chooses."""
        await self._point(target)
        self.work.presses += 1
        await target.select_option(label=option)

    async def tick(self, target: Locator) -> None:
        """Tick a box, if it is not ticked."""
        if not await target.is_checked():
            await self._point(target)
        await target.check()

    async def untick(self, target: Locator) -> None:
        """Take the tick out of a box."""
        if await target.is_checked():
            await self._point(target)
        await target.uncheck()

    async def _point(self, target: Locator) -> None:
        await target.wait_for()
        self.work.presses += 1
        if not await target.evaluate(_IN_SIGHT):
            self.work.scrolls += 1


class Keyboard(Mouse):
    """Hands on a keyboard: they press what takes the fewest keys, a shortcut, or Tab and Shift+Tab to get somewhere."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._keyboard = page.keyboard

    async def press(self, target: Locator) -> None:
        await target.wait_for()
        ways: dict[str, Any] = await target.evaluate(_WAYS)
        if ways.get("sends"):
            await self._key(ways["sends"])
        elif not ways["keys"] or len(ways["keys"]) + ways["only"] + ways["typing"] > await self._distance(target) + 1:
            await self.reach(target)
            await self._key("Enter")
        else:
            await self._shortcut(target, **ways)

    async def _distance(self, target: Locator) -> int:
        way: dict[str, int] = await target.evaluate(_WAITING)
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
        moved = await self.reach(target)
        if not moved and await target.input_value() and not await target.evaluate(_IS_MARKED):
            await self._key("ControlOrMeta+A")
        self.work.letters += len(text)
        await self._keyboard.type(text)

    async def choose(self, target: Locator, option: str) -> None:
        await self.reach(target)
        options: list[str] = await target.evaluate(_OPTIONS)
        steps = options.index(option) - await target.evaluate("(select) => select.selectedIndex")
        for _ in range(abs(steps)):
            await self._key("ArrowDown" if steps > 0 else "ArrowUp")
        assert await target.evaluate("(select) => select.selectedOptions[0].label") == option

    async def tick(self, target: Locator) -> None:
        if not await target.is_checked():
            await self._toggle(target)

    async def untick(self, target: Locator) -> None:
        if await target.is_checked():
            await self._toggle(target)

    async def _toggle(self, target: Locator) -> None:
        await self.reach(target)
        await self._key("Space")

    async def reach(self, target: Locator) -> bool:
        """Move the focus to an element, and tell whether it moved. Raises AssertionError if it cannot."""
        await target.wait_for()
        if not await self._go_to_waiting(target) and not await target.evaluate(_NEAR, NEAR):
            await self._go_to_thing(target)
        back = await target.evaluate(_COMES_BEFORE)
        for tabs in range(MOST_TABS):
            focus = await target.evaluate(_FOCUS)
            if focus == "here":
                return tabs > 0
            onward = "Shift+Tab" if back else "Tab"
            await self._key("ArrowDown" if focus == "group" else onward)
        raise AssertionError(f"the keyboard does not lead to {target}")

    async def _go_to_waiting(self, target: Locator) -> bool:
        """Go to what waits, if that leads nearer to an element than Tab alone. Return whether it did."""
        way: dict[str, Any] = await target.evaluate(_WAITING)
        if way["cost"] >= way["tabs"]:
            return False
        if way["typing"]:
            await self._key("Escape")
        for _ in range(way["presses"]):
            await self._go_on(target.page)
        return True

    async def _go_on(self, page: Page) -> None:
        """Go to the next of what waits."""
        before = await page.evaluate(_WHICH_WAITING)

        async def moved() -> bool:
            return bool(await page.evaluate(_WHICH_WAITING) != before)

        await self._key(".")
        await until(moved)

    async def _go_to_thing(self, target: Locator) -> None:
        """Go to the thing that an element is about, by as much of its name as tells it apart in the palette."""
        thing: list[str] = await target.evaluate(_THING_AROUND)
        if not thing:
            return
        name, heading = thing
        page = target.page
        await self._key("Escape")
        await self._key("/")
        await expect(page.locator("[data-palette=whole]")).to_be_visible()
        for letter in heading:
            await self._key(letter)
            if await page.locator("[data-palette] li").first.get_attribute("data-deed") == name:
                break
        await self._key("Enter")
        await expect(page.locator(f'[data-thing="{name}"]')).to_be_focused()

    async def _key(self, key: str) -> None:
        self.work.keys += 1
        await self._keyboard.press(key)
