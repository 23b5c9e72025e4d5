"""`dreadclock invite`, and what it asks a server."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from dreadclock.cli import main
from dreadclock.cli.qr import MARGIN, drawn
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import Grant, Problem
from kit.servers.http_server import HttpServer
from kit.table import ROOM

GRANT = Grant(seat_id="player-4", token_id="abc", token="fresh", link=f"http://host/r/{ROOM}#fresh")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
async def server() -> AsyncIterator[HttpServer]:
    async with HttpServer() as server:
        server.answers.append((201, GRANT.model_dump_json()))
        yield server


async def invite(server: HttpServer, *options: str) -> int:
    """Run the command beside the server, which answers in the test's own loop."""
    return await asyncio.to_thread(main, ["invite", f"{server.url}/r/{ROOM}#token", *options])


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ([], {"role": "player"}),
        (["--role", "spectator", "--name", "Ines"], {"role": "spectator", "name": "Ines"}),
        (
            ["--role", "integration", "--scope", "turns", "--scope", "secrets"],
            {"role": "integration", "scopes": ["turns", "secrets"]},
        ),
        (["--role", "gm", "--seat", "gm"], {"role": "gm", "seat_id": "gm"}),
    ],
)
async def test_the_link_is_printed(server: HttpServer, capsys: Captured, options: list[str], asked: dict[str, object]):
    assert await invite(server, *options) == 0

    assert capsys.readouterr() == (f"http://host/r/{ROOM}#fresh\n", "")
    (request,) = server.asked
    assert (request.method, request.target) == ("POST", f"/api/rooms/{ROOM}/invites")
    assert request.headers["authorization"] == "Bearer token"
    assert json.loads(request.body) == {"scopes": [], **asked}


async def test_json_says_which_seat_it_is(server: HttpServer, capsys: Captured) -> None:
    assert await invite(server, "--json") == 0

    assert json.loads(capsys.readouterr().out) == GRANT.model_dump(exclude_none=True)


async def test_a_qr_code_is_drawn_under_the_link(server: HttpServer, capsys: Captured) -> None:
    server.answers[0] = (201, GRANT.model_copy(update={"qr": ("110", "100", "001")}).model_dump_json())

    assert await invite(server, "--qr") == 0

    link, *drawing = capsys.readouterr().out.splitlines()
    assert link == GRANT.link
    assert drawing == ["█" * 11, "█" * 11, "████ ▄█████", "██████▄████", "█" * 11, "█" * 11]
    assert json.loads(server.asked[0].body) == {"role": "player", "scopes": [], "qr": True}


async def test_with_json_the_qr_code_is_its_rows(server: HttpServer, capsys: Captured) -> None:
    with_qr = GRANT.model_copy(update={"qr": ("10", "01")})
    server.answers[0] = (201, with_qr.model_dump_json())

    assert await invite(server, "--qr", "--json") == 0

    assert json.loads(capsys.readouterr().out) == json.loads(with_qr.model_dump_json())


async def test_a_link_that_is_too_long_for_a_qr_code_is_told_so(server: HttpServer, capsys: Captured) -> None:
    assert await invite(server, "--qr") == 0

    assert capsys.readouterr() == (f"{GRANT.link}\n", "The link is too long for a QR code.\n")


async def test_a_refusal_is_a_sentence_and_status_1(server: HttpServer, capsys: Captured) -> None:
    refused = Refused(Code.NOT_ALLOWED, allowed="the gm")
    problem = Problem(
        type="urn:x", title="x", status=403, detail=refused.sentence, code=refused.code, details=refused.details
    )
    server.answers[0] = (403, problem.model_dump_json())

    assert await invite(server) == 1
    assert capsys.readouterr() == ("", "Refused: Only the gm may do that.\n")


def test_a_link_that_is_none_and_a_role_that_is_none_are_one_sentence(capsys: Captured) -> None:
    assert main(["invite", "http://host/r/none"]) == 2
    assert main(["invite", f"http://host/r/{ROOM}#token", "--role", "ghost"]) == 2

    no_link, no_role = capsys.readouterr().err.splitlines()
    assert no_link == "Invalid value for GM_LINK: a link to a room looks like http://host:port/r/ROOM#TOKEN."
    assert no_role == "Invalid value for '--role': 'ghost' is not one of 'gm', 'player', 'spectator', 'integration'."


@pytest.mark.parametrize("time", ["", "0h", "2", "h", "400d", "1.5h", "-1h"])
def test_a_time_that_is_none_or_too_long_is_one_sentence(time: str, capsys: Captured) -> None:
    assert main(["invite", f"http://127.0.0.1:1/r/{ROOM}#token", f"--expires={time}"]) == 2
    assert "write a time of at most a year" in capsys.readouterr().err


# QR codes in a terminal


MODULES = {"█": "00", "▀": "01", "▄": "10", " ": "11"}


@pytest.mark.parametrize("size", [21, 37, 40])
def test_a_drawing_shows_every_module_inside_its_margin(size: int) -> None:
    rows = [f"{(row * 2_654_435_761) % 2**size:0{size}b}" for row in range(size)]

    lines = drawn(rows)

    shown = ["".join(MODULES[half][part] for half in line) for line in lines for part in (0, 1)]
    width = size + 2 * MARGIN
    assert {len(line) for line in lines} == {width}
    assert [row[MARGIN:-MARGIN] for row in shown[MARGIN : MARGIN + size]] == rows
    margin = shown[:MARGIN] + shown[MARGIN + size :]
    assert set(margin) == {"0" * width}
    assert len(margin) == 2 * MARGIN + size % 2
    assert {row[:MARGIN] + row[-MARGIN:] for row in shown} == {"0" * 2 * MARGIN}
