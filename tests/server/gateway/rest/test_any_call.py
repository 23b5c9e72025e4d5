"""Calls that the description allows, and many that it does not: none makes the server fail, each answer fits it.

DREADCLOCK_CASES says how many of each call: a few unless said, hundreds where somebody has the time.
"""

import os
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import pytest
import pytest_asyncio
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dreadclock.wire import calls
from dreadclock_server.gateway.rest.openapi import description
from kit import knocks
from kit.rooms import Table, http_client
from kit.server import Server, running_server

CASES = int(os.environ.get("DREADCLOCK_CASES") or 2)
OPERATOR = "the-operators-own-key"
KNOCKS = {"get": "away", "delete": "gone", "post": "open"}  # one each: who withdrew a knock would wait for an answer
ENDLESS = "/api/rooms/{room}/events"  # which whoever asks for it well would wait for
CALLS = [(call.method.lower(), call.path) for call in calls.CALLS if call.path != ENDLESS]
CALLS.sort(key=("post", "/api/rooms/{room}/knocks").__eq__)  # last: of many knocks at a room the oldest go, ours too


@cache
def schema() -> BaseSchema:
    """Return the description, which is made for these tests alone: not in each process that only collects them."""
    return schemathesis.openapi.from_dict(generable(description()))


def generable(part: Any) -> Any:
    """Leave out the patterns that no texts can be made for: what they forbid is sent, and refused."""
    if isinstance(part, dict):
        return {key: generable(value) for key, value in part.items() if key != "pattern" or r"\p{" not in str(value)}
    return [generable(each) for each in part] if isinstance(part, list) else part


schemathesis.serializer.alias("application/jsonl", "text/plain")
CHECKS: Any = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def fort(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Table]:
    """A room on a server that has an operator."""
    environment = {"DREADCLOCK_OPERATOR_KEY": OPERATOR}
    async with running_server(tmp_path_factory.mktemp("any") / "data", environment=environment) as server:
        yield await _opened(server)


async def _opened(server: Server) -> Table:
    async with http_client(server, OPERATOR) as http:
        answer = (await http.post("/api/rooms", json={"title": "Any"})).json()
    table = Table(server, answer["room_id"], "Any", {"gm": answer["gm"]})
    await table.invite("ann", "player")
    for name in KNOCKS.values():
        knocker = await knocks.knock_at(server, table.id)
        table.grants[name] = {"token": knocker.secret, "knock": knocker.knock}
        if name == "away":
            await knocks.answer(table, knocker, accept=False)
    return table


def keys(table: Table, method: str) -> dict[str, str]:
    """Give what each kind of caller shows."""
    tokens = {"gm": table.token("gm"), "player": table.token("ann"), "knocker": table.token(KNOCKS.get(method, "open"))}
    return {**tokens, "operator": OPERATOR, "stranger": "x" * 22}


def callers(path: str) -> st.SearchStrategy[str | None]:
    """Give callers: half of them those who may."""
    rightful = "operator" if path.startswith("/api/rooms") and "{room}" not in path else "gm"
    rightful = "knocker" if path.endswith("{knock}") else rightful
    return st.sampled_from([rightful] * 4 + ["gm", "player", "operator", "stranger", None])


def cases(method: str, path: str) -> st.SearchStrategy[Any]:
    """Give calls that fit the description, and others."""
    operation = schema()[path][method]
    return st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_any_call_is_answered_as_described(fort: Table, method: str, path: str):
    knock = fort.grants[KNOCKS.get(method, "open")]["knock"]
    names = {"room": fort.id, "token_id": "abcdefgh", "recap_id": "abcdefgh", "knock": knock}

    cases_of_it = max(2, CASES // 8) if path.endswith("/recap") else CASES  # each starts a process that draws one

    @settings(max_examples=cases_of_it, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases(method, path), caller=callers(path), known=st.integers(0, 7))
    def answered(case: Any, caller: str | None, known: int) -> None:
        if known:
            case.path_parameters.update({name: names[name] for name in case.path_parameters})
        headers = {"Authorization": f"Bearer {keys(fort, method)[caller]}"} if caller is not None else {}
        case.validate_response(case.call(base_url=fort.server.url, headers=headers), checks=CHECKS)

    answered()
