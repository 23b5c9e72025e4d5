"""The first frame: who comes in, and what everyone else is told."""

import asyncio
import hashlib

import pytest
from websockets.exceptions import InvalidStatus

from kit.raw import RawClient, raw_client
from kit.rooms import Table, http_client, open_table
from kit.server import Server
from kit.waiting import until

NOBODY = (4501, "There is no such room, or the token does not open it.")
UNKNOWN_ROOM = "a" * 26


async def test_a_hello_is_answered_with_the_room_as_the_seat_sees_it(table: Table):
    async with table.connected("ann") as ann, table.connected("gm") as gm:
        assert ann.welcome["room"] == table.id
        assert (ann.welcome["seat"], ann.welcome["role"]) == (table.seat("ann"), "player")
        assert (ann.welcome["durability"], ann.welcome["resumed"]) == ("fsync", False)
        assert ann.welcome["view"] == await table.view("ann")
        assert set(ann.welcome["view"]["channels"]) == set(ann.welcome["positions"]) == {"public"}
        assert set(gm.welcome["view"]["channels"]) == set(gm.welcome["positions"]) == {"public", "gm"}


async def test_who_says_nothing_is_closed_after_a_while(second: Server):
    async with Table(second, UNKNOWN_ROOM, "", {}).unwelcomed() as silent:
        assert (await silent.ended())[0] == 4500


@pytest.mark.parametrize(
    "hello",
    [
        {"type": "command", "n": 1, "command": {"type": "roll_dice", "pool": 1}},
        {"type": "hello", "v": 2, "token": "x"},
        {"type": "hello", "v": 1, "token": "x", "admin": True},
        {"type": "hello", "v": 1, "token": "x", "client": {"name": "x" * 10_000}},
        {"type": "hello", "v": 1, "token": "x", "session": "x" * 81},
        {},
        b"\x00",
    ],
)
async def test_a_first_frame_that_is_no_hello_closes(table: Table, hello: dict[str, object] | bytes):
    async with table.unwelcomed() as client:
        await client.send(hello)
        assert (await client.ended())[0] == 4500


async def test_unknown_rooms_and_wrong_tokens_are_told_the_same(table: Table):
    elsewhere = await open_table(table.server)
    attempts = [
        (UNKNOWN_ROOM, table.token("gm")),
        (table.id, table.token("gm") + "A"),
        (table.id, elsewhere.token("gm")),
        (table.id, hashlib.sha256(table.token("gm").encode()).hexdigest()),
        ("%7B" + table.id, table.token("gm")),
        ("no-room%00", table.token("gm")),
        ("x" * 3000, table.token("gm")),
    ]
    for room, token in attempts:
        async with Table(table.server, room, "", {}).unwelcomed() as client:
            await client.send({"type": "hello", "v": 1, "token": token})
            assert await client.ended() == NOBODY, room[:40]
            assert client.frames == []


async def test_expired_and_revoked_tokens_are_told_the_same(table: Table):
    expired = await table.invite("late", "player", expires_s=1)
    revoked = await table.invite("gone", "player")
    async with table.http("gm") as http:
        assert (await http.delete(table.path(f"/tokens/{revoked['token_id']}"))).status_code == 204

    async def has_expired() -> bool:
        async with table.http("late") as http:
            return (await http.get(table.path())).status_code == 401

    await until(has_expired)

    for token in (expired["token"], revoked["token"]):
        async with table.unwelcomed() as client:
            await client.send({"type": "hello", "v": 1, "token": token})
            assert await client.ended() == NOBODY


async def test_over_rest_they_are_all_told_the_same_to_the_byte(table: Table):
    revoked = await table.invite("gone", "player")
    async with table.http("gm") as http:
        await http.delete(table.path(f"/tokens/{revoked['token_id']}"))
    attempts = [
        (UNKNOWN_ROOM, f"Bearer {table.token('gm')}"),
        ("%7B" + table.id, f"Bearer {table.token('gm')}"),
        (table.id, f"Bearer {table.token('gm')}\xa0"),
        (table.id, f"Bearer {revoked['token']}"),
        (table.id, f"Basic {table.token('gm')}"),
        (table.id, "Bearer"),
        (table.id, "Bearer \xe9\xff"),
        (table.id, ""),
    ]
    calls = [("GET", ""), ("GET", "/log"), ("GET", "/tokens"), ("POST", "/commands"), ("DELETE", "")]
    answers = set()
    async with http_client(table.server) as http:
        for room, authorization in attempts:
            for method, path in calls:
                headers = [(b"Authorization", authorization.encode("latin-1"))]
                answer = await http.request(method, f"/api/rooms/{room}{path}", headers=headers, content=b"{}")
                answers.add((answer.status_code, answer.headers["content-type"], answer.content))

    assert len(answers) == 1
    ((status, kind, body),) = answers
    assert (status, kind) == (401, "application/problem+json")
    assert b'"unauthorised"' in body


async def test_a_second_hello_closes(table: Table):
    async with table.connected("ann") as ann:
        await ann.send({"type": "hello", "v": 1, "token": table.token("gm")})
        assert (await ann.ended())[0] == 4500


async def test_who_joins_while_others_roll_gets_every_record_from_then_on_once(table: Table):
    async with table.connected("gm") as gm:
        rolling = asyncio.create_task(roll_on(gm))
        for _ in range(20):
            async with table.connected("eve") as eve:
                assert eve.frames[0].startswith('{"type":"welcome"')
                while len(eve.records()) < 10:
                    await eve.next()
            since = eve.welcome["positions"]["public"]["seq"]
            assert [record["seq"] for record in eve.records()] == list(range(since + 1, since + 1 + len(eve.records())))
        rolling.cancel()


async def roll_on(client: RawClient) -> None:
    """Roll without pause, 16 at a time."""
    while True:
        numbers = [await client.order({"type": "roll_dice", "pool": 1}) for _ in range(16)]
        await client.reply(numbers[-1])


# Where websockets are served, and where not


@pytest.mark.parametrize("path", ["", "/more", "/../../else"])
async def test_a_websocket_elsewhere_is_turned_away(table: Table, path: str):
    address = table.server.websocket_url + (table.id + path if path else "")
    with pytest.raises(InvalidStatus) as error:
        async with raw_client(address):
            pass
    assert error.value.response.status_code == 403
