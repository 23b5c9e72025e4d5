"""Whether a page fits its window."""

from playwright.async_api import FloatRect, Locator, Page

from kit.browser.scripts import script

HEIGHT = 900


async def sticks_out(page: Page, width: int) -> list[str]:
    """Give the window a width, and return what makes the page scroll sideways in it; empty if it fits."""
    await page.set_viewport_size({"width": width, "height": HEIGHT})
    found: list[str] = await page.evaluate(script("tooWide"))
    return found


async def box_of(place: Locator) -> FloatRect:
    """Return where something is in the window."""
    box = await place.bounding_box()
    assert box is not None, f"{place} is not in sight"
    return box


async def resize(page: Page, width: int, height: int) -> None:
    """Give the window a size, and return once the page is drawn in it."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate(script("nextPicture"))


async def unfold_each_kind(page: Page) -> None:
    """Open every kind of form, and all else that is folded away."""
    while await page.evaluate(script("unfoldEachKind")):
        await page.evaluate(script("nextPicture"))
