"""Fuzz a target with atheris, which follows the paths that bytes open in our code.

    .venv/bin/python tests/fuzz/run.py TARGET [SECONDS] [CORPUS]

TARGET is frames, commands, exports or snapshots. Begins with the seeds and with what was found before, keeps new
paths in CORPUS (.fuzz/TARGET unless said), and ends with an error as soon as a fault is found: the bytes that led to it
are left in .fuzz/, and belong into tests/fuzz/found/TARGET once the fault is mended. Needs atheris, which `make fuzz`
installs; there are wheels of it for Linux.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import atheris

with atheris.instrument_imports(include=["dreadclock", "dreadclock_server", "websockets", "uvicorn.protocols"]):
    from fuzz.seeds import SEEDS, found
    from fuzz.targets import TARGETS

LONGEST = {"frames": 8_192, "commands": 4_096, "exports": 16_384, "snapshots": 16_384}


def main(name: str, seconds: str = "60", folder: str = "") -> None:
    """Fuzz; libFuzzer ends the process."""
    corpus = Path(folder or f".fuzz/{name}")
    corpus.mkdir(parents=True, exist_ok=True)
    for seed in (*SEEDS[name](), *found(name)):
        (corpus / sha256(seed).hexdigest()[:16]).write_bytes(seed)
    limits = (
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST[name]}",
        "-rss_limit_mb=2048",
        "-timeout=10",
        "-verbosity=0",
    )
    with TARGETS[name]() as target:
        atheris.Setup(
            [sys.argv[0], str(corpus), f"-artifact_prefix={corpus}-", "-print_final_stats=1", *limits], target
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
