"""The first page: opening a room, following a link, and dice to try."""

from playwright.async_api import Locator, Page, expect

from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.moments import tops
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.server import Server
from kit.waiting import until

# Note where the page goes, and stay until it may go; a press right after another is a double click, so time passes.
STAY = """
() => {
  const now = performance.now.bind(performance);
  let passed = 0;
  performance.now = () => now() + passed;
  navigation.addEventListener("navigate", (event) => {
    if (window.__goes) return;
    window.__leads = event.destination.url;
    passed += 10_000;
    event.preventDefault();
  });
}
"""

# Sum the layout shifts since the page began, as Lighthouse does for a page that stays short.
SHIFTED = """
() => new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().reduce((sum, each) => sum + each.value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(done, 500, 0); // nobody is told where nothing shifts
})
"""


async def open_titled(page: Page, title: str) -> None:
    """Fill in a title and open a room; the form is open."""
    await page.get_by_role("textbox", name=label("home.title")).fill(title)
    await page.get_by_role("button", name=label("home.open_send")).click()


async def test_a_room_is_opened_with_its_house_rules_and_its_gm_sits_there(company: Company):
    gm = await company.come("gm")
    await gm.page.goto("/")
    await gm.press("home.open")
    await expect(gm.page.get_by_role("textbox", name=label("home.title"))).to_be_focused()
    await gm.unfold("home.policy")
    await gm.fill(gm.page.locator("main"), {"home.dice": "home.dice.everyone", "home.player_countdowns": False})

    await open_titled(gm.page, "The <b>Sunken</b> Chapel")

    await gm.page.locator("main[data-role=gm]").wait_for()
    assert await gm.page.title() == "The <b>Sunken</b> Chapel · Dreadclock"
    assert "#" not in gm.page.url
    first = gm.wire.received[0].replace(" ", "")
    assert '"physical_dice":"everyone"' in first
    assert '"player_countdowns":false' in first


async def test_a_server_that_wants_its_operators_key_asks_for_it(company: Company, second: Server, operator_key: str):
    gm = await company.come("gm", base_url=second.url)
    gm.complaints.forgive(
        "401", second.url.removeprefix("http:")
    )  # of which a browser complains, and that this is another server
    await gm.page.goto("/")
    await gm.press("home.open")
    key = gm.page.get_by_label(label("home.key"), exact=False)
    assert await key.count() == 0

    await open_titled(gm.page, "The Sunken Chapel")
    await gm.page.get_by_role("alert").filter(has_text=label("home.key_needed")).wait_for()
    await key.fill("a wrong one")
    await gm.page.get_by_role("button", name=label("home.open_send")).click()
    await gm.page.get_by_role("alert").filter(has_text=label("home.key_wrong")).wait_for()
    await key.fill(operator_key)
    await gm.page.get_by_role("button", name=label("home.open_send")).click()

    await gm.page.locator("main[data-role=gm]").wait_for()


async def test_a_link_that_is_pasted_leads_to_the_table_and_anything_else_nowhere(company: Company, table: Table):
    eve = await company.come("eve")
    await eve.page.goto("/")
    await eve.press("home.go")
    field = eve.page.get_by_role("textbox", name=label("home.link"))
    go = eve.page.get_by_role("button", name=label("home.go_send"))

    for wrong in ("the chapel", "javascript:alert(1)", link(table, "eve").partition("#")[0]):
        await field.fill(wrong)
        await field.press("Enter")
        await eve.page.get_by_role("alert").filter(has_text=label("home.no_link")).wait_for()
        await field.fill("")
        assert eve.page.url == f"{table.server.url}/"

    await a_link_may_be_pasted_with_what_stands_around_it(eve, field, link(table, "eve"))
    await field.fill(f"  {link(table, 'eve')} ")
    await go.click()

    await eve.page.locator("main[data-role=spectator]").wait_for()
    assert eve.page.url == f"{table.server.url}/r/{table.id}"


async def a_link_may_be_pasted_with_what_stands_around_it(eve: Seat, field: Locator, whole: str) -> None:
    """See where the page would go, without going there."""
    await eve.page.evaluate(STAY)
    overlay = whole.replace("/r/", "/o/")
    for pasted in (
        f'"{whole}"', f"<{whole}>", f"({whole}).", f"Here: {whole}, see you!", whole.replace("#", "%23"),
        f"[Our table]({whole})", f"**{whole}**", f"_{whole}_", overlay.replace("#", "?show=log&theme=dark#"),
    ):  # fmt: skip
        await field.fill(pasted)
        await field.press("Enter")
        await until(lambda: eve.page.evaluate("!!window.__leads"))
        assert await eve.page.evaluate("window.__leads") == whole, pasted
        await eve.page.evaluate("window.__leads = ''")
    await eve.page.evaluate("window.__goes = true")


async def test_space_and_a_tap_roll_practice_dice_until_none_are_left_and_then_three_new_ones(company: Company):
    visitor = await company.come("visitor")
    page = visitor.page
    await page.goto("/")
    place = page.locator("[data-place=practice]")
    said, dice = place.get_by_role("status"), place.locator(".cube")
    await expect(place).to_contain_text(label("home.practice"))
    await expect(said).to_have_text(label("home.tide", left=3))

    for faces, left in (((6, 2, 3), 2), ((1, 1), 2), ((6, 6), 0), ((4, 6, 5), 2)):
        await page.evaluate("(faces) => { Math.random = () => (faces.shift() - 0.5) / 6; }", list(faces))
        await (page.keyboard.press("Space") if left else place.get_by_role("button").click())
        gone = label("home.tide.gone", gone=faces.count(6))
        await expect(said).to_have_text(f"{gone} {label('home.tide', left=left)}")
        assert await tops(page, ".practice") == list(faces)
        await expect(place.locator(".cube.fallen")).to_have_count(faces.count(6))
        await expect(dice).to_have_count(len(faces))
    await dice_that_tumble_tell_nothing_and_land_at_once_when_pressed(page)
    assert visitor.wire.sent == [], "the server has no part in them"


async def dice_that_tumble_tell_nothing_and_land_at_once_when_pressed(page: Page) -> None:
    place = page.locator("[data-place=practice]")
    await page.emulate_media(reduced_motion="no-preference")
    await page.evaluate("() => { Math.random = () => 0.5; }")
    await place.get_by_role("button").press("Space")
    await expect(place.get_by_role("status")).to_have_text("")
    await page.evaluate("() => { for (const each of document.getAnimations()) each.pause(); }")  # time stands still
    assert await place.locator(".landed").count() == 0
    await place.get_by_role("button").press("Space")
    await expect(place.get_by_role("status")).to_have_text(
        f"{label('home.tide.gone', gone=0)} {label('home.tide', left=2)}"
    )


async def test_nothing_moves_while_the_page_comes(company: Company, table: Table):
    for width, height in ((390, 844), (1440, 900)):
        seat = await company.come_first("ann", viewport={"width": width, "height": height})
        await seat.open(link(table, "ann"))
        await seat.page.locator("[data-key='keep:yes']").click()
        await seat.page.goto("/")
        await seat.page.get_by_role("region", name=label("home.tables")).wait_for()
        await seat.page.wait_for_load_state("networkidle")

        assert await seat.page.evaluate(SHIFTED) <= 0.05
