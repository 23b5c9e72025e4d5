"""Whether a page fits its window."""

from playwright.async_api import Page

HEIGHT = 900

# The page itself and whatever sticks out of the window to a side; what scrolls within itself may.
_TOO_WIDE = """
() => {
  const root = document.documentElement;
  const clips = (each) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(each).overflowX);
  const isClipped = (each) =>
    !!each && each !== document.body && each !== root && (clips(each) || isClipped(each.parentElement));
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true });
  const isOut = (each) =>
    isShown(each) && each.getBoundingClientRect().right > root.clientWidth + 1 && !isClipped(each.parentElement);
  const wide = [...document.querySelectorAll("body *")].filter(isOut).slice(0, 8);
  const widths = [root, document.body].map((each) => each.scrollWidth).filter((width) => width > root.clientWidth);
  return [...widths.map((width) => `scrolls to ${width} px`), ...wide.map((each) => each.outerHTML.slice(0, 160))];
}
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


async def resize(page: Page, width: int, height: int) -> None:
    """Give the window a size, and return once the page is drawn in it."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate(_NEXT_PICTURE)


async def unfold_each_kind(page: Page) -> None:
    """Open every kind of form, and all else that is folded away."""
    while await page.evaluate(_UNFOLD_EACH_KIND):
        await page.evaluate(_NEXT_PICTURE)
