"""The packages as somebody else gets them: built, installed into empty projects, and used as their readmes say.

They are tested with DREADCLOCK_PACKAGES=1 alone: building and installing take a minute, and pip and npm an index.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import entry_points, version
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

import dreadclock
from dreadclock_server.gateway.pages.pages import listed
from kit.server import free_port

HERE = Path(__file__).parent
VERSION = version("dreadclock-server")
ROOT = HERE.parents[1]
TSC = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")
pytestmark = pytest.mark.skipif("DREADCLOCK_PACKAGES" not in os.environ, reason="only with DREADCLOCK_PACKAGES=1")
SERVER = f"dreadclock-server=={VERSION}"
BUNDLES = "dreadclock_server/bundles/"
MARK = b'\nvoid "as it was installed";\n'
STRICT = ("--strict", "--module", "nodenext", "--target", "es2022", "--types", "node")


NODE = ("node", "--experimental-websocket")  # which Node 20 needs, and later ones have anyway


def run(*command: str | Path, cwd: Path, **variables: str | Path) -> str:
    """Run a command, and return what it says. Raises AssertionError with that if it fails."""
    env = os.environ | {name: str(value) for name, value in variables.items()}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built() -> Path:
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(sys.executable, ROOT / "scripts/pack.py", cwd=ROOT)
    return dist


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the server by its name into an empty environment, and return the folder of its programs."""
    folder = tmp_path_factory.mktemp("wheels")
    run(sys.executable, "-m", "venv", "env", cwd=folder)
    run(folder / "env/bin/python", "-m", "pip", "install", "-q", "--find-links", built, SERVER, cwd=folder)
    return folder / "env/bin"


@pytest.fixture(scope="module")
def installers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install pipx and uv, and return the folder of their programs."""
    folder = tmp_path_factory.mktemp("installers")
    run(sys.executable, "-m", "venv", "env", cwd=folder)
    run(folder / "env/bin/python", "-m", "pip", "install", "-q", "pipx", "uv", cwd=folder)
    return folder / "env/bin"


@pytest.fixture(scope="module")
def sdk(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the SDK alone into an empty environment, and return its Python."""
    folder = tmp_path_factory.mktemp("sdk")
    run(sys.executable, "-m", "venv", "env", cwd=folder)
    python = folder / "env/bin/python"
    run(python, "-m", "pip", "install", "-q", "--find-links", built, f"dreadclock=={VERSION}", cwd=folder)
    return python


@pytest.fixture(scope="module")
def pyright(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install pyright, and return the program."""
    folder = tmp_path_factory.mktemp("pyright")
    (folder / "package.json").write_text('{"private":true}')
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "pyright@1", cwd=folder)
    return folder / "node_modules/.bin/pyright"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Save the bot of the SDK's README into a folder whose programs are checked strictly."""
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    (tmp_path / "bot.py").write_text(readme_bot())
    return tmp_path / "bot.py"


def commands_of(distribution: str) -> list[str]:
    """List the commands that a distribution has as entry points."""
    return sorted(
        each.name for each in entry_points(group="dreadclock.commands") if each.dist and each.dist.name == distribution
    )


@asynccontextmanager
async def serving(programs: Path, data: Path) -> AsyncIterator[str]:
    """Run the server that was installed, and give its address once it takes calls."""
    port = free_port()
    server = await asyncio.create_subprocess_exec(
        programs / "dreadclock", "serve", "--port", str(port), "--data", data, stdout=PIPE, stderr=STDOUT
    )
    assert server.stdout is not None
    try:
        while b"Dreadclock serves on" not in (line := await server.stdout.readline()):
            assert line, "the server ended"
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        await server.communicate()


async def said(*command: str | Path, cwd: Path) -> str:
    """Run a command beside the server, and return what it says. Raises AssertionError with that if it fails."""
    program = await asyncio.create_subprocess_exec(*map(str, command), cwd=cwd, stdout=PIPE, stderr=STDOUT)
    text = (await program.communicate())[0].decode()
    assert program.returncode == 0, text
    return text


def readme_bot() -> str:
    """Return the bot of the SDK's README."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "client_sdk/README.md").read_text("utf-8"), re.DOTALL)
    [text] = [str(block) for block in blocks if "room.events()" in block]
    return text


def example(readme: str, language: str, server: str) -> str:
    """Read the first block of a readme that is in a language."""
    text = (ROOT / readme).read_text(encoding="utf-8").split(f"```{language}\n")[1].split("```")[0]
    return text.replace("http://127.0.0.1:7717", server)


async def test_the_wheels_serve_and_their_readmes_example_plays(installed: Path, tmp_path: Path) -> None:
    async with serving(installed, tmp_path / "data") as server:
        script = example("client_sdk/README.md", "python", server)
        assert (await said(installed / "python", "-c", script, cwd=tmp_path)).strip().endswith("dice left")


def test_the_wheels_hold_every_file_that_browsers_may_ask_for(installed: Path, tmp_path: Path) -> None:
    report = "import json; from dreadclock_server.gateway.pages import pages; print(json.dumps(sorted(pages.listed())))"
    served = set(json.loads(run(installed / "python", "-c", report, cwd=tmp_path)))
    assert set(listed()) - served == set()
    assert [name for name in served - set(listed()) if not name.startswith(("js/", "css/"))] == []


async def test_an_installed_server_serves_the_pages_and_the_client_that_were_there_at_its_start(
    installed: Path, tmp_path: Path
) -> None:
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    server_package = packages / "dreadclock_server"
    sources = {
        "js/table.js": server_package / "bundles/js/table.js",
        "client/dreadclock.js": server_package / "js/dreadclock.js",
        "vendor/lit-html/lit-html.js": server_package / "pages/vendor/lit-html/lit-html.js",
    }
    before = {path: path.read_bytes() for path in sources.values()}
    try:
        for path, content in before.items():
            path.write_bytes(content + MARK)
        async with serving(installed, tmp_path / "data") as server, httpx.AsyncClient(base_url=server) as http:
            page = await http.get("/r/x")
            for path in before:
                path.write_bytes(b"")
            served = {name: (await http.get(f"/assets/{name}")).content for name in sources}
    finally:
        for path, content in before.items():
            path.write_bytes(content)
    bundled = (server_package / "bundles/table.html").read_text("utf-8")
    assert re.sub(r"assets/[0-9a-f]{16}/", "assets/", page.text) == bundled
    assert [name for name, content in served.items() if not content.endswith(MARK)] == []


def test_the_sdk_installs_alone_and_knows_nothing_of_the_server(sdk: Path, tmp_path: Path) -> None:
    names = "import dreadclock as d; print(*[name for name in d.__all__ if getattr(d, name) is not None])"
    assert {"connect", "open_room", "sync", "rules", "wire"} <= set(run(sdk, "-c", names, cwd=tmp_path).split())
    listing = json.loads(run(sdk, "-m", "pip", "list", "--format", "json", cwd=tmp_path))
    packages = {each["name"].lower().replace("_", "-") for each in listing}
    assert {"dreadclock", "pydantic", "websockets", "httpx"} <= packages
    server = {"dreadclock-server", "prometheus-client", "redis", "starlette", "structlog", "uvicorn"}
    assert not packages & (server | {"typer", "rich"})


async def test_the_bot_of_the_readme_plays_with_the_sdk_alone(
    sdk: Path, installed: Path, bot: Path, tmp_path: Path
) -> None:
    async with serving(installed, tmp_path / "data") as server:
        opened = await dreadclock.open_room(server, "The Sunken Chapel")
        program = await asyncio.create_subprocess_exec(sdk, bot, opened.gm.link, stdout=PIPE, stderr=STDOUT)
        assert program.stdout is not None
        heard = asyncio.create_task(program.stdout.readline())
        try:
            async with dreadclock.connect(opened.gm.link) as room:
                await room.start_countdown("Rain", 6, id="rain", bound_to="nothing", replenishable=True)
                while not heard.done():  # the bot may not listen yet
                    await room.roll_countdown("rain")
                    if missing := 6 - room.view.countdowns["rain"].pool:
                        await room.replenish_countdown("rain", missing)
                    await asyncio.wait([heard], timeout=0.2)
        finally:
            program.kill()
            await program.wait()
    assert (await heard).startswith(b"Rain: ")


def test_strict_checkers_find_nothing_wrong_with_the_bot(sdk: Path, pyright: Path, bot: Path) -> None:
    mypy = ("-m", "mypy", "--strict", "--python-executable", sdk, "--cache-dir", bot.parent / "cache", bot)
    assert "Success" in run(sys.executable, *mypy, cwd=bot.parent)
    assert "0 errors, 0 warnings" in run(pyright, "--pythonpath", sdk, bot, cwd=bot.parent)


def test_nearly_all_public_names_of_the_sdk_have_types(sdk: Path, pyright: Path, tmp_path: Path) -> None:
    command = [str(pyright), "--verifytypes", "dreadclock", "--ignoreexternal", "--outputjson"]
    env = os.environ | {"PATH": f"{sdk.parent}:{os.environ['PATH']}"}  # it takes the first Python
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["typeCompleteness"]["completenessScore"] >= 0.98


def test_the_sdk_names_the_package_that_has_a_missing_command(built: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "env", cwd=tmp_path)
    wheel = f"dreadclock[cli]=={VERSION}"
    run(tmp_path / "env/bin/python", "-m", "pip", "install", "-q", "--find-links", built, wheel, cwd=tmp_path)
    for name in commands_of("dreadclock-server"):
        done = subprocess.run([tmp_path / "env/bin/dreadclock", name], capture_output=True, text=True, check=False)
        if name != "verify":
            package = "dreadclock-server[mcp]" if name == "mcp" else "dreadclock-server"
            assert (done.returncode, done.stderr.count(f'pip install "{package}" adds it')) == (1, 1), name


def assert_ours(environment: Path) -> None:
    """Check that the SDK of this checkout was installed, not a package of the same name from elsewhere."""
    (module,) = environment.glob("lib/python*/site-packages/dreadclock/cli/program.py")
    assert module.read_bytes() == (ROOT / "client_sdk/src/dreadclock/cli/program.py").read_bytes()


def test_pip_installs_our_sdk_with_the_server_and_either_package_runs_as_a_module(
    installed: Path, tmp_path: Path
) -> None:
    assert_ours(installed.parent)
    for module in ("dreadclock", "dreadclock_server"):
        assert run(installed / "python", "-m", module, "--version", cwd=tmp_path) == f"dreadclock {VERSION}\n"
    assert "serve" in run(installed / "dreadclock", "--help", cwd=tmp_path)


def test_pipx_installs_the_server_with_its_command(built: Path, installers: Path, tmp_path: Path) -> None:
    places = {"PIPX_HOME": tmp_path / "home", "PIPX_BIN_DIR": tmp_path / "bin", "PIPX_MAN_DIR": tmp_path / "man"}
    places["UV_CACHE_DIR"] = tmp_path / "cache"  # pipx asks uv, which keeps wheels by their names
    source = f"--pip-args=--find-links={built}"
    run(installers / "pipx", "install", "--python", sys.executable, source, SERVER, cwd=tmp_path, **places)
    assert "Serve rooms" in run(tmp_path / "bin/dreadclock", "serve", "--help", cwd=tmp_path)
    assert_ours(tmp_path / "home/venvs/dreadclock-server")


def test_uv_installs_the_server_as_a_tool_and_runs_it_without_installing(
    built: Path, installers: Path, tmp_path: Path
) -> None:
    places = {
        "UV_TOOL_DIR": tmp_path / "tools",
        "UV_TOOL_BIN_DIR": tmp_path / "bin",
        "UV_CACHE_DIR": tmp_path / "cache",
    }
    source = ("--python", sys.executable, "--find-links", built)
    run(installers / "uv", "tool", "install", *source, SERVER, cwd=tmp_path, **places)
    assert "Serve rooms" in run(tmp_path / "bin/dreadclock", "serve", "--help", cwd=tmp_path)
    assert_ours(tmp_path / "tools/dreadclock-server")
    uvx = (installers / "uvx", *source, "--from", SERVER, "dreadclock")
    assert run(*uvx, "--version", cwd=tmp_path, **places) == f"dreadclock {VERSION}\n"
    for name in commands_of("dreadclock-server"):
        assert f"dreadclock {name}" in run(*uvx, name, "--help", cwd=tmp_path, **places)

    link = f"http://127.0.0.1:{free_port()}/r/{'a' * 26}#secret"
    for extra, said in (("", 'pip install "dreadclock-server[mcp]" adds it'), ("[mcp]", "No server answers at")):
        asked = (installers / "uvx", *source, "--from", SERVER.replace("==", f"{extra}=="), "dreadclock", "mcp", link)
        env = os.environ | {name: str(value) for name, value in places.items()}
        done = subprocess.run(list(map(str, asked)), cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert said in done.stderr, done.stdout + done.stderr


def test_a_wheel_from_a_source_archive_equals_the_one_from_the_checkout_and_carries_the_licence(
    built: Path, tmp_path: Path
) -> None:
    for archive in sorted(built.glob("*-*.tar.gz")):
        run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", archive, cwd=tmp_path)
        assert f"{archive.name.removesuffix('.tar.gz')}/LICENSE" in run("tar", "tzf", archive, cwd=tmp_path).split()
    wheels = sorted(built.glob("*.whl"))
    assert len(wheels) == 2
    for wheel in wheels:
        assert wheel.read_bytes() == (tmp_path / wheel.name).read_bytes()
        assert [name for name in ZipFile(wheel).namelist() if name.endswith(".dist-info/licenses/LICENSE")]


def bundles_in(wheel: Path) -> dict[str, bytes]:
    """Read the bundles in a wheel, by the names below /assets/."""
    with ZipFile(wheel) as files:
        names = [name for name in files.namelist() if name.startswith(BUNDLES)]
        return {name.removeprefix(BUNDLES): files.read(name) for name in names}


def test_a_wheel_carries_bundles_which_come_out_the_same_twice_and_hold_the_licences_they_need(
    built: Path, tmp_path: Path
) -> None:
    (wheel,) = built.glob("dreadclock_server-*.whl")
    bundles = bundles_in(wheel)
    code = "import bundle, pathlib, sys; bundle.bundle(pathlib.Path(sys.argv[1]))"
    run(sys.executable, "-c", code, tmp_path / "again", cwd=ROOT / "scripts")
    again = {
        path.relative_to(tmp_path / "again").as_posix(): path.read_bytes()
        for path in (tmp_path / "again").rglob("*")
        if path.is_file()
    }
    assert again == bundles
    pages = {"home.html", "in_play.html", "overlay.html", "recap.html", "table.html", "owlbear/popover.html"}
    assert pages <= set(bundles)
    scripts = {name: text for name, text in bundles.items() if name.endswith(".js")}
    assert [name for name, text in bundles.items() if name.endswith(".map") or b"sourceMappingURL" in text] == []
    with_lit = [text for text in scripts.values() if b"lit$" in text]
    assert with_lit
    assert all(b"SPDX-License-Identifier: BSD-3-Clause" in text for text in with_lit)


def test_a_wheel_of_a_checkout_without_node_has_no_bundles_and_a_source_archive_of_one_is_refused(
    tmp_path: Path,
) -> None:
    env = {name: value for name, value in os.environ.items() if name != "DREADCLOCK_BUNDLES"}
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t"]
    wheel, archive = (
        subprocess.run([*build, kind], cwd=ROOT / "server", env=env, capture_output=True, text=True, check=False)
        for kind in ("wheel", "sdist")
    )
    assert (wheel.returncode, archive.returncode) == (0, 1), wheel.stderr
    assert "Build it by `make packages`" in archive.stderr
    (path,) = tmp_path.glob("*.whl")
    assert bundles_in(path) == {}


def test_no_text_of_a_wheel_speaks_of_the_checkout(built: Path) -> None:
    """Only the module that knows whether this is a checkout names its commands."""
    for wheel in built.glob("*.whl"):
        with ZipFile(wheel) as files:
            texts = {name: files.read(name) for name in files.namelist() if not name.endswith("cli/installed.py")}
        assert [name for name, text in texts.items() if b"make run" in text or b"project folder" in text] == []


@pytest.fixture(scope="module")
def project(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the npm package into an empty project, and compile a program that uses it under `strict`."""
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"type":"module","private":true}')
    (archive,) = built.glob("*.tgz")
    run("npm", "install", "--silent", "--no-audit", "--no-fund", archive, "@types/node@20", cwd=folder)
    shutil.copy(HERE / "example.ts", folder)
    assert TSC is not None
    run(TSC, *STRICT, "example.ts", cwd=folder)
    return folder


async def test_the_npm_package_is_used_by_javascript_and_by_strict_typescript(project: Path, installed: Path) -> None:
    async with serving(installed, project / "data") as server:
        program = example("client_sdk/js/README.md", "js", server)
        assert "dice_rolled" in await said(*NODE, "--input-type=module", "--eval", program, cwd=project)
        assert (await said(*NODE, "example.js", server, cwd=project)).strip().endswith("true")


def test_packages_hold_what_they_need_and_no_addresses(built: Path) -> None:
    (archive,) = built.glob("*.tgz")
    names = run("tar", "tzf", archive, cwd=built).split()
    assert {"package/dreadclock.js", "package/dreadclock.d.ts", "package/README.md", "package/LICENSE"} <= set(names)
    assert "package/narration.en.json" in names
    assert not [name for name in names if "jsconfig" in name]
