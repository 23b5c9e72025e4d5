"""The server writes canonical texts with another library than the SDK, and gives the very same."""

from hypothesis import given
from hypothesis import strategies as st

from dreadclock.wire import records
from dreadclock_server.core.room import canonical

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside),
)


@given(VALUES)
def test_whatever_a_record_may_hold_is_written_in_the_one_way_that_is_hashed(value: object):
    assert canonical(value) == records.canonical(value)
