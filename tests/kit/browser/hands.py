"""How somebody uses a page: with a mouse, or with the keyboard alone."""

from playwright.async_api import Locator, Page

MOST_TABS = 400

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
_OPTIONS = "(select) => [...select.options].map((option) => option.label)"


class Mouse:
    """Hands on a mouse: they press, type, choose and tick what a locator finds."""

    async def press(self, target: Locator) -> None:
        """Press a button, or open or close what can be opened."""
        await target.click()

    async def type(self, target: Locator, text: str) -> None:
        """Put a text into a field, in place of what stands there."""
        await target.fill(text)

    async def choose(self, target: Locator, option: str) -> None:
        """Choose among a few, by the words that are read."""
        await target.select_option(label=option)

    async def tick(self, target: Locator) -> None:
        """Tick a box, if it is not ticked."""
        await target.check()

    async def untick(self, target: Locator) -> None:
        """Take the tick out of a box."""
        await target.uncheck()


class Keyboard(Mouse):
    """Hands on a keyboard: Tab and Shift+Tab to get somewhere, and nothing else that moves the focus."""

    def __init__(self, page: Page) -> None:
        self._keys = page.keyboard

    async def press(self, target: Locator) -> None:
        await self.reach(target)
        await self._keys.press("Enter")

    async def type(self, target: Locator, text: str) -> None:
        await self.reach(target)
        await self._keys.press("ControlOrMeta+A")
        await self._keys.type(text)

    async def choose(self, target: Locator, option: str) -> None:
        await self.reach(target)
        options: list[str] = await target.evaluate(_OPTIONS)
        await self._keys.press("Home")
        for _ in range(options.index(option)):
            await self._keys.press("ArrowDown")
        assert await target.evaluate("(select) => select.selectedOptions[0].label") == option

    async def tick(self, target: Locator) -> None:
        if not await target.is_checked():
            await self._toggle(target)

    async def untick(self, target: Locator) -> None:
        if await target.is_checked():
            await self._toggle(target)

    async def _toggle(self, target: Locator) -> None:
        await self.reach(target)
        await self._keys.press("Space")

    async def reach(self, target: Locator) -> None:
        """Move the focus to an element, key by key. Raises AssertionError if the keys do not lead there."""
        await target.wait_for()
        back = await target.evaluate(_COMES_BEFORE)
        for _ in range(MOST_TABS):
            focus = await target.evaluate(_FOCUS)
            if focus == "here":
                return
            onward = "Shift+Tab" if back else "Tab"
            await self._keys.press("ArrowDown" if focus == "group" else onward)
        raise AssertionError(f"the keyboard does not lead to {target}")
