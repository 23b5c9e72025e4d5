"""Pages elsewhere: which of them may connect and read what is answered, as browsers ask for it (CORS)."""

import pytest

from dreadclock_server.gateway.middleware import pattern_of
from kit.rooms import Table, http_client
from kit.server import Server

PAGES = "https://pages.example"
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
