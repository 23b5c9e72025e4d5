"""A server that cheats at a roll, on the real wire, and clients that nobody has changed: each way is named."""

from collections import deque

import pytest

from dreadclock import Refused
from dreadclock.client.trust import roller
from dreadclock.dice.flaws import Flaw
from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from dreadclock_server.core.decide import Decision
from dreadclock_server.dice import Ledger
from kit.cheating import ways as ways
from kit.cheating.company import POOL, ROLL, Company, seqs_of
from kit.cheating.server import Case, Cheat
from kit.cheating.ways import BestOfTwo

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
