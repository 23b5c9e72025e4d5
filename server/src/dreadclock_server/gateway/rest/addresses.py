"""How links may begin for other devices to reach the server, and links as QR codes."""

import ipaddress
import socket
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.cli.installed import USUAL_PORT, start_command
from dreadclock.wire.rest import Addresses, QrCode, QrRequest
from dreadclock_server.gateway.middleware.allowed_hosts import host_name
from dreadclock_server.gateway.rest.calls import Api, Endpoint, host_of, limited
from dreadclock_server.gateway.rest.interfaces import own_addresses
from dreadclock_server.gateway.rest.qr import rows_of
from dreadclock_server.gateway.rest.room_calls import json_answer, read, room_of_gm

_FORWARDING = ("forwarded", "x-real-ip", "via", "true-client-ip")
_FORWARDS = ("x-forwarded-", "cf-")


async def get_addresses(api: Api, request: Request) -> Response:
    """List the addresses at which other devices reach the server."""
    await room_of_gm(api, request)
    found = tuple(_addresses(api, request))
    port = "" if request.url.port == USUAL_PORT else f" --port {request.url.port or 80}"
    start = start_command("--lan" + port) if not found and _is_from_here(request) else None
    return json_answer(Addresses(addresses=found, start=start))


def _addresses(api: Api, request: Request) -> list[str]:
    """Return how links may begin, the best first.

    A machine's addresses are told to nobody elsewhere: a server's visitors could learn from them how the network
    behind it is laid out. Who asks from the machine itself, and not through a proxy, could look them up.
    """
    name = host_name(request.headers.get("host", ""))
    if api.public_url or not _is_loopback(name):
        return [api.base_url(request)]
    if not api.is_everywhere or not _is_from_here(request):
        return []
    _, colon, port = request.headers["host"].removeprefix("[::1]").rpartition(":")
    names = dict.fromkeys([*api.names, *(each for family in _families(request) for each in own_addresses(family))])
    return [f"{request.url.scheme}://{_in_url(each)}{colon}{port if colon else ''}" for each in names]


def _is_from_here(request: Request) -> bool:
    """Tell whether this machine asks, and not through a proxy."""
    proxied = any(name in _FORWARDING or name.startswith(_FORWARDS) for name in request.headers)
    return not proxied and _is_loopback(host_of(request))


def _families(request: Request) -> list[socket.AddressFamily]:
    """Return the families of addresses that the server listens at, as far as the caller's own tells."""
    came_by = (request.scope.get("server") or ("",))[0]
    return [socket.AF_INET, socket.AF_INET6] if ":" in came_by else [socket.AF_INET]


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.removeprefix("::ffff:")).is_loopback
    except ValueError:
        return False


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


async def draw_qr(api: Api, request: Request) -> Response:
    """Draw a link as a QR code, with the address that was chosen for it."""
    await room_of_gm(api, request)
    link = (await read(api, request, QrRequest)).link
    return json_answer(QrCode(qr=await api.drawings.work_out(partial(rows_of, link))))


def routes(api: Api) -> list[Route]:
    """Return the REST calls about addresses."""
    table: list[tuple[str, str, Endpoint]] = [
        ("GET", "/api/rooms/{room}/addresses", get_addresses),
        ("POST", "/api/rooms/{room}/qr", draw_qr),
    ]
    return [Route(path, limited(api, endpoint), methods=[method]) for method, path, endpoint in table]
