"""The big screen: nothing is cut off however much is on the table, and a roll is watched in the middle of the dial."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import ViewportSize, expect

from dreadclock import Room
from kit.browser.company import Company
from kit.browser.labels import label
from kit.browser.layout import resize
from kit.browser.seat import Seat
from kit.rooms import Table

SIZES: Sequence[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]
LONG = "The drowned cathedral of Saint Almund and what is left of it"
# What is cut off by a box around it, or by the screen; a title of two lines and an ellipsis is meant to be.
_CUT = """
() => [...document.querySelectorAll("#root *")].flatMap((each) => {
  const style = getComputedStyle(each);
  const { left, top, right, bottom, width } = each.getBoundingClientRect();
  if (!width || style.visibility === "hidden" || each.closest(".skip, .unseen, svg, .trays")) return [];
  const isTitle = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const meant = isTitle || style.overflow.includes("clip");
  const isCut = each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2;
  const name = `${each.localName}.${each.className}`;
  if (!meant && style.overflow !== "visible" && isCut) return [`${name} cuts what is in it`];
  const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  return isOut ? [`${name} leaves the screen`] : [];
})
"""


def things(countdowns: int, clocks: int) -> list[dict[str, Any]]:
    return [
        {"type": "start_countdown", "id": f"tide-{number}", "name": f"The tide comes in {number}", "pool": 5}
        | {"stages": [{"at": 2, "effect": "The water is at the neck."}], "ending": "the nave is full"}
        for number in range(countdowns)
    ] + [{"type": "start_clock", "id": f"watch-{n}", "name": f"The guards wake {n}", "size": 6} for n in range(clocks)]


def scenes(*names: str) -> list[dict[str, Any]]:
    """Open scenes, of which the last has a race, another situation, and seven challenges."""
    race = {"kind": "race", "clock": 3, "content": "exploration", "level": 3, "difficulty": "normal", "name": names[-1]}
    fight = {
        "kind": "standard",
        "content": "combat",
        "level": 3,
        "clock": 4,
        "name": "The fog over the graves and what walks in it",
    }
    scene = f"s{len(names) - 1}"
    return [
        *({"type": "open_scene", "id": f"s{n}", "name": name, "clock": 10} for n, name in enumerate(names)),
        {"type": "start_situation", "id": "race", "scene_id": scene} | race,
        {"type": "start_situation", "id": "fog", "scene_id": scene} | fight,
        *(
            {"type": "add_challenge", "id": f"stair-{n}", "situation_id": situation, "name": f"The flooded stair {n}"}
            | {"kind": "barrier"}
            for n, situation in enumerate(("race",) * 4 + ("fog",) * 3)
        ),
    ]


PEOPLE = [
    {"type": "add_character", "id": name.lower(), "name": name, "attributes": {"Might": 4}}
    for name in ("Rook", "Mona", "Crow")
]
TABLES = {
    "a scene": scenes("Ring the bell"),
    "everything": [*scenes("Keep the boat off the rocks", LONG), *things(2, 2), *PEOPLE],
    "twelve things": [*scenes("Ring the bell"), *things(8, 3), *PEOPLE],
    "a countdown": things(1, 0),
    "many countdowns": things(14, 0),
    "a clock": things(0, 1),
}


@pytest.mark.layout
@pytest.mark.parametrize("name", TABLES)
async def test_nothing_is_cut_off_on_the_big_screen(company: Company, table: Table, room: Room, name: str):
    for order in TABLES[name]:
        await room.submit(order)
    eve = await company.seat(table, "eve", viewport=SIZES[0])
    await eve.page.locator(".layer").wait_for(state="attached")
    await eve.page.locator(".across .item").first.wait_for()
    await eve.page.evaluate("() => document.fonts.ready.then(() => {})")
    for size in SIZES:
        await resize(eve.page, **size)
        assert await eve.page.evaluate(_CUT) == []
        if name == "everything":
            await a_roll_is_watched_in_the_middle_of_the_dial(eve, room)
        if name.endswith("countdown"):
            height = await eve.page.locator(".now .die").first.evaluate("(die) => die.getBoundingClientRect().width")
            assert height >= 90
        if name == "many countdowns":
            await expect(eve.page.locator(".now .item")).to_have_count(12)
            await expect(eve.page.locator(".now")).to_contain_text(label("more", number=2))


async def a_roll_is_watched_in_the_middle_of_the_dial(eve: Seat, room: Room) -> None:
    middle = eve.page.locator(".scene-dial .main > .heading")
    leap = f"leap-{len(room.view.checks)}"
    await room.propose_check("rook", attribute="Might", id=leap, purpose="over the pit")
    await room.roll_check(leap)
    await expect(eve.page.locator(".scene-dial .arena .verdict")).not_to_be_empty()
    await expect(middle).to_be_hidden()
    inside: bool = await eve.page.evaluate(
        """() => {
          const ring = document.querySelector(".scene-dial > .rings").getBoundingClientRect();
          const [x, y, inner] = [ring.left + ring.width / 2, ring.top + ring.height / 2, ring.width * 0.375];
          const said = [...document.querySelectorAll(".arena .cube > b, .arena .verdict, .arena .headline")];
          return said.every((each) => {
            const box = each.getBoundingClientRect();
            const reach = (h) => [box.top, box.bottom].map((v) => Math.hypot(h - x, v - y));
            return Math.max(...[box.left, box.right].flatMap(reach)) <= inner;
          });
        }"""
    )
    assert inside
    assert await eve.page.evaluate(_CUT) == []
    await expect(middle).to_be_visible()  # again, after a while
