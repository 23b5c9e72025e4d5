"""The first page, and a fresh table: three beginnings for the gm, and the question who a player is."""

from collections.abc import Mapping

import pytest
from playwright.async_api import Locator, Page, expect

from dreadclock.wire.views import View
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import box_of
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

    for wrong in ("the chapel", "javascript:alert(1)", link(table, "eve").partition("#")[0]):
        await field.fill(wrong)
        await field.press("Enter")
        await eve.page.get_by_role("alert").filter(has_text=label("home.no_link")).wait_for()
        await field.fill("")
        assert eve.page.url == f"{table.server.url}/"

    await a_link_may_be_pasted_with_what_stands_around_it(eve, field, link(table, "eve"))
    await field.fill(f"  {link(table, 'eve')} ")
    await eve.button(label("home.go_send")).click()
    await eve.page.locator("main[data-role=spectator]").wait_for()
    assert eve.page.url == f"{table.server.url}/r/{table.id}"
    await eve.page.goto(f"{link(table, 'eve')}A")  # follows the link, which is not the one that was given
    await expect(eve.page.locator("#root")).to_contain_text(label("knock.dead"))


async def a_link_may_be_pasted_with_what_stands_around_it(eve: Seat, field: Locator, whole: str) -> None:
    """See where the page would go, without going there."""
    await eve.page.evaluate(STAY)
    overlay = whole.replace("/r/", "/o/")
    for pasted in (
        f'"{whole}"', f"<{whole}>", f"({whole}).", f"Here: {whole}, see you!", whole.replace("#", "%23"),
        f"[Our table]({whole})", f"**{whole}**", f"_{whole}_", overlay.replace("#", "?show=log&a=1#"), f"{whole}A",
    ):  # fmt: skip
        await field.fill(pasted)
        await field.press("Enter")
        await until(lambda: eve.page.evaluate("!!window.__leads"))
        assert await eve.page.evaluate("window.__leads") == (pasted if pasted == f"{whole}A" else whole), pasted
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


PHONE: Mapping[str, object] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BEGINNINGS = ("out", "chase", "door")
AT_FIRST_S = 20.0


def row(gm: Seat, kind: str) -> Locator:
    """Find the line of a beginning."""
    return gm.page.locator(f"[data-beginning={kind}]")


def said(view: View) -> tuple[list[tuple[str, int, str | None]], list[str], list[tuple[str, int]], list[str]]:
    """Return what is on the table: countdowns, scenes, situations with their clocks, and challenges."""
    clocks = view.clocks
    return (
        [(each.name, each.pool, each.ending) for each in view.countdowns.values()],
        [each.name for each in view.scenes.values()],
        [(each.name, clocks[each.clock_id].value) for each in view.situations.values()],
        [each.name for each in view.challenges.values()],
    )


async def test_a_beginning_is_there_in_one_press_and_changed_in_place_even_after_a_reload(
    company: Company, table: Table
):
    gm = await company.seat(table, "gm")

    for kind in BEGINNINGS:
        await gm.press(f"gm.begin.{kind}")
        await expect(row(gm, kind).locator("input").first).to_be_focused()  # its name, to be typed over
    assert gm.hands.work.presses == len(BEGINNINGS)
    usual = {
        each: label(f"gm.begin.{each}.usual")
        for each in ("out.name", "out.more", "chase.name", "chase.more", "door.name", "door.more")
    }
    assert said(await gm.view()) == (
        [(usual["out.name"], 6, usual["out.more"])],
        [usual["chase.name"], usual["door.name"]],
        [(usual["chase.more"], 3), (usual["door.more"], 1)],
        [usual["door.more"]],
    )

    await gm.page.reload()
    await gm.arrived()
    changes: dict[str, dict[str, str | int]] = {
        "out": {"name": "The tide", "more": "It is in.", "number": 4},
        "chase": {"name": "Out", "more": "The sexton", "number": 2},
        "door": {"name": "In", "more": "The rusted lock", "number": 3},
    }
    for kind, given in changes.items():
        await gm.fill(row(gm, kind), {f"gm.begin.{kind}.{name}": value for name, value in given.items()})
        await gm.press("gm.begin.change", row(gm, kind))
    changed = (
        [("The tide", 4, "It is in.")],
        ["Out", "In"],
        [("The sexton", 2), ("The rusted lock", 1)],
        ["The rusted lock"],
    )
    await gm.sees(lambda view: said(view) == changed)
    await gm.shows_what_the_server_says()
    view = await gm.view()
    (lock,) = view.challenges.values()
    assert view.clocks[lock.clock_id or ""].value == 3

    await gm.send("gm.turn.end")
    await expect(gm.page.locator(".beginning")).to_have_count(0)


@pytest.mark.layout
async def test_a_new_player_is_somebody_within_twenty_seconds(company: Company, table: Table, figures: list[str]):
    ann = await company.seat(table, "ann", **PHONE)
    await expect(
        ann.page.get_by_role("heading", name=label("my.who", name="Ann", title=(await ann.view()).title))
    ).to_be_visible()
    form = ann.page.locator('[data-form="add:character:send"]')
    might, stealth, *_ = label("form.attributes.usual").split(", ")

    await ann.hands.type(ann.field(label("form.name"), form), "Rook")
    for name, score in ((might, 3), (stealth, 4)):
        dots = ann.field(name, form)
        await tap(dots, score)
        await expect(dots).to_have_value(str(score))
        ann.hands.work.presses += 1
    own = ann.field(label("form.attribute_number", number=1), form)
    await ann.hands.type(own, "Locks")
    await expect(ann.field(label("form.attribute_number", number=2), form)).to_be_visible()  # there may be more
    assert not (found := await violations(ann.page, place=".who")), "\n".join(found)
    await ann.press("my.add", form)

    await expect(ann.page.get_by_role("heading", name="Rook")).to_be_visible()
    (rook,) = (await ann.view()).characters.values()
    assert (rook.name, rook.attributes) == ("Rook", {might: 3, stealth: 4, "Locks": 3})
    figures.append(f"{ann.hands.work.seconds:.1f} s for a new player to be somebody")
    assert ann.hands.work.seconds <= AT_FIRST_S
    await expect(ann.page.locator(".who")).to_have_count(0)
    assert not (found := await violations_enlarged(ann.page)), "\n".join(found)


async def tap(dots: Locator, score: int) -> None:
    """Tap a dot of an attribute, in its left half: the first place has none."""
    await dots.scroll_into_view_if_needed()
    box = await box_of(dots)
    side = box["width"] / 9
    await dots.tap(position={"x": side * (score + 0.3), "y": box["height"] / 2})
