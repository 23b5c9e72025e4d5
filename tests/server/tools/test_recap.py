"""`dreadclock recap`: the command; its page has tests of its own."""

import stat
from pathlib import Path

import pytest

from dreadclock.cli import main
from kit.evenings.played import export_of, played
from kit.table import ROOM

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


# `dreadclock overlay`: a page for OBS that holds the link


LINK = f"http://127.0.0.1:7717/tables/r/{ROOM}#aToken"
OVERLAY = f"http://127.0.0.1:7717/tables/o/{ROOM}#aToken"


@pytest.mark.parametrize(
    ("link", "overlay"),
    [
        (LINK, OVERLAY),
        (OVERLAY, OVERLAY),
        (OVERLAY.replace("#", "?show=rolls&scale=2#"), OVERLAY.replace("#", "?show=rolls&scale=2#")),
        (OVERLAY.replace("#", "?a='</script>#"), OVERLAY.replace("#", "?a='\\u003c/script>#")),
    ],
    ids=["a seat", "an overlay", "with options", "with markup"],
)
def test_the_overlay_is_written_for_its_owner_alone(link: str, overlay: str, tmp_path: Path, capsys: Captured):
    path = tmp_path / "overlay.html"
    path.write_text("an older one, which others could read")
    path.chmod(0o644)
    mode = stat.S_IMODE(tmp_path.stat().st_mode)

    assert main(["overlay", link, "-o", str(path)]) == 0

    page = path.read_text()
    assert f'const overlay = "{overlay}";' in page
    assert 'const health = "http://127.0.0.1:7717/tables/healthz";' in page
    assert (page.count("</script>"), page.count("frame")) == (1, 0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (stat.S_IMODE(tmp_path.stat().st_mode), [each.name for each in tmp_path.iterdir()]) == (mode, [path.name])
    assert "aToken" not in capsys.readouterr().out


def test_what_is_no_link_and_what_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: Captured) -> None:
    assert main(["overlay", "http://host/x#aToken", "-o", str(tmp_path / "page")]) == 2
    assert "a link to a room looks like" in capsys.readouterr().err
    assert main(["overlay", LINK.replace("://", "://ann:pass@"), "-o", str(tmp_path / "page")]) == 2
    said = capsys.readouterr().err
    assert "user name or password" in " ".join(said.split())
    assert "pass@" not in said
    assert main(["overlay", LINK, "-o", str(tmp_path / "nowhere" / "page")]) == 1
    said = capsys.readouterr().err
    assert said.endswith("page cannot be written: No such file or directory.\n")
    assert "aToken" not in said
