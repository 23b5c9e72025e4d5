"""Bundle the pages for the packages: a page then loads a script, a style sheet, and chunks of what it needs later.

`bundle(folder)` writes pages and assets under the names that they have in `listed()`, so that a server finds them in
the place of the files that they are made of. The same sources give the same bytes. It needs esbuild, which `make tools`
installs; DREADCLOCK_ESBUILD says where it is.

esbuild makes a chunk of the modules that the same entries need. A table's page has sixty entries, because every module
that it imports later is one, and would begin with thirty chunks. So each of them also imports a layer: all modules that
are loaded by then. These have the same entries and become one chunk.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any

from dreadclock_server.gateway.pages.pages import listed

WAYS = (
    *("--bundle", "--minify", "--format=esm", "--splitting", "--target=es2022,chrome103,firefox115,safari16.4"),
    *("--legal-comments=eof", "--external:*.woff2", "--chunk-names=js/chunks/[name]-[hash]", "--log-level=warning"),
)
STATIC, ALL = {"import-statement"}, {"import-statement", "dynamic-import"}
_STYLE = re.compile(r' *<link rel="stylesheet" href="((?:\.\./)?assets/)([^"]+)" />\n')
_SCRIPT = re.compile(r'( *)<script type="module" src="((?:\.\./)?assets/)([^"]+)"></script>\n')
_PRELOAD = re.compile(r' *<(?:link rel="modulepreload"|meta name="modules-)[^\n]*\n')
_SOON = ["js/app/opening.js"]  # a page that has it imports it at once, and awaits it only after the room was greeted
_ROLES = {"gm": "js/gm/page.js", "player": "js/player/page.js", "spectator": "js/parts/spectator.js"}


Graph = dict[str, list[dict[str, str]]]  # what a module or a chunk imports, and how


class Missing(Exception):
    """There is no esbuild."""


def bundle(folder: Path) -> None:
    """Write the bundles of all pages into a folder. Raises Missing, and CalledProcessError if esbuild fails."""
    esbuild = os.environ.get("DREADCLOCK_ESBUILD") or shutil.which("esbuild")
    if not esbuild:
        raise Missing("esbuild makes the bundles of the pages: `make tools` installs it, where there is npm.")
    for name, path in listed().items():
        text = path.read_text("utf-8") if name.endswith(".html") else ""
        if script := _SCRIPT.search(text):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory() as work:
                page = Workshop(esbuild, Path(work).resolve(), folder.resolve()).page(name, text, script)
                (folder / name).write_text(page, "utf-8")
    with tempfile.TemporaryDirectory() as work:
        workshop = Workshop(esbuild, Path(work).resolve(), folder.resolve())
        workshop.build({f"css/{path.name}": f"css/{path.name}" for path in sorted(workshop.sources.glob("css/*.css"))})


class Workshop:
    """A copy of all files, laid out as browsers find them below /assets/, and esbuild, which works on it."""

    def __init__(self, esbuild: str, work: Path, folder: Path) -> None:
        self._esbuild, self._work, self._folder = esbuild, work, folder
        self.sources = work / "sources"
        for name, path in listed().items():
            (self.sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.sources / name)

    def build(self, entries: dict[str, str], folder: Path | None = None) -> dict[str, Any]:
        """Bundle modules and style sheets under names, and return esbuild's report."""
        report = self._work / "report.json"
        named = [f"{name.rpartition('.')[0]}={source}" for name, source in entries.items()]
        command = [self._esbuild, *WAYS, f"--outdir={folder or self._folder}", f"--metafile={report}", *named]
        subprocess.run(command, cwd=self.sources, check=True)
        found: dict[str, Any] = json.loads(report.read_text("utf-8"))
        return found

    def page(self, name: str, text: str, script: re.Match[str]) -> str:
        """Bundle what a page loads, and return the page that loads the bundles."""
        indent, assets, module = script.groups()
        bundled = module if module.startswith("js/") else f"js/{module}"  # from where pages find their other assets
        style = f"css/{name.removesuffix('.html').replace('/', '_')}_page.css"
        sheets = [sheet for _, sheet in _STYLE.findall(text)]
        (self.sources / style).write_text("".join(f'@import "../{sheet}";\n' for sheet in sheets), "utf-8")
        self._add_layers(module)
        chunks = Chunks(self.build({bundled: module} | ({style: style} if sheets else {})), self.sources, self._folder)
        first = chunks.needed_by([module, *_SOON])
        lines = [f'<script type="module" src="{assets}{bundled}"></script>']
        lines += [f'<link rel="modulepreload" href="{assets}{chunk}" />' for chunk in first if chunk != bundled]
        for role, page in _ROLES.items() if module == "js/table.js" else ():
            more = [chunk for chunk in chunks.needed_by([page]) if chunk not in first]
            lines.append(f'<meta name="modules-{role}" content="{" ".join(more)}" />')
        text = _PRELOAD.sub("", text).replace(script[0], "".join(f"{indent}{line}\n" for line in lines))
        text = text.replace(f"{assets}{sheets[0]}", f"{assets}{style}") if sheets else text
        return _STYLE.sub(lambda link: link[0] if link[2] == style else "", text)

    def _add_layers(self, script: str) -> None:
        """Let what is imported later import all that is loaded by then."""
        report = self.build({"js/graph.js": script}, self._work / "graph")
        graph = {module: found["imports"] for module, found in report["inputs"].items()}
        roles = {page for page in _ROLES.values() if page in graph}
        begun = [script, *(module for module in _SOON if module in graph)]
        base = reached(graph, begun, STATIC)
        self._layer("base.layer.js", base - {script}, reached(graph, begun, ALL) - base)
        for role in roles:
            own = reached(graph, [role], STATIC) - base
            others = reached(graph, [*begun, *(roles - {role})], ALL, without=role)
            self._layer(f"{role.replace('/', '_')}.layer.js", own, reached(graph, [role], ALL) - base - own - others)

    def _layer(self, name: str, modules: set[str], later: set[str]) -> None:
        """Write a module that imports others, and let further ones import it."""
        (self.sources / name).write_text("".join(f'import "./{each}";\n' for each in sorted(modules)), "utf-8")
        for module in later:
            path = self.sources / module
            path.write_text(f'import "./{relpath(name, dirname(module))}";\n{path.read_text("utf-8")}', "utf-8")


def reached(graph: Graph, starts: Iterable[str], kinds: set[str], without: str = "") -> set[str]:
    """Return modules and all that they import in these ways, however far down."""
    seen, waiting = set[str](), list(starts)
    while waiting:
        module = waiting.pop()
        if module not in seen and module != without:
            seen.add(module)
            waiting += [found["path"] for found in graph[module] if found["kind"] in kinds]
    return seen


class Chunks:
    """What esbuild wrote: which chunk holds an entry, and which chunks it imports at once."""

    def __init__(self, report: dict[str, Any], sources: Path, folder: Path) -> None:
        def name(path: str) -> str:
            return Path(normpath(sources / path)).relative_to(folder).as_posix()

        outputs = {name(path): output for path, output in report["outputs"].items()}
        self._graph = {
            chunk: [found | {"path": name(found["path"])} for found in output["imports"] if found["kind"] in STATIC]
            for chunk, output in outputs.items()
        }
        self._of = {output["entryPoint"]: chunk for chunk, output in outputs.items() if "entryPoint" in output}

    def needed_by(self, modules: Iterable[str]) -> list[str]:
        """Name the chunks of entries, as far as the page has them, and all that these import at once."""
        return sorted(reached(self._graph, [self._of[module] for module in modules if module in self._of], STATIC))
