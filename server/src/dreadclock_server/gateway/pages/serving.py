"""Responses with files: compressed or plain, or 304 if the browser already has the file."""

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from dreadclock_server.gateway.pages.files import File, FileTable

_FOR_EVER = "max-age=31536000, immutable"
Endpoint = Callable[[Request], Awaitable[Response]]


def page(files: FileTable, name: str, headers: dict[str, str]) -> Endpoint:
    """Return the handler for a page. Its answer is the same for every room, and also for a room that does not exist."""

    async def show(request: Request) -> Response:
        return answer(request, files.page(name), headers)

    return show


def answer(request: Request, file: File | None, headers: dict[str, str], *, is_fixed: bool = False) -> Response:
    """Return a response with a file: 304 if the browser has the file already, or 404 if it is None.

    `is_fixed`: the content at this address never changes, so browsers may cache it for ever.
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
    """Return whether the Accept-Encoding headers allow gzip."""
    weights: dict[str, bool] = {}
    for item in ",".join(accepted).split(","):
        coding, _, parameters = item.partition(";")
        weight = parameters.strip().lower().removeprefix("q=").strip("0. ")
        weights[coding.strip().lower()] = not parameters or bool(weight)
    return weights.get("gzip", weights.get("*", False))


def names(wanted: Iterable[str], tag: str) -> bool:
    """Return whether the If-None-Match headers contain a tag."""
    tags = {tag.strip().removeprefix("W/") for tag in ",".join(wanted).split(",")}
    return tag in tags or "*" in tags
