"""The gm's page at rest: how many controls it shows, and what is behind the log, the drawer, the dial and the dice."""

import re
from collections import Counter

from playwright.async_api import Locator, expect

import dreadclock
from dreadclock.client.room import Room
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import box_of
from kit.browser.scene import drowned_bell
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until, until_equal

DESK = {"viewport": {"width": 1440, "height": 900}}
# The controls in sight: what can be pressed or typed into, each member of a group; no skip link, no scroll regions.
AT_REST = """
() => {
  const controls = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider]";
  const scrolls = (each) => {
    const { overflowX, overflowY } = getComputedStyle(each);
    return !each.matches(controls) && /(auto|scroll)/.test(overflowX + overflowY);
  };
  const seen = [...document.querySelectorAll(`${controls}, [tabindex="0"]`)].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const shown = each.checkVisibility({ checkOpacity: !each.matches("input"), checkVisibilityCSS: true });
    return shown && width >= 2 && height >= 2 && !each.matches(".skip") && !scrolls(each);
  });
  return seen.map((each) => (each.getAttribute("aria-label") ?? each.textContent).trim().replace(/\\s+/g, " "));
}
"""
HEIGHT = "document.documentElement.scrollHeight / innerHeight"


async def at_rest(gm: Seat) -> list[str]:
    """Return the names of all controls in sight while nothing is open, hovered or focused."""
    await gm.page.mouse.move(2, 2)
    await gm.page.evaluate("() => document.activeElement?.blur()")
    await gm.page.wait_for_load_state("networkidle")
    names: list[str] = await gm.page.evaluate(AT_REST)
    return names


async def test_the_gms_page_at_rest_shows_few_controls(company: Company, server: Server, figures: list[str]):
    gm = await company.come("gm", **DESK)
    two, full = await open_table(server), await drowned_bell(server)
    async with dreadclock.connect(link(two, "gm")) as room:
        for name in ("ann", "ben"):
            await room.add_character(name.title(), id=name, owner=two.seat(name), attributes={"Wits": 3})
    await gm.page.goto("/")
    await gm.press("home.open")
    await gm.fill(gm.page.locator("main"), {"home.title": "The drowned bell"})
    await gm.press("home.open_send")
    counts, names = list[int](), list[str]()
    for table, most in ((None, 12), (two, 18), (full, 24)):
        if table:
            await gm.open(link(table, "gm"))
        await gm.page.locator("[data-place=beginning], [data-key=undo]").first.wait_for()
        names = await at_rest(gm)
        counts.append(len(names))
        assert len(names) <= most, names
    figures.append(f"{counts} controls at rest on the gm's page of an empty table, of two players, and of a full table")
    assert await gm.page.evaluate(HEIGHT) <= 1.5
    kinds = Counter(re.split(r"[:·]", name)[0].strip() for name in names)
    assert kinds["All actions"] == 9, names  # three that wait, two challenges, the dial, three characters
    once = ("Approve", "Offer a push", "Let in as a player", "Roll", "End round", "End turn", "Add", "Undo", "Story")
    assert {kinds[name] for name in (*once, label("gm.drawer"))} == {1}, names
    assert kinds["Move by 1"] == 2, names

    async with dreadclock.connect(link(full, "gm")) as room, dreadclock.connect(link(full, "tom")) as tom:
        await each_thing_adds_what_it_may(gm, room, tom)


async def becomes(gm: Seat, number: int) -> None:
    """Wait until so many controls are in sight: the server is asked a little later what can be undone."""

    async def number_at_rest() -> int:
        return len(await at_rest(gm))

    await until_equal(number_at_rest, number)


async def each_thing_adds_what_it_may(gm: Seat, room: Room, tom: Room) -> None:
    """See by how much the number grows: by two for what waits, by one for all else."""
    before = len(await at_rest(gm))
    await room.start_clock("The lamp", 4, id="lamp")
    await gm.page.locator("[data-key='clock:lamp:tick']").wait_for()
    await room.start_countdown("The rope", 4, id="rope")
    await gm.page.locator("[data-key='countdown:rope:roll']").wait_for()
    await becomes(gm, before + 2)
    await room.start_situation("bell", "The choir", "standard", "combat", 3, id="choir")
    await gm.page.locator("[data-key='situation:choir:round']").wait_for()
    await becomes(gm, before + 3)
    await tom.propose_check("rook", attribute="Might", purpose="hold the door", id="hold")
    await gm.button(label("gm.approve"), gm.thing("check:hold")).wait_for()
    await becomes(gm, before + 5)


async def test_the_log_opens_at_the_side_and_stays_open_where_there_is_room(company: Company, table: Table, room: Room):
    gm = await company.seat(table, "gm", **DESK)
    log, story = gm.page.get_by_role("log"), gm.page.locator("[data-place=story] > summary")
    await expect(log).to_have_count(0)

    await story.click()
    await expect(log).to_be_visible()
    await expect(gm.page.locator("[data-place='menu:drawer'] > summary")).to_be_in_viewport()
    left = await gm.page.locator("main").bounding_box()
    beside = await gm.page.locator(".side").bounding_box()
    assert left is not None
    assert beside is not None
    assert left["x"] + left["width"] <= beside["x"]  # beside the table, not over it
    await room.narrate("It rains.")
    await expect(log.locator("li").last).to_contain_text("It rains.")
    assert await violations(gm.page, place=".side") == []

    await gm.page.reload()
    await gm.arrived()
    await expect(log).to_be_visible()
    await gm.page.set_viewport_size({"width": 768, "height": 1024})
    await gm.page.reload()
    await gm.arrived()
    await gm.page.locator("[data-place=beginning]").wait_for()
    await expect(log).to_have_count(0)  # there is no room: it would lie over the table
    await story.click()
    await expect(log).to_be_visible()
    await gm.page.keyboard.press("Escape")
    await expect(log).to_have_count(0)
    await expect(story).to_be_focused()


async def test_the_drawer_holds_all_that_is_about_the_evening_and_this_device(company: Company, server: Server):
    table = await drowned_bell(server)
    gm = await company.seat(table, "gm", **DESK)
    await gm.page.locator("[data-place='menu:drawer'] > summary").click()

    drawer = gm.page.locator(".drawer > .items")
    for name in ("gm.invite", "gm.tokens", "gm.rules.show", "settings", "gm.evening.end", "gm.close"):
        await expect(gm.folded(label(name), drawer)).to_be_visible()
    for name in ("evening.look", "evening.verify", "evening.save", "evening.recap"):
        await expect(gm.button(label(name), drawer)).to_be_visible()
    await expect(drawer.locator(".words > summary")).to_be_visible()
    await gm.page.locator("[data-place=settings] > summary").click()
    for name in ("language", "theme", "sound"):
        await expect(gm.field(label(name), drawer)).to_be_visible()
    await expect(drawer.locator("[data-key='seat:keep']")).to_be_visible()
    assert await violations(gm.page, place=".drawer > .items") == []
    for _ in range(2):  # one seat for all screens
        await gm.press("gm.screen", drawer)
        group = drawer.get_by_role("group", name=label("gm.link.for", name=label("gm.screen")))
        await expect(group.locator("input[readonly]")).to_have_value(re.compile("/r/.*#"))
        await gm.press("gm.done", group)
        await gm.page.locator("[data-place='menu:drawer'] > summary").click()
        screens = [each.role for each in (await gm.view()).seats.values() if each.name == label("gm.screen")]
        assert screens == ["spectator"]


async def test_the_dial_has_one_menu_for_the_scene_its_threat_and_its_situations(company: Company, server: Server):
    table = await drowned_bell(server)
    gm = await company.seat(table, "gm", **DESK)
    menu = gm.page.locator("[data-place='menu:scene:bell']")
    await menu.wait_for()
    assert await gm.page.locator("[data-place^='menu:situation']").count() == 0

    hub = gm.page.locator(".rings > .hub")
    await hub.click(position={"x": 60, "y": 150})
    items = menu.locator(".items")
    for name in ("gm.travel", "gm.rest", "gm.scene.aside"):
        await expect(gm.button(label(name), items)).to_be_visible()
    for name in ("gm.situation.start", "gm.challenge.add", "gm.odds", "gm.resolve", "gm.fail", "gm.amend"):
        await expect(gm.folded(label(name), items)).to_be_visible()
    assert await violations(gm.page, place=".items:popover-open") == []
    await gm.page.keyboard.press("End")
    await expect(items.locator("[data-of='situation:race'] :focus")).to_have_count(1)
    await gm.page.keyboard.press("Escape")

    await gm.page.locator("[data-key='situation:race:round']").focus()
    await gm.page.keyboard.press("m")
    await expect(items.locator(":focus")).to_have_count(1)
    form = (await gm.unfold("gm.challenge.add", gm.thing("situation:race"))).locator("form")
    await gm.fill(form, {"form.name": "The vestry"})
    await form.locator("input").first.press("Enter")
    await gm.sees(lambda view: any(each.name == "The vestry" for each in view.challenges.values()))


async def test_a_press_on_dice_rolls_them_and_a_long_press_opens_their_menu(company: Company, server: Server):
    table = await drowned_bell(server)
    tablet = await company.seat(table, "gm", viewport={"width": 1200, "height": 800}, has_touch=True, is_mobile=True)
    dice = tablet.thing("countdown:air").locator(".dice")
    await dice.scroll_into_view_if_needed()
    names = await at_rest(tablet)
    assert len(names) <= 24, names
    await long_press(tablet, dice)
    menu = tablet.page.locator("[data-place='menu:countdown:air'] .items")
    await expect(menu.locator(":focus")).to_have_count(1)
    assert (await tablet.view()).countdowns["air"].last_faces == ()
    await tablet.page.keyboard.press("Escape")

    gm = await company.seat(table, "gm", **DESK)
    x, y = await middle(gm.thing("countdown:air").locator(".die").first)
    await gm.page.mouse.click(x, y)
    await gm.sees(lambda view: len(view.countdowns["air"].last_faces) == 6)
    await expect(gm.page.locator("[data-key='countdown:air:roll']")).to_have_count(0)  # once in a turn


async def middle(place: Locator) -> tuple[float, float]:
    """Return where the middle of something is in the window."""
    await place.scroll_into_view_if_needed()
    box = await box_of(place)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def long_press(seat: Seat, place: Locator) -> None:
    """Put a finger on something until its menu is there, and lift it."""
    x, y = await middle(place)
    touch = await seat.context.new_cdp_session(seat.page)
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    await seat.page.locator(".items:popover-open").wait_for()
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_total_that_may_be_rolled_without_a_number_offers_to_set_it(company: Company, table: Table, room: Room):
    await room.add_character("Rook", id="rook", attributes={"Wits": 3})
    await room.propose_total("rook", "Wits", id="lock")
    gm = await company.seat(table, "gm")
    card = gm.thing("total:lock")
    number = card.locator("summary", has_text=label("gm.required.name"))
    await expect(number).to_be_visible()
    await expect(card.get_by_text(label("total.once"))).to_be_visible()

    await room.set_required("lock", 12)
    await expect(number).to_have_count(0)
    await expect(card.get_by_text(label("total.required", required=12))).to_be_visible()


async def test_a_total_is_called_with_its_number_from_the_characters_menu(company: Company, table: Table, room: Room):
    await room.add_character("Rook", id="rook", attributes={"Wits": 3})
    gm = await company.seat(table, "gm")
    form = await gm.unfold("gm.total.propose", gm.thing("character:rook"))
    await expect(form.locator("[data-part=reaching]")).to_contain_text("%")
    await form.locator("[name=required]").fill("20")
    await gm.send("gm.total.set", form)

    await until(lambda: any(total.required == 20 for total in room.view.totals.values()))
