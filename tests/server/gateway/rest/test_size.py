"""How large a room is and may be, as its gm is told; and one that is full."""

from redis.asyncio import Redis

from dreadclock.narration import Narrator
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.keys import META, key
from kit.rooms import Table, http_client
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024


async def grown(table: Table, log_bytes: int) -> None:
    """Let a room's log have so many bytes."""
    async with Redis.from_url(table.server.store_url) as store:
        await store.hset(key(table.id, META), "public", str(log_bytes))


async def size_of(table: Table) -> dict[str, int]:
    async with table.http("gm") as http:
        answer = await http.get(table.path("/size"))
    assert answer.status_code == 200
    found: dict[str, int] = answer.json()
    return found


async def test_the_gm_is_told_how_large_a_room_is_and_may_be(table: Table):
    before = (await size_of(table))["bytes"]
    async with table.connected("ann") as ann:
        await ann.do(ROLL)

    size = await size_of(table)
    hidden = size["hidden_bytes"]
    assert size == {
        "bytes": size["bytes"],
        "limit_bytes": LIMIT,
        "hidden_bytes": hidden,
        "hidden_limit_bytes": LIMIT // 4,
    }
    assert 500 < size["bytes"] - before < 5000
    async with table.connected("gm") as gm:
        await gm.do({"type": "start_countdown", "name": "Trap", "pool": 3, "visibility": "gm"})
    await until(lambda: hid_more(table, hidden))


async def test_nobody_else_is_told(table: Table):
    async with table.http("ann") as http:
        assert (await http.get(table.path("/size"))).json()["code"] == "not_allowed"
    async with http_client(table.server) as http:
        assert (await http.get(table.path("/size"))).status_code == 401


async def test_a_full_room_refuses_with_a_sentence_and_can_be_read_and_saved_and_deleted(table: Table):
    async with table.connected("ann") as ann:
        assert (await ann.do(ROLL))["type"] == "ack"
        await grown(table, LIMIT)
        await until(lambda: is_known(table, LIMIT))
        refused = await ann.do(ROLL)
        again = await ann.do(ROLL)

        assert (refused["type"], refused["code"], again["code"]) == ("refused", "too_many", "too_many")
        assert refused["sentence"].startswith(
            "The room already has 120 MiB of events, all of which its gm can save, the"
        )
        told = Narrator("de").refusal(refused["code"], refused["details"], refused["sentence"])
        assert told.startswith(
            "Der Raum hat schon 120 MiB an Ereignissen, die die Spielleitung alle sichern kann; mehr"
        )
        assert again["n"] == refused["n"] + 1
    async with table.http("gm") as http:
        answer = await http.post(table.path("/commands"), json=ROLL)
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many")
    await table.view("eve")
    assert len(await table.log("gm")) > 0
    async with table.http("gm") as http:
        assert (await http.delete(table.path(), params={"confirm": table.title})).status_code == 204


async def hid_more(table: Table, before: int) -> bool:
    return (await size_of(table))["hidden_bytes"] > before


async def is_known(table: Table, log_bytes: int) -> bool:
    return (await size_of(table))["bytes"] == log_bytes
