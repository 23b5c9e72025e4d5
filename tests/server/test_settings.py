"""What an operator can set, by environment and by flags."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from platformdirs import user_data_path

from dreadclock_server.gateway.limits.caps import Caps
from dreadclock_server.settings.given import given, misspelt
from dreadclock_server.settings.table import LOOPBACK, SETTINGS, Settings
from dreadclock_server.settings.values import BadSetting


def from_environment(environment: Mapping[str, str]) -> Settings:
    return given({}, environment).settings


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
        ("https://*.vtt.example, HTTP://localhost:8443,", ("https://*.vtt.example", "HTTP://localhost:8443")),
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
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_HELLO_WITHIN_S is more than 0, up to 60 seconds, not "):
        from_environment({"DREADCLOCK_HELLO_WITHIN_S": text})


def test_caps_on_connections_are_numbers():
    names = ("", "_PER_ADDRESS", "_PER_ROOM", "_PER_SEAT")
    environment = {f"DREADCLOCK_MAX_CONNECTIONS{name}": str(number) for number, name in enumerate(names, 1)}

    assert from_environment(environment).caps == Caps(in_all=1, per_address=2, per_room=3, per_seat=4)
    assert from_environment({"DREADCLOCK_MAX_CONNECTIONS": ""}).caps == Caps(2000, 100, 1000, 16)


@pytest.mark.parametrize(
    "text", ["many", "0", "-1", "1.5", "1000001", "1" * 5000, "²", "+1", "1_000", "5.0", "0" * 15 + "1"]
)
def test_a_cap_that_makes_no_sense_is_refused_in_a_sentence(text: str):
    with pytest.raises(BadSetting, match=r"^DREADCLOCK_MAX_CONNECTIONS_PER_ROOM is a number of connections from 1 to "):
        from_environment({"DREADCLOCK_MAX_CONNECTIONS_PER_ROOM": text})


def test_flags_win_over_the_environment_and_that_over_defaults():
    chosen = given({"port": "8000", "data": None}, {"DREADCLOCK_PORT": "9000", "DREADCLOCK_DATA": "/srv/rooms"})

    assert chosen.settings == Settings(port=8000, data=Path("/srv/rooms"))
    assert [name for name, source in chosen.sources.items() if source != ("default",)] == ["port", "data"]
    assert (chosen.sources["port"], chosen.sources["data"]) == (("flag", "--port"), ("environment", "DREADCLOCK_DATA"))


def test_an_empty_flag_stands_for_the_default_even_where_a_variable_says_otherwise():
    assert given({"store": ""}, {"DREADCLOCK_STORE": "redis://there"}).settings == Settings()


@pytest.mark.parametrize(
    ("text", "meant"), [("yes", True), ("1", True), (" True ", True), ("no", False), ("off", False)]
)
def test_a_switch_is_yes_or_no(text: str, meant: bool):
    assert from_environment({"DREADCLOCK_TRUST_STORE_DURABILITY": text}).trust_store_durability is meant


@pytest.mark.parametrize(
    ("setting", "text", "must_be"),
    [
        ("TRUST_STORE_DURABILITY", "perhaps", "yes or no"),
        ("TRUST_STORE_DURABILITY", "t", "yes or no"),
        ("FIRST_ROOM", "N", "yes or no"),
        ("STORE_MEMORY_MIB", "1_000", "auto, or a number of MiB from 16 to 100000000"),
        ("DURABILITY", "disk", "fsync or memory"),
        ("PORT", "65536", "a number from 1 to 65535"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(setting: str, text: str, must_be: str):
    with pytest.raises(BadSetting) as bad:
        from_environment({f"DREADCLOCK_{setting}": text})
    assert str(bad.value) == f"DREADCLOCK_{setting} is {must_be}, not {text!r}."


@pytest.mark.parametrize(
    ("setting", "text", "named"),
    [
        ("ALLOWED_HOSTS", "http://192.168.1.20:27800", "http://192.168.1.20:27800"),
        ("ALLOWED_HOSTS", "tables.example, 192.168.1.20:27800", "192.168.1.20:27800"),
        ("ALLOWED_HOSTS", "a b", "a b"),
        ("ALLOWED_HOSTS", "[::1]", "[::1]"),
        ("PUBLIC_URL", "tables.example", "tables.example"),
        ("PUBLIC_URL", "https://", "https://"),
        ("PUBLIC_URL", "https://tables.example/?a", "https://tables.example/?a"),
        ("PUBLIC_URL", "https://tables.example/r#a", "https://tables.example/r#a"),
        ("ALLOWED_ORIGINS", "vtt.example", "vtt.example"),
        ("ALLOWED_ORIGINS", "https://vtt.example/", "https://vtt.example/"),
        ("ALLOWED_ORIGINS", "null", "null"),
        ("TRUSTED_PROXIES", "foo,bar", "foo"),
        ("TRUSTED_PROXIES", "10.0.0.1, 10.0.0.1/8", "10.0.0.1/8"),
        ("OPERATOR_KEY", " ", "***"),
        ("OPERATOR_KEY", "hush, my dear ", "***"),
        ("OPERATOR_KEY", "elevenchars", "***"),
        ("METRICS_KEY", "hüsh, my dear", "***"),
    ],
)
def test_what_names_nobody_is_refused_in_a_sentence_that_shows_no_key(setting: str, text: str, named: str):
    with pytest.raises(BadSetting, match=rf"^DREADCLOCK_{setting} is ") as bad:
        from_environment({f"DREADCLOCK_{setting}": text})
    assert str(bad.value).endswith(f", not {named!r}.")


@pytest.mark.parametrize(
    ("setting", "text", "meant"),
    [
        ("allowed_hosts", "fe80::1", (*LOOPBACK, "fe80::1")),
        ("public_url", "https://tables.example:8443/play/", "https://tables.example:8443/play"),
        (
            "allowed_origins",
            "HTTPS://VTT.example,chrome-extension://abc,https://*.vtt.example:8443",
            {"https://vtt.example", "chrome-extension://abc", "https://*.vtt.example:8443"},
        ),
        ("trusted_proxies", "10.0.0.1,fe80::/64", ("10.0.0.1", "fe80::/64")),
        ("trusted_proxies", "*", ("*",)),
        ("operator_key", "a long secret of your own", "a long secret of your own"),
    ],
)
def test_who_may_come_is_named_by_what_requests_name(setting: str, text: str, meant: object):
    assert getattr(from_environment({f"DREADCLOCK_{setting.upper()}": text}), setting) == meant


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_what_is_shown_of_a_default_can_be_set_and_gives_the_default(setting):
    default = setting.shown_default

    if default not in ("none", "***"):
        assert getattr(from_environment({setting.variable: default}), setting.name) == setting.default or (
            setting.name == "allowed_hosts"  # the loopback's names are there anyway
        )
    assert setting.meaning.endswith(".")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("redis://user:hush@host:6379/0", "redis://***@host:6379/0"),
        ("rediss://:hush@[::1]:6379", "rediss://***@[::1]:6379"),
        ("unix:///run/valkey.sock?password=hush", "unix:///run/valkey.sock?***"),
        ("unix:///run/valkey.sock?password=hu@hush", "unix:///run/valkey.sock?***"),
        ("user:hush@host:6379", "***"),
        ("redis:/user:hush@host", "***"),
        ("redis://user:hu/hush@host", "***"),
        ("redis://user:hu?hush@host", "***"),
        ("redis://user:12?hush@host", "***"),
        ("redis://user:hush", "***"),
        ("unix://user:hush@/run/valkey.sock", "unix://***@/run/valkey.sock"),
        ("redis://a@hush@host", "***"),
    ],
)
def test_no_password_is_shown(address: str, shown: str):
    chosen = given({}, {"DREADCLOCK_STORE": address, "DREADCLOCK_OPERATOR_KEY": "hush, my dear"})

    values = {name: value for name, value, _ in chosen.shown()}
    assert (values["--store"], values["--operator-key"]) == (shown, "***")
    assert "hush" not in str(values)


def test_nothing_that_is_shown_steers_a_terminal():
    chosen = given({}, {"DREADCLOCK_HOST": "a\x1b[2J\nb"})

    assert [value for name, value, _ in chosen.shown() if name == "--host"] == ["a\ufffd[2J b"]


def test_a_mistyped_variable_is_told_from_those_of_others():
    environment = {
        "DREADCLOCK_MAX_CONECTIONS": "3",
        "DREADCLOCK_MAX_CONNECTIONS": "3",
        "DREADCLOCK_OPERATORKEY": "hush",
        "PORT": "1",
    }
    others = "AXE CHROMIUM DICE_ROLLS FLIPS KILLS LANG LOOK_EVERY PICTURES REQUIRE_BROWSER ROOMS RUNS TSC"

    assert misspelt(environment | {f"DREADCLOCK_{name}": "1" for name in others.split()}) == [
        "DREADCLOCK_MAX_CONECTIONS is not a setting. Did you mean DREADCLOCK_MAX_CONNECTIONS?",
        "DREADCLOCK_OPERATORKEY is not a setting. Did you mean DREADCLOCK_OPERATOR_KEY?",
    ]


def test_the_data_folder_is_the_one_here_or_else_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    assert Settings().data_folder == user_data_path("dreadclock", appauthor=False)
    (tmp_path / "dreadclock-data").mkdir()
    assert Settings().data_folder == Path("dreadclock-data")
    assert Settings(data=Path("elsewhere")).data_folder == Path("elsewhere")
