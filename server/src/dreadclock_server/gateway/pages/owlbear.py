"""The extension for the virtual tabletop Owlbear Rodeo: its manifest, its icon and its two pages."""

from collections.abc import Iterable
from importlib.metadata import version
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dreadclock_server.gateway.middleware import for_pages
from dreadclock_server.gateway.pages.files import FileTable
from dreadclock_server.gateway.pages.serving import answer, page

OWLBEAR = "https://www.owlbear.rodeo"
_FOR_ALL = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
PAGES = ("popover", "background")
_WIDTH, _HEIGHT = 420, 760  # the size of the popover in CSS pixels


def routes(files: FileTable, frame_ancestors: Iterable[str], public_url: str | None) -> list[Route]:
    """Return the routes for Owlbear Rodeo, where users add the extension by the address of its manifest."""
    headers = for_pages({OWLBEAR: None, **dict.fromkeys(frame_ancestors)})
    path = urlsplit(public_url or "").path.rstrip("/")
    manifest = manifest_of(f"{path}/owlbear")

    async def manifest_json(request: Request) -> Response:
        return JSONResponse(manifest, headers=_FOR_ALL)

    async def icon(request: Request) -> Response:
        return answer(request, files.find("icon.svg"), _FOR_ALL)

    return [
        Route("/owlbear/manifest.json", manifest_json, methods=["GET"]),
        Route("/owlbear/icon.svg", icon, methods=["GET"]),
        *(Route(f"/owlbear/{name}", page(files, f"owlbear/{name}.html", headers), methods=["GET"]) for name in PAGES),
    ]


def manifest_of(folder: str) -> dict[str, object]:
    """Return the extension's manifest. `folder`: the path prefix of its addresses, without a slash at its end."""
    return {
        "name": "Dreadclock",
        "version": version("dreadclock-server"),
        "manifest_version": 1,
        "description": "Countdowns, clocks, checks and totals of a Dreadclock room, for everyone at the table.",
        "author": "Dreadclock",
        "icon": f"{folder}/icon.svg",
        "homepage_url": f"{folder}/popover",
        "background_url": f"{folder}/background",
        "action": {
            "title": "Dreadclock",
            "icon": f"{folder}/icon.svg",
            "popover": f"{folder}/popover",
            "width": _WIDTH,
            "height": _HEIGHT,
        },
    }
