"""Answering with files: as a browser has them already, packed, or not at all."""

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from dreadclock_server.gateway.pages.files import File, FileTable

_FOR_EVER = "max-age=31536000, immutable"
Endpoint = Callable[[Request], Awaitable[Response]]


def page(files: FileTable, name: str, headers: dict[str, str]) -> Endpoint:
    """Make the answer for a page. It is the same for every room, and for one that never was."""

    async def show(request: Request) -> Response:
        return answer(request, files.page(name), headers)

    return show


def answer(request: Request, file: File | None, headers: dict[str, str], *, is_fixed: bool = False) -> Response:
    """Send a file, or say that the browser has it already.

    `is_fixed`: what is at this address never changes, so that the browser need not ask again.
    """
    if file is None:
        return PlainTextResponse("There is nothing here.\n", 404)
    packed = file.packed if takes_gzip(request.headers.getlist("accept-encoding")) else None
    tag = f'"{file.tag}"' if packed is None else f'"{file.tag}-gzip"'
    kept = {"Cache-Control": _FOR_EVER} if is_fixed else {"Cache-Control": "no-cache", "ETag": tag}
    headers = {**headers, **kept, "Vary": "Accept-Encoding"}
    if not is_fixed and names(request.headers.getlist("if-none-match"), tag):
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
    tags = {tag.strip().removeprefix("W/") for tag in ",".join(wanted).split(",")}
    return tag in tags or "*" in tags
