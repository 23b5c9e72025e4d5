"""Files that browsers load: which there are, and what is sent of them."""

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dreadclock_server.gateway.pages.files import File, FileTable, below, without_remarks

LONG = "export const word = 'countdown';\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "die.js").write_text(LONG, encoding="utf-8")
    (tmp_path / "LICENSE").write_text("MIT", encoding="utf-8")
    return tmp_path


def file_table_of(folder: Path, *, watched: bool) -> FileTable:
    return FileTable(lambda: below(folder), watched=watched)


def edit(path: Path, text: str) -> None:
    """Write a file so that it is newer than before, however coarse the clock of the disk."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before + 10**9, before + 10**9))


def test_a_folder_is_listed_at_any_depth_without_what_browsers_do_not_load(folder: Path):
    (folder / "types.d.ts").touch()
    (folder / "pages.py").touch()
    (folder / ".js").touch()
    (folder / "parts.js").mkdir()

    assert list(below(folder, "client/")) == ["client/LICENSE", "client/parts/die.js"]


def test_a_file_is_packed_only_where_that_is_smaller(folder: Path):
    die, licence = File.read(folder / "parts" / "die.js"), File.read(folder / "LICENSE")

    assert die.packed is not None
    assert gzip.decompress(die.packed) == die.body == LONG.encode()
    assert (licence.packed, licence.body) == (None, b"MIT")
    assert (die.media_type, licence.media_type) == ("text/javascript", "text/plain; charset=utf-8")


def test_a_tag_says_what_is_in_a_file_and_nothing_else(folder: Path):
    first = File.read(folder / "LICENSE")
    edit(folder / "LICENSE", "MIT")
    same = File.read(folder / "LICENSE")
    edit(folder / "LICENSE", "BSD")

    assert (first.tag == same.tag, first.tag == File.read(folder / "LICENSE").tag) == (True, False)


@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("name", ["", "die.js", "/LICENSE", "./LICENSE", "parts/../LICENSE", "../LICENSE", "license"])
def test_no_other_name_leads_to_a_file(folder: Path, watched: bool, name: str):
    files = file_table_of(folder, watched=watched)

    assert files.find("LICENSE") is not None
    assert files.find(name) is None


def test_in_a_checkout_an_edited_file_and_a_new_one_are_sent_at_once(folder: Path):
    files = file_table_of(folder, watched=True)
    first = files.find("LICENSE")
    edit(folder / "LICENSE", "BSD")
    edit(folder / "home.html", "<p>")

    found = [files.find("LICENSE"), files.find("home.html"), files.find("parts/die.js")]

    assert [each and each.body for each in [first, *found]] == [b"MIT", b"BSD", b"<p>", LONG.encode()]


def test_in_a_checkout_a_file_that_is_gone_is_not_sent(folder: Path):
    files = file_table_of(folder, watched=True)
    files.find("LICENSE")
    (folder / "LICENSE").unlink()

    assert files.find("LICENSE") is None


def test_in_a_checkout_a_file_that_did_not_change_is_read_once(folder: Path):
    files = file_table_of(folder, watched=True)

    assert files.find("LICENSE") is files.find("LICENSE")


def test_where_it_is_installed_all_files_stay_of_one_version(folder: Path):
    files = file_table_of(folder, watched=False)
    edit(folder / "LICENSE", "BSD")
    (folder / "parts" / "die.js").unlink()

    found = [files.find("LICENSE"), files.find("parts/die.js")]

    assert [each and each.body for each in found] == [b"MIT", LONG.encode()]


def test_bundles_and_vendored_scripts_keep_their_licences(folder: Path):
    licence = "/* @license BSD */\n// of a library\nlet it;\n"
    for name in ("bundles/js", "vendor/lit", "js"):
        (folder / name).mkdir(parents=True)
        (folder / name / "it.js").write_text(licence, encoding="utf-8")

    bodies = [File.read(folder / name / "it.js").body.decode() for name in ("bundles/js", "vendor/lit", "js")]

    assert bodies == [licence, licence, "/* @license BSD */\n\nlet it;\n"]


# One hash of all assets


PAGE = '<link href="../assets/parts/die.js" /><script src="assets/parts/die.js"></script><a href="../r/assets/x">'


def hash_in(files: FileTable) -> str:
    """Return the hash below which a page asks for its assets."""
    page = files.page("home.html")
    assert page is not None
    first, second = re.findall(r'"(?:../)?assets/([0-9a-f]{16})/parts/die.js"', page.body.decode())
    assert first == second
    assert b"../r/assets/x" in page.body
    return str(first)


@pytest.fixture
def paged(folder: Path) -> Path:
    (folder / "home.html").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.mark.parametrize("watched", [True, False])
def test_a_page_asks_for_its_assets_below_the_hash_of_all_of_them(paged: Path, watched: bool):
    files, same = (file_table_of(paged, watched=watched) for _ in range(2))
    hash_ = hash_in(files)

    assert hash_in(same) == hash_ == hash_in(files)
    for name in ("LICENSE", "parts/die.js"):
        assert files.find(name) is not None
        assert files.is_current(name, hash_)
        assert not files.is_current(name, "0" * 16)
    assert files.page("home.html") is files.page("home.html")
    assert files.page("nothing.html") is None


@pytest.mark.parametrize("change", ["an edit", "a new file", "a file less", "a rename"])
def test_in_a_checkout_the_hash_is_renewed_when_a_file_changes(paged: Path, change: str):
    files = file_table_of(paged, watched=True)
    before = hash_in(files)
    if change == "an edit":
        edit(paged / "LICENSE", "BSD")
    elif change == "a new file":
        edit(paged / "NOTICE", "MIT")
    elif change == "a file less":
        (paged / "LICENSE").unlink()
    else:
        (paged / "LICENSE").rename(paged / "NOTICE")

    after = hash_in(files)
    assert after != before
    assert files.find("parts/die.js") is not None
    assert (files.is_current("parts/die.js", before), files.is_current("parts/die.js", after)) == (False, True)


def test_in_a_checkout_a_changed_page_is_sent_and_leaves_the_hash_as_it_is(paged: Path):
    files = file_table_of(paged, watched=True)
    before = hash_in(files)
    edit(paged / "home.html", PAGE + "<p>")

    assert hash_in(files) == before
    page = files.page("home.html")
    assert page is not None
    assert page.body.endswith(b"<p>")


def test_in_a_checkout_a_file_that_was_edited_since_the_page_was_sent_is_not_fixed(paged: Path):
    files = file_table_of(paged, watched=True)
    hash_ = hash_in(files)
    edit(paged / "LICENSE", "BSD")

    found = files.find("LICENSE")
    assert found is not None
    assert found.body == b"BSD"
    assert not files.is_current("LICENSE", hash_)
    files.find("parts/die.js")
    assert files.is_current("parts/die.js", hash_)


def test_remarks_with_lines_of_their_own_are_left_out_and_every_line_keeps_its_number():
    script = b"""// a file
/** Of two
 * lines. */
const one = "/** kept */"; // and this
/** @type {any} */ (one).two = 2;
  /** Within. */
  // Here, too.
"""

    assert (
        without_remarks(script)
        == b"""


const one = "/** kept */"; // and this
/** @type {any} */ (one).two = 2;


"""
    )


# The pages' CSS uses tokens alone, and scripts/check_tokens.py, which `make lint` runs, notices what is none


ROOT = Path(__file__).parents[4]
PAGES = ROOT / "server/src/dreadclock_server/pages"
UNTOKENED = {
    "color: #e9a25b": "colour",
    "border: 1px solid white": "colour",
    "background: linear-gradient(rgb(0 0 0 / 50%), var(--ground))": "colour",
    "--mine: #0b090d": "colour",
    "font-size: 0.9rem": "font size",
    "font: 600 15px/1.4 var(--sans)": "font size",
    "font-size: clamp(1rem, 2vw, var(--text-20))": "font size",
    "font-size: var(--mine)": "font size",
    "border-start-start-radius: 4px": "radius",
    "border-radius: 50%": "radius",
    "box-shadow: 0 0 4px var(--shade)": "shadow",
    "animation: fall 0.2s ease-in": "duration",
    "transition-delay: 50ms": "duration",
    "z-index: 3": "layer",
}


def check(folder: Path) -> list[str]:
    """Return what the script complains of."""
    script = [sys.executable, str(ROOT / "scripts/check_tokens.py"), str(folder)]
    done = subprocess.run(script, check=False, capture_output=True, text=True)
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr.splitlines()


def test_the_pages_use_tokens_alone():
    assert check(PAGES / "css") == []


def test_each_value_that_is_no_token_is_named_with_its_line(tmp_path: Path):
    for name in ("tokens.css", "dark.css"):
        shutil.copy(PAGES / "css" / name, tmp_path)
    tokened = "a { color: transparent; z-index: auto; border-radius: 0; font: inherit; transform: translate(4px) }"
    planted = "".join(f".planted {{ {line} }}\n" for line in UNTOKENED)
    (tmp_path / "planted.css").write_text(f"/* z-index: 3;\n#fff */\n{tokened}\n{planted}")

    complaints = check(tmp_path)

    assert [each.split(" in ")[0] for each in complaints] == [
        f"planted.css:{number}: no token: {what}" for number, what in enumerate(UNTOKENED.values(), 4)
    ]


def test_a_dark_colour_that_differs_for_old_browsers_is_noticed(tmp_path: Path):
    for path in (PAGES / "css").glob("*.css"):
        shutil.copy(path, tmp_path)
    dark = (tmp_path / "dark.css").read_text()
    (tmp_path / "dark.css").write_text(dark.replace("--ground: #0b090d", "--ground: #0b090e"))

    assert check(tmp_path) == [
        "dark.css: --ground is not #0b090d in both files",
        "dark.css: --ground is not #0b090e in both files",
    ]


@pytest.mark.parametrize("family", ["fraunces", "inter"])
def test_fonts_have_their_licence_beside_them_and_every_one_is_used(family: str):
    folder = PAGES / "fonts" / family
    style = (PAGES / "css/tokens.css").read_text()

    assert "SIL OPEN FONT LICENSE" in (folder / "LICENSE").read_text()
    fonts = [*folder.glob("*.woff2")]
    assert sorted(path.name for path in fonts) == sorted(re.findall(rf"fonts/{family}/([\w-]+\.woff2)", style))
    assert all(path.read_bytes()[:4] == b"wOF2" for path in fonts)
