"""Names that are markup, that run from right to left or are very long are text, and break no page."""

from typing import Any

import pytest
import pytest_asyncio

import dreadclock
from kit.browser.company import Company, link
from kit.browser.layout import WIDTHS, picture_for_people, sticks_out
from kit.rooms import Table, open_table
from kit.server import Server

MARKUP = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>"
ARABIC = "ساعة الرعب تدق في الظلام"
LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbe"  # 64 characters, and no space
EMOJI = "🧟‍♀️🏳️‍🌈👨‍👩‍👧‍👦 ☠️ é́́ ﷽"
NAMES = (MARKUP, SCRIPT, ARABIC, LONG, EMOJI)
TEXT = "W" * 280


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hostile(server: Server) -> Table:
    """A room in which everything that has a name has a hostile one; nobody changes it."""
    table = await open_table(server, MARKUP)
    async with dreadclock.connect(link(table, "gm")) as room:
        for order in _orders(table):
            await room.submit(order)
    return table


def _orders(table: Table) -> list[dict[str, Any]]:
    people = zip(("gm", "ann", "ben", "eve"), (LONG, MARKUP, ARABIC, EMOJI), strict=True)
    orders: list[dict[str, Any]] = [{"type": "set_policy", "physical_dice": "everyone"}]
    orders += [{"type": "rename_seat", "seat_id": table.seat(who), "name": name} for who, name in people]
    for number, name in enumerate(NAMES):
        orders += _things(f"n{number}", name, table.seat("ann"))
    return orders


def _things(key: str, name: str, owner: str) -> list[dict[str, Any]]:
    situation = {"type": "start_situation", "id": f"{key}-run", "scene_id": key, "name": name, "content": "combat"}
    return [
        {"type": "add_character", "id": f"{key}-who", "name": name, "owner": owner, "attributes": {name: 3}}
        | {"specials": [{"name": name}], "reflex": 1},
        {"type": "start_countdown", "id": f"{key}-down", "name": name, "pool": 60, "owner": owner, "ending": TEXT}
        | {"stages": [{"at": 9, "effect": name}, {"at": 3, "effect": TEXT}], "note": TEXT},
        {"type": "start_clock", "id": f"{key}-tide", "name": name, "size": 99},
        {"type": "open_scene", "id": key, "name": name, "clock": 99},
        situation | {"kind": "race", "clock": 2, "level": 1, "difficulty": "hard"},
        {"type": "add_challenge", "id": f"{key}-door", "situation_id": f"{key}-run", "name": name, "kind": "barrier"},
        {"type": "attempt_effort", "challenge_id": f"{key}-door", "character_id": f"{key}-who"},
        {"type": "propose_check", "id": f"{key}-try", "character_id": f"{key}-who", "attribute": name, "purpose": TEXT}
        | {"venture": {"level": 1, "what": name}},
        {"type": "propose_total", "id": f"{key}-sum", "character_id": f"{key}-who", "attribute": name, "special": name}
        | {"tool": {"name": name, "quality": 2}, "purpose": name},
        {"type": "roll_dice", "pool": 60, "name": name, "character_id": f"{key}-who"},
        {"type": "start_countdown", "id": f"{key}-seal", "name": name, "pool": 3, "visibility": "sealed"},
    ]


@pytest.mark.parametrize("name", ["gm", "ann", "eve"])
@pytest.mark.layout
async def test_hostile_names_are_text_and_fit_every_window(company: Company, hostile: Table, name: str):
    seat = (await company.sit(hostile, name))[name]

    await seat.shows_what_the_server_says()
    assert (await seat.page.title()).endswith(f"{MARKUP} · Dreadclock")
    text = await seat.page.locator("body").inner_text()
    for each in NAMES:
        assert each in text
    assert await seat.page.locator("img, iframe, script:not([src])").count() == 0
    for width in WIDTHS:
        assert await sticks_out(seat.page, width) == [], f"at {width} px"
        await picture_for_people(seat.page, f"hostile-{name}-{width}")


@pytest.mark.layout
async def test_hostile_names_are_text_on_the_overlay_and_fit_the_stream(company: Company, hostile: Table):
    seat = await company.come("stream")
    await seat.page.goto(link(hostile, "eve").replace("/r/", "/o/").replace("#", "?show=scenes,clocks,characters#"))
    await seat.page.locator('[data-thing="clock:n4-tide"]').wait_for(state="attached")

    text = await seat.page.locator("body").inner_text()
    for name in NAMES:
        assert name in text
    assert await seat.page.locator("img, iframe, script:not([src])").count() == 0
    assert await sticks_out(seat.page, 1920) == []
    await picture_for_people(seat.page, "hostile-overlay-1920")


async def test_the_long_word_is_as_long_as_a_name_can_be():
    assert len(LONG) == 64
    assert " " not in LONG
