"""The page of an evening, as a browser shows it: by day and by night, on a phone, and with names that are markup."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from dreadclock.evening.export import read_export
from dreadclock.evening.recap.page import page as recap
from kit.browser.axe import violations
from kit.browser.complaints import Complaints
from kit.evenings.played import export_of, played, renamed

NAMES = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "ساعة الرعب تدق", "W" * 64, r"$\frac{1}{0}$")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("recap") / "evening.html"
    file.write_text(recap(read_export(export_of(renamed(played(90), *NAMES))), "en"), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
async def test_it_is_readable_asks_nobody_for_anything_and_obeys_its_own_policy(
    browser: Browser, evening: Path, width: int, scheme: str
) -> None:
    context = await browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = await context.new_page()
    complaints = Complaints(page, "")

    await page.goto(evening.as_uri())

    assert complaints.take() == []
    assert complaints.requested == [evening.as_uri()]
    assert await page.evaluate("document.documentElement.scrollWidth") == width
    ground = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == ("rgb(22, 18, 26)" if scheme == "dark" else "rgb(246, 241, 234)")
    drawn = await page.evaluate("getComputedStyle(document.querySelector('.drawing path[class]')).stroke")
    assert drawn.startswith("rgb(")
    await context.close()


async def test_axe_finds_nothing_wrong_with_it(browser: Browser, evening: Path) -> None:
    context = await browser.new_context(bypass_csp=True, viewport={"width": 360, "height": 900})  # axe is a script
    page = await context.new_page()
    await page.goto(evening.as_uri())

    assert await violations(page) == []
    await context.close()
