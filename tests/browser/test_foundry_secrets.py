"""The module for Foundry VTT, in a stub of it: what one user may know lies nowhere that another one can read."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

import dreadclock
from kit.browser.axe import violations
from kit.browser.layout import box_of
from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Foundry, Gathering
from kit.waiting import until

pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)
SECRETS = ("the gm's own plan", "what lies below", "a hidden roll", "an unseen clock", "a step unseen", "an end unseen")
READABLE = ("color-contrast", "button-name", "label", "select-name", "list", "listitem", "svg-img-alt", "frame-title")
MARKUP = "<img src=x onerror=\"document.title='owned'\"><b>bold</b>"
SCRIPT = "<script>document.title='owned'</script>"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(foundry: Foundry) -> AsyncIterator[Gathering]:
    """A table with things that only the gm knows beside what all see, and a world; each test says who is among it."""
    async with foundry.gather() as gathered:
        async with dreadclock.connect(gathered.link("gm-a")) as room:
            plan, below, _, unseen, step, end = SECRETS
            await room.set_policy(physical_dice="gm")
            stages = [{"at": 3, "effect": step}]
            await room.start_countdown(plan, pool=30, id="gm-plan", visibility="gm", bound_to="turn")
            await room.start_countdown("Fuse", pool=4, id="gm-fuse", visibility="gm", stages=stages, ending=end)
            await room.open_scene("The gm's own scene", 8, id="gm-scene", visibility="gm")
            await room.open_scene("The cellar", 10, id="cellar")
            await room.start_countdown("The seal", pool=30, id="below", visibility="sealed", ending=below)
            await room.start_clock(unseen, 6, id="gm-unseen", visibility="gm")
            await room.start_countdown("Fever", pool=30, id="fever", bound_to="turn")
        yield gathered


async def known_to(here: Gathering, name: str) -> str:
    """Return all that somebody's browser was told, keeps and shows, and all that the world keeps."""
    user = here.users[name]
    return "\n".join([here.host.world.text(), *here.host.sent[name], await user.kept(), await user.drawn()])


async def test_no_token_and_nothing_of_the_gms_comes_to_those_who_may_not_have_it(here: Gathering):
    await here.among()
    gm, ann = await here.come("gm-a", "ann", by_hand=True)
    for user in (gm, ann):
        await user.panel()
        await user.page.locator('[data-tool="dreadclockTable"]').click()
        await user.page.frame_locator("iframe").locator("main[data-role]").wait_for()
    await expect(gm.page.locator("#dreadclock-panel")).to_contain_text(SECRETS[0])
    await expect(gm.page.locator("#dreadclock-panel")).to_contain_text(SECRETS[3])
    await expect(gm.page.locator('#dreadclock-panel [data-thing="scene:cellar"] .scene.on')).to_have_count(10)
    await expect(gm.page.locator('#dreadclock-panel [name="scene:gm-scene"]')).to_have_count(1)
    await expect(ann.page.locator("#dreadclock-panel .scene.on")).to_have_count(10)
    await gm.do(f"api.send({{ type: 'roll_dice', pool: 4, name: '{SECRETS[2]}', visibility: 'gm', id: 'gm-roll' }})")
    await gm.do("api.rollCountdown('gm-plan')")
    for faces in ("[6, 1, 1, 1]", "[6, 6, 6]"):  # it reaches a stage, and its end
        await gm.do(f"api.send({{ type: 'roll_countdown', countdown_id: 'gm-fuse', faces: {faces} }})")
    await gm.do("api.tick('gm-unseen')")
    await gm.do("api.send({ type: 'roll_countdown', countdown_id: 'below' })")
    turn = await gm.do("api.view().turn")
    await gm.do("api.endTurn()")

    (message,) = await here.messages(1)

    assert "Fever" in message["content"]
    await gm.page.frame_locator("iframe").locator(".story > summary").click()
    for user in (gm, ann):
        drawn = user.page.frame_locator("iframe").get_by_role("log")
        await expect(drawn).to_contain_text(f"Turn {turn} is over")  # and with it all that came before
    assert "The gm's own scene" not in await known_to(here, "ann")
    known = {user.id: await known_to(here, user.id) for user in (gm, ann)}
    for name, grant in here.table.grants.items():
        others = [user for user in known if {"gm": "gm-a"}.get(name, name) != user]
        assert [user for user in others if grant["token"] in known[user]] == []
    assert [secret for secret in SECRETS if secret in known["ann"]] == []
    for user in (gm, ann):
        assert "#" not in user.page.url
        token = here.table.token({"gm-a": "gm"}.get(user.id, user.id))
        assert token not in await user.drawn()  # one's own, too, stands in no document
        assert token in await user.kept()
    await gm.page.locator("#dreadclock-table [data-action=close]").click()


async def test_the_table_in_a_window_is_the_users_own_and_goes_with_her(here: Gathering):
    ann = here.users["ann"]  # whose window is open
    frame = ann.page.locator("iframe")
    assert await frame.get_attribute("src") is None

    await ann.page.locator('[data-tool="dreadclock"]').click()
    await ann.page.locator("#dreadclock-panel [name=seats]").click()
    await ann.page.get_by_role("button", name="Leave, and forget the link").click()

    await expect(frame).to_have_count(0)
    await expect(ann.page.locator("#dreadclock-panel").get_by_role("status")).to_contain_text("You have no seat")
    assert here.table.token("ann") not in await ann.kept()
    await until(lambda: "seat" not in here.host.world.users["ann"]["flags"]["dreadclock"])
    await ann.sit(here.link("ann"))


async def test_windows_can_be_read_by_everyone(here: Gathering):
    gm, _ = await here.among("gm-a", "ann")
    await gm.panel()
    await gm.do("api.endTurn()")
    await gm.do("api.openSeats()")
    await here.messages(1)

    assert await violations(gm.page, READABLE) == []


async def test_users_of_one_browser_and_worlds_of_one_host_have_links_of_their_own(here: Gathering):
    ann, *_ = await here.among("ann", "gm-a")
    page = await ann.context.new_page()

    await page.goto(f"{here.host.url}/game?user=gm-b")
    await page.locator("body[data-ready]").wait_for()

    assert await page.evaluate("game.modules.get('dreadclock').api.view()") is None
    await page.evaluate("void game.modules.get('dreadclock').api.open()")
    await expect(page.locator("#dreadclock-panel").get_by_role("status")).to_contain_text("You have no seat")
    await page.close()


async def test_a_handed_token_is_told_to_the_one_whose_seat_it_opens(here: Gathering):
    gm, ann, _ = await here.among("gm-a", "ann", "gm-b")
    await gm.do("api.openSeats()")
    row = gm.page.locator('[data-user-row="ann"]')
    await row.locator("select").select_option(f"player:{here.table.seat('ann')}")
    await row.get_by_role("button", name="Give this seat").click()
    await ann.page.locator('dialog [data-action="yes"]').click()
    await expect(gm.page.locator("#notifications")).to_contain_text("Ann has a seat at the table now")

    token = (await ann.page.evaluate("JSON.parse(localStorage['dreadclock.links'])['stub/ann']")).split("#")[1]

    assert token != here.table.token("ann")
    assert token not in await known_to(here, "gm-b")
    assert token not in await gm.kept()
    assert token not in await gm.drawn()
    assert token not in here.host.world.text()
    here.table.grants["ann"]["token"] = token  # her browser has it from now on


async def test_a_roll_of_the_other_gm_is_named_and_no_alarm(here: Gathering):
    gm, other_gm, _ = await here.among("gm-a", "gm-b", "ann")
    panel = await gm.panel()
    alarm = panel.locator(".dreadclock-alarm")
    assert await alarm.count() == 0

    await other_gm.do("api.rollDice(3)")

    await expect(panel.locator(".dreadclock-likely")).to_contain_text("perhaps from another device of yours")
    assert await panel.get_by_role("alert").count() == 0
    await panel.get_by_role("button", name="OK", exact=True).click()
    await expect(alarm).to_have_count(0)


async def test_names_are_text_wherever_they_are_shown(here: Gathering):
    gm, ann, _ = await here.among("gm-a", "ann", "gm-b")
    async with dreadclock.connect(here.link("gm-a")) as room:
        await room.rename_seat(here.table.seat("ann"), name='<img src=x onerror="alert(1)">')
        await room.start_countdown(
            MARKUP, pool=30, id="mark", owner=here.table.seat("ann"), ending=f"{SCRIPT} {MARKUP}"
        )
        await room.start_clock("<svg onload=alert(1)>{{title}}", 4, id="svg")
        await room.roll_dice(2, name=SCRIPT)
    panel = await ann.panel()
    await gm.panel()

    await panel.locator('[data-thing="countdown:mark"] button').click()
    await gm.do("api.tick('<b>none</b>')")

    await here.messages(2)
    await expect(panel.locator('[data-thing="countdown:mark"] h4')).to_have_text(MARKUP)
    await expect(panel.locator('[data-thing="clock:svg"] h4')).to_have_text("<svg onload=alert(1)>{{title}}")
    for user in (gm, ann):
        assert await user.page.title() == "A stub of Foundry"
        for made in (
            "#chat-log img",
            "#chat-log b",
            "#chat-log script",
            ".dreadclock img",
            ".dreadclock b",
            "#notifications b",
        ):
            assert await user.page.locator(made).count() == 0
    await expect(gm.page.locator("#notifications li").last).to_contain_text("‹b›none‹/b›")


async def test_foundry_makes_neither_rolls_nor_links_of_names_in_chat(here: Gathering):
    gm, ann, _ = await here.among("gm-a", "ann", "gm-b")
    names = (
        "[[/r 20d6]]{Look}",
        "@UUID[Actor.x]{Rook}",
        "[[20]]",
        "https://evil.example/x",
        "&Reference[prone]",
        "👩‍🚀 Zoë",
    )
    async with dreadclock.connect(here.link("gm-a")) as room:
        for name in names:
            await room.roll_dice(1, name=name)

    await here.messages(len(names))
    for user in (gm, ann):
        told = user.page.locator("#chat-log .dreadclock-told")
        for place, name in enumerate(names):
            await expect(told.nth(place - len(names))).to_contain_text(name)
        assert await user.page.locator("#chat-log .enriched").count() == 0


async def test_without_a_scene_the_settings_and_a_key_lead_a_player_to_the_panel(here: Gathering):
    (ann,) = await here.among("ann")
    await ann.enter(scene="none")
    await ann.seated()
    panel = ann.page.locator("#dreadclock-panel")
    if await panel.count():
        await panel.locator("[data-action=close]").click()
    assert await ann.page.locator("#controls button").count() == 0

    await ann.page.get_by_role("button", name="Dreadclock: clocks and countdowns").click()
    await panel.wait_for()
    await panel.locator("[data-action=close]").click()
    await ann.page.keyboard.press("Shift+KeyK")
    await panel.wait_for()


async def test_the_panel_stays_where_it_was_put_and_speaks_german(here: Gathering):
    (ann,) = await here.among("ann")
    panel = await ann.panel()
    header = panel.locator(".window-header h1")
    box = await box_of(header)
    await ann.page.mouse.move(box["x"] + 20, box["y"] + 5)
    await ann.page.mouse.down()
    await ann.page.mouse.move(box["x"] + 320, box["y"] + 205)
    await ann.page.mouse.up()
    moved, turn = await panel.bounding_box(), await ann.do("api.view().turn")

    await ann.enter(lang="de")

    panel = ann.page.locator("#dreadclock-panel")
    await expect(panel).to_contain_text(f"Zug {turn}")
    after = await panel.bounding_box()
    assert moved is not None
    assert after is not None
    assert (after["x"], after["y"]) == (moved["x"], moved["y"])
    await ann.do("api.rollDice(2, 'Sturz')")
    assert "würfelt" in (await here.messages(1))[0]["content"]


async def test_the_panel_draws_scene_threat_and_challenges_as_one_dial(here: Gathering):
    gm, _ = await here.among("gm-a", "ann")
    async with dreadclock.connect(here.link("gm-a")) as room:
        race = {"kind": "race", "content": "exploration", "level": 5, "difficulty": "normal"}
        await room.submit(
            {"type": "start_situation", "id": "flood", "scene_id": "cellar", "name": "The flood", "clock": 2, **race}
        )
        for name, clock in (("Stair", 1), ("Lock", 3)):
            fields = {"id": name.lower(), "name": name, "kind": "barrier", "clock": clock}
            await room.submit({"type": "add_challenge", "situation_id": "flood", **fields})
        await room.submit({"type": "attempt_effort", "challenge_id": "stair", "success": True})
    dial = (await gm.panel()).locator('[data-thing="scene:cellar"]')

    await expect(dial.locator("h4")).to_have_text("The flood")
    for words in ("1 of 2 left to win", "Round 1", "If the scene ended now: partial success"):
        await expect(dial).to_contain_text(words)
    await expect(dial.locator("circle.threat.on")).to_have_count(19)
    await expect(dial.locator("circle.threat.off")).to_have_count(1)
    await expect(dial.locator("circle.done")).to_have_count(1)
    await expect(dial.locator("circle.left")).to_have_attribute("stroke-dasharray", "100 100")
    for words in ("Threat 19 of 20 left", "Stair overcome", "Lock 3 of 3 left"):
        await expect(dial.locator("ul")).to_contain_text(words)

    await gm.page.locator('#dreadclock-panel [name="scene:gm-scene"]').click()
    await expect(gm.page.locator('[data-thing="scene:gm-scene"] h4')).to_contain_text("The gm's own scene")
    await expect(gm.page.locator('#dreadclock-panel [name="scene:cellar"]')).to_have_count(1)
