"""Settings: what is taken and refused, by the models and their schema alike, and that no secret is ever shown."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from dreadclock.cli import main
from dreadclock_server.tools.relay.settings import BadSettings, RelaySettings, read_settings, schema
from kit.relay.running import KEY

TOKEN = "a-secret-token"
LINK = f"http://127.0.0.1:1/r/abcdefghijklmnopqrstuvwxyz#{TOKEN}"
DISCORD = f"https://discord.com/api/webhooks/1234/{TOKEN}"
HOOK = '[targets.x]\nkind = "webhook"\nurl = "https://example.org/hook"\nsecrets = ["env:KEY"]\n'
GOOD = 'link = "env:LINK"\n' + HOOK
ROOT = Path(__file__).parents[4]


def examples() -> list[str]:
    """List the settings that the page about the relay shows."""
    blocks = (ROOT / "docs/relay.md").read_text().split("```toml\n")[1:]
    return [block.partition("```")[0] for block in blocks]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "relay.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", examples())
def test_the_pages_examples_are_taken_by_the_models_and_the_schema(text: str, tmp_path: Path) -> None:
    whole = text if "link =" in text else 'link = "env:LINK"\n' + text

    assert read_settings(written(tmp_path, whole)).targets
    jsonschema_rs.validator_for(schema()).validate(tomllib.loads(whole))


def test_the_page_shows_every_kind_of_target() -> None:
    kinds = {target["kind"] for text in examples() for target in tomllib.loads(text)["targets"].values()}
    assert kinds == {"discord", "webhook", "dddice", "obs"}


REFUSED = [
    ("", "link: it is missing"),
    ('link = "env:LINK"', "targets: it is missing"),
    (f'link = "{LINK}"\n{HOOK}', "link: say where the secret is, as env:VARIABLE or file:PATH"),
    (f'link = "env:{TOKEN}!"\n{HOOK}', "link: say where the secret is"),
    (GOOD.replace("env:KEY", KEY), "targets.x.secrets.0: say where the secret is"),
    (GOOD.replace('"webhook"', '"discord"').replace("https://example.org/hook", DISCORD), "targets.x.url: say where"),
    (GOOD.replace('"webhook"', '"fax"'), "targets.x: its kind must be discord, webhook, dddice or obs"),
    (GOOD + f'token = "{TOKEN}"', "targets.x.token: there is no such setting"),
    (GOOD.replace("targets.x", "targets.X"), "targets.X"),
    (GOOD + 'events = ["doom"]', "targets.x.events.0: there is no event of this type"),
    (GOOD + 'channels = ["gm"]', 'targets.x.channels: channels are ["public"], or ["public", "gm"]'),
    (GOOD + "timeout_s = 0", "targets.x.timeout_s: Input should be greater than 0"),
    (GOOD.replace("link =", 'lang = "tlh"\nlink ='), "lang: there are words in de and en only"),
    ('link = "env:LINK"\n[targets.x]\nkind = "discord"\nurl = "env:U"\ntracker = false', "with neither tracker nor"),
    ('link = "env:LINK"\n[targets.x]\nkind = "obs"\nwhen = [{events = ["turn_ended"]}]', "a cue needs a scene"),
    (
        'link = "env:LINK"\n[targets.x]\nkind = "dddice"\nkey = "env:K"\nroom = "a"\nbase = "http://b.example"',
        "https://",
    ),
    ('link = "env:LINK"\n[targets.x]\nkind = "obs"\nurl = "ws://[a"\nwhen = []', "targets.x.url: its address is malf"),
    (f'link = "{LINK}', "is not valid TOML"),
    ("link = " + "[" * 5000, "is not valid TOML"),
    ("link = " + "1" * 5000, "is not valid TOML"),
]


@pytest.mark.parametrize(("text", "problem"), REFUSED)
def test_mistakes_are_told_without_secrets(text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["relay", str(written(tmp_path, text))]) == 1

    said = capsys.readouterr().err
    assert problem in said
    assert len(said.splitlines()) == 1
    assert TOKEN not in said.replace(text, "")
    assert KEY not in said


@pytest.mark.parametrize(
    "text",
    [
        text
        for text, problem in REFUSED
        if not any(words in problem for words in ("TOML", "neither", "a cue", "https", "channels", "lang"))
    ],
)
def test_the_schema_refuses_what_the_models_refuse_but_for_what_only_they_can_see(text: str) -> None:
    assert not jsonschema_rs.validator_for(schema()).is_valid(tomllib.loads(text))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"LINK": ""}, "The variable LINK is not set."),
        ({"LINK": TOKEN}, "Link: a link to a room looks like http://host:port/r/ROOM#TOKEN."),
        ({"KEY": TOKEN}, "targets.x: a webhook's secret is whsec_ and base64 of 24 to 64 bytes"),
        ({"KEY": "whsec_c2hvcnQ="}, "targets.x: a webhook's secret is whsec_ and base64 of 24 to 64 bytes"),
        ({"KEY": f"whsec_{TOKEN}é"}, "targets.x: a webhook's secret is whsec_ and base64 of 24 to 64 bytes"),
        ({"HOOK": f"https://{TOKEN}\u2100/"}, "targets.x: its address is malformed"),  # more than a host, if normalized
        ({"HOOK": f"https://[{TOKEN}/"}, "targets.x: its address is malformed"),
        ({"HOOK": f"https://hook.example:{TOKEN}/"}, "targets.x: its address is malformed"),
    ],
)
def test_secrets_that_cannot_be_are_refused_and_not_shown(
    change: dict[str, str],
    problem: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"LINK": LINK, "KEY": KEY, **change}.items():
        monkeypatch.setenv(name, value)
    text = GOOD.replace("https://example.org/hook", "env:HOOK") if "HOOK" in change else GOOD

    assert main(["relay", "--check", str(written(tmp_path, text))]) == 1
    said = capsys.readouterr().err
    assert problem.lower() in said.lower()
    assert TOKEN not in said


@pytest.mark.parametrize(
    ("url", "more", "taken"),
    [
        ("http://127.0.0.1:9/hook", "", True),
        ("http://hook.example/", "", False),
        ("http://hook.example/", "allow_http = true", True),
        ("https://hook.example/", "", True),
        ("https://", "", False),
    ],
)
def test_what_others_could_read_on_the_way_is_sent_only_where_that_is_said(
    url: str,
    more: str,
    taken: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINK", LINK)
    monkeypatch.setenv("KEY", KEY)
    text = GOOD.replace("https://example.org/hook", url) + more

    assert main(["relay", "--check", str(written(tmp_path, text))]) == (0 if taken else 1)
    assert ("its address must begin with https://" in capsys.readouterr().err) is not taken


def test_readable_secrets_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KEY", KEY)
    (tmp_path / "link").write_text(LINK)
    (tmp_path / "link").chmod(0o644)

    assert main(["relay", "--check", str(written(tmp_path, GOOD.replace("env:LINK", "file:link")))]) == 0
    assert "other users of this machine may read the secret in link: prevent this with chmod 600" in caplog.text


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relay", "--schema"]) == 0
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert printed == schema()
    assert set(printed["properties"]) == set(RelaySettings.model_fields)
    assert [name for name, each in printed["properties"].items() if "description" not in each] == []


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read: No such file"):
        read_settings(tmp_path / "none.toml")


def test_a_target_to_be_tried_again_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["relay", str(written(tmp_path, GOOD)), "--again", "y"]) == 2
    assert "there is no target 'y'" in capsys.readouterr().err
