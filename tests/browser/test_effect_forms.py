"""The gm's forms for what happens by itself: what fumble effects do, and what the stage at a countdown's start does."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

import dreadclock
from dreadclock import Room
from dreadclock.wire.things import FumbleDoes, Special
from kit.browser.company import company_at, link
from kit.browser.labels import label, words
from kit.browser.reuse import Places
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

HAN = "character:han"
SPECIALS: list[dict[str, Any]] = [{"name": "Climber", "starred": True}, {"name": "Driver"}, {"name": "Cook"}]
CLIMBER, DRIVER, COOK = Special(name="Climber", starred=True), Special(name="Driver"), Special(name="Cook")
FALLS = [{"does": "leave", "fate": "dies"}]
HANGS = [{"does": "give_state", "name": "hanging"}, {"does": "set_fumble", "text": "you fall", "do": FALLS}]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """One table for all tests, with Han, who dies in the last one."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.add_character("Han", id="han", owner=table.seat("ann"), specials=SPECIALS)
    return table


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def seats(browser: Browser, server: Server, places: Places, table: Table) -> AsyncIterator[Mapping[str, Seat]]:
    """The gm and ann, whose pages stay open."""
    async with company_at(browser, server, places) as company:
        yield await company.sit(table, "gm", "ann")


async def choose(form: Locator, name: str, key: str) -> None:
    """Choose in a field by the label's key; a tab in its name stands before the place of a row."""
    await form.locator(f'[name="{name}"]').select_option(label=words(key))


async def fumble(room: Room, name: str) -> None:
    """Let Han fumble a check of one die."""
    await room.propose_check("han", score=1, id=name)
    await room.roll_check(name, character_id="han", faces=[1])


async def hang_in(gm: Seat) -> None:
    """Enter what the fumble effect does: Han hangs, and the next fumble lets him fall."""
    form = await gm.unfold("gm.effects.standing", gm.thing(HAN))
    await form.get_by_label(label("gm.fumble_effects")).fill("you hang")
    await expect(form.get_by_role("group", name=label("gm.fumble_does", effect="you hang"))).to_be_visible()
    await choose(form, "does:you hang\t0", "gm.does.give_state")
    await form.locator('[name="name:you hang\t0"]').fill("hanging")
    await choose(form, "does:you hang\t1", "gm.does.set_fumble")
    await form.locator('[name="text:you hang\t1"]').fill("you fall")
    await choose(form, "does:you hang\t1\t0", "gm.does.leave")
    await choose(form, "fate:you hang\t1\t0", "gm.effect.dies")
    await gm.send("gm.effects.set", form)


async def test_several_special_attributes_are_chosen_where_the_room_allows_it(seats: Mapping[str, Seat]):
    gm, ann = seats["gm"], seats["ann"]

    form = await gm.unfold("gm.total.propose")
    await gm.fill(form, {"form.special": "Climber ★"})
    await expect(form.get_by_label("+ Driver")).to_have_count(0)
    await gm.unfold("gm.rules.show")
    rules = gm.page.locator('[data-form="room:policy"]')
    await gm.fill(rules, {"gm.specials.rule": "gm.specials.rule.several"})
    await gm.send("gm.change", rules)
    await gm.unfold("gm.story")
    for seat in (gm, ann):
        told = "a total may use several special attributes"
        await expect(seat.page.get_by_role("log").get_by_text(told, exact=False)).to_be_visible()
    await expect(gm.page.locator("[data-part=policy]")).to_contain_text(label("gm.specials.several.said"))
    await gm.page.keyboard.press("Escape")

    await proposed_by_the_gm(gm)
    await proposed_by_the_player(ann)

    own, gms = (await ann.view()).totals.values()
    assert [(each.special, each.more_specials, each.pool) for each in (own, gms)] == [
        (CLIMBER, (DRIVER,), 6),
        (DRIVER, (CLIMBER, COOK), 5),
    ]
    for seat in (gm, ann):
        await expect(seat.thing(f"total:{own.id}")).to_contain_text("Climber 2, Driver 1")
        await seat.shows_what_the_server_says()


async def proposed_by_the_gm(gm: Seat) -> None:
    form = await gm.unfold("gm.total.propose")
    await gm.fill(form, {"form.special": "Climber ★"})
    await gm.fill(form, {"+ Driver": True})
    await expect(form.locator("[data-part=pool]")).to_have_text(label("dice", number=6))
    await gm.send("gm.total.set", form)


async def proposed_by_the_player(ann: Seat) -> None:
    form = await ann.unfold("my.total", ann.thing(HAN))
    await ann.fill(form, {"form.score": 1, "form.special": "Driver"})
    await ann.fill(form, {"+ Climber ★": True, "+ Cook": True})
    await ann.send("my.propose", form)


async def test_what_fumbles_bring_in_one_check_is_entered_and_shown(seats: Mapping[str, Seat], table: Table):
    async with dreadclock.connect(link(table, "ann")) as own:
        await own.propose_check("han", score=2, purpose="to jump", id="jump")
    gm, ann = seats["gm"], seats["ann"]

    form = (await gm.unfold("gm.change", gm.thing("check:jump"))).locator("form")
    await form.locator("summary", has_text=label("gm.effects")).click()
    await form.get_by_label(label("gm.fumble_effects")).fill("you drop it")
    await choose(form, "does:you drop it\t0", "gm.does.tell")
    await form.locator('[name="text:you drop it\t0"]').fill("It falls for a long time.")
    await gm.send("gm.approve", form)

    for seat in (gm, ann):
        said = 'If a fumble brings "you drop it": "It falls for a long time." is added to the log.'
        await expect(seat.thing("check:jump").locator("[data-part=fumble]")).to_have_text(said)
    check = (await gm.view()).checks["jump"]
    assert [each.effect for each in check.fumble_does] == ["you drop it"]
    assert check.status == "ready"


async def test_what_a_countdown_does_as_it_starts_is_entered_in_its_form(seats: Mapping[str, Seat], room: Room):
    await room.start_clock("The guards wake", 4, id="alarm", direction="up")
    gm, ann = seats["gm"], seats["ann"]

    form = await gm.unfold("gm.countdown.start")
    await gm.fill(form, {"form.name": "Fire", "form.dice": 5})
    await gm.unfold("form.stages", form)
    await form.locator('[name="at0"]').fill("4")
    await form.locator('[name="effect0"]').fill("smoke")
    await expect(form.locator('[name="does:start\t0"]')).to_have_count(0)
    await form.locator('[name="at0"]').fill("5")
    await choose(form, "does:start\t0", "gm.does.tick")
    await form.locator('[name="by:start\t0"]').fill("2")
    await gm.send("form.start", form)

    for seat in (gm, ann):
        await expect(seat.page.get_by_text("The guards wake", exact=False).first).to_be_visible()
        await seat.shows_what_the_server_says()
    assert (await ann.view()).clocks["alarm"].value == 2


async def test_a_fumble_effect_that_the_gm_enters_sets_another_and_both_happen(seats: Mapping[str, Seat], room: Room):
    gm, ann = seats["gm"], seats["ann"]

    await hang_in(gm)

    hangs = FumbleDoes.model_validate_json(json.dumps({"effect": "you hang", "do": HANGS}))
    said = (
        'If a fumble brings "you hang": the character who fumbles: hanging; '
        'the character who fumbles: new fumble effect "you fall" (the character who fumbles dies).'
    )
    for seat in (gm, ann):
        await expect(seat.thing(HAN).locator("[data-part=fumble]")).to_have_text(said)
    effects = (await gm.view()).characters["han"].effects
    assert effects is not None
    assert effects.fumble_does == (hangs,)

    form = (await gm.unfold("gm.effects.standing", gm.thing(HAN))).locator("form")
    await form.get_by_label(label("gm.stunts")).fill("over the railing")
    await gm.send("gm.effects.set", form)
    assert await kept(gm) == (("over the railing",), (hangs,))

    await fumble(room, "first")
    then = 'If a fumble brings "you fall": the character who fumbles dies.'
    for seat in (gm, ann):
        await expect(seat.thing(HAN).locator("[data-part=fumble]")).to_have_text([said, then])
        await expect(seat.thing(HAN).get_by_text("hanging", exact=True)).to_be_visible()
    await fumble(room, "second")
    for seat in (gm, ann):
        await expect(seat.page.get_by_text("Han dies", exact=False).first).to_be_visible()
        await seat.shows_what_the_server_says()
    assert (await ann.view()).characters["han"].status == "dead"


async def kept(gm: Seat) -> tuple[tuple[str, ...], tuple[FumbleDoes, ...]]:
    effects = (await gm.view()).characters["han"].effects
    return (effects.stunts, effects.fumble_does) if effects else ((), ())
