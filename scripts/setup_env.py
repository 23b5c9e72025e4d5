"""Make .venv from requirements.lock, or leave it alone where it is up to date.

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
LOCK = "requirements.lock"
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
        set_up(ROOT)
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


def set_up(root):
    # type: (str) -> None
    """Bring `root`/.venv in line with the lock file, one process at a time.

    An up-to-date environment is not touched. One that was completed for an older lock file is updated in place;
    anything else (interrupted, moved, its Python gone) is made anew.
    """
    venv = os.path.join(root, ".venv")
    contents = fingerprint(root)
    if read_stamp(venv) == (resident(venv), contents):
        return
    turn = wait_for_turn(root)
    stamp = read_stamp(venv)
    if stamp != (resident(venv), contents):
        fill(root, venv, reuse=stamp is not None and stamp[0] == resident(venv))
        write_stamp(venv, contents)
    if turn is not None:
        os.close(turn)


def fill(root, venv, reuse):
    # type: (str, str, bool) -> None
    """Install everything into `venv`; without `reuse`, into an empty one."""
    began = time.time()
    python = "" if reuse else able_python()
    remove_stamp(venv)
    if reuse:
        print("Updating .venv: the lock file or a pyproject.toml changed.")
    else:
        make_empty(venv, python)
    pip(venv, ["--require-hashes", "--no-deps", "--no-compile", "-r", os.path.join(root, LOCK)])
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
    print("Setting up .venv with Python {}: only once, about half a minute.".format(version_of(python)))
    sys.stdout.flush()
    status, output = run([python, "-m", "venv", "--clear", venv])
    if status != 0:
        raise Unmet("{} could not make an environment in {}: {}".format(python, venv, last_line(output)))


# Installing


def pip(venv, arguments):
    # type: (str, list[str]) -> None
    """Install `arguments` into `venv` in silence. Raises Unmet with the reason if pip fails."""
    command = [python_of(venv), "-I", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-input"]
    status, output = run(command + arguments)
    if status == 0:
        return
    if any(sign in output for sign in OFFLINE_SIGNS):
        raise Unmet("pip could not reach a package index: check the network, then run the same command again.")
    raise Unmet("pip could not install what {} lists: {}".format(LOCK, last_line(output)))


def run(command):
    # type: (list[str]) -> tuple[int, str]
    """Run `command` and return its exit status and all that it printed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    output, _ = process.communicate()
    return process.returncode, output


def last_line(output):
    # type: (str) -> str
    """Return the last error line of `output`, or else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it said nothing."]
    errors = [line for line in lines if line.upper().startswith("ERROR")]
    return (errors or lines)[-1]


# The stamp: written last, so that an environment without one is known to be unfinished


def fingerprint(root):
    # type: (str) -> str
    """Digest the files that decide what the environment holds."""
    digest = hashlib.sha256()
    for path in [LOCK] + [os.path.join(name, "pyproject.toml") for name in MEMBERS]:
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
    # type: (str) -> tuple[str, str] | None
    """Return the (resident, fingerprint) that `venv` was completed with, if it was."""
    try:
        with open(stamp_path(venv)) as source:
            python, contents = source.read().splitlines()
    except (EnvironmentError, ValueError):
        return None
    return python, contents


def write_stamp(venv, contents):
    # type: (str, str) -> None
    """Mark `venv` as complete."""
    with open(stamp_path(venv), "w") as target:
        target.write("{}\n{}\n".format(resident(venv), contents))


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
