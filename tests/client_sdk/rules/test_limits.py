"""The caps are part of the rules."""

import pytest

from dreadclock.rules import limits


@pytest.mark.rule("E2")
def test_e2_the_caps_are_those_of_the_rules() -> None:
    caps = {name: value for name, value in vars(limits).items() if name.startswith(("MAX_", "MIN_"))}

    assert caps == {
        "MAX_POOL": 60,
        "MAX_ROLL_DICE": 200,
        "MAX_CLOCK": 99,
        "MAX_COUNTDOWNS": 64,
        "MAX_SITUATIONS": 32,
        "MAX_CHARACTERS": 64,
        "MAX_LEFT": 128,
        "MAX_STAGES": 24,
        "MIN_LEVEL": 1,
        "MAX_LEVEL": 9,
        "MAX_NAME": 64,
        "MAX_TEXT": 280,
        "MAX_ON_SHEET": 32,
        "MAX_FUMBLE_DEPTH": 4,
        "MAX_ODDS_DICE": 40,
        "MAX_ODDS_PARTS": 8,
        "MAX_LANES": 256,
        "MAX_PARTS_OF_CHECK": 64,
        "MAX_WAITING_ON_SHEET": 64,
        "MAX_SEATS": 256,
        "MAX_SCENES": 16,
        "MAX_CHALLENGES": 32,
        "MAX_EFFORTS": 64,
        "MAX_FREE_CLOCKS": 64,
        "MAX_CHECKS": 64,
        "MAX_TOTALS": 64,
        "MAX_EFFECTS": 8,
        "MAX_CONSEQUENCES": 256,
        "MAX_CONSEQUENCE_BYTES": 200_000,
        "MAX_MADE_TEXT_BYTES": 256 * 1024,
        "MAX_CONSEQUENCE_DEPTH": 8,
        "MAX_CONSEQUENCE_EVENTS": 64,
        "MAX_CHOSEN_IDS": 4096,
    }
