"""The recap: opened from the table, kept as a file, shared by a link, and read by who has no seat."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, expect

from dreadclock.export import read_export
from dreadclock_server.evening.recap.page import page as recap
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company
from kit.browser.complaints import Asked, Complaints
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.evenings.played import export_of, played, renamed
from kit.rooms import Table

TOLD_WITHIN_MS = 240_000  # beside busy processes; the one that tells has the lowest priority
NAMES = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "ساعة الرعب تدق", "W" * 64, r"$\frac{1}{0}$")
EVENING: tuple[dict[str, object], ...] = (
    {"type": "open_scene", "id": "vault", "name": NAMES[1], "clock": 6},
    {"type": "start_countdown", "id": "air", "name": "Air", "pool": 30, "owner": "player-1"},
    {"type": "start_countdown", "id": "gm-worm", "name": "Mole in the wall", "pool": 4, "visibility": "gm"},
    {"type": "roll_countdown", "countdown_id": "air"},
    {"type": "start_clock", "id": "flood", "name": "The flood", "size": 2, "direction": "up"},
    {"type": "tick_clock", "clock_id": "flood", "by": 2},
    {"type": "start_clock", "id": "slip", "name": "A slip", "size": 4, "direction": "up"},
    {"type": "narrate", "text": "The evening is over."},
)


async def read_file(browser: Browser, file: Path) -> None:
    """Read a recap from its file, which obeys its own policy and asks nobody for anything."""
    page = await browser.new_page()
    complaints, asked = Complaints(page), Asked(page)
    await page.goto(file.as_uri())
    assert complaints.take() == []
    assert asked.urls == [file.as_uri()]
    await page.close()


@pytest.mark.layout
async def test_it_is_readable_asks_nobody_for_anything_and_obeys_its_policy(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "evening.html"
    file.write_text(recap(read_export(export_of(renamed(played(90), *NAMES))), "en"), encoding="utf-8")
    await read_file(browser, file)
    context = await browser.new_context(
        bypass_csp=True, viewport={"width": 360, "height": 900}, color_scheme="light"
    )  # axe is a script
    page = await context.new_page()
    await page.goto(file.as_uri())
    assert await violations(page) == []
    await page.emulate_media(color_scheme="dark")
    assert await violations(page, ("color-contrast",)) == []
    assert await violations_enlarged(page) == []
    await context.close()


async def opened_from(seat: Seat, key: str) -> Page:
    """Press what opens the recap, and return its page once the evening is told."""
    async with seat.context.expect_page() as opening:
        await seat.page.locator(f'[data-key="{key}"]').click()
    page = await opening.value
    await told(page)
    assert urlsplit(page.url).fragment == ""
    return page


async def told(page: Page) -> None:
    """Wait until the evening is told, by a process that gives way to all others."""
    await expect(page.locator("#story")).to_be_visible(timeout=TOLD_WITHIN_MS)


async def test_a_recap_is_kept_shared_and_withdrawn(
    company: Company, browser: Browser, table: Table, tmp_path: Path
) -> None:
    async with table.http("gm") as http:
        for command in EVENING:
            answer = await http.post(table.path("/commands"), json=command)
            assert answer.status_code == 200
            if command.get("id") == "slip":
                slip = {"type": "void_command", "seq": answer.json()["positions"]["public"], "reason": "slip"}
                assert (await http.post(table.path("/commands"), json=slip)).status_code == 200
    gm, ann = (await company.sit(table, "gm", "ann")).values()

    of_ann = await opened_from(ann, "evening:recap")
    await expect(of_ann.locator("main")).to_contain_text("Air")
    await expect(of_ann.locator("body")).not_to_contain_text("Mole")
    await expect(of_ann.locator("main section").first).to_contain_text("“The flood” is full")
    await expect(of_ann.locator("main")).not_to_contain_text("A slip")
    assert await of_ann.locator('[data-key="recap:share"]').count() == 0
    async with of_ann.expect_download() as keeping:
        await of_ann.locator('[data-key="recap:keep"]').click()
    kept = tmp_path / (await keeping.value).suggested_filename
    await (await keeping.value).save_as(kept)
    assert kept.suffix == ".html"
    await read_file(browser, kept)
    await of_ann.get_by_role("link", name=label("recap.back")).click()
    await of_ann.locator("main[data-role=player]").wait_for(state="attached")

    await gm.unfold("gm.evening.end", gm.page.locator('[data-place="closing"]'))
    of_gm = await opened_from(gm, "closing:recap")
    await expect(of_gm.locator("main")).to_contain_text("Mole in the wall")
    await of_gm.locator('[data-key="recap:share"]').click()
    await of_gm.locator('[data-key="recap:make"]').click()
    link = await of_gm.locator('input[name="link"]').input_value()
    await expect(of_gm.locator(".shared li")).to_have_count(1)
    assert await violations(of_gm) == []

    reader = await company.come("reader", viewport={"width": 390, "height": 844}, color_scheme="light")
    await reader.page.goto(f"{table.server.url}{urlsplit(link).path}#{urlsplit(link).fragment}")
    await told(reader.page)
    assert await violations(reader.page) == []
    await reader.page.emulate_media(color_scheme="dark")
    assert await violations(reader.page, ("color-contrast",)) == []
    assert reader.page.url == f"{table.server.url}/recap/{table.id}"
    await expect(reader.page.locator("#evening")).to_contain_text(f"Scene: {NAMES[1]}")
    assert "Mole" not in await reader.page.content()
    assert await reader.page.locator("#evening img, #evening script, .recap-bar a").count() == 0

    await of_gm.locator(".shared .button", has_text=label("recap.withdraw")).click()
    await of_gm.locator(".shared .button.risk").click()
    await expect(of_gm.locator(".shared li")).to_have_count(0)
    reader.complaints.forgive("401")
    await reader.page.reload()
    await expect(reader.page.get_by_role("status")).to_have_text(label("recap.unauthorised"))  # who keeps its secret
    assert reader.complaints.take() == []
