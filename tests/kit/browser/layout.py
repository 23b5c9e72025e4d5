"""Whether a page fits its window."""

from playwright.async_api import Locator, Page

WIDTHS = (360, 768, 1920)
HEIGHT = 900

# The page itself and whatever sticks out of the window to a side; what scrolls within itself may.
_TOO_WIDE = """
() => {
  const root = document.documentElement;
  const clips = (each) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(each).overflowX);
  const isClipped = (each) =>
    !!each && each !== document.body && each !== root && (clips(each) || isClipped(each.parentElement));
  const isOut = (each) => each.getBoundingClientRect().right > root.clientWidth + 1 && !isClipped(each.parentElement);
  const wide = [...document.querySelectorAll("body *")].filter(isOut).slice(0, 8);
  const widths = [root, document.body].map((each) => each.scrollWidth).filter((width) => width > root.clientWidth);
  return [...widths.map((width) => `scrolls to ${width} px`), ...wide.map((each) => each.outerHTML.slice(0, 160))];
}
"""

# Choices whose words have less room than they take; the arrow beside them stands in the padding.
_CUT_OFF = """
(panel) => {
  const pen = document.createElement("canvas").getContext("2d");
  const isCut = (select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    pen.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return Math.max(...[...select.options].map(({ text }) => pen.measureText(text.trim()).width)) > room + 1;
  };
  return [...panel.querySelectorAll("select")].filter(isCut).map(({ name }) => name);
}
"""

# Fields of which an edge is under something else as soon as they have the focus.
_COVERED = """
(panel) => [...panel.querySelectorAll("input:not([type=radio], [type=checkbox]), select, textarea")]
  .filter((each) => each.checkVisibility())
  .filter((each) => {
    each.focus();
    const { left, width, top, bottom } = each.getBoundingClientRect();
    return [top + 3, bottom - 3].some((y) => document.elementFromPoint(left + width / 4, y) !== each);
  })
  .map(({ name }) => name);
"""

# Where everything stands that can be pressed or filled in.
_PLACES = """
(panel) => [...panel.querySelectorAll("button, input, select, textarea, summary")]
  .map((each) => each.getBoundingClientRect())
  .map(({ left, top }) => [Math.round(left), Math.round(top)]);
"""

# Opens what is folded away, but of many things of one kind each form once, and none above another.
_UNFOLD_EACH_KIND = """
() => {
  const thingOf = (each) => each.parentElement.closest("[data-thing]")?.dataset.thing.split(":")[0];
  const kindOf = (each) => `${thingOf(each)} ${each.querySelector("summary").textContent.trim()}`;
  const all = [...document.querySelectorAll("main details")];
  const seen = new Set(all.filter((each) => each.open).map(kindOf));
  const closed = all.filter((each) => !each.open && !seen.has(kindOf(each)) && seen.add(kindOf(each)));
  for (const each of closed) each.open = true;
  for (const each of document.querySelectorAll("[popover]")) each.removeAttribute("popover");
  return closed.length;
}
"""
_NEXT_PICTURE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def sticks_out(page: Page, width: int) -> list[str]:
    """Give the window a width, and return what makes the page scroll sideways in it; empty if it fits."""
    await page.set_viewport_size({"width": width, "height": HEIGHT})
    found: list[str] = await page.evaluate(_TOO_WIDE)
    return found


async def cut_off(place: Locator) -> list[str]:
    """Return the names of choices whose words do not fit."""
    found: list[str] = await place.evaluate(_CUT_OFF)
    return found


async def covered(place: Locator) -> list[str]:
    """Go to each field, and return the names of those that are covered then."""
    found: list[str] = await place.evaluate(_COVERED)
    return found


async def places_in(place: Locator) -> list[list[int]]:
    """Return where everything stands that can be pressed or filled in."""
    found: list[list[int]] = await place.evaluate(_PLACES)
    return found


async def unfold_each_kind(page: Page) -> None:
    """Open every kind of form, and all else that is folded away."""
    while await page.evaluate(_UNFOLD_EACH_KIND):
        await page.evaluate(_NEXT_PICTURE)
