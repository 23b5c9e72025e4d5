"""`dreadclock open`, and what it asks a server."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dreadclock.cli import main
from dreadclock.cli import open_ as opening
from dreadclock.client.links import is_this_machine
from dreadclock.client.rest import import_room, open_room
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import Grant, Problem, RoomOpening
from dreadclock_server.gateway.rest.addresses import own_addresses
from kit.server import free_port
from kit.servers.http_server import HttpServer
from kit.table import ROOM

GRANT = Grant(seat_id="gm", token_id="abc", token="fresh", link=f"http://host/r/{ROOM}#fresh")
OPENING = RoomOpening(room_id=ROOM, gm=GRANT)
REFUSED = Problem(
    type="urn:x", title="x", status=401, detail=Refused(Code.UNAUTHORISED).sentence, code=Code.UNAUTHORISED
).model_dump_json()
NO_KEY = (
    "Opening a room on this server takes the operator's key: set DREADCLOCK_OPERATOR_KEY (or --operator-key). If a "
    "server with --lan runs on this machine, name its data folder with --data."
)
Captured = pytest.CaptureFixture[str]


@pytest.fixture
async def server() -> AsyncIterator[HttpServer]:
    async with HttpServer() as server:
        server.answers.append((201, OPENING.model_dump_json()))
        yield server


async def run(*arguments: str) -> int:
    """Run the command beside the server, which answers in the test's own loop."""
    return await asyncio.to_thread(main, ["open", *arguments])


async def test_a_room_is_opened_and_its_gms_link_is_printed(server: HttpServer, capsys: Captured) -> None:
    assert await run(f"{server.url}/", "The chapel") == 0

    assert capsys.readouterr() == (f"http://host/r/{ROOM}#fresh\n", "")
    (request,) = server.asked
    assert (request.method, request.target) == ("POST", "/api/rooms")
    assert "authorization" not in request.headers
    assert json.loads(request.body)["title"] == "The chapel"


async def test_the_default_address_is_a_servers(server: HttpServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch):
    assert opening.SERVER == "http://127.0.0.1:7717"
    monkeypatch.setattr(opening, "SERVER", server.url)

    assert await run("The chapel", "--json") == 0
    assert json.loads(capsys.readouterr().out) == OPENING.model_dump(exclude_none=True)


async def test_the_operators_key_is_an_option_or_a_variable(server: HttpServer, monkeypatch: pytest.MonkeyPatch):
    server.answers.append(server.answers[0])
    monkeypatch.setenv("DREADCLOCK_OPERATOR_KEY", "from outside")

    await run(server.url, "The chapel")
    await run(server.url, "The chapel", "--operator-key", "given")

    assert [asked.headers["authorization"] for asked in server.asked] == ["Bearer from outside", "Bearer given"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["http://127.0.0.1:7717"], "TITLE: the room's title goes after the server's address."),
        (["The chapel", "https://host"], "TITLE: the room's title goes after the server's address."),
        (["http://host", "The", "chapel"], "TITLE: write a title of several words in quotes."),
        (["The", "chapel"], "URL: 'The' is no server's address: it starts with http:// or https:// and a host."),
    ],
)
def test_what_is_no_address_and_title_is_one_sentence(arguments: list[str], sentence: str, capsys: Captured) -> None:
    assert main(["open", *arguments]) == 2
    assert capsys.readouterr() == ("", f"Invalid value for {sentence}\n")


@pytest.mark.parametrize(
    ("key", "sentence"),
    [("", NO_KEY), (" ", NO_KEY), ("wrong", "The operator's key is not the one of this server.")],
    ids=["none", "blank", "wrong"],
)
async def test_a_key_that_is_missing_or_wrong_is_told_as_such(
    server: HttpServer, key: str, sentence: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers[0] = (401, REFUSED)
    monkeypatch.setenv("DREADCLOCK_OPERATOR_KEY", key)

    assert await run(server.url, "The chapel") == 1
    assert capsys.readouterr() == ("", f"{sentence}\n")


async def test_a_kept_key_that_is_wrong_names_its_file(server: HttpServer, tmp_path: Path, capsys: Captured) -> None:
    server.answers[0] = (401, REFUSED)
    file = tmp_path / "operator-key"
    file.write_text("the key of another server\n")

    assert await run(server.url, "The chapel", "--data", str(tmp_path)) == 1
    assert server.asked[0].headers["authorization"] == "Bearer the key of another server"
    assert f"The operator's key in {file} is not the one of this server" in capsys.readouterr().err


async def test_a_kept_key_goes_through_no_proxy(server: HttpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The server that answers here is the proxy; where the room is to be opened, nobody listens."""
    (tmp_path / "operator-key").write_text("the key of this server\n")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, server.url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    for host in ("127.0.0.1", "localhost", *own_addresses(socket.AF_INET)[:1]):
        assert await run(f"http://{host}:1", "The chapel", "--data", str(tmp_path)) == 1
    assert server.asked == []


@pytest.mark.parametrize("address", ["192.0.2.1", "[2001:db8::1]", "example.invalid", "0.0.0.0"])
def test_an_address_of_another_machine_gets_no_kept_key(address: str) -> None:
    assert not is_this_machine(f"http://{address}:7717")


def test_loopback_addresses_and_those_of_interfaces_are_this_machine() -> None:
    for address in ("127.0.0.1", "[::1]", "localhost", *own_addresses(socket.AF_INET)):
        assert is_this_machine(f"http://{address}:7717")


@pytest.mark.parametrize("key", [None, "wrong"])
async def test_the_python_client_speaks_of_the_key_and_not_of_a_token(server: HttpServer, key: str | None) -> None:
    server.answers.clear()
    server.answers.extend([(401, REFUSED)] * 2)
    sentence = "This server opens rooms with its operator's key only, and the key is missing or wrong."

    for opened in (open_room(server.url, "The chapel", operator_key=key), import_room(server.url, b"", None, key)):
        with pytest.raises(Refused) as caught:
            await opened
        assert (caught.value.code, str(caught.value)) == (Code.UNAUTHORISED, sentence)


def test_a_key_that_no_server_has_is_one_sentence(capsys: Captured) -> None:
    assert main(["open", "http://127.0.0.1:1", "The chapel", "--operator-key", "hüsh"]) == 2
    assert capsys.readouterr().err.endswith(": a key is made of ASCII characters.\n")


def test_where_no_server_listens_by_itself_one_is_told_how_to_run_it(capsys: Captured, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opening, "SERVER", f"http://127.0.0.1:{free_port()}")

    assert main(["open", "The chapel"]) == 1
    assert capsys.readouterr().err == (
        f"No server answers at {opening.SERVER}. Is it running (make run)? "
        "On another port: dreadclock open http://127.0.0.1:8000 TITLE.\n"
    )


async def test_what_is_no_problem_is_told_in_the_servers_words(server: HttpServer, capsys: Captured) -> None:
    server.answers[0] = (421, "Not by\nthat name: ask for another.\n")

    assert await run(server.url, "The chapel") == 1
    assert capsys.readouterr().err == f"{server.url}/api/rooms answered 421: Not by that name: ask for another.\n"


def test_a_title_that_no_room_may_have_is_refused(capsys: Captured) -> None:
    assert main(["open", "http://127.0.0.1:1", "x" * 65]) == 1
    assert capsys.readouterr().err.startswith("Refused: That is no request the server understands: title")
