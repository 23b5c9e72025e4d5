"""Checks in plain words."""

from __future__ import annotations

import pytest

from dreadclock.narration import Narrator
from dreadclock.wire import events as e
from kit.scenery import record
from kit.told_checks import TOLD, check_room


@pytest.mark.parametrize(("event", "told"), TOLD, ids=[event.type for event, _ in TOLD])
def test_an_event_of_a_check_is_told_in_one_sentence(event: e.Event, told: str) -> None:
    assert Narrator().sentence(record(event), check_room()) == told
