"""The gm's page at rest: how few controls it shows, what is behind them, and what she is asked and warned of."""

import re
from collections import Counter

import pytest
from playwright.async_api import Locator, expect
from redis.asyncio import Redis

import dreadclock
from dreadclock.client.room import Room
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import META, key
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

    await gm.page.locator(".rings > .hub").click(position={"x": 60, "y": 150})
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


LINES = "[data-part=outliving] p"


async def test_a_line_offers_to_cancel_what_outlives_its_character_or_scene(company: Company, table: Table, room: Room):
    await room.add_character("Leanne", id="leanne")
    await room.open_scene("Cliff", 8, id="cliff")
    await room.start_countdown("Bleeding", 5, id="bleeding", about="leanne")
    await room.start_countdown("Poison", 5, id="poison", about="leanne")
    await room.start_countdown("Rockfall", 5, id="rockfall", bound_to="scene", bound_id="cliff")
    gm = await company.seat(table, "gm")
    lines = gm.page.locator(LINES)
    await expect(gm.thing("countdown:bleeding")).to_be_visible()
    await expect(lines).to_have_count(0)

    await room.take_out_of_play("leanne", "dies")
    await expect(lines).to_have_count(1)
    await room.end_scene("cliff")
    await expect(lines).to_have_count(2)

    of_leanne = lines.filter(has_text=label("gm.outliving.character", name="Leanne"))
    of_cliff = lines.filter(has_text=label("gm.outliving.scene", name="Cliff"))
    await expect(of_leanne).to_contain_text("Bleeding")
    await expect(of_leanne).to_contain_text("Poison")
    await of_leanne.get_by_role("button", name=label("gm.outliving.cancel")).first.click()
    await expect(of_leanne).not_to_contain_text("Bleeding")
    assert (await gm.view()).countdowns["bleeding"].status == "cancelled"
    await of_cliff.get_by_role("button", name=label("gm.outliving.keep")).click()
    await expect(lines).to_have_count(1)

    await gm.page.reload()
    await expect(lines).to_have_count(1)
    await expect(of_leanne).to_be_visible()
    assert (await gm.view()).countdowns["rockfall"].status == "running"
    await of_leanne.get_by_role("button", name=label("gm.outliving.cancel")).click()
    await expect(lines).to_have_count(0)
    await a_line_names_who_retired_and_the_situation_that_ended_and_comes_back(gm, room)


async def a_line_names_who_retired_and_the_situation_that_ended_and_comes_back(gm: Seat, room: Room) -> None:
    await room.add_character("Mo", id="mo")
    await room.add_character("Ada", id="ada")
    await room.open_scene("Cave", 8, id="cave")
    await room.start_situation("cave", "Fight", "standard", "combat", 3, id="fight")
    await room.start_countdown("Venom", 5, id="venom", about="mo", stabilizable=True)
    await room.start_countdown("Sleep", 5, id="sleep", about="mo", stabilizable=True)
    await room.start_countdown("Debt", 5, id="debt", about="ada")
    await room.start_countdown("Smoke", 5, id="smoke", bound_to="rounds", bound_id="fight")
    await room.start_countdown("Rain", 5, id="rain", bound_to="scene", bound_id="cave")
    await room.stabilize_countdown("sleep")

    await room.take_out_of_play("mo", "retires")
    await room.take_out_of_play("ada", "leaves")
    await room.resolve_situation("fight", "They run.")
    lines, of_mo = gm.page.locator(LINES), label("gm.outliving.character", name="Mo")
    await expect(lines).to_have_count(2)
    await expect(lines.filter(has_text=label("gm.outliving.situation", name="Fight"))).to_contain_text("Smoke")
    await expect(lines.filter(has_text=of_mo)).to_contain_text("Venom")
    await expect(lines.filter(has_text=of_mo)).not_to_contain_text("Sleep")

    sent = len(gm.wire.commands())
    await gm.press("gm.outliving.keep", lines.filter(has_text=of_mo))
    await expect(lines).to_have_count(1)
    assert len(gm.wire.commands()) == sent  # other devices of the gm go on asking
    await room.resume_countdown("sleep")
    await expect(lines.filter(has_text=of_mo)).to_contain_text("Sleep")


async def test_a_card_says_what_a_countdown_allows_and_the_overlay_no_more(company: Company, table: Table, room: Room):
    await room.start_countdown("Poison", 5, id="poison")
    await room.start_countdown("Fever", 5, id="fever", stabilizable=True, replenishable=True)
    ann, eve = [await company.come(name) for name in ("ann", "eve")]
    await ann.open(link(table, "ann"))
    await eve.page.goto(link(table, "eve").replace("/r/", "/o/").replace("#", "?show=countdowns#"))
    for kind in ("stabilizable", "replenishable"):
        allowed, denied = [label(f"countdown.{which}{kind}", by=label("countdown.by.gm")) for which in ("", "not_")]
        for page, said in ((ann.page, 1), (eve.page, 0)):
            poison, fever = [page.locator(f"[data-thing='countdown:{name}']") for name in ("poison", "fever")]
            await expect(fever.get_by_text(allowed)).to_have_count(1)
            await expect(fever.get_by_text(denied)).to_have_count(0)
            await expect(poison.get_by_text(allowed)).to_have_count(0)
            await expect(poison.get_by_text(denied)).to_have_count(said)


LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 10 * 60_000; }"
WARNING = "[data-part=size]"


async def grown(table: Table, percent: int, field: str = "public", limit: int = LIMIT) -> None:
    """Let a room have used up so much of what it may have, in public or hidden, and its server know."""
    log_bytes, told = limit * percent // 100 + 1, "bytes" if field == "public" else "hidden_bytes"
    async with Redis.from_url(table.server.store_url) as store:
        await store.hset(key(table.id, META), field, str(log_bytes))

    async def is_known() -> bool:
        async with table.http("gm") as http:
            return bool((await http.get(table.path("/size"))).json()[told] == log_bytes)

    await until(is_known)


async def roll(table: Table) -> None:
    """Let something happen, by which a room grows."""
    async with table.http("ann") as http:
        assert (await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 1})).status_code == 200


async def test_the_gm_is_told_how_full_a_room_is_and_how_little_more_can_be_hidden(company: Company, table: Table):
    gm = await company.seat(table, "gm")
    nearly, almost = label("gm.size.nearly", percent=81), label("gm.size.almost", percent=91)
    hidden = label("gm.size.hidden", percent=85)
    for percent, percent_hidden, warnings in ((81, 0, [nearly]), (50, 0, []), (91, 85, [almost, hidden])):
        await grown(table, percent)
        if percent_hidden:
            await grown(table, percent_hidden, "hidden", LIMIT // 4)
        await gm.page.evaluate(LATER)  # it asks at most every few minutes

        async with gm.page.expect_response("**/size"):
            await roll(table)

        await expect(gm.page.locator(WARNING)).to_have_text(warnings)


@pytest.mark.rule("F1")
async def test_an_evening_ends_without_closing_the_room_and_a_closed_room_opens_again(company: Company, table: Table):
    gm, ann = (await company.sit(table, "gm", "ann")).values()
    ends = gm.page.locator('[data-place="closing"]')

    await gm.unfold("gm.evening.end", ends)
    await expect(ends.get_by_text(label("gm.evening.goes_on"))).to_be_visible()
    await gm.press("gm.evening.now", ends)
    await gm.unfold("gm.story")
    await gm.page.locator('[data-place="menu:drawer"] > summary').click()
    for seat in (gm, ann):
        await expect(seat.page.locator(".chronicle .told")).to_contain_text(label("gm.evening.said"))
    await expect(ends.get_by_role("status")).to_have_text(label("gm.evening.told"))  # which is said once
    await expect(gm.button(label("gm.evening.now"), ends)).to_have_count(0)
    await expect(gm.button(label("evening.recap"), ends)).to_be_visible()
    await gm.unfold("gm.close", ends)
    await expect(ends.get_by_text(label("gm.close.hint"))).to_be_visible()
    await gm.press("gm.close.now", ends)
    assert not (await gm.view()).public.closed
    await gm.press("gm.close.yes", ends)

    await expect(ann.page.locator(".badge.closed")).to_have_text(label("closed"))
    await expect(gm.page.locator('[data-place="closing"]')).to_contain_text("until ")
    assert await violations(gm.page) == []
    assert await ann.page.locator('[data-place="closing"]').count() == 0
    await gm.page.reload()
    await gm.press("gm.reopen", gm.page.locator('[data-place="closing"]'))

    await expect(ann.page.locator(".badge.closed")).to_have_count(0)
    await expect(gm.page.locator('[data-place="menu:drawer"]')).to_be_visible()
    assert not (await ann.view()).public.closed
