"""The log in six words, verified in the browser, and saved as a file that holds."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Route, expect

import dreadclock
from dreadclock.dice.fingerprint import six_words
from dreadclock.export import read_export
from dreadclock.wire.base import Visibility
from dreadclock.wire.records import Record, in_order
from dreadclock_server.evening.verify import verify
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, chained, open_table
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
    form = await seat.unfold("my.plain_roll")
    await seat.fill(form, {"my.dice": 2, "form.roll.name": name})
    await seat.send("my.roll_plainly", form)
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


async def test_the_log_is_six_words_that_follow_it_and_another_one_is_neither_verified_nor_shown(
    company: Company, server: Server
):
    table = await open_table(server)
    eve = (await company.sit(table, "eve"))["eve"]
    log_id = json.loads(eve.wire.received[0])["log_id"]

    for happened in range(2):
        if happened:
            await roll_elsewhere(table, "one")
        texts = await table.log("eve")
        told = " ".join(six_words(chained(table.id, log_id, "public", texts)))
        words = f"{label('evening.words', number=len(texts))} {told}"
        await expect(eve.page.locator(".choices .words")).to_contain_text(words)

    gm = (await company.sit(table, "gm"))["gm"]
    await what_was_rolled_in_secret_says_how_well_it_is_proven_once_it_is_shown(table, gm, eve)
    await the_latest_roll_says_what_came_of_it_until_another_scene_opens(eve, table)
    await another_log_is_neither_verified_nor_shown(eve, len(await table.log("eve")))


async def the_latest_roll_says_what_came_of_it_until_another_scene_opens(eve: Seat, table: Table) -> None:
    """See what a total comes to, and whether that was enough."""
    came, verdict = eve.page.locator(".arena .came"), eve.page.locator(".arena .verdict")
    async with dreadclock.connect(link(table, "gm")) as room:
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


async def test_rolls_say_how_well_they_are_proven_and_verify_counts_them(company: Company, server: Server):
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
    ann = (await company.sit(table, "ann"))["ann"]

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


async def what_was_rolled_in_secret_says_how_well_it_is_proven_once_it_is_shown(
    table: Table, gm: Seat, eve: Seat
) -> None:
    """Roll in secret, reveal it, and see its marks on both pages, and on one that has forgotten what it checked."""
    things = {"gas": "proof.witnessed", "gm-gas": "proof.uncommitted"}
    async with dreadclock.connect(link(table, "gm")) as room:
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
