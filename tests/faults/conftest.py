"""The house in which all goes wrong, and the table of what came of it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from kit.workload.amounts import Amounts, amounts
from kit.workload.house import House, opened_house
from kit.workload.rounds import Rounds

_ROUNDS = pytest.StashKey[Rounds]()


@pytest.fixture(scope="session")
def asked() -> Amounts:
    """How much is asked for."""
    return amounts()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(asked: Amounts, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """One Valkey, and servers on it."""
    async with opened_house(tmp_path_factory.mktemp("house"), asked.servers) as house:
        yield house


@pytest.fixture
def rounds(house: House, request: pytest.FixtureRequest) -> Rounds:
    """Rounds to be played in the house."""
    rounds = request.config.stash.setdefault(_ROUNDS, Rounds())
    rounds.house = house
    return rounds


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show what went wrong in each part, and what came of it."""
    if _ROUNDS in config.stash:
        terminalreporter.section("faults")
        for line in config.stash[_ROUNDS].table():
            terminalreporter.line(line)
