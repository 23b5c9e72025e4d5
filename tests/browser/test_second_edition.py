"""Clocks go back and grow, a scene has complications, a race its party, and sheets wait for the gm."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

VAULT, TOWER, ALARM, ROOK = "scene:vault", "scene:tower", "clock:alarm", "character:rook"


async def test_what_the_gm_and_players_change_is_on_every_page(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.open_scene("Out of the vault", 20, id="vault")
        await room.start_clock("The guards wake", 4, id="alarm", direction="up")
        await room.tick_clock("alarm", by=2)
        await room.add_character("Rook", id="rook", owner=table.seat("ann"), attributes={"Might": 4})
        await room.add_character("The warden", id="warden", level=3)
    seats = await company.sit(table, "gm", "ann")
    gm, ann = seats["gm"], seats["ann"]
    for seat in seats.values():
        await expect(seat.thing(VAULT).get_by_text(label("scene.untypical"))).to_be_visible()

    for how, points in (("back", 1), ("enlarge", 2)):
        form = (await gm.unfold("gm.clock.move", gm.thing(ALARM))).locator("form")
        await gm.fill(form, {"gm.clock.how": f"gm.clock.{how}", "gm.points": points})
        await gm.send("gm.clock.move", form)

    form = await gm.unfold("gm.complication", gm.thing(VAULT))
    await expect(form.get_by_text(label("gm.complication.does"))).to_be_visible()
    await gm.fill(
        form, {"gm.complication.what": "The doors fall shut.", "gm.complication.effect": "gm.complication.clock"}
    )
    await gm.fill(form, {"gm.complication.by": 0, "gm.complication.enlarge": 2})
    await gm.send("gm.complication.tell", form)

    form = await gm.unfold("gm.situation.start", gm.thing(VAULT))
    await gm.fill(form, {"form.name": "The way out", "gm.situation.kind": "gm.situation.race"})
    await gm.unfold("gm.party", form)
    await gm.fill(form, {"The warden": True})
    await expect(form.get_by_text(label("gm.race.by_party", party=2))).to_have_count(1)
    await gm.fill(form, {"gm.race.level": 2})
    await gm.send("form.start", form)

    form = await gm.unfold("gm.effects.standing", gm.thing(ROOK))
    await form.get_by_label(label("gm.stunts")).fill("over the railing")
    await gm.send("gm.effects.set", form)

    form = await ann.unfold("my.sheet", ann.thing(ROOK))
    await ann.fill(form, {"character.level": 3})
    might = form.get_by_role("group", name=label("form.attribute_number", number=1))
    await ann.fill(might, {"form.score": 5})
    await ann.send("form.sheet.send", form)
    for seat in seats.values():
        await expect(seat.thing(ROOK).get_by_text("Level 3, Might 5")).to_be_visible()
        assert (await seat.view()).characters["rook"].level == 1
    await expect(gm.thing("sheet:rook").get_by_text("Level 3, Might 5")).to_be_visible()
    await gm.send("gm.sheet.approve", gm.thing("sheet:rook"))
    await expect(gm.thing("sheet:rook")).to_have_count(0)

    view = await ann.view()
    (race,) = view.situations.values()
    assert (view.clocks["alarm"].value, view.clocks["alarm"].size) == (1, 6)
    assert view.clocks[view.scenes["vault"].clock_id].size == 22
    assert (race.party, race.difficulty) == (("rook", "warden"), "normal")
    effects, rook = view.characters["rook"].effects, view.characters["rook"]
    assert effects is not None
    assert effects.stunts == ("over the railing",)
    assert (rook.level, rook.attributes, rook.proposed) == (3, {"Might": 5}, None)
    for seat in seats.values():
        await expect(seat.page.get_by_text("party: Rook, The warden")).to_be_visible()
        await seat.shows_what_the_server_says()
    await what_the_gm_moves_starts_from_where_it_stands_and_a_race_from_how_hard_it_is(gm, table)


async def what_the_gm_moves_starts_from_where_it_stands_and_a_race_from_how_hard_it_is(gm: Seat, table: Table) -> None:
    """Move the clocks of another scene by complications, and end it while its race goes on."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.open_scene("Up the tower", 10, id="tower")
        await room.travel("tower")
        form = await gm.unfold("gm.complication", gm.thing(TOWER))
        told = {"gm.complication.what": "A wall falls.", "gm.complication.effect": "gm.complication.clock"}
        await gm.fill(form, told)
        back = label("gm.complication.way.back", before="9/10", after="10/10")
        await expect(form.locator("[data-part=direction]")).to_have_text(back)
        await gm.send("gm.complication.tell", form)
        assert (await gm.view()).clocks["tower-clock"].value == 10

        await room.start_situation(
            "tower", "The way out", "race", "exploration", 3, id="stairs", level=1, difficulty="normal"
        )
        form = await gm.unfold("gm.complication", gm.thing("situation:stairs"))
        await gm.fill(form, told)
        on = label("gm.complication.way.on", before="15/15", after="14/15")
        await expect(form.locator("[data-part=direction]")).to_have_text(on)
        await gm.send("gm.complication.tell", form)
        assert (await gm.view()).clocks["tower-threat"].value == 14

    form = (await gm.unfold("gm.amend", gm.thing(TOWER))).locator("form")
    await gm.fill(form, {"gm.amend_to": 1})
    await gm.fill(form, {"gm.clock": f"{label('scene.threat')} (14/15)"})
    await expect(gm.field(label("gm.amend_to"), form)).to_have_value("14")

    await gm.page.keyboard.press("Escape")
    await gm.press("gm.scene.end", gm.thing(TOWER))
    ends = label("gm.scene.end.race", name="The way out", outcome=label("outcome.partial_success"))
    await expect(gm.button(label("gm.scene.end.yes_race", outcomes=ends), gm.thing(TOWER))).to_be_visible()

    await a_prepared_race_too_far_from_its_party_asks_for_its_difficulty_where_it_begins(gm, table)


async def a_prepared_race_too_far_from_its_party_asks_for_its_difficulty_where_it_begins(
    gm: Seat, table: Table
) -> None:
    """Begin a race in another scene, for whose party it is far too hard."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.open_scene("The roof", 10, id="roof")
        await room.start_situation("roof", "Across", "race", "exploration", 3, id="gm-across", level=7, prepared=True)
    await gm.page.keyboard.press("Escape")  # the tower's menu lies over it
    await gm.press("scene.show", gm.thing("scene:roof"), name="The roof")  # somebody is at work in the tower
    race = gm.thing("situation:gm-across")

    easy = label("gm.race.easy", difficulty=label("difficulty.easy"))
    await gm.fill(race, {"gm.race.difficulty": easy})
    await gm.send("gm.situation.begin", race)

    view = await gm.view()
    assert (view.situations["gm-across"].difficulty, view.clocks["roof-threat"].value) == ("easy", 40)
