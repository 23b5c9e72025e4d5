"""What follows by itself, built on the gm's page from the table's own things, and shown to those who may know."""

from playwright.async_api import expect

import dreadclock
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server

LEANNE, AGAIN, ALARM = "countdown:leanne", "countdown:again", "clock:alarm"


async def test_what_follows_is_built_shown_and_happens(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.start_countdown("Leanne dies", 5, id="leanne", stages=[{"at": 3, "effect": "she faints"}])
        await room.start_clock("The guards wake", 4, id="alarm", direction="up")
    seats = await company.sit(table, "gm", "ann")
    gm, ann = seats["gm"], seats["ann"]

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

    dice = await gm.unfold("gm.own_dice", gm.thing(LEANNE))
    await gm.fill(dice, {"gm.faces": "6 6 1 1 1"})
    await gm.send("gm.enter", dice)
    for seat in (gm, ann):
        await expect(seat.page.get_by_text("A horn blows.").first).to_be_visible()
        await seat.shows_what_the_server_says()
    assert (await ann.view()).clocks["alarm"].value == 2

    await gm.send("gm.follows.detach", gm.thing(LEANNE))
    await expect(ann.thing(LEANNE).get_by_text("When ")).to_have_count(0)
    await of_what_is_over_nothing_is_said_to_follow(table, gm, ann)


async def of_what_is_over_nothing_is_said_to_follow(table: Table, gm: Seat, ann: Seat) -> None:
    """See that what would have followed is no longer said of what was cancelled."""
    async with dreadclock.connect(link(table, "gm")) as room:
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
