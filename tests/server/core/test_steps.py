"""Steps share what they remember, and still each of them never changes."""

from hypothesis import given
from hypothesis import strategies as st

from dreadclock_server.core.steps import STEPS_KEPT, Bar, Step, Steps


def step(number: int) -> Step:
    return Step({}, touched=(str(number),), bar=Bar.NOTHING)


@given(st.lists(st.integers(0, 10**6), max_size=300))
def test_what_follows_from_any_earlier_steps_is_those_and_one_more(origins: list[int]):
    known: list[tuple[Steps, list[Step]]] = [(Steps(), [])]

    for number, origin in enumerate(origins):
        before, told = known[origin % len(known)]
        known.append((before.then(step(number)), [*told, step(number)][-STEPS_KEPT:]))

    for steps, told in known:
        assert list(steps) == told
        assert (len(steps), steps[:], steps == Steps(told)) == (len(told), told, True)


def test_no_more_than_the_latest_are_seen_and_not_many_more_are_kept():
    steps = Steps()

    for number in range(10 * STEPS_KEPT):
        steps = steps.then(step(number))

    assert [each.touched[0] for each in steps] == [str(number) for number in range(9 * STEPS_KEPT, 10 * STEPS_KEPT)]
    assert steps[-1] == step(10 * STEPS_KEPT - 1)
    assert len(steps._list) <= 2 * STEPS_KEPT
