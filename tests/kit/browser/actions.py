"""What people do at a table all the time, done with counted hands: how many presses each takes, and how long."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Locator, expect

import dreadclock
from dreadclock.client.room import Room
from kit.browser.company import Company, link
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


@asynccontextmanager
async def one_table(company: Company) -> AsyncIterator[Callable[[Action], Awaitable[Work]]]:
    """Open a table and two pages, and give what does an action there and returns the work that it was.

    What was done before stays on the table. Raises AssertionError if an action did not come about.
    """
    table = await open_table(company.server)
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        seats = {"gm": await company.come("gm", **DESK), "ann": await company.come("ann", **PHONE)}
        for name, seat in seats.items():
            await seat.open(link(table, name))

        async def measure(action: Action) -> Work:
            await action.prepare(table, room)
            seat = seats[action.who]
            seat.hands = Mouse()
            await action.do(seat)
            await until(lambda: action.done(room))
            return seat.hands.work

        yield measure


# What stands on the table beforehand


async def _nothing(table: Table, room: Room) -> None: ...


async def _some(table: Table, room: Room) -> None:
    """Let there be what a table holds in the middle of an evening: a scene, characters, countdowns, clocks."""
    if "vault" in room.view.scenes:
        return
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


async def _waiting(table: Table, room: Room) -> None:
    await _some(table, room)
    async with dreadclock.connect(link(table, "ann")) as ann:
        await ann.propose_check("rook", attribute="Stealth", purpose="past the door", id="door")


async def _opposed(table: Table, room: Room) -> None:
    await _some(table, room)
    async with dreadclock.connect(link(table, "ann")) as ann:
        await ann.propose_check("rook", attribute="Stealth", purpose="past the guard", contest=True, id="duel")


async def _ready(table: Table, room: Room) -> None:
    await _some(table, room)
    await room.propose_check("rook", attribute="Stealth", purpose="down the well", id="well")


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


async def _press(seat: Seat, place: Locator) -> None:
    await seat.hands.press(place)


async def _open(seat: Seat, key: str, form: str, within: Locator | None = None) -> Locator:
    """Open a form, and return it once something in it has the focus."""
    folded = seat.folded(label(key), within).locator("> summary")
    await seat.reach(folded, label(key), within)
    await _press(seat, folded)
    found = seat.page.locator(f'[data-form="{form}"]')
    await expect(found.locator(":focus")).to_have_count(1)
    return found


def _clock(seat: Seat, name: str) -> Locator:
    return seat.page.locator(f'[data-key="clock:{name}:tick"]')


async def _add(gm: Seat) -> Locator:
    """Open what can be added, and return the form of a countdown once it has the focus."""
    await _press(gm, gm.page.locator('[data-place="menu:add"] > summary'))
    form = gm.page.locator('[data-form="countdown:start"]')
    await expect(form.locator(":focus")).to_have_count(1)
    return form


async def _invite(gm: Seat) -> None:
    await gm.press("gm.beginning.invite")
    form = gm.page.locator('[data-form="seat:invite"]')
    await gm.fill(form, {"form.name": "Tom"})
    await gm.press("gm.invite.make", form)
    await gm.page.get_by_role("group", name=label("gm.link.for", name="Tom")).wait_for()


async def _countdown(gm: Seat) -> None:
    form = await _add(gm)
    await gm.fill(form, {"form.name": "Fire"})
    await gm.press("form.start", form)


async def _whole_countdown(gm: Seat) -> None:
    form = await _add(gm)
    await gm.fill(form, {"form.name": "Storm"})
    await _press(gm, form.get_by_role("radio", name=label("form.speed.medium"), exact=True))
    await gm.fill(form, {"form.ending": "the roof comes down", "gm.owner": "Ann"})
    await _press(gm, form.locator("summary", has_text=label("form.stages")))
    row = form.get_by_role("group", name=label("form.stage", number=1))
    await gm.fill(row, {"form.stage_at": 2, "form.stage_effect": "smoke"})
    await gm.press("form.start", form)


async def _tick(gm: Seat) -> None:
    await _press(gm, _clock(gm, "guards-1"))


async def _tick_thrice(gm: Seat) -> None:
    for _ in range(3):
        await _press(gm, _clock(gm, "guards-2"))


async def _undo(gm: Seat) -> None:
    await _press(gm, _clock(gm, "guards-0"))
    await gm.page.locator('[data-key="undo"]').wait_for()
    gm.hands.work = Work()
    await _press(gm, gm.page.locator('[data-key="undo"]'))


async def _approve(gm: Seat) -> None:
    await gm.press("gm.approve", gm.thing("check:door"))


async def _oppose(gm: Seat) -> None:
    card = gm.thing("check:duel")
    form = await _open(gm, "gm.check.oppose", "check:duel:oppose", card)
    await gm.hands.type(form.locator("input[name=opponent_score]"), "3")
    await gm.press("gm.check.oppose", form)
    await gm.button(label("gm.approve"), card).wait_for()
    await gm.press("gm.approve", card)
    await _press(gm, card.locator(".button.main", has_text=label("gm.roll")))


async def _describe(gm: Seat) -> None:
    card = gm.thing("crisis:sparks")
    await gm.fill(card, {"crisis.mental": True, "gm.crisis.what": "hears the core"})
    await gm.press("gm.crisis.describe", card)


async def _reveal(gm: Seat) -> None:
    await gm.press("gm.reveal", gm.thing("countdown:gm-bomb"))


async def _race(gm: Seat) -> None:
    form = await _open(gm, "gm.situation.start", "scene:vault:situation", gm.thing("scene:vault"))
    await gm.fill(form, {"form.name": "The way out"})
    await _press(gm, form.get_by_role("radio", name=label("gm.situation.race"), exact=True))
    names = {label("gm.challenge.number", number=at): name for at, name in enumerate(("door", "lock", "turret"), 1)}
    await gm.fill(form, names)
    await gm.press("form.start", form)


async def _propose(ann: Seat) -> None:
    form = await ann.unfold("my.check", ann.thing("character:rook"))
    await ann.fill(form, {"form.purpose": "over the wall"})
    await _press(ann, ann.field("Stealth 4", form))
    await ann.press("my.propose", form)


async def _own_dice(ann: Seat) -> None:
    card = ann.thing("check:well")
    own = await ann.unfold("my.own_dice", card)
    for face in (5, 4, 2, 1):
        await own.locator(f'[data-face="{face}"]').click()
        ann.hands.work.letters += 1  # the faces are what is typed
    await ann.press("my.enter_faces", own)


def _value(room: Room, clock: str) -> int:
    clocks = room.view.clocks
    return clocks[clock].size - clocks[clock].value


def _is_running(room: Room, name: str) -> bool:
    return any(each.name == name for each in room.view.countdowns.values())


def _is_taken_back(room: Room) -> bool:
    last = room.view.public.recent[-1].event
    return last.type == "command_voided" and _value(room, "guards-0") == 0


def _is_proposed(room: Room) -> bool:
    return any(each.purpose == "over the wall" for each in room.view.checks.values())


def _is_described(room: Room) -> bool:
    return not room.view.characters["sparks"].crisis_due


def _is_revealed(room: Room) -> bool:
    return room.view.countdowns["gm-bomb"].visibility == "public"


ACTIONS = (  # those on the phone before others let a card come up there
    Action("first invite", 2, "gm", _nothing, _invite, lambda room: len(room.view.seats) > 4),
    Action("on a phone: propose", 3, "ann", _some, _propose, _is_proposed),
    Action(
        "on a phone: own dice", 2, "ann", _ready, _own_dice, lambda room: room.view.checks["well"].status == "resolved"
    ),
    Action("countdown", 2, "gm", _some, _countdown, lambda room: _is_running(room, "Fire")),
    Action("countdown with everything", 7, "gm", _some, _whole_countdown, lambda room: _is_running(room, "Storm")),
    Action("tick one", 1, "gm", _some, _tick, lambda room: _value(room, "guards-1") == 1),
    Action("tick three", 3, "gm", _some, _tick_thrice, lambda room: _value(room, "guards-2") == 3),
    Action("undo", 1, "gm", _some, _undo, _is_taken_back),
    Action("approve", 1, "gm", _waiting, _approve, lambda room: room.view.checks["door"].status == "ready"),
    Action(
        "oppose with a nameless foe, approve, roll",
        4,
        "gm",
        _opposed,
        _oppose,
        lambda room: room.view.checks["duel"].status == "rolling",
    ),
    Action("describe a crisis", 2, "gm", _crisis, _describe, _is_described),
    Action("reveal", 1, "gm", _hidden, _reveal, _is_revealed),
    Action("a race with three challenges", 6, "gm", _some, _race, lambda room: len(room.view.challenges) == 3),
)
