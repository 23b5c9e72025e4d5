"""The gm's cockpit: ticks that all count, a menu on each thing, one place for forms, hidden foes."""

import json
import re
from typing import Any

from playwright.async_api import Locator, WebSocketRoute, expect

import dreadclock
from dreadclock import Room
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table
from kit.waiting import until

LAPTOP = {"width": 1440, "height": 900}
GUARDS = "clock:guards"


class Line:
    """The way from a page to its server, on which commands can be held up, and changed."""

    def __init__(self) -> None:
        self.holds = False
        self.swap: tuple[str, str] | None = None
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []

    async def take(self, seat: Seat) -> None:
        """Pass all that a page sends from now on."""
        await seat.page.route_web_socket(re.compile("."), self._open)

    def _open(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()
        near.on_message(lambda message: self._pass(far, message))

    def _pass(self, far: WebSocketRoute, message: str | bytes) -> None:
        if self.holds:
            self._held.append((far, message))
        else:
            far.send(self._swapped(message))

    def _swapped(self, message: str | bytes) -> str | bytes:
        return message.replace(*self.swap) if self.swap and isinstance(message, str) else message

    def release(self) -> None:
        """Send what was held up, in its order."""
        self.holds = False
        for far, message in self._held:
            far.send(self._swapped(message))
        self._held.clear()


def tick(seat: Seat, clock: str) -> Locator:
    """Find what moves a clock on."""
    return seat.page.locator(f'[data-key="{clock}:tick"]')


async def reads(place: Locator, value: int, size: int, *, unsettled: bool = False) -> None:
    """Return once a dial reads so."""
    said = label("dial.up", value=value, size=size)
    await expect(place.locator(".dial")).to_have_attribute(
        "aria-label", f"{said}, {label('dial.unsettled')}" if unsettled else said
    )


async def types_sent(seat: Seat) -> list[str]:
    """Return the types of the commands that a page sent."""
    return [json.loads(frame)["command"]["type"] for frame in seat.wire.commands()]


async def test_every_tick_counts_at_once_and_a_double_click_ends_one_turn(company: Company, table: Table, room: Room):
    await room.start_clock("Guards", 6, id="guards", direction="up")
    await room.start_clock("Hunt", 8, id="hunt", direction="up", owner=table.seat("ann"))
    line, gm = Line(), await company.come("gm", viewport=LAPTOP)
    await line.take(gm)
    await gm.open(link(table, "gm"))
    ann = await company.seat(table, "ann")

    line.holds = True
    await tick(gm, GUARDS).click(click_count=5)
    await reads(gm.thing(GUARDS), 5, 6, unsettled=True)
    assert (await gm.view()).clocks["guards"].value == 0
    line.release()
    await reads(gm.thing(GUARDS), 5, 6)
    assert (await gm.view()).clocks["guards"].value == 5

    await tick(gm, GUARDS).click(modifiers=["Shift"])
    await gm.page.keyboard.press("-")
    menu = gm.page.locator(f'[data-place="menu:{GUARDS}"] > summary')
    await gm.thing(GUARDS).click(button="right")
    await gm.button(label("gm.back"), gm.thing(GUARDS)).click(click_count=2)
    await reads(gm.thing(GUARDS), 1, 6)
    await gm.page.keyboard.press("Escape")
    await expect(menu).to_be_focused()
    assert await types_sent(gm) == ["tick_clock"] * 9

    line.swap = ('"guards"', '"nobody"')
    await tick(gm, GUARDS).click()
    await expect(gm.thing(GUARDS).get_by_role("alert")).to_contain_text("nobody")
    await reads(gm.thing(GUARDS), 1, 6)
    line.swap = None

    await ann.button(label("my.tick"), ann.thing("clock:hunt")).click(click_count=3)
    await reads(ann.thing("clock:hunt"), 3, 8)
    await gm.button(label("gm.turn.end")).dblclick()
    await expect(gm.page.locator("#turn-now")).to_have_text(label("turn", turn=2))
    await gm.shows_what_the_server_says()
    await ann.shows_what_the_server_says()
    assert (await types_sent(gm)).count("end_turn") == 1
    assert await types_sent(ann) == ["tick_clock"] * 3
    await what_is_done_all_the_time_is_one_press_away(gm, table)


async def what_is_done_all_the_time_is_one_press_away(gm: Seat, table: Table) -> None:
    """Press what waits, a countdown and a hidden clock, and reveal what is due."""
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.add_character("Rook", id="rook", owner=table.seat("ann"), attributes={"Might": 4})
        await room.start_clock("Doom", 6, id="gm-doom", visibility="gm")
        await room.start_countdown("Rope", 12, id="rope", bound_to="nothing")
        await room.start_countdown("The beast", 3, id="gm-beast", visibility="gm")
        await room.open_scene("Bomb", 8, id="bomb")
        await room.start_countdown("Fuse", 4, id="fuse", bound_to="scene", bound_id="bomb")
    sent, answers = len(await types_sent(gm)), gm.wire.answers
    async with dreadclock.connect(link(table, "ann")) as room:
        await room.propose_check("rook", attribute="Might", id="door", purpose="lift the gate")
    strip = gm.page.locator("[data-place=strip]")
    waits = strip.locator("[data-waits]")
    await expect(waits).to_have_attribute("data-waits", "1")
    due = strip.locator("[data-part=due]")
    await expect(due).to_contain_text(f"The beast ({label('visibility.gm')})")
    await expect(gm.thing("clock:gm-doom")).to_contain_text(label("visibility.gm"))

    await gm.button(label("gm.approve"), gm.thing("check:door")).click()
    await expect(waits).to_have_count(0)
    await gm.button(label("gm.roll"), gm.thing("countdown:rope")).dblclick()
    await tick(gm, "clock:gm-doom").click()
    await until(lambda: gm.wire.answers >= answers + 3)
    assert sorted((await types_sent(gm))[sent:]) == ["adjust_check", "roll_countdown", "tick_clock"]

    await gm.page.locator('[data-place="menu:scene:bomb"] > summary').click()
    await expect(gm.thing("scene:bomb").locator("[data-part=due]")).to_contain_text("Fuse")
    await gm.thing("countdown:gm-beast").get_by_role("button", name=re.compile(f"^{label('gm.reveal')}")).dblclick()
    await expect(gm.thing("countdown:gm-beast")).not_to_contain_text(label("visibility.gm"))
    assert (await types_sent(gm))[sent + 3 :] == ["reveal"]
    await gm.shows_what_the_server_says()


def way(seat: Seat, key: str, within: Locator | None = None) -> Locator:
    """Find what opens a form."""
    return seat.folded(label(key), within).locator("> summary")


async def focused(seat: Seat, form: str) -> Locator:
    """Return a form once something in it has the focus."""
    found = seat.page.locator(f'[data-form="{form}"]')
    await expect(found.locator(":focus")).to_have_count(1)
    return found


async def test_forms_keep_what_was_typed_repeat_the_last_and_say_who_sees_it(
    company: Company, table: Table, room: Room
):
    gm = await company.seat(table, "gm", viewport=LAPTOP)
    await gm.fill(
        await gm.unfold("gm.countdown.start"), {"form.name": "Fuse", "form.dice": 9, "form.ending": "it goes up"}
    )
    form = await focused(gm, "countdown:start")
    await gm.send("form.start", form)

    await gm.unfold("gm.countdown.start")
    form = await focused(gm, "countdown:start")
    await gm.press("gm.again", form)
    await expect(gm.field(label("form.ending"), form)).to_have_value("it goes up")
    await gm.fill(form, {"form.name": "Second fuse"})
    await gm.send("form.start", form)
    first, second = (await gm.view()).countdowns.values()
    assert (second.name, second.pool, second.ending) == ("Second fuse", first.pool, first.ending)

    await gm.unfold("gm.scene.open")
    await focused(gm, "scene:open")
    await gm.page.keyboard.type("Vault")
    await way(gm, "gm.clock.start").click()
    await focused(gm, "clock:start")
    await expect(gm.page.locator(".panel:popover-open")).to_have_count(1)
    await gm.page.keyboard.press("Escape")
    await expect(gm.page.locator('[data-place="menu:add"] > summary')).to_be_focused()
    await gm.unfold("gm.scene.open")
    form = await focused(gm, "scene:open")
    await expect(gm.field(label("form.name"), form)).to_have_value("Vault")
    await gm.send("gm.open", form)
    await several_challenges_come_from_one_form(gm, room)
    await a_foe_is_the_gms_alone_until_it_acts_and_forms_say_who_sees_what_they_make(gm, table)


async def several_challenges_come_from_one_form(gm: Seat, room: Room) -> None:
    """Add two challenges with nothing but their names and Enter."""
    await room.start_situation("scene-1", "The way out", "standard", "social", 3, id="out")
    await gm.unfold("gm.challenge.add", gm.thing("situation:out"))
    form = await focused(gm, "situation:out:challenge")
    for name in ("pit", "spikes"):
        await gm.page.keyboard.type(name)
        await gm.page.keyboard.press("Enter")
        await expect(gm.field(label("form.name"), form)).to_have_value("")
        await focused(gm, "situation:out:challenge")
    # the form is empty before the server has answered
    await gm.sees(lambda view: [challenge.name for challenge in view.challenges.values()] == ["pit", "spikes"])


async def foe(gm: Seat, name: str, **given: Any) -> Locator:
    """Fill in the form of a character."""
    form = (await gm.unfold("gm.character.add")).locator("form")
    await gm.fill(form, {"form.name": name} | {f"character.{field}": value for field, value in given.items()})
    return form


async def a_foe_is_the_gms_alone_until_it_acts_and_forms_say_who_sees_what_they_make(gm: Seat, table: Table) -> None:
    """Bring two foes, and look at what each form says."""
    form = await foe(gm, "The warden")
    seen = form.locator("[data-part=seen]")
    await expect(seen).to_have_text(label("gm.seen.acts"))
    await gm.fill(form, {"gm.owner": "Ann"})
    await expect(seen).to_have_text(label("gm.seen.public"))
    await gm.fill(form, {"gm.owner": "gm.owner.gm"})
    await expect(seen).to_have_text(label("gm.seen.acts"))
    await gm.send("gm.character.add", form)

    hidden = (await gm.view()).gm
    assert hidden is not None
    warden = list(hidden.characters.values())[-1]
    await expect(gm.thing(f"character:{warden.id}")).to_contain_text(label("visibility.acts"))
    assert "The warden" not in str(await table.view("ann"))
    await gm.fill(await foe(gm, "Porter"), {"gm.character.hidden": False})
    await expect(seen).to_have_text(label("gm.seen.public"))
    await gm.send("gm.character.add", form)
    assert "Porter" in str(await table.view("ann"))

    for way_in in ("gm.countdown.start", "gm.clock.start", "gm.scene.open", "gm.check.propose", "gm.dice.roll"):
        form = (await gm.unfold(way_in)).locator("form")
        changes = {"gm": "gm.seen.gm", "public": "gm.seen.public"}
        if way_in == "gm.countdown.start":
            changes = {"sealed": "gm.seen.sealed"} | changes
        for visibility, words in changes.items():
            await gm.fill(form, {"gm.visibility": f"gm.visibility.{visibility}"})
            await expect(form.locator("[data-part=seen]")).to_have_text(label(words))
        await gm.page.keyboard.press("Escape")
        await expect(form).to_have_count(0)
