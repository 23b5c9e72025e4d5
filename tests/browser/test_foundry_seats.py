"""The module for Foundry VTT, in a stub of it: how users come to their seats, and that nobody gets another's."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

from kit.foundry.module import MISSING, find_handlebars
from kit.foundry.users import Gathering, User
from kit.waiting import until, until_equal

VIEW = "game.modules.get('dreadclock').api.view()"
pytestmark = pytest.mark.skipif(find_handlebars() is None, reason=MISSING)


@pytest_asyncio.fixture(loop_scope="session")
async def here(world: Gathering) -> AsyncIterator[Gathering]:
    """The world with a gm who sits at the table, in whatever seats the others were left by the test before."""
    if "gm-a" not in world.users:
        await world.come("gm-a", by_hand=True)
    async with world.part():
        yield world


async def seatless(here: Gathering, name: str) -> User:
    """Let a user be here whom nobody has handed a seat, with a browser that keeps nothing."""
    if name in here.users and "dreadclock.links" not in await here.users[name].kept():
        return here.users[name]
    if name in here.users:
        await here.leave(here.users[name])
    gm = here.users["gm-a"]
    await gm.do(f"game.users.get('{name}').unsetFlag('dreadclock', 'seat')")
    seats = {user: seat for user, seat in seats_of(here).items() if user != name}
    await gm.do(f"game.settings.set('dreadclock', 'seats', {json.dumps(seats)})")
    here.host.sent[name].clear()
    (user,) = await here.come(name, sits=False)
    return user


async def seated(here: Gathering) -> User:
    """Let Ann be here, in her seat, which the gm handed her."""
    if "ann" in here.users and seats_of(here).get("ann") == here.table.seat("ann"):
        return here.users["ann"]
    ann = await seatless(here, "ann")
    await hand(here, "ann", f"player:{here.table.seat('ann')}")
    await takes(ann)
    return ann


def seats_of(here: Gathering) -> dict[str, str]:
    """Return who was handed which seat, as the world keeps it."""
    return dict(here.host.world.settings.get("dreadclock.seats", {}))


async def hand(here: Gathering, to: str, choice: str) -> None:
    """Let the gm hand a seat over in the window of seats."""
    gm = here.users["gm-a"]
    await gm.do("api.openSeats()")
    row = gm.page.locator(f'[data-user-row="{to}"]')
    await row.locator("select").select_option(choice)
    await row.get_by_role("button", name="Give this seat").click()


async def takes(user: User) -> None:
    """Let a user say yes to the seat that is handed over: Foundry 13 does not tell by whom."""
    await user.page.locator('dialog [data-action="yes"]').click()
    await user.seated()


async def query(user: User, to: str, name: str, data: object) -> object:
    """Let a user's browser ask another's, as any script in it can."""
    script = f"game.users.get('{to}').query('dreadclock.{name}', {json.dumps(data)}, {{ timeout: 5000 }})"
    return await user.page.evaluate(script)


async def run_ahead(here: Gathering) -> None:
    """Let the time pass in which the gm's browser hands nobody the same seat again."""
    await here.users["gm-a"].page.clock.fast_forward(10_000)


async def seat_of(user: User) -> str:
    return str(await user.do("game.user.getFlag('dreadclock', 'seat')?.seat ?? ''"))


async def test_a_gm_hands_over_a_seat_and_it_is_still_there_after_a_reload(here: Gathering):
    ann, ben = await seatless(here, "ann"), await seatless(here, "ben")

    await hand(here, "ann", f"player:{here.table.seat('ann')}")
    await takes(ann)
    await hand(here, "ben", "player:")
    await takes(ben)

    assert await seat_of(ann) == here.table.seat("ann")
    chosen = here.users["gm-a"].page.locator('[data-user-row="ben"] select option')
    assert "Ann (player) · Ann has this seat" in await chosen.all_inner_texts()
    assert seats_of(here) == {"ann": here.table.seat("ann"), "ben": await seat_of(ben)}
    assert await ben.do("api.view().seats.get(game.user.getFlag('dreadclock', 'seat').seat).name") == "Ben"
    await ann.enter()
    await ann.page.wait_for_function(VIEW)


async def test_a_user_with_another_browser_asks_for_her_own_seat_and_gets_it(here: Gathering):
    await here.leave(await seated(here))
    here.host.world.users["ann"]["flags"] = {}
    (ann,) = await here.come("ann", sits=False)
    await run_ahead(here)

    await ann.do("api.openSeats()")
    await ann.page.locator("#dreadclock-seats").get_by_role("button", name="Ask the gm for my seat").click()
    await takes(ann)

    assert await seat_of(ann) == here.table.seat("ann")


async def test_a_seat_that_is_not_taken_has_its_token_revoked(here: Gathering):
    ann = await seated(here)
    tokens = await tokens_of(here)

    await hand(here, "ann", f"player:{here.table.seat('ben')}")
    await until_equal(lambda: tokens_of(here), tokens + 1)
    await ann.page.locator('dialog [data-action="no"]').click()

    await until_equal(lambda: tokens_of(here), tokens)
    assert await seat_of(ann) == here.table.seat("ann")


async def tokens_of(here: Gathering) -> int:
    async with here.table.http("gm") as http:
        return len((await http.get(here.table.path("/tokens"))).json())


async def test_a_user_who_asks_for_anothers_seat_is_refused_and_learns_nothing(here: Gathering):
    ann, ben = await seated(here), await seatless(here, "ben")
    await run_ahead(here)
    before = await ann.kept()

    asked = [
        {"user": "ben", "seat": here.table.seat("ann")},
        {"user": "ben", "seat": "gm"},
        {"user": "ben"},
        {"user": "nobody"},
        {"user": ["ann"], "seat": here.table.seat("ann")},
        {},
        None,
    ]
    answers = [await query(ben, "gm-a", "ask", data) for data in asked]
    assert answers[:3] == [{"refused": "not_yours"}, {"refused": "not_yours"}, {"refused": "not_assigned"}]
    assert answers[3:] == [{"refused": "no_user"}] * 4
    assert await query(ben, "ann", "ask", {"user": "ben", "seat": here.table.seat("ann")}) == {"refused": "not_gm"}

    assert await query(ben, "gm-a", "ask", {"user": "ann"}) == {"done": True}  # as if Ann had asked: she is, not Ben
    dialog = ann.page.locator("dialog")
    await dialog.locator('[data-action="no"]').click()
    await until(lambda: here.users["gm-a"].do("true"))
    assert await ann.kept() == before
    assert "token" not in "".join(here.host.sent["ben"])
    assert await seat_of(ben) == ""
    await expect(here.users["gm-a"].page.locator("#notifications")).to_contain_text("Ben asks for a seat")


async def test_nobody_moves_a_user_who_sits_and_nothing_but_a_token_is_taken(here: Gathering):
    ann, ben = await seated(here), await seatless(here, "ben")
    before = await ann.kept()

    bad = [{}, {"token": 7}, {"token": "../evil"}, {"token": "x" * 81}, {"link": "https://evil.example/r/x#y"}, None]
    assert [await query(ben, "ann", "seat", data) for data in bad] == [{"refused": "no_table"}] * len(bad)

    token = here.table.token("ben")
    await ben.page.evaluate(
        f"void (globalThis.asked = game.users.get('ann').query('dreadclock.seat', {{ token: '{token}' }}))"
    )
    await ann.page.locator('dialog [data-action="no"]').click()
    assert await ben.page.evaluate("asked") == {"refused": "not_taken"}
    assert await ann.kept() == before


async def test_nobody_puts_a_user_without_a_seat_into_one_unasked(here: Gathering):
    ann, ben = await seated(here), await seatless(here, "ben")
    token = here.table.token("ben")
    await ann.page.evaluate(
        f"void (globalThis.asked = game.users.get('ben').query('dreadclock.seat', {{ token: '{token}' }}))"
    )
    dialog = ben.page.locator("dialog")
    await expect(dialog).to_contain_text("gives you a seat at the table. Take it?")
    await dialog.locator('[data-action="no"]').click()
    assert await ann.page.evaluate("asked") == {"refused": "not_taken"}
    assert await seat_of(ben) == ""


async def test_a_link_that_opens_nothing_is_said_to_and_a_right_one_leads_to_its_seat(here: Gathering):
    ben = await seatless(here, "ben")
    await ben.do("api.openSeats()")
    seats, notices = ben.page.locator("#dreadclock-seats"), ben.page.locator("#notifications li")
    before = await notices.count()

    for link in ("", "no link", f"{here.server.url}/r/{'a' * 26}#{here.table.token('ben')}"):
        await seats.locator("input").fill(link)
        await seats.get_by_role("button", name="Sit down").click()
    await expect(notices).to_have_count(before + 3)
    await expect(notices.last).to_contain_text("another table")

    await seats.locator("input").fill(f"{here.server.url}/r/{here.table.id}#{'A' * 22}")
    await seats.get_by_role("button", name="Sit down").click()
    await expect(seats.get_by_role("status")).to_contain_text("no longer opens a seat")

    await ben.sit(here.link("ben"))
    assert await seat_of(ben) == here.table.seat("ben")


async def test_a_second_gm_is_handed_the_gms_seat_and_no_player_can_be(here: Gathering):
    gm = here.users["gm-a"]
    await gm.do("api.openSeats()")
    choices = gm.page.locator('[data-user-row="ann"] option')
    assert "gm:gm" not in [await each.get_attribute("value") for each in await choices.all()]

    button = gm.page.locator('[data-user-row="gm-b"] button')
    await expect(button).to_be_disabled()
    (other_gm,) = await here.come("gm-b", sits=False)
    await expect(button).to_be_enabled()
    await hand(here, "gm-b", "gm:gm")
    await takes(other_gm)
    assert await seat_of(other_gm) == "gm"
    assert await (await other_gm.panel()).get_by_role("button", name="End turn").count() == 1

    await here.leave(other_gm)
    await expect(button).to_be_disabled()


async def test_where_foundry_says_who_asks_nobody_asks_for_others_or_hands_seats_without_being_gm(here: Gathering):
    gm, ann = here.users["gm-a"], await seated(here)
    ben = here.users["ben"] if "ben" in here.users else await seatless(here, "ben")
    await asyncio.gather(*(user.enter(v="14") for user in (gm, ann, ben)))
    await gm.seated()

    assert await query(ben, "gm-a", "ask", {"user": "ann"}) == {"refused": "not_yours"}
    assert await query(ben, "ann", "seat", {"token": here.table.token("ben")}) == {"refused": "not_gm"}
    assert await query(ann, "gm-a", "ask", {"user": "ann"}) == {"done": True}
    await sits_again_before_it_is_noted_that_she_got_up(here, ann)
    await a_note_that_is_never_answered_holds_up_no_later_one(gm, ann)
    await here.among()  # whoever plays on comes to a world that does not say it


async def sits_again_before_it_is_noted_that_she_got_up(here: Gathering, ann: User) -> None:
    """Say yes to a seat while Foundry is slow: in the end all have to know where she sits."""
    await ann.seated()
    here.host.flagging.clear()
    here.host.takes_flags.clear()
    await ann.page.locator('dialog [data-action="yes"]').click()
    await until(lambda: here.host.flagging == ["ann"])
    await ann.page.wait_for_function(f"{VIEW} !== null")
    here.host.takes_flags.set()
    await until(lambda: here.host.flagging == ["ann"] * 2)
    await ann.seated()


async def a_note_that_is_never_answered_holds_up_no_later_one(gm: User, ann: User) -> None:
    """Lose a note of where Ann sits on its way: the next one is made all the same, if a little later."""
    await gm.do("game.users.get('ann').unsetFlag('dreadclock', 'seat')")
    await ann.page.wait_for_function("!game.user.getFlag('dreadclock', 'seat')")
    await ann.page.evaluate("() => { game.user.setFlag = () => (delete game.user.setFlag, new Promise(() => {})); }")
    await gm.do("api.rollDice(1)")
    await ann.page.wait_for_function("!Object.hasOwn(game.user, 'setFlag')")
    await gm.do("api.rollDice(1)")
    await ann.page.clock.fast_forward(10_000)
    await ann.seated()
