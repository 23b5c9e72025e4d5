"""Under an ASGI server that offers no more than the standard, everything goes by way of `send`."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import httpx
import pytest
import uvicorn
from hypercorn.asyncio import serve
from hypercorn.config import Config

from dreadclock_server.app import Application, create_app
from dreadclock_server.rooms import broadcast
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.preflight import connect
from kit.raw import raw_client
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import listening_socket
from kit.waiting import until
from server.gateway.ws.test_slow_readers import SLOW_CONSUMER, make_noise, small_socket

ROLL = {"type": "roll_dice", "pool": 1}
Host = Callable[[Application, socket.socket], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def under_uvicorn(app: Application, listener: socket.socket) -> AsyncIterator[None]:
    """Serve under uvicorn's own websocket protocol."""
    server = uvicorn.Server(uvicorn.Config(app.asgi, ws="websockets-sansio", lifespan="on", log_config=None))
    serving = asyncio.create_task(server._serve([listener]))
    await until(lambda: server.started)
    yield
    server.should_exit = True
    await serving


@asynccontextmanager
async def under_hypercorn(app: Application, listener: socket.socket) -> AsyncIterator[None]:
    """Serve under hypercorn."""
    config, over = Config(), asyncio.Event()
    config.bind = [f"fd://{os.dup(listener.fileno())}"]  # which it closes
    serving = asyncio.create_task(serve(cast(Any, app.asgi), config, shutdown_trigger=over.wait))
    yield
    over.set()
    await serving


@pytest.fixture(
    params=[
        under_uvicorn,
        pytest.param(under_hypercorn, marks=pytest.mark.filterwarnings("ignore")),  # of its own
    ]
)
async def plain(request: pytest.FixtureRequest, server: Server) -> AsyncIterator[Table]:
    """A room on a server in this process, on the Valkey of the first one."""
    host: Host = request.param
    store = await connect(server.store_url)
    app = create_app(store, Settings(max_connections_per_address=3, limits=False))
    with listening_socket() as listener:
        async with host(app, listener):
            here = Server(server.data)
            here.port = listener.getsockname()[1]
            here.url = f"http://127.0.0.1:{here.port}"
            yield await open_table(here)
    await store.aclose()


async def test_frames_come_in_order_and_a_close_after_them(plain: Table):
    async with plain.connected("ann") as ann, plain.connected("gm") as gm:
        for n in range(1, 4):
            assert (await ann.do(ROLL))["n"] == n
        assert len(ann.records()) == 3
        await gm.do({"type": "remove_seat", "seat_id": plain.seat("ann")})
        assert await ann.ended() == (4502, "this seat is gone")
        assert ann.records()[-1]["event"]["type"] == "seat_removed"
        assert gm.texts() == ann.texts()


async def test_a_frame_that_is_none_closes(plain: Table):
    async with plain.connected("ann") as ann, plain.connected("ben") as ben:
        await ann.send("no frame")
        assert (await ann.ended())[0] == 4500
        assert (await ben.do(ROLL))["type"] == "ack"


async def test_a_slow_reader_is_told_to_come_back_and_then_gets_all_that_it_missed(plain: Table):
    address = plain.server.websocket_url + plain.id
    async with plain.connected("gm") as gm, raw_client(address, sock=small_socket(plain.server.port)) as eve:
        await eve.hello(plain.token("eve"))
        await eve.expect("presence", here={"gm": 1, plain.seat("eve"): 1})
        positions = eve.positions()
        eve.socket.transport.pause_reading()
        for turn in range(12):
            await make_noise(gm, turn)
        eve.socket.transport.resume_reading()
        assert (await eve.ended())[0] == SLOW_CONSUMER
    async with plain.connected("eve", positions=positions) as back:
        await back.expect("presence")
        assert back.texts() == gm.texts()


async def test_who_comes_while_a_crowd_waits_gets_everything_once(plain: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(broadcast, "CROWD", 1)
    monkeypatch.setattr(broadcast, "PACE_S", 1000.0)
    monkeypatch.setattr(broadcast, "LONGEST_PACE_S", 1000.0)
    async with plain.connected("ann") as ann:
        await ann.do(ROLL)
        waiting = await ann.order(ROLL)
        async with plain.http("ann") as http:  # it is stored now, and ann waits for a second one
            await until(lambda: rolls_seen(http, plain, 2))
        async with plain.connected("eve") as eve:
            assert (await ann.reply(waiting))["type"] == "ack"
            last = [await ann.order(ROLL), await ann.order(ROLL)][-1]
            await ann.reply(last)
            while len(eve.records()) < 2:
                await eve.next()

            assert eve.texts() == ann.texts()[2:]
            assert eve.records()[0]["seq"] == eve.welcome["positions"]["public"]["seq"] + 1


async def rolls_seen(http: httpx.AsyncClient, table: Table, count: int) -> bool:
    """Tell whether the log holds so many rolls."""
    return (await http.get(table.path("/log"))).text.count("dice_rolled") >= count


async def test_one_connection_too_many_is_turned_away(plain: Table):
    async with plain.connected("ann"), plain.connected("ben"), plain.connected("gm") as gm:
        with pytest.raises(Exception, match=r"429|403"):
            async with plain.unwelcomed():
                pass
        assert (await gm.do(ROLL))["type"] == "ack"


async def test_who_hangs_up_is_forgotten(plain: Table):
    async with plain.connected("gm") as gm:
        async with plain.connected("ann"):
            await gm.expect("presence", here={"gm": 1, plain.seat("ann"): 1})
        await gm.expect("presence", here={"gm": 1})
