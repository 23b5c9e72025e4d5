"""A server that changes the past or sets it back, and clients that nobody has changed: they know what they saw."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

import dreadclock
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.dice.flaws import Flaw
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock_server.dice import Ledger
from kit.cheating.alarms import alarms_of
from kit.cheating.company import FORK, ROLL, Company
from kit.cheating.rewriting import kept, replaced, swapped
from kit.cheating.server import Cheater
from kit.rooms import open_table

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
