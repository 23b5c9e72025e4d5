"""`dreadclock recap`: the command; its page has tests of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreadclock.cli import main
from kit.evenings.played import export_of, played

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(export_of(played(20)[:15]))
    return file


def test_the_page_goes_where_it_is_wanted(evening: Path, tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "page.html"

    assert main(["recap", str(evening), "-o", str(page), "--lang", "de"]) == 0

    assert capsys.readouterr().out == f"The evening is in {page}.\n"
    assert page.read_text(encoding="utf-8").startswith('<!doctype html>\n<html lang="de">')


def test_the_page_goes_beside_unless_said(evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(evening.parent)

    assert main(["recap", evening.name]) == 0

    assert "evening.html" in capsys.readouterr().out
    assert (evening.parent / "evening.html").exists()


def test_of_a_file_that_was_changed_there_is_no_page(evening: Path, tmp_path: Path, capsys: Captured) -> None:
    evening.write_bytes(evening.read_bytes().replace(b'"name":"Ann"', b'"name":"Amy"'))

    assert main(["recap", str(evening), "-o", str(tmp_path / "page.html")]) == 1

    assert capsys.readouterr().err.startswith("The export does not hold at line ")
    assert not (tmp_path / "page.html").exists()


def test_a_place_that_cannot_be_written_is_named(evening: Path, tmp_path: Path, capsys: Captured) -> None:
    page = tmp_path / "nowhere" / "page.html"

    assert main(["recap", str(evening), "-o", str(page)]) == 1
    assert capsys.readouterr().err == f"{page} cannot be written: No such file or directory.\n"
