"""A room whose log is damaged in the store: whoever asks for it is told so, and other rooms go on."""

from typing import Any

from redis.asyncio import Redis

from dreadclock.wire.errors import CloseCode
from dreadclock_server.app import create_app
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import LOG, key
from dreadclock_server.store.preflight import connect
from kit.raw import raw_client
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.guarded import guarded

WHY = "What is stored of this room is damaged, and whoever runs the server must look at it"


async def test_who_asks_for_a_damaged_room_is_told_what_is_wrong(table: Table, server: Server):
    other = await open_table(server)
    store = await connect(server.store_url)
    async with Redis.from_url(server.store_url) as admin:
        rows: Any = await admin.xrange(key(table.id, LOG))
        await admin.xdel(key(table.id, LOG), rows[1][0])
    app = create_app(store, Settings())  # which has not loaded it yet
    await app.rooms.start()
    async with guarded(app.asgi) as node, raw_client(f"ws://127.0.0.1:{node.port}/ws/{table.id}") as ann:
        await ann.send({"type": "hello", "v": 1, "token": table.token("ann")})
        assert await ann.ended() == (CloseCode.RESTART, "the room's log is damaged: come back")
        asked = {}
        for each in (table, other):
            async with each.http("gm") as http:
                asked[each.id] = await http.get(f"http://127.0.0.1:{node.port}{each.path()}")
        assert asked[other.id].status_code == 200
        assert asked[table.id].status_code == 503
        assert asked[table.id].json()["details"] == {"why": WHY}
    await app.hubs.aclose()
    await app.rooms.aclose()
    await store.aclose()
