"""Forms of the gm that change what follows, scenes, clocks and sheets, and sixes that add dice to damage."""

import json
from collections.abc import Sequence

from playwright.async_api import Locator, expect

import dreadclock
from dreadclock import Room
from kit.browser.company import Company, link
from kit.browser.labels import label, words
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

VAULT, TOWER, ALARM, ROOK = "scene:vault", "scene:tower", "clock:alarm", "character:rook"


async def test_what_the_gm_and_players_change_is_on_every_page(company: Company, table: Table, room: Room):
    await room.open_scene("Out of the vault", 20, id="vault")
    await room.start_clock("The guards wake", 4, id="alarm", direction="up")
    await room.tick_clock("alarm", by=2)
    await room.add_character("Rook", id="rook", owner=table.seat("ann"), attributes={"Might": 4})
    await room.add_character("The warden", id="warden", level=3)
    gm, ann = (await company.sit(table, "gm", "ann")).values()
    for seat in (gm, ann):
        await expect(seat.thing(VAULT).get_by_text(label("scene.untypical"))).to_be_visible()

    for how, points in (("back", 1), ("enlarge", 2)):
        await gm.enter(
            "gm.clock.move", {"gm.clock.how": f"gm.clock.{how}", "gm.points": points}, "gm.clock.move", gm.thing(ALARM)
        )

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
    await ann.fill(form.get_by_role("group", name=label("form.attribute_number", number=1)), {"form.score": 5})
    await ann.send("form.sheet.send", form)
    for seat in (gm, ann):
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
    for seat in (gm, ann):
        await expect(seat.page.get_by_text("party: Rook, The warden")).to_be_visible()
        await seat.shows_what_the_server_says()
    await what_the_gm_moves_starts_from_where_it_stands_and_a_race_from_how_hard_it_is(gm, room)


async def what_the_gm_moves_starts_from_where_it_stands_and_a_race_from_how_hard_it_is(gm: Seat, room: Room) -> None:
    """Move the clocks of another scene by complications, and end it while its race goes on."""
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

    await a_prepared_race_too_far_from_its_party_asks_for_its_difficulty_where_it_begins(gm, room)


async def a_prepared_race_too_far_from_its_party_asks_for_its_difficulty_where_it_begins(gm: Seat, room: Room) -> None:
    """Begin a race in another scene, for whose party it is far too hard."""
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


LEANNE, AGAIN, ALARM = "countdown:leanne", "countdown:again", "clock:alarm"


async def test_what_follows_is_built_shown_and_happens(company: Company, table: Table, room: Room):
    await room.set_policy(physical_dice="everyone")
    await room.start_countdown("Leanne dies", 5, id="leanne", stages=[{"at": 3, "effect": "she faints"}])
    await room.start_clock("The guards wake", 4, id="alarm", direction="up")
    gm, ann = (await company.sit(table, "gm", "ann")).values()

    form = await gm.unfold("gm.follows", gm.thing(LEANNE))
    await gm.fill(form, {"gm.when": label("gm.when.stage", at=3)})
    row = form.get_by_role("group", name=label("gm.effect", number=1))
    await gm.fill(row, {"gm.effect.does": "gm.does.tick"})
    await gm.fill(row, {"gm.effect.on": "The guards wake (0/4)", "gm.effect.by": 2})
    await gm.press("gm.effect.another", form)
    row = form.get_by_role("group", name=label("gm.effect", number=2))
    await gm.fill(row, {"gm.effect.does": "gm.does.tell"})
    await gm.fill(row, {"gm.effect.text": "A horn blows."})
    await gm.send("gm.follows.attach", form)
    form = await gm.unfold("gm.follows", gm.thing(ALARM))
    row = form.get_by_role("group", name=label("gm.effect", number=1))
    await gm.fill(form, {"gm.visibility": "gm.visibility.gm"})
    await gm.fill(row, {"gm.effect.does": "gm.does.start"})
    await gm.fill(row, {"form.name": "They come", "form.dice": 3})
    await gm.send("gm.follows.attach", form)

    said = 'When "Leanne dies" falls to 3: "The guards wake" moves forward by 2; "A horn blows." is added to the log.'
    for seat in (gm, ann):
        await expect(seat.thing(LEANNE).get_by_text(said, exact=False)).to_be_visible()
    await expect(gm.thing(ALARM).get_by_text("They come")).to_be_visible()
    await expect(ann.page.get_by_text("They come")).to_have_count(0)

    await gm.enter("gm.own_dice", {"gm.faces": "6 6 1 1 1"}, "gm.enter", gm.thing(LEANNE))
    for seat in (gm, ann):
        await expect(seat.page.get_by_text("A horn blows.").first).to_be_visible()
        await seat.shows_what_the_server_says()
    assert (await ann.view()).clocks["alarm"].value == 2

    await gm.send("gm.follows.detach", gm.thing(LEANNE))
    await expect(ann.thing(LEANNE).get_by_text("When ")).to_have_count(0)
    await of_what_is_over_nothing_is_said_to_follow(room, gm, ann)


async def of_what_is_over_nothing_is_said_to_follow(room: Room, gm: Seat, ann: Seat) -> None:
    """See that what would have followed is no longer said of what was cancelled."""
    await room.start_countdown("Leanne dies", 1, id="again")
    await room.attach_consequence(
        {"kind": "countdown", "id": "again"}, {"when": "end"}, [{"does": "tell", "text": "A cry."}]
    )
    for seat in (gm, ann):
        await expect(seat.thing(AGAIN).get_by_text('"A cry." is added to the log', exact=False)).to_be_visible()

    await room.cancel_countdown("again")

    for seat in (gm, ann):
        await expect(seat.thing(AGAIN)).to_have_count(0)  # it is folded away
        await seat.open_all()
        await expect(seat.thing(AGAIN)).to_have_attribute("data-state", "cancelled")
        await expect(seat.thing(AGAIN).get_by_text("A cry.", exact=False)).to_have_count(0)
    await expect(gm.thing(AGAIN).get_by_text(label("gm.follows"))).to_have_count(0)


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
    gm, ann = (await company.sit(table, "gm", "ann")).values()

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
        await gm.enter("gm.effects.standing", {"gm.scene.sixes": sixes_add}, "gm.effects.set", scene)
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
