"""What people do at a table all the time, done with counted hands: how many presses each takes, and how long."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import dreadclock
from dreadclock.client.room import Room
from kit.browser.company import Company, link
from kit.browser.evening import Given
from kit.browser.hands import Mouse, Work
from kit.browser.labels import label
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.waiting import until

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1440, "height": 900}}


@dataclass(frozen=True)
class Action:
    """Something people do, the most presses that it may take, and whether names and texts are typed besides."""

    name: str
    at_most: int
    who: str
    prepare: Callable[[Table, Room], Awaitable[object]]
    do: Callable[[Seat], Awaitable[None]]
    done: Callable[[Room], bool]


async def measure(company: Company, action: Action) -> Work:
    """Do an action at a table of its own. Raises AssertionError if it did not come about."""
    table = await open_table(company.server)
    async with _gm(table) as room:
        await action.prepare(table, room)
        seat = await company.come(action.who, **(DESK if action.who == "gm" else PHONE))
        seat.hands = Mouse()
        await seat.open(link(table, action.who))
        await action.do(seat)
        await until(lambda: action.done(room), 10)
    await seat.context.close()
    company.seats.remove(seat)
    return seat.hands.work


def _gm(table: Table) -> AbstractAsyncContextManager[Room]:
    return dreadclock.connect(link(table, "gm"))


# What stands on the table beforehand


async def _nothing(table: Table, room: Room) -> None: ...


async def _some(table: Table, room: Room) -> None:
    """Put what a table holds in the middle of an evening: a scene, characters, countdowns, clocks."""
    await room.set_policy(physical_dice="everyone")
    ann = next(seat.id for seat in room.view.seats.values() if seat.name.lower() == "ann")
    await room.add_character("Rook", id="rook", owner=ann, attributes={"Stealth": 4}, reflex=3)
    await room.add_character("Sparks", id="sparks", attributes={"Machines": 3}, reflex=2)
    await room.open_scene("The vault", 8, id="vault")
    for number in range(3):
        await room.start_countdown(
            f"Water {number}", 5, id=f"water-{number}", stages=[{"at": 2, "effect": "to the knees"}]
        )
        await room.start_clock(f"Guards {number}", 8, id=f"guards-{number}")


async def _waiting(table: Table, room: Room, *, contest: bool = False) -> None:
    await _some(table, room)
    async with dreadclock.connect(link(table, "ann")) as ann:
        await ann.propose_check("rook", attribute="Stealth", purpose="past the door", contest=contest, id="door")


async def _opposed(table: Table, room: Room) -> None:
    await _waiting(table, room, contest=True)


async def _ready(table: Table, room: Room) -> None:
    await _some(table, room)
    await room.propose_check("rook", attribute="Stealth", purpose="past the door", id="door")


async def _hidden(table: Table, room: Room) -> None:
    await _some(table, room)
    await room.start_countdown("The bomb", 4, id="gm-bomb", visibility="gm")


async def _crisis(table: Table, room: Room) -> None:
    await _some(table, room)
    await room.propose_total("sparks", "Machines", purpose="the core", id="core")
    await room.set_required("core", 25)
    await room.roll_total("core", faces=[3, 3, 3])
    await room.offer_push("core")
    await room.push_luck("core", faces=[3])
    assert room.view.characters["sparks"].crisis_due


# What is done


async def _invite(gm: Seat) -> None:
    form = await gm.unfold("gm.invite")
    await gm.fill(form, {"gm.name": "Tom"})
    await gm.press("gm.invite.make", form)
    await gm.page.get_by_role("group", name=label("gm.link.for", name="Tom")).wait_for()


async def _countdown(gm: Seat) -> None:
    form = await gm.unfold("gm.countdown.start")
    await gm.fill(form, {"gm.name": "Fire"})
    await gm.press("gm.start", form)


async def _whole_countdown(gm: Seat) -> None:
    form = await gm.unfold("gm.countdown.start")
    await gm.fill(form, {"gm.name": "Fire", "gm.speed": "gm.speed.medium", "gm.ending": "the roof comes down"})
    await gm.fill(form, {"gm.owner": "Ann"})
    stages = await gm.unfold("gm.stages", form)
    row = stages.get_by_role("group", name=label("gm.stage", number=1))
    await gm.fill(row, {"gm.stage_at": 2, "gm.stage_effect": "smoke"})
    await gm.press("gm.start", form)


async def _tick(gm: Seat) -> None:
    await gm.press("gm.tick", gm.thing("clock:guards-1"))


async def _tick_thrice(gm: Seat) -> None:
    for _ in range(3):
        await gm.send("gm.tick", gm.thing("clock:guards-1"))


async def _undo(gm: Seat) -> None:
    await gm.press("gm.tick", gm.thing("clock:guards-1"))
    tick = gm.page.get_by_role("log").locator("li").filter(has_text="after a tick").first
    before = gm.hands.work
    gm.hands.work = Work()
    form = await gm.unfold("gm.slip", tick)
    await gm.fill(form, {"gm.slip.reason": "slip"})
    await gm.send("gm.mistake", form)
    assert before.presses == 1


async def _approve(gm: Seat) -> None:
    await gm.press("gm.approve", gm.thing("check:door"))


async def _oppose(gm: Seat) -> None:
    card = gm.thing("check:door")
    form = await gm.unfold("gm.check.oppose", card)
    await gm.fill(form, {"gm.check.opponent": "Warden", "gm.score": 3})
    await gm.send("gm.check.oppose", form)
    await gm.send("gm.approve", card)
    await gm.hands.press(card.get_by_role("button", name="(Warden)").first)


async def _describe(gm: Seat) -> None:
    card = gm.thing("crisis:sparks")
    await gm.fill(card, {"crisis.mental": True, "gm.crisis.what": "hears the core"})
    await gm.press("gm.crisis.describe", card)


async def _reveal(gm: Seat) -> None:
    await gm.press("gm.reveal", gm.thing("countdown:gm-bomb"))
    await gm.press("gm.reveal.yes", gm.thing("countdown:gm-bomb"))


async def _race(gm: Seat) -> None:
    form = await gm.unfold("gm.situation.start", gm.thing("scene:vault"))
    given: Given = {"gm.name": "The way out", "gm.situation.kind": "gm.situation.race"}
    await gm.fill(form, given)
    await gm.fill(form, {"gm.race.level": 1})
    await gm.send("gm.start", form)
    race = gm.page.locator('[data-thing^="situation:"]').first
    for name in ("door", "lock", "turret"):
        form = await gm.unfold("gm.challenge.add", race)
        await gm.fill(form, {"gm.name": name})
        await gm.send("gm.add", form)


async def _propose(ann: Seat) -> None:
    form = await ann.unfold("my.check", ann.thing("character:rook"))
    await ann.fill(form, {"my.purpose": "over the wall"})
    await ann.press("my.propose", form)


async def _own_dice(ann: Seat) -> None:
    card = ann.thing("check:door")
    form = await ann.unfold("my.own_dice", card)
    await ann.fill(form, {"my.faces": "5 4 2 1"})
    await ann.press("my.enter_faces", form)


def _value(room: Room, clock: str) -> int:
    clocks = room.view.clocks
    return clocks[clock].size - clocks[clock].value


ACTIONS = (
    Action("first invite", 2, "gm", _nothing, _invite, lambda room: len(room.view.seats) > 4),
    Action("countdown", 2, "gm", _some, _countdown, lambda room: len(room.view.countdowns) == 4),
    Action("countdown with everything", 7, "gm", _some, _whole_countdown, lambda room: len(room.view.countdowns) == 4),
    Action("tick one", 1, "gm", _some, _tick, lambda room: _value(room, "guards-1") == 1),
    Action("tick three", 3, "gm", _some, _tick_thrice, lambda room: _value(room, "guards-1") == 3),
    Action("undo", 1, "gm", _some, _undo, lambda room: _value(room, "guards-1") == 0),
    Action("approve", 1, "gm", _waiting, _approve, lambda room: room.view.checks["door"].status == "ready"),
    Action(
        "oppose with a nameless foe, approve, roll",
        4,
        "gm",
        _opposed,
        _oppose,
        lambda room: room.view.checks["door"].status == "rolling",
    ),
    Action(
        "describe a crisis", 2, "gm", _crisis, _describe, lambda room: not room.view.characters["sparks"].crisis_due
    ),
    Action("reveal", 1, "gm", _hidden, _reveal, lambda room: room.view.countdowns["gm-bomb"].visibility == "public"),
    Action("a race with three challenges", 6, "gm", _some, _race, lambda room: len(room.view.challenges) == 3),
    Action("on a phone: propose", 3, "ann", _some, _propose, lambda room: len(room.view.checks) == 1),
    Action(
        "on a phone: own dice", 2, "ann", _ready, _own_dice, lambda room: room.view.checks["door"].status == "resolved"
    ),
)
