"""The server with the validators of all messages built, for the process that servers are forked from."""

import dreadclock_server.cli  # noqa: F401 - what the forks run
from dreadclock_server.serving import build_validators

build_validators()
