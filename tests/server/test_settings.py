"""What an operator can set by environment."""

import pytest

from dreadclock_server.gateway.caps import Caps
from dreadclock_server.settings import BadSetting, from_environment


def test_names_are_split_at_commas_and_the_loopback_stays_allowed():
    settings = from_environment({"DREADCLOCK_ALLOWED_HOSTS": "tables.example, other.example,"})

    assert settings.allowed_hosts == ("127.0.0.1", "localhost", "::1", "tables.example", "other.example")


def test_what_is_not_set_has_its_default():
    assert from_environment({}).hello_within_s == 5


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        ("", ()),
        ("none", ()),
        (" None ", ()),
        ("https://vtt.example", ("https://vtt.example",)),
        (
            "https://*.vtt.example, HTTP://localhost:8443,",
            ("https://*.vtt.example", "HTTP://localhost:8443"),
        ),
    ],
)
def test_pages_that_may_frame_are_named_by_their_origins(text: str, origins: tuple[str, ...]):
    assert from_environment({"DREADCLOCK_FRAME_ANCESTORS": text}).frame_ancestors == origins


@pytest.mark.parametrize(
    "text",
    [
        "vtt.example",
        "*",
        "'self'",
        "https://*",
        "https://vtt.example/",
        "https://vtt.example/path",
        "https://a.example; script-src *",
        "https://a.example https://b.example",
        "https://a.example:port",
        "https://a..example",
        "none, https://a.example",
        "ftp://a.example",
        "https://a.example\nX: y",
        "https://é.example",
    ],
)
def test_what_is_no_origin_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_FRAME_ANCESTORS is none, or origins such as .*, not ") as bad:
        from_environment({"DREADCLOCK_FRAME_ANCESTORS": text})
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf", "61"])
def test_a_time_that_makes_no_sense_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_HELLO_WITHIN_S is a number of seconds up to 60, not "):
        from_environment({"DREADCLOCK_HELLO_WITHIN_S": text})


def test_caps_on_connections_are_numbers():
    names = ("", "_PER_ADDRESS", "_PER_ROOM", "_PER_SEAT")
    environment = {f"DREADCLOCK_MAX_CONNECTIONS{name}": str(number) for number, name in enumerate(names, 1)}

    assert from_environment(environment).caps == Caps(in_all=1, per_address=2, per_room=3, per_seat=4)
    assert from_environment({"DREADCLOCK_MAX_CONNECTIONS": ""}).caps == Caps(2000, 100, 1000, 16)


@pytest.mark.parametrize("text", ["many", "0", "-1", "1.5", "1000001", "1" * 5000, "²"])
def test_a_cap_that_makes_no_sense_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_MAX_CONNECTIONS_PER_ROOM is a number of connections from 1 to "):
        from_environment({"DREADCLOCK_MAX_CONNECTIONS_PER_ROOM": text})
