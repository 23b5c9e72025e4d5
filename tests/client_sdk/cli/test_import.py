"""`dreadclock import`: what it asks a server, and what it says to the gm."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dreadclock.cli import main
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.events import SeatJoined
from dreadclock.wire.rest import Grant, RoomOpening
from dreadclock.wire.things import Seat
from kit.servers.http_server import HttpServer
from kit.table import ROOM, Log

GRANT = Grant(seat_id="gm", token_id="abc", token="fresh", link=f"http://host/r/{ROOM}#fresh")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(b"what was exported\n")
    return file


@pytest.fixture
async def server() -> AsyncIterator[HttpServer]:
    log = Log(Channel.PUBLIC)
    for seat in (Seat(id="gm", role=Role.GM, name="Gm"), Seat(id="player-1", role=Role.PLAYER, name="Ines")):
        log.write(SeatJoined(seat=seat))
    async with HttpServer() as server:
        server.answers.append((201, RoomOpening(room_id=ROOM, gm=GRANT).model_dump_json()))
        server.answers.append((200, log.view.model_dump_json()))
        yield server


async def run(*arguments: str) -> int:
    """Run the command beside the server, which answers in the test's own loop."""
    return await asyncio.to_thread(main, ["import", *arguments])


async def test_an_export_is_sent_and_links_are_told_of(server: HttpServer, file: Path, capsys: Captured):
    assert await run(str(file), server.url) == 0

    out, err = capsys.readouterr()
    assert out == f"http://host/r/{ROOM}#fresh\n"
    assert err == "Ines needs a new link: dreadclock invite GM_LINK --role player --seat player-1\n"
    imported, viewed = server.asked
    assert (imported.method, imported.target, imported.body) == ("POST", "/api/rooms/import", "what was exported\n")
    assert imported.headers["content-type"] == "application/jsonl"
    assert viewed.headers["authorization"] == "Bearer fresh"


async def test_the_title_and_the_operators_key_go_along(server: HttpServer, file: Path) -> None:
    await run(str(file), server.url, "--title", "Tide & Thorn", "--operator-key", "sesame")

    assert server.asked[0].target == "/api/rooms/import?title=Tide+%26+Thorn"
    assert server.asked[0].headers["authorization"] == "Bearer sesame"


async def test_a_file_that_is_not_there_is_said(tmp_path: Path, capsys: Captured) -> None:
    assert await run(str(tmp_path / "none.jsonl")) == 2

    assert "cannot be read: No such file or directory" in capsys.readouterr().err
