"""Crises of an evening."""

from __future__ import annotations

from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.things import Crisis
from dreadclock_server.evening.recap.things import Suffered, crises
from kit.evenings.played import EIGHT_PM_MS, spread, steps_of
from kit.scenery import CHARACTER, GM
from kit.table import Log

BEFORE = Crisis(total_id="leap", kind=CrisisKind.MENTAL, box=1)
CRISIS = Crisis(total_id="flood", kind=CrisisKind.PHYSICAL, box=1)
LIMP = CRISIS.model_copy(update={"description": "a limp"})


def test_a_crisis_is_listed_once_with_its_time_and_what_was_said_of_it_last() -> None:
    log = Log(Channel.PUBLIC)
    for event in (
        e.SeatJoined(seat=GM),
        e.CharacterAdded(character=CHARACTER),
        e.CrisisSuffered(character_id="raven", crisis=CRISIS),
        e.CrisisDescribed(character_id="raven", crisis=LIMP),
    ):
        log.write(event)

    found = crises(steps_of(spread(log.records, 0, 1, 2, 3), Channel.PUBLIC))

    assert found == (Suffered(EIGHT_PM_MS + 120_000, "Raven", LIMP),)


def test_a_crisis_of_an_earlier_evening_that_is_described_now_is_not_one_of_this_evening() -> None:
    log = Log(Channel.PUBLIC)
    log.write(e.SeatJoined(seat=GM))
    log.write(e.CharacterAdded(character=CHARACTER.model_copy(update={"crises": (BEFORE,)})))
    described = BEFORE.model_copy(update={"description": "a phobia"})
    log.write(e.CrisisDescribed(character_id="raven", crisis=described))

    assert crises(steps_of(log.records, Channel.PUBLIC)) == ()
