"""A room whose log is damaged in the store: whoever asks for it is told so, and other rooms go on."""

from typing import Any

from redis.asyncio import Redis

from dreadclock.wire.errors import CloseCode
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import LOG, key
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import in_process

WHY = "What is stored of this room is damaged, and whoever runs the server must look at it"


async def test_who_asks_for_a_damaged_room_is_told_what_is_wrong(table: Table, server: Server):
    other = await open_table(server)
    async with Redis.from_url(server.store_url) as admin:
        rows: Any = await admin.xrange(key(table.id, LOG))
        await admin.xdel(key(table.id, LOG), rows[1][0])
    async with in_process(server, Settings()) as (_, here), table.unwelcomed(here) as ann:  # which has not loaded it
        await ann.send({"type": "hello", "v": 1, "token": table.token("ann")})
        assert await ann.ended() == (CloseCode.RESTART, "the room's log is damaged: come back")
        asked = {}
        for each in (table, other):
            async with each.http("gm", here) as http:
                asked[each.id] = await http.get(each.path())
        assert asked[other.id].status_code == 200
        assert asked[table.id].status_code == 503
        assert asked[table.id].json()["details"] == {"why": WHY}
