"""The addresses at which other devices reach the server, and QR codes of links."""

import ipaddress
import re
import socket
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import ifaddr
import segno
from starlette.requests import Request

from dreadclock.cli.installed import USUAL_PORT, start_command
from dreadclock.wire.rest import Addresses, QrCode, QrRequest
from dreadclock_server.gateway.middleware import host_name
from dreadclock_server.gateway.rest.calls import host_of
from dreadclock_server.gateway.rest.workers import Calculations

# Links as QR codes, so that players can scan them with a phone.


def rows_of(text: str) -> tuple[str, ...] | None:
    """Return a text as a QR code: rows of `0` (light) and `1` (dark), without a margin; None if it is too long.

    Takes 3 ms for a usual link and 16 ms for 400 characters, so call it in a thread. The error correction is
    level M (15 % may be unreadable), or higher if the code does not get larger.
    """
    try:
        code = segno.make_qr(text, error="m")
    except segno.DataOverflowError:
        return None
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix)


# The addresses of this machine in its networks. The most reachable addresses come first.


_DEVICES = Path("/sys/class/net")  # on Linux; a physical interface has a `device` in its folder
_VIRTUAL = re.compile(  # names of virtual interfaces, for interfaces without a `device`
    r"^(br-|bridge|cni|docker|flannel|gif|ipsec|llw|awdl|lxc|lxd|podman|ppp|stf|tailscale|tap|tun|utun|vboxnet|veth|virbr|"
    r"vmnet|wg|zt)|vEthernet|VPN|Hyper-V|VirtualBox|VMware|WireGuard|OpenVPN|Tailscale|ZeroTier|TAP-",
    re.IGNORECASE,
)


def own_addresses(family: socket.AddressFamily) -> list[str]:
    """Return this machine's addresses that others can reach, private addresses of physical interfaces first."""
    return ranked(ifaddr.get_adapters(), family)


def ranked(adapters: Iterable[ifaddr.Adapter], family: socket.AddressFamily) -> list[str]:
    """Return the addresses of a family, private before public. Among both, addresses of physical interfaces come first.

    Loopback, link-local and IPv6 addresses with a zone are omitted.
    """
    addresses: dict[str, tuple[bool, bool]] = {}
    for adapter in adapters:
        is_virtual = _is_virtual(adapter)
        for ip in adapter.ips:
            text = _text_of(ip, family)
            if text is not None:
                addresses.setdefault(text, (not ipaddress.ip_address(text).is_private, is_virtual))
    return sorted(addresses, key=lambda text: addresses[text])


def _text_of(ip: ifaddr.IP, family: socket.AddressFamily) -> str | None:
    """Return an address as text; None if it has another family, or other devices cannot reach it."""
    text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
    address = ipaddress.ip_address(text)
    is_wanted = address.version == (4 if family == socket.AF_INET else 6)
    return text if is_wanted and not (address.is_loopback or address.is_link_local or address.is_unspecified) else None


def _is_virtual(adapter: ifaddr.Adapter) -> bool:
    """Return whether an interface seems to belong to a VPN, a container or a virtual machine."""
    folder = _DEVICES / adapter.name
    if folder.exists() and (folder / "device").exists():
        return False
    return bool(_VIRTUAL.search(f"{adapter.name} {adapter.nice_name}"))


_FORWARDING = ("forwarded", "x-real-ip", "via", "true-client-ip")
_FORWARDS = ("x-forwarded-", "cf-")


def get_addresses(
    request: Request, base_url: str, public_url: str | None, names: tuple[str, ...], is_everywhere: bool
) -> Addresses:
    """List the addresses at which other devices reach the server, the best first.

    `public_url`: the only address to return, if it is set. `names`: names of the machine, which come before its
    addresses. `is_everywhere`: whether the server listens in all networks.

    Only callers on the server's machine who use no proxy get the machine's addresses. Other callers would learn the
    layout of the server's network.
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
    """Return whether the request comes from this machine, and not through a proxy."""
    proxied = any(name in _FORWARDING or name.startswith(_FORWARDS) for name in request.headers)
    return not proxied and _is_loopback(host_of(request))


def _families(request: Request) -> list[socket.AddressFamily]:
    """Return the address families on which the server listens, judging by the address that the caller used."""
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
    """Return a link as a QR code. Raises Refused if too many drawings wait."""
    return QrCode(qr=await drawings.work_out(partial(rows_of, body.link)))
