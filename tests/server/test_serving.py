"""What a server takes of the system it runs on."""

import socket
import subprocess
import sys

import pytest
from starlette.types import Receive, Scope, Send

from dreadclock_server.serving import MOST_NOT_SENT, SILENT_MS, CannotServe, config_for, listening_socket
from dreadclock_server.settings.given import given
from kit.servers import nursery

_ASK = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from dreadclock_server.gateway.limits.caps import Caps
from dreadclock_server.serving import within_files
print(within_files(Caps(in_all=300)).in_all, *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files are not limited like this")
@pytest.mark.parametrize(
    ("soft", "hard", "connections", "files"),
    [(500, 600, 300, 500), (100, 600, 300, 364), (100, 200, 136, 200)],
    ids=["enough", "enough to be had", "too few"],
)
def test_connections_get_the_files_they_need_or_are_fewer(soft: int, hard: int, connections: int, files: int):
    status, said = nursery.run(_ASK.format(soft=soft, hard=hard))

    assert (status, said.splitlines()[-1].split()) == (0, [str(connections), str(files), str(hard)])


HOSTS = ("127.0.0.1", "::1", "10.0.0.1", "10.0.1.7", "10.0.2.1", "::ffff:127.0.0.1", "::ffff:10.0.1.7")


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing."""


@pytest.mark.parametrize(
    ("named", "believed"),
    [
        ("10.0.0.1, 10.0.1.0/24", ["10.0.0.1", "10.0.1.7", "::ffff:10.0.1.7"]),
        ("::1, fd00::/8", ["::1"]),
        (None, ["127.0.0.1", "::1", "::ffff:127.0.0.1"]),
        ("*", [*HOSTS]),
    ],
)
def test_only_named_proxies_speak_for_others(named: str | None, believed: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    proxies = config_for(nothing, given({}, {"DREADCLOCK_TRUSTED_PROXIES": named or ""}).settings).proxies

    assert [host for host in HOSTS if host in proxies] == believed


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no such limit")
def test_the_kernel_takes_little_for_a_connection_and_gives_up_one_that_takes_nothing():
    with (
        listening_socket("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == SILENT_MS
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) == MOST_NOT_SENT


def test_a_port_that_is_taken_is_answered_with_a_second_server_that_can_start():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CannotServe) as refused:
        listening_socket("127.0.0.1", taken.getsockname()[1])

    assert "Perhaps a server runs there already: then use that one, or stop it." in str(refused.value)
    assert str(refused.value).endswith('make run ARGS="--port 7718 --data second-data"')


_BEGIN = """
from dreadclock.wire.base import Model
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.events import EVENT
from dreadclock.wire.frames import CLIENT_FRAME, SERVER_FRAME
import dreadclock_server.app
from dreadclock_server.serving import run

async def work():
    models = [Model]
    for model in models:
        models += model.__subclasses__()
    print(len(models) > 250, {model.__name__ for model in models if not model.__pydantic_complete__} or "none")
    print([adapter.pydantic_complete for adapter in (COMMAND, EVENT, CLIENT_FRAME, SERVER_FRAME)])

run(work())
"""


def test_all_validators_are_built_before_a_server_answers():
    done = subprocess.run([sys.executable, "-c", _BEGIN], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.splitlines() == ["True none", "[True, True, True, True]"]
