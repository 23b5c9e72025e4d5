"""The module for Foundry VTT, in a stub of it: each roll is one chat message, whoever is there, and so is news."""

import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

import dreadclock
from dreadclock import Room
from dreadclock.dice.rolled import faces_of
from dreadclock.wire.events import Event
from dreadclock.wire.records import Record
from kit.evenings.prepared import evening_orders
from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Gathering, User
from kit.waiting import until

VIEW = "game.modules.get('dreadclock').api.view()"
LAST_IS_BY = f"(seat) => {VIEW}.public.recent.at(-1)?.by === seat"
HOLD_BACK = """
() => {
  const { create } = ChatMessage;
  const held = new Promise((resolve) => (globalThis.writeNow = resolve));
  ChatMessage.create = async (...given) => {
    globalThis.isAboutToWrite = true;
    await held;
    return create.apply(ChatMessage, given);
  };
}
"""
PATIENCE_MS = 3_000  # of a user's module with each who might tell of a roll before it does
FRAMES_MS = 200
SLOW_MS = 30_000  # of Foundry with a message that somebody said they write
EACH_KIND = {"dan", "foe", "cid", "spent", "fate", "pact", "physical-1", "gm-zz-luck"}  # of the prepared evening
pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)


async def logged(here: Gathering) -> list[Event]:
    """Return what happened for all to see in this test, as the server's log has it."""
    return [Record.model_validate_json(text).event for text in (await here.table.log("ann"))[here.logged :]]


async def rolled(here: Gathering) -> list[Event]:
    """Return what was rolled for all to see in this test."""
    return [event for event in await logged(here) if faces_of(event)]


async def faces_rolled(here: Gathering) -> list[list[int]]:
    """Return the faces of all that was rolled."""
    return [list(faces_of(event)) for event in await rolled(here)]


async def start(here: Gathering, name: str, **more: object) -> None:
    """Put a countdown of Ann's on the table."""
    async with dreadclock.connect(here.link("gm-a")) as room:
        more = {"id": name.lower(), "owner": here.table.seat("ann"), **more}
        await room.start_countdown(name, pool=30, **more)  # type: ignore[arg-type]


async def run_until_written(here: Gathering, user: User) -> bool:
    """Let a paused page run for a frame, and tell whether a message of this test was written."""
    await user.page.clock.run_for(20)
    return bool(here.host.world.messages.keys() - here.before)


async def test_every_roll_is_one_message_with_the_servers_faces(here: Gathering):
    await start(here, "Murrain")
    gm, ann = await here.among("gm-a", "ann")
    (other_gm,) = await here.come("gm-b", dice="1")
    written = here.host.written

    await ann.do("api.rollCountdown('murrain')")
    await gm.do("api.rollDice(4, 'a fall')")
    await ann.do("api.rollDice(2)")
    async with dreadclock.connect(here.link("ann")) as room:  # from elsewhere, while Ann is in Foundry, too
        await room.roll_dice(3)

    messages = await here.messages(4)
    assert [each["faces"] for each in messages] == [[faces] for faces in await faces_rolled(here)]
    assert [each["author"] for each in messages] == ["ann", "gm-a", "ann", "ann"]
    await here.later()
    assert here.host.written - written == len(await here.messages(4)) == 4
    assert [each["alias"] for each in messages][0::2] == ["Ann", "Ann"]
    assert sorted(await other_gm.do("game.dice3d.shown")) == sorted(await faces_rolled(here))


async def test_what_waits_for_a_seat_is_rolled_in_the_panel(here: Gathering):
    ann, *_ = await here.among("ann", "gm-a", "gm-b")
    async with dreadclock.connect(here.link("gm-a")) as room:
        for name in ("ben", "ann"):
            await room.add_character(name, id=name, owner=here.table.seat(name), attributes={"Wits": 3})
            await room.propose_check(name, id=f"nave-{name}", attribute="Wits", purpose="see the trap")
            await room.adjust_check(f"nave-{name}", approve=True)
        await room.propose_total("ann", id="lock", attribute="Wits", purpose="open the lock")
        await room.adjust_total("lock", approve=True)
    waits = (await ann.panel()).locator(".dreadclock-waits")
    await waits.locator('[data-thing="lock"]').wait_for()
    assert await waits.locator('[data-thing="nave-ben"]').count() == 0

    await waits.locator('[data-thing="nave-ann"] button').click()
    await here.messages(1)
    await waits.locator('[data-thing="lock"] button').click()

    check, total = await here.messages(2)
    assert "see the trap" in check["content"]
    assert len(total["faces"][0]) == 3


async def test_rolls_of_every_kind_from_pages_and_from_foundry_are_told_one_by_one(here: Gathering):
    gm, *_ = await here.among("gm-a", "gm-b", "ann")
    ids = ("id", "countdown_id", "check_id", "total_id")
    orders = [order for order in evening_orders() if {order.get(each) for each in ids} & EACH_KIND]
    async with dreadclock.connect(here.link("gm-a")) as elsewhere:
        await elsewhere.set_policy(physical_dice="everyone")
        for number, order in enumerate(orders):
            if number % 2:
                await elsewhere.submit(order)
            else:
                assert await gm.do(f"api.send({json.dumps(order)})") is not None

    kinds = {event.type for event in await rolled(here)}
    assert kinds >= {"check_rolled", "countdown_rolled", "dice_rolled", "luck_pushed", "total_rolled"}
    expected = await faces_rolled(here)
    alone = ("push_offered", "stage_reached")  # a countdown starts at its stage
    news = sum(event.type in alone for event in await logged(here))
    messages = await here.messages(len(expected) + news)
    assert [each["faces"] for each in messages if each["faces"]] == [[faces] for faces in expected]


async def test_a_message_that_foundry_stores_slowly_is_written_once_and_its_dice_are_thrown_once(here: Gathering):
    gm, other_gm = await here.among("gm-a", "gm-b")
    written, shown = here.host.written, len(await other_gm.do("game.dice3d.shown"))
    await gm.page.evaluate("for (let n = 0; n < 1_100; n++) game.socket.emit('module.dreadclock', { writes: `${n}` })")
    await gm.page.evaluate(HOLD_BACK)
    await gm.do("api.rollDice(3)")
    await gm.page.wait_for_function("globalThis.isAboutToWrite")
    await other_gm.page.wait_for_function(LAST_IS_BY, arg=here.table.seat("gm"))

    await other_gm.page.clock.fast_forward(PATIENCE_MS * 3)
    await other_gm.do("game.user.setFlag('dreadclock', 'done', 1)")  # what it would write has come by then
    assert here.host.written == written
    await gm.page.evaluate("writeNow()")

    await here.messages(1)
    await here.later()
    assert here.host.written - written == len(await here.messages(1)) == 1
    assert (await other_gm.do("game.dice3d.shown"))[shown:] == await faces_rolled(here)


async def test_the_panel_tells_no_roll_before_dice_so_nice_has_thrown_it(here: Gathering):
    await here.among()
    (gm,) = await here.come("gm-a", dice="1")
    await start(here, "Blight", visibility="public")
    panel = (await gm.panel()).locator('[data-thing="countdown:blight"]')
    await expect(panel).to_contain_text("30 dice left")
    await gm.do("void (game.dice3d.flight = new Promise((land) => (globalThis.land = land)))")
    await gm.page.clock.pause_at(await gm.page.evaluate("Date.now() + 1_000"))  # the panel waits 6 s at most

    await start(here, "Scurf", visibility="public")
    await gm.page.wait_for_function(f"{VIEW}.countdowns.has('scurf')")  # its drawing waits for the next frame
    await gm.do("void api.rollCountdown('blight')")
    await gm.page.wait_for_function(f"{VIEW}.countdowns.get('blight').last_faces.length")
    await until(lambda: run_until_written(here, gm))
    await gm.page.clock.run_for(FRAMES_MS)
    await expect(panel).to_contain_text("30 dice left")
    assert await panel.locator("svg").count() == 0

    await gm.page.evaluate("land()")
    await gm.page.clock.run_for(FRAMES_MS)
    await expect(panel.locator("svg")).to_have_count(30)
    await gm.page.clock.resume()


async def test_who_is_elsewhere_has_rolls_told_by_the_first_gm_whose_page_is_not_stuck_or_by_a_player(here: Gathering):
    gm, other_gm, _ = await here.among("gm-a", "gm-b", "ann")
    async with dreadclock.connect(here.link("ben")) as room:
        await room.roll_dice(3)
        assert (await here.messages(1))[-1]["author"] == "gm-a"

        await gm.page.evaluate("void (ChatMessage.create = () => new Promise(() => {}))")
        await gm.do("api.rollDice(1)")
        await other_gm.page.wait_for_function(LAST_IS_BY, arg=here.table.seat("gm"))
        await other_gm.page.clock.fast_forward(PATIENCE_MS)
        await other_gm.page.clock.fast_forward(SLOW_MS)
        assert (await here.messages(2))[-1]["author"] == "gm-b"

        await here.leave(gm)
        await room.roll_dice(3)
        assert (await here.messages(3))[-1]["author"] == "gm-b"

        await here.leave(other_gm)
        await room.roll_dice(3)
        assert (await here.messages(4))[-1]["author"] == "ann"


async def test_what_was_missed_is_told_once_however_wrong_the_clock_of_this_browser_is(here: Gathering):
    (ann,) = await here.among("ann")
    await ann.do("api.rollDice(1)")
    await here.messages(1)
    await ann.page.goto("about:blank")
    async with dreadclock.connect(here.link("ben")) as room:
        await room.roll_dice(2)

    await ann.page.clock.fast_forward(15 * 60_000)
    await ann.enter()
    assert await ann.page.evaluate("Date.now()") > time.time() * 1000 + 14 * 60_000
    assert [each["faces"] for each in await here.messages(2)] == [[faces] for faces in await faces_rolled(here)]
    await ann.enter()
    await ann.seated()
    await ann.do("api.rollDice(3)")
    await here.messages(3)
    await here.leave(ann)


async def test_a_player_reads_rolls_and_ticks_in_the_panel_with_no_gm_online(here: Gathering):
    stages = [{"at": 30, "effect": "pale"}, {"at": 4, "effect": "blind"}]
    await start(here, "Ague", stages=stages, ending="death")
    async with dreadclock.connect(here.link("gm-a")) as room:
        await room.start_clock("The deluge", 6, id="deluge", owner=here.table.seat("ann"))
    (ann,) = await here.among("ann")
    panel = await ann.panel()
    clock, countdown = (panel.locator(f'[data-thing="{thing}"]') for thing in ("clock:deluge", "countdown:ague"))

    await expect(countdown).to_contain_text("Now: pale")
    await expect(countdown).to_contain_text("At 4: blind")
    await panel.get_by_role("button", name="Move by 1: The deluge").click()
    await expect(clock).to_contain_text("5 of 6")
    await panel.get_by_role("button", name="Roll 30: Ague").click()

    (message,) = await here.messages(1)
    assert [message["faces"]] == [[faces] for faces in await faces_rolled(here)]
    await expect(countdown.locator("li")).not_to_have_count(0)
    assert await panel.get_by_role("button", name="Back").count() == 0
    assert await panel.get_by_role("button", name="End turn").count() == 0


async def test_a_tab_goes_on_after_the_server_was_killed_one_waits_for_it_and_both_leave_one_message(here: Gathering):
    await start(here, "Rot")
    (ann,) = await here.among("ann")
    panel = await ann.panel()

    await here.server.kill()
    await expect(panel.get_by_role("status")).to_contain_text("The server does not answer")
    tab = await ann.context.new_page()
    await tab.goto(ann.page.url)
    await tab.locator("body[data-ready]").wait_for()
    await tab.evaluate("void game.modules.get('dreadclock').api.open()")
    status = tab.locator("#dreadclock-panel").get_by_role("status")
    await expect(status).to_contain_text(f"does not allow {here.host.url}")
    await here.server.start()

    await tab.wait_for_function(VIEW)
    await expect(panel.get_by_role("button", name="Roll 30: Rot")).to_be_enabled()
    for page in (ann.page, tab):
        await page.evaluate(HOLD_BACK)
    written = here.host.written
    await panel.get_by_role("button", name="Roll 30: Rot").click()
    for page in (ann.page, tab):  # both find that nobody has written it yet
        await page.wait_for_function("globalThis.isAboutToWrite")
    for page in (ann.page, tab):
        await page.evaluate("writeNow()")
    await until(lambda: here.host.written == written + 2)
    for page in (ann.page, tab) * 2:  # what was written has come, and what was taken away has gone
        await page.evaluate("game.user.setFlag('dreadclock', 'done', 1)")
    assert len((await here.messages(1))[0]["faces"][0]) == 30
    await tab.close()
    ann.complaints.take()  # of the connection that was lost


# What cards say


@pytest_asyncio.fixture(loop_scope="session")
async def ready(here: Gathering) -> AsyncIterator[Room]:
    """The gm's connection from elsewhere; whoever plays types in the faces of real dice."""
    await here.among("gm-a", "ann", "ben")
    async with dreadclock.connect(here.link("gm-a")) as room:
        await room.set_policy(physical_dice="everyone")
        for name in {"rook", "sparks"} - room.view.characters.keys():
            owner = here.table.seat("ann" if name == "rook" else "ben")
            await room.add_character(name.title(), id=name, attributes={"Wits": 3}, owner=owner)
        yield room


def dice_in(here: Gathering, message: dict[str, Any], marked: str = "") -> Locator:
    """Return the dice of a card as Ann sees them."""
    return here.users["ann"].page.locator(f'[data-message-id="{message["id"]}"] .roll.die{marked}')


async def check(room: Room, name: str, faces: list[int]) -> None:
    """Let a new character roll a check that nobody helps."""
    key = name.lower()
    await room.add_character(name, id=key)
    await room.submit({"type": "propose_check", "id": f"of-{key}", "character_id": key, "score": 3})
    await room.submit({"type": "adjust_check", "check_id": f"of-{key}", "approve": True})
    await room.submit({"type": "roll_check", "check_id": f"of-{key}", "character_id": key, "faces": faces})


async def test_the_dice_that_decide_are_gold_and_a_word_says_how_it_came_out(here: Gathering, ready: Room):
    await check(ready, "Wren", [5, 5, 2])
    await check(ready, "Heron", [1, 1, 1])
    await ready.submit({"type": "roll_dice", "pool": 2, "faces": [6, 6]})

    success, fumble, plain = await here.messages(3)

    assert await dice_in(here, success, ".dreadclock-gold").all_text_contents() == ["5", "5"]
    assert await dice_in(here, success).all_text_contents() == ["5", "5", "2"]
    assert "Success" in success["content"]
    assert "Fumble" in fumble["content"]
    for other in (fumble, plain):
        assert await dice_in(here, other, ".dreadclock-gold").count() == 0
    assert [each["alias"] for each in (success, fumble, plain)] == ["Wren", "Heron", "Gm"]


async def test_a_contest_is_decided_on_the_card_of_its_last_part_for_both_sides(here: Gathering, ready: Room):
    await ready.submit({"type": "propose_check", "id": "duel", "character_id": "rook", "score": 2, "contest": True})
    await ready.submit({"type": "oppose_check", "check_id": "duel", "character_id": "sparks", "score": 2})
    await ready.submit({"type": "adjust_check", "check_id": "duel", "approve": True})
    for name, faces in (("rook", [6, 2, 3]), ("sparks", [4, 4])):
        await ready.submit({"type": "roll_check", "check_id": "duel", "character_id": name, "faces": faces})

    first, last = await here.messages(2)

    assert await dice_in(here, first, ".dreadclock-gold").count() == 0  # nothing is decided yet
    assert await dice_in(here, last).all_text_contents() == ["6", "2", "3", "4", "4"]
    assert await dice_in(here, last, ".dreadclock-gold").all_text_contents() == ["6"]
    assert "Rook wins" in last["content"]
    assert last["faces"] == [[4, 4]]  # only these are thrown now


async def test_crises_stages_races_and_ends_of_countdowns_are_told_with_the_roll_or_alone(here: Gathering, ready: Room):
    stages = [{"at": 2, "effect": "dizzy"}]
    await ready.start_countdown(
        "Gas", pool=3, id="gas", stages=stages, ending="Nobody wakes.", about="rook", bound_to="nothing"
    )
    await ready.submit({"type": "roll_countdown", "countdown_id": "gas", "faces": [6, 1, 1]})
    await ready.submit({"type": "roll_countdown", "countdown_id": "gas", "faces": [6, 6]})
    await ready.open_scene("The pier", 8, id="pier")
    race = {"scene_id": "pier", "kind": "race", "content": "exploration", "level": 5, "difficulty": "normal"}
    await ready.submit({"type": "start_situation", "id": "tide", "name": "The tide", "clock": 3, **race})
    await ready.submit({"type": "end_scene", "scene_id": "pier"})

    dizzy, over, lost = await here.messages(3)

    assert [each["alias"] for each in (dizzy, over, lost)] == ["Rook", "Rook", "Gm"]
    assert [each["faces"] for each in (dizzy, over, lost)] == [[[6, 1, 1]], [[6, 6]], []]
    assert "dizzy" in dizzy["content"]
    assert "1 leaves" in dizzy["content"]
    assert "Nobody wakes." in over["content"]
    assert "It ends" in over["content"]
    assert "The tide" in lost["content"]
    await here.later()
    assert len(await here.messages(3)) == 3  # and nobody tells of a part of a card again


async def test_a_push_is_a_button_for_its_owner_alone_and_gone_with_the_offer(here: Gathering, ready: Room):
    gm, ann, ben = (here.users[name] for name in ("gm-a", "ann", "ben"))
    await ready.submit({"type": "propose_total", "id": "lock-2", "character_id": "rook", "attribute": "Wits"})
    await ready.submit({"type": "set_required", "total_id": "lock-2", "required": 17, "crisis": "physical"})
    await ready.submit({"type": "roll_total", "total_id": "lock-2", "faces": [5, 3, 3]})
    stake = {"crisis": "physical", "description": "a crushed hand", "until": 2}
    await ready.submit({"type": "offer_push", "total_id": "lock-2", **stake})
    missed, offer = await here.messages(2)
    assert "8 of 17" in missed["content"]
    assert await dice_in(here, missed, ".discarded").all_text_contents() == ["3"]
    assert await dice_in(here, offer, ".dreadclock-blood").all_text_contents() == ["3", "5"]
    assert "button" not in offer["content"]

    push = ann.page.locator(".dreadclock-push")
    await expect(push).to_have_count(1)
    await ann.enter()  # Foundry has drawn the card before the module knows the table
    await ann.seated()
    await expect(push).to_have_count(1)
    await expect(push).to_contain_text("2 in 6")
    for other in (gm, ben):
        await other.do("api.send({ type: 'narrate', text: 'done' })")  # what changes a view draws buttons, too
        await expect(other.page.locator(".dreadclock-push")).to_have_count(0)
    await push.click()
    await expect(push).to_have_text("Press again to push")
    assert len(await here.messages(2)) == 2
    await ann.page.clock.fast_forward(5_000)  # without a second press, nothing happens
    await expect(push).to_contain_text("2 in 6")

    await push.click()
    await push.click()
    pushed = (await here.messages(3))[-1]
    total = (await ann.do("Object.fromEntries(api.view().totals)"))["lock-2"]
    if total["status"] == "offered":  # the second push is on the newest card alone
        await expect(ann.page.locator(f'[data-message-id="{pushed["id"]}"] .dreadclock-push')).to_have_count(1)
        await expect(push).to_have_count(1)
        await ready.submit({"type": "stop_pushing", "total_id": "lock-2"})
    await expect(push).to_have_count(0)


async def test_a_crisis_is_red_and_speaks_as_the_character(here: Gathering, ready: Room):
    await ready.submit({"type": "propose_total", "id": "leap", "character_id": "sparks", "attribute": "Wits"})
    await ready.submit({"type": "set_required", "total_id": "leap", "required": 17})
    await ready.submit({"type": "roll_total", "total_id": "leap", "faces": [5, 3, 1]})
    await ready.submit({"type": "offer_push", "total_id": "leap"})
    await ready.submit({"type": "push_luck", "total_id": "leap", "faces": [5]})
    await ready.submit(
        {"type": "describe_crisis", "total_id": "leap", "kind": "mental", "description": "Shaking hands."}
    )

    *_, broken, described = await here.messages(4)

    assert await dice_in(here, broken, ".dreadclock-blood").all_text_contents() == ["5"]
    assert "Crisis" in broken["content"]
    assert "Shaking hands." in described["content"]
    assert [each["alias"] for each in (broken, described)] == ["Sparks", "Sparks"]
    line = here.users["ben"].page.locator(f'[data-message-id="{described["id"]}"] .dreadclock-told.lost')
    await expect(line).to_have_count(1)
