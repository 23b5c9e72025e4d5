"""Revoked, expired, removed, deleted: what no longer opens the room closes, here and on every other process."""

import asyncio
import json
from typing import Any

import pytest
from redis.asyncio import Redis

from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import StoreUnavailable
from dreadclock_server.store.valkey import ValkeyStore
from kit.links.intruder import CLOSE, frame, intruder
from kit.raw import parsed
from kit.rooms import Table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until

REVOKED, DELETED = 4502, 4503


@pytest.fixture
def on_both(server: Server, second: Server) -> tuple[Server, Server]:
    return server, second


async def test_a_revoked_token_closes_its_connections_and_no_others(table: Table, on_both: tuple[Server, Server]):
    here, there = on_both
    another = await table.invite("ann's phone", "player", seat_id=table.seat("ann"))
    async with (
        table.connected("ann", here) as ann_here,
        table.connected("ann", there) as ann_there,
        table.connected("ann's phone", there) as phone,
        table.http("gm") as http,
    ):
        assert (await http.delete(table.path(f"/tokens/{table.grants['ann']['token_id']}"))).status_code == 204
        async with asyncio.timeout(2):
            assert await ann_here.ended() == (REVOKED, "this token was revoked")
        async with asyncio.timeout(4):
            assert await ann_there.ended() == (REVOKED, "this token was revoked")
        assert (await phone.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"

        assert (await http.delete(table.path(f"/tokens/{table.grants['ann']['token_id']}"))).status_code == 404
        left = [row["token_id"] for row in (await http.get(table.path("/tokens"))).json()]
        assert another["token_id"] in left
        assert table.grants["ann"]["token_id"] not in left


async def test_a_token_that_expires_closes_its_connections(table: Table):
    await table.invite("late", "player", expires_s=1)
    async with table.connected("late") as late:
        assert await late.ended() == (REVOKED, "this token has expired")


@pytest.mark.parametrize("command", [{"type": "remove_seat", "seat_id": "ann's"}, {"type": "leave_seat"}])
async def test_a_removed_seat_is_disconnected(table: Table, on_both: tuple[Server, Server], command: dict[str, str]):
    here, there = on_both
    if "seat_id" in command:
        command = {**command, "seat_id": table.seat("ann")}
    async with (
        table.connected("ann", here) as ann_here,
        table.connected("ann", there) as ann_there,
        table.connected("gm" if "seat_id" in command else "ann", here) as sender,
    ):
        await sender.order(command)
        for ann in (ann_here, ann_there):
            assert await ann.ended() == (REVOKED, "this seat is gone")
            assert [record["event"]["type"] for record in ann.records()] == ["seat_removed"]
    async with table.unwelcomed() as ann:
        await ann.send({"type": "hello", "v": 1, "token": table.token("ann")})
        assert (await ann.ended())[0] == 4501


async def test_all_that_was_taken_from_a_seat_that_is_gone_is_answered(table: Table):
    commands = [{"type": "leave_seat"}, {"type": "roll_dice", "pool": 1}, {"type": "leave_seat"}]
    orders = [{"type": "command", "n": n, "command": command} for n, command in enumerate(commands, 1)]
    async with intruder(table.server.port) as ann:
        assert await ann.ask(f"/ws/{table.id}") == b"HTTP/1.1 101 Switching Protocols"
        ann.send(frame(json.dumps({"type": "hello", "v": 1, "token": table.token("ann")}).encode()))
        await ann.next()
        ann.send(b"".join(frame(json.dumps(order).encode()) for order in orders))  # taken all at once
        heard = []
        while (said := await ann.next())[0] != CLOSE:
            heard.append(parsed(said[1].decode()))
    replies = [(each["type"], each["n"], each.get("code")) for each in heard if "n" in each]
    assert replies == [("ack", 1, None), ("refused", 2, "not_allowed"), ("refused", 3, "not_allowed")]
    assert said[1] == REVOKED.to_bytes(2) + b"this seat is gone"


async def test_a_deleted_room_closes_all_its_connections_everywhere(table: Table, on_both: tuple[Server, Server]):
    here, there = on_both
    async with table.connected("ann", here) as ann, table.connected("gm", there) as gm, table.http("gm") as http:
        for confirm in ({}, {"confirm": ""}, {"confirm": table.title.lower()}):
            assert (await http.delete(table.path(), params=confirm)).status_code == 422
        assert (await ann.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"

        assert (await http.delete(table.path(), params={"confirm": table.title})).status_code == 204
        assert (await ann.ended())[0] == DELETED
        assert (await gm.ended())[0] == DELETED
        assert (await http.get(table.path())).status_code == 401


async def test_a_deleted_room_leaves_nothing_in_the_store(table: Table, on_both: tuple[Server, Server]):
    here, there = on_both
    async with Redis.from_url(table.server.store_url) as store:

        async def left() -> bool:
            return await store.keys(f"*{table.id}*") != []

        async def nothing_left() -> bool:
            return not await left()

        async with table.connected("ann", here) as ann, table.connected("gm", there) as gm, table.http("gm") as http:
            await gm.expect("presence", here={"gm": 1, table.seat("ann"): 1})
            assert await left()
            await http.delete(table.path(), params={"confirm": table.title})
            await ann.ended()
            await gm.ended()
        await until(nothing_left)


class Revoking:
    """A store in which a token is gone once it has been asked for."""

    def __init__(self, store: ValkeyStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def token(self, room: str, token_hash: str) -> str | None:
        """Give what is stored for a token, and delete it."""
        found = await self._store.token(room, token_hash)
        await self._store.delete_token(room, token_hash)
        return found


async def test_a_token_that_is_revoked_while_its_connection_is_on_its_way_in_closes_it(table: Table):
    async with in_process(table.server, Settings(), Revoking) as (_, here), table.connected("ann", here) as ann:
        assert await ann.ended() == (REVOKED, "this token was revoked")


class Faltering:
    """A store that cannot be asked for tokens the first few times."""

    def __init__(self, store: ValkeyStore, errors: list[Exception]) -> None:
        self._store, self._errors = store, errors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def tokens(self, room: str) -> dict[str, str]:
        """Give all tokens of a room, or fail."""
        if self._errors:
            raise self._errors.pop()
        return await self._store.tokens(room)


async def test_a_revoked_token_closes_its_connections_though_the_store_falters_when_asked(table: Table):
    errors = [StoreUnavailable("down"), ValueError("an answer that nobody expects")]
    async with (
        in_process(table.server, Settings(), lambda store: Faltering(store, errors)) as (_, here),
        table.connected("ann", here) as ann,
        table.http("gm") as http,
    ):
        await http.delete(table.path(f"/tokens/{table.grants['ann']['token_id']}"))
        assert await ann.ended() == (REVOKED, "this token was revoked")
        assert not errors
