"""The server as it is imported, with the validators of all messages built, for the process that servers are forked from."""

import dreadclock_server.cli
from dreadclock_server.serving import build_validators

build_validators()
