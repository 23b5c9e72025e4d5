"""uvicorn's HTTP protocol within limits: how many may come in, and how long a request may take."""

import socket
import sys
from contextlib import AsyncExitStack
from typing import Any

import h11
import pytest

from dreadclock_server.gateway.limits.caps import Caps, ConnectionLimiter, address_of
from dreadclock_server.gateway.limits.rates import Rate
from dreadclock_server.gateway.uvicorn.http_protocol import MOST_AFTERWARDS, MOST_LINGERING
from dreadclock_server.gateway.uvicorn.strict_http import StrictConnection
from kit.links.intruder import PING, frame, intruder
from kit.servers.guarded import guarded
from kit.waiting import until

SOON_S = 0.1
WAIT_S = 2.0  # longer than who is too hasty has to wait
ELSEWHERE = "127.0.0.2"  # on Linux, all of 127.0.0.0/8 is this machine; 127.0.0.1 may be a proxy
GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="one address of its own is all that this system has")


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """Answer requests, and hold websockets open."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"G",
        GET[:-2],
        b"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
        b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n1234",
    ],
    ids=["nothing", "a letter", "half a request", "half a handshake", "half a body"],
)
async def test_who_does_not_finish_a_request_is_cut(said: bytes):
    async with guarded(hello, within_s=SOON_S) as server, intruder(server.port) as slow, intruder(server.port) as other:
        assert await other.ask("/") == b"HTTP/1.1 101 Switching Protocols"
        slow.send(said)
        assert await slow.is_cut()
        other.send(frame(b"?", PING))
        assert (await other.next())[1] == b"?"


@linux
async def test_a_machine_that_is_gone_is_not_waited_for_longer_than_a_pong():
    async with guarded(hello) as server, intruder(server.port) as one:
        assert await one.ask("/") == b"HTTP/1.1 101 Switching Protocols"
        (protocol,) = server.sockets
        tcp = protocol.transport.get_extra_info("socket")
        assert tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 40_000


async def test_half_a_second_request_is_cut_as_well():
    async with guarded(hello, within_s=SOON_S) as server, intruder(server.port) as slow:
        for _ in range(2):
            slow.send(GET)
            assert (await slow.head()).startswith(b"HTTP/1.1 200 ")
        slow.send(GET[:-2])
        assert await slow.is_cut()


async def test_more_than_there_may_be_in_all_are_told_so_and_the_others_stay():
    async with guarded(hello, Caps(in_all=2)) as server, intruder(server.port) as first, AsyncExitStack() as stack:
        assert await first.ask("/") == b"HTTP/1.1 101 Switching Protocols"
        second = await stack.enter_async_context(intruder(server.port))
        async with intruder(server.port) as third:
            answer = await third.head()
            assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert b"Retry-After: " in answer
            third.send(GET)
            assert await third.is_cut()
        await stack.aclose()
        await until(lambda: server.connections == 1)
        async with intruder(server.port) as fourth:
            fourth.send(GET)
            assert (await fourth.head()).startswith(b"HTTP/1.1 200 ")
        first.send(frame(b"?", PING))
        assert (await first.next())[1] == b"?"
        del second


async def test_who_is_turned_away_does_not_stay():
    async with guarded(hello, Caps(in_all=1)) as server, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(intruder(server.port)) for _ in range(MOST_LINGERING + 20)]
        assert await crowd[-1].is_cut()
        await until(lambda: server.connections == 1)


@linux
async def test_an_address_has_its_own_cap_but_not_that_of_a_proxy():
    async with guarded(hello, Caps(per_address=3)) as server, AsyncExitStack() as stack:
        for host in [ELSEWHERE] * 3 + ["127.0.0.3"] + ["127.0.0.1"] * 5:
            each = await stack.enter_async_context(intruder(server.port, as_host=host))
            assert await each.ask("/") == b"HTTP/1.1 101 Switching Protocols"
        one_more = await stack.enter_async_context(intruder(server.port, as_host=ELSEWHERE))
        assert await one_more.ask("/") == b"HTTP/1.1 429 Too Many Requests"


@linux
async def test_a_proxy_of_ipv4_speaks_for_others_on_a_socket_of_ipv6_too():
    async def say_who_calls(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"caller", scope["client"][0].encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body"})

    asking = b"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.66, 192.0.2.7\r\n\r\n"
    async with guarded(say_who_calls, Caps(per_address=1), as_ipv6=True) as server, AsyncExitStack() as stack:
        for host, known_as in (
            ("127.0.0.1", "192.0.2.7"),
            ("127.0.0.1", "192.0.2.7"),
            (ELSEWHERE, f"::ffff:{ELSEWHERE}"),
        ):
            each = await stack.enter_async_context(intruder(server.port, as_host=host))
            each.send(asking)
            assert f"\r\ncaller: {known_as}\r\n".encode() in await each.head()
        one_more = await stack.enter_async_context(intruder(server.port, as_host=ELSEWHERE))
        assert await one_more.ask("/") == b"HTTP/1.1 429 Too Many Requests"


@linux
async def test_requests_of_an_address_beyond_its_pace_wait_their_turn_and_no_others():
    async with (
        guarded(hello, pace=Rate(often=1, every_s=1000, burst=3)) as server,
        intruder(server.port, as_host=ELSEWHERE) as hasty,
        intruder(server.port) as proxy,
    ):
        hasty.send(GET * 5)
        proxy.send(GET * 5)
        for peer, answers in ((hasty, 3), (proxy, 5)):
            for _ in range(answers):
                assert (await peer.head()).startswith(b"HTTP/1.1 200 ")
        proxy.send(GET)
        assert (await proxy.head()).startswith(b"HTTP/1.1 200 ")
        assert hasty.has_nothing_to_read


@linux
async def test_who_waited_is_answered():
    pace = Rate(often=20, every_s=1, burst=1)
    async with guarded(hello, pace=pace) as server, intruder(server.port, as_host=ELSEWHERE) as hasty:
        hasty.send(GET * 3)
        for _ in range(3):
            assert (await hasty.head()).startswith(b"HTTP/1.1 200 ")
        assert await hasty.ask("/") == b"HTTP/1.1 101 Switching Protocols"


@linux
async def test_a_request_counts_once_however_it_comes():
    async with (
        guarded(hello, pace=Rate(often=1, every_s=1000, burst=3)) as server,
        intruder(server.port, as_host=ELSEWHERE) as hasty,
        intruder(server.port) as proxy,
    ):
        for pieces in ([GET], [GET[:5], GET[5:9], GET[9:]], [GET]):
            for piece in pieces:
                hasty.send(piece)
                proxy.send(GET)
                assert (await proxy.head()).startswith(b"HTTP/1.1 200 ")
            assert (await hasty.head()).startswith(b"HTTP/1.1 200 ")
        hasty.send(GET)
        proxy.send(GET)
        assert (await proxy.head()).startswith(b"HTTP/1.1 200 ")
        assert hasty.has_nothing_to_read


@linux
async def test_a_websocket_that_had_to_wait_stays():
    async with (
        guarded(hello, within_s=WAIT_S, pace=Rate(often=20, every_s=1, burst=1)) as server,
        intruder(server.port, as_host=ELSEWHERE) as hasty,
    ):
        hasty.send(GET)
        assert (await hasty.head()).startswith(b"HTTP/1.1 200 ")
        assert await hasty.ask("/") == b"HTTP/1.1 101 Switching Protocols"
        async with intruder(server.port, as_host=ELSEWHERE) as silent:  # whose time ends later
            assert await silent.is_cut()
        hasty.send(frame(b"?", PING))
        assert (await hasty.next())[1] == b"?"


async def early(scope: Any, receive: Any, send: Any) -> None:
    """Answer without a look at the body."""
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


async def test_a_body_that_was_answered_is_not_read_to_its_end():
    async with guarded(early, within_s=60.0) as server, intruder(server.port) as peer:
        peer.send(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n")
        assert (await peer.head()).startswith(b"HTTP/1.1 403 ")
        peer.send(b"x" * MOST_AFTERWARDS * 8)
        assert await peer.is_cut()


async def test_a_short_rest_of_a_body_that_was_answered_does_no_harm():
    async with guarded(early) as server, intruder(server.port) as peer:
        for _ in range(2):
            peer.send(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n")
            assert (await peer.head()).startswith(b"HTTP/1.1 403 ")
            peer.send(b"x" * 9)


async def test_who_takes_nothing_of_an_answer_is_cut():
    async def pour(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * (1 << 23), "more_body": True})
        await send({"type": "http.response.body"})

    async with guarded(pour, taken_s=SOON_S) as server, intruder(server.port, small=True) as peer:
        peer.send(GET)
        await until(lambda: server.connections == 1)
        await until(lambda: server.connections == 0)


def test_who_leaves_makes_room():
    limiter = ConnectionLimiter(Caps(in_all=3, per_address=2))
    assert [limiter.enter("192.0.2.1") for _ in range(3)] == [None, None, 429]
    assert [limiter.enter("192.0.2.2"), limiter.enter("192.0.2.2")] == [None, 503]
    limiter.leave("192.0.2.1")
    limiter.leave("192.0.2.2")
    assert [limiter.enter("192.0.2.3"), limiter.enter("192.0.2.1"), limiter.in_all] == [None, None, 3]


def test_networks_of_ipv6_that_may_be_one_households_share_four_times_what_an_address_has():
    limiter = ConnectionLimiter(Caps(per_address=2))
    assert [limiter.enter(f"2001:db8:1:{each}::1") for each in "abcdef012"] == [None] * 8 + [429]
    assert [limiter.enter("2001:db8:2:a::1") for _ in range(3)] == [None, None, 429]
    assert limiter.enter("2001:db8:1:2::1", exempt=True) is None
    for each in "ab2":
        limiter.leave(f"2001:db8:1:{each}::1")
    assert [limiter.enter(host) for host in ("2001:db8:1:c::2", "2001:db8:1:c::3", "192.0.2.1")] == [None, 429, None]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::7", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ("[2001:db8:1:2::7]:5678", "2001:db8:1:2::"),
        ("a:b", ""),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(host: str, address: str):
    assert address_of(host) == address


# What two readers of HTTP could understand differently is refused, and the connection closes


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
