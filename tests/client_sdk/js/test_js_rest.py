"""REST calls of the JavaScript client: at a real server, and at one that answers what it was told to."""

import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from dreadclock.wire.errors import Code, KeyRefused, Refused
from dreadclock.wire.rest import Grant, Problem, RoomOpening
from kit.puppet import Puppet, needs_node
from kit.qr import read_qr
from kit.rooms import Table, http_client
from kit.server import Server
from kit.servers.http_server import HttpServer
from kit.table import ROOM

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]
GRANT = Grant(seat_id="gm", token_id="abc", token="secret", link=f"http://host/r/{ROOM}#secret")
OPENING = RoomOpening(room_id=ROOM, gm=GRANT).model_dump_json(exclude_none=True)


@pytest_asyncio.fixture(loop_scope="module")
async def client(visitor: Puppet) -> Puppet:
    return visitor


@pytest_asyncio.fixture(loop_scope="module")
async def http() -> AsyncIterator[HttpServer]:
    async with HttpServer() as server:
        yield server


async def call(client: Puppet, name: str, *given: object) -> Any:
    """Make a call that must succeed."""
    return await client.do("rest", call=name, given=given)


async def refusal(client: Puppet, name: str, *given: object) -> Any:
    """Make a call that must be refused."""
    return (await client.ask("rest", call=name, given=given))["refused"]


def link_to(table: Table, name: str = "gm") -> str:
    return f"{table.server.url}/r/{table.id}#{table.token(name)}"


def problem(refused: Refused) -> str:
    return Problem(
        type="urn:x", title="x", status=429, detail=refused.sentence, code=refused.code, details=refused.details
    ).model_dump_json()


# At a real server


async def test_a_room_is_opened_and_its_link_opens_it(server: Server, client: Puppet):
    policy = {"physical_dice": "gm", "player_countdowns": None}
    opened = await call(client, "openRoom", f"{server.url}/", {"title": "Tide & Thorn ✨", "policy": policy})

    seen = await client.do("connect", link=opened["gm"]["link"])

    public = seen["view"]["channels"]["public"]
    assert (seen["role"], public["title"]) == ("gm", "Tide & Thorn ✨")
    others = {"check_approval": "gm", "player_countdowns": True, "care": "gm", "sheets": "gm", "specials": "one"}
    assert public["policy"] == {"physical_dice": "gm", **others}


async def test_people_are_invited_and_one_link_is_a_code_for_a_phone(table: Table, client: Puppet):
    ines = await call(client, "invite", link_to(table), {"role": "player", "name": "Ines", "qr": True})
    again = await call(client, "invite", link_to(table), {"role": "player", "seat_id": ines["seat_id"], "name": None})

    assert read_qr(ines["qr"]) == ines["link"]
    assert (again["seat_id"], "qr" in again, again["link"] != ines["link"]) == (ines["seat_id"], False, True)
    assert (await client.do("connect", link=again["link"]))["seat"] == ines["seat_id"]


async def test_tokens_are_listed_and_revoked(table: Table, client: Puppet):
    link = link_to(table)
    (token_id,) = (each["token_id"] for each in await call(client, "tokens", link) if each["seat_id"] == "player-1")

    assert await call(client, "revoke", link, token_id) is None

    assert token_id not in {each["token_id"] for each in await call(client, "tokens", link)}
    assert (await refusal(client, "revoke", link, token_id))["code"] == "unknown"


async def test_a_room_is_deleted_by_its_title(table: Table, client: Puppet):
    parts = {"server": table.server.url, "room": table.id, "token": table.token("gm")}
    assert (await refusal(client, "deleteRoom", parts, "Another"))["code"] == "bad_request"

    assert await call(client, "deleteRoom", parts, table.title) is None

    assert (await refusal(client, "tokens", parts))["code"] == "unauthorised"


async def test_odds_are_those_of_the_server(server: Server, client: Puppet):
    params = {"dice": 4, "penalty": 1, "momentum": True, "helper": ["3-1", "2"], "venture": None}
    answers = [await call(client, "odds", server.url, "check", params), await call(client, "odds", server.url, "table")]
    async with http_client(server) as http:
        expected = [
            await http.get("/api/odds/check?dice=4&penalty=1&momentum=true&helper=3-1&helper=2"),
            await http.get("/api/odds/table"),
        ]
    assert [each.status_code for each in expected] == [200, 200]
    assert answers == [each.json() for each in expected]


async def test_a_refusal_comes_with_its_code_sentence_and_numbers(table: Table, client: Puppet):
    refused = await refusal(client, "invite", link_to(table, "ann"), {"role": "player"})
    unfit = await refusal(client, "odds", table.server.url, "countdown", {"pool": "many"})

    assert refused == {"code": "not_allowed", "sentence": "Only the gm may do that.", "details": {"allowed": "the gm"}}
    assert (unfit["code"], unfit["sentence"]) == ("bad_request", str(Refused(Code.BAD_REQUEST, **unfit["details"])))


async def test_where_a_key_is_needed_it_is_the_operators(second: Server, client: Puppet, operator_key: str):
    opened = await call(client, "openRoom", second.url, {"title": "T", "operatorKey": operator_key})
    refused = [
        await refusal(client, "openRoom", second.url, {"title": "T", "operatorKey": key})
        for key in (None, "", "wrong", "not the operator’s", "two\nlines")
    ]

    assert opened["gm"]["link"].startswith("https://tables.example/play/r/")
    assert [(each["code"], each["sentence"]) for each in refused] == [("unauthorised", str(KeyRefused()))] * 5


async def test_what_is_no_link_is_told_so(client: Puppet):
    answer = await client.ask("rest", call="tokens", given=["http://host/r/none"])

    assert answer["failed"] == "TypeError: a link to a room looks like http://host:port/r/ROOM#TOKEN"


# At one that answers what it was told to


async def test_a_call_says_what_it_has_to_and_no_more(http: HttpServer, client: Puppet):
    http.answers.extend([(201, OPENING), (204, ""), (204, "")])
    link = f"{http.url}/tables/r/{ROOM}#secret"

    await call(client, "openRoom", f"{http.url}/tables//", {"title": "T"})
    await call(client, "revoke", link, "a/../b")
    await call(client, "deleteRoom", link, "Fire & Ash?")

    opening, revoking, deleting = http.asked
    assert (opening.method, opening.target, opening.body) == ("POST", "/tables/api/rooms", '{"title":"T"}')
    assert "authorization" not in opening.headers
    assert (revoking.method, revoking.target) == ("DELETE", f"/tables/api/rooms/{ROOM}/tokens/a%2F..%2Fb")
    assert (deleting.method, deleting.target) == ("DELETE", f"/tables/api/rooms/{ROOM}?confirm=Fire%20%26%20Ash%3F")
    assert deleting.headers["authorization"] == "Bearer secret"
    assert "content-type" not in deleting.headers


@pytest.mark.parametrize(
    ("status", "answer"),
    [(502, "<h1>Bad Gateway</h1>"), (500, '{"code":"bug"}'), (404, "null"), (200, "<html>"), (403, "[]"), (500, "")],
)
async def test_an_answer_that_makes_no_sense_is_called_so(http: HttpServer, client: Puppet, status: int, answer: str):
    http.answers.append((status, answer))

    failed = (await client.ask("rest", call="odds", given=[http.url, "table"]))["failed"]

    assert failed == f"ProtocolViolation: {http.url}/api/odds/table? answered {status} Whatever"


async def test_a_server_that_is_not_there_is_called_so(http: HttpServer, client: Puppet):
    async with HttpServer() as gone:
        link = f"{gone.url}/r/{ROOM}#secret"

    answer = await client.ask("rest", call="tokens", given=[link])

    assert answer["ended"] == {"code": None, "reason": f"{gone.url} cannot be reached"}


async def test_a_server_that_is_asked_too_much_is_asked_again(http: HttpServer, client: Puppet):
    busy = problem(Refused(Code.RATE_LIMITED, retry_ms=1))
    http.answers.extend([(429, busy), (429, busy), (200, "{}"), *[(429, busy)] * 11, (201, OPENING), (200, "{}")])

    assert await call(client, "odds", http.url, "table") == {}
    assert (await refusal(client, "odds", http.url, "table"))["code"] == "rate_limited"
    assert (await call(client, "openRoom", http.url, {"title": "The Chapel"}))["room_id"] == ROOM
    assert len(http.asked) == 3 + 11 + 1


async def test_a_wait_that_is_too_long_is_the_callers_to_decide_on(http: HttpServer, client: Puppet):
    http.answers.append((429, problem(Refused(Code.RATE_LIMITED, retry_ms=30_001))))

    assert (await refusal(client, "odds", http.url, "table"))["code"] == "rate_limited"
    assert len(http.asked) == 1


async def test_a_question_that_is_given_up_is_asked_no_more(http: HttpServer, client: Puppet):
    http.answers.append((429, problem(Refused(Code.RATE_LIMITED, retry_ms=30_000))))

    given_up = await client.ask("given_up", afterMs=1_000, given=[http.url, "table", {}])

    assert given_up["failed"].startswith("TimeoutError")
    assert len(http.asked) == 1


async def test_a_question_that_nobody_answers_can_be_given_up(client: Puppet):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        given_up = await client.ask("given_up", afterMs=200, given=[url, "table", {}])

    assert given_up["failed"].startswith("TimeoutError")


async def test_a_body_is_json_without_what_was_left_out(http: HttpServer, client: Puppet):
    http.answers.append((201, GRANT.model_dump_json()))

    await call(client, "invite", f"{http.url}/r/{ROOM}#secret", {"role": "player", "name": None, "scopes": ["turns"]})

    assert json.loads(http.asked[0].body) == {"role": "player", "scopes": ["turns"]}
    assert http.asked[0].headers["content-type"] == "application/json"
