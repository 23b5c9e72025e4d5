"""What the server takes from its flags."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dreadclock.cli import main
from dreadclock.client.rest import RestRoom
from dreadclock_server.gateway.rest.addresses import own_addresses
from dreadclock_server.lan import with_lan
from dreadclock_server.settings.table import PREFIX, SETTINGS, Settings
from dreadclock_server.settings.values import BadSetting
from kit.journals import forget_journal
from kit.server import free_port
from kit.servers import nursery
from kit.waiting import until

REACHABLE = {"DREADCLOCK_OPERATOR_KEY": "hush, my dear", "DREADCLOCK_ALLOWED_HOSTS": "tables.example"}

# Settings as flags of `serve`


def serve_apart(*arguments: str, environment: Mapping[str, str] = {}) -> tuple[int, str]:
    """Run `dreadclock serve` in a process of its own, in an environment that holds no other settings."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return nursery.run(nursery.COMMAND, "serve", *arguments, environment=clean | {**environment})


Serve = Callable[[Sequence[str], Mapping[str, str]], subprocess.CompletedProcess[str]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Serve:
    """Run it in this process, for what ends before it serves."""

    def run(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as patched:
            for name in [name for name in os.environ if name.startswith(PREFIX)]:
                patched.delenv(name)
            for name, value in environment.items():
                patched.setenv(name, value)
            code = main(["serve", *arguments])
            forget_journal()  # others look at what is logged, too
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run


def test_each_setting_is_shown_with_its_value_and_where_it_came_from(serve: Serve):
    done = serve(
        ["--show-settings", "--port", "8000", "--trust-store-durability"],
        {"DREADCLOCK_PORT": "9000", "DREADCLOCK_ALLOWED_HOSTS": "tables.example", "DREADCLOCK_DURABILITY": ""},
    )

    rows = [re.split(r"  +", line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [row[0] for row in rows] == [each.flag for each in SETTINGS]
    told = ("--port", "--durability", "--allowed-hosts", "--trust-store-durability")
    assert [row[1:] for row in rows if row[0] in told] == [
        ["8000", "flag --port"],
        ["fsync", "default"],
        ["yes", "flag --trust-store-durability"],
        ["127.0.0.1, localhost, ::1, tables.example", "environment DREADCLOCK_ALLOWED_HOSTS"],
    ]


def test_a_mistake_is_a_sentence_with_the_name_of_flag_or_variable_and_nothing_starts(serve: Serve, tmp_path: Path):
    data = ["--data", str(tmp_path / "data")]

    by_flag = serve([*data, "--port", "many"], {})
    by_variable = serve(data, {"DREADCLOCK_PORT": "0"})

    assert (by_flag.returncode, by_flag.stdout) == (2, "")
    assert by_flag.stderr == "--port is a number from 1 to 65535, not 'many'.\n"
    assert by_variable.stderr == "DREADCLOCK_PORT is a number from 1 to 65535, not '0'.\n"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "others",
    [
        ["--public-url", "https://tables.example"],
        ["--allowed-hosts", "tables.example"],
        ["--host", "0.0.0.0", "--allowed-hosts", "tables.example"],
    ],
    ids=["by a public address", "by a name", "by any address"],
)
def test_what_others_are_to_reach_does_not_start_without_a_key(serve: Serve, others: list[str], tmp_path: Path):
    done = serve(["--data", str(tmp_path / "data"), *others], {"DREADCLOCK_OPERATOR_KEY": ""})

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Others are to reach this server, and without a key any of them could open rooms: "
        "set DREADCLOCK_OPERATOR_KEY (or --operator-key), which opening rooms then needs.\n"
    )
    assert not (tmp_path / "data").exists()


def test_a_store_that_is_none_ends_it_for_good_and_one_that_is_away_may_come(tmp_path: Path):
    data = ["--data", str(tmp_path / "data"), "--port", str(free_port())]

    for_good, mistake = serve_apart(*data, "--store", "http://127.0.0.1:1")
    for_now, trouble = serve_apart(*data, "--store", "redis://127.0.0.1:1")

    assert (for_good, for_now) == (2, 1)
    assert "is not a usable store address" in mistake
    assert "cannot be reached" in trouble


def test_an_address_that_is_none_is_not_answered_with_another_port(tmp_path: Path):
    status, said = serve_apart("--data", str(tmp_path / "data"), "--host", "example.invalid", environment=REACHABLE)

    assert status == 1
    assert said.startswith("Cannot listen on example.invalid port 7717: ")
    assert "--port" not in said


def test_a_mistyped_variable_is_warned_of(serve: Serve):
    done = serve(["--show-settings"], {"DREADCLOCK_MAX_CONECTIONS": "3"})

    assert done.stderr == "DREADCLOCK_MAX_CONECTIONS is not a setting. Did you mean DREADCLOCK_MAX_CONNECTIONS?\n"


def test_the_help_tells_of_each_setting(serve: Serve):
    told = serve(["--help"], {"COLUMNS": "80"}).stdout.split()

    assert [each.flag for each in SETTINGS if each.flag not in told] == []
    assert [each.name for each in SETTINGS if " ".join(each.meaning.split()) not in " ".join(told)] == []


# `serve --lan`: other devices find the room, and this machine finds the operator's key


ELSEWHERE = own_addresses(socket.AF_INET)
NETWORKED = pytest.mark.skipif(not ELSEWHERE, reason="this machine is in no network")


class Home:
    """A user's home on this machine, without a checkout's data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.opened = folder, folder / "opened"
        self.key = folder / "data/dreadclock/operator-key"
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {self.opened}\n')
        browser.chmod(0o700)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self.env = clean | {"XDG_DATA_HOME": str(folder / "data"), "BROWSER": f"{browser} %s"}

    async def start(self, *arguments: str) -> Process:
        """Start `dreadclock` with these arguments."""
        command = [sys.executable, "-m", "dreadclock.cli", *arguments]
        return await asyncio.create_subprocess_exec(*command, cwd=self.folder, env=self.env, stdout=PIPE, stderr=STDOUT)

    async def say(self, *arguments: str, status: int = 0) -> str:
        """Run `dreadclock` with these arguments to its end, and return what it prints."""
        program = f"import os; os.chdir({str(self.folder)!r}); {nursery.COMMAND}"
        ended, printed = await asyncio.to_thread(nursery.run, program, *arguments, environment=self.env)
        assert ended == status, printed
        return printed.strip()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@NETWORKED
async def test_friends_are_told_an_address_without_a_token_and_this_machine_needs_no_key(home: Home) -> None:
    port = free_port()
    server = await home.start("serve", "--lan", "--port", str(port), "--open")
    assert server.stdout is not None
    printed = ""
    while "They knock" not in printed:
        line = (await server.stdout.readline()).decode()
        assert line, printed
        printed += line
    try:
        # The address of the room has no token, and the key is kept for its owner alone and never printed.
        lan = f"http://{ELSEWHERE[0]}:{port}"
        assert re.search(rf"^Friends on this network open {re.escape(lan)}/r/[a-z2-7]{{26}}$", printed, re.MULTILINE)

        assert home.key.read_text().strip() not in printed
        assert home.key.stat().st_mode & 0o077 == 0
        # The browser is sent to the gm's page.
        await until(lambda: home.opened.exists() and bool(home.opened.read_text()))
        assert f"gm         {home.opened.read_text()}\n" in printed
        # On this machine, `open` finds the key, and links begin with the address that friends reach.
        gm = await home.say("open", f"http://127.0.0.1:{port}", "The chapel")
        assert gm.startswith(f"{lan}/r/")
        local = gm.replace(lan, f"http://127.0.0.1:{port}")
        invited, *qr = (await home.say("invite", local, "--name", "Ines", "--expires", "2h", "--qr")).splitlines()
        assert invited.startswith(f"{lan}/r/")
        assert len(qr) > 10
        (ines,) = [token for token in await RestRoom.of(gm).tokens() if token.role == "player"]
        assert ines.expires_at is not None
        assert ines.expires_at - ines.created_at == 2 * 3600 * 1000
        # The address that friends use is this machine's, too.
        assert (await home.say("open", lan, "The chapel")).startswith(f"{lan}/r/")
        assert (await home.say("rooms", "link", gm)).startswith(f"{lan}/r/")
        # From another data folder the key is not found, until that folder is named.
        home.env["XDG_DATA_HOME"] = str(home.folder / "elsewhere")
        assert "name its data folder with --data" in await home.say("open", lan, "The chapel", status=1)
        assert (await home.say("open", lan, "The chapel", "--data", str(home.key.parent))).startswith(f"{lan}/r/")
    finally:
        server.terminate()
        await server.communicate()


def test_processes_that_start_at_once_make_one_key_and_follow_no_link(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: with_lan(Settings(data=tmp_path, lan=True)).operator_key, range(8)))
    assert len(keys) == 1

    elsewhere, linked = tmp_path / "elsewhere", tmp_path / "linked"
    linked.mkdir()
    (linked / "operator-key").symlink_to(elsewhere)
    with pytest.raises((OSError, BadSetting)):
        with_lan(Settings(data=linked, lan=True))
    assert not elsewhere.exists()


def test_a_key_is_made_once_a_set_one_wins_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    first = with_lan(Settings(data=tmp_path, lan=True))
    assert (first.host, len(first.operator_key or "")) == ("0.0.0.0", 32)
    assert with_lan(Settings(data=tmp_path, lan=True)) == first
    assert with_lan(Settings(data=tmp_path, lan=True, operator_key="a key of mine")).operator_key == "a key of mine"
    assert with_lan(Settings(data=tmp_path)).operator_key is None
    (tmp_path / "operator-key").write_text("")
    with pytest.raises(BadSetting, match="Delete the file"):
        with_lan(Settings(data=tmp_path, lan=True))
