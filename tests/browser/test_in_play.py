"""A table in play: from the first page to three seats that see it move, a pause, and a room of one's own."""

import time
from functools import partial

from playwright.async_api import FrameLocator, Page, expect

from dreadclock_server.demo.lighthouse import words
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company
from kit.browser.labels import label
from kit.waiting import until

ROLES = ("gm", "player", "spectator")

# From now on, note which captions came while dice were in the air at a seat.
_NOTE_HASTY = """
() => {
  window.hasty = [];
  const caption = document.querySelector(".caption");
  const air = (each) => each.contentDocument.querySelector(".moment:not(.landed)");
  new MutationObserver(() => {
    if ([...document.querySelectorAll("iframe")].some(air)) window.hasty.push(caption.textContent);
  }).observe(caption, { childList: true, characterData: true, subtree: true });
}
"""


def seat(page: Page, role: str) -> FrameLocator:
    return page.frame_locator(f"iframe[name=in-play-{role}]")


async def press(page: Page, act: str) -> None:
    await page.get_by_role("button", name=label(f"in_play.act.{act}"), exact=True).click()


async def stepped(page: Page, before: str, asked: list[float]) -> bool:
    """Press for the next step until that is asked for: a second press right after the first one counts as the same.

    Press again after 5 s: a late request of the step before may have been taken for this one's. `asked`: when, in s.
    """
    if time.monotonic() - asked[-1] > 5:
        await press(page, "next")
    return await page.locator(".caption").inner_text() != before


async def told_until(page: Page, text: str) -> None:
    asked = [0.0]
    page.on("request", lambda sent: asked.append(time.monotonic()) if '"next"' in (sent.post_data or "") else None)
    while text != (before := await page.locator(".caption").inner_text()):
        asked[:] = [0.0]
        await until(partial(stepped, page, before, asked))


async def test_a_story_is_watched_from_three_seats_paused_and_taken_over(company: Company):
    visitor = await company.come("visitor", viewport={"width": 1440, "height": 900}, reduced_motion="no-preference")
    page, texts = visitor.page, words("en")
    await page.route("**/r/*", lambda route: route.fulfill(body=""))  # the seats are looked at once loaded anew
    await page.goto("/")
    await page.evaluate("sessionStorage.setItem('dreadclock:in-play', 'a room whose tokens are not here')")
    watch = page.get_by_role("button", name=label("home.in_play"), exact=True)
    await watch.click()
    await expect(page.locator("iframe")).to_have_count(3)
    assert "#" not in page.url
    table = page.url
    await page.wait_for_function("sessionStorage.getItem('dreadclock:in-play')")
    await page.unroute_all(behavior="wait")
    await page.goto("/")
    await watch.click()
    await page.wait_for_url(table)  # not another story

    for role in ROLES:
        await seat(page, role).locator(f"main[data-role={role}]").wait_for()
    await press(page, "pause")
    await page.get_by_role("button", name=label("in_play.act.go_on")).wait_for()
    caption = page.locator(".caption")
    await told_until(page, texts["scene"])
    for role in ROLES:  # where the player has it folded away: a third of the window is as wide as a phone
        await expect(seat(page, role).locator("main").get_by_text(texts["tide_name"]).first).to_be_attached()
    await expect(seat(page, "gm").get_by_text(texts["keeper_ending"]).first).to_be_attached()
    for role in ("player", "spectator"):
        assert texts["keeper_ending"] not in await seat(page, role).locator("body").inner_html()

    await page.evaluate(_NOTE_HASTY)
    for key, thing in (("gears", "challenge:gears"), ("roll", "check:leap-1")):
        await told_until(page, texts[key])
        for role in ROLES:  # what the caption is about is marked, and in sight
            told = seat(page, role).locator("[data-told]")
            await expect(told).to_have_attribute("data-thing", thing)
            await expect(told).to_be_in_viewport(ratio=0.5)
    assert await page.evaluate("() => window.hasty") == []
    for role in ROLES:
        await expect(seat(page, role).locator(".alarm")).to_have_count(0)
    await press(page, "take_over")
    await expect(caption).to_have_text(label("in_play.taken"))
    assert await page.get_by_role("link", name=label("in_play.home")).get_attribute("href") == f"{company.server.url}/"
    boat = seat(page, "spectator").locator("[data-thing='clock:boat']")
    before = await boat.inner_text()
    tick = f"{label('gm.tick')}: {texts['boat_name']}"
    await seat(page, "gm").get_by_role("button", name=tick).first.click()
    await expect(boat).not_to_have_text(before, use_inner_text=True)

    assert await violations(page) == []
    assert await violations_enlarged(page) == []
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.get_by_role("button", name=label("in_play.seat.spectator")).click()
    await expect(page.locator("iframe:visible")).to_have_count(1)
