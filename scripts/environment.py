"""Install into .venv what the lock files list, or leave it alone where it is up to date.

`server` as the argument installs what a server needs; without an argument, what the tests need as well. Packages are
never removed, so that `make run` and `make test` share one environment. Needs only the standard library.
"""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSION = "{}.{}".format(*sys.version_info)
LOCKS = {"server": "deploy/requirements.lock", "all": "requirements.lock"}  # the first is a part of the second
MEMBERS = ("client_sdk", "server")
OFFLINE_SIGNS = ("connection broken", "NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")
WINDOWS = "Windows has no embedded Valkey: use WSL, or start the server with --store redis://HOST of your own store.\n"


class Unmet(Exception):
    """Something only a person can put right; the text says what, in a sentence or two."""


def main(arguments: Sequence[str]) -> int:
    """Set up .venv and return the exit status: 0 if it is ready."""
    try:
        set_up(ROOT, "server" if arguments == ["server"] else "all")
    except Unmet as unmet:
        print(unmet, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Could not set up {error.filename or ROOT}: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Set-up interrupted; the next run starts it afresh.", file=sys.stderr)
        return 130
    return 0


def set_up(root: Path, extent: str) -> None:
    """Bring `root`/.venv in line with the lock file of `extent` ("server" or "all"), one process at a time.

    An up-to-date environment is not touched. An environment completed for older lock files is updated in place;
    anything else (interrupted, moved, its Python gone) is made anew.
    """
    venv = root / ".venv"
    prints = {name: fingerprint(root, name) for name in (LOCKS if extent == "all" else [extent])}
    if read_stamp(venv).get(extent) == prints[extent]:
        return
    with turn(root):
        stamp = read_stamp(venv)
        if stamp.get(extent) != prints[extent]:
            fill(root, venv, extent, reuse=bool(stamp))
            write_stamp(venv, stamp | prints | {"python": resident(venv)})


def fill(root: Path, venv: Path, extent: str, *, reuse: bool) -> None:
    """Install all packages of `extent` into `venv`; without `reuse`, into an empty one."""
    began = time.monotonic()
    if reuse:
        print("Updating .venv: it lacks something that a lock file or a pyproject.toml asks for.", flush=True)
        stamp_of(venv).unlink()
    else:
        make_empty(venv)
    pip(venv, "--require-hashes", "--no-deps", "--no-compile", "-r", str(root / LOCKS[extent]))
    editable = [part for name in MEMBERS for part in ("-e", str(root / name))]
    pip(venv, "--no-deps", "--no-build-isolation", *editable)
    print(f"Ready after {time.monotonic() - began:.0f} s.")
    print(note_for(sys.platform), end="")


def note_for(platform: str) -> str:
    """Return what a set-up still lacks on `platform` (as in sys.platform), a line or nothing."""
    return WINDOWS if platform == "win32" else ""


def make_empty(venv: Path) -> None:
    """Replace `venv` by an environment of this Python that holds nothing but pip."""
    try:
        import ensurepip  # noqa: F401
        import venv as _  # noqa: F401
    except ImportError:
        raise Unmet(
            f"{sys.executable} cannot make an environment: its venv or ensurepip module is missing. On Debian and "
            f"Ubuntu the package python{VERSION}-venv has them."
        ) from None
    print(f"Setting up .venv with Python {sys.version.split()[0]}. Later starts skip this.", flush=True)
    stamp_of(venv).unlink(missing_ok=True)
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", venv], capture_output=True, text=True)
    if made.returncode:
        raise Unmet(f"{sys.executable} could not make an environment in {venv}: {reason(made.stderr + made.stdout)}")


def pip(venv: Path, *arguments: str) -> None:
    """Install `arguments` into `venv`, and print every tenth package. Raises Unmet with the reason if pip fails."""
    command = [str(python_of(venv)), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", "--no-color", *arguments]
    output, packages = "", 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout or ():
            output += line
            if line.startswith(("Collecting", "Processing")):
                packages += 1
                print(f"  {packages} packages\n" if packages % 10 == 0 else "", end="", flush=True)
    if process.returncode == 0:
        return
    if any(sign in output for sign in OFFLINE_SIGNS):
        raise Unmet("pip could not reach a package index: check the network, then run the same command again.")
    raise Unmet(f"pip could not install what is asked for: {reason(output)}")


def reason(output: str) -> str:
    """Return the last error line of `output`, or else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it said nothing."]
    return ([line for line in lines if line.upper().startswith("ERROR")] or lines)[-1]


# The stamp: written last, so that an environment without a stamp counts as unfinished


def fingerprint(root: Path, extent: str) -> str:
    """Digest the files that decide what an environment of this extent holds."""
    paths = [LOCKS[extent], *(f"{name}/pyproject.toml" for name in MEMBERS)]
    digests = [hashlib.sha256((root / path).read_bytes()).digest() for path in paths]
    return hashlib.sha256(b"".join(digests)).hexdigest()


def python_of(venv: Path) -> Path:
    """Return the path of the Python inside `venv`."""
    return venv / "Scripts/python.exe" if os.name == "nt" else venv / "bin/python"


def resident(venv: Path) -> str:
    """Return version and prefix of the Python inside `venv`; empty if none runs, or if its version is another."""
    code = "import sys; print(sys.version.split()[0], sys.prefix)"
    try:
        said = subprocess.run([python_of(venv), "-I", "-c", code], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
    return said if said.startswith(f"{VERSION}.") else ""


def stamp_of(venv: Path) -> Path:
    """Return the path of the stamp of `venv`."""
    return venv / "dreadclock-stamp"


def read_stamp(venv: Path) -> dict[str, str]:
    """Return "python" and the fingerprint of each extent that `venv` was completed for; empty unless it is complete."""
    try:
        stamp = dict(line.split("\t") for line in stamp_of(venv).read_text().splitlines())
    except (OSError, ValueError):
        return {}
    return stamp if stamp.get("python") and stamp["python"] == resident(venv) else {}


def write_stamp(venv: Path, stamp: dict[str, str]) -> None:
    """Mark `venv` as complete."""
    stamp_of(venv).write_text("".join(f"{key}\t{value}\n" for key, value in sorted(stamp.items())))


@contextmanager
def turn(root: Path) -> Iterator[None]:
    """Wait until no other set-up of `root` is under way; where the system has no such locks, do not wait."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("Another set-up of this folder is under way; waiting for it.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
