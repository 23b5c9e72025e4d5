"""Random rolls of every kind, in the browser: by the final matrices of its picture, each die shows the server's face.

That no die is mirrored, opposite faces sum to 7 and dice lie apart holds in each pose: tests/js/throws.test.mjs.
"""

import itertools
import os
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import dreadclock
from dreadclock import Room
from dreadclock.wire.base import Channel
from kit.browser.company import Company, link
from kit.browser.moments import tops
from kit.browser.seat import Seat
from kit.rooms import open_table
from kit.server import Server

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
