"""A server killed with -9 around a roll, a real process with its Valkey: the roll sent again shows the same faces.

`DREADCLOCK_KILLS` says how often; twice unless it is set.
"""

import os
from collections import Counter
from random import Random

from redis import Redis

from dreadclock.rules.ledger import token_chain
from dreadclock.wire.base import Faces, Role
from dreadclock.wire.records import room_bytes
from dreadclock_server.core.draft import Actor
from dreadclock_server.store.keys import LOG, key
from dreadclock_server.store.preflight import connect
from kit.dice.slots import DiceRoom, Fields, Roller
from kit.raw import Frame, RawClient
from kit.rooms import Table, open_table
from kit.server import Server

KILLS = int(os.environ.get("DREADCLOCK_KILLS", "2"))
LONGEST = 60  # answers of its Valkey to wait for before a kill; some 3 ms
POOL = 12


class Moment:
    """Chooses when a server is killed: some answers of its Valkey after a command was sent, or at the append."""

    def __init__(self, table: Table, chance: Random) -> None:
        self._table, self._chance = table, chance

    async def kill_after(self, client: RawClient, order: Fields, n: int) -> None:
        """Send a command, and kill the server over it."""
        with_valkey, at_append = self._chance.random() < 0.5, self._chance.random() < 0.5
        with Redis.from_url(self._table.server.store_url) as valkey:
            entries = self._entries(valkey)
            await client.order(order, n)
            if at_append:
                while self._entries(valkey) == entries:
                    pass
            else:
                for _ in range(self._chance.randrange(LONGEST)):
                    valkey.ping()
            await self._table.server.kill(with_valkey=with_valkey)

    def _entries(self, valkey: "Redis") -> int:
        length = valkey.xlen(key(self._table.id, LOG))
        assert isinstance(length, int)
        return length


async def test_a_server_killed_over_a_roll_does_not_change_its_faces(mortal: Server, figures: list[str]):
    table, chance, count = await open_table(mortal), Random(3), Counter[str]()
    ann, bo = roller(table, "ann", 1), roller(table, "ben", 2)
    session = await lanes_opened(table, ann, bo)
    for n in range(1, KILLS + 1):
        faces = await fixed(table, ann, bo, n)
        async with table.connected("ann", session=session) as client:
            await Moment(table, chance).kill_after(client, ann.roll(n, POOL), n + 1)
        await mortal.start()
        kept = await shown(table, ann, bo, n)
        async with table.connected("ben") as client:
            assert (await client.do(bo.roll(n)))["type"] == "ack"
        reply = await sent_again(table, session, ann.roll(n, POOL), n + 1)

        assert reply["type"] == "ack"
        assert kept in ([], [faces])
        assert await shown(table, ann, bo, n) == [faces]
        count["rolled already" if kept else "the slot still free"] += 1
    figures.append(f"dice: {KILLS} kills around a roll, no face changed: {dict(count)}")


def roller(table: Table, name: str, secret: int) -> Roller:
    """Return a player with tokens of her own."""
    return Roller(Actor(table.seat(name), Role.PLAYER), token_chain(room_bytes(table.id), bytes([secret]) * 32))


async def lanes_opened(table: Table, ann: Roller, bo: Roller) -> str:
    """Open both lanes, and return Ann's session."""
    async with table.connected("ben") as client:
        assert (await client.do(bo.opening))["type"] == "ack"
    async with table.connected("ann") as client:
        assert (await client.do(ann.opening))["type"] == "ack"
        return str(client.welcome["session"])


async def sent_again(table: Table, session: str, order: Fields, n: int) -> Frame:
    """Come back with the same session, and send a command again under its number."""
    async with table.connected("ann", session=session) as client:
        return await client.do(order, n)


async def fixed(table: Table, ann: Roller, bo: Roller, n: int) -> Faces:
    """Work out Ann's next roll from the room's secret and log."""
    store = await connect(table.server.store_url)
    faces = await DiceRoom(store, table.id, ann, bo).fixed(ann, n, POOL)
    await store.aclose()
    return faces


async def shown(table: Table, ann: Roller, bo: Roller, n: int) -> list[Faces]:
    """Return the faces that Ann's slot shows in the store."""
    store = await connect(table.server.store_url)
    faces = await DiceRoom(store, table.id, ann, bo).shown(ann, n)
    await store.aclose()
    return faces
