"""Checks that not everyone sees, for the tests of them."""

from typing import Any

from dreadclock.rules.check import Outcome
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.events import (
    Revealed,
    SealedChanged,
)
from dreadclock.wire.things import Check
from kit.checks import (
    propose,
    seated,
)
from kit.tables import ANN, BO, CLERK, WATCHER, Table

PUBLIC, HIDDEN = Channel.PUBLIC, Channel.GM
FUMBLE, FAIL, SUCCESS, TRIUMPH = Outcome
CHANGED = SealedChanged(kind=Kind.CHECK, id="dive", name="A check")
OUTSIDERS = (ANN, BO, WATCHER, CLERK)


def secret(score: int = 3, **more: Any) -> dict[str, Any]:
    return propose(score=score, id="gm-dive", visibility="gm", **more)


def sealed(score: int = 3) -> Table:
    table = seated()
    table.do(propose(score=score, visibility="sealed", purpose="a trap"))
    return table


def reveal(check: str = "dive") -> dict[str, Any]:
    return {"type": "reveal", "thing_id": check}


def revealed(events: list[Any]) -> Check:
    [event] = [each for each in events if isinstance(each, Revealed)]
    [check] = event.things.checks
    return check
