"""What a server takes of the system it runs on."""

import subprocess
import sys

import pytest

_ASK = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from dreadclock_server.gateway.caps import Caps
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
    done = subprocess.run(
        [sys.executable, "-c", _ASK.format(soft=soft, hard=hard)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1].split() == [str(connections), str(files), str(hard)]
