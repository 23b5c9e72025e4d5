"""UndoLog share what they remember, and still each of them never changes."""

from hypothesis import given
from hypothesis import strategies as st

from dreadclock_server.core.undo import UNDO_KEPT, Reason, UndoEntry, UndoLog


def step(number: int) -> UndoEntry:
    return UndoEntry({}, touched=(str(number),), reason=Reason.NOTHING)


@given(st.lists(st.integers(0, 10**6), max_size=300))
def test_what_follows_from_any_earlier_steps_is_those_and_one_more(origins: list[int]):
    known: list[tuple[UndoLog, list[UndoEntry]]] = [(UndoLog(), [])]

    for number, origin in enumerate(origins):
        before, told = known[origin % len(known)]
        known.append((before.then(step(number)), [*told, step(number)][-UNDO_KEPT:]))

    for steps, told in known:
        assert list(steps) == told
        assert (len(steps), steps[:], steps == UndoLog(told)) == (len(told), told, True)


def test_no_more_than_the_latest_are_seen_and_not_many_more_are_kept():
    steps = UndoLog()

    for number in range(10 * UNDO_KEPT):
        steps = steps.then(step(number))

    assert [each.touched[0] for each in steps] == [str(number) for number in range(9 * UNDO_KEPT, 10 * UNDO_KEPT)]
    assert steps[-1] == step(10 * UNDO_KEPT - 1)
    assert len(steps._list) <= 2 * UNDO_KEPT
