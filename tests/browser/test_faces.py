"""Random rolls of every kind, in the browser: by the final matrices of its picture, each die shows the server's face.

What holds before a browser draws (each pose of each throw, in node): tests/js/throws.test.mjs.
"""

import itertools
import math
import os
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypedDict

import dreadclock
from dreadclock.wire.base import Channel
from kit.browser.company import Company, link
from kit.browser.seat import Seat
from kit.rooms import open_table
from kit.server import Server

ROLLS = int(os.environ.get("DREADCLOCK_DICE_ROLLS", "75"))  # 500 to accept another way to throw dice
A_TABLE = 100  # rolls
Vector = Sequence[float]
Roll = Callable[[dreadclock.Room, str, random.Random], Awaitable[tuple[dreadclock.Acknowledged, Sequence[int]]]]


class Die(TypedDict):
    """A die as it is drawn: `drawn` of a flat one (0: sealed), else the outward `normals` by face."""

    drawn: int | None
    normals: dict[str, Vector]
    axes: Sequence[Vector]
    at: Vector
    side: float
    lies: bool


# Once the page shows a record, returns its dice. The normals are those of the tray, the cube and its side multiplied.
_DICE = r"""
async ({ seq, count }) => {
  const shows = () => Number(document.querySelector("main").dataset.seen) >= seq &&
    document.querySelectorAll(".arena .landed .trays :is(.cube, .flat)").length === count &&
    document.getAnimations().every((each) => !(each.effect.target?.closest?.(".arena")));
  const late = performance.now() + 20_000;
  while (!shows() && performance.now() < late) await new Promise(requestAnimationFrame);
  const matrix = (element) => new DOMMatrix(getComputedStyle(element).transform);
  const faceOf = ({ className }) => Number(/\bf([1-6])\b/.exec(className)?.[1] ?? 0);
  return [...document.querySelectorAll(".arena .trays :is(.cube, .flat)")].map((die) => {
    const nothing = { normals: {}, axes: [], at: [], side: 0, lies: false };
    if (die.matches(".flat")) return { ...nothing, drawn: die.matches(".sealed") ? 0 : faceOf(die) };
    const [tray, cube] = [matrix(die.parentElement), matrix(die)];
    const sides = [...die.children].map((side) => [faceOf(side), tray.multiply(cube).multiply(matrix(side))]);
    return {
      drawn: die.matches(".sealed") ? 0 : null,
      normals: Object.fromEntries(sides.map(([face, { m31, m32, m33 }]) => [face, [m31, m32, m33]])),
      axes: [[cube.m11, cube.m12, cube.m13], [cube.m21, cube.m22, cube.m23], [cube.m31, cube.m32, cube.m33]],
      at: [cube.m41, cube.m42, cube.m43],
      side: parseFloat(getComputedStyle(die).getPropertyValue("--side")),
      lies: !die.matches(".fallen, .under"),
    };
  });
}
"""


def dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def cross(one: Vector, other: Vector) -> Vector:
    (a, b, c), (d, e, f) = one, other
    return [b * f - c * e, c * d - a * f, a * e - b * d]


def overlap(one: Die, other: Die) -> bool:
    """Tell whether two cubes overlap, by the axes of their faces and of pairs of edges."""
    apart = [b - a for a, b in zip(one["at"], other["at"], strict=True)]
    crossed = (cross(a, b) for a, b in itertools.product(one["axes"], other["axes"]))
    axes = [*one["axes"], *other["axes"], *(each for each in crossed if math.hypot(*each) > 1e-3)]
    reach = [sum(abs(dot(axis, each)) for each in (*one["axes"], *other["axes"])) * one["side"] / 2 for axis in axes]
    return all(abs(dot(axis, apart)) < most - 1e-6 for axis, most in zip(axes, reach, strict=True))


def flaws(dice: Sequence[Die], faces: Sequence[int]) -> list[str]:
    """Return what is wrong with dice that should show these faces."""
    shown, wrong = list[int | None](), list[str]()
    for place, die in enumerate(dice):
        normals = die["normals"]
        tops = [int(face) for face, normal in normals.items() if normal[2] > 0.95]  # it points at the viewer
        shown.append(die["drawn"] if die["drawn"] is not None or len(tops) != 1 else tops[0])
        if any(math.dist(normals[face], [-part for part in normals[str(7 - int(face))]]) > 1e-3 for face in normals):
            wrong.append(f"die {place}: opposite faces do not sum to 7")
        if normals and abs(dot(die["axes"][0], cross(*die["axes"][1:])) - 1) > 1e-3:
            wrong.append(f"die {place} is mirrored or distorted")
    lying = [die for die in dice if die["normals"] and die["lies"]]
    wrong += ["two dice overlap" for pair in itertools.combinations(lying, 2) if overlap(*pair)]
    return wrong if shown == list(faces) else [*wrong, f"{shown} is shown"]


async def plain(room: dreadclock.Room, name: str, chance: random.Random, **more: Any) -> Any:
    answer = await room.roll_dice(more.pop("pool", 0) or chance.randint(1, 10), id=name, name=name, **more)
    return answer, room.view.rolls[name].faces


async def many(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    return await plain(room, name, chance, pool=chance.choice((11, 20, 60)))


async def physical(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    faces = [chance.randint(1, 6) for _ in range(chance.randint(1, 10))]
    return await plain(room, name, chance, pool=len(faces), faces=faces)


async def check(room: dreadclock.Room, name: str, chance: random.Random, who: str = "rook", **more: Any) -> Any:
    await room.propose_check(who, id=name, **({"score": chance.randint(1, 8)} | more))
    return await roll_part(room, name, who)


async def roll_part(room: dreadclock.Room, name: str, who: str = "rook") -> Any:
    answer = await room.roll_check(name, character_id=who)
    part = next(each for each in room.view.checks[name].parts if each.character_id == who)
    assert part.roll is not None
    return answer, part.roll.faces


async def penalty(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    return await check(room, name, chance, penalty=chance.randint(1, 3))


async def no_dice(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    answer, faces = await check(room, name, chance, score=1, penalty=3)
    return answer, faces


async def venture(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    return await check(room, name, chance, venture={"level": chance.randint(1, 3), "what": "a rope"})


async def momentum(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.add_character(name, id=f"{name}-s")
    await room.propose_check(f"{name}-s", id=f"{name}-before", score=2)
    await room.roll_check(f"{name}-before", faces=[6, 6, 1, 2])
    return await check(room, name, chance, who=f"{name}-s")


async def contest(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.propose_check("rook", id=name, score=chance.randint(1, 6), contest=True)
    await room.oppose_check(name, character_id="mona", score=chance.randint(1, 6))
    await room.roll_check(name, character_id="mona")
    return await roll_part(room, name)


async def aid(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.propose_check("rook", id=name, score=chance.randint(1, 6))
    await room.help_check(name, character_id="mona", score=chance.randint(1, 4))
    await room.roll_check(name, character_id="mona")
    return await roll_part(room, name)


async def total(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.add_character(name, id=f"{name}-s", attributes={"Might": chance.randint(1, 4)})
    await room.propose_total(f"{name}-s", "Might", id=name)
    await room.set_required(name, 21)
    answer = await room.roll_total(name)
    return answer, room.view.totals[name].faces


async def push(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await total(room, name, chance)
    await room.offer_push(name, crisis="physical")
    answer = await room.push_luck(name)
    rolled = room.view.totals[name]
    return answer, [*rolled.faces, *(each.face for each in rolled.pushes)]


async def countdown(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.start_countdown(name, chance.randint(1, 10), id=name, bound_to="nothing")
    answer = await room.roll_countdown(name)
    return answer, room.view.countdowns[name].last_faces


async def sealed(room: dreadclock.Room, name: str, chance: random.Random) -> Any:
    await room.start_countdown(name, chance.randint(1, 10), id=name, bound_to="nothing", visibility="sealed")
    return await room.roll_countdown(name), [0]


KINDS: Mapping[str, Roll] = {
    each.__name__: each
    for each in (
        *(plain, many, physical, check, penalty, no_dice, venture, momentum, contest, aid, total, push),
        *(countdown, sealed),
    )
}


async def test_in_random_rolls_of_every_kind_the_face_on_top_is_the_servers(company: Company, server: Server):
    chance = random.Random(ROLLS)
    eve = await company.come("eve", viewport={"width": 1440, "height": 900})
    wrong = list[tuple[str, Sequence[int], list[str]]]()
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


async def seen(eve: Seat, seq: int, faces: Sequence[int]) -> list[str]:
    """Return what is wrong with the dice on a page, once it shows this record."""
    asked = {"seq": seq, "count": len(faces)}
    dice: list[Die] = await eve.page.evaluate(_DICE, asked)
    return flaws(dice, faces)
