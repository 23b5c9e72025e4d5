"""Calls for operators and for the curious: health, metrics, odds."""

import pytest

from kit.rooms import Table, http_client
from kit.server import Server


async def test_exact_odds_need_no_token(server: Server):
    async with http_client(server) as http:
        countdown = (await http.get("/api/odds/countdown", params={"pool": 1, "speed": "fast", "rolls": 2})).json()
        race = (await http.get("/api/odds/race", params={"situation": 1, "threat": 2, "chance": "1/2"})).json()
    assert countdown["mean_rolls"] == {"fraction": "2/1", "decimal": 2.0}
    assert [roll["alive"]["fraction"] for roll in countdown["rolls"]] == ["1/2", "1/4"]
    assert race["success"] == {"fraction": "1/2", "decimal": 0.5}


async def test_one_chance_stands_for_every_challenge(server: Server):
    async with http_client(server) as http:
        one = await http.get("/api/odds/race?situation=3&threat=15&chance=1/2")
        each = await http.get("/api/odds/race?situation=3&threat=15&chance=1/2&chance=1/2&chance=1/2&efforts=1")

    assert one.status_code == 200
    assert one.json()["success"] == each.json()["success"]


@pytest.mark.parametrize(
    "question",
    [
        "countdown",
        "countdown?pool=0",
        "countdown?pool=61",
        "countdown?pool=1.5",
        "countdown?pool=6&speed=warp",
        "countdown?pool=60&rolls=100",
        "countdown?pool=6&stage=x",
        "race",
        "race?situation=1&threat=5",
        "race?situation=1&threat=5&chance=2",
        "race?situation=1&threat=5&chance=1/0",
        "race?situation=2&threat=5&chance=1/999983&chance=1/999979",
        "race?situation=1000000&threat=5&chance=1/2",
    ],
)
async def test_odds_that_cannot_be_told_are_a_problem(server: Server, question: str):
    async with http_client(server) as http:
        answer = await http.get(f"/api/odds/{question}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
        assert answer.json()["detail"].endswith(".")


async def test_operators_see_that_it_lives_and_what_it_carries(table: Table):
    async with http_client(table.server) as http, table.connected("ann"), table.connected("eve"):
        assert (await http.get("/healthz")).text == "ok\n"
        assert (await http.get("/readyz")).text == "ready\n"
        metrics = dict(
            line.rsplit(" ", 1) for line in (await http.get("/metrics")).text.splitlines() if not line.startswith("#")
        )
    assert float(metrics["dreadclock_rooms_live"]) >= 1
    assert float(metrics["dreadclock_connections"]) >= 2
