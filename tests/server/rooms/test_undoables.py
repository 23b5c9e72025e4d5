"""What seats may take back: worked out once for all who ask, in turns with other work, and by what the seat sees."""

import asyncio
from collections.abc import Iterator

import pytest

from dreadclock.wire.rest import Undoable
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room
from dreadclock_server.core.undoable import tried
from dreadclock_server.rooms import views
from dreadclock_server.rooms.views import Undoables
from kit.tables import ANN, GM, ORACLE, Table, undoable

SAID = {"type": "narrate", "text": "It rains."}
SECRET = {"type": "start_clock", "id": "gm-tide", "name": "Tide", "size": 6, "visibility": "gm"}


@pytest.fixture
def table() -> Table:
    table = Table()
    for _ in range(5):
        table.do(SAID, by=ANN)
    return table


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[Actor]:
    """For whom commands were tried, once for each."""
    seen: list[Actor] = []

    def counted(room: Room, by: Actor) -> Iterator[Undoable | None]:
        for each in tried(room, by):
            seen.append(by)
            yield each

    monkeypatch.setattr(views, "tried", counted)
    return seen


async def test_all_who_ask_from_a_seat_share_an_answer_and_others_have_turns(table: Table, tries: list[Actor]):
    answers = Undoables()
    asked = asyncio.gather(*[answers.of(table.room, ANN) for _ in range(8)])
    turns = list[int]()
    while not asked.done():
        turns.append(len(tries))
        await asyncio.sleep(0)

    assert await asked == [undoable(table.room, ANN)] * 8
    assert len(undoable(table.room, ANN)) == 5
    assert len(tries) == len(set(turns)) - (0 in turns), "each try had a turn of its own, and was made once"
    assert await answers.of(table.room, GM) == undoable(table.room, GM)


async def test_an_answer_lasts_until_something_happens_that_the_seat_sees(table: Table, tries: list[Actor]):
    answers = Undoables()
    for seat in (ANN, GM, ORACLE):
        await answers.of(table.room, seat)
    tries.clear()

    table.do(SECRET)
    for seat in (ANN, GM, ORACLE):
        assert await answers.of(table.room, seat) == undoable(table.room, seat)
    assert set(tries) == {GM, ORACLE}

    table.do(SAID)
    tries.clear()
    assert await answers.of(table.room, ANN) == undoable(table.room, ANN)
    assert set(tries) == {ANN}


async def test_who_leaves_does_not_take_the_answer_from_the_others(table: Table):
    answers = Undoables()
    gone, waits = (asyncio.create_task(answers.of(table.room, ANN)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()

    assert await waits == undoable(table.room, ANN)
