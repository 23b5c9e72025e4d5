"""At which addresses other devices reach a server, as its gm is told; and links as QR codes."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import ifaddr
import pytest
import pytest_asyncio

from dreadclock_server.gateway.rest.addresses import own_addresses, ranked
from kit.qr import read_qr
from kit.raw import raw_client
from kit.rooms import Table, http_client, open_table
from kit.server import Server
from kit.waiting import until

KEY = "hush, my dear"
ELSEWHERE = own_addresses(socket.AF_INET)
NETWORKED = pytest.mark.skipif(not ELSEWHERE, reason="this machine is in no network")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def everywhere(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that listens at all addresses of this machine, and was told no name."""
    data: Path = tmp_path_factory.mktemp("everywhere") / "data"
    server = Server(data, host="0.0.0.0", environment={"DREADCLOCK_OPERATOR_KEY": KEY})
    await server.start()
    yield server
    await server.stop()


async def table_at(server: Server) -> Table:
    """Open a room on a server that asks for its operator's key."""
    return await open_table(server, operator_key=KEY)


async def addresses(table: Table, **headers: str) -> list[str]:
    """Ask as the gm."""
    async with table.http("gm") as http:
        answer = await http.get(table.path("/addresses"), headers=headers)
    assert answer.status_code == 200
    return list(answer.json()["addresses"])


async def test_a_server_on_the_loopback_has_none(table: Table):
    assert await addresses(table) == []


async def test_the_public_address_of_a_server_wins(second: Server, operator_key: str):
    table = await open_table(second, operator_key=operator_key)
    for host in ("tables.example", "localhost"):
        assert await addresses(table, Host=host) == ["https://tables.example/play"]


@NETWORKED
async def test_the_machines_own_addresses_are_offered_and_really_lead_there(everywhere: Server):
    table = await table_at(everywhere)
    known: list[str] = []
    offered: list[str] = []

    async def nothing_changed() -> bool:
        nonlocal known, offered
        known = own_addresses(socket.AF_INET)  # other tests lay cables of their own
        offered = await addresses(table)
        return known == own_addresses(socket.AF_INET)

    await until(nothing_changed)
    assert offered == [f"http://{each}:{everywhere.port}" for each in known]
    async with http_client(everywhere, table.token("gm")) as http:
        assert (await http.get(f"{offered[0]}{table.path()}")).status_code == 200
        opened = await http.get(f"{offered[0]}{table.path('/addresses')}")
        assert opened.json()["addresses"] == offered[:1]  # who came by it needs no other
        wrong = await http.get(f"{offered[0]}/healthz", headers={"Host": "203.0.113.7"})
        assert wrong.status_code == 421
    url, host = f"ws://{ELSEWHERE[0]}:{everywhere.port}/ws/{table.id}", ELSEWHERE[0]
    async with raw_client(url, host=host, port=everywhere.port) as client:
        await client.hello(table.token("ann"))


@NETWORKED
async def test_they_are_told_to_nobody_elsewhere_and_to_no_other_seat(everywhere: Server):
    table = await table_at(everywhere)
    for proxied in ({"X-Forwarded-For": "203.0.113.7"}, {"Forwarded": "for=203.0.113.7"}, {"Via": "1.1 proxy"}):
        assert await addresses(table, **proxied) == []
    async with table.http("ann") as http:
        assert (await http.get(table.path("/addresses"))).json()["code"] == "not_allowed"
    async with http_client(everywhere) as http:
        assert (await http.get(table.path("/addresses"))).status_code == 401


async def test_a_link_is_drawn_as_a_qr_code_for_the_gm(table: Table):
    link = f"http://192.168.1.20:7717/r/{table.id}#{table.token('ann')}"
    async with table.http("gm") as http:
        rows = (await http.post(table.path("/qr"), json={"link": link})).json()["qr"]
        for other in ("http://" + "h" * 400, "no link", "http://😀"):
            assert (await http.post(table.path("/qr"), json={"link": other})).status_code == 422
    async with table.http("ann") as http:
        assert (await http.post(table.path("/qr"), json={"link": link})).status_code == 403
    assert read_qr(rows) == link
    async with http_client(table.server) as http:
        assert (await http.post(table.path("/qr"), json={"link": link})).status_code == 401


async def test_a_server_on_the_loopback_says_how_to_start_it_for_others_to_this_machine_alone(table: Table):
    async with table.http("gm") as http:
        told = (await http.get(table.path("/addresses"))).json()
        proxied = (await http.get(table.path("/addresses"), headers={"Via": "1.1 proxy"})).json()
    port = table.server.port
    assert told == {"addresses": [], "start": f'make run ARGS="--lan --port {port}"'}
    assert proxied == {"addresses": []}


# Which of a machine's addresses are offered first to other devices


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
