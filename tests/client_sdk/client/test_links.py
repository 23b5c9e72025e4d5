"""Links to a seat at a table."""

import pytest

from dreadclock.client.links import Link, parse_link, server_address

ROOM = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("link", "server", "websocket"),
    [
        ("http://127.0.0.1:7717/r/{}#to-ken_1", "http://127.0.0.1:7717", "ws://127.0.0.1:7717/ws/{}"),
        ("https://example.org/r/{}#to-ken_1", "https://example.org", "wss://example.org/ws/{}"),
        (
            "https://example.org/a/tables/r/{}#to-ken_1",
            "https://example.org/a/tables",
            "wss://example.org/a/tables/ws/{}",
        ),
        ("https://example.org/r/r/{}#to-ken_1", "https://example.org/r", "wss://example.org/r/ws/{}"),
        ("http://[::1]:7717/r/{}#to-ken_1", "http://[::1]:7717", "ws://[::1]:7717/ws/{}"),
    ],
)
def test_a_link_says_where_the_room_is_and_is_written_as_it_was_read(link: str, server: str, websocket: str) -> None:
    parsed = parse_link(link.format(ROOM))

    assert parsed == Link(server, ROOM, "to-ken_1")
    assert parsed.websocket == websocket.format(ROOM)
    assert str(parsed) == link.format(ROOM)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "r/abc",
        f"http://host/r/{ROOM}",
        f"http://host/r/{ROOM}#",
        f"http://host/{ROOM}#token",
        f"http://host/r/{ROOM}/more#token",
        f"http://host/r/{ROOM.upper()}#token",
        "http://host/r/short#token",
        f"http://host/r/{ROOM}#to ken",
        f"http://host/r/{ROOM}?x=1#token",
        f"ws://host/r/{ROOM}#token",
        f"http:///r/{ROOM}#token",
        f"/r/{ROOM}#token",
    ],
)
def test_what_is_no_link_is_refused(link: str) -> None:
    with pytest.raises(ValueError, match=r"link|room id|token|address"):
        parse_link(link)


def test_a_token_is_never_shown_by_accident() -> None:
    assert "secret" not in repr(Link("http://host", ROOM, "secret"))
    with pytest.raises(ValueError, match="token") as malformed:
        Link("http://host", ROOM, "secret token")
    assert "secret" not in str(malformed.value)


def test_a_servers_address_may_end_in_a_slash() -> None:
    assert server_address(" http://host:7717/ ") == "http://host:7717"
    assert server_address("https://host/tables/") == "https://host/tables"
