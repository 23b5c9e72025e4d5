"""What a plain GET at a websocket's address is told, from which a page learns why no websocket opens; and the log."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from dreadclock_server.gateway.limits.rates import Rate
from dreadclock_server.settings.table import Settings
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.servers.in_process import in_process

LIMIT = "limit reached: "


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


async def test_an_address_that_opens_too_many_is_told_when_to_retry_and_asking_is_free(table: Table, server: Server):
    settings = Settings(limit_joins=Rate(often=1, every_s=60, burst=2))
    async with in_process(server, settings) as (_, here):
        for _ in range(5):
            assert (await asked(here, table))[0] == 426
        for _ in range(2):
            async with table.connected("ann", here):
                pass
        status, headers = await asked(here, table)

    assert (status, int(headers["retry-after"]) > 10) == (429, True)


@pytest.mark.parametrize(
    ("limit", "value"), [("max_connections_per_address", "1"), ("max_connections", "1"), ("limit_joins", "1/min:1")]
)
async def test_a_limit_is_logged_once_a_minute(server: Server, table: Table, tmp_path: Path, limit: str, value: str):
    environment = {"DREADCLOCK_LIMITS": "yes", f"DREADCLOCK_{limit.upper()}": value}
    async with running_server(tmp_path / "data", store=server.store_url, environment=environment) as narrow:
        async with table.connected("ann", narrow):
            for _ in range(3):
                with pytest.raises(InvalidStatus):
                    async with table.connected("ben", narrow):
                        pass
        lines: list[dict[str, Any]] = [json.loads(line) for line in narrow.log_text().splitlines() if LIMIT in line]

    assert [(line["level"], line["limit"], line["client"]) for line in lines] == [("warning", limit, "127.0.0.1")]
