"""What a plain GET at a websocket's address is told, from which a page learns why no websocket opens; and the log."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from dreadclock_server.gateway.limits.rates import Rate
from dreadclock_server.settings import Settings
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.servers.in_process import in_process

TURNED_AWAY = "limit reached: websockets are turned away"


@pytest.fixture
async def table(server: Server) -> Table:
    return await open_table(server)


async def asked(server: Server, table: Table) -> tuple[int, dict[str, str]]:
    """Ask at the address of the table's websocket."""
    async with http_client(server) as http:
        answer = await http.get(f"/ws/{table.id}")
    return answer.status_code, dict(answer.headers)


async def test_where_websockets_may_be_opened_an_upgrade_is_required(server: Server, table: Table):
    status, headers = await asked(server, table)

    assert (status, headers["upgrade"]) == (426, "websocket")


async def test_the_101st_connection_of_an_address_is_told_the_limit(table: Table, server: Server):
    async with in_process(server, Settings(limits=False, max_connections_per_address=1)) as (_, here):
        async with table.connected("ann", here):
            status, headers = await asked(here, table)
            assert (status, headers["retry-after"]) == (429, "10")
        assert (await asked(here, table))[0] == 426


async def test_a_full_server_says_so(table: Table, server: Server):
    settings = Settings(limits=False, max_connections=1)
    async with in_process(server, settings) as (_, here), table.connected("ann", here):
        status, headers = await asked(here, table)
    assert (status, headers["retry-after"]) == (503, "10")


async def test_an_address_that_opens_too_many_is_told_when_to_come_back_and_asking_uses_nothing_up(
    table: Table, server: Server
):
    settings = Settings(limit_joins=Rate(often=1, every_s=60, burst=2))
    async with in_process(server, settings) as (_, here):
        for _ in range(5):
            assert (await asked(here, table))[0] == 426
        for _ in range(2):
            async with table.connected("ann", here):
                pass
        status, headers = await asked(here, table)

    assert (status, int(headers["retry-after"]) > 10) == (429, True)


@pytest.fixture
async def narrow(server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A process on the same store that takes one connection of an address."""
    data = tmp_path_factory.mktemp("narrow") / "data"
    environment = {"DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": "1"}
    async with running_server(data, store=server.store_url, environment=environment) as narrow:
        yield narrow


async def test_the_limit_of_joins_is_logged_too(table: Table, server: Server, tmp_path: Path):
    environment = {"DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_JOINS": "1/min:1"}
    async with running_server(tmp_path / "data", store=server.store_url, environment=environment) as here:
        async with table.connected("ann", here):
            with pytest.raises(InvalidStatus):
                async with table.connected("ben", here):
                    pass
        [logged] = [json.loads(line) for line in here.log_text().splitlines() if TURNED_AWAY in line]
    assert logged["limit"] == "limit_joins"


async def test_a_limit_that_turns_websockets_away_is_logged_once_a_minute(narrow: Server, table: Table):
    async with table.connected("ann", narrow):
        for _ in range(3):
            with pytest.raises(InvalidStatus):
                async with table.connected("ben", narrow):
                    pass

    logged: list[dict[str, Any]] = [json.loads(line) for line in narrow.log_text().splitlines() if TURNED_AWAY in line]
    assert [(line["level"], line["limit"], line["client"]) for line in logged] == [
        ("warning", "max_connections_per_address", "127.0.0.1")
    ]
