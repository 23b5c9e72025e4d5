"""What the gm's page offers to take back is what the server may take back."""

import re
from pathlib import Path
from typing import get_args

import pytest

from dreadclock.wire import events as e
from dreadclock_server.core.undo_log import Reason, reason_of

SCRIPT = Path(__file__).parents[2] / "server/src/dreadclock_server/pages/js/gm/slips.js"
IN_PART = {"check_adjusted", "required_set"}  # what else they hold decides


@pytest.mark.parametrize(("name", "of_dice"), [("BARRED", False), ("OF_DICE", True)])
def test_the_page_bars_the_events_that_the_server_bars(name: str, of_dice: bool) -> None:
    listed = re.search(rf"{name} = new Set\(\[(.*?)\]\)", SCRIPT.read_text(), re.DOTALL)
    events = get_args(get_args(e.Event)[0])
    tags = {each.model_fields["type"].default: each for each in events}

    reasons = {tag: reason_of(each.model_construct()) for tag, each in tags.items() if tag not in IN_PART}

    barred = {tag for tag, reason in reasons.items() if reason and (reason in (Reason.DICE, Reason.CRISIS)) is of_dice}
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == barred
    assert tags.keys() >= IN_PART
