"""Who may call at all: the Host and the Origin of a request."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from dreadclock.wire.errors import KeyRefused
from kit.raw import raw_client
from kit.rooms import Table, http_client
from kit.server import Server

PAGES = "https://pages.example"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:7717", "[::1]", "[::1]:7717"])
async def test_its_own_names_are_answered(server: Server, host: str):
    async with http_client(server) as http:
        assert (await http.get("/healthz", headers={"Host": host})).text == "ok\n"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "localhost.", "tables.example"]
)
async def test_other_names_are_not_answered_on_any_path(server: Server, table: Table, host: str):
    async with http_client(server, table.token("gm")) as http:
        for method, path in (("GET", "/healthz"), ("POST", "/api/rooms"), ("GET", table.path()), ("GET", "/no/page")):
            answer = await http.request(method, path, headers={"Host": host}, content=b'{"title":"Mine"}')
            assert answer.status_code == 421
            assert "DREADCLOCK_ALLOWED_HOSTS" in answer.text
    with pytest.raises(InvalidStatus) as refused:
        async with raw_client(f"ws://{host}/ws/{table.id}", host="127.0.0.1", port=server.port):
            pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"], [""]])
async def test_none_and_two_are_not_answered(server: Server, hosts: list[str]):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = ["GET /healthz HTTP/1.1", *(f"Host: {host}" for host in hosts), "Connection: close", "", ""]
    writer.write("\r\n".join(lines).encode())
    assert (await reader.readline()).split()[1] in (b"400", b"421")
    writer.close()
    await writer.wait_closed()


async def answered(server: Server, target: str, host: str, *more: str) -> list[str]:
    """Send a request with a target as it is given, and return the lines of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write("\r\n".join([f"{target} HTTP/1.1", f"Host: {host}", *more, "", ""]).encode())
    lines = (await reader.read()).decode().split("\r\n")
    writer.close()
    await writer.wait_closed()
    return lines


async def test_an_absolute_target_names_the_server_and_the_host_header_does_not(server: Server, table: Table):
    own, evil, leaves = f"localhost:{server.port}", "evil.example", "Connection: close"
    assert (await answered(server, f"GET http://{own}/healthz", evil, leaves))[0].split()[1] == "200"
    assert (await answered(server, f"GET http://{evil}/healthz", own, leaves))[0].split()[1] == "421"
    invite = f"POST http://{own}{table.path('/invites')}"
    given = [f"Authorization: Bearer {table.token('gm')}", "Content-Length: 17", leaves, "", '{"role":"player"}']
    assert f'"link":"http://{own}/r/{table.id}#' in (await answered(server, invite, "127.0.0.1", *given))[-1]
    upgrade = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
    for name, status in ((own, "101"), (evil, "403")):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        lines = [
            f"GET http://{name}/ws/{table.id} HTTP/1.1",
            "Host: 127.0.0.1",
            "Connection: Upgrade",
            *upgrade,
            "",
            "",
        ]
        writer.write("\r\n".join(lines).encode())
        assert (await reader.readline()).decode().split()[1] == status
        writer.close()
        await writer.wait_closed()


async def test_an_operator_allows_further_names(second: Server):
    async with http_client(second) as http:
        assert (await http.get("/healthz", headers={"Host": "tables.example"})).status_code == 200
        assert (await http.get("/healthz", headers={"Host": "evil.example"})).status_code == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "file://", PAGES])
async def test_a_page_elsewhere_neither_opens_rooms_nor_websockets(table: Table, origin: str):
    async with table.http("gm") as http:
        for method, path in (("POST", "/api/rooms"), ("POST", table.path("/commands")), ("DELETE", table.path())):
            answer = await http.request(method, path, headers={"Origin": origin}, content=b'{"title":"Mine"}')
            assert answer.status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        async with table.unwelcomed(origin=origin):
            pass
    assert refused.value.response.status_code == 403


async def test_its_own_pages_do_both(table: Table):
    own = table.server.url
    async with table.http("gm") as http, table.unwelcomed(origin=own) as client:
        answer = await http.post(
            table.path("/commands"), headers={"Origin": own}, json={"type": "roll_dice", "pool": 1}
        )
        assert answer.status_code == 200
        assert (await client.hello(table.token("ann")))["seat"] == table.seat("ann")


async def test_an_operator_allows_further_pages(table: Table, second: Server):
    async with table.unwelcomed(second, origin=PAGES) as client:
        assert (await client.hello(table.token("ann")))["seat"] == table.seat("ann")


async def test_beyond_the_loopback_opening_a_room_takes_the_operators_key(second: Server, operator_key: str):
    body = {"title": "The Sunken Chapel"}
    async with http_client(second) as http:
        for authorization in ("", "Bearer nothing", f"Basic {operator_key}", "Bearer \xe9"):
            answer = await http.post(
                "/api/rooms", json=body, headers=[(b"Authorization", authorization.encode("latin-1"))]
            )
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthorised")
            assert answer.json()["detail"] == KeyRefused().sentence
        answer = await http.post("/api/rooms", json=body, headers={"Authorization": f"Bearer {operator_key}"})
    assert answer.status_code == 201
    gm, room = answer.json()["gm"], answer.json()["room_id"]
    assert gm["link"] == f"https://tables.example/play/r/{room}#{gm['token']}"
