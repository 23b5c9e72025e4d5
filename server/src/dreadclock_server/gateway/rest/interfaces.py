"""The addresses of this machine in its networks, those first that other devices most likely reach."""

import ipaddress
import re
import socket
from collections.abc import Iterable
from pathlib import Path

import ifaddr

_DEVICES = Path("/sys/class/net")  # on Linux; a physical interface has a `device` in its folder
_VIRTUAL = re.compile(  # by their names elsewhere, and where Linux gives a virtual machine no device
    r"^(br-|bridge|cni|docker|flannel|gif|ipsec|llw|awdl|lxc|lxd|podman|ppp|stf|tailscale|tap|tun|utun|vboxnet|veth|virbr|"
    r"vmnet|wg|zt)|vEthernet|VPN|Hyper-V|VirtualBox|VMware|WireGuard|OpenVPN|Tailscale|ZeroTier|TAP-",
    re.IGNORECASE,
)


def own_addresses(family: socket.AddressFamily) -> list[str]:
    """Return this machine's addresses, private ones of physical interfaces first, without those only it reaches."""
    return ranked(ifaddr.get_adapters(), family)


def ranked(adapters: Iterable[ifaddr.Adapter], family: socket.AddressFamily) -> list[str]:
    """Return the addresses of a family, sorted: a home's network before a VPN's, before public addresses.

    Loopback, link-local and IPv6 addresses with a zone are left out.
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
    """Return an address as text; None if it is of another family, or if no other device reaches it."""
    text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
    address = ipaddress.ip_address(text)
    is_wanted = address.version == (4 if family == socket.AF_INET else 6)
    return text if is_wanted and not (address.is_loopback or address.is_link_local or address.is_unspecified) else None


def _is_virtual(adapter: ifaddr.Adapter) -> bool:
    """Tell whether an interface belongs to a VPN, a container or a virtual machine, as far as this machine says."""
    folder = _DEVICES / adapter.name
    if folder.exists() and (folder / "device").exists():
        return False
    return bool(_VIRTUAL.search(f"{adapter.name} {adapter.nice_name}"))
