"""Ask advisory sources about every package in requirements.lock.

    python3 scripts/audit_packages.py [PIP_AUDIT]

PIP_AUDIT is the program, pip-audit unless said. Ends with 1 if a package has a known weakness; where no source answers
(or one answers without knowing the packages, as a mirror does) it says that nothing was audited, and ends with 0.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parent.parent / "requirements.lock"
SOURCES = ("osv", "pypi")
LONGEST_S = 120
KNOWN_TO_ALL = "pip==26.0\n"  # who cannot say anything about it cannot about ours


def main(program: str = "pip-audit") -> int:
    """Ask the first source that answers, and print what it knows."""
    if shutil.which(program) is None:
        print("Packages: not audited, pip-audit is not installed: pipx install pip-audit.")
        return 0
    for source in SOURCES:
        if not asked(program, source, KNOWN_TO_ALL):
            continue
        weak = {row["name"]: row["vulns"] for row in asked(program, source, pinned()) if row["vulns"]}
        for name, weaknesses in weak.items():
            print(f"{name}: {', '.join(weakness['id'] for weakness in weaknesses)}")
        print(f"{source} knows of {len(weak)} weak packages.")
        return 1 if weak else 0
    print("Packages: not audited, no advisory source answered.")
    return 0


def pinned() -> str:
    """List the packages of the lock file with their versions."""
    lines = [line.split(" ")[0] for line in LOCK.read_text().splitlines() if line[:1].isalpha()]
    return "\n".join(lines) + "\n"


def asked(program: str, source: str, packages: str) -> list[dict[str, Any]]:
    """Return what a source says of packages; empty if it does not answer, or does not know them."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write(packages)
        listed.flush()
        command = [program, "--vulnerability-service", source, "--requirement", listed.name]
        command += ["--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S)
            rows: list[dict[str, Any]] = json.loads(answer.stdout)["dependencies"]
        except (OSError, subprocess.TimeoutExpired, ValueError, KeyError):
            return []
    return [row for row in rows if "vulns" in row]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
