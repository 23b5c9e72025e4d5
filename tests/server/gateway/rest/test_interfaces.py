"""Which of a machine's addresses are offered first to other devices."""

import socket

import ifaddr
import pytest

from dreadclock_server.gateway.rest.addresses import ranked


def adapter(name: str, *addresses: str | tuple[str, int, int], nice_name: str | None = None) -> ifaddr.Adapter:
    """Make an interface as ifaddr lists it."""
    ips = [ifaddr.IP(each, 24, nice_name or name) for each in addresses]
    return ifaddr.Adapter(name, nice_name or name, ips)


def test_a_homes_network_comes_before_a_vpn_that_takes_all_traffic():
    adapters = [
        adapter("lo", "127.0.0.1", ("::1", 0, 0)),
        adapter("tun0", "10.8.0.6"),
        adapter("docker0", "172.17.0.1"),
        adapter("tailscale0", "100.101.102.103"),
        adapter("wlan-none", "192.168.178.20", ("fe80::1", 0, 3), ("fd00::20", 0, 0)),
    ]

    assert ranked(adapters, socket.AF_INET) == ["192.168.178.20", "10.8.0.6", "172.17.0.1", "100.101.102.103"]
    assert ranked(adapters, socket.AF_INET6) == ["fd00::20"]


@pytest.mark.parametrize("home", ["192.168.178.20", "10.11.12.13", "172.20.1.5", "192.168.43.9"])
def test_no_home_network_has_to_be_guessed(home: str):
    vpn = adapter("{A-GUID}", "10.8.0.6", nice_name="WireGuard Tunnel")
    router = adapter("{B-GUID}", home, nice_name="Realtek PCIe GbE Family Controller")

    assert ranked([vpn, router], socket.AF_INET) == [home, "10.8.0.6"]


def test_private_addresses_come_before_public_ones_and_each_once():
    adapters = [adapter("en0", "93.184.216.34"), adapter("en1", "192.168.1.2"), adapter("en2", "192.168.1.2")]

    assert ranked(adapters, socket.AF_INET)[0] == "192.168.1.2"
    assert ranked(adapters, socket.AF_INET).count("192.168.1.2") == 1
