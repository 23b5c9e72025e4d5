"""The arena: dice that end on the server's faces, what decides is gold, and it covers nothing that it is about."""

import asyncio
import itertools
import os
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
from playwright.async_api import ViewportSize, expect

import dreadclock
from dreadclock import Room
from dreadclock.wire.base import Channel
from kit.browser.company import Company, link
from kit.browser.labels import label
from kit.browser.layout import resize
from kit.browser.moments import CUTS, course, tops, watch_coming
from kit.browser.seat import Seat
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

SIZES: Sequence[ViewportSize] = [
    {"width": width, "height": height}
    for width, height in ((360, 740), (390, 844), (720, 1024), (1440, 900), (1920, 1080), (2560, 1440))
]
ROOK, MONA = ({"id": each.lower(), "name": each, "attributes": {"Might": 3}, "reflex": 2} for each in ("Rook", "Mona"))
# Waits until dice fly, and until they lie; each time, says whether the arena leaves the screen or covers a card.
_WATCH = """
async (thing) => {
  const frame = () => new Promise(requestAnimationFrame);
  const box = (element) => element.getBoundingClientRect();
  const isOut = ({ left, top, right, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
  const meet = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const wrong = [];
  const look = (when) => {
    const arena = box(document.querySelector(".arena"));
    if (isOut(arena)) wrong.push(`${when}: it leaves the screen`);
    const dice = when === "lies" ? [...document.querySelectorAll(".arena .cube > b")] : [];
    if (dice.some((side) => isOut(box(side)))) wrong.push("a die leaves the screen");
    const cards = [...document.querySelectorAll(`main [data-thing="${thing}"]`)];
    if (cards.some((card) => meet(arena, box(card)))) wrong.push(`${when}: it covers its card`);
  };
  const flies = () => document.querySelector(".arena .moment:not(.landed)");
  while (!flies()) await frame();
  look("flies");
  while (flies()) await frame();
  look("lies");
  return wrong;
}
"""

# Notes how many dice gather for a button that is pressed, and whether they are gone again.
_GATHERED = """
window.__gathered = [];
new MutationObserver((changes) => {
  for (const { addedNodes, removedNodes } of changes) {
    const dice = (nodes) => [...nodes].filter((each) => each.matches?.(".gathering"));
    for (const each of dice(addedNodes)) window.__gathered.push(each.querySelectorAll(".flat").length);
    for (const _ of dice(removedNodes)) window.__gathered.push("gone");
  }
}).observe(document, { subtree: true, childList: true });
"""
_SUMS = """
() => new Promise((resolve) => {
  const sums = [];
  new MutationObserver(() => {
    const said = document.querySelector(".arena .came")?.textContent;
    if (said && sums.at(-1) !== said && sums.push(said) === 3) resolve(sums);
  }).observe(document, { subtree: true, childList: true, characterData: true });
})
"""


async def prepared(server: Server) -> Table:
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        await room.submit({"type": "add_character", "owner": table.seat("ann")} | ROOK)
        await room.submit({"type": "add_character"} | MONA)
    return table


async def golden(seat: Seat) -> list[int]:
    """Return what the golden dice show, those of others beside the roll included."""
    classes: list[str] = await seat.page.locator(".arena .gold").evaluate_all(
        "(dice) => dice.map((die) => die.matches('.flat') ? /f([1-6])/.exec(die.className)[1] : '')"
    )
    shown = await tops(seat.page)
    cubes: list[bool] = await seat.page.locator(".arena .trays :is(.cube, .flat)").evaluate_all(
        "(dice) => dice.map((die) => die.matches('.gold'))"
    )
    ours = [face for face, gold in zip(shown, cubes, strict=True) if gold]
    return ours + [int(face) for face in classes if face]


async def see(seat: Seat, faces: Sequence[int], verdict: str, came: str = "", gold: Sequence[int] = ()) -> None:
    """See the dice of the latest roll, its verdict, what is said below that, and which dice are gold."""
    await expect(seat.page.locator(".arena .verdict")).to_have_text(verdict)
    if came:
        await expect(seat.page.locator(".arena .came")).to_contain_text(came)
    assert await tops(seat.page) == list(faces)
    assert await golden(seat) == list(gold)


async def test_dice_of_every_kind_show_the_servers_faces_and_gold_is_what_decides(company: Company, server: Server):
    table = await prepared(server)
    eve, gm = (await company.sit(table, "eve", "gm")).values()
    await eve.page.locator(".layer").wait_for(state="attached")
    async with dreadclock.connect(link(table, "gm")) as room:
        await plain_rolls(eve, room)
        await checks(eve, room)
        await contests_and_help(eve, room)
        await totals(eve, gm, room)
        await countdowns(eve, room)


async def plain_rolls(eve: Seat, room: Room) -> None:
    for faces in ([5], [6, 3], [1, 2, 3, 4, 5, 6, 1, 2, 3, 4], [6, 1] * 10):
        await room.roll_dice(len(faces), name=f"{len(faces)} dice", faces=faces)
        await expect(eve.page.locator(".arena .headline")).to_contain_text(f"{len(faces)} dice")
        await see(eve, faces, "")


async def checks(eve: Seat, room: Room) -> None:
    cases: Mapping[str, tuple[str, list[int], list[int]]] = {
        "triumph": (f"Rook: {label('momentum')}", [6, 6, 2, 1, 3], [6, 6]),
        "success": (label("verdict.goes_on"), [5, 4, 5], [5, 5]),
        "fail": (label("verdict.goes_on"), [3, 2, 3], [3, 3]),
        "fumble": (f"Rook: {label('interference')}", [1, 1, 1], []),
    }
    for outcome, (change, faces, gold) in cases.items():
        await room.propose_check("rook", attribute="Might", id=f"to-{outcome}")
        await room.roll_check(f"to-{outcome}", faces=faces)
        await see(eve, faces, label(f"verdict.{outcome}"), gold=gold)
        await expect(eve.page.locator(".arena .changed")).to_have_text(change)
    await room.propose_check("rook", attribute="Might", id="bold", venture={"level": 1, "what": "a rope"})
    await room.roll_check("bold", faces=[2, 5, 3])
    await see(eve, [2, 5, 3], label("verdict.fail"), gold=[3])  # the highest was taken away
    await expect(eve.page.locator(".arena .trays .dim")).to_have_count(1)


async def contests_and_help(eve: Seat, room: Room) -> None:
    await room.propose_check("rook", attribute="Might", id="duel", contest=True)
    await room.oppose_check("duel", character_id="mona", attribute="Might")
    await room.roll_check("duel", character_id="mona", faces=[4, 5, 5])
    await see(eve, [4, 5, 5], "", label("check.awaits", names=["Rook"]))
    await room.roll_check("duel", character_id="rook", faces=[5, 2, 1])
    await see(eve, [5, 2, 1], label("verdict.wins", names=["Mona"]), "2 × 5 beats 1 × 5", gold=[5, 5])

    await room.propose_check("rook", attribute="Might", id="lift")
    await room.help_check("lift", character_id="mona", score=2)
    await room.roll_check("lift", character_id="rook", faces=[3, 5, 1])
    await room.roll_check("lift", character_id="mona", faces=[5, 2])
    await see(eve, [5, 2], label("verdict.success"), gold=[5, 5])  # whoever rolled them


async def totals(eve: Seat, gm: Seat, room: Room) -> None:
    missed, of = label("verdict.missed"), label("verdict.of", total=6, required=12)
    for name, secret in (("wall", False), ("tower", True)):
        await room.propose_total("rook", "Might", id=name)
        await room.set_required(name, 12, secret=secret)
        await room.roll_total(name, faces=[4, 2, 4])
        told = label("total.sum", total=6) if secret else of  # the number is the gm's
        await asyncio.gather(see(gm, [4, 2, 4], missed, of), see(eve, [4, 2, 4], missed, told))
        await expect(eve.page.locator(".arena .trays .under")).to_have_count(1)
        assert ("12" in await eve.page.locator(".arena").inner_text()) is not secret
        await room.offer_push(name, crisis="physical")

    await room.push_luck("wall", faces=[6])
    await see(eve, [4, 2, 4, 6], label("verdict.enough"), label("verdict.of", total=12, required=12), gold=[6])
    await room.push_luck("tower", faces=[4])
    await see(eve, [4, 2, 4, 4], label("verdict.crisis"), label("verdict.repeats", face=4))
    await expect(eve.page.locator(".arena .red")).to_have_count(1)


async def countdowns(eve: Seat, room: Room) -> None:
    await room.start_countdown("Fuse", 4, id="fuse")
    await room.roll_countdown("fuse", faces=[6, 1, 6, 2])
    await expect(eve.page.locator(".arena .verdict")).to_have_text(label("verdict.leave", lost=2))
    await expect(eve.page.locator(".arena .came")).to_have_text(label("countdown.left", pool=2))
    await expect(eve.page.locator(".arena .trays .cube:not(.fallen)")).to_have_count(2)  # the others fell off the edge
    await room.start_countdown("Match", 2, id="match", bound_to="nothing")
    await room.roll_countdown("match", faces=[6, 6])
    await expect(eve.page.locator(".arena .verdict")).to_have_text(label("verdict.ends"))
    await expect(eve.page.locator(".arena .trays .cube:not(.fallen)")).to_have_count(0)
    await room.start_countdown("Gas", 3, id="gas", visibility="sealed")
    await room.roll_countdown("gas", faces=[1, 2, 6])
    await see(eve, [0], "")


@pytest.mark.layout
async def test_the_arena_stays_on_the_screen_and_never_covers_the_card_of_its_roll(company: Company, server: Server):
    table = await prepared(server)
    company.motion = "no-preference"
    seats = await company.sit(table, "gm", "ann", "eve")
    async with dreadclock.connect(link(table, "gm")) as room:
        for number in range(3):
            await room.start_countdown(f"Fuse {number}", 6, id=f"fuse-{number}", stages=[{"at": 3, "effect": "smoke"}])
        for seat in seats.values():
            await seat.page.locator(".layer").wait_for(state="attached")
        for size in SIZES:
            check = f"leap-{size['width']}"
            await room.propose_check("rook", attribute="Might", id=check, purpose="over the pit")
            for seat in seats.values():
                await seat.page.evaluate("() => scrollTo(0, 0)")
                await resize(seat.page, **size)
                card = seat.page.locator(f"main [data-thing='check:{check}']").first
                if await card.count():
                    await card.scroll_into_view_if_needed()
                await seat.page.evaluate(f"() => {{ window.__wrong = ({_WATCH})('check:{check}'); }}")
            await room.roll_check(check, faces=[6, 5, 3, 2])
            found = {name: await seat.page.evaluate("() => window.__wrong") for name, seat in seats.items()}
            assert found == {name: [] for name in seats}, size


async def test_all_dice_of_a_turns_end_lie_after_4_seconds_however_many_it_rolls(company: Company, server: Server):
    table = await prepared(server)
    company.motion = "no-preference"
    eve = await company.come_first("eve")
    await watch_coming(eve.page)
    await eve.page.clock.install()
    await eve.open(link(table, "eve"))
    await eve.page.locator(".layer").wait_for(state="attached")
    await eve.page.clock.pause_at(await eve.page.evaluate("() => Date.now() + 1000"))
    flying = eve.page.locator(".arena .moment:not(.landed)")
    async with dreadclock.connect(link(table, "gm")) as room:
        for number in range(20):
            await room.start_countdown(f"Fuse {number}", 9, id=f"fuse-{number}", bound_to="turn")
            if number not in (2, 19):
                continue
            await eve.page.evaluate("() => { window.__course = []; }")
            await room.end_turn()
            await flying.wait_for(state="attached")
            await eve.page.clock.run_for(1_300)
            assert len(await course(eve.page)) < number + 1, "they are thrown one after the other"
            await eve.page.clock.run_for(2_700)
            ends = label("moment.turn", turn=1 if number == 2 else 2)
            assert [name for name, _ in await course(eve.page)] == [f"{ends} Fuse {fuse}" for fuse in range(number + 1)]
            await expect(flying).to_have_count(0)


async def test_dice_gather_as_their_button_is_pressed_and_go_back_if_not_rolled(company: Company, server: Server):
    table = await prepared(server)
    company.motion = "no-preference"
    ann = await company.come_first("ann")
    for script in (_GATHERED, CUTS):
        await ann.page.add_init_script(script)
    ann.complaints.forgive("WebSocket connection to", "status of 426")  # while it is cut
    await ann.open(link(table, "ann"))
    await ann.page.locator(".layer").wait_for(state="attached")
    key = "check:leap:rook:roll"
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.propose_check("rook", attribute="Might", id="leap")
        await ann.page.locator(f"[data-place='{key}:own'] > summary").click()
        await ann.page.locator(f"[data-form='{key}:faces'] [name=faces]").fill("5 2")
        await ann.page.locator(f"[data-form='{key}:faces'] [data-key]").click()
        await ann.page.locator(f"[data-refusal='{key}:faces']").wait_for()
        await until(lambda: gathered(ann, [2, "gone"]))

        await ann.page.locator(f"button[data-key='{key}']").click()
        await expect(ann.page.locator(".arena .landed .trays .cube")).not_to_have_count(0)
        await until(lambda: gathered(ann, [2, "gone", 3, "gone"]))

        await room.propose_check("rook", attribute="Might", id="again")
        again = ann.page.locator("button[data-key='check:again:rook:roll']")
        await again.wait_for()
        await ann.page.evaluate("() => window.__cut()")
        await ann.stands("away")
        await again.click()
        await expect(ann.page.get_by_text(label("control.waits"))).to_be_visible()
        await until(lambda: gathered(ann, [2, "gone", 3, "gone", 3, "gone"]))


async def gathered(seat: Seat, expected: Sequence[int | str]) -> bool:
    found: list[int | str] = await seat.page.evaluate("() => window.__gathered")
    return found == list(expected)


async def test_the_sum_of_a_total_counts_up_die_by_die(company: Company, server: Server):
    table = await prepared(server)
    company.motion = "no-preference"
    eve = await company.seat(table, "eve")
    await eve.page.locator(".layer").wait_for(state="attached")
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.propose_total("rook", "Might", id="wall")
        await room.set_required("wall", 14)
        counting = asyncio.create_task(eve.page.evaluate(_SUMS))
        await room.roll_total("wall", faces=[4, 2, 5])
        assert await counting == [label("verdict.of", total=sum_, required=14) for sum_ in (4, 6, 11)]


ROLLS = int(os.environ.get("DREADCLOCK_DICE_ROLLS", "75"))  # 500 to accept another way to throw dice
A_TABLE = 100  # rolls
Roll = Callable[[Room, str, random.Random], Awaitable[tuple[dreadclock.Acknowledged, Sequence[int]]]]
# Waits until the page shows a record, and its dice lie.
_LIES = """
async ({ seq, count }) => {
  const shows = () => Number(document.querySelector("main").dataset.seen) >= seq &&
    document.querySelectorAll(".arena .landed .trays :is(.cube, .flat)").length === count &&
    document.getAnimations().every((each) => !(each.effect.target?.closest?.(".arena")));
  const late = performance.now() + 20_000;
  while (!shows() && performance.now() < late) await new Promise(requestAnimationFrame);
}
"""


async def plain(room: Room, name: str, chance: random.Random, **more: Any) -> Any:
    answer = await room.roll_dice(more.pop("pool", 0) or chance.randint(1, 10), id=name, name=name, **more)
    return answer, room.view.rolls[name].faces


async def many(room: Room, name: str, chance: random.Random) -> Any:
    return await plain(room, name, chance, pool=chance.choice((11, 20, 60)))


async def physical(room: Room, name: str, chance: random.Random) -> Any:
    faces = [chance.randint(1, 6) for _ in range(chance.randint(1, 10))]
    return await plain(room, name, chance, pool=len(faces), faces=faces)


async def check(room: Room, name: str, chance: random.Random, who: str = "rook", **more: Any) -> Any:
    await room.propose_check(who, id=name, **({"score": chance.randint(1, 8)} | more))
    return await roll_part(room, name, who)


async def roll_part(room: Room, name: str, who: str = "rook") -> Any:
    answer = await room.roll_check(name, character_id=who)
    part = next(each for each in room.view.checks[name].parts if each.character_id == who)
    assert part.roll is not None
    return answer, part.roll.faces


async def penalty(room: Room, name: str, chance: random.Random) -> Any:
    return await check(room, name, chance, penalty=chance.randint(1, 3))


async def no_dice(room: Room, name: str, chance: random.Random) -> Any:
    answer, faces = await check(room, name, chance, score=1, penalty=3)
    return answer, faces


async def venture(room: Room, name: str, chance: random.Random) -> Any:
    return await check(room, name, chance, venture={"level": chance.randint(1, 3), "what": "a rope"})


async def momentum(room: Room, name: str, chance: random.Random) -> Any:
    await room.add_character(name, id=f"{name}-s")
    await room.propose_check(f"{name}-s", id=f"{name}-before", score=2)
    await room.roll_check(f"{name}-before", faces=[6, 6, 1, 2])
    return await check(room, name, chance, who=f"{name}-s")


async def contest(room: Room, name: str, chance: random.Random) -> Any:
    await room.propose_check("rook", id=name, score=chance.randint(1, 6), contest=True)
    await room.oppose_check(name, character_id="mona", score=chance.randint(1, 6))
    await room.roll_check(name, character_id="mona")
    return await roll_part(room, name)


async def aid(room: Room, name: str, chance: random.Random) -> Any:
    await room.propose_check("rook", id=name, score=chance.randint(1, 6))
    await room.help_check(name, character_id="mona", score=chance.randint(1, 4))
    await room.roll_check(name, character_id="mona")
    return await roll_part(room, name)


async def total(room: Room, name: str, chance: random.Random) -> Any:
    await room.add_character(name, id=f"{name}-s", attributes={"Might": chance.randint(1, 4)})
    await room.propose_total(f"{name}-s", "Might", id=name)
    await room.set_required(name, 21)
    answer = await room.roll_total(name)
    return answer, room.view.totals[name].faces


async def push(room: Room, name: str, chance: random.Random) -> Any:
    await total(room, name, chance)
    await room.offer_push(name, crisis="physical")
    answer = await room.push_luck(name)
    rolled = room.view.totals[name]
    return answer, [*rolled.faces, *(each.face for each in rolled.pushes)]


async def countdown(room: Room, name: str, chance: random.Random) -> Any:
    await room.start_countdown(name, chance.randint(1, 10), id=name, bound_to="nothing")
    answer = await room.roll_countdown(name)
    return answer, room.view.countdowns[name].last_faces


async def sealed(room: Room, name: str, chance: random.Random) -> Any:
    await room.start_countdown(name, chance.randint(1, 10), id=name, bound_to="nothing", visibility="sealed")
    answer = await room.roll_countdown(name)
    # The end of a countdown reveals it.
    return answer, [0] if (rolled := room.view.countdowns[name]).pool else rolled.last_faces


KINDS: Mapping[str, Roll] = {
    each.__name__: each
    for each in (
        *(plain, many, physical, check, penalty, no_dice, venture, momentum, contest, aid, total, push),
        *(countdown, sealed),
    )
}


# That no die is mirrored, opposite faces sum to 7 and dice lie apart holds in each pose: tests/js/throws.test.mjs.
async def test_in_random_rolls_of_every_kind_the_face_on_top_is_the_servers(company: Company, server: Server):
    chance = random.Random(ROLLS)
    eve = await company.come("eve", viewport={"width": 1440, "height": 900})
    wrong = list[tuple[str, Sequence[int], list[int]]]()
    for first in range(0, ROLLS, A_TABLE):
        table = await open_table(server)
        await eve.open(link(table, "eve"))
        await eve.page.locator(".layer").wait_for(state="attached")
        async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
            await room.set_policy(physical_dice="everyone")
            for name in ("Rook", "Mona"):
                await room.add_character(name, id=name.lower(), reflex=2)
            for number, kind in zip(range(min(A_TABLE, ROLLS - first)), itertools.cycle(KINDS), strict=False):
                answer, faces = await KINDS[kind](room, f"n{number}-{kind.replace('_', '-')}", chance)
                found = await seen(eve, answer.positions[Channel.PUBLIC], faces)
                if found:
                    wrong.append((kind, faces, found))
    assert not wrong, f"{len(wrong)} of {ROLLS}: {wrong[:8]}"


async def seen(eve: Seat, seq: int, faces: Sequence[int]) -> list[int]:
    """Return which faces a page shows instead of these, once it shows this record."""
    await eve.page.evaluate(_LIES, {"seq": seq, "count": len(faces)})
    shown = await tops(eve.page)
    return [] if shown == list(faces) else shown
