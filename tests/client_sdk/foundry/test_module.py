"""The module for Foundry VTT: its archive, its types, and its words in both languages."""

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kit.foundry.module import ROOT, built, find_handlebars, unpacked
from kit.puppet import needs_node, told_by_node

MODULE = ROOT / "client_sdk/foundry"
TSC = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")
KEY = re.compile(r"""DREADCLOCK\.([A-Za-z.]+[A-Za-z])["'}]|\btext\(\s*["']([A-Za-z_.]+)["']""")


def words(language: str) -> dict[str, str]:
    """Return the words of a language by their keys."""
    return dict(flat(json.loads((MODULE / f"lang/{language}.json").read_text())["DREADCLOCK"]))


def flat(tree: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value)


def test_the_archive_is_the_same_to_the_byte_each_time(tmp_path: Path):
    first = built(tmp_path).read_bytes()

    assert built(tmp_path).read_bytes() == first
    with zipfile.ZipFile(tmp_path / "dreadclock-foundry.zip") as archive:
        assert {"manifest", "download"} & json.loads(archive.read("module.json")).keys() == set()


def test_the_archive_says_where_newer_ones_are_if_that_is_known(tmp_path: Path):
    with zipfile.ZipFile(built(tmp_path, "https://vtt.example/dreadclock/")) as archive:
        module = json.loads(archive.read("module.json"))

    assert module["manifest"] == "https://vtt.example/dreadclock/module.json"
    assert module["download"] == "https://vtt.example/dreadclock/dreadclock-foundry.zip"
    assert json.loads((tmp_path / "module.json").read_text()) == module


def test_all_that_the_manifest_and_the_scripts_name_is_in_the_archive(tmp_path: Path):
    folder = unpacked(tmp_path / "module")
    module = json.loads((folder / "module.json").read_text())
    named = [
        *module["esmodules"],
        *module["styles"],
        module["license"],
        *(each["path"] for each in module["languages"]),
    ]
    for script in [*folder.glob("js/*.js"), *folder.glob("client/*.js")]:
        imported = re.findall(
            r"""^(?:import|export) [^"]*?from "(\.[^"]+)";|\bimport\("(\.[^"]+)"\)""", script.read_text(), re.MULTILINE
        )
        files = [one or other for one, other in imported]
        named += [
            (script.parent / file).resolve().relative_to(folder.resolve()).as_posix()
            for file in files
            if not file.endswith(".types.js")
        ]
    assert [path for path in named if not (folder / path).is_file()] == []
    assert module["version"] == json.loads((ROOT / "client_sdk/js/package.json").read_text())["version"]


@pytest.mark.skipif(
    TSC is None, reason="the TypeScript compiler is not installed: put tsc on the PATH, or into DREADCLOCK_TSC"
)
def test_the_types_are_right(tmp_path: Path):
    assert TSC is not None
    folder = unpacked(tmp_path / "module")
    for file in (MODULE / "jsconfig.json", MODULE / "foundry.d.ts"):
        shutil.copy(file, folder)
    for file in (ROOT / "client_sdk/js").glob("*.d.ts"):
        shutil.copy(file, folder / "client")

    done = subprocess.run([TSC, "-p", folder / "jsconfig.json"], capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stdout + done.stderr


BEGUN = """
globalThis.Hooks = { on() {} };
const heard = [];
globalThis.game = { socket: { on: (_, listener) => heard.push(listener) } };
const { begun, writeRolls } = await import(process.argv[1]);
writeRolls({ listen() {} });
for (let n = 1; n <= 2_000; n++) for (const hear of heard) hear({ writes: `room/public/${n}/now` });
for (const hear of heard) for (const writes of ["x".repeat(101), 7, undefined]) hear({ writes });
console.log(JSON.stringify([...begun.keys()]));
"""


@needs_node
def test_of_the_records_that_users_say_they_write_the_newest_100_are_kept(tmp_path: Path):
    chat = (unpacked(tmp_path / "module") / "js/chat.js").as_uri()

    assert told_by_node(BEGUN, chat) == [f"room/public/{n}/now" for n in range(1901, 2001)]


def test_both_languages_have_the_same_words_with_the_same_fields():
    english, german = words("en"), words("de")

    assert english.keys() == german.keys()
    fields = re.compile(r"\{(\w+)\}")
    assert [key for key in english if set(fields.findall(english[key])) != set(fields.findall(german[key]))] == []


def test_every_word_that_is_asked_for_is_there_and_every_word_is_asked_for():
    sources = "\n".join(file.read_text() for folder in ("js", "templates") for file in (MODULE / folder).iterdir())
    asked = {one or other for one, other in KEY.findall(sources)}
    groups = set(re.findall(r"\btext\(`([A-Za-z.]+)\.\$\{", sources))
    known = set(words("en"))

    assert asked - known == set()
    assert {key for key in known - asked if key.rpartition(".")[0] not in groups} == set()


def test_templates_show_all_as_text():
    for template in (MODULE / "templates").iterdir():
        assert "{{{" not in template.read_text()
        assert "{{&" not in template.read_text()
    for script in (MODULE / "js").iterdir():
        assert not re.search(r"innerHTML|insertAdjacentHTML|outerHTML", script.read_text())


def test_handlebars_where_it_is_there_is_the_version_that_is_asked_for():
    path = find_handlebars()
    if path is None:
        pytest.skip("Handlebars is not there")
    assert "v4.7.8" in path.read_text()[:200]
