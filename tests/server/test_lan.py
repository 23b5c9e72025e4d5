"""`serve --lan`: other devices find the room, and this machine finds the operator's key."""

import asyncio
import os
import re
import socket
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dreadclock.client.rest import RestRoom
from dreadclock_server.gateway.rest.addresses import own_addresses
from dreadclock_server.lan import with_lan
from dreadclock_server.settings.table import PREFIX, Settings
from dreadclock_server.settings.values import BadSetting
from kit.server import free_port
from kit.servers import nursery
from kit.waiting import until

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
        key = home.key.read_text().strip()
        assert key not in printed
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
