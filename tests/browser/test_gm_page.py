"""The gm's page: what numbers mean while she turns them, links she hands out, and what asks before it is done."""

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from kit.browser.company import Company, company_at, give
from kit.browser.labels import label
from kit.browser.reuse import Places
from kit.browser.scripts import script
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until_equal

DUEL = {"check_id": "duel"}


def person(table: Table, name: str, owner: str | None = "ann", **attributes: int) -> dict[str, Any]:
    """Return the command that brings a character into play; its id is its name."""
    seat = table.seat(owner) if owner else None
    return {"type": "add_character", "id": name.lower(), "name": name, "owner": seat, "attributes": attributes}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(server: Server) -> Table:
    """A table with Rook, who is Ann's, for all tests of this file: each leaves nothing there that waits."""
    table = await open_table(server)
    await give(table, "gm", person(table, "Rook", Might=4, Stealth=4, Wits=4, Grip=3))
    return table


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def seats(browser: Browser, server: Server, places: Places, table: Table) -> AsyncIterator[Mapping[str, Seat]]:
    """The pages of the gm and of Ann."""
    async with company_at(browser, server, places) as company:
        yield await company.sit(table, "gm", "ann")


async def settled(form: Locator) -> None:
    """Return once the odds in a form are those of what stands in it now."""
    await form.page.evaluate(script("nextPicture"))
    await form.locator("[aria-busy=false] > .odds, [aria-busy=false] > figure").first.wait_for()


async def see(seat: Seat, place: str, expected: str) -> None:
    """Return once this is what stands in a place."""
    await until_equal(seat.page.locator(place).inner_text, expected)


async def test_what_waits_lies_on_the_gms_desk_with_its_odds_until_answered(seats: Mapping[str, Seat], table: Table):
    gm, ann = seats["gm"], seats["ann"]
    desk = gm.page.locator('[data-place="desk"]')
    assert await desk.count() == 0

    check = {"type": "propose_check", "id": "door", "character_id": "rook", "attribute": "Might"}
    total = {"type": "propose_total", "id": "lift", "character_id": "rook", "attribute": "Might"}
    sheet = {"type": "update_character", "character_id": "rook", "attributes": {"Might": 9}}
    await give(table, "ann", check, total, {**check, "id": "gate", "purpose": "the gate"}, sheet)

    await desk.locator('[data-thing="check:door"]').wait_for()
    await gm.unfold("gm.story")
    for thing, said in (("check:gate", "It is too far."), ("sheet:rook", "Nobody is that strong.")):
        await gm.enter(
            "gm.decline", {"gm.decline.word": said}, "gm.decline.send", desk.locator(f'[data-thing="{thing}"]')
        )
        await expect(gm.page.locator(".chronicle li").filter(has_text=said).first).to_be_visible()
    assert (await gm.view()).characters["rook"].attributes["Might"] == 4
    declined = ann.page.locator("[data-part=declined]")
    await expect(declined).to_contain_text(re.compile("the gate.*It is too far", re.DOTALL))
    await declined.get_by_role("button").click()
    await expect(declined).to_have_count(0)
    await gm.send("gm.total.approve", desk.locator('[data-thing="total:lift"]'))
    await gm.send("gm.approve", desk.locator('[data-thing="check:door"]'))
    await desk.wait_for(state="detached")
    assert await gm.thing("check:door").get_attribute("data-state") == "ready"
    assert await gm.thing("total:lift").get_attribute("data-state") == "ready"
    unfinished = gm.page.locator("[data-part=unfinished]")  # beside the button that ends the turn
    await expect(unfinished).to_have_text(label("gm.turn.unfinished", names="Rook · Rook"))

    check = {"type": "propose_check", "id": "nave", "character_id": "rook", "attribute": "Stealth", "purpose": "sneak"}
    total = {"type": "propose_total", "id": "pick", "character_id": "rook", "attribute": "Wits"}
    await give(table, "ann", check, total)
    await the_check_is_as_she_thought(gm)
    await the_number_is_as_she_thought(gm)


async def the_check_is_as_she_thought(gm: Seat) -> None:
    form = (await gm.unfold("gm.change", gm.thing("check:nave"))).locator("form")
    before = await gm.page.locator('[data-thing="check:nave"] > [data-part=odds]').inner_text()

    await gm.fill(form, {"form.bonus": 60})
    await expect(form.locator("[data-part=odds]")).to_have_count(0)  # too many dice: the server would refuse to compute
    await gm.fill(form, {"form.penalty": 3, "form.bonus": 1})
    await settled(form)

    thought = await form.locator("[data-part=odds]").inner_text()
    await gm.send("gm.approve", form)
    await see(gm, '[data-thing="check:nave"] > [data-part=odds]', thought)
    part = (await gm.view()).public.checks["nave"].parts[0]
    assert (part.score, part.bonus, part.penalty) == (4, 1, 3)
    assert thought != before


async def the_number_is_as_she_thought(gm: Seat) -> None:
    form = (await gm.unfold("gm.required.name", gm.thing("total:pick"))).locator("form")

    await gm.fill(form, {"gm.required": 17})

    await gm.page.locator("[data-part=reaching] text.chosen", has_text="17").wait_for()
    await settled(form)
    reaches = await form.locator('[data-part="gm.required.reaches"]').inner_text()
    pushing = await form.locator('[data-part="odds.reaches_pushing"]').inner_text()
    await gm.send("gm.required.set", form)
    card = '[data-thing="total:pick"] > [data-part=odds]'
    await see(gm, f'{card} [data-part="odds.reaches_pushing"]', pushing)
    await see(gm, f'{card} [data-part="odds.reaches"]', label("odds.reaches", chance=reaches.split("%")[0] + "%"))


async def test_one_press_approves_a_total_with_the_number_that_its_form_shows(seats: Mapping[str, Seat], table: Table):
    gm, ann = seats["gm"], seats["ann"]
    total = {"type": "propose_total", "id": "haul", "character_id": "rook", "attribute": "Might"}
    await give(table, "ann", total, total | {"id": "solve", "attribute": "Wits"})
    number = gm.field(label("gm.required"), await gm.unfold("gm.required.name", gm.thing("total:haul")))
    await expect(number).to_have_value("12")
    await gm.page.keyboard.press("Escape")

    await gm.thing("total:haul").get_by_role("button", name=re.compile("Approve · needs 12")).click()
    roll = ann.thing("total:haul").get_by_role("button", name=re.compile(label("my.roll", dice=4)))
    await expect(roll).to_have_class(re.compile(r"\bmain\b"))
    haul = (await gm.view()).totals["haul"]
    assert (haul.status, haul.required) == ("ready", 12)

    await gm.send("gm.total.approve", gm.thing("total:solve"))
    solve = ann.thing("total:solve")
    await expect(solve).to_contain_text(label("my.total_unnamed"))
    roll = solve.get_by_role("button", name=re.compile(label("my.roll", dice=4)))
    await expect(roll).not_to_have_class(re.compile(r"\bmain\b"))
    await roll.click()
    await expect(solve).to_have_attribute("data-state", "rolled")
    await give(table, "gm", {"type": "judge_total", "total_id": "solve", "enough": True})


async def test_a_contest_says_that_nobody_can_oppose_it_and_takes_a_foe_without_sheet(
    seats: Mapping[str, Seat], table: Table
):
    contest = {"type": "propose_check", "id": "duel", "character_id": "rook", "score": 2, "contest": True}
    dice = {"type": "set_policy", "physical_dice": "everyone"}
    await give(table, "gm", dice, contest, {"type": "adjust_check", "approve": True} | DUEL)
    gm = seats["gm"]
    duel = gm.thing("check:duel")

    await expect(duel).to_contain_text(label("gm.check.nobody"))
    await expect(gm.page).to_have_title(re.compile(r"^\(1\) "))

    await give(table, "gm", person(table, "Turret", None, Aim=2))
    await expect(duel).not_to_contain_text(label("gm.check.nobody"))
    await expect(gm.folded(label("gm.check.oppose"), duel)).to_be_visible()

    await give(table, "gm", {"type": "oppose_check", "character_id": "turret", "attribute": "Aim"} | DUEL)
    await give(table, "gm", {"type": "adjust_check", "approve": True} | DUEL)
    withdraw = gm.page.locator('[data-key="check:duel:withdraw:ask"]')
    await gm.page.locator('[data-place="menu:check:duel"] > summary').click()
    await expect(withdraw).to_be_visible()

    await give(table, "gm", {"type": "roll_check", "character_id": "rook", "faces": [6, 3, 1]} | DUEL)

    await expect(withdraw).to_have_count(0)
    await expect(duel.locator("[data-part=odds]")).to_have_count(0)
    await expect(duel).to_contain_text(label("check.more", number=1))
    await give(table, "gm", {"type": "roll_check", "character_id": "turret", "faces": [6, 5, 6, 6, 1]} | DUEL)
    winner = gm.page.locator('[data-thing="check:duel"] [data-part=result] .badge').first
    await expect(winner).to_contain_text(label("check.winner", names=["Turret"], how=""))
    await give(table, "gm", {"type": "take_out_of_play", "character_id": "turret", "fate": "leaves"})
    await an_opponent_without_a_sheet_brings_the_score_that_was_typed_and_none_unasked(gm, table)


async def an_opponent_without_a_sheet_brings_the_score_that_was_typed_and_none_unasked(gm: Seat, table: Table) -> None:
    check = {"type": "propose_check", "id": "joust", "character_id": "rook", "attribute": "Might", "contest": True}
    turret = person(table, "Turret", None, Aim=6) | {"id": "gm-turret", "visibility": "gm"}
    await give(table, "gm", turret, check)
    form = (await gm.unfold("gm.check.oppose", gm.thing("check:joust"))).locator("form")

    shows = form.get_by_text(label("gm.check.shows", name="Turret"))
    await expect(shows).to_be_visible()
    await gm.fill(form, {"gm.check.opponent": "The mob"})
    await expect(gm.field(label("form.character"), form)).to_have_count(0)
    await expect(shows).to_have_count(0)
    await expect(form.locator("[data-part=odds]")).to_have_count(0)
    sent = len(gm.wire.commands())
    await gm.press("gm.check.oppose", form)
    await expect(gm.field(label("gm.check.opponent_dice"), form)).to_be_focused()
    assert len(gm.wire.commands()) == sent

    await gm.fill(form, {"gm.check.opponent_dice": 2, "form.bonus": 1})
    await settled(form)
    thought = await form.locator("[data-part=odds]").inner_text()
    assert thought.startswith("Rook:")  # whose odds these are
    await gm.send("gm.check.oppose", form)

    mob = (await gm.view()).public.checks["joust"].parts[1]
    assert (mob.name, mob.score, mob.bonus) == ("The mob", 2, 1)
    await see(gm, '[data-thing="check:joust"] > [data-part=odds]', thought)

    all_in = {"type": "propose_check", "id": "all-in", "character_id": "rook", "attribute": "Might"}
    help_it = {"type": "help_check", "check_id": "all-in", "side": "acting", "character_id": "gm-turret", "score": 2}
    await give(table, "gm", all_in, help_it)  # everyone with a sheet takes part
    foe: dict[str, str | int] = {"gm.check.opponent": "The mob", "gm.check.opponent_dice": 3}
    await gm.enter("gm.check.oppose", foe, "gm.check.oppose", gm.thing("check:all-in"))
    assert (await gm.view()).public.checks["all-in"].parts[2].name == "The mob"
    await give(table, "gm", *({"type": "withdraw_check", "check_id": each} for each in ("joust", "all-in")))
    alarm = gm.page.locator("[data-place=alarm]")  # of dice that were rolled in the gm's name
    await alarm.get_by_role("button").click()
    await expect(alarm).to_have_count(0)


async def test_forms_say_what_comes_of_what_is_chosen_in_them(seats: Mapping[str, Seat], table: Table):
    await give(table, "gm", person(table, "Drone", None, Aim=3), person(table, "Wall", None))
    gm = seats["gm"]

    await a_countdown_is_marked_in_the_average_table_and_drawn_with_its_stages(gm)
    await a_countdown_takes_its_dice_from_an_attribute(gm)
    await an_attribute_that_another_character_lacks_is_not_kept_for_it(gm)


async def a_countdown_is_marked_in_the_average_table_and_drawn_with_its_stages(gm: Seat) -> None:
    form = (await gm.unfold("gm.countdown.start")).locator("form")
    await gm.fill(form, {"form.dice": 60, "gm.look": 100})
    await form.locator("[data-part=after]", has_text="33").wait_for()  # as many rolls as the server computes
    await gm.fill(form, {"form.name": "  ", "form.dice": 4, "form.speed": label("form.speed.medium")})
    await gm.button(label("form.start"), form).click()
    await expect(form.locator("[name=name]:invalid")).to_be_focused()
    await gm.fill(form, {"form.name": "Fuse"})
    stages = form.locator(".folded > summary", has_text=label("form.stages"))
    await stages.click()

    first = form.get_by_role("group", name=label("form.stage", number=1))
    for half in ({"form.stage_at": 1}, {"form.stage_at": "", "form.stage_effect": "sparks"}):
        await gm.fill(first, half)
        await expect(first.locator("input:invalid")).to_have_count(1)  # neither half is thrown away
    await stages.click()
    await gm.button(label("form.start"), form).click()
    await expect(first).to_be_visible()  # with the browser's reason
    await gm.fill(first, {"form.stage_at": "2.5"})
    await settled(form)  # no odds are asked for half a die: the server would refuse that
    await gm.fill(first, {"form.stage_at": 40})
    await expect(first).to_contain_text(label("form.stage_now"))
    await gm.fill(first, {"form.stage_at": 2, "form.stage_effect": "sparks"})
    await expect(first).not_to_contain_text(label("form.stage_now"))
    await gm.fill(form, {"gm.look": 3})

    await see(gm, ".averages .chosen", "6")
    await form.locator("[data-part=distribution] p", has_text=label("form.stage_mean", at=2, rolls="1.9")).wait_for()
    # (1 - (2/3)^3)^4 = (19/27)^4; two dice or fewer left of four that each stay with 8/27
    after = [label("gm.after_over", rolls=3, chance="25%"), label("gm.after_stage", at=2, chance="92%")]
    await see(gm, "[data-part=after]", " ".join(after))
    await gm.send("form.start", form)
    [fuse] = (await gm.view()).public.countdowns.values()
    assert [(stage.at, stage.effect) for stage in fuse.stages] == [(2, "sparks")]


async def a_countdown_takes_its_dice_from_an_attribute(gm: Seat) -> None:
    form = (await gm.unfold("gm.countdown.start")).locator("form")
    await settled(form)  # what comes below moves the rest up
    await gm.unfold("form.seldom", form)
    await gm.fill(form, {"form.name": "The ledge", "form.about": "Wall"})
    await expect(gm.field(label("form.from_attribute"), form)).to_have_count(0)

    await gm.fill(form, {"form.about": "Rook"})
    await gm.fill(form, {"form.from_attribute": "Grip 3"})

    await see(gm, "[data-part=pool]", label("form.from_attribute.pool", score=3))
    await see(gm, ".averages tr:first-of-type th:nth-child(4)", "3")
    await expect(form.locator(".averages tr:nth-of-type(2) td").nth(2)).to_have_class("chosen")
    await gm.send("form.start", form)
    ledge = list((await gm.view()).public.countdowns.values())[-1]
    assert (ledge.pool, ledge.about) == (3, "rook")


async def an_attribute_that_another_character_lacks_is_not_kept_for_it(gm: Seat) -> None:
    form = (await gm.unfold("gm.check.propose")).locator("form")
    await gm.fill(form, {"form.character": "Rook"})
    await gm.fill(form, {"form.attribute": "Stealth 4"})

    await gm.fill(form, {"form.character": "Drone"})

    await gm.send("gm.check.set", form)
    check = list((await gm.view()).public.checks.values())[-1]
    assert (check.parts[0].character_id, check.parts[0].attribute, check.parts[0].score) == ("drone", "Aim", 3)


async def test_a_link_opens_its_seat_until_withdrawn_and_final_acts_ask(
    company: Company, seats: Mapping[str, Seat], table: Table
):
    await give(table, "gm", {"type": "open_scene", "id": "vault", "name": "The vault", "clock": 8})
    gm = seats["gm"]
    form = (await gm.unfold("gm.invite")).locator("form")
    await gm.fill(form, {"form.name": "Zoe", "gm.invite.role": label("gm.role.spectator")})
    await gm.press("gm.invite.make", form)
    made = gm.page.locator("[data-part=link]")
    zoe = await company.come("zoe")

    await zoe.open(await made.locator("input[name=link]").input_value())
    await a_link_is_hidden_once_it_was_copied(gm, made)
    await gm.page.locator('[data-place="seats"] .mark.here').nth(1).wait_for()
    await gm.unfold("gm.tokens")
    token = gm.page.locator("li[data-token]", has_text="Zoe")
    await gm.press("gm.token.revoke", token)
    await gm.press("gm.token.revoke.yes", token)

    await zoe.stands("over")
    await token.wait_for(state="detached")
    await gm.page.keyboard.press("Escape")
    await expect(gm.page.locator(".items:popover-open")).to_have_count(0)
    await a_scene_ends_when_it_was_asked_once_more(gm)


async def a_link_is_hidden_once_it_was_copied(gm: Seat, made: Locator) -> None:
    """Copy a link, and show it once more."""
    link = await made.locator("input[name=link]").input_value()
    await gm.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    await gm.press("gm.copy", made)
    await expect(made.locator("input[name=link], .qr")).to_have_count(0)
    assert (await gm.page.evaluate("copied"), link.partition("#")[2] in await gm.page.content()) == (link, False)
    await gm.press("gm.link.show", made)
    await expect(made.locator("input[name=link]")).to_have_value(link)


async def a_scene_ends_when_it_was_asked_once_more(gm: Seat) -> None:
    scene = gm.thing("scene:vault")
    sent = len(gm.wire.commands())

    await gm.press("gm.scene.end", scene)
    await gm.press("gm.scene.end", scene)
    await gm.button(label("gm.scene.end.yes"), scene).wait_for(state="detached")
    await gm.press("gm.scene.end", scene)
    await gm.press("gm.no", scene)
    await gm.button(label("gm.scene.end.yes"), scene).wait_for(state="detached")
    await gm.press("gm.scene.end", scene)
    await gm.button(label("gm.scene.end.yes"), scene).wait_for()

    assert len(gm.wire.commands()) == sent
    await gm.send("gm.scene.end.yes", scene)
    assert (await gm.view()).public.scenes["vault"].status == "unfinished"


async def test_typing_replaces_a_prefilled_number_and_a_choice_shows_in_forced_colours(
    seats: Mapping[str, Seat], table: Table
):
    gm = seats["gm"]
    await gm.page.emulate_media(forced_colors="active")
    form = await gm.unfold("gm.countdown.start")
    dice = gm.field(label("form.dice"), form)
    await expect(dice).not_to_have_value("")
    await dice.click()
    await gm.page.keyboard.type("4")
    await expect(dice).to_have_value("4")
    grounds = await form.locator(".segments label").evaluate_all(
        "(all) => all.map((each) => [!!each.querySelector(':checked'), getComputedStyle(each).backgroundColor])"
    )
    assert not {ground for chosen, ground in grounds if chosen} & {ground for chosen, ground in grounds if not chosen}
    await give(table, "gm", {"type": "propose_check", "id": "gatehouse", "character_id": "rook", "attribute": "Might"})
    keys = gm.page.locator('[data-thing="check:gatehouse"] .odds .key')
    await keys.first.wait_for()
    colours = await keys.evaluate_all("(all) => all.map((each) => getComputedStyle(each).backgroundColor)")
    assert len(set(colours)) == len(colours) > 1
