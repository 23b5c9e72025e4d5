"""What two readers of HTTP could understand differently is refused, and the connection closes."""

from typing import Any

import h11
import pytest

from dreadclock_server.gateway.uvicorn.strict_http import StrictConnection
from kit.links.intruder import intruder
from kit.servers.guarded import guarded

HEAD = b"POST / HTTP/1.1\r\nHost: h\r\n"
CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
OK, BAD = b"HTTP/1.1 200 ", b"HTTP/1.1 400 "


class Echo:
    """An application that notes what it was asked, and says nothing."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bytes]] = []
        self.scopes: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Take a whole request, and answer it."""
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.asked.append((scope["path"], body))
        self.scopes.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})


def read(said: bytes, at_once: int) -> None:
    connection = StrictConnection(h11.SERVER)
    for start in range(0, len(said), at_once):
        connection.receive_data(said[start : start + at_once])
        while connection.next_event() is not h11.NEED_DATA:
            pass


AMBIGUOUS = {
    "both lengths": HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
    "both, the other way round": HEAD + b"transfer-encoding: chunked\r\ncontent-length: 15\r\n\r\n" + CHUNKS,
    "bare LF throughout": b"GET / HTTP/1.1\nHost: h\n\n",
    "bare LF after the first line": b"GET / HTTP/1.1\nHost: h\r\n\r\n",
    "bare LF after a header": HEAD + b"Content-Length: 0\nX: y\r\n\r\n",
    "bare LF at the end": HEAD + b"Content-Length: 0\r\n\n",
    "bare LF, and no end": b"GET / HTTP/1.1\nHost: h",
    "a folded line": HEAD + b"X: y\r\n z\r\nContent-Length: 0\r\n\r\n",
    "a folded length": HEAD + b"Transfer-Encoding:\r\n\tchunked\r\n\r\n" + CHUNKS,
    "two lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "a length with a sign": HEAD + b"Content-Length: +5\r\n\r\nhello",
    "a length with a space in it": HEAD + b"Content-Length: 5 5\r\n\r\nhello",
    "a space before the colon": HEAD + b"Content-Length : 5\r\n\r\nhello",
    "an unknown encoding": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS,
    "two encodings": HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + CHUNKS,
    "CR in a value": HEAD + b"X: y\rContent-Length: 5\r\n\r\nhello",
}


async def test_an_ambiguous_request_is_refused_and_nothing_behind_it_is_read():
    app = Echo()
    async with guarded(app) as server, intruder(server.port) as attacker:
        attacker.send(AMBIGUOUS["both lengths"] + SMUGGLED)
        assert (await attacker.head()).startswith(BAD)
        assert await attacker.is_cut()
    assert app.asked == []


@pytest.mark.parametrize("at_once", [1, 1000], ids=["byte by byte", "at once"])
@pytest.mark.parametrize("said", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_each_ambiguous_request_is_an_error_of_the_protocol(said: bytes, at_once: int):
    with pytest.raises(h11.RemoteProtocolError):
        read(said, at_once)


async def test_an_ambiguous_request_behind_a_good_one_is_refused_after_the_answer():
    app = Echo()
    async with guarded(app) as server, intruder(server.port) as attacker:
        attacker.send(HEAD + b"Content-Length: 5\r\n\r\n\nworl" + AMBIGUOUS["a folded line"] + SMUGGLED)
        assert (await attacker.head()).startswith(OK)
        assert (await attacker.head()).startswith(BAD)
        assert await attacker.is_cut()
    assert app.asked == [("/", b"\nworl")]


async def test_bodies_of_either_kind_hold_what_they_like_and_the_connection_goes_on():
    app = Echo()
    async with guarded(app) as server, intruder(server.port) as client:
        client.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n4;ext=1\r\n\n\t\n \r\n0\r\n\r\n")
        client.send(HEAD + b"Content-Length: 4\r\n\r\n\n\n\t\n" + SMUGGLED)
        for _ in range(3):
            assert (await client.head()).startswith(OK)
    assert app.asked == [("/", b"\n\t\n "), ("/", b"\n\n\t\n"), ("/smuggled", b"")]


ABSOLUTE = {
    b"http://h:80/a%20b?c=d": (b"h:80", "/a b", b"c=d"),
    b"HTTPS://other.example/": (b"other.example", "/", b""),
    b"http://[::1]:7717?c": (b"[::1]:7717", "/", b"c"),
    b"http://h": (b"h", "/", b""),
    b"http://h/a@b/http://c/?/?": (b"h", "/a@b/http://c/", b"/?"),
}


@pytest.mark.parametrize(("target", "meant"), ABSOLUTE.items())
async def test_the_authority_of_an_absolute_target_replaces_the_host(target: bytes, meant: tuple[bytes, str, bytes]):
    app = Echo()
    async with guarded(app) as server, intruder(server.port) as client:
        for _ in range(2):
            client.send(b"GET " + target + b" HTTP/1.1\r\nX-A: 1\r\nHost: said\r\nX-B: 2\r\n\r\n")
            assert (await client.head()).startswith(OK)
    for scope in app.scopes:
        assert sorted(scope["headers"]) == [(b"host", meant[0]), (b"x-a", b"1"), (b"x-b", b"2")]
        assert (scope["path"], scope["query_string"], scope["scheme"]) == (*meant[1:], "http")


@pytest.mark.parametrize("target", [b"http://", b"http:///a", b"http://user@h/", b"http://h/#a", b"http://?a"])
async def test_an_absolute_target_that_names_no_host_or_more_is_refused(target: bytes):
    app = Echo()
    async with guarded(app) as server, intruder(server.port) as attacker:
        attacker.send(b"GET " + target + b" HTTP/1.1\r\nHost: h\r\n\r\n" + SMUGGLED)
        assert (await attacker.head()).startswith(BAD)
        assert await attacker.is_cut()
    assert app.asked == []
