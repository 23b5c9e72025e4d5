"""Write into pages/*.html which fonts and modules each page needs, so that a browser asks for all of them at once.

What opens a table comes after what greets it: a browser asks in this order, and the room answers meanwhile. Fonts come
last. What a page imports only later is left out. What one role alone sees is named, to be asked for with its page.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "server/src/dreadclock_server/pages"
CLIENT = ROOT / "client_sdk/js"

_IMPORT = re.compile(r"""^(?:import|export)\b(?:[^;"']*?\bfrom)?\s*["']([^"']+)["'];""", re.MULTILINE)
_SQUEEZED = re.compile(r"""(?:\bfrom|\bimport)["'](\.[^"']+)["']""")  # as vendored modules are written
_SCRIPT = re.compile(r'( *)<script type="module" src="((?:\.\./)?assets/)([^"]+)"></script>')
_PRELOAD = re.compile(r' *<(?:link rel="(?:module)?preload"|meta name="modules-)[^\n]*\n')
_FONTS = ("fonts/inter/latin.woff2", "fonts/fraunces/latin.woff2")  # text that waits for them would move others
_ROLE = re.compile(r"""^  (\w+): \(\) => import\(["'](\.[^"']+)["']\),""", re.MULTILINE)
_NEWCOMER = {"player": ("js/forms/sheet.js",)}  # what the first table of a new player imports later
_GREETING, _OPENING = "js/app/greeting.js", "js/app/opening.js"  # a page that has the one imports the other at once


def files() -> dict[str, str]:
    """Return all pages."""
    return {page.relative_to(ROOT).as_posix(): preloading(page) for page in PAGES.glob("*.html")}


def preloading(page: Path) -> str:
    """Return a page's text as it should be."""
    text = _PRELOAD.sub("", page.read_text("utf-8"))
    script = _SCRIPT.search(text)
    if script is None:
        return text
    indent, assets, module = script.groups()
    first = set(needed_by(module))
    then = set(needed_by(_OPENING)) - first if _GREETING in first else set[str]()
    needed = [*sorted(first - {module}), *sorted(then)]
    links = [f'{indent}<link rel="modulepreload" href="{assets}{name}" />\n' for name in needed]
    links += [f'{indent}<link rel="preload" href="{assets}{font}" as="font" crossorigin />\n' for font in _FONTS]
    if _GREETING in first:
        links += [f"{indent}{link}\n" for link in of_roles({*first, *then})]
    return f"{text[: script.end()]}\n{''.join(links)}{text[script.end() + 1 :]}"


def of_roles(loaded: set[str]) -> Iterator[str]:
    """Name for each role its page and what that imports beyond `loaded`, below assets/."""
    for role, page in _ROLE.findall(source(_GREETING)):
        own = set(needed_by(normpath(join(dirname(_GREETING), page)))) - loaded
        later = {name for form in _NEWCOMER.get(role, ()) for name in needed_by(form)} - loaded - own
        yield f'<meta name="modules-{role}" content="{" ".join([*sorted(own), *sorted(later)])}" />'


def needed_by(module: str) -> Iterator[str]:
    """Name a module and all that it imports from the start, however far down, as below /assets/."""
    seen, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        waiting += imported(name, _SQUEEZED if name.startswith("vendor/") else _IMPORT)


def imported(name: str, pattern: re.Pattern[str]) -> list[str]:
    """Name what a module imports in one way, as below /assets/."""
    return [normpath(join(dirname(name), path)) for path in pattern.findall(source(name))]


def source(name: str) -> str:
    """Read a module by its name below /assets/."""
    path = CLIENT / name.removeprefix("client/") if name.startswith("client/") else PAGES / name
    return path.read_text("utf-8")
