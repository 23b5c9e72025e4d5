"""REST: every call, and what it says when it cannot."""

import asyncio
import json
import signal
from typing import Any

import pytest

from dreadclock.wire.base import Role
from dreadclock.wire.commands import EndTurn
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.records import Record
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway.rest.calls import problem
from dreadclock_server.gateway.rest.room_calls import ask, new_seat
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Store
from dreadclock_server.store.preflight import connect
from kit.nodes import node, opened
from kit.rooms import Table, chained, http_client, open_table
from kit.server import Server
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 3}
KIB = 1024


async def test_opening_a_room_gives_its_gm_a_link(server: Server):
    policy = {"physical_dice": "gm", "player_countdowns": False}
    async with http_client(server) as http:
        answer = await http.post("/api/rooms", json={"title": "Tide & Thorn ✨", "policy": policy})
    room, gm = answer.json()["room_id"], answer.json()["gm"]
    assert answer.status_code == 201
    assert set(gm) == {"seat_id", "token_id", "token", "link"}
    assert (gm["seat_id"], gm["link"]) == ("gm", f"{server.url}/r/{room}#{gm['token']}")
    async with http_client(server, gm["token"]) as http:
        public = (await http.get(f"/api/rooms/{room}")).json()["channels"]["public"]
    assert public["title"] == "Tide & Thorn ✨"
    assert public["policy"] == policy | {"check_approval": "gm", "care": "gm", "sheets": "gm", "specials": "one"}
    assert list(public["seats"]) == ["gm"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"title",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"title":7}',
        b'{"title":""}',
        b'{"title":"a\\u0000b"}',
        b'{"title":"' + b"x" * 10_000 + b'"}',
        b'{"title":"\\ud800"}',
        b'{"title":"x","owner":"me"}',
        b'{"title":"x","policy":{"physical_dice":"always"}}',
        b'{"title":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"title":"' + b"x" * 64 * KIB + b'"}',
    ],
)
async def test_a_bad_room_is_a_problem_and_not_opened(server: Server, body: bytes):
    async with http_client(server) as http:
        answer = await http.post("/api/rooms", content=body)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (422, 422, "bad_request")
    assert problem["type"] == "urn:dreadclock:bad_request"
    assert problem["detail"] == f"That is no request the server understands: {problem['details']['problem']}."
    assert len(answer.content) < KIB


@pytest.mark.parametrize("call", ["POST {}/commands", "GET {}/log"])
async def test_a_body_is_read_no_further_than_64_kib(table: Table, call: str):
    reader, writer = await asyncio.open_connection("127.0.0.1", table.server.port)
    head = [f"{call.format(table.path())} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {table.token('ann')}"]
    writer.write("\r\n".join([*head, "Content-Length: 1000000000", "", ""]).encode())
    writer.write(b" " * (64 * KIB + 1))  # and no more
    async with asyncio.timeout(10):
        assert (await reader.readline()).split()[1] == b"422"
        await reader.readuntil(b"the body is larger than 65536 bytes")
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("path", ["/api/rooms", "/api/rooms/{room}/invites", "/api/rooms/{room}/commands"])
async def test_a_body_of_many_parts_is_refused_before_it_is_looked_through(table: Table, path: str):
    async with table.http("gm") as http:
        answer = await http.post(path.format(room=table.id), json={f"x{number}": 1 for number in range(1_025)})

    assert answer.status_code == 422
    assert "more than 1024 brackets, braces and commas" in answer.json()["detail"]


async def test_invites_make_seats_and_further_tokens_for_them(table: Table):
    bot = await table.invite("bot", "integration", scopes=["secrets"])
    phone = await table.invite("phone", "player", seat_id=table.seat("ann"))
    second_gm = await table.invite("tablet", "gm", seat_id="gm")

    assert (phone["seat_id"], second_gm["seat_id"]) == (table.seat("ann"), "gm")
    seats = (await table.view())["channels"]["public"]["seats"]
    assert [seat["name"] for seat in seats.values()] == ["Gm", "Ann", "Ben", "Eve", "Bot"]
    assert seats[bot["seat_id"]]["scopes"] == ["secrets"]
    assert set((await table.view("bot"))["channels"]) == {"public", "gm"}
    assert set((await table.view("phone"))["channels"]) == {"public"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"role": "gm"}, 422, "bad_request"),
        ({"role": "player", "scopes": ["secrets"]}, 422, "bad_request"),
        ({"role": "integration", "scopes": ["secrets"] * 2}, 422, "bad_request"),
        ({"role": "dragon"}, 422, "bad_request"),
        ({"role": "player", "expires_s": 0}, 422, "bad_request"),
        ({"role": "player", "expires_s": 10**12}, 422, "bad_request"),
        ({"role": "player", "name": "x" * 65}, 422, "bad_request"),
        ({"role": "spectator", "seat_id": "player-1"}, 404, "unknown"),
        ({"role": "player", "seat_id": "player-99"}, 404, "unknown"),
    ],
)
async def test_a_bad_invite_makes_nothing(shared_table: Table, body: dict[str, object], status: int, code: str):
    before = await shared_table.log()
    async with shared_table.http("gm") as http:
        tokens = (await http.get(shared_table.path("/tokens"))).json()
        answer = await http.post(shared_table.path("/invites"), json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert [row["token_id"] for row in (await http.get(shared_table.path("/tokens"))).json()] == [
            row["token_id"] for row in tokens
        ]
    assert await shared_table.log() == before


async def test_for_the_id_of_a_new_seat_nobody_looks_into_the_log(store: Store, monkeypatch: pytest.MonkeyPatch):
    live = await node(store, await opened(store))
    with monkeypatch.context() as patch:
        patch.setattr(live, "record", None)
        kim = await new_seat(live, Role.PLAYER, "Kim", session="s")

    assert live.seat(kim).name == "Kim"  # type: ignore[union-attr]
    assert await new_seat(live, Role.PLAYER, "Kim", session="s") == kim
    assert await new_seat(await node(store, live.id), Role.PLAYER, "Kim", session="s") == kim


async def test_a_seat_made_on_one_process_can_be_invited_to_on_another_at_once(table: Table, second: Server):
    await table.view("gm", second)
    for i in range(10):
        made = await table.invite(f"player {i}", "player")
        async with table.http("gm", second) as http:
            body = {"role": "player", "seat_id": made["seat_id"]}
            assert (await http.post(table.path("/invites"), json=body)).status_code == 201


@pytest.mark.parametrize("name", ["ann", "eve"])
async def test_what_is_the_gms_is_not_for_others(shared_table: Table, name: str):
    async with shared_table.http(name) as http:
        for method, path in (("POST", "/invites"), ("GET", "/tokens"), ("DELETE", "/tokens/abc"), ("DELETE", "")):
            answer = await http.request(method, shared_table.path(path), json={"role": "player"})
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


async def test_the_list_of_tokens_tells_all_but_the_tokens(table: Table):
    await table.invite("late", "player", expires_s=3600)
    async with table.http("gm") as http:
        answer = await http.get(table.path("/tokens"))
    rows = {row["token_id"]: row for row in answer.json()}
    assert set(rows) == {grant["token_id"] for grant in table.grants.values()}
    late = rows[table.grants["late"]["token_id"]]
    assert late["expires_at"] == late["created_at"] + 3_600_000
    assert (late["seat_id"], late["role"]) == (table.seat("late"), "player")
    for grant in table.grants.values():
        assert grant["token"] not in answer.text


async def test_a_command_is_answered_like_on_the_websocket(table: Table):
    async with table.http("ann") as http, table.connected("eve") as eve:
        done = await http.post(table.path("/commands"), json={**ROLL, "note": "over REST"})
        events = await eve.expect("events")
        refused = await http.post(table.path("/commands"), json={"type": "end_turn"})
        nonsense = await http.post(table.path("/commands"), json={"type": "win"})

    body = done.json()
    assert (done.status_code, body["type"]) == (200, "ack")
    assert body["records"] == events["records"]
    seq = events["records"][0]["seq"]
    assert (body["events"], body["positions"]) == ({"public": [seq, seq]}, {"public": seq})
    assert (refused.status_code, refused.json()["type"], refused.json()["code"]) == (403, "refused", "not_allowed")
    assert refused.json()["sentence"] == "Only the gm may do that."
    assert (nonsense.status_code, nonsense.json()["code"]) == (422, "bad_command")


async def test_the_same_idempotency_key_is_the_same_command_on_any_process(table: Table, second: Server):
    key = {"Idempotency-Key": "a key of ann's"}
    async with table.http("ann") as here, table.http("ann", second) as there:
        first = await here.post(table.path("/commands"), json=ROLL, headers=key)
        answers = [
            await http.post(table.path("/commands"), json=ROLL, headers=key) for http in (here, there, there, here)
        ]
        other_key = await there.post(table.path("/commands"), json=ROLL, headers={"Idempotency-Key": "another"})
    async with table.http("ben") as ben:
        bens = await ben.post(table.path("/commands"), json=ROLL, headers=key)

    assert first.status_code == 200
    for answer in answers:
        assert answer.json() == first.json()
    seq = first.json()["events"]["public"][0]
    assert other_key.json()["events"]["public"] == [seq + 1] * 2
    assert bens.json()["events"]["public"] == [seq + 2] * 2


@pytest.mark.parametrize("key", ["", "x" * 201])
async def test_a_key_has_1_to_200_characters(shared_table: Table, key: str):
    async with shared_table.http("ann") as http:
        answer = await http.post(shared_table.path("/commands"), json=ROLL, headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


@pytest.mark.parametrize("accepted", ["application/json", "text/html, application/json;q=0.9"])
async def test_the_log_is_an_array_for_who_accepts_json_alone(table: Table, accepted: str):
    async with table.http("gm") as http:
        lines = await http.get(table.path("/log"))
        array = await http.get(table.path("/log"), headers={"Accept": accepted})
        none = await http.get(table.path("/log?public=999&gm=999"), headers={"Accept": accepted})
        both = await http.get(table.path("/log"), headers={"Accept": "application/jsonl, application/json"})

    assert array.headers["content-type"] == "application/json"
    assert array.json() == [json.loads(line) for line in lines.text.splitlines()]
    assert none.json() == []
    assert (lines.headers["content-type"], both.text) == ("application/jsonl", lines.text)


async def test_the_log_is_the_channels_records_line_by_line_and_verifies_as_chains(table: Table):
    async with table.connected("gm") as gm:
        for visibility in ("public", "sealed", "gm"):
            await gm.do({"type": "start_countdown", "name": "F\u00e9ver ✨", "pool": 3, "visibility": visibility})
        await gm.do({"type": "end_turn"})
        positions, log_id = gm.positions(), gm.welcome["log_id"]
    async with table.http("gm") as http:
        answer = await http.get(table.path("/log"))
    lines = answer.text.splitlines()
    by_channel = {name: [line for line in lines if json.loads(line)["channel"] == name] for name in ("public", "gm")}

    assert answer.headers["content-type"].startswith("application/jsonl")
    for channel, texts in by_channel.items():
        assert [Record.model_validate_json(text).seq for text in texts] == list(range(1, len(texts) + 1))
        assert chained(table.id, log_id, channel, texts) == positions[channel]["hash"]
    afters = [json.loads(text)["after"] for text in by_channel["gm"]]
    assert afters == sorted(afters)
    assert await table.log("eve") == by_channel["public"]
    assert await table.log("gm", public=5, gm=1) == [
        line for line in lines if json.loads(line)["seq"] > {"public": 5, "gm": 1}[json.loads(line)["channel"]]
    ]
    assert await table.log("eve", gm=0) == by_channel["public"]
    page = await table.log("gm", public=3, limit=2)
    assert [text for text in lines if text in page] == page
    assert {*page} == {*by_channel["public"][3:5], *by_channel["gm"][:2]}
    assert await table.log("eve", public=len(by_channel["public"]) - 1, limit=9) == by_channel["public"][-1:]


@pytest.mark.parametrize("after", ["-1", "x", "1.0", "²", "9" * 16])
async def test_a_log_after_no_number_is_a_problem(shared_table: Table, after: str):
    async with shared_table.http("gm") as http:
        answer = await http.get(shared_table.path("/log"), params={"public": after})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


async def test_what_the_store_does_not_settle_in_time_may_be_done_and_is_not_called_undone(mortal: Server):
    table = await open_table(mortal)
    store = await connect(mortal.store_url)
    rooms = Rooms(store)
    live = await rooms.get(table.id)
    mortal.signal_valkey(signal.SIGSTOP)
    try:
        with pytest.raises(Refused) as refused:
            await ask(live, Actor("gm", Role.GM), EndTurn(), limit_s=0.2)
    finally:
        mortal.signal_valkey(signal.SIGCONT)
    assert refused.value.code is Code.UNSETTLED
    answer = problem(refused.value)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")

    await until(lambda: live.room.view.turn == 2)
    await rooms.aclose()
    await store.aclose()


# The REST call that tells which commands the caller may take back


CLOCK = {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6}
LATEST = 20


async def undoable(table: Table, name: str) -> Any:
    """Ask on behalf of a seat."""
    async with table.http(name) as http:
        answer = await http.get(table.path("/undoable"))
        assert answer.status_code == 200
        return answer.json()


def told(table: Table, *latest: int) -> list[dict[str, Any]]:
    """Return what is said of public commands of Ann's with one record each."""
    return [{"channel": "public", "first": seq, "last": seq, "by": table.seat("ann")} for seq in latest]


async def test_each_seat_is_told_what_it_may_take_back_the_latest_first(table: Table):
    async with table.connected("gm") as gm, table.connected("ann") as ann:
        await gm.do({**CLOCK, "owner": table.seat("ann")})
        await gm.do({**CLOCK, "id": "gm-gas", "visibility": "gm"})
        ticks = [(await ann.do({"type": "tick_clock", "clock_id": "tide"}))["events"]["public"][1] for _ in range(2)]

        assert await undoable(table, "ann") == told(table, ticks[1])  # the first has changed since
        of_gm = await undoable(table, "gm")
        assert of_gm[0] == told(table, ticks[1])[0]
        assert "gm" in {each["channel"] for each in of_gm}
        assert [await undoable(table, name) for name in ("ben", "eve")] == [[], []]

        for number in range(LATEST):
            await ann.do({"type": "narrate", "text": f"Number {number}."})
        said = await undoable(table, "ann")
        assert [each["last"] for each in said] == [*range(ticks[1] + LATEST, ticks[1], -1)]
        await gm.do({"type": "close_room"})
    assert [await undoable(table, name) for name in ("gm", "ann")] == [[], []]


async def test_what_was_done_for_a_player_is_hers_to_take_back_or_that_of_whom_she_lent_her_seat(table: Table):
    bots = (await table.invite("bot", "integration", scopes=["act_for"]))["seat_id"]
    anns = table.seat("ann")
    async with table.connected("ann") as ann:
        await ann.do({"type": "lend_seat", "to": bots})
    async with table.http("bot") as bot:
        say = {"type": "narrate", "text": "It rains.", "act_for": anns}
        done = (await bot.post(table.path("/commands"), json=say)).json()
        seq = done["events"]["public"][1]
        assert await undoable(table, "ann") == told(table, seq)
        assert await undoable(table, "bot") == []
        void = {"type": "void_command", "seq": seq, "reason": "a slip"}
        refused = await bot.post(table.path("/commands"), json=void)
        assert refused.json()["code"] == "not_allowed"
        assert (await bot.post(table.path("/commands"), json={**void, "act_for": anns})).status_code == 200
        assert await undoable(table, "ann") == []


async def test_nobody_else_is_told_anything(table: Table):
    async with table.http("gm") as http:
        answer = await http.get(table.path("/undoable"), headers={"Authorization": "Bearer nothing"})
    assert answer.status_code == 401
