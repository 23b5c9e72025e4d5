"""A server that cheats at a roll, on the real wire, and clients that nobody has changed: each way is named."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import dreadclock
from dreadclock import Refused, Room
from dreadclock.client.trust import roller
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.dice.flaws import Flaw
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock_server.core.decide import Decision
from dreadclock_server.dice import Ledger
from kit.cheating import ways as ways
from kit.cheating.alarms import alarms_of
from kit.cheating.company import FORK, POOL, ROLL, Company, seqs_of
from kit.cheating.rewriting import kept, replaced, swapped
from kit.cheating.server import Case, Cheat, Cheater
from kit.cheating.ways import BestOfTwo
from kit.rooms import Table, open_table

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_honest_server_raises_no_alarm(company: Company):
    rolls = [seqs_of(await room.submit(ROLL)) for room in (company.ann, company.ben, company.ann)]

    assert await company.named() == (set(), set())
    assert company.ann.view.public.lanes[f"seat/{company.ann.seat}/1"].used == 5
    assert len({roll_id for roll in rolls for roll_id in roll}) == 3


@pytest.mark.parametrize(
    ("cheat", "ann", "ben"),
    [
        (ways.other_faces, {Flaw.FACES}, {Flaw.FACES}),
        (ways.next_slot, {Flaw.SLOT, Flaw.WITHOUT_TOKEN}, {Flaw.SLOT}),
        (ways.used_slot, {Flaw.SLOT, Flaw.WITHOUT_TOKEN}, {Flaw.SLOT}),
        (ways.swapped_slots, {Flaw.KEY}, {Flaw.KEY}),
        (ways.without_token, {Flaw.WITHOUT_TOKEN}, set()),
        (ways.dropped, {Flaw.DROPPED}, set()),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_a_cheat_at_a_roll_is_named(company: Company, cheat: Cheat, ann: set[Flaw], ben: set[Flaw]):
    with company.cheater.cheating(cheat):
        await company.ann.submit(ROLL)

    assert len(company.cheater.cheated) == 1
    assert await company.named() == (ann, ben)


@pytest.mark.parametrize(
    ("cheat", "ann"),
    [
        (ways.other_faces, {Flaw.FACES}),
        (ways.next_slot, {Flaw.SLOT, Flaw.WITHOUT_TOKEN}),
        (ways.swapped_slots, {Flaw.KEY}),
        (ways.without_token, {Flaw.WITHOUT_TOKEN}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_a_roll_that_is_made_anew_when_it_is_sent_again_is_named(company: Company, cheat: Cheat, ann: set[Flaw]):
    """The server dislikes what it rolled, says that its store is down, and takes the command once more."""
    tries = deque([Case.honest, cheat])
    company.cheater.store.appends_to_refuse = 1

    with company.cheater.cheating(lambda case: tries.popleft()(case)):
        await company.ann.submit(ROLL)

    disliked, shown = (ways.told(each).roll.faces for each in company.cheater.cheated)
    assert disliked != shown
    assert (await company.named())[0] == ann


async def test_whoever_chooses_the_better_of_two_keys_is_named_each_time(company: Company):
    best: list[BestOfTwo] = []

    def cheat(case: Case) -> Decision:
        best.append(BestOfTwo(ways.ledger_of(case), Ledger(case.room.room_id, bytes(32)), POOL))
        return case.honest(dice=best[-1])

    with company.cheater.cheating(cheat):
        while not any(each.others_taken for each in best):
            await company.ann.submit(ROLL)

    assert await company.named() == ({Flaw.KEY}, {Flaw.KEY})


async def test_a_token_that_is_used_again_is_named(company: Company):
    with company.cheater.cheating(ways.in_the_name_of(company.ann.seat, token=True)):
        await company.gm_does(ROLL)

    assert await company.named() == ({Flaw.TOKEN, Flaw.NOT_SENT}, {Flaw.TOKEN})


async def test_a_roll_in_the_name_of_somebody_who_sent_none_is_named_by_her(company: Company):
    with company.cheater.cheating(ways.in_the_name_of(company.ann.seat, token=False)):
        await company.gm_does(ROLL)

    assert await company.named() == ({Flaw.NOT_SENT}, set())


async def test_a_token_that_fits_and_is_turned_away_is_named(company: Company, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(roller, "FOLLOW_WITHIN_S", 0.2)

    def cheat(case: Case) -> Decision:
        raise Refused(Code.SLOT_TAKEN, lane=case.command.dice.lane, n=case.command.dice.n)

    with company.cheater.cheating(cheat), pytest.raises(Refused, match="Slot 4"):
        await company.ann.submit(ROLL)

    assert await company.named() == ({Flaw.DENIED}, set())


async def test_a_roll_that_is_refused_and_made_all_the_same_is_named(company: Company):
    """The roller is told that it came to nothing; the others see it."""
    kept: list[DiceRolled] = []

    def cheat(case: Case) -> Decision:
        if case.by.seat_id == company.ann.seat:
            kept.append(ways.told(case.honest()))
            raise Refused(Code.NOT_ALLOWED, allowed="nobody")
        return ways.after(case, case.told(kept[0], by=company.ann.seat), Case.honest)

    with company.cheater.cheating(cheat):
        with pytest.raises(Refused):
            await company.ann.submit(ROLL)
        await company.gm_does(ROLL)

    assert await company.named() == ({Flaw.REFUSED}, set())


# A server that rolls in the name of somebody who is away: she is told as she comes back, and not of honest rolls


Mark = tuple[Flaw, int | None]
TYPED: dict[str, Any] = {"type": "roll_dice", "pool": 2, "faces": [3, 6]}


@pytest_asyncio.fixture(loop_scope="module")
async def table(cheater: Cheater) -> Table:
    return await open_table(cheater.server, physical_dice="everyone")


def come(cheater: Cheater, table: Table, device: Path, name: str = "ann") -> AbstractAsyncContextManager[Room]:
    """Take somebody's seat on a device, with a program that was just started."""
    return dreadclock.connect(cheater.url, table.id, table.token(name), dice_secrets=DiceSecrets(device))


async def told(cheater: Cheater, table: Table, device: Path, name: str = "ann", times: int = 0) -> list[Mark]:
    """Come back, go again once what was missed is looked through, and say which records are called what."""
    async with come(cheater, table, device, name) as room:
        await room.wait_for(lambda _: len(room.alarms) >= times, timeout_s=10)
    return marks(room)


async def gm_does(table: Table, order: dict[str, Any], name: str = "gm") -> None:
    async with table.http(name) as http:
        answer = await http.post(table.path("/commands"), json=order)
    assert answer.status_code == 200, answer.text


async def forges(cheater: Cheater, table: Table, times: int = 1) -> list[int]:
    """Let the server roll as Ann without a token, and return the numbers of those records."""
    cheat: Cheat = ways.in_the_name_of(table.seat("ann"), token=False)
    seqs = []
    for _ in range(times):
        with cheater.cheating(cheat):
            await gm_does(table, ROLL)
        seqs.append(cheater.rooms.live[table.id].room.seq(Channel.PUBLIC))
    return seqs


def marks(room: Room) -> list[Mark]:
    """Say which records are called what."""
    return [
        (each.flaw, each.record.seq if each.record else None) for each in room.alarms if isinstance(each, RollAlarm)
    ]


async def test_each_roll_without_a_token_forged_in_absence_is_named(cheater: Cheater, table: Table, tmp_path: Path):
    async with come(cheater, table, tmp_path) as ann:
        await ann.submit(ROLL)
    seqs = await forges(cheater, table, 2)

    assert await told(cheater, table, tmp_path, times=2) == [(Flaw.NOT_SENT, seq) for seq in seqs]
    assert await told(cheater, table, tmp_path) == []


async def test_each_roll_without_a_token_that_is_forged_while_she_looks_on_is_named(company: Company):
    for _ in range(2):
        with company.cheater.cheating(ways.in_the_name_of(company.ann.seat, token=False)):
            await company.gm_does(ROLL)

    await company.named()
    assert [flaw for flaw, _ in marks(company.ann)] == [Flaw.NOT_SENT] * 2


async def test_her_own_rolls_of_last_time_are_no_news(cheater: Cheater, table: Table, tmp_path: Path):
    """Nor are those of another program on her device; dice that she typed in show no token."""
    async with come(cheater, table, tmp_path) as ann:
        await ann.submit(ROLL)
        async with come(cheater, table, tmp_path) as other:
            for room in (ann, other, ann):
                await room.submit(ROLL)
            await other.submit(TYPED)
        await ann.submit(TYPED)
    await gm_does(table, ROLL)

    assert await told(cheater, table, tmp_path) == []


async def test_rolls_of_a_program_that_crashed_are_no_news(cheater: Cheater, table: Table, tmp_path: Path):
    """It noted nothing at its end; what its tokens do not speak for was noted at once."""
    async with come(cheater, table, tmp_path):
        pass
    async with come(cheater, table, tmp_path) as crashed:
        await crashed.submit(TYPED)
        await crashed.submit(ROLL)
        assert await told(cheater, table, tmp_path) == []


async def test_her_other_rolls_are_marked_and_those_with_tokens_once(cheater: Cheater, table: Table, tmp_path: Path):
    async with come(cheater, table, tmp_path / "one"):
        pass
    async with come(cheater, table, tmp_path / "two") as other:
        for _ in range(3):
            await other.submit(ROLL)
    await gm_does(table, ROLL, "ann")

    named = await told(cheater, table, tmp_path / "one", times=2)
    assert [flaw for flaw, _ in named] == [Flaw.NOT_SENT] * 2


async def test_another_seat_on_the_same_device_hides_nothing_from_her(cheater: Cheater, table: Table, tmp_path: Path):
    async with come(cheater, table, tmp_path):
        pass
    seqs = await forges(cheater, table)
    assert await told(cheater, table, tmp_path, "ben") == []

    assert await told(cheater, table, tmp_path, times=1) == [(Flaw.NOT_SENT, seqs[0])]


async def test_who_was_never_there_hears_nothing_of_rolls_in_her_name(cheater: Cheater, table: Table, tmp_path: Path):
    """She knows nothing of what her seat did: `dreadclock verify` says on what its rolls rest."""
    await forges(cheater, table)

    assert await told(cheater, table, tmp_path) == []


# A server that changes the past or sets it back, and clients that nobody has changed: they know what they saw


async def test_a_stored_face_that_is_changed_is_a_fork_to_those_who_saw_it(company: Company):
    """And whoever comes later finds faces that do not follow."""
    face = company.ann.view.rolls["r3"].faces[0]
    change = replaced('"id":"r3"', f'"faces":[{face},', f'"faces":[{face % 6 + 1},')

    await company.past_is_changed(change)

    assert await company.named() == ({FORK}, {FORK})
    assert alarms_of(company.table.id, await company.log()) == [(company.seq_of("r3"), Flaw.FACES)]


async def test_two_rolls_that_change_places_are_a_fork_to_those_who_saw_them(company: Company):
    """And whoever comes later finds slots out of turn."""
    await company.past_is_changed(swapped('"id":"r3"', '"id":"r4"'))

    assert await company.named() == ({FORK}, {FORK})
    assert alarms_of(company.table.id, await company.log())[0] == (company.seq_of("r3"), Flaw.SLOT)


async def test_two_events_that_change_places_are_a_fork_to_those_who_saw_them(company: Company):
    await company.gm_does({"type": "start_clock", "id": "first", "name": "First", "size": 4})
    await company.gm_does({"type": "start_clock", "id": "then", "name": "Then", "size": 4})
    assert await company.named() == (set(), set())

    await company.past_is_changed(swapped('"id":"first"', '"id":"then"'))

    assert await company.named() == ({FORK}, {FORK})


async def test_after_a_shown_roll_was_set_back_the_same_secret_gives_the_same_faces(company: Company):
    before = kept(company.cheater.store_url, company.table.id)
    [shown] = (await company.ann.submit(ROLL)).records
    await company.past_is_set_back(before)

    [again] = (await company.ann.submit(ROLL)).records

    assert again.event == shown.event
    assert await company.named() == ({FORK}, {FORK})


async def test_after_a_shown_roll_was_set_back_a_new_secret_is_named_at_the_next_roll(company: Company):
    before = kept(company.cheater.store_url, company.table.id)
    await company.ann.submit(ROLL)
    await company.past_is_set_back(before)

    with company.cheater.cheating(lambda case: case.honest(dice=Ledger(case.room.room_id, bytes(32)))):
        await company.ann.submit(ROLL)

    assert await company.named() == ({FORK, Flaw.KEY}, {FORK, Flaw.KEY})


async def test_a_lane_that_was_set_back_is_the_same_again_with_the_same_secret(cheater: Cheater):
    async with set_back_to_before_the_lane(cheater) as (company, first):
        [then] = (await company.ann.submit(ROLL)).records

        assert then.event == first.event
        assert (await company.named())[0] == {FORK}


async def test_a_lane_that_was_set_back_and_fixed_with_a_new_secret_sees_no_token_again(cheater: Cheater):
    """The server knows the token by now, and could have chosen its new keys by it."""
    async with set_back_to_before_the_lane(cheater) as (company, first):
        with cheater.cheating(lambda case: case.honest(dice=Ledger(case.room.room_id, bytes(32)))):
            [then] = (await company.ann.submit(ROLL)).records

        tokens = [proof.token for each in (first, then) if (proof := proof_of(each.event))]
        assert len(set(tokens)) == 2
        assert None not in tokens
        assert (await company.named())[0] == {FORK, Flaw.KEY}


@asynccontextmanager
async def set_back_to_before_the_lane(cheater: Cheater) -> AsyncIterator[tuple[Company, Record]]:
    """Let Ann open her lane and roll in it, and take both away from her."""
    table = await open_table(cheater.server)
    token, secrets = table.token("ann"), DiceSecrets(None)
    async with dreadclock.connect(cheater.url, table.id, token, dice_secrets=secrets) as ann:
        company = Company(cheater, table, ann, ann)
        before = kept(cheater.store_url, table.id)
        [first] = (await ann.submit(ROLL)).records
        await company.past_is_set_back(before)
        yield company, first
