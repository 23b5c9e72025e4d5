"""The log has a line for each action, follows what comes, and lets slips of the hand be undone."""

import asyncio
import re
from functools import partial

import pytest
from playwright.async_api import Locator, Route, expect

import dreadclock
from dreadclock import Room
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label, messages
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until, until_equal

KEPT = 60
LATEST = 20
LONG = 360
MANY = 70  # sentences: more than the page keeps, and far more than fit
_END_SEEN = """
(log) => log.querySelector("li:last-child").getBoundingClientRect().bottom <= log.getBoundingClientRect().bottom
"""
_SCROLLED_BACK = """
async (log) => {
  log.scrollTo(0, -log.scrollHeight);
  const start = log.getBoundingClientRect().top;
  const line = [...log.querySelectorAll("li")].find((each) => each.getBoundingClientRect().bottom > start);
  return [line.dataset.record, line.getBoundingClientRect().top];
}
"""
_TOP_OF = """
async (log, record) => {
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  return log.querySelector(`[data-record="${record}"]`).getBoundingClientRect().top;
}
"""
_FIRST_SEEN = """
async (log) => {
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  const top = log.getBoundingClientRect().top;
  return [...log.querySelectorAll("li")].find((line) => line.getBoundingClientRect().top >= top).dataset.record;
}
"""


async def told(room: Room, seat: Seat, times: int) -> None:
    """Let that much happen, and return once the page has told the last of it."""
    for number in range(times):
        await room.roll_dice(1, name=f"of {times}, number {number}")
    await seat.page.get_by_role("log").get_by_text(f"of {times}, number {times - 1}").wait_for(state="attached")


async def scrolled(log: Locator, before: str) -> bool:
    """Tell whether a log shows other lines than before, and has come to rest."""
    one: str = await log.evaluate(_FIRST_SEEN)
    other: str = await log.evaluate(_FIRST_SEEN)
    return one == other != before


@pytest.mark.layout
async def test_lines_are_told_once_and_the_newest_is_in_sight_until_one_scrolls(
    company: Company, table: Table, room: Room
):
    eve = await company.seat(table, "eve", viewport={"width": 1366, "height": 700})
    log = eve.page.get_by_role("log")
    lines = log.locator("li")
    await told(room, eve, 3)
    before = await lines.count()
    await lines.evaluate_all("(all) => all.forEach((line) => { line.told = true; })")
    await told(room, eve, 2)
    assert await lines.evaluate_all("(all) => all.filter((line) => line.told).length") == before
    assert await lines.count() == before + 2

    await told(room, eve, MANY)
    assert await lines.count() == KEPT
    assert await log.evaluate(_END_SEEN)

    newest = await log.evaluate(_FIRST_SEEN)
    await log.hover()
    await eve.page.mouse.wheel(0, -300)
    await until(lambda: scrolled(log, newest))
    reading = await log.evaluate(_FIRST_SEEN)
    await told(room, eve, 5)
    assert await log.evaluate(_FIRST_SEEN) == reading


async def test_who_comes_late_reads_back_to_the_beginning_without_a_jump(company: Company, table: Table, room: Room):
    await room.start_clock("Dusk", 4, id="gm-dusk", visibility="gm")
    for number in range(2 * MANY):
        await room.roll_dice(1, name=f"of many, number {number}")
    await room.start_clock("Doom", 4, id="gm-doom", visibility="gm")
    seats = {**await company.sit(table, "gm")}
    words = seats["gm"].page.locator(".drawer .words")
    assert await words.count() == 0  # nobody is there to compare them with
    await seats["gm"].unfold("gm.story")
    lines = seats["gm"].page.get_by_role("log").locator("li")
    assert f"number {2 * MANY - LATEST}" in await lines.first.inner_text()
    assert "Doom" in await lines.last.inner_text()
    seats |= await company.sit(table, "eve")
    await expect(words).to_have_count(1)
    for seat in seats.values():
        log = seat.page.get_by_role("log")
        while not await begins(log):
            before = await log.locator("li").count()
            reading, top = await log.evaluate(_SCROLLED_BACK)
            await until(partial(more_than, log, before))
            assert abs(await log.evaluate(_TOP_OF, reading) - top) < 1  # browsers scroll by parts of a pixel
        keys = await log.locator("li").evaluate_all("(all) => all.map((each) => each.dataset.record)")
        assert len(keys) == len(set(keys))
        assert [key for key in keys if key.startswith("public")] == sorted(
            (key for key in keys if key.startswith("public")), key=lambda key: int(key.split("-")[1])
        )
        assert sum("number" in text for text in await log.locator("li").all_inner_texts()) == 2 * MANY
        await expect(log.get_by_text("Doom")).to_have_count(int(seat.name == "gm"))
    await told(room, seats["eve"], 1)
    await the_end_of_a_turn_with_many_countdowns_is_read_aloud_in_one_sentence(room, *seats.values())


async def test_a_long_log_is_read_by_pages_and_a_lost_page_is_asked_for_again(company: Company, table: Table):
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.start_clock("Tide", 6, id="tide")
        await room.tick_clock("tide")
        await room.cancel("tide", "It is low.")
        await asyncio.gather(*(room.narrate(f"Number {number}.") for number in range(LONG)))
    eve = await company.seat(table, "eve")
    log = eve.page.get_by_role("log")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url) if "/log?" in request.url else None)
    is_away = True
    eve.complaints.forgive("503 (Service Unavailable)")

    async def answer(route: Route) -> None:
        await (route.fulfill(status=503, body="") if is_away else route.continue_())

    await eve.page.route("**/log?*", answer)
    await log.evaluate(_SCROLLED_BACK)
    await expect(log.locator("[data-refusal]")).to_have_text(label("over.unreachable"))
    is_away = False
    await log.get_by_role("button", name=label("chronicle.earlier")).click()
    await expect(log.get_by_text(f"Number {LONG - 40}.")).to_have_count(1)
    await expect(log.locator("[data-refusal]")).to_have_count(0)
    assert len(asked) == 2
    assert all("limit=120" in address for address in asked)
    assert not any("public=0" in address for address in asked)  # the rest stays where it is until somebody reads it

    while not await begins(log):
        before = await log.locator("li").count()
        await log.evaluate(_SCROLLED_BACK)
        await until(partial(more_than, log, before))
    await expect(log.get_by_text('"Tide" is now')).to_have_count(1)
    assert len(asked) == 2 + 2


async def more_than(log: Locator, count: int) -> bool:
    """Tell whether a log shows more lines than so many, or all there are: the last may come before one counts."""
    return await log.locator("li").count() > count or await begins(log)


async def begins(log: Locator) -> bool:
    """Tell whether a log goes back to where its room begins."""
    return bool(await log.get_by_text(label("chronicle.begins")).count())


# Note what is added to a polite live region, as a screen reader would read it.
_LISTEN = """
() => {
  window.readAloud = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes, type } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest("[aria-live], [role=status], [role=log]");
      if (!region || region.ariaLive === "off") continue;
      const texts = type === "characterData" ? [target.data] : [...addedNodes].map((node) => node.textContent);
      window.readAloud.push(...texts.map((text) => text.trim()).filter(Boolean));
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""


async def the_end_of_a_turn_with_many_countdowns_is_read_aloud_in_one_sentence(room: Room, *seats: Seat) -> None:
    for number in range(24):
        await room.start_countdown(f"Countdown {number}", 9, id=f"c-{number}", speed="slow")
    for seat in seats:
        await seat.page.locator("[data-thing='countdown:c-23']").first.wait_for(state="attached")
        await seat.page.evaluate(_LISTEN)
    await room.end_turn()
    for seat in seats:
        line = seat.page.locator(".told li", has_text="Turn 1 is over")
        await expect(line).to_contain_text(label("line.rolled", number=24))
        await expect(seat.page.get_by_role("log").locator("li", has_text='rolled "Countdown 23')).to_have_count(0)
        [read] = await seat.page.evaluate("readAloud")
        assert read.startswith(f"Turn 1 is over. {label('line.rolled', number=24)}.")
        assert len(read) < 300, read
        await line.locator(".line").click()
        await expect(line.locator(".event")).to_contain_text([f'"Countdown {number}"' for number in range(24)])
    await room.narrate("A door falls shut.")
    for seat in seats:
        await seat.page.wait_for_function("() => readAloud.length === 2")
        assert (await seat.page.evaluate("readAloud"))[1] == "Gm: A door falls shut."


EFFORT = {"effort": {"challenge_id": "stair"}, "purpose": "up the wet steps", "id": "up"}
TO_THE_BELL = (
    {"type": "set_policy", "physical_dice": "everyone"},
    {"type": "add_character", "id": "rook", "name": "Rook", "attributes": {"Stealth": 4}, "owner": "player-1"},
    {"type": "open_scene", "id": "bell", "name": "The drowned bell", "clock": 10},
    {"type": "start_situation", "id": "ring", "scene_id": "bell", "name": "Ring the bell", "kind": "race", "clock": 3}
    | {"content": "exploration", "level": 3},
    {"type": "add_challenge", "id": "stair", "situation_id": "ring", "name": "The flooded stair", "kind": "barrier"},
    {"type": "start_clock", "id": "gm-doom", "name": "What wakes below", "size": 4, "visibility": "gm"},
    {"type": "propose_check", "character_id": "rook", "attribute": "Stealth", **EFFORT},
    {"type": "attach_consequence", "of": {"kind": "check", "id": "up"}, "when": {"when": "success"}, "visibility": "gm"}
    | {"do": [{"does": "tick", "thing_id": "gm-doom", "by": 1}]},
)


async def test_an_action_is_a_line_that_is_read_aloud_once_and_unfolds(company: Company, table: Table, room: Room):
    company.motion = "no-preference"  # what dice decide is read aloud when they have landed
    gm, eve = (await company.sit(table, "gm", "eve")).values()
    await gm.unfold("gm.story")
    ben = await company.seat(table, "ben", locale="de-DE")
    for order in TO_THE_BELL:
        await room.submit({**order, "owner": table.seat("ann")} if "owner" in order else order)
    for seat in (gm, eve, ben):
        await seat.page.locator("[data-thing='check:up']").first.wait_for(state="attached")
        await seat.page.evaluate(_LISTEN)
    await room.roll_check("up", faces=[5, 3, 2, 1])

    german = messages("de").text
    for seat, success, overcome in (
        (gm, "Success.", label("challenge.overcome")),
        (eve, "Success.", label("challenge.overcome")),
        (ben, "Erfolg.", german("challenge.overcome", {})),
    ):
        line = seat.page.get_by_role("log").locator("li", has_text="The flooded stair: ").last
        await expect(line.locator(".name")).to_have_text("Rook: up the wet steps")
        await expect(line.locator(".die")).to_have_count(4)
        await expect(line.locator(".outcome")).to_have_text(success)
        await expect(line).to_contain_text(f"The flooded stair: {overcome}.")
        await expect(line).to_contain_text("What wakes below" if seat is gm else "")
        [read] = [text for text in await seat.page.evaluate("readAloud") if "5 3 2 1" in text]
        assert read.startswith("Rook: up the wet steps, ")
        assert f" {success} " in read
        assert f"The flooded stair: {overcome}." in read
        await expect(line.locator(".event")).to_have_count(0)
        await line.locator(".line").focus()
        await seat.page.keyboard.press("Enter")
        await expect(line.locator(".event", has_text="5 3 2 1")).to_be_visible()
        await expect(line.locator(".event time").first).to_be_visible()
        await expect(line.locator(".event.gm", has_text="What wakes below")).to_have_count(int(seat is gm))
        assert seat is gm or "What wakes below" not in await seat.page.content()
        assert await violations(seat.page, place="[role=log]") == []
    await arrows_go_from_line_to_line(gm)


async def arrows_go_from_line_to_line(seat: Seat) -> None:
    """See that the log is one stop of the tab key, from which the arrows lead on."""
    lines = seat.page.get_by_role("log").locator("li .line")
    assert await lines.evaluate_all("(all) => all.filter((line) => line.tabIndex === 0).length") == 1
    await lines.last.focus()
    for key, place in (("ArrowUp", -2), ("ArrowUp", -3), ("ArrowDown", -2)):
        await seat.page.keyboard.press(key)
        await expect(lines.nth(place)).to_be_focused()


GUARDS = "clock:guards"


async def table_with_guards(server: Server) -> Table:
    """Open a room with a clock that everyone sees, one step on."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Guards", 6, id="guards")
        await room.tick_clock("guards")
    return table


def line(seat: Seat, text: str) -> Locator:
    """Find the first line of what happened that tells of something."""
    return seat.page.get_by_role("log").locator("li").filter(has_text=text).first


async def ways(seat: Seat) -> list[str]:
    """Return the sentences that can be taken back, by the first word in quotation marks in each."""
    names = await seat.page.locator(".slip button").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    return [re.findall(r'"(.+?)"', name)[0] for name in names]


async def offers(seat: Seat, *things: str) -> None:
    """Wait until just these can be taken back."""
    await until_equal(lambda: ways(seat), [*things])


async def test_each_takes_back_their_own_by_keys_by_button_and_from_the_log(company: Company, server: Server):
    table = await table_with_guards(server)
    seats = await company.sit(table, "gm", "ann", "eve")
    gm, ann, eve = seats.values()
    await gm.unfold("gm.story")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Alarm", 6, id="alarm", owner=table.seat("ann"))
        await room.start_clock("Doom", 6, id="gm-doom", visibility="gm")
        then = {"do": [{"does": "tick", "thing_id": "gm-doom", "by": 1}], "when": {"when": "end"}, "visibility": "gm"}
        await room.submit({"type": "attach_consequence", "of": {"kind": "clock", "id": "alarm"}, **then})
    async with dreadclock.connect(link(table, "ann")) as room:
        await room.start_clock("Ladder", 4, id="ladder")
        await room.tick_clock("ladder")
        await room.tick_clock("alarm", by=6)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.tick_clock("gm-doom")  # what came of her tick went on, which is nobody's but the gm's to know
    await offers(ann, "Ladder", "Alarm")  # the tick: what she made others may rest on
    await ann.page.reload()
    await offers(ann, "Ladder", "Alarm")

    await ann.page.keyboard.press("Control+z")
    await expect(line(eve, "undid")).to_contain_text('Ann undid the move of the clock "Alarm".')
    await expect(line(eve, '"Alarm" is now').locator("s")).to_be_visible()
    await offers(ann, "Ladder")
    await line(ann, 'Ladder" is now').locator(".slip button").focus()
    await ann.page.keyboard.press("Enter")
    await expect(line(eve, 'Ladder" is now').locator("s")).to_be_visible()
    await offers(ann)
    assert await ann.page.locator('[data-key="undo"]').count() == 0
    assert await ann.page.evaluate("document.activeElement.closest('[role=log]') !== null")
    await gm.shows_what_the_server_says()

    await line(gm, 'Guards" is now').locator(".slip button").click()
    await expect(line(gm, 'Guards" is now').locator("s")).to_be_visible()
    await expect(line(gm, '"Guards" starts').locator(".slip button")).to_be_visible()
    assert await eve.page.locator('.slip, [data-key="undo"]').count() == 0
    for seat in seats.values():
        await seat.shows_what_the_server_says()
    assert await violations(ann.page, place="[role=log]") == []
    await what_was_done_just_now_is_undone_while_others_go_on(ann, table)


async def what_was_done_just_now_is_undone_while_others_go_on(ann: Seat, table: Table) -> None:
    """Undo at once, while the gm goes on each time that the page asks what can be undone."""
    rained = 0
    async with dreadclock.connect(link(table, "gm")) as room, dreadclock.connect(link(table, "ann")) as own:

        async def goes_on(route: Route) -> None:
            nonlocal rained
            answer = await route.fetch()
            if rained < 2:
                rained += 1
                await room.narrate(f"It rains: {rained}.")
                await line(ann, f"It rains: {rained}.").wait_for(state="attached")
            await route.fulfill(response=answer)

        # Without `times=2`: Playwright forgets such a route at its last call, so `unroute_all` does not wait for it.
        await ann.page.route("**/undoable", goes_on)
        await own.tick_clock("ladder", by=2)
        await line(ann, 'Ladder" is now at 2').wait_for(state="attached")
        await ann.page.keyboard.press("Control+z")
        await expect(line(ann, 'Ladder" is now at 2').locator("s")).to_be_visible()
        await ann.page.unroute_all(behavior="wait")  # it may have asked once more


async def test_neither_what_is_typed_nor_dice_nor_what_others_rest_on_is_taken_back(company: Company, server: Server):
    table = await table_with_guards(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_clock("Doom", 4, id="doom", visibility="sealed")
        await room.tick_clock("doom")
        await room.roll_dice(2, name="Noise")
    gm = await company.seat(table, "gm")
    await gm.unfold("gm.story")
    await offers(gm, "Guards", "Doom")
    assert await gm.page.locator('[data-key="undo"]').count() == 0  # the latest thing was a roll

    narrating = await gm.unfold("narrate")
    text = narrating.locator("textarea, input[type=text]").first
    await text.fill("It rains.")
    await text.press("Control+z")
    await text.blur()
    await gm.page.keyboard.press("Control+z")
    await gm.page.locator(".slip button").last.click()
    await expect(line(gm, "undid")).to_contain_text("Gm")
    [frame] = gm.wire.commands()
    assert "void_command" in frame
    assert not any("undid" in text for text in await table.log("eve"))

    await a_press_that_comes_too_late_says_why_until_one_does_something_else(gm, table)
    await a_clock_is_set_right_with_a_reason(gm)


async def a_press_that_comes_too_late_says_why_until_one_does_something_else(gm: Seat, table: Table) -> None:
    """Press what can no longer be taken back, on a page that has not heard so yet."""
    tick = line(gm, 'Guards" is now')
    answers = asyncio.Event()

    async def answer(route: Route) -> None:
        await answers.wait()
        await route.continue_()

    await gm.page.route("**/undoable", answer)  # the page does not hear yet that this can no longer go
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.amend_clock("guards", 2, "They sleep.")
        await line(gm, "They sleep.").wait_for(state="attached")
        await tick.locator(".slip button").press("Enter")
        why = tick.get_by_role("alert")
        await expect(why).to_contain_text("“Guards” has changed")
        assert await gm.page.evaluate("document.activeElement.closest('[role=log]') !== null")
        answers.set()
        await expect(tick.locator(".slip button")).to_have_count(0)
        await expect(why).to_be_visible()
        assert await gm.page.evaluate("document.activeElement.closest('[role=log]') !== null")


async def a_clock_is_set_right_with_a_reason(gm: Seat) -> None:
    """Set a clock to another number, and see why in the log."""
    form = (await gm.unfold("gm.amend", gm.thing(GUARDS))).locator("form")

    await gm.fill(form, {"gm.amend_to": 3, "gm.reason": "They doze."})
    await gm.send("gm.amend", form)

    await expect(line(gm, "They doze.")).to_contain_text(re.compile('set the clock "Guards" to 3'))
    await gm.shows_what_the_server_says()
