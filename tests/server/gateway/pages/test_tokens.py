"""The pages' CSS uses tokens alone, and scripts/check_tokens.py, which `make lint` runs, notices what is none."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
