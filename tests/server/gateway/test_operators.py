"""Calls for operators: health and metrics."""

from kit.rooms import Table, http_client


async def test_operators_see_that_it_lives_and_what_it_carries(table: Table):
    async with http_client(table.server) as http, table.connected("ann"), table.connected("eve"):
        assert (await http.get("/healthz")).text == "ok\n"
        assert (await http.get("/readyz")).text == "ready\n"
        metrics = dict(
            line.rsplit(" ", 1) for line in (await http.get("/metrics")).text.splitlines() if not line.startswith("#")
        )
    assert float(metrics["dreadclock_rooms_live"]) >= 1
    assert float(metrics["dreadclock_connections"]) >= 2
