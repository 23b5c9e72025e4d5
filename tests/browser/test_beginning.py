"""A fresh table: three beginnings for the gm, and the question who a player is."""

from collections.abc import Mapping

import pytest
from playwright.async_api import Locator, expect

from dreadclock.wire.views import View
from kit.browser.axe import violations, violations_enlarged
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import open_table
from kit.server import Server
from kit.waiting import until

PHONE: Mapping[str, object] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BEGINNINGS = ("out", "chase", "door")
AT_FIRST_S = 20.0
MOST_CONTROLS = 12
# What can be pressed or typed into at rest, each member of a group counted: not the skip link, nor regions that scroll.
CONTROLS = """
() => {
  const real = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=slider]";
  const scrolls = (each) => /(auto|scroll)/.test(getComputedStyle(each).overflow);
  const isSeen = (each) => each.checkVisibility({ checkOpacity: !each.matches("input"), checkVisibilityCSS: true });
  const all = [...document.querySelectorAll(`${real}, [tabindex="0"]`)].filter(isSeen);
  const counted = all.filter((each) => !each.matches(".skip") && (each.matches(real) || !scrolls(each)));
  return counted.map((each) => each.ariaLabel ?? each.textContent.trim());
}
"""


def row(gm: Seat, kind: str) -> Locator:
    """Find the line of a beginning."""
    return gm.page.locator(f"[data-beginning={kind}]")


def said(view: View) -> tuple[list[tuple[str, int, str | None]], list[str], list[tuple[str, int]], list[str]]:
    """Return what is on the table: countdowns, scenes, situations with their clocks, and challenges."""
    clocks = view.clocks
    return (
        [(each.name, each.pool, each.ending) for each in view.countdowns.values()],
        [each.name for each in view.scenes.values()],
        [(each.name, clocks[each.clock_id].value) for each in view.situations.values()],
        [each.name for each in view.challenges.values()],
    )


async def test_a_beginning_is_on_the_table_in_one_press_and_is_changed_in_its_place_even_after_a_reload(
    company: Company, server: Server
):
    table = await open_table(server)
    gm = await company.come("gm")
    await gm.open(link(table, "gm"))

    for kind in BEGINNINGS:
        await gm.press(f"gm.begin.{kind}")
        await expect(row(gm, kind).locator("input").first).to_be_focused()  # its name, to be typed over
    assert gm.hands.work.presses == len(BEGINNINGS)
    usual = {
        each: label(f"gm.begin.{each}.usual")
        for each in ("out.name", "out.more", "chase.name", "chase.more", "door.name", "door.more")
    }
    assert said(await gm.view()) == (
        [(usual["out.name"], 6, usual["out.more"])],
        [usual["chase.name"], usual["door.name"]],
        [(usual["chase.more"], 3), (usual["door.more"], 1)],
        [usual["door.more"]],
    )

    await gm.page.reload()
    await gm.arrived()
    changes: dict[str, dict[str, str | int]] = {
        "out": {"name": "The tide", "more": "It is in.", "number": 4},
        "chase": {"name": "Out", "more": "The sexton", "number": 2},
        "door": {"name": "In", "more": "The rusted lock", "number": 3},
    }
    for kind, given in changes.items():
        await gm.fill(row(gm, kind), {f"gm.begin.{kind}.{name}": value for name, value in given.items()})
        await gm.press("gm.begin.change", row(gm, kind))
    changed = (
        [("The tide", 4, "It is in.")],
        ["Out", "In"],
        [("The sexton", 2), ("The rusted lock", 1)],
        ["The rusted lock"],
    )

    async def is_changed() -> bool:
        return said(await gm.view()) == changed

    await until(is_changed)
    await gm.shows_what_the_server_says()
    view = await gm.view()
    (lock,) = view.challenges.values()
    assert view.clocks[lock.clock_id or ""].value == 3

    await gm.send("gm.turn.end")
    await expect(gm.page.locator(".beginning")).to_have_count(0)


async def test_an_empty_table_has_few_controls_at_rest(company: Company, server: Server):
    gm = await company.come("gm", viewport={"width": 1440, "height": 900}, base_url=server.url)
    await gm.page.goto("/")
    await gm.press("home.open")
    await gm.fill(gm.page.locator("main"), {"home.title": "The drowned bell"})
    await gm.press("home.open_send")
    await expect(gm.button(label("gm.begin.door"))).to_be_visible()

    controls: list[str] = await gm.page.evaluate(CONTROLS)

    assert len(controls) <= MOST_CONTROLS, controls


@pytest.mark.layout
async def test_a_new_player_is_somebody_within_twenty_seconds(company: Company, server: Server, figures: list[str]):
    table = await open_table(server)
    ann = await company.come("ann", **PHONE)
    await ann.open(link(table, "ann"))
    await expect(
        ann.page.get_by_role("heading", name=label("my.who", name="Ann", title=(await ann.view()).title))
    ).to_be_visible()
    form = ann.page.locator('[data-form="add:character:send"]')
    might, stealth, *_ = label("form.attributes.usual").split(", ")

    await ann.hands.type(ann.field(label("form.name"), form), "Rook")
    for name, score in ((might, 3), (stealth, 4)):
        dots = ann.field(name, form)
        await tap(dots, score)
        await expect(dots).to_have_value(str(score))
        ann.hands.work.presses += 1
    own = ann.field(label("form.attribute_number", number=1), form)
    await ann.hands.type(own, "Locks")
    await expect(ann.field(label("form.attribute_number", number=2), form)).to_be_visible()  # there may be more
    assert not (found := await violations(ann.page, place=".who")), "\n".join(found)
    await ann.press("my.add", form)

    await expect(ann.page.get_by_role("heading", name="Rook")).to_be_visible()
    (rook,) = (await ann.view()).characters.values()
    assert (rook.name, rook.attributes) == ("Rook", {might: 3, stealth: 4, "Locks": 3})
    figures.append(f"{ann.hands.work.seconds:.1f} s for a new player to be somebody")
    assert ann.hands.work.seconds <= AT_FIRST_S
    await expect(ann.page.locator(".who")).to_have_count(0)
    assert not (found := await violations_enlarged(ann.page)), "\n".join(found)


async def tap(dots: Locator, score: int) -> None:
    """Tap a dot of an attribute, in its left half: the first place has none."""
    await dots.scroll_into_view_if_needed()
    box = await dots.bounding_box()
    assert box
    side = box["width"] / 9
    await dots.tap(position={"x": side * (score + 0.3), "y": box["height"] / 2})
