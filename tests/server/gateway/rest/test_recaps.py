"""Recaps: the page of an evening for who sits at the table, and by links of their own for who does not."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE

import httpx
import pytest

from dreadclock.wire.base import Channel
from dreadclock_server.gateway.rest import recap_calls, workers
from dreadclock_server.recap_worker import Wanted, written, zone_of
from dreadclock_server.settings.table import Settings
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.servers.in_process import in_process

EVENING: tuple[dict[str, object], ...] = (
    {"type": "open_scene", "id": "vault", "name": "<b>The vault</b>", "clock": 6},
    {"type": "start_countdown", "id": "air", "name": "Air", "pool": 30, "bound_to": "nothing", "owner": "player-1"},
    {
        "type": "start_countdown",
        "id": "gm-worm",
        "name": "Mole in the wall",
        "pool": 4,
        "bound_to": "nothing",
        "visibility": "gm",
    },
    {
        "type": "start_countdown",
        "id": "gas",
        "name": "Gas",
        "pool": 30,
        "bound_to": "nothing",
        "visibility": "sealed",
        "ending": "fire",
    },
    {"type": "roll_countdown", "countdown_id": "air"},
    {"type": "end_turn"},
)
SECRETS = ("Mole in the wall", "fire")


async def do(table: Table, *commands: dict[str, object]) -> None:
    async with table.http("gm") as http:
        for command in commands:
            answer = await http.post(table.path("/commands"), json=command)
            assert answer.status_code == 200, answer.text


async def recap(table: Table, token: str | None, **query: str) -> httpx.Response:
    async with http_client(table.server, token) as http:
        return await http.get(table.path("/recap"), params=query)


async def share(table: Table) -> dict[str, object]:
    async with table.http("gm") as http:
        answer = await http.post(table.path("/recaps"))
    assert answer.status_code == 201, answer.text
    shared: dict[str, object] = answer.json()
    return shared


def secret_of(shared: dict[str, object]) -> str:
    return str(shared["link"]).partition("#")[2]


def text_of(page: httpx.Response) -> str:
    assert page.status_code == 200, page.text
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    return page.text


async def test_everyone_at_the_table_gets_the_evening_as_they_may_see_it(table: Table):
    await do(table, *EVENING)

    of_gm, of_ann = await recap(table, table.token("gm")), await recap(table, table.token("ann"), lang="de")

    assert SECRETS[0] in text_of(of_gm)
    assert not any(secret in text_of(of_ann) for secret in SECRETS)
    assert (of_gm.headers["dreadclock-role"], of_ann.headers["dreadclock-role"]) == ("gm", "player")
    assert "Scene: &lt;b&gt;The vault&lt;/b&gt;" in of_gm.text
    assert "<b>The" not in of_gm.text
    assert '<html lang="de">' in of_ann.text
    assert "1 roll, checked from the export" in of_gm.text
    assert "is not valid" not in of_gm.text


async def test_times_are_those_of_the_zone_that_is_asked_for_and_of_one_that_nobody_knows_utc(table: Table):
    token = table.token("ann")

    kolkata, unknown = await recap(table, token, zone="Asia/Kolkata"), await recap(table, token, zone="Atlantis")

    assert "Times are UTC+05:30." in text_of(kolkata)
    assert "Times are UTC." in text_of(unknown)
    for query in ({"zone": "../../etc/passwd"}, {"zone": ""}, {"lang": "fr"}, {"style": "mine"}):
        assert (await recap(table, token, **query)).json()["code"] == "bad_request"


async def test_a_link_opens_what_everyone_saw_until_then_and_nothing_else(table: Table):
    await do(table, *EVENING)
    shared = await share(table)
    await do(table, {"type": "start_countdown", "id": "late", "name": "Later than that", "pool": 2})

    page = await recap(table, secret_of(shared))

    assert re.fullmatch(rf"{table.server.url}/recap/{table.id}#[A-Za-z0-9_-]{{22}}", str(shared["link"]))
    assert "Air" in text_of(page)
    assert not any(secret in page.text for secret in (*SECRETS, "Later than that"))
    assert "dreadclock-role" not in page.headers
    async with http_client(table.server, secret_of(shared)) as http:
        for path in ("", "/log", "/recaps", "/tokens"):
            assert (await http.get(table.path(path))).status_code == 401
        assert (await http.post(table.path("/commands"), json={"type": "end_turn"})).status_code == 401


async def test_links_are_listed_without_their_secrets_and_withdrawn_by_the_gm_alone(table: Table):
    shared, other = await share(table), await share(table)
    async with table.http("gm") as http:
        listed = (await http.get(table.path("/recaps"))).json()
    assert listed == [{name: one[name] for name in ("recap_id", "seq", "created_at")} for one in (shared, other)]

    at = table.path(f"/recaps/{shared['recap_id']}")
    async with table.http("ann") as http:
        refused = [await http.delete(at), await http.get(table.path("/recaps")), await http.post(table.path("/recaps"))]
    assert [each.status_code for each in refused] == [403, 403, 403]
    async with table.http("gm") as http:
        assert [(await http.delete(at)).status_code for _ in range(2)] == [204, 404]

    assert (await recap(table, secret_of(shared))).status_code == 401
    assert (await recap(table, secret_of(other))).status_code == 200


async def test_who_has_neither_token_nor_link_gets_nothing(table: Table, server: Server):
    elsewhere = await open_table(server)
    shared = await share(elsewhere)

    answers = [await recap(table, token) for token in (None, "x" * 22, secret_of(shared), elsewhere.token("gm"))]

    assert [(each.status_code, each.json()["code"]) for each in answers] == [(401, "unauthorised")] * 4


async def test_a_room_has_so_many_links_and_a_withdrawn_one_makes_room(table: Table):
    shared = [await share(table) for _ in range(recap_calls.MOST_RECAPS)]
    async with table.http("gm") as http:
        full = await http.post(table.path("/recaps"))
        await http.delete(table.path(f"/recaps/{shared[0]['recap_id']}"))
        again = await http.post(table.path("/recaps"))

    assert (full.status_code, full.json()["code"], full.json()["details"]["limit"]) == (409, "too_many", 10)
    assert again.status_code == 201


async def test_an_address_gets_so_many_recaps_and_asks_again_later(tmp_path):
    environment = {"DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_RECAPS": "1/h:2"}
    async with running_server(tmp_path / "data", environment=environment) as server:
        table = await open_table(server)
        answers = [await recap(table, table.token("gm")) for _ in range(3)]

    assert [each.status_code for each in answers] == [200, 200, 429]
    assert "retry-after" in answers[2].headers


async def test_a_log_too_long_or_too_slow_is_refused(table: Table, server: Server, monkeypatch: pytest.MonkeyPatch):
    async with in_process(server, Settings(limits=False)) as (_, served):
        here = Table(served, table.id, table.title, table.grants)
        monkeypatch.setattr(recap_calls, "MOST_GIVEN_BYTES", 500)
        too_long = await recap(here, table.token("gm"))
        monkeypatch.undo()
        monkeypatch.setattr(workers, "PATIENCE_S", 0.01)
        too_slow = await recap(here, table.token("gm"))
        monkeypatch.undo()
        after = await recap(here, table.token("gm"))

    assert [each.status_code for each in (too_long, too_slow, after)] == [422, 422, 200]
    assert all("longer than a recap may be" in each.json()["detail"] for each in (too_long, too_slow))


async def test_the_worker_says_of_its_mistakes_nothing_that_a_log_holds():
    process = await asyncio.create_subprocess_exec(
        sys.executable, *workers.program("recap_worker"), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    wanted = Wanted(room="a" * 26, log_id="0" * 32, channels=(Channel.PUBLIC,)).model_dump_json()
    _, said = await process.communicate(f"{wanted}\nMole in the wall\n".encode())

    assert process.returncode == 1
    assert b"Mole" not in said
    assert b" in " in said


def test_a_page_of_an_empty_log_is_a_page():
    wanted = Wanted(room="a" * 26, log_id="0" * 32, channels=(Channel.PUBLIC,)).model_dump_json()

    assert b"A room without a name" in written(f"{wanted}\n".encode())
    assert str(zone_of("Europe/Berlin")) == "Europe/Berlin"
