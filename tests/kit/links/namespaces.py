"""A network of its own for a client: a Linux network namespace, joined to this machine by a cable that can go silent.

with network() as net:
    ...  # start the client with net.command, and let it connect to net.address
    net.cut()
"""

import os
import random
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

_FRESH = """
add table inet cut
delete table inet cut
add table inet cut
add chain inet cut out { type filter hook output priority 0; }
add chain inet cut in { type filter hook input priority 0; }
"""
_DROP_HOST = """
add rule inet cut out ip daddr {host} drop
add rule inet cut in ip saddr {host} drop
"""
_DROP_PORT = """
add rule inet cut out tcp sport {port} drop
add rule inet cut in tcp dport {port} drop
"""


def run(*command: str, given: str = "") -> str:
    """Run a command that must succeed, and return what it printed."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


class Network:
    """A namespace: `address` is this machine's end of the cable."""

    def __init__(self, name: str) -> None:
        self._name, subnet = name, f"10.{random.randrange(16, 250)}.{random.randrange(256)}"
        self.address, self._far = f"{subnet}.1", f"{subnet}.2"

    @property
    def command(self) -> tuple[str, ...]:
        """What goes before a command that is to run in there."""
        return ("ip", "netns", "exec", self._name)

    def lay(self) -> None:
        """Make the namespace and the cable."""
        near, far = f"{self._name}a", f"{self._name}b"
        run("ip", "netns", "add", self._name)
        run("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", self._name)
        run("ip", "addr", "add", f"{self.address}/24", "dev", near)
        run("ip", "link", "set", near, "up")
        for words in (f"addr add {self._far}/24 dev {far}", f"link set {far} up", "link set lo up"):
            run("ip", "-n", self._name, *words.split())
        self.heal()

    def cut(self) -> None:
        """Drop every packet, in both directions and without a word to either side."""
        self._rules(_DROP_HOST.format(host=self.address))

    def forget_flows(self) -> None:
        """Drop the packets of all open connections, as a router does that forgot them; new ones get through."""
        open_ports = re.findall(r"^ESTAB\s+\d+\s+\d+\s+\S+:(\d+)\s", run(*self.command, "ss", "-Htn"), re.MULTILINE)
        assert open_ports, "there is no connection"
        self._rules(*(_DROP_PORT.format(port=port) for port in open_ports))

    def heal(self) -> None:
        """Let everything through."""
        self._rules()

    def _rules(self, *rules: str) -> None:
        run(*self.command, "nft", "-f", "-", given="".join((_FRESH, *rules)))

    def remove(self) -> None:
        """Remove the namespace, and the cable with it."""
        subprocess.run(("ip", "netns", "del", self._name), capture_output=True, timeout=30)


@contextmanager
def network() -> Iterator[Network]:
    """Have a namespace for as long as the block lasts."""
    made = Network(f"dc{secrets.token_hex(4)}")
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
        with network():
            return None
    except AssertionError as error:
        return f"a kernel with network namespaces, veth and nftables ({error})"


needs_networks = pytest.mark.skipif(
    _obstacle() is not None, reason=f"clients in networks of their own need {_obstacle()}"
)
