"""Which ids the server makes, and which a command may choose."""

import pytest

from dreadclock.wire.base import Kind
from dreadclock.wire.ids import CLOCK_SUFFIX, THREAT_SUFFIX, hidden_id, is_server_made, made_id


@pytest.mark.parametrize("kind", list(Kind))
def test_what_the_server_makes_it_knows_again(kind: Kind) -> None:
    made = [made_id(kind, 1), made_id(kind, 4096), hidden_id(kind, "0123456789ab")]

    assert [thing_id for thing_id in made if not is_server_made(thing_id)] == []


def test_the_clocks_of_things_have_ids_that_the_server_makes() -> None:
    assert is_server_made("bomb" + CLOCK_SUFFIX)
    assert is_server_made("bomb" + THREAT_SUFFIX)


@pytest.mark.parametrize(
    "chosen",
    [
        "fever",
        "countdown",
        "countdown-x",
        "my-countdown-1",
        "gm-roll-7",
        "roll-7-again",
        "gm-roll-0123456789abc",
        "clock",
        "threat",
    ],
)
def test_other_ids_may_be_chosen(chosen: str) -> None:
    assert not is_server_made(chosen)
