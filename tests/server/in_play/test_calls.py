"""Tables in play over REST: what is opened, who may steer it, through which process, and how many there may be."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from redis.asyncio import Redis

from dreadclock_server.gateway.limits.rates import Rate
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.in_play import CAP_BYTES, ENDS_AFTER_MS
from dreadclock_server.store.keys import DEMO_ROOMS, META, key
from kit.knocks import knock_at, seated
from kit.rooms import Table, http_client
from kit.server import Server, running_server
from kit.waiting import until

OPEN = "/api/rooms/in-play"
HURRIED = """
from dreadclock_server.in_play import pace, shows
pace.CHARACTERS_A_SECOND, pace.BREATH_S, pace.LOOK_AGAIN_S, shows.UNWATCHED_FOR_S = 10_000, 0.01, 0.1, 1
shows.LOOK_EVERY_S = 0.2
"""
PLAYED_ON = """
from dreadclock_server.in_play import shows
shows.UNWATCHED_FOR_S, shows.Pace = 3, lambda patience_s, waits, pace=shows.Pace: pace(600, waits=waits)
"""


async def asked(server: Server, address: str | None, **body: Any) -> httpx.Response:
    """Ask for a table; from an address, as a proxy tells of it."""
    async with http_client(server) as http:
        return await http.post(OPEN, json=body, headers={"X-Forwarded-For": address} if address else {})


async def opened(server: Server, address: str | None = None, **body: Any) -> dict[str, Any]:
    answer = await asked(server, address, **body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def act(server: Server, room: dict[str, Any], wish: str, seat: str = "gm") -> dict[str, Any]:
    async with http_client(server, room[seat]["token"]) as http:
        found: dict[str, Any] = (await http.post(f"/api/rooms/{room['room_id']}/in-play", json={"act": wish})).json()
    return found


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def no_places_taken(server: Server) -> None:
    """Forget the tables of other tests."""
    async with Redis.from_url(server.store_url) as store:
        await store.delete(DEMO_ROOMS)


@pytest_asyncio.fixture(loop_scope="session")
async def narrow(server: Server, tmp_path: Path) -> AsyncIterator[Server]:
    """A process at which one table may play at a time, and an address may open three a minute."""
    environment = {"DREADCLOCK_TABLES_IN_PLAY": "1", "DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_IN_PLAY": "3/min:3"}
    async with running_server(tmp_path / "data", store=server.store_url, environment=environment) as narrow:
        yield narrow


@pytest_asyncio.fixture(loop_scope="session")
async def keyed(server: Server, tmp_path: Path) -> AsyncIterator[Server]:
    """A process at which opening a room takes a key, and four tables may play at a time, one of an address."""
    environment = {"DREADCLOCK_OPERATOR_KEY": "an operator's own key", "DREADCLOCK_TABLES_IN_PLAY": "4"}
    async with running_server(tmp_path / "keyed", store=server.store_url, environment=environment) as keyed:
        yield keyed


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def roomy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A process like `keyed` for all tests of this module, at which many tables may play."""
    environment = {"DREADCLOCK_OPERATOR_KEY": "an operator's own key", "DREADCLOCK_TABLES_IN_PLAY": "64"}
    data = tmp_path_factory.mktemp("roomy") / "data"
    async with running_server(data, store=server.store_url, environment=environment) as roomy:
        yield roomy


@pytest_asyncio.fixture(loop_scope="session")
async def without(server: Server, tmp_path: Path) -> AsyncIterator[Server]:
    """A process at which none may play."""
    environment = {"DREADCLOCK_TABLES_IN_PLAY": "0"}
    async with running_server(tmp_path / "without", store=server.store_url, environment=environment) as without:
        yield without


async def test_a_story_is_steered_through_any_process_until_it_is_taken_over(server: Server, second: Server):
    room = await opened(server, language="de")
    assert (await act(second, room, "pause"))["state"] == "paused"
    assert (await act(server, room, "watch"))["state"] == "paused"
    assert (await act(second, room, "faster"))["fast"] is True
    assert (await act(server, room, "next"))["state"] == "paused"
    assert (await act(second, room, "go_on"))["state"] == "playing"

    assert (await act(second, room, "take_over")).items() >= {"state": "stopped", "fast": False}.items()
    assert (await act(server, room, "watch"))["state"] == "stopped"
    async with http_client(server, room["gm"]["token"]) as http:
        path = f"/api/rooms/{room['room_id']}"
        started = await http.post(f"{path}/commands", json={"type": "start_clock", "name": "Ours", "size": 4})
        assert started.status_code == 200


async def test_only_its_gm_steers_it_and_another_room_has_no_story(server: Server, table: Table):
    room = await opened(server)
    for seat in ("player", "spectator"):
        assert (await act(server, room, "take_over", seat))["code"] == "not_allowed"
    assert (await act(server, room, "burn"))["code"] == "bad_request"
    async with http_client(server) as http:
        assert (await http.post(f"/api/rooms/{room['room_id']}/in-play", json={"act": "pause"})).status_code == 401
        assert (await http.post(OPEN, json={"language": "xx"})).status_code == 422
    assert (await act(server, room, "pause"))["state"] == "paused"
    async with table.http("gm") as http:
        assert (await http.post(table.path("/in-play"), json={"act": "take_over"})).json()["state"] == "stopped"
    await act(server, room, "take_over")


async def test_so_many_play_at_a_time_and_so_many_are_opened_from_an_address(narrow: Server):
    first = await opened(narrow)
    async with http_client(narrow) as http:
        full = await http.post(OPEN, json={})
        assert (full.status_code, full.json()["code"]) == (429, "rate_limited")
        await act(narrow, first, "take_over")
        await opened(narrow)
        often = await http.post(OPEN, json={})
    assert (often.status_code, often.headers["Retry-After"] != "60") == (429, True)


async def test_a_server_may_have_none_and_at_its_end_a_room_stays(narrow: Server, without: Server, server: Server):
    async with http_client(without) as http:
        assert (await http.post(OPEN, json={})).status_code in (404, 405)
    room = await opened(narrow)
    await narrow.stop()

    assert (await act(server, room, "watch"))["state"] == "stopped"
    async with http_client(server, room["gm"]["token"]) as http:
        assert (await http.get(f"/api/rooms/{room['room_id']}")).status_code == 200


async def test_a_table_that_nobody_watches_is_removed_and_one_that_was_taken_over_stays(narrow: Server):
    await narrow.stop()
    narrow.prelude = HURRIED
    await narrow.start()
    kept = await opened(narrow)
    await act(narrow, kept, "take_over")
    left = await opened(narrow)

    await until(lambda: answers(narrow, left, 401), 30)
    assert await answers(narrow, kept, 200)


async def test_any_process_removes_what_a_killed_one_played_if_unused(keyed: Server, narrow: Server, server: Server):
    for process, prelude in ((narrow, HURRIED), (keyed, PLAYED_ON)):
        await process.stop()
        process.prelude = prelude
    await keyed.start()
    left, taken, watched = [await opened(keyed, f"10.3.0.{number}") for number in range(3)]
    await act(keyed, taken, "take_over")
    async with Table(server, watched["room_id"], "", {"eve": watched["spectator"]}).connected("eve"):
        await keyed.kill()
        await narrow.start()

        await until(lambda: answers(server, left, 401), 30)
        assert [await answers(server, room, 200) for room in (watched, taken)] == [True, True]
    await until(lambda: answers(server, watched, 401), 30)
    assert await answers(server, taken, 200)


async def test_an_address_takes_a_part_of_the_places_and_a_deleted_room_takes_none(keyed: Server, server: Server):
    async def status(address: str) -> int:
        return (await asked(keyed, address)).status_code

    first = await opened(keyed, "2001:db8:1:2::7")
    assert await status("2001:db8:1:2::8") == 429
    assert await status("2001:db8:1:3::1") == 201
    assert await status("2001:db8:1:4::1") == 429, "a network of 48 bits has twice as much"
    assert await status("10.4.0.1") == 201

    for number in range(4):
        await act(keyed, first, "take_over")
        if number < 3:
            first = await opened(keyed, "2001:db8:1:2::7")
    assert await status("2001:db8:1:2::7") == 429, "four lie about"
    async with http_client(server, first["gm"]["token"]) as http:
        path = f"/api/rooms/{first['room_id']}"
        title = (await http.get(path)).json()["channels"]["public"]["title"]
        assert (await http.delete(path, params={"confirm": title})).status_code == 204
    assert await status("2001:db8:1:2::7") == 201


async def table_of(server: Server, room: dict[str, Any]) -> Table:
    """Give a table in play as any other room."""
    async with http_client(server, room["gm"]["token"]) as http:
        title = (await http.get(f"/api/rooms/{room['room_id']}")).json()["channels"]["public"]["title"]
    return Table(server, room["room_id"], title, {"gm": room["gm"], "ann": room["player"], "eve": room["spectator"]})


async def limit_of(table: Table) -> int:
    async with table.http("gm") as http:
        size: dict[str, int] = (await http.get(table.path("/size"))).json()
    return size["limit_bytes"]


async def invited(table: Table, number: int) -> list[int]:
    """Invite so many at once, half of them to a seat that is there, and return what was answered."""
    async with table.http("gm") as http:
        bodies = [{"role": "player"} if each % 2 else {"role": "gm", "seat_id": "gm"} for each in range(number)]
        invites = [http.post(table.path("/invites"), json=body) for body in bodies]
        return sorted(answer.status_code for answer in await asyncio.gather(*invites))


async def test_with_a_key_a_table_taken_over_stays_small_and_without_one_it_does_not(roomy: Server, server: Server):
    small, ordinary = [await table_of(each, await opened(each)) for each in (roomy, server)]
    stopped = []
    for table in (small, ordinary):
        assert await limit_of(table) == CAP_BYTES
        stopped.append(await act(table.server, {"room_id": table.id, "gm": table.grants["gm"]}, "take_over"))

    assert "ends_at" not in stopped[1]
    assert stopped[0]["ends_at"] == pytest.approx(now_ms() + ENDS_AFTER_MS, abs=120_000)
    assert (await limit_of(small), await limit_of(ordinary)) == (CAP_BYTES, 128 * 1024 * 1024)
    assert await invited(ordinary, 10) == [201] * 10
    assert await invited(small, 10) == [201] * 4 + [409] * 6
    async with Redis.from_url(server.store_url) as store:
        assert await store.hexists(DEMO_ROOMS, small.id)
        assert not await store.hexists(DEMO_ROOMS, ordinary.id)


async def test_the_operator_makes_no_link_beyond_the_most(roomy: Server):
    table = await table_of(roomy, await opened(roomy))
    async with http_client(roomy, "an operator's own key") as http:
        made = [(await http.post(table.path("/gm-link"))).status_code for _ in range(5)]

    assert made == [201] * 4 + [409]


async def test_an_invitation_that_is_refused_leaves_no_seat_behind(roomy: Server):
    table = await table_of(roomy, await opened(roomy))
    async with table.http("gm") as http:
        before = len((await http.get(table.path())).json()["channels"]["public"]["seats"])
        invites = [http.post(table.path("/invites"), json={"role": "player"}) for _ in range(10)]
        answers = [answer.status_code for answer in await asyncio.gather(*invites)]
        after = len((await http.get(table.path())).json()["channels"]["public"]["seats"])

    assert sorted(answers) == [201] * 4 + [409] * 6
    assert after == before + 4


async def test_who_knocks_gets_no_link_beyond_the_most(roomy: Server):
    table = await table_of(roomy, await opened(roomy))
    knockers = [await knock_at(roomy, table.id, f"Ines {number}") for number in range(5)]
    for ines in knockers:
        await seated(table, ines)

    assert [(await ines.ask()).status_code for ines in knockers] == [200] * 4 + [409]
    assert await invited(table, 1) == [409]
    async with table.http("gm") as http:
        listed = (await http.get(table.path("/tokens"))).json()
        assert len(listed) == 7
        assert (await http.delete(table.path(f"/tokens/{listed[-1]['token_id']}"))).status_code == 204
    assert (await knockers[4].state())["state"] == "seated"


async def test_when_there_is_no_memory_left_for_it_a_table_takes_no_commands_and_goes_on_being_read(roomy: Server):
    table = await table_of(roomy, await opened(roomy))
    await act(roomy, {"room_id": table.id, "gm": table.grants["gm"]}, "take_over")
    async with Redis.from_url(roomy.store_url) as store, table.connected("gm") as gm:
        await store.hset(DEMO_ROOMS, "another", '{"bytes":1e12,"plays":0,"who":{}}')
        await store.hset(key(table.id, META), "held", await store.hget(key(table.id, META), "granted"))
        refused = await gm.do({"type": "roll_dice", "pool": 2})
        assert refused["code"] == "too_many"
        assert " KiB of events (all demo rooms share a small space)" in refused["sentence"]
        assert len(await table.log("eve")) > 0
        await store.hdel(DEMO_ROOMS, "another")
        assert (await gm.do({"type": "roll_dice", "pool": 2}))["type"] == "ack"


def test_all_seats_of_a_table_in_play_have_5_commands_a_second_together():
    assert Settings().rates.demo_room == Rate(often=5, every_s=1, burst=10)


@pytest_asyncio.fixture(loop_scope="session")
async def strict(server: Server, tmp_path: Path) -> AsyncIterator[Server]:
    """A process at which a table in play takes three commands a minute, and its story hurries."""
    environment = {"DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_DEMO_ROOM": "1/min:3"}
    prelude = HURRIED + "shows.UNWATCHED_FOR_S = 600"
    data = tmp_path / "strict"
    async with running_server(data, store=server.store_url, environment=environment, prelude=prelude) as strict:
        yield strict


async def test_all_seats_of_a_table_in_play_share_a_rate_which_its_story_does_not_use(strict: Server):
    room = await opened(strict)
    table = await table_of(strict, room)
    roll = {"type": "roll_dice", "pool": 1}
    async with table.connected("gm") as gm, table.connected("ann") as ann:
        replies = [await each.do(roll) for each in (gm, ann, gm)]
        async with table.http("ann") as http:
            refused = await http.post(table.path("/commands"), json=roll)
    assert [reply["type"] for reply in replies] == ["ack"] * 3
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")

    async def is_over() -> bool:
        return bool((await act(strict, room, "watch"))["state"] == "over")

    await until(is_over, 60)
    await act(strict, room, "take_over")
    async with table.http("gm") as http:
        for _ in range(4):
            assert (await http.post(table.path("/commands"), json=roll)).status_code == 200, "it is an ordinary room"


async def test_a_process_that_does_not_answer_is_unavailable_and_its_table_is_not_kept(narrow: Server, server: Server):
    room = await opened(narrow)
    table = await table_of(server, room)
    os.kill(narrow.pid, signal.SIGSTOP)
    try:
        async with http_client(server, room["gm"]["token"]) as http:
            answer = await http.post(f"/api/rooms/{room['room_id']}/in-play", json={"act": "take_over"})
    finally:
        os.kill(narrow.pid, signal.SIGCONT)

    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "1")
    assert (
        answer.json()["detail"]
        == "The server that tells this story does not answer: nothing was changed, send it again."
    )
    assert await limit_of(table) == CAP_BYTES, "it is no ordinary room"


async def answers(server: Server, room: dict[str, Any], status: int) -> bool:
    async with http_client(server, room["gm"]["token"]) as http:
        return (await http.get(f"/api/rooms/{room['room_id']}")).status_code == status
