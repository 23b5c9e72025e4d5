"""What a server says that cannot be true is shown until it was seen, and the table stays right."""

import json

from playwright.async_api import WebSocketRoute, expect

import dreadclock
from dreadclock.client.room import Room
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.liar import Liar, forge
from kit.browser.seat import Seat
from kit.rooms import Table, http_client, open_table
from kit.server import Server


async def something_happens(table: Table) -> None:
    """Start a countdown that everyone sees."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.start_countdown("Fever", 4, id="fever")


async def forged_roll(table: Table) -> int:
    """Let ben roll, and return the number of the record."""
    async with dreadclock.connect(link(table, "ben")) as room:
        await room.roll_dice(3, name="forged")
    return len(await table.log("eve"))


async def test_a_record_that_was_changed_on_the_way_and_another_story_than_before_raise_an_alarm(
    company: Company, server: Server
):
    table = await open_table(server)
    eve = await company.come("eve")
    changed = 0
    lines: list[WebSocketRoute] = []
    welcomes: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        lines.append(socket)
        behind = socket.connect_to_server()

        def hear(frame: str | bytes) -> None:
            nonlocal changed
            text = frame if isinstance(frame, str) else frame.decode()
            if '"type":"welcome"' in text:
                welcomes.append(text)
            lies = '"pool":4' in text and '"type":"events"' in text and not changed
            changed += lies
            socket.send(text.replace('"pool":4', '"pool":9') if lies else text)

        behind.on_message(hear)

    await eve.page.route_web_socket("**/ws/**", between)
    await eve.open(link(table, "eve"))
    await something_happens(table)

    alarm = eve.page.locator("[data-alarm]")
    await expect(alarm).to_contain_text(label("alarm", what=""))
    await expect(eve.thing("countdown:fever")).to_contain_text(label("countdown.left", pool=4))  # it is not shown
    assert changed == 1

    await eve.button(label("alarm.seen")).click()
    await expect(alarm).to_have_count(0)

    welcome = json.loads(welcomes[0])
    reset = {"type": "reset", "reason": "forked", "differs": {"public": 1}}
    lines[-1].send(json.dumps(reset | {key: welcome[key] for key in ("log_id", "positions", "view")}))
    await expect(alarm).to_contain_text(label("forked.at", channel="public", number=1))


async def test_dice_that_do_not_fit_are_told_on_every_page_until_somebody_has_seen_it(company: Company, server: Server):
    table = await open_table(server)
    seats = {name: await company.come(name) for name in ("gm", "eve")}
    for seat in seats.values():
        await Liar(forge).stand_before(seat.page)
        await seat.open(link(table, seat.name))
    await seats["eve"].press("evening.look")
    await seats["eve"].page.locator("[data-past]").wait_for()
    stream = await company.come("stream")
    await Liar(forge).stand_before(stream.page)
    await stream.page.goto(f"/o/{table.id}#{table.token('eve')}")
    await stream.page.locator("[data-overlay=open]").wait_for()

    number = await forged_roll(table)

    told = label("alarm.dice", number=number, flaw=label("alarm.flaw.faces"), told="")
    for seat in seats.values():
        await expect(seat.page.get_by_role("alert")).to_contain_text(told)
    await stream.page.locator("[data-moment=roll]").wait_for()  # an overlay shows the dice ...
    await expect(stream.page.get_by_role("alert")).to_have_count(0)  # ... and no alarm

    gm = seats["gm"]
    await forged_roll(table)
    await expect(gm.page.get_by_role("alert")).to_contain_text(label("alarm.further", number=1))
    await gm.press("alarm.seen")
    await expect(gm.page.get_by_role("alert")).to_have_count(0)


async def test_another_device_of_ones_own_is_pointed_out_once_and_quietly_and_can_be_trusted(
    company: Company, server: Server
):
    table = await open_table(server)
    desk = (await company.sit(table, "ann"))["ann"]
    notice, alert = desk.page.locator("[data-place=elsewhere]"), desk.page.get_by_role("alert")
    async with dreadclock.connect(link(table, "ann")) as phone:
        await rolls(phone, "first", desk)
        await rolls(phone, "second", desk)
        await expect(notice).to_have_count(1)
        await expect(notice).to_contain_text("first")
        await expect(alert).to_have_count(0)
        await desk.button(label("elsewhere.trust")).click()
        await expect(notice).to_have_count(0)

        await desk.page.reload()
        await desk.arrived()
        await rolls(phone, "third", desk)
    async with http_client(server, table.token("ann")) as http:
        for name in ("by REST", "again"):
            command = {"type": "roll_dice", "pool": 2, "name": name}
            (await http.post(f"/api/rooms/{table.id}/commands", json=command)).raise_for_status()
    await expect(alert).to_contain_text("by REST")
    await expect(alert).to_contain_text("again")
    await expect(alert).not_to_contain_text("third")
    await expect(notice).to_have_count(0)


async def rolls(device: Room, name: str, watcher: Seat) -> None:
    """Roll on one device, and return once the other shows it."""
    await device.roll_dice(2, name=name)
    await expect(watcher.page.locator(".told")).to_contain_text(name)
