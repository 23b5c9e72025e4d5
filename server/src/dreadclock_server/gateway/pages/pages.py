"""The pages: the table in the browser, its overlay, the first page, and their files."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ExceptionHandler

import dreadclock
from dreadclock_server.gateway.middleware import for_pages
from dreadclock_server.gateway.pages import owlbear
from dreadclock_server.gateway.pages.files import HASH, Files, FileTable, below
from dreadclock_server.gateway.pages.serving import Endpoint, answer, page

PAGES = {
    "/": "home.html",
    "/r/{room}": "table.html",
    "/o/{room}": "overlay.html",
    "/in-play/{room}": "in_play.html",
    "/recap/{room}": "recap.html",
}
MANIFEST = "manifest.webmanifest"  # served beside the first page, because the addresses in the manifest are relative
RULES = ("countdowns", "races", "checks", "totals")
ASSETS = "/assets/"
_NOT_FOUND = "errors/not_found.html"
_DEEPEST = 32  # folders; deeper addresses get plain text, because the page's links would need a `../` for each folder
_SERVER = Path(__file__).parents[2]
_FOLDER = _SERVER / "pages"
_SDK = Path(dreadclock.__file__).parent


def client_folder(server: Path = _SERVER, name: str = "js") -> Path:
    """Return the folder of the JavaScript client, or another folder `name` of the client SDK.

    The server's wheel has a copy of the folder. In a checkout, the folder is in the SDK's directory.
    """
    installed = server / name
    return installed if installed.is_dir() else server.parents[2] / "client_sdk" / name


def listed() -> Files:
    """Return all files that may be requested: pages by name, and assets by their addresses below /assets/.

    An installed package has bundles. They replace the pages and entry modules from which they were made.
    """
    return {
        **below(_FOLDER),
        **below(client_folder(), "client/", "*.js"),
        **below(client_folder(name="owlbear"), "owlbear/"),
        **below(_SERVER / "evening" / "recap", "recap/", "*.css"),
        **below(_SDK / "narration", "narration/", "narration.*.json"),
        **below(_SERVER / "bundles"),
    }


def all_files() -> FileTable:
    """Return all files that may be requested. Files of a checkout are watched."""
    return FileTable(listed, watched=not client_folder().is_relative_to(_SERVER))


def routes(files: FileTable, frame_ancestors: Sequence[str], public_url: str | None) -> list[Route]:
    """Return the routes of pages and assets."""
    usual = for_pages(frame_ancestors)
    others = {
        # the page of a demo room shows this page in three frames
        "table.html": for_pages(("'self'", *frame_ancestors)),
        "in_play.html": for_pages(frame_ancestors, shows_ours=True),
    }
    table = [Route(path, page(files, name, others.get(name, usual)), methods=["GET"]) for path, name in PAGES.items()]
    table += [Route(f"{path}/", _without_slash, methods=["GET"]) for path in PAGES if path != "/"]
    table.append(Route(f"/{MANIFEST}", page(files, MANIFEST, {}), methods=["GET"]))
    table += [Route(f"/rules/{name}", page(files, f"rules/{name}.html", usual), methods=["GET"]) for name in RULES]
    table += owlbear.routes(files, frame_ancestors, public_url)
    return [*table, Route(ASSETS + "{name:path}", _asset(files), methods=["GET"])]


def not_found(files: FileTable) -> ExceptionHandler:
    """Return the handler for unknown addresses: a page for browsers, plain text for other clients."""
    headers = {**for_pages(()), "Cache-Control": "no-cache", "Vary": "Accept"}

    async def show(request: Request, error: Exception) -> Response:
        depth = max(0, request.scope.get("raw_path", b"/").partition(b"?")[0].count(b"/") - 1)
        is_page = depth <= _DEEPEST and "text/html" in request.headers.get("accept", "")
        page = files.page(_NOT_FOUND) if is_page else None
        if page is None:
            assert isinstance(error, HTTPException)
            return PlainTextResponse(error.detail, error.status_code, headers=error.headers)
        # Relative links, because a proxy may serve the pages below any path.
        body = page.body.replace(b'href="', b'href="' + b"../" * depth)
        return Response(body, 404, headers, page.media_type)

    return show


def _asset(files: FileTable) -> Endpoint:
    """Return the handler for assets. An asset whose address contains its current hash may be cached for ever."""

    async def asset(request: Request) -> Response:
        asked, _, rest = request.path_params["name"].partition("/")
        is_hashed = HASH.fullmatch(asked) is not None
        name = rest if is_hashed else request.path_params["name"]
        file = None if name.endswith(".html") else files.find(name)
        return answer(request, file, {}, is_fixed=is_hashed and files.is_current(name, asked))

    return asset


async def _without_slash(request: Request) -> Response:
    """Redirect to the same address without the slash, so that relative links work."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"../{quote(request.path_params['room'], safe='')}{query}")
