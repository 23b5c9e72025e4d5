"""What the server takes from its flags."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from dreadclock.cli import main
from dreadclock_server.settings.table import PREFIX, SETTINGS
from kit.journals import forget_journal
from kit.server import free_port
from kit.servers import nursery

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
