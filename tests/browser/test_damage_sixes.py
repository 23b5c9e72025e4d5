"""Sixes that add dice to damage: the switch of a scene, the place in forms that roll, and the dice that are shown."""

import json
from collections.abc import Sequence

from playwright.async_api import Locator, expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label, words
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

HAN = "character:han"


async def prepared(server: Server) -> Table:
    """Open a room with Han, who is Ann's; dice are typed in."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.add_character("Han", id="han", owner=table.seat("ann"))
    return table


async def form_of(ann: Seat) -> Locator:
    """Open the form in which Ann rolls for Han."""
    return await ann.unfold("my.plain_roll", ann.thing(HAN))


async def rolls(ann: Seat, form: Locator, purpose: str, faces: str) -> None:
    await form.locator("[name=purpose]").select_option(label=words(purpose))
    await ann.fill(form, {"my.dice": 2})
    await form.locator("[name=faces]").fill(faces)
    await ann.send("my.roll_plainly", form)


def places(seat: Seat) -> list[object]:
    """Return what each roll that a page sent said of its place."""
    commands = [json.loads(each)["command"] for each in seat.wire.commands()]
    return [each.get("within_id") for each in commands if each["type"] == "roll_dice"]


async def last_roll(seat: Seat) -> tuple[Sequence[int], int | None, str | None]:
    roll = list((await seat.view()).rolls.values())[-1]
    return roll.faces, roll.added, roll.within_id


async def test_the_gm_opens_a_scene_in_which_sixes_add_dice_and_a_player_rolls_there(company: Company, server: Server):
    table = await prepared(server)
    seats = await company.sit(table, "gm", "ann")
    gm, ann = seats["gm"], seats["ann"]

    form = await gm.unfold("gm.scene.open")
    await gm.fill(form, {"form.name": "Pit", "gm.scene.sixes": True})
    await gm.send("gm.open", form)
    for seat in (gm, ann):
        await expect(seat.page.locator("[data-thing^='scene:'] .badge.sixes")).to_have_text(label("scene.sixes"))
    [pit] = (await gm.view()).scenes

    own = await form_of(ann)
    await expect(own.locator("[data-part=sixes]")).to_have_text(label("damage.here", name="Pit"))
    await rolls(ann, own, "form.roll.purpose.damage", "6 3 6 1")
    assert await last_roll(ann) == ((6, 3, 6, 1), 2, pit)
    for seat in (gm, ann):
        card = seat.page.locator("[data-thing^='roll:']")
        await expect(card.locator(".badge", has_text=label("rolled.added", added=2, capped="no"))).to_be_visible()
        await expect(card.locator(".die")).to_have_count(4)

    await rolls(ann, own, "form.roll.purpose.other", "6 3")
    assert await last_roll(ann) == ((6, 3), None, None)
    assert places(ann) == [pit, None]
    await the_gm_turns_it_off_and_on_and_rolls_for_an_opponent(gm, pit)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.open_scene("Attic", 8, id="attic", sixes_add=True)
    await of_several_scenes_the_player_says_in_which_one_damage_is_rolled(ann, own)


async def of_several_scenes_the_player_says_in_which_one_damage_is_rolled(ann: Seat, form: Locator) -> None:
    await form.locator("[name=purpose]").select_option(label=words("form.roll.purpose.damage"))
    within = form.locator("[name=within]")
    await expect(within.locator("option", has_text=label("damage.in", name="Attic"))).to_have_count(1)
    await rolls(ann, form, "form.roll.purpose.damage", "6 3")
    assert await last_roll(ann) == ((6, 3), None, None)
    await within.select_option(label=label("damage.in", name="Attic"))
    await rolls(ann, form, "form.roll.purpose.damage", "6 3 2")
    assert await last_roll(ann) == ((6, 3, 2), 1, "attic")


async def the_gm_turns_it_off_and_on_and_rolls_for_an_opponent(gm: Seat, pit: str) -> None:
    scene = gm.thing(f"scene:{pit}")
    for sixes_add in (False, True):
        switch = await gm.unfold("gm.effects.standing", scene)
        await gm.fill(switch, {"gm.scene.sixes": sixes_add})
        await gm.send("gm.effects.set", switch)
        await expect(scene.locator(".badge.sixes")).to_have_count(int(sixes_add))
        assert (await gm.view()).scenes[pit].sixes_add is sixes_add

    form = await gm.unfold("gm.dice.roll")
    await expect(form.locator("[data-part=sixes]")).to_have_count(0)
    await form.locator("[name=purpose]").select_option(label=words("form.roll.purpose.damage"))
    await expect(form.locator("[data-part=sixes]")).to_have_text(label("damage.here", name="Pit"))
    await form.locator("[name=faces]").fill("5 6 6 1")
    await gm.send("gm.roll", form)

    assert await last_roll(gm) == ((5, 6, 6, 1), 2, pit)
    assert places(gm) == [pit]
