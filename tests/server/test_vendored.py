"""What was written elsewhere and is served with the pages: just what its makers published."""

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "server" / "src" / "dreadclock_server" / "pages" / "vendor"
SAID = {"BSD-3-Clause": "Redistribution and use in source", "MIT": "Permission is hereby granted, free of charge"}
LIST = FOLDER / "VENDORED.json"


def test_vendored_files_are_the_ones_that_were_published():
    listed = json.loads(LIST.read_text(encoding="utf-8"))

    assert {name: each["version"] for name, each in listed.items()} == {"lit-html": "3.3.3", "owlbear-sdk": "3.1.0"}
    for name, each in listed.items():
        for path, digest in each["sha256"].items():
            assert hashlib.sha256((FOLDER / name / path).read_bytes()).hexdigest() == digest, f"{name}/{path}"


def test_every_vendored_file_is_listed_and_comes_with_its_licence():
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}

    assert there == {LIST.name} | {f"{name}/{path}" for name, each in listed.items() for path in each["sha256"]}
    for name, each in listed.items():
        assert SAID[each["licence"]] in (FOLDER / name / "LICENSE").read_text("utf-8")
