"""Write every file that is made from the code (`make generate`), or those of the generators that are named.

Each generator is a module `generate_NAME.py` beside this file. Its `files()` returns the texts of its files by their
paths in the checkout. Each runs in a process of its own, because it imports what those before it wrote.
"""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
GENERATORS = (
    *("version", "unions", "methods", "facade", "js_types", "js_limits", "access", "docs", "settings", "asyncapi"),
    *("openapi", "rules_table", "narration", "vectors", "preloads", "rules_pages", "transcripts", "events", "pictures"),
    "beginnings",
)


def stale(name: str) -> dict[Path, bytes]:
    """Return what the files of a generator should hold, but for those that hold it already."""
    texts: dict[str, str] = import_module(f"generate_{name}").files()
    wanted = {ROOT / path: (formatted(path, text) if ".py" in path else text).encode() for path, text in texts.items()}
    return {path: content for path, content in wanted.items() if not path.exists() or path.read_bytes() != content}


def formatted(path: str, text: str) -> str:
    """Return a module with its imports and names sorted, and in the layout of all code."""
    for arguments in (["check", "-q", "--fix", "--select", "I,F401,F811,RUF022"], ["format", "-q"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(ROOT / path), "-"]
        text = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    for name in sys.argv[1:] or GENERATORS:
        if sys.argv[1:] == [name]:
            for path, content in stale(name).items():
                path.write_bytes(content)
        else:
            subprocess.run([sys.executable, __file__, name], check=True)
