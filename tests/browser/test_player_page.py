"""A player's page: what waits for her, the odds before she sends, and what is not offered."""

from fractions import Fraction
from typing import Any

import pytest
from playwright.async_api import expect

import dreadclock
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.checks import check_odds
from kit.browser.company import Company, give
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.waiting import until, until_equal

MOST_BOXES = 3


def person(table: Table, name: str, owner: str = "ann", **more: object) -> dict[str, Any]:
    """Return the command that brings a character into play; its id is its name."""
    attributes = {"Agility": 2, "Might": 4, "Stealth": 2}  # the best is proposed
    seat = table.seat(owner)
    return {"type": "add_character", "id": name.lower(), "name": name, "owner": seat, "attributes": attributes, **more}


def check(check_id: str, character_id: str, **more: object) -> dict[str, Any]:
    """Return the command that proposes a check."""
    return {"type": "propose_check", "id": check_id, "character_id": character_id, "attribute": "Might", **more}


async def odds_in(seat: Seat, place: str) -> str:
    """Return the odds that are drawn in a place, once they are there and of what stands there now."""
    await seat.page.locator(f"{place} .asked[aria-busy=false], {place}[data-thing]").first.wait_for()
    return await seat.page.locator(f"{place} [data-part=odds]").first.inner_text()


async def see_odds(seat: Seat, place: str, expected: str) -> None:
    """Return once these are the odds that are drawn in a place."""
    await until_equal(lambda: odds_in(seat, place), expected)


async def changed(seat: Seat, place: str, before: str) -> bool:
    """Tell whether other odds are drawn in a place than before."""
    return await odds_in(seat, place) != before


async def test_the_odds_before_a_check_is_sent_are_those_that_stand_on_it_afterwards(company: Company, table: Table):
    venture = {"level": 1, "what": "a better grip"}
    twin = check("like-it", "twin", penalty=1, venture=venture)
    await give(table, "gm", person(table, "Rook"), person(table, "Twin", "ben"), twin, check("plain", "twin"))
    ann = await company.seat(table, "ann")
    await a_form_that_is_opened_again_begins_anew(ann, await odds_in(ann, '[data-thing="check:plain"]'))
    expected = await odds_in(ann, '[data-thing="check:like-it"]')
    place = ann.page.locator('[data-form="character:rook:check:send"]')

    await ann.fill(place, {"form.penalty": 1, "form.venture": "−1"})
    await ann.fill(place, {"form.venture.what": "a better grip"})

    await see_odds(ann, '[data-form="character:rook:check:send"]', expected)
    await ann.send("my.propose", place)
    await see_odds(ann, '[data-thing="check:check-3"]', expected)
    await a_helper_sees_the_odds_of_all_dice_together(ann, table)


async def a_form_that_is_opened_again_begins_anew(ann: Seat, expected: str) -> None:
    """See that nothing is left in it of what was filled in before, nor in its odds."""
    folded = await ann.unfold("my.check", ann.thing("character:rook"))
    await ann.fill(folded, {"form.venture": "−3"})
    await ann.field(label("form.venture.what"), folded).wait_for()

    await ann.hands.press(folded.locator("> summary"))
    await folded.locator("form").wait_for(state="detached")
    await ann.unfold("my.check", ann.thing("character:rook"))

    await see_odds(ann, '[data-form="character:rook:check:send"]', expected)
    assert await ann.field(label("form.venture.what"), folded).count() == 0


async def a_helper_sees_the_odds_of_all_dice_together(ann: Seat, table: Table) -> None:
    """See that she does so before she helps."""
    await give(table, "gm", person(table, "Sparks", "ben"), check("door", "sparks"))
    alone = await odds_in(ann, '[data-thing="check:door"]')
    form = await ann.unfold("my.help", ann.thing("check:door"))
    await expect(form).to_contain_text(label("form.with_dice"))
    plain = await odds_in(ann, '[data-form="check:door:help:send"]')
    await ann.fill(form, {"form.venture": "−1"})
    await ann.fill(form, {"form.venture.what": "a better grip"})
    await until(lambda: changed(ann, '[data-form="check:door:help:send"]', plain))
    foretold = await odds_in(ann, '[data-form="check:door:help:send"]')

    await ann.send("my.help", ann.page.locator('[data-form="check:door:help:send"]'))

    assert len({alone, plain, foretold}) == len((alone, plain, foretold))
    await see_odds(ann, '[data-place="my_now"] [data-thing="check:door"]', foretold)


@pytest.mark.layout
async def test_what_waits_is_listed_and_leads_there_and_only_what_is_allowed_is_offered(company: Company, table: Table):
    bound = {"type": "start_countdown", "name": "Air", "id": "air", "pool": 30, "bound_to": "turn"}
    await give(table, "gm", person(table, "Rook"), check("door", "rook"), {**bound, "owner": table.seat("ann")})
    ann = await company.seat(table, "ann")
    waiting = ann.page.get_by_role("navigation", name=label("my.waiting", number=2))

    await waiting.get_by_role("button", name="Air").press("Enter")

    roll = ann.button(label("my.roll", dice=30), ann.thing("countdown:air"))
    await until(lambda: roll.evaluate("(button) => button === document.activeElement"))
    assert (await ann.page.title()).startswith("(2) ")
    assert label("my.rules.care.gm") in await ann.page.locator("[data-part=policy]").inner_text()
    await ann.page.keyboard.press("Enter")
    await waiting.wait_for(state="detached")
    assert (await ann.view()).countdowns["air"].rolled_turn == 1

    await a_choice_of_effects_is_made_with_one_press(ann, table)
    await dice_are_typed_in_where_the_rules_let_players(ann, table)
    await nothing_is_offered_for_a_dead_character(ann, table)
    await who_leaves_the_table_is_asked_once_more(ann, table)


async def a_choice_of_effects_is_made_with_one_press(ann: Seat, table: Table) -> None:
    stunts = {"type": "adjust_check", "check_id": "leap", "stunts": ["land on the guard"], "approve": True}
    dice = {"type": "set_policy", "physical_dice": "gm"}
    rolled = {"type": "roll_check", "check_id": "leap", "faces": [6, 6, 1, 2, 3, 3]}
    await give(table, "gm", dice, approved("door"), check("leap", "rook"), stunts, rolled)

    await ann.hands.press(ann.button("land on the guard", ann.thing("check:leap")))

    await ann.thing("check:leap").locator("[data-part=call]").wait_for(state="detached")
    one = (await ann.view()).characters["rook"]
    assert (one.choices, one.momentum) == ((), False)


async def dice_are_typed_in_where_the_rules_let_players(ann: Seat, table: Table) -> None:
    own = ann.folded(label("my.own_dice"), ann.thing("check:door"))
    await ann.thing("check:door").get_by_role("button", name=label("my.roll", dice=4)).wait_for()
    assert await own.count() == 0
    await give(table, "gm", {"type": "set_policy", "physical_dice": "everyone"})
    await own.wait_for()


def approved(check_id: str) -> dict[str, Any]:
    """Return the command that approves a check."""
    return {"type": "adjust_check", "check_id": check_id, "approve": True}


async def nothing_is_offered_for_a_dead_character(ann: Seat, table: Table) -> None:
    await give(table, "gm", person(table, "Jack"))
    for number in range(MOST_BOXES):
        await give(table, "gm", *crisis(f"jump-{number}"))

    await ann.thing("character:jack").get_by_text(label("character.dead")).wait_for()

    assert await ann.thing("character:jack").locator(":is(button, summary, input):not(.word *)").count() == 0


def crisis(total_id: str) -> list[dict[str, Any]]:
    """Return the commands that bring Jack one more physical crisis."""
    return [
        {"type": "propose_total", "id": total_id, "character_id": "jack", "attribute": "Stealth"},
        {"type": "set_required", "total_id": total_id, "required": 30, "crisis": "physical"},
        {"type": "roll_total", "total_id": total_id, "faces": [1, 2]},
        {"type": "offer_push", "total_id": total_id, "description": "a broken bone"},
        {"type": "push_luck", "total_id": total_id, "faces": [1]},
    ]


async def who_leaves_the_table_is_asked_once_more(ann: Seat, table: Table) -> None:
    place, sent = await ann.unfold("my.seat"), len(ann.wire.commands())

    await ann.press("my.leave", place)
    await ann.press("my.stay", place)
    await ann.press("my.leave", place)
    assert len(ann.wire.commands()) == sent
    ann.complaints.forgive("401")  # her page may be asking what can be undone as she leaves
    await ann.press("my.leave_yes", place)

    await ann.stands("over")
    async with table.http("gm") as http:
        seats = (await http.get(table.path())).json()["channels"]["public"]["seats"]
    assert table.seat("ann") not in seats


_ALL_IN_SIGHT = """
(alarm) => {
  const { left, top, height } = alarm.getBoundingClientRect();
  return [0.1, 0.5, 0.9].every((part) => alarm.contains(document.elementFromPoint(left + 20, top + height * part)));
}
"""


async def test_odds_follow_a_venture_that_came_meanwhile_and_what_the_gm_makes_of_it(company: Company, table: Table):
    venture = {"level": 1, "what": "a head start", "beneficiary": "rook"}
    policy = {"type": "set_policy", "physical_dice": "gm", "check_approval": "open"}
    bens = check("help", "sparks", venture=venture)
    people = person(table, "Rook"), person(table, "Sparks", "ben")
    await give(table, "gm", policy, *people, check("door", "rook"), bens)
    seats = await company.sit(table, "gm", "ann")
    alone = await odds_in(seats["ann"], '[data-thing="check:door"]')
    assert spaced(alone) == await odds_of_server(seats["ann"], "door")

    await give(table, "gm", {"type": "roll_check", "check_id": "help", "faces": [5, 4, 4, 4]})

    uncounted = label("check.uncounted", dice=1, what="a head start")
    for seat in seats.values():
        await seat.thing("check:door").get_by_text(uncounted).wait_for()
    gm = seats["gm"]
    form = gm.page.locator('[data-form="check:door:adjust"]')
    await gm.unfold("gm.change", gm.thing("check:door"))
    await gm.fill(form, {label("claim", dice=1, what="a head start"): True})
    thought = form.locator("[aria-busy=false] [data-part=odds]")
    await thought.wait_for()
    foretold = await thought.inner_text()
    await gm.page.keyboard.press("Escape")  # the form stands over the card
    assert await gm.page.locator("[data-alarm]").evaluate(_ALL_IN_SIGHT)  # she rolled elsewhere; no strip lies over it
    await gm.press("check.count_in", gm.thing("check:door"), dice=1)

    for seat in seats.values():
        await see_odds(seat, '[data-thing="check:door"]', foretold)
    gift = {"does": "give_token", "thing_id": "rook", "token": "interference"}
    end = {"of": {"kind": "clock", "id": "omen"}, "when": {"when": "end"}, "do": [gift]}
    omen = {"type": "start_clock", "id": "omen", "name": "The omen", "size": 1}
    tick = {"type": "tick_clock", "clock_id": "omen"}
    await give(table, "gm", omen, {"type": "attach_consequence", **end}, tick)

    async def told_anew() -> bool:
        shown = [spaced(await odds_in(seat, '[data-thing="check:door"]')) for seat in seats.values()]
        return set(shown) == {await odds_of_server(seats["ann"], "door")}

    await until(told_anew)
    assert await odds_of_server(seats["ann"], "door") not in (spaced(alone), spaced(foretold))


def spaced(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


async def odds_of_server(seat: Seat, check_id: str) -> str:
    """Return how the odds read by the rules, of the check as it stands now."""
    view = await seat.view()
    odds = check_odds(view, view.checks[check_id])
    assert odds is not None
    shares = {name: Fraction(getattr(odds, name)) for name in ("fumble", "fail", "success", "triumph")}
    return " ".join(f"{label(f'outcome.{name}')} {percent(share)}" for name, share in shares.items())


def percent(chance: Fraction) -> str:
    """Write a chance as pages do."""
    return "< 1%" if 0 < chance < Fraction(1, 100) else f"{int(chance * 100 + Fraction(1, 2))}%"


async def test_a_push_shows_what_every_face_does_and_is_held_or_pressed_twice(company: Company, table: Table):
    for name in ("Rook", "Crow"):
        total = f"{name.lower()}-climbs"
        await give(
            table,
            "gm",
            {"type": "set_policy", "physical_dice": "everyone"},
            person(table, name),
            {"type": "propose_total", "id": total, "character_id": name.lower(), "attribute": "Agility"},
            {"type": "set_required", "total_id": total, "required": 12, "crisis": "physical"},
            {"type": "roll_total", "total_id": total, "faces": [3, 4]},
            {"type": "offer_push", "total_id": total},
        )
    ann = await company.seat(table, "ann")
    card = ann.thing("total:rook-climbs")
    faces = card.get_by_role("img", name=label("total.push_faces", breaks="3 4", wins="5 6", known="yes"), exact=True)
    await expect(faces.locator(".red")).to_have_count(2)
    await expect(faces.locator(".gold")).to_have_count(2)

    push = card.locator('[data-key="total:rook-climbs:push"]')
    await push.click()
    await expect(push).to_have_text(label("my.push_again"))
    assert (await ann.view()).totals["rook-climbs"].pushes == ()
    await push.press("Enter")
    await ann.sees(lambda view: len(view.totals["rook-climbs"].pushes) == 1)

    await ann.thing("total:crow-climbs").locator('[data-key="total:crow-climbs:push"]').click(delay=700)
    await ann.sees(lambda view: len(view.totals["crow-climbs"].pushes) == 1)


async def test_a_player_lends_her_seat_and_takes_it_back(company: Company, table: Table):
    helper = (await table.invite("bot", "integration", scopes=["act_for"]))["link"]
    ann = await company.seat(table, "ann")
    await ann.unfold("my.seat")
    await ann.button(label("my.lend", name="Bot")).click()
    await expect(ann.page.get_by_text(label("lent_to", name="Bot"))).to_be_visible()
    async with dreadclock.connect(helper) as bot:
        await bot.roll_dice(2, act_for=table.seat("ann"))
        await ann.button(label("my.take_back")).click()
        await expect(ann.button(label("my.lend", name="Bot"))).to_be_visible()
        with pytest.raises(Refused) as refused:
            await bot.roll_dice(2, act_for=table.seat("ann"))
        assert refused.value.code is Code.NOT_LENT
