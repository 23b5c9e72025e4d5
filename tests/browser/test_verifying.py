"""What cannot be true raises an alarm; the log is six words, verified in the browser, and saved as a file."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Route, WebSocketRoute, expect

import dreadclock
from dreadclock import Room
from dreadclock.dice.fingerprint import six_words
from dreadclock.export import read_export
from dreadclock.wire.base import Visibility
from dreadclock.wire.records import Record, in_order
from dreadclock_server.evening.verify import verify
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.liar import Liar, forge
from kit.browser.seat import Seat
from kit.rooms import Table, chained, http_client
from kit.server import Server

KEY = re.compile(r"\b(?:past|evening|verified|proof|alarm)\.[a-z_]+")
_FORGET = """
for (const name of Object.keys(sessionStorage))
  if (name.startsWith("dreadclock:told/")) sessionStorage.removeItem(name);
"""


def roll_of(seat: Seat, name: str) -> Locator:
    """Find the card of a plain roll by its name."""
    return seat.page.locator("[data-thing^='roll:']").filter(has_text=name)


async def roll(seat: Seat, name: str) -> None:
    """Roll a plain die on a player's page."""
    await seat.enter("my.plain_roll", {"my.dice": 2, "form.roll.name": name}, "my.roll_plainly")
    await roll_of(seat, name).wait_for()


async def roll_elsewhere(table: Table, name: str, **more: Any) -> None:
    """Roll for ben without a token."""
    async with table.http("ben") as http:
        answer = await http.post(table.path("/commands"), json={"type": "roll_dice", "pool": 2, "name": name, **more})
    assert answer.status_code == 200, answer.text


async def verified(seat: Seat) -> Locator:
    """Press Verify, and return what it found."""
    await seat.press("evening.verify")
    found = seat.page.locator(".found")
    await found.wait_for()
    return found


async def test_the_log_is_six_words_and_another_log_is_neither_verified_nor_shown(
    company: Company, table: Table, room: Room
):
    eve = await company.seat(table, "eve")
    log_id = json.loads(eve.wire.received[0])["log_id"]

    for happened in range(2):
        if happened:
            await roll_elsewhere(table, "one")
        texts = await table.log("eve")
        told = " ".join(six_words(chained(table.id, log_id, "public", texts)))
        words = f"{label('evening.words', number=len(texts))} {told}"
        await expect(eve.page.locator(".choices .words")).to_contain_text(words)

    gm = await company.seat(table, "gm")
    await what_was_rolled_in_secret_says_how_well_it_is_proven_once_shown(room, gm, eve)
    await the_latest_roll_says_what_came_of_it_until_another_scene_opens(eve, room)
    await another_log_is_neither_verified_nor_shown(eve, len(await table.log("eve")))


async def the_latest_roll_says_what_came_of_it_until_another_scene_opens(eve: Seat, room: Room) -> None:
    """See what a total comes to, and whether that was enough."""
    came, verdict = eve.page.locator(".arena .came"), eve.page.locator(".arena .verdict")
    await room.set_policy(physical_dice="gm")
    await room.add_character("Rook", id="rook", attributes={"Might": 3})
    await room.propose_total("rook", "Might", id="leap")
    await room.roll_total("leap", faces=[3, 5, 4])
    await expect(came).to_have_text(label("total.sum", total=12))
    await expect(verdict).to_be_empty()  # the gm judges it
    await room.judge_total("leap", True)
    await expect(verdict).to_have_text(label("verdict.enough"))

    await room.open_scene("The roof", 5)

    await expect(eve.page.locator(".arena .moment")).to_have_count(0)


async def another_log_is_neither_verified_nor_shown(eve: Seat, number: int) -> None:
    """See what is said of a log in which another name was put to a roll, of so many records."""

    async def twisted(route: Route) -> None:
        answer = await route.fetch()
        text = await answer.text()
        await route.fulfill(response=answer, body=text.replace('"name":"one"', '"name":"two"'))

    await eve.page.route("**/log?*", twisted)
    found = await verified(eve)
    await expect(found).to_contain_text(label("verified.not"))
    flaw = label("verified.flaw", channel="public", number=number, flaw=label("alarm.flaw.head"))
    await expect(found.locator("[data-flaw=head]")).to_have_text(flaw)

    await eve.press("evening.look")
    sentence = label("evening.other_log", channel="public", number=number)
    await expect(eve.page.locator("[data-alarm]")).to_contain_text(sentence)
    assert await eve.page.locator("main[data-past]").count() == 0


async def test_rolls_say_how_well_they_are_proven_and_verify_counts_them(company: Company, table: Table, room: Room):
    await room.set_policy(physical_dice="everyone")
    ann = await company.seat(table, "ann")

    await roll(ann, "one")
    async with dreadclock.connect(link(table, "ben")) as ben:
        await ben.roll_dice(2, name="two")
        await roll(ann, "three")
        await roll(ann, "six")
    await roll_elsewhere(table, "four")
    await roll_elsewhere(table, "five", faces=[3, 4])

    marks = {"three": label("proof.witnessed", witnesses=0), "six": label("proof.witnessed", witnesses=1)}
    for name, title in (marks | {"four": label("proof.no_token")}).items():
        await expect(roll_of(ann, name).locator(".proof")).to_have_attribute("title", title)
    await expect(roll_of(ann, "five").locator(".physical")).to_have_attribute("title", label("physical"))

    await look_anew(ann)
    await expect(roll_of(ann, "six").locator(".proof")).to_have_attribute("title", label("proof.claimed"))
    found = await verified(ann)
    await expect(found).to_contain_text(label("verified.holds"))
    await expect(roll_of(ann, "six").locator(".proof")).to_have_attribute("title", marks["six"])
    for kind, number in {"witnessed": 1, "unwitnessed": 3, "no_token": 1, "physical": 1}.items():
        await expect(found.locator(f"[data-standing={kind}]")).to_have_text(label(f"verified.{kind}", number=number))
    four = ann.page.locator(".unvouched li")
    await expect(found).to_contain_text(label("verified.unvouched", number=1))
    await expect(four).to_have_attribute("data-seat", table.seat("ben"))
    await expect(four).to_contain_text("Ben")


async def look_anew(seat: Seat) -> None:
    """Load a page that knows nothing of what it checked before, as on another device."""
    await seat.page.add_init_script(_FORGET)
    await seat.page.reload()


async def what_was_rolled_in_secret_says_how_well_it_is_proven_once_shown(room: Room, gm: Seat, eve: Seat) -> None:
    """Roll in secret, reveal it, and see its marks on both pages, and on one that has forgotten what it checked."""
    things = {"gas": "proof.witnessed", "gm-gas": "proof.uncommitted"}
    for thing, visibility in (("gas", Visibility.SEALED), ("gm-gas", Visibility.GM)):
        await room.start_countdown("Gas", 9, id=thing, visibility=visibility)
        await room.roll_countdown(thing)
    await see_marks(gm, dict.fromkeys(things, "proof.secret"))
    for thing in things:
        await room.reveal(thing)

    await see_marks(eve, things)
    await see_marks(gm, things)
    await expect(eve.page.locator(".arena .trays .cube:not(.sealed)")).to_have_count(9)
    await look_anew(eve)
    await see_marks(eve, dict.fromkeys(things, "proof.claimed"))
    await verified(eve)
    await see_marks(eve, things)


async def see_marks(seat: Seat, marks: Mapping[str, str]) -> None:
    """Wait until countdowns bear these marks."""
    for thing, mark in marks.items():
        proof = seat.thing(f"countdown:{thing}").locator(".proof")
        await expect(proof).to_have_attribute("title", label(mark, witnesses=0))


async def test_the_evening_is_saved_as_a_file_that_holds(company: Company, evening: Table, tmp_path: Path):
    seat = await company.come("gm", locale="de-DE")
    await seat.open(link(evening, "gm"))
    file = tmp_path / "evening.jsonl"

    await seat.page.locator('[data-place="menu:drawer"] > summary').click()
    async with seat.page.expect_download() as download:
        await seat.page.locator('[data-key="evening:save"]').click()
    await (await download.value).save_as(file)

    exported = read_export(file.read_bytes())
    assert verify(file.read_bytes()).faults == ()
    assert [*exported.records] == [*in_order(map(Record.model_validate_json, await evening.log("gm")))]
    assert exported.header.room == evening.id
    assert KEY.findall(await seat.page.locator("body").inner_text()) == []


async def something_happens(room: Room) -> None:
    """Start a countdown that everyone sees."""
    await room.start_countdown("Fever", 4, id="fever")


async def forged_roll(table: Table) -> int:
    """Let ben roll, and return the number of the record."""
    async with dreadclock.connect(link(table, "ben")) as room:
        await room.roll_dice(3, name="forged")
    return len(await table.log("eve"))


async def test_a_record_changed_on_its_way_and_a_forked_log_raise_an_alarm(company: Company, table: Table, room: Room):
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
    await something_happens(room)

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


async def test_dice_that_do_not_fit_are_told_on_every_page_until_somebody_has_seen_it(company: Company, table: Table):
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


async def test_another_device_of_ones_own_is_pointed_out_once_and_trusted(
    company: Company, server: Server, table: Table
):
    desk = await company.seat(table, "ann")
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
