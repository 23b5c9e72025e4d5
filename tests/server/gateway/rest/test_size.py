"""How large a room is and may be, as its gm is told; and one that is full."""

from dreadclock_server.settings.table import Settings
from kit.rooms import Table, http_client
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
LIMIT = (Settings().max_room_mib or 0) * 1024 * 1024


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


async def hid_more(table: Table, before: int) -> bool:
    return (await size_of(table))["hidden_bytes"] > before
