"""Write the version of client_sdk/pyproject.toml, the only place to change it, into every other file that names it."""

import re
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_NAMED: Final = {  # by file: the texts before the version
    "server/pyproject.toml": (r'^version = "', r'"dreadclock(?:\[[a-z,]+\])?=='),
    "client_sdk/src/dreadclock/client/room.py": (r'^VERSION = "',),
    "client_sdk/js/package.json": (r'^  "version": "',),
    "client_sdk/js/room.js": (r'name: "dreadclock-js", version: "',),
    "client_sdk/foundry/module.json": (r'^  "version": "',),
    "client_sdk/foundry/js/table.js": (r'name: "dreadclock-foundry", version: "',),
}


def files() -> dict[str, str]:
    """Return the text of each file with the version in it. Raises LookupError if a file does not name the version."""
    version = tomllib.loads((ROOT / "client_sdk/pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    texts = {}
    for name, before in _NAMED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        for words in before:
            text, count = re.subn(rf"({words})[0-9][0-9a-z.]*", rf"\g<1>{version}", text, flags=re.MULTILINE)
            if count != 1:
                raise LookupError(f"{name} names the version {count} times after {words}")
        texts[name] = text
    return texts
