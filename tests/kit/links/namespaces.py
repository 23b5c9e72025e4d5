"""A network of its own for a client: a Linux network namespace whose connections to a server can go silent.

async with network(server.port) as net:
    ...  # start the client with net.command, and let it connect to net.url
    net.cut()

Nothing is added to the networks of this machine: that would break off what every other Chromium is loading. The client
connects to the loopback of its namespace, where a socket of this process takes its connections to the server.
"""

import asyncio
import ctypes
import os
import re
import secrets
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import cache

import pytest

from kit.links.relays import Relay

_CLONE_NEWNET = 0x40000000
_FRESH = """
add table inet cut
delete table inet cut
add table inet cut
add chain inet cut out { type filter hook output priority 0; }
add chain inet cut in { type filter hook input priority 0; }
"""
_DROP_PORT = """
add rule inet cut out tcp sport {port} drop
add rule inet cut out tcp dport {port} drop
"""


def run(*command: str, given: str = "") -> str:
    """Run a command that must succeed, and return what it printed."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


class Network:
    """A namespace in which the server at this port is found under `url`."""

    def __init__(self, name: str, port: int) -> None:
        self._name, self._port = name, port
        self.url = f"http://127.0.0.1:{port}"

    @property
    def command(self) -> tuple[str, ...]:
        """What goes before a command that is to run in there."""
        return ("ip", "netns", "exec", self._name)

    def lay(self) -> None:
        """Make the namespace, with a cable to nowhere: without one a browser takes itself for offline.

        Without IPv6: its addresses come a second or two later, and at each new address Chromium breaks off all loads.
        """
        run("ip", "netns", "add", self._name)
        cable = ("link add near type veth peer name far", "addr add 10.77.0.1/24 dev near")
        quiet = ("link set near addrgenmode none", "link set far addrgenmode none")
        for words in (*cable, *quiet, "link set far up", "link set near up", "link set lo up"):
            run("ip", "-n", self._name, *words.split())
        self.heal()

    def listen(self) -> socket.socket:
        """Return a socket that listens in the namespace; entering it moves one thread, which ends with that."""
        with ThreadPoolExecutor(1) as apart:
            return apart.submit(self._listen).result()

    def _listen(self) -> socket.socket:
        libc = ctypes.CDLL(None, use_errno=True)
        with open(f"/run/netns/{self._name}", "rb") as there:
            if libc.setns(there.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        return socket.create_server(("127.0.0.1", self._port))

    def cut(self) -> None:
        """Drop every packet, in both directions and without a word to either side."""
        self._rules(_DROP_PORT.format(port=self._port))

    def forget_flows(self) -> None:
        """Drop the packets of all open connections, as a router does that forgot them; new ones get through."""
        found = re.findall(r"^ESTAB\s+\d+\s+\d+\s+\S+:(\d+)\s", run(*self.command, "ss", "-Htn"), re.MULTILINE)
        clients = {port for port in found if port != str(self._port)}
        assert clients, "there is no connection"
        self._rules(*(_DROP_PORT.format(port=port) for port in clients))

    def heal(self) -> None:
        """Let everything through."""
        self._rules()

    def _rules(self, *rules: str) -> None:
        run(*self.command, "nft", "-f", "-", given="".join((_FRESH, *rules)))

    def remove(self) -> None:
        """Remove the namespace."""
        subprocess.run(("ip", "netns", "del", self._name), capture_output=True, timeout=30)


@asynccontextmanager
async def network(port: int) -> AsyncIterator[Network]:
    """Have a namespace with a way to the server at this port of the loopback for as long as the block lasts."""
    relay = Relay(port)
    with _laid(port) as made:
        server = await asyncio.start_server(relay.accept, sock=made.listen())
        yield made
        server.close()
        relay.drop()
        await relay.finish()


@contextmanager
def _laid(port: int) -> Iterator[Network]:
    made = Network(f"veth{secrets.token_hex(4)}", port)  # so named, servers offer its address last
    try:
        made.lay()
        yield made
    finally:
        made.remove()


@cache
def _obstacle() -> str | None:
    """Say what keeps this machine from having such networks; None if nothing does."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "root"
    missing = [tool for tool in ("ip", "nft", "ss") if shutil.which(tool) is None]
    if missing:
        return ", ".join(missing)
    try:
        with _laid(1) as made:
            made.listen().close()
            return None
    except (AssertionError, OSError) as error:
        return f"a kernel with network namespaces, veth and nftables ({error})"


needs_networks = pytest.mark.skipif(
    _obstacle() is not None, reason=f"clients in networks of their own need {_obstacle()}"
)
