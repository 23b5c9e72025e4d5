"""A server that ends says within what time its clients should come back."""

import pytest

from dreadclock.wire.returning import restart_reason, return_within_ms


@pytest.mark.parametrize(
    ("connections", "within_ms"), [(0, 100), (40, 100), (400, 1000), (2000, 5000), (4000, 10_000), (100_000, 10_000)]
)
def test_the_more_connections_there_are_the_longer_their_return_takes(connections: int, within_ms: int) -> None:
    reason = restart_reason(connections)

    assert len(reason.encode()) <= 123  # all that a close frame holds
    assert return_within_ms(4001, reason) == within_ms


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (4000, "come back within 500 ms"),
        (None, "come back within 500 ms"),
        (4001, "the store cannot be reached: come back"),
        (4001, "within 1000000 ms"),
        (4001, "within -5 ms"),
        (4001, "within ٥ ms"),
    ],
)
def test_where_nothing_is_said_nothing_is_asked_for(code: int | None, reason: str) -> None:
    assert return_within_ms(code, reason) == 0


def test_nobody_stays_away_for_longer_than_a_minute() -> None:
    assert return_within_ms(4001, "within 99999 ms") == 60_000
