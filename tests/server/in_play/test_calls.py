"""Tables in play over REST: what is opened, who may steer it, through which process, and how many there may be."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from kit.rooms import Table, http_client
from kit.server import Server, running_server
from kit.waiting import until

OPEN = "/api/rooms/in-play"
HURRIED = """
from dreadclock_server.in_play import pace, shows
pace.CHARACTERS_A_SECOND, pace.BREATH_S, pace.LOOK_AGAIN_S, shows.UNWATCHED_FOR_S = 10_000, 0.01, 0.1, 1
"""


async def opened(server: Server, **body: Any) -> dict[str, Any]:
    async with http_client(server) as http:
        answer = await http.post(OPEN, json=body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def act(server: Server, room: dict[str, Any], wish: str, seat: str = "gm") -> dict[str, Any]:
    async with http_client(server, room[seat]["token"]) as http:
        found: dict[str, Any] = (await http.post(f"/api/rooms/{room['room_id']}/in-play", json={"act": wish})).json()
    return found


@pytest_asyncio.fixture(loop_scope="session")
async def narrow(server: Server, tmp_path: Path) -> AsyncIterator[Server]:
    """A process at which one table may play at a time, and an address may open three a minute."""
    environment = {"DREADCLOCK_TABLES_IN_PLAY": "1", "DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_IN_PLAY": "3/min:3"}
    async with running_server(tmp_path / "data", store=server.store_url, environment=environment) as narrow:
        yield narrow


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

    assert await act(second, room, "take_over") == {"state": "stopped", "fast": False}
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


async def test_a_server_may_have_none_and_one_that_ends_leaves_an_ordinary_room(
    narrow: Server, without: Server, server: Server
):
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


async def answers(server: Server, room: dict[str, Any], status: int) -> bool:
    async with http_client(server, room["gm"]["token"]) as http:
        return (await http.get(f"/api/rooms/{room['room_id']}")).status_code == status
