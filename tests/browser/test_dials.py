"""The dial of a scene on every kind of table, and the big screen, on which nothing is cut off."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.async_api import Locator, ViewportSize, expect

import dreadclock
from dreadclock import Room
from kit.browser.axe import violations
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import box_of, resize
from kit.browser.seat import Seat
from kit.rooms import Table

LONG = "The way down through the flooded crypt of seven sleepers"
SECRET = "Kraken"
PHONE = {"has_touch": True, "is_mobile": True}
# Return which words lie over a ring: those in the middle must be within the brass one, others outside of the red one.
_OVER_A_RING = """
() => [...document.querySelectorAll(".scene-dial")].flatMap((dial) => {
  const { left, top, width } = dial.querySelector(".rings").getBoundingClientRect();
  const [x, y] = [left + width / 2, top + width / 2];
  const found = [];
  const walker = document.createTreeWalker(dial.closest("[data-thing]"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, .unseen") || !element.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = element.closest("h3, h4, p, button, summary").getBoundingClientRect();
    for (const rect of range.getClientRects()) {
      if (rect.top > box.bottom - 2 || rect.bottom < box.top + 2) continue; // cut off
      const [dx, dy] = [[rect.left - x, rect.right - x], [rect.top - y, rect.bottom - y]];
      const nearest = Math.hypot(...[dx, dy].map(([one, other]) => (one > 0 ? one : other < 0 ? other : 0)));
      const farthest = Math.hypot(...[dx, dy].map((both) => Math.max(...both.map(Math.abs))));
      const isOver = nearest < width * 0.488 && farthest > width * 0.373;
      if (isOver) found.push(`${node.data.trim()} (${nearest} to ${farthest} of ${width / 2})`);
    }
  }
  return found;
})
"""
# The colours of a dial's middle, of what is left of its points, and of its track.
_COLOURS = """
() => [[".hub", "fill"], [".on", "stroke"], [".track", "stroke"]].map(([part, property]) =>
  getComputedStyle(document.querySelector(`.scene-dial .scene ${part}, .scene-dial .rings > ${part}`))[property])
"""
_OUT_OF_SIGHT = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def race(table: Table, **names: str) -> None:
    """Let there be a race with three challenges, one overcome, one with a clock of its own, and a clock."""
    called = {"scene": "Ring the drowned bell", "race": "The tide", "lock": "The rusted lock"} | names
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        await room.add_character("Rook", id="rook", owner=table.seat("ann"), level=3, attributes={"Might": 4})
        await room.open_scene(called["scene"], 10, id="bell")
        await room.start_situation("bell", called["race"], "race", "exploration", 3, id="race", level=3)
        await room.add_challenge("race", "The flooded stair", "barrier", id="stair")
        await room.add_challenge("race", called["lock"], "puzzle", id="lock", clock=3)
        await room.add_challenge("race", "The drowned sexton", "foe", id="sexton")
        await room.attempt_effort("stair", character_id="rook", success=True)
        await room.end_round("race")
        await room.start_clock("The guards wake", 6, id=names.get("guards", "guards"), direction="up")
        await room.tick_clock(names.get("guards", "guards"), by=2)


_LINES = "(text) => text.getBoundingClientRect().height / parseFloat(getComputedStyle(text).lineHeight)"


def ring(seat: Seat, kind: str, *, left: bool = True) -> Locator:
    """Find the segments of a ring that are left, or gone."""
    return seat.page.locator(f".scene-dial .rings .{kind} .on{':not(.gone)' if left else '.gone'}")


async def come(company: Company, table: Table, name: str, width: int, height: int) -> Seat:
    """Open somebody's page, or the overlay, at a size."""
    size: dict[str, Any] = {"viewport": {"width": width, "height": height}} | (PHONE if width < 500 else {})
    seat = await company.come(name, **size)
    if name == "overlay":
        await seat.page.goto(f"/o/{table.id}?show=scenes,clocks#{table.token('eve')}")
        await seat.page.locator("[data-overlay=open]").wait_for(state="attached")
    else:
        await seat.open(link(table, name))
        for button in await seat.page.locator("[data-screen=table]").all():  # of a phone
            await button.tap()
    await seat.page.evaluate("() => document.fonts.ready.then(() => 1)")
    return seat


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("gm", [(1440, 900), (768, 1024)]),
        ("ann", [(1440, 900)]),
        ("ann", [(390, 844)]),
        ("eve", [(1440, 900), (1920, 1080), (3840, 2160)]),
        ("eve", [(360, 740)]),
        ("overlay", [(1920, 1080), (1280, 720)]),
    ],
)
async def test_a_scene_is_one_dial_whose_numbers_and_names_stand_beside_its_rings(
    company: Company, table: Table, room: Room, name: str, sizes: list[tuple[int, int]]
):
    await race(table)
    seat = await come(company, table, name, *sizes[0])
    for width, height in sizes:
        await resize(seat.page, width, height)
        await is_one_dial(seat)

    await room.amend_clock("bell-threat", 3, reason="a flood")
    await room.travel("bell")
    await expect(ring(seat, "scene")).to_have_count(9)
    await expect(seat.page.locator(".scene-dial .threat.low .on:not(.gone)")).to_have_count(3)
    failure = label("situation.now", outcome=label("outcome.failure"))
    await expect(seat.thing("scene:bell").locator(".now.failure")).to_have_text(failure)


async def is_one_dial(seat: Seat) -> None:
    """See that the race is one dial, with nothing over its rings and nothing out of sight."""
    scene = seat.thing("scene:bell")
    await expect(ring(seat, "scene")).to_have_count(10)
    await expect(ring(seat, "threat")).to_have_count(13)
    await expect(ring(seat, "threat", left=False)).to_have_count(2)
    await expect(seat.page.locator(".scene-dial .rings .stud.overcome")).to_have_count(1)
    await expect(seat.page.locator(".rings .stud .ring .on")).to_have_count(3)
    said = scene.get_by_role("img", name=re.compile(re.escape(label("ring.threat", value=13, size=15))))
    await expect(said).to_have_count(1)
    for words in (
        label("ring.scene", value=10, size=10),
        label("ring.threat", value=13, size=15),
        label("situation.left", value=2, size=3),
        label("situation.round", round=2),
        label("situation.now", outcome=label("outcome.partial_success")),
        label("challenge.overcome"),
        label("dial.down", value=3, size=3),
    ):
        await expect(scene.locator("p").filter(has_text=words).first).to_be_visible()
    await expect(seat.thing("clock:guards")).to_contain_text(label("dial.up", value=2, size=6))
    assert await seat.page.evaluate(_OVER_A_RING) == []
    assert await seat.page.evaluate(_OUT_OF_SIGHT) <= 0
    assert not (found := await violations(seat.page, place=".scene-dial")), "\n".join(found)


@pytest.mark.parametrize(
    ("name", "sizes"), [("gm", [(1440, 900)]), ("ann", [(360, 740)]), ("eve", [(1920, 1080), (768, 1024)])]
)
async def test_long_names_are_two_lines_beside_the_rings(
    company: Company, table: Table, room: Room, name: str, sizes: list[tuple[int, int]]
):
    await race(table, scene=LONG, race=LONG, lock=LONG)
    await room.start_situation("bell", f"Again: {LONG}", "standard", "combat", 2, id="fight")
    for number in range(4):
        await room.add_challenge("fight", f"{LONG} {number}", "foe", id=f"foe-{number}")
    seat = await come(company, table, name, *sizes[0])
    await expect(seat.page.locator(".rings .stud")).to_have_count(7)
    await expect(seat.page.locator(".rings .group")).to_have_count(2)  # one arc of studs for each situation
    for width, height in sizes:
        await resize(seat.page, width, height)
        assert await seat.page.evaluate(_OVER_A_RING) == []
        assert await seat.page.evaluate(_OUT_OF_SIGHT) <= 0
        title = seat.thing("situation:race").locator(".heading > :is(h3, h4)")
        assert await title.evaluate(_LINES) <= 2.1


async def test_a_ring_says_what_moves_it_and_large_clocks_are_numbers(company: Company, table: Table, room: Room):
    await room.open_scene("The siege", 30, id="siege")
    eve = await come(company, table, "eve", 1280, 800)
    await expect(eve.page.locator(".rings .scene .on")).to_have_count(1)  # one arc
    await expect(eve.page.locator(".rings .threat")).to_have_count(0)  # no race, no red ring
    await expect(eve.page.locator(".middle")).to_have_text("30")
    title = eve.page.locator(".rings .scene title")
    await expect(title).to_have_text(f"{label('ring.scene', value=30, size=30)}. {label('ring.scene.does')}")
    box = await box_of(eve.page.locator(".rings"))
    await eve.page.mouse.click(box["x"] + box["width"] * 0.89, box["y"] + box["height"] / 2)
    await expect(eve.page.get_by_role("note")).to_contain_text(label("word.scene"))

    await room.start_situation("siege", "The wall", "standard", "combat", 14, id="wall")
    for number in range(12):
        await room.add_challenge("wall", f"Tower {number}", "foe", id=f"tower-{number}")
    await expect(eve.page.locator(".rings .stud")).to_have_count(12)
    await room.add_challenge("wall", "Tower 12", "foe", id="tower-12")
    await expect(eve.page.locator(".rings .stud")).to_have_count(0)
    await expect(eve.page.locator(".counted")).to_have_text(label("challenges.overcome", done=0, number=13))
    await eve.shows_what_the_server_says()


async def test_a_clock_alone_is_half_the_page_and_rings_show_in_forced_colours(
    company: Company, table: Table, room: Room
):
    await room.start_clock("The guards wake", 6, id="guards", direction="up")
    eve = await company.seat(table, "eve", viewport={"width": 1280, "height": 800}, forced_colors="active")
    dial = eve.thing("clock:guards").locator(".dial")
    await expect(dial).to_be_visible()
    box = await box_of(dial)
    assert 390 <= box["height"] <= 410

    await room.start_countdown("The tide", 4)
    await expect(eve.page.locator(".clock.alone")).to_have_count(0)
    await race(table, guards="bell-guards")
    await eve.shows_what_the_server_says()
    colours: list[str] = await eve.page.evaluate(_COLOURS)
    assert len(set(colours)) == len(colours), "the middle, what is left and what is gone look alike"


async def test_the_last_active_scene_is_the_dial_and_a_press_swaps_scenes(company: Company, table: Table, room: Room):
    await room.open_scene("The vault", 8, id="vault")
    await room.start_situation("vault", "The way out", "standard", "social", 3, id="out")
    await room.open_scene("The roof", 9, id="roof")
    seats = await company.sit(table, "gm", "eve")
    for seat in seats.values():
        await expect(seat.page.locator("[data-thing='scene:roof'] .scene-dial")).to_be_visible()
        await expect(seat.page.locator("article.scene.small")).to_have_count(1)
        await seat.press("scene.show", seat.thing("scene:vault"), name="The vault")
        await expect(seat.page.locator("[data-thing='scene:vault'] .scene-dial")).to_be_visible()
        await expect(seat.thing("situation:out")).to_be_visible()
        await seat.shows_what_the_server_says()
    await room.travel("roof")  # which was active last before: it stays as it was chosen
    await expect(seats["eve"].thing("scene:roof").locator(".of-rings")).to_contain_text(
        label("ring.scene", value=8, size=9)
    )
    await expect(seats["eve"].page.locator("[data-thing='scene:vault'] .scene-dial")).to_be_visible()
    await room.travel("vault")
    await expect(seats["eve"].thing("scene:vault").locator(".of-rings")).to_contain_text("7 of 8")
    await room.travel("roof")
    await expect(seats["eve"].page.locator("[data-thing='scene:roof'] .scene-dial")).to_be_visible()


async def test_a_sealed_clock_is_a_ring_without_size_and_the_gms_own_is_dashed(
    company: Company, table: Table, room: Room
):
    await room.start_clock(f"{SECRET} wakes", 7, id="gm-kraken", visibility="gm")
    await room.start_clock("Below", 17, id="below", visibility="sealed")
    seats = await company.sit(table, "gm", "ann", "eve")
    dashed = seats["gm"].thing("clock:gm-kraken").locator(".dial.gm .hub")
    assert await dashed.evaluate("(hub) => getComputedStyle(hub).strokeDasharray") != "none"
    for name in ("ann", "eve"):
        document = await seats[name].everything_it_knows()
        assert SECRET not in document
        closed = seats[name].thing("sealed:below").get_by_role("img")
        await expect(closed).to_have_attribute("aria-label", label("sealed.inside"))
        assert "17" not in await closed.evaluate("(ring) => ring.outerHTML")
        await seats[name].shows_what_the_server_says()
    await seats["gm"].shows_what_the_server_says()


async def turned(seat: Seat, dial: Locator, by: float) -> None:
    """Drag along a ring, clockwise from three o'clock, by so many turns."""
    await dial.scroll_into_view_if_needed()
    path: list[list[float]] = await dial.evaluate(
        """(dial, by) => {
          const { left, top, width } = dial.getBoundingClientRect();
          const [x, y, radius] = [left + width / 2, top + width / 2, width * 0.39];
          const at = (turn) => [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
          return Array.from({ length: 13 }, (_, step) => at((2 * Math.PI * by * step) / 12));
        }""",
        by,
    )
    await seat.page.mouse.move(*path[0])
    await seat.page.mouse.down()
    for x, y in path[1:]:
        await seat.page.mouse.move(x, y)
    await seat.page.mouse.up()


async def test_the_gm_turns_a_clock_both_ways_and_a_scenes_ring_leads_to_travel(
    company: Company, table: Table, room: Room
):
    await race(table)
    gm = await come(company, table, "gm", 1440, 900)
    await gm.page.wait_for_load_state("networkidle")  # what turns dials is loaded once the table is there

    async def becomes(clock: str, wanted: int) -> None:
        await gm.sees(lambda view: view.clocks[clock].value == wanted)

    guards = gm.thing("clock:guards").locator(".dial")
    await turned(gm, guards, 2.2 / 6)
    await becomes("guards", 4)
    await turned(gm, guards, -1.2 / 6)
    await becomes("guards", 3)
    press = gm.page.locator("[data-key='clock:guards:tick']")  # it lies over the dial
    await press.click()
    await becomes("guards", 4)
    await press.click(modifiers=["Shift"])
    await becomes("guards", 3)

    dial = gm.page.locator(".scene-dial .rings")
    await room.travel("bell")
    await becomes("bell-clock", 9)
    await turned(gm, dial, -0.1)
    await becomes("bell-clock", 10)
    await turned(gm, dial, 0.1)
    await expect(gm.page.locator('[data-key="scene:bell:travel"]')).to_be_focused()
    assert (await gm.view()).clocks["bell-clock"].value == 10
    await expect(gm.page.get_by_role("note")).to_have_count(0)  # a ring that was turned was not asked about


BIG_SCREENS: Sequence[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]
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
    fight = race | {"kind": "standard", "content": "combat", "clock": 4, "name": LONG}
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
ROLLS = [
    {"type": f"propose_{kind}", "id": f"{kind}{n}", "character_id": "rook", "attribute": "Might", "purpose": "climb"}
    for kind in ("check", "total")
    for n in range(8)
]
TABLES = {
    "a scene": scenes("Ring the bell"),
    "everything": [*scenes("Keep the boat off the rocks", LONG), *things(2, 2), *PEOPLE],
    "twelve things": [*scenes("Ring the bell"), *things(8, 3), *PEOPLE],
    "a crowd": [*scenes("Ring the bell"), *things(20, 8), *PEOPLE, *ROLLS],
    "a countdown": things(1, 0),
    "many countdowns": things(14, 0),
    "a clock": things(0, 1),
}


@pytest.mark.layout
@pytest.mark.parametrize("name", TABLES)
async def test_nothing_is_cut_off_on_the_big_screen(company: Company, table: Table, room: Room, name: str):
    for order in TABLES[name]:
        await room.submit(order)
    eve = await company.seat(table, "eve", viewport=BIG_SCREENS[0])
    await eve.page.locator(".layer").wait_for(state="attached")
    await eve.page.locator(".across .item").first.wait_for()
    await eve.page.evaluate("() => document.fonts.ready.then(() => {})")
    for size in BIG_SCREENS:
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
          const said = [...document.querySelectorAll(".arena :is(.cube > b, .verdict, .headline, .came, .changed)")];
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
