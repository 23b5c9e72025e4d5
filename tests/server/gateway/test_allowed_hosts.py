"""Who may call at all: the Host and the Origin of a request."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from dreadclock.wire.errors import KeyRefused
from dreadclock_server.gateway.middleware import pattern_of
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


# Pages elsewhere: which of them may connect and read what is answered, as browsers ask for it (CORS)


ONE, ANY, PORT = "https://vtt.example", "https://*.vtt.example", "https://*.vtt.example:8443"
ASKS = {"Origin": PAGES, "Access-Control-Request-Method": "POST"}
SENDS = "authorization,content-type,idempotency-key,last-event-id"


@pytest.mark.parametrize(
    ("allowed", "origin", "is_allowed"),
    [
        ([], ONE, False),
        ([], "null", False),
        ([ONE], ONE, True),
        ([ONE], "http://vtt.example", False),
        ([ONE], "https://vtt.example:443", False),  # browsers leave the usual port out
        ([ONE], "https://vtt.example:8443", False),
        ([ONE], "https://evil-vtt.example", False),
        ([ONE], "https://vtt.example.evil.example", False),
        ([ONE], "https://vttxexample", False),
        ([ONE], "https://vtt.example/", False),
        ([ONE], "https://a.vtt.example", False),
        ([ONE], "https://vtt.example https://evil.example", False),
        ([ONE], "null", False),
        ([ONE], "", False),
        ([ANY], "https://game-1.vtt.example", True),
        ([ANY], "https://a.b.vtt.example", True),
        ([ANY], "https://vtt.example", False),
        ([ANY], "https://.vtt.example", False),
        ([ANY], "https://evil-vtt.example", False),
        ([ANY], "https://evil.example/.vtt.example", False),
        ([ANY], "https://evil.example#.vtt.example", False),
        ([ANY], "https://evil@a.vtt.example", False),
        ([ANY], "http://a.vtt.example", False),
        ([ANY], "https://a.vtt.example:8443", False),
        ([ANY], "https://a.vtt.example\nhttps://evil.example", False),
        ([PORT], "https://a.vtt.example:8443", True),
        ([PORT], "https://a.vtt.example", False),
        ([PORT], "https://a.vtt.example:84430", False),
        ([ONE, ANY], ONE, True),
        ([ONE, ANY], "https://a.vtt.example", True),
        (["chrome-extension://abc"], "chrome-extension://abc", True),
        (["http://[::1]:8080"], "http://[::1]:8080", True),
    ],
)
def test_only_origins_that_are_named_or_under_a_star_are_allowed(allowed: list[str], origin: str, is_allowed: bool):
    assert (pattern_of(allowed).fullmatch(origin) is not None) == is_allowed


async def test_a_browser_learns_beforehand_what_an_allowed_page_may_send(second: Server):
    async with http_client(second) as http:
        answer = await http.request("OPTIONS", "/api/rooms", headers={**ASKS, "Access-Control-Request-Headers": SENDS})

    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, PAGES)
    assert set(answer.headers["access-control-allow-methods"].split(", ")) == {"GET", "POST", "DELETE"}
    assert "access-control-allow-credentials" not in answer.headers
    assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize(
    "asked",
    [
        {"Origin": "https://evil-pages.example"},
        {"Origin": "null"},
        {"Origin": f"{PAGES}:8443"},
        {"Access-Control-Request-Method": "PATCH"},
        {"Access-Control-Request-Headers": "cookie"},
    ],
    ids=str,
)
async def test_anything_else_is_refused_beforehand(second: Server, asked: dict[str, str]):
    async with http_client(second) as http:
        answer = await http.request("OPTIONS", "/api/rooms", headers={**ASKS, **asked})

    assert answer.status_code == 400
    assert answer.headers.get("access-control-allow-origin") in (None, asked.get("Origin", PAGES))


async def test_allowed_pages_read_answers_and_refusals_and_others_do_not(table: Table, second: Server):
    async with http_client(second, table.token("ann")) as http:
        for path, status in ((table.path(), 200), (table.path("/nothing"), 404), ("/assets/client/dreadclock.js", 200)):
            for origin, reads in ((PAGES, PAGES), ("https://evil.example", None)):
                answer = await http.get(path, headers={"Origin": origin})
                assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (status, reads)
                assert "Origin" in answer.headers["vary"]


async def test_where_no_page_elsewhere_is_allowed_nothing_is_said_of_origins(server: Server, table: Table):
    async with http_client(server, table.token("ann")) as http:
        assert (await http.request("OPTIONS", "/api/rooms", headers=ASKS)).status_code in (403, 405)
        answer = await http.get(table.path(), headers={"Origin": PAGES})
    assert "access-control-allow-origin" not in answer.headers
