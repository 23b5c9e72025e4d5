"""The server as it is installed from wheels, away from the sources: pages, client and narration come along."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dreadclock_server.gateway.pages.pages import listed
from kit.rooms import http_client
from kit.server import running_server

ROOT = Path(__file__).parents[2]
MARK = b'\nvoid "as it was installed";\n'


def run(*command: str | Path, cwd: Path) -> None:
    process = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert process.returncode == 0, process.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages built and installed into a folder of their own; what they need is that of the tests."""
    wheels, folder = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    for name in ("client_sdk", "server"):
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels, cwd=ROOT / name)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", "--no-index")
    run(*pip, "--no-compile", "--target", folder, *sorted(wheels.glob("*.whl")), cwd=folder)
    return folder


def test_the_wheels_hold_every_file_that_browsers_may_ask_for(installed: Path):
    report = "import json; from dreadclock_server.gateway.pages import pages; print(json.dumps(sorted(pages.listed())))"
    python = subprocess.run(
        [sys.executable, "-c", report],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert python.stdout.strip() == repr(sorted(listed())).replace("'", '"')


async def test_an_installed_server_serves_the_pages_and_the_client(installed: Path, tmp_path: Path):
    pages = installed / "dreadclock_server" / "pages"
    sources = {
        "js/table.js": pages / "js" / "table.js",
        "client/dreadclock.js": installed / "dreadclock" / "js" / "dreadclock.js",
        "vendor/lit-html/lit-html.js": pages / "vendor" / "lit-html" / "lit-html.js",
    }
    for path in sources.values():
        path.write_bytes(path.read_bytes() + MARK)
    async with (
        running_server(tmp_path / "data", environment={"PYTHONPATH": str(installed)}) as server,
        http_client(server) as http,
    ):
        page = await http.get("/r/x")
        served = {name: (await http.get(f"/assets/{name}")).content for name in sources}
        sources["js/table.js"].write_bytes(b"")
        again = await http.get("/assets/js/table.js")
    assert re.sub(r"assets/[0-9a-f]{16}/", "assets/", page.text) == (pages / "table.html").read_text("utf-8")
    assert [name for name, content in served.items() if not content.endswith(MARK)] == []
    assert again.content == served["js/table.js"], "what was installed over it belongs to the next start"
