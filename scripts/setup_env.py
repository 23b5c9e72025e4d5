"""Install into .venv what the lock files list, or leave it alone where it is up to date.

`setup_env.py server` installs what a server needs; without an argument, what the tests need as well. Nothing is ever
removed, so that `make run` and `make test` share one environment.

Run by `make`, with whatever `python3` is; needs only the standard library. A Python too old for Dreadclock must
still be able to read this file, to say so: hence type comments, and nothing that Python 2.7 does not understand.
"""

from __future__ import print_function

import hashlib
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCKS = {"server": "deploy/requirements.lock", "all": "requirements.lock"}  # the first is a part of the second
MEMBERS = ("client_sdk", "server")

OLDEST = (3, 11)
CANDIDATES = ("python3.14", "python3.13", "python3.12", "python3.11")
OFFLINE_SIGNS = ("connection broken", "NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")


class Unmet(Exception):
    """Something only a person can put right; the text says what, in a sentence or two."""


def main():
    # type: () -> int
    """Set up .venv and return the exit status: 0 if it is ready."""
    try:
        set_up(ROOT, "server" if sys.argv[1:] == ["server"] else "all")
    except Unmet as unmet:
        print(unmet, file=sys.stderr)
        return 1
    except EnvironmentError as error:
        print("Could not set up {}: {}.".format(error.filename or ROOT, error.strerror), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Set-up interrupted; the next run starts it afresh.", file=sys.stderr)
        return 130
    return 0


def set_up(root, extent):
    # type: (str, str) -> None
    """Bring `root`/.venv in line with the lock file of `extent` ("server" or "all"), one process at a time.

    An up-to-date environment is not touched. One that was completed for older lock files is updated in place;
    anything else (interrupted, moved, its Python gone) is made anew.
    """
    venv = os.path.join(root, ".venv")
    wanted = fingerprint(root, extent)
    if is_current(venv, extent, wanted):
        return
    turn = wait_for_turn(root)
    if not is_current(venv, extent, wanted):
        stamp = read_stamp(venv)
        reuse = stamp is not None and stamp["python"] == resident(venv)
        fill(root, venv, extent, reuse)
        contents = {name: fingerprint(root, name) for name in (LOCKS if extent == "all" else [extent])}
        write_stamp(venv, dict(stamp if stamp is not None and reuse else {}, python=resident(venv), **contents))
    if turn is not None:
        os.close(turn)


def is_current(venv, extent, wanted):
    # type: (str, str, str) -> bool
    """Tell whether `venv` was completed for `extent` with the fingerprint `wanted`, and still runs."""
    stamp = read_stamp(venv)
    return stamp is not None and stamp.get(extent) == wanted and stamp["python"] == resident(venv)


def fill(root, venv, extent, reuse):
    # type: (str, str, str, bool) -> None
    """Install everything of `extent` into `venv`; without `reuse`, into an empty one."""
    began = time.time()
    python = "" if reuse else able_python()
    remove_stamp(venv)
    if reuse:
        print("Updating .venv: it lacks something that a lock file or a pyproject.toml asks for.")
    else:
        make_empty(venv, python)
    lock = os.path.join(root, LOCKS[extent])
    pip(venv, ["--require-hashes", "--no-deps", "--no-compile", "-r", lock], Progress(count_packages(lock)))
    ours = ["--no-deps", "--no-build-isolation"]
    for name in MEMBERS:
        ours += ["-e", os.path.join(root, name)]
    pip(venv, ours)
    print("Ready after {:.0f} s.".format(time.time() - began))
    note = platform_note(sys.platform)
    if note:
        print(note)


def platform_note(platform):
    # type: (str) -> str
    """Say what a full set-up still lacks on `platform` (as in sys.platform)."""
    if platform != "win32":
        return ""
    return "Windows has no embedded Valkey: use WSL, or start the server with --store redis://HOST of a store of yours."


# Which Python


def able_python():
    # type: () -> str
    """Return a Python that is new enough and can make environments. Raises Unmet if there is none."""
    python = find_python()
    if run([python, "-c", "import ensurepip, venv"])[0] != 0:
        raise Unmet(
            "{} cannot make an environment: its venv or ensurepip module is missing. On Debian and Ubuntu the package "
            "python{}-venv has them.".format(python, ".".join(version_of(python).split(".")[:2]))
        )
    return python


def find_python():
    # type: () -> str
    """Return a Python that is new enough: this one, or else the newest on PATH. Raises Unmet if there is none."""
    if sys.version_info >= OLDEST:
        return sys.executable
    for name in CANDIDATES:
        if new_enough(name):
            return name
    raise Unmet(
        "Dreadclock needs Python 3.11 or newer, but this is Python {}.{} and no newer one is on the PATH. "
        "Install one, or name the one to use: make PYTHON=/path/to/python3.".format(*sys.version_info[:2])
    )


def new_enough(python):
    # type: (str) -> bool
    """Tell whether `python` runs and is not older than Dreadclock allows."""
    try:
        return run([python, "-c", "import sys; sys.exit(sys.version_info < {!r})".format(OLDEST)])[0] == 0
    except EnvironmentError:
        return False


def version_of(python):
    # type: (str) -> str
    """Return the version of `python`, such as 3.11.7."""
    return run([python, "-c", "import platform; print(platform.python_version())"])[1].strip()


def make_empty(venv, python):
    # type: (str, str) -> None
    """Replace `venv` by an environment of `python` that holds nothing but pip."""
    print("Setting up .venv with Python {}. Later starts skip this.".format(version_of(python)))
    sys.stdout.flush()
    status, output = run([python, "-m", "venv", "--clear", venv])
    if status != 0:
        raise Unmet("{} could not make an environment in {}: {}".format(python, venv, last_line(output)))


# Installing


class Progress:
    """Prints how many packages pip has fetched: on a terminal in one line, elsewhere a line for every tenth."""

    def __init__(self, total):
        # type: (int) -> None
        self.total, self.done, self.line = total, 0, ""

    def heard(self, line):
        # type: (str) -> None
        """Count a line of pip's output that begins a package."""
        words = line.split()
        if words[:1] in (["Collecting"], ["Processing"]):
            self.done += 1
            self.show("{} of {} packages: {}".format(self.done, self.total, name_of(words[1])))
        elif words[:2] == ["Installing", "collected"]:
            self.show("Unpacking {} packages".format(self.done), last=True)

    def show(self, line, last=False):
        # type: (str, bool) -> None
        """Print `line` in the place of the one before; `last` ends it."""
        if sys.stdout.isatty():
            sys.stdout.write("\r  {}{}".format(line.ljust(len(self.line)), "\n" if last else ""))
        elif last or self.done % 10 == 0:
            sys.stdout.write("  {}\n".format(line))
        sys.stdout.flush()
        self.line = line


def name_of(requirement):
    # type: (str) -> str
    """Return the package's name from "redis==8.1.0" or from the path of a wheel."""
    return requirement.split("/")[-1].split("==")[0].split("-")[0]


def count_packages(lock):
    # type: (str) -> int
    """Return how many packages `lock` lists at most; some are for other systems."""
    with open(lock) as source:
        return sum("==" in line and not line.startswith((" ", "#")) for line in source)


def pip(venv, arguments, progress=None):
    # type: (str, list[str], Progress | None) -> None
    """Install `arguments` into `venv`. Raises Unmet with the reason if pip fails."""
    command = [python_of(venv), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", "--no-color"]
    status, output = run(command + arguments, progress)
    if status == 0:
        return
    if any(sign in output for sign in OFFLINE_SIGNS):
        raise Unmet("pip could not reach a package index: check the network, then run the same command again.")
    raise Unmet("pip could not install what is asked for: {}".format(last_line(output)))


def run(command, progress=None):
    # type: (list[str], Progress | None) -> tuple[int, str]
    """Run `command` and return its exit status and all that it printed; `progress` hears each line of that."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    output = []
    for line in process.stdout or ():
        output.append(line)
        if progress is not None:
            progress.heard(line)
    return process.wait(), "".join(output)


def last_line(output):
    # type: (str) -> str
    """Return the last error line of `output`, or else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it said nothing."]
    errors = [line for line in lines if line.upper().startswith("ERROR")]
    return (errors or lines)[-1]


# The stamp: written last, so that an environment without one is known to be unfinished


def fingerprint(root, extent):
    # type: (str, str) -> str
    """Digest the files that decide what an environment of this extent holds."""
    digest = hashlib.sha256()
    for path in [LOCKS[extent]] + [os.path.join(name, "pyproject.toml") for name in MEMBERS]:
        with open(os.path.join(root, path), "rb") as source:
            digest.update(hashlib.sha256(source.read()).digest())
    return digest.hexdigest()


def resident(venv):
    # type: (str) -> str
    """Name the Python inside `venv` and where it thinks it is.

    Empty if none runs, or if it is of another version than the one that runs this and that Dreadclock could use.
    """
    try:
        status, output = run([python_of(venv), "-I", "-c", "import sys; print(sys.version.split()[0], sys.prefix)"])
    except EnvironmentError:
        return ""
    other = sys.version_info >= OLDEST and not output.startswith("{}.{}.".format(*sys.version_info[:2]))
    return "" if status != 0 or other else output.strip()


def python_of(venv):
    # type: (str) -> str
    """Return the path of the Python inside `venv`."""
    return os.path.join(venv, "Scripts", "python.exe") if os.name == "nt" else os.path.join(venv, "bin", "python")


def stamp_path(venv):
    # type: (str) -> str
    """Return where the stamp of `venv` lies."""
    return os.path.join(venv, "dreadclock-stamp")


def read_stamp(venv):
    # type: (str) -> dict[str, str] | None
    """Return what `venv` was completed with, if it was: "python", and the fingerprint of each extent."""
    try:
        with open(stamp_path(venv)) as source:
            stamp = dict(line.split("\t") for line in source.read().splitlines())
    except (EnvironmentError, ValueError):
        return None
    return stamp if "python" in stamp else None


def write_stamp(venv, stamp):
    # type: (str, dict[str, str]) -> None
    """Mark `venv` as complete."""
    with open(stamp_path(venv), "w") as target:
        target.write("".join("{}\t{}\n".format(*pair) for pair in sorted(stamp.items())))


def remove_stamp(venv):
    # type: (str) -> None
    """Mark `venv` as unfinished."""
    if os.path.exists(stamp_path(venv)):
        os.remove(stamp_path(venv))


def wait_for_turn(root):
    # type: (str) -> int | None
    """Wait until no other set-up of `root` is under way; return the lock to close, None where there are no locks."""
    try:
        import fcntl
    except ImportError:
        return None
    lock = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except EnvironmentError:
        print("Another set-up of this folder is under way; waiting for it.")
        sys.stdout.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


if __name__ == "__main__":
    sys.exit(main())
