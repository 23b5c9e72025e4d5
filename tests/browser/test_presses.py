"""What people do all the time takes as few presses as it may, and no longer than it did."""

import pytest

from kit.browser.actions import ACTIONS, Action, measure
from kit.browser.company import Company


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
async def test_it_takes_as_few_presses_as_it_may(company: Company, action: Action, figures: list[str]):
    work = await measure(company, action)

    figures.append(f"{action.name}: {work.presses} presses, {work.seconds:.1f} s")
    assert work.presses <= action.at_most, work
