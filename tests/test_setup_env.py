"""What scripts/setup_env.py and scripts/environment.py make, and what they say when they cannot."""

import ast
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "setup_env.py"
ENVIRONMENT = SCRIPT.with_name("environment.py")

# Only the Python that is started is old, and not those that it starts.
OLD_PYTHON = "import os, sys; sys.version_info = (3, 6, 15, 'final', 0); del os.environ['PYTHONPATH']"
NO_ENSUREPIP = "raise ImportError"

# Makes a real environment with a pip that fetches nothing: it reads the lock file, and makes an empty module for each
# editable package. tests/packages/test_setting_up.py uses the real pip.
VENV = """
import sys
from pathlib import Path

PIP = '''{pip}'''
if __name__ == "__main__":
    sys.path.remove({stub!r})
    import venv

    venv.create(sys.argv[-1], clear=True, symlinks=True)
    [packages] = Path(sys.argv[-1]).glob("lib/python*/site-packages")
    (packages / "pip.py").write_text(PIP)
"""
PIP = """
import sys
from pathlib import Path

asked = sys.argv[1:]
for option, value in zip(asked, asked[1:]):
    if option == "-e":
        (Path(__file__).parent / (Path(value).name + ".py")).write_text("")
    text = Path(value).read_text() if option == "-r" else ""
    if "???" in text:
        sys.exit("ERROR: Invalid requirement: '???'")
    if "absent" in text:
        sys.exit("WARNING: Retrying after connection broken by 'NewConnectionError'")
"""


class Checkout:
    """A folder laid out like this repository, whose lock file asks for nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.script = path / "scripts" / "setup_env.py"
        self.lock = path / "requirements.lock"
        self.venv = path / ".venv"
        self.script.parent.mkdir(parents=True)
        shutil.copy(SCRIPT, self.script)
        shutil.copy(ENVIRONMENT, self.script.parent)
        self.lock.write_text("")
        self.write("deploy/requirements.lock", "")
        for name in ("client_sdk", "server"):
            self.write(f"{name}/pyproject.toml", "")
        stub = str(self.path / "stub")
        self.stub: Path | None = self.write("stub/venv.py", VENV.format(pip=PIP, stub=stub))

    def write(self, name: str, text: str) -> Path:
        """Write a file of the checkout and return the folder it lies in."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file.parent

    def start(self, pythonpath: Path | None = None, extent: str = "all") -> subprocess.Popen[str]:
        """Start the set-up of `extent` with an empty PATH, cut off from every package index."""
        offline = {"PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
        modules = ":".join(str(each) for each in (pythonpath, self.stub) if each)
        env = offline | {"PATH": str(self.path / "path"), "HOME": str(self.path), "PYTHONPATH": modules}
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, self.script, extent], env=env, stdout=pipe, stderr=pipe, text=True)

    def refusal(self, pythonpath: Path | None = None) -> str:
        """Run a set-up that fails and return what it says about that."""
        process = self.start(pythonpath)
        _, said = process.communicate()
        assert process.returncode == 1
        assert "Traceback" not in said
        return said


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


def test_an_old_python_is_told_which_one_is_needed(checkout: Checkout) -> None:
    old = checkout.write("old/sitecustomize.py", OLD_PYTHON)

    assert checkout.refusal(pythonpath=old).startswith(
        "Dreadclock needs Python 3.11 or newer, but this is Python 3.6 and no newer one is on the PATH."
    )


def test_an_old_python_hands_over_to_a_newer_one_on_the_path(checkout: Checkout) -> None:
    old = checkout.write("old/sitecustomize.py", OLD_PYTHON)
    bare = checkout.write("bare/ensurepip.py", NO_ENSUREPIP)
    newer = f'#!/bin/sh\nPYTHONPATH={bare} exec {sys.executable} "$@"\n'
    (checkout.write("path/python3.12", newer) / "python3.12").chmod(0o755)

    assert checkout.refusal(pythonpath=old).startswith(f"{sys.executable} cannot make an environment")


def test_a_python_without_ensurepip_is_told_the_debian_package(checkout: Checkout) -> None:
    bare = checkout.write("bare/ensurepip.py", NO_ENSUREPIP)

    said = checkout.refusal(pythonpath=bare)

    assert said.startswith(f"{sys.executable} cannot make an environment: its venv or ensurepip module is missing.")
    assert f"python{sys.version_info.major}.{sys.version_info.minor}-venv" in said


def test_a_missing_lock_file_is_named(checkout: Checkout) -> None:
    checkout.lock.unlink()

    assert checkout.refusal() == f"Could not set up {checkout.lock}: No such file or directory.\n"


def test_a_file_in_the_place_of_the_environment_is_named(checkout: Checkout) -> None:
    checkout.venv.write_text("not a folder")

    assert str(checkout.venv) in checkout.refusal()


def test_only_windows_is_told_that_it_has_no_embedded_valkey() -> None:
    note_for = runpy.run_path(str(ENVIRONMENT))["note_for"]

    assert note_for("linux") == note_for("darwin") == ""
    assert "WSL" in note_for("win32")
    assert "--store redis://" in note_for("win32")


def test_an_environment_is_repaired_once_then_left_alone_and_not_trusted_after_a_failure(checkout: Checkout) -> None:
    # Given what an interrupted set-up leaves, two set-ups started at once make one environment.
    checkout.write(".venv/lib/half-made", "")
    both = [checkout.start(), checkout.start()]
    said = sorted(process.communicate()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert [text.count("Setting up .venv") for text in said] == [0, 1]
    assert not (checkout.venv / "lib/half-made").exists()
    installed = "import client_sdk, server"
    subprocess.run([checkout.venv / "bin/python", "-c", installed], check=True)

    # Made, it is neither touched nor talked about.
    process = checkout.start()
    assert (*process.communicate(), process.returncode) == ("", "", 0)

    # Another Python would make it anew, if this one could; one too old to do so makes do with it.
    another = checkout.write("another/sitecustomize.py", "import sys; sys.version_info = (3, 99, 0, 'final', 0)")
    checkout.write("another/ensurepip.py", NO_ENSUREPIP)
    assert "cannot make an environment" in checkout.refusal(pythonpath=another)
    old = checkout.start(pythonpath=checkout.write("old/sitecustomize.py", OLD_PYTHON))
    assert (*old.communicate(), old.returncode) == ("", "", 0)

    # A package that cannot be fetched is blamed on the network, a line that cannot be read on the lock file.
    checkout.lock.write_text(f"absent==1.0 --hash=sha256:{'0' * 64}\n")
    assert "check the network" in checkout.refusal()
    checkout.lock.write_text("???\n")
    assert checkout.refusal().startswith("pip could not install what is asked for: ERROR: Invalid requirement")

    # After that it counts as unfinished.
    assert not (checkout.venv / "dreadclock-stamp").exists()


def test_running_the_server_needs_its_own_lock_file_alone_and_takes_nothing_from_the_tests(checkout: Checkout) -> None:
    # Given a lock file of the tests that cannot be installed, a server is set up all the same.
    checkout.lock.write_text("???\n")
    server = checkout.start(extent="server")
    said = server.communicate()[0]
    assert server.returncode == 0
    assert "Setting up .venv" in said
    assert "minute" not in said
    assert "Invalid requirement" in checkout.refusal()

    # When the tests' part is there, too, a server asks for nothing more and leaves it alone.
    checkout.lock.write_text("")
    full = checkout.start()
    full.communicate()
    assert full.returncode == 0
    server = checkout.start(extent="server")
    assert (*server.communicate(), server.returncode) == ("", "", 0)
    tests = checkout.start()
    assert (*tests.communicate(), tests.returncode) == ("", "", 0)

    # Then a change of the tests' lock file is no matter of the server's.
    checkout.lock.write_text("# changed\n")
    server = checkout.start(extent="server")
    assert (*server.communicate(), server.returncode) == ("", "", 0)


def test_old_pythons_can_read_the_script() -> None:
    newer_than_2_7 = (
        ast.JoinedStr,
        ast.AnnAssign,
        ast.NamedExpr,
        ast.Nonlocal,
        ast.AsyncFunctionDef,
        ast.Starred,
        ast.Match,
    )
    source = SCRIPT.read_bytes()

    nodes = list(ast.walk(ast.parse(source)))

    assert source.isascii()
    assert not [node for node in nodes if isinstance(node, newer_than_2_7) and not is_call_argument(node, nodes)]
    assert not [node for node in nodes if isinstance(node, ast.arg) and node.annotation]
    assert not [node for node in nodes if isinstance(node, ast.FunctionDef) and (node.returns or node.args.kwonlyargs)]


def is_call_argument(node: ast.AST, nodes: list[ast.AST]) -> bool:
    """Tell whether `node` is the `*rest` of a call, the one star that Python 2.7 knows."""
    return any(node in call.args for call in nodes if isinstance(call, ast.Call))
