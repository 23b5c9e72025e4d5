"""The shell commands that start and install Dreadclock on this machine, and the server's data folder."""

from pathlib import Path

USUAL_PORT = 7717  # the default port of `serve`
OPERATOR_KEY_FILE = "operator-key"  # in the data folder; `serve --lan` makes this file
LINKS_KEY_FILE = "links-key"  # in the data folder; a server without an operator's key makes this file
_DATA_HERE = Path("dreadclock-data")
_ROOT = Path(__file__).parents[4]  # the root of the checkout, if this is a checkout
IS_CHECKOUT = (_ROOT / "Makefile").is_file() and (_ROOT / "client_sdk").is_dir()


def data_folder(named: Path | None = None) -> Path:
    """Return a server's data folder: `named`, or `./dreadclock-data` if it exists, or the user's data folder."""
    from platformdirs import user_data_path  # imported here because only the extra `cli` installs it

    if named is not None:
        return named
    return _DATA_HERE if _DATA_HERE.is_dir() else user_data_path("dreadclock", appauthor=False)


def kept_key(path: Path) -> str | None:
    """Return the key in a file of a data folder; None if the file is missing, empty, not readable or not ASCII."""
    try:
        return path.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def start_command(options: str = "") -> str:
    """Return the command that starts a server with these options."""
    if IS_CHECKOUT:
        return f'make run ARGS="{options}"' if options else "make run"
    return f"dreadclock serve {options}".rstrip()


def install_command(distribution: str, extras: str = "") -> str:
    """Return the shell command that installs `distribution`: "dreadclock" or "dreadclock-server"."""
    if not IS_CHECKOUT:
        return f'pip install "{distribution}{extras}"'
    folder = "./client_sdk" if distribution == "dreadclock" else "./server"
    return f'in the project folder, pip install "{folder}{extras}"'
