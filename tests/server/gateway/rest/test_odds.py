"""Exact odds over REST: calculators that ask for no token."""

import asyncio
import threading
from typing import Any

import pytest

from dreadclock.rules import odds
from dreadclock.rules.check import plan
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.rest.odds import QUESTIONS
from dreadclock_server.gateway.rest.workers import MAX_WAITING, Calculations
from kit.rooms import http_client
from kit.server import Server


async def test_exact_odds_need_no_token(server: Server):
    async with http_client(server) as http:
        countdown = (await http.get("/api/odds/countdown", params={"pool": 1, "speed": "fast", "rolls": 2})).json()
        race = (await http.get("/api/odds/race", params={"situation": 1, "threat": 2, "chance": "1/2"})).json()
    assert countdown["mean_rolls"] == {"fraction": "2/1", "decimal": 2.0}
    assert [roll["alive"]["fraction"] for roll in countdown["rolls"]] == ["1/2", "1/4"]
    assert race["success"] == {"fraction": "1/2", "decimal": 0.5}


async def test_the_average_table_is_there_for_a_gm_who_sizes_a_countdown(server: Server):
    async with http_client(server) as http:
        table = (await http.get("/api/odds/table")).json()
        refused = await http.get("/api/odds/table?pool=3")

    assert table == odds.table_report()
    assert table["pools"] == list(range(1, 11))
    assert table["mean_rolls"]["fast"] == [2, 3, 3, 4, 4, 4, 4, 4, 5, 5]
    assert refused.status_code == 422


async def test_one_chance_stands_for_every_challenge(server: Server):
    async with http_client(server) as http:
        one = await http.get("/api/odds/race?situation=3&threat=15&chance=1/2")
        each = await http.get("/api/odds/race?situation=3&threat=15&chance=1/2&chance=1/2&chance=1/2&efforts=1")

    assert one.status_code == 200
    assert one.json()["success"] == each.json()["success"]


@pytest.mark.rule("C-odds", "D-odds")
@pytest.mark.parametrize(
    ("question", "report"),
    [
        ("check?dice=4&interference", odds.check_report(4, interference=True)),
        ("check?dice=4&helper=3%2B1&helper=3+1", odds.check_report(4, helpers=[plan(4), plan(4)])),
        (
            (
                "contest?dice=3&bonus=1&venture=1&reflex=2&helper=1"
                "&against=2&against_penalty=1&against_momentum=1&against_reflex=3&against_helper=2-1"
            ),
            odds.contest_report(
                [plan(3, bonus=1, venture=1), plan(1)], [plan(2, penalty=1, momentum=True), plan(2, penalty=1)], (2, 3)
            ),
        ),
        ("total?dice=60&required=21", odds.total_report(60, required=21)),
        ("push?kept=2,4,5&required=13", odds.push_report((2, 4, 5), 13)),
    ],
)
async def test_odds_over_rest_are_the_reports_themselves(server: Server, question: str, report: dict[str, Any]):
    async with http_client(server) as http:
        answer = await http.get(f"/api/odds/{question}")

    assert (answer.status_code, answer.json()) == (200, report)


@pytest.mark.parametrize(
    "question",
    [
        "race",
        "race?situation=1000000&threat=5&chance=1/2",
        "check?dice=",
        "check?dice=1000000000000000000000",
        "check?dice=%D9%A3",
        "check?dice=4&momentum=maybe",
    ],
)
async def test_odds_that_cannot_be_told_are_a_problem(server: Server, question: str):
    async with http_client(server) as http:
        answer = await http.get(f"/api/odds/{question}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
        assert answer.json()["detail"].endswith(".")


async def test_a_parameter_that_is_not_known_is_refused_rather_than_left_out(server: Server):
    async with http_client(server) as http:
        answer = await http.get("/api/odds/total?dice=5&requires=13")

    assert answer.status_code == 422
    assert "there is no parameter 'requires', only dice, required" in answer.json()["detail"]


@pytest.mark.parametrize(
    "question", ["check?dice=1&dice=2", "contest?dice=1&against=1&against_bonus=1&against_bonus=2"]
)
async def test_a_parameter_that_is_given_twice_is_refused(server: Server, question: str):
    async with http_client(server) as http:
        refused = await http.get(f"/api/odds/{question}")

    assert refused.status_code == 422
    assert "more than once" in refused.json()["detail"]


async def test_odds_are_worked_out_one_at_a_time_and_refused_when_too_many_wait():
    calculations, go, running, most = Calculations(), threading.Event(), 0, 0

    def ask() -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        go.wait()
        running -= 1
        return 1

    waiting = [asyncio.create_task(calculations.work_out(ask)) for _ in range(MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await calculations.work_out(ask)
    go.set()

    assert await asyncio.gather(*waiting) == [1] * MAX_WAITING
    assert (most, refused.value.code) == (1, Code.RATE_LIMITED)
    assert await calculations.work_out(ask) == 1


def test_the_table_of_calls_has_the_parameters_that_the_questions_have():
    for call, question in QUESTIONS.items():
        needed = [name for name, field in question.model_fields.items() if field.is_required()]
        assert set(call.query) == set(question.model_fields)
        assert set(call.needed) <= set(needed)
