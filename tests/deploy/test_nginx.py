"""The example for nginx, in a real nginx: websockets, addresses and figures come through as they should."""

import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from kit.raw import raw_client
from kit.rooms import open_table
from kit.server import Server, free_port, running_server
from kit.waiting import until

EXAMPLE = Path(__file__).parents[2] / "deploy/nginx/dreadclock.conf"
NAME = "tables.example"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason="nginx is not installed")
SETTINGS = {
    "DREADCLOCK_OPERATOR_KEY": "the operator's",
    "DREADCLOCK_ALLOWED_HOSTS": NAME,
    "DREADCLOCK_ACCESS_LOG": "yes",
    "DREADCLOCK_MAX_CONNECTIONS_PER_ADDRESS": "3",
}


@pytest.fixture
async def behind(tmp_path: Path) -> AsyncIterator[Server]:
    """A server behind nginx, with the settings that go with it."""
    async with running_server(tmp_path / "behind", environment=SETTINGS) as behind:
        yield behind


@pytest.fixture
async def port(behind: Server, tmp_path: Path) -> AsyncIterator[int]:
    """The port of an nginx that runs with the example."""
    port = free_port()
    make_certificate(tmp_path)
    write_configuration(tmp_path, port, behind.port)
    nginx = started(tmp_path)
    try:
        await until(lambda: answers(port, tmp_path))
        yield port
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)


def make_certificate(folder: Path) -> None:
    """Make a key and a certificate that is signed with it."""
    subject = ("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}")
    files = ("-keyout", str(folder / "key"), "-out", str(folder / "certificate"))
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def write_configuration(folder: Path, port: int, server_port: int) -> None:
    """Write the example with the ports and the files of this test, and what nginx needs around it."""
    example = EXAMPLE.read_text()
    for there, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("server 127.0.0.1:7717", f"server 127.0.0.1:{server_port}"),
        ("/etc/ssl/tables.example.pem", str(folder / "certificate")),
        ("/etc/ssl/tables.example.key", str(folder / "key")),
        ("/var/log/nginx/dreadclock.log", str(folder / "access.log")),
    ):
        assert example.count(there) == 1, there
        example = example.replace(there, here)
    (folder / "dreadclock.conf").write_text(example)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log {folder / 'error.log'};"
        f"events {{}} http {{ {temporary} include {folder / 'dreadclock.conf'}; }}"
    )


def started(folder: Path) -> "subprocess.Popen[bytes]":
    """Start nginx."""
    assert NGINX is not None
    return subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"])


def trusting(folder: Path) -> ssl.SSLContext:
    """Trust the certificate that was made for the test."""
    return ssl.create_default_context(cafile=folder / "certificate")


def client(port: int, folder: Path) -> httpx.AsyncClient:
    """Make a client that calls by the name in the certificate, wherever that leads elsewhere."""
    transport = httpx.AsyncHTTPTransport(verify=trusting(folder))
    return httpx.AsyncClient(
        base_url=f"https://127.0.0.1:{port}", headers={"Host": NAME}, transport=transport, timeout=20.0
    )


async def ask(port: int, folder: Path, path: str, **headers: str) -> httpx.Response:
    """Ask through nginx."""
    async with client(port, folder) as http:
        return await http.get(path, headers=headers, extensions={"sni_hostname": NAME})


async def answers(port: int, folder: Path) -> bool:
    """Tell whether nginx and the server behind it answer."""
    try:
        return (await ask(port, folder, "/readyz")).status_code == 200
    except httpx.TransportError:
        return False


async def test_a_table_is_played_through_nginx_and_nothing_leaks_there(
    behind: Server, port: int, tmp_path: Path
) -> None:
    table = await open_table(behind, operator_key="the operator's")
    address = f"wss://{NAME}:{port}/ws/{table.id}"
    async with raw_client(address, host="127.0.0.1", port=port, ssl=trusting(tmp_path)) as ann:
        await ann.hello(table.token("ann"))
        assert (await ann.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"

    key = {"Authorization": "Bearer the operator's"}
    assert (await ask(port, tmp_path, "/metrics", **key)).status_code == 404
    forged = {"X-Forwarded-For": "192.0.2.1"}
    assert (await ask(port, tmp_path, "/healthz?token=canary", **forged)).status_code == 200
    assert "192.0.2.1" not in behind.log_text()
    said = (tmp_path / "access.log").read_text()
    assert "/healthz" in said
    assert "canary" not in said
