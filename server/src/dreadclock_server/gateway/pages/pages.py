"""The pages: a table in the browser, its overlay, the way in, and the files that they load."""

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

import dreadclock
from dreadclock_server.gateway.middleware.security_headers import for_pages
from dreadclock_server.gateway.pages.files import File, Files, FileTable, below

PAGES = {"/": "home.html", "/r/{room}": "table.html", "/o/{room}": "overlay.html"}
ASSETS = "/assets/"
_FOLDER = Path(__file__).parents[2] / "pages"
_SDK = Path(dreadclock.__file__).parent

Endpoint = Callable[[Request], Awaitable[Response]]


def client_folder(sdk: Path = _SDK) -> Path:
    """Find the JavaScript client: in the SDK where that was installed, beside its sources in a checkout."""
    installed = sdk / "js"
    return installed if installed.is_dir() else sdk.parents[1] / "js"


def listed() -> Files:
    """List all that may be asked for: pages by their names, and assets by their addresses below /assets/."""
    return {
        **below(_FOLDER),
        **below(client_folder(), "client/", "*.js"),
        **below(_SDK / "narration", "narration/", "narration.*.json"),
    }


def routes(frame_ancestors: Iterable[str]) -> list[Route]:
    """Return the addresses that browsers open, and those of the assets."""
    files = FileTable(listed, watched=not client_folder().is_relative_to(_SDK))
    headers = for_pages(frame_ancestors)
    table = [Route(path, _page(files, name, headers), methods=["GET"]) for path, name in PAGES.items()]
    table += [Route(f"{path}/", _without_slash, methods=["GET"]) for path in PAGES if path != "/"]
    return [*table, Route(ASSETS + "{name:path}", _asset(files), methods=["GET"])]


def _page(files: FileTable, name: str, headers: dict[str, str]) -> Endpoint:
    """Make the answer for a page. It is the same for every room, and for one that never was."""

    async def page(request: Request) -> Response:
        return _answer(request, files.find(name), headers)

    return page


def _asset(files: FileTable) -> Endpoint:
    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        return _answer(request, None if name.endswith(".html") else files.find(name), {})

    return asset


async def _without_slash(request: Request) -> Response:
    """Lead to the same address without the slash, which its relative links are for."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"../{quote(request.path_params['room'], safe='')}{query}")


def _answer(request: Request, file: File | None, headers: dict[str, str]) -> Response:
    """Send a file, or say that the browser has it already."""
    if file is None:
        return PlainTextResponse("There is nothing here.\n", 404)
    packed = file.packed if takes_gzip(request.headers.getlist("accept-encoding")) else None
    tag = f'"{file.tag}"' if packed is None else f'"{file.tag}-gzip"'
    headers = {**headers, "Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
    if names(request.headers.getlist("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    headers["Content-Type"] = file.media_type
    return Response(file.body if packed is None else packed, headers=headers)


def takes_gzip(accepted: Iterable[str]) -> bool:
    """Tell from the Accept-Encoding headers whether an answer may be compressed by gzip."""
    weights: dict[str, bool] = {}
    for item in ",".join(accepted).split(","):
        coding, _, parameters = item.partition(";")
        weight = parameters.strip().lower().removeprefix("q=").strip("0. ")
        weights[coding.strip().lower()] = not parameters or bool(weight)
    return weights.get("gzip", weights.get("*", False))


def names(wanted: Iterable[str], tag: str) -> bool:
    """Return whether If-None-Match headers name a tag."""
    tags = {each.strip().removeprefix("W/") for each in ",".join(wanted).split(",")}
    return tag in tags or "*" in tags
