"""What the gm keeps to herself reaches nobody else on a real server, byte for byte. Ruling E4.

Every byte that the server sends to anyone is kept. DREADCLOCK_ROOMS=200 plays as many random rooms; a failure names
the room's seed. There is no export: the log by REST, which an export would hold, stands for it.
"""

import asyncio
import base64
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest

from kit.leaks.book import Book, bits, forms, found_in, mint
from kit.leaks.evening import Evening
from kit.leaks.numbers import FEW, MANY, play, script
from kit.leaks.people import Company, gathered
from kit.leaks.public import POLICY, setting
from kit.leaks.twins import Pair, Twin
from kit.server import Server

pytestmark = pytest.mark.rule("E4")

ROOMS = int(os.environ.get("DREADCLOCK_ROOMS", "4"))
PAIRS = max(2, ROOMS // 10)
AT_ONCE = 8
MOST_MISSED = 5_000  # records; beyond it a viewer gets a fresh view


async def each_of(seeds: Iterable[int], play_one: Callable[[int], Awaitable[None]]) -> None:
    """Play rooms, several at once; a failure says of which seed."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def guarded(seed: int) -> None:
        async with gate:
            try:
                await play_one(seed)
            except BaseException as error:
                error.add_note(f"the seed is {seed}")
                raise

    async with asyncio.TaskGroup() as group:
        for seed in seeds:
            group.create_task(guarded(seed))


async def test_no_secret_reaches_anyone_but_the_gm(server: Server, second: Server, figures: list[str]):
    count, texts = Counter[str](), list[str]()

    async def evening(seed: int) -> None:
        async with Evening.at(server, seed, second if seed % 4 == 1 else None) as one:
            await one.play()
            gm, book = one.company.gm, one.book
            leaks = {each.name: book.leaks(each.name, each.tap.bytes) for each in one.company.outsiders.values()}
            assert leaks == {each: [] for each in leaks}
            assert book.unheard(gm.tap.bytes) == []
            count.update(one.count)
            count["bytes"] += sum(one.company.sent().values())
            count["secrets"] += sum(secret.planted for secret in book.secrets)
            count["secrets that were shown later"] += sum(secret.free_after is not None for secret in book.secrets)
            texts.extend(secret.text for secret in book.secrets)
            texts.extend(one.company.table.token(each.name) for each in one.company.everyone)

    await each_of(range(1, ROOMS + 1), evening)

    for node in (server, second):
        log = node.log_text()
        assert [text for text in texts if text in log] == []
    assert count["secrets"] > 40 * ROOMS
    figures.append(f"leaks: {ROOMS} rooms: " + ", ".join(f"{number} {what}" for what, number in sorted(count.items())))


# So that the search can find something


@pytest.mark.parametrize("place", range(len(forms(mint(random.Random(0))))))
def test_the_search_finds_a_marker_however_it_is_written(place: int):
    marker = mint(random.Random(place))

    assert found_in(marker, b'{"note":"' + forms(marker)[place] + b'"}') != []
    assert found_in(marker, b'{"note":"' + forms(mint(random.Random(-1 - place)))[place] + b'"}') == []


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_the_search_finds_a_marker_in_base64_wherever_it_stands(before: str):
    marker = mint(random.Random(1))

    assert found_in(marker, base64.b64encode(f"{before}{marker} and so on".encode())) != []
    assert found_in(marker, base64.b64encode(f"{before} and so on".encode())) == []


async def test_a_marker_in_a_public_note_is_found_with_everyone(server: Server):
    async with gathered(server) as company:
        book = Book(random.Random(1))
        secret, other, raw = book.mint("gm-doom"), book.mint(None), book.mint(None)
        await company.gm.do({"type": "roll_dice", "pool": 1, "note": f"Psst: {secret.text}!"})
        await company.gm.do({"type": "roll_dice", "pool": 1, "note": bits(raw.text).hex()})
        await company.settle()

        for each in company.outsiders.values():
            found = [text for text, _, _ in book.leaks(each.name, each.tap.bytes)]
            assert found == [secret.text, raw.text]
            await each.http.get(each.table.path("/log"))
            assert len(each.tap.bytes.split(secret.text.encode())) == 3
        assert other.text.encode() not in company.gm.tap.bytes


async def test_of_a_thing_that_is_shown_its_own_secrets_alone_come_out(server: Server):
    async with gathered(server) as company:
        book = Book(random.Random(2))
        ending, note, other = book.mint("gas"), book.mint(None), book.mint("gm-moon")
        gas = {"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 4, "ending": ending.text}
        await company.gm.do({**gas, "visibility": "sealed", "note": note.text})
        moon = {"type": "start_clock", "id": "gm-moon", "name": other.text, "size": 4}
        await company.gm.do({**moon, "visibility": "gm"})
        await company.settle()
        book.shown("gas", company.sent())
        await company.gm.do({"type": "reveal", "thing_id": "gas"})
        await company.settle()

        for each in company.outsiders.values():
            assert book.leaks(each.name, each.tap.bytes) == []
            assert [one.text.encode() in each.tap.bytes for one in (ending, note, other)] == [True, False, False]


# With and without


def same(first: Twin, second: Twin) -> None:
    """See that everyone but the gm was sent the same in both rooms, frame by frame and answer by answer."""
    assert first.replies == second.replies
    ours, theirs = first.transcripts(), second.transcripts()
    for name in ours:
        assert len(ours[name].frames) > 20
        assert ours[name].frames == theirs[name].frames
        assert ours[name].answers == theirs[name].answers


async def test_what_only_the_gm_knows_changes_nothing_that_the_others_are_sent(server: Server):
    async def pair(seed: int) -> None:
        async with gathered(server, policy=POLICY) as without, gathered(server, policy=POLICY) as within:
            both = Pair(seed, Twin(without), Twin(within))
            await both.play(25)
            same(*both.both)
            assert both.kept > 20
            assert len(within.gm.records) > len(without.gm.records) + both.kept

    await each_of(range(1, PAIRS + 1), pair)


async def test_the_numbers_behind_a_seal_change_nothing_that_the_others_are_sent(server: Server):
    async def pair(seed: int) -> None:
        wishes = script(seed, 40)
        async with gathered(server, policy=POLICY) as few, gathered(server, policy=POLICY) as many:
            first, second = Twin(few), Twin(many)
            async with asyncio.TaskGroup() as both:
                both.create_task(play(first, FEW, wishes))
                both.create_task(play(second, MANY, wishes))
            same(first, second)
            assert few.gm.view.clocks["heist-clock"] != many.gm.view.clocks["heist-clock"]
            assert "gas" in few.gm.view.public.sealed

    await each_of(range(1, PAIRS + 1), pair)


@pytest.mark.parametrize(
    "trace",
    [
        {"type": "roll_dice", "pool": 1, "visibility": "sealed"},
        {"type": "start_countdown", "id": "x", "name": "X", "pool": 1},
        {"type": "tick_clock", "clock_id": "guards"},
    ],
    ids=["a sealed roll", "a countdown", "a tick"],
)
async def test_what_is_compared_differs_where_there_is_a_trace(server: Server, trace: dict[str, Any]):
    async with gathered(server, policy=POLICY) as without, gathered(server, policy=POLICY) as within:
        both = Pair(1, Twin(without), Twin(within))
        await both.set_up()
        await both.within.keep(trace)
        for twin in both.both:
            await twin.do(("ann", {"type": "roll_dice", "pool": 1}))
            await twin.read("eve")
        ours, theirs = both.without.transcripts(), both.within.transcripts()

        assert both.without.replies != both.within.replies
        assert ours["eve"].frames != theirs["eve"].frames
        assert ours["eve"].answers != theirs["eve"].answers


# A reset after too much was missed


async def test_a_view_anew_after_too_much_was_missed_holds_no_secret(server: Server):
    async with gathered(server, policy=POLICY) as company:
        table, gm, eve = company.table, company.gm, company.outsiders["eve"]
        for fields in setting({name: table.seat(name) for name in table.grants}):
            await gm.do(fields)
        await company.settle()
        known, before = eve.client.positions()["public"], gm.public
        await eve.leave()
        book = Book(random.Random(3))
        await keep_busy(company, book)
        assert gm.public > before + MOST_MISSED
        welcome = await eve.connect(positions={"public": known})

        resets = [frame for frame in eve.client.parsed_frames() if frame["type"] == "reset"]
        assert (welcome["resumed"], [frame["reason"] for frame in resets]) == (False, ["too_old"])
        assert list(resets[0]["view"]["channels"]) == ["public"]
        assert book.leaks("eve", eve.tap.bytes) == []
        assert book.unheard(gm.tap.bytes) == []


async def keep_busy(company: Company, book: Book) -> None:
    """Let a countdown with many stages fall and rise until there is too much to send again, with a secret beside it."""
    stages = [{"at": at, "effect": "Cough."} for at in range(1, 25)]
    ebb = {"type": "start_countdown", "id": "ebb", "name": "Ebb", "pool": 60, "stages": stages, "replenishable": True}
    await company.gm.do({**ebb, "bound_to": "nothing"})
    fall = {"type": "roll_countdown", "countdown_id": "ebb", "faces": [6] * 59 + [1]}
    rise = {"type": "replenish_countdown", "countdown_id": "ebb", "dice": 59}
    for _ in range(MOST_MISSED // 50 + 1):
        secret = book.mint(None)
        hidden = {"type": "start_clock", "name": secret.text, "size": 3, "visibility": "gm"}
        for command in (fall, rise, hidden)[: 3 if len(book.secrets) < 40 else 2]:
            assert (await company.gm.do(command))["type"] == "ack"
            secret.planted = secret.planted or command is hidden
    await company.settle()
