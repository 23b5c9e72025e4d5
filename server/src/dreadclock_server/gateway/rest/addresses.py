"""How links may begin for other devices to reach the server, and links as QR codes."""

import ipaddress
import socket
from functools import partial

from starlette.requests import Request

from dreadclock.cli.installed import USUAL_PORT, start_command
from dreadclock.wire.rest import Addresses, QrCode, QrRequest
from dreadclock_server.gateway.middleware import host_name
from dreadclock_server.gateway.rest.calculations import Calculations
from dreadclock_server.gateway.rest.calls import host_of
from dreadclock_server.gateway.rest.interfaces import own_addresses
from dreadclock_server.gateway.rest.qr import rows_of

_FORWARDING = ("forwarded", "x-real-ip", "via", "true-client-ip")
_FORWARDS = ("x-forwarded-", "cf-")


def get_addresses(
    request: Request, base_url: str, public_url: str | None, names: tuple[str, ...], is_everywhere: bool
) -> Addresses:
    """List the addresses at which other devices reach the server, the best first.

    A machine's addresses are told to nobody elsewhere: a server's visitors could learn from them how the network
    behind it is laid out. Who asks from the machine itself, and not through a proxy, could look them up.
    """
    if public_url or not _is_loopback(host_name(request.headers.get("host", ""))):
        return Addresses(addresses=(base_url,))
    from_here = _is_from_here(request)
    if is_everywhere and from_here:
        addresses = _own_addresses(request, names)
        if addresses:
            return Addresses(addresses=addresses)
    port = "" if request.url.port == USUAL_PORT else f" --port {request.url.port or 80}"
    return Addresses(addresses=(), start=start_command("--lan" + port) if from_here else None)


def _own_addresses(request: Request, names: tuple[str, ...]) -> tuple[str, ...]:
    _, colon, port = request.headers["host"].removeprefix("[::1]").rpartition(":")
    hosts = dict.fromkeys([*names, *(address for family in _families(request) for address in own_addresses(family))])
    return tuple(f"{request.url.scheme}://{_in_url(host)}{colon}{port if colon else ''}" for host in hosts)


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


async def draw_qr(body: QrRequest, drawings: Calculations) -> QrCode:
    """Draw a link as a QR code, with the address that was chosen for it."""
    return QrCode(qr=await drawings.work_out(partial(rows_of, body.link)))
