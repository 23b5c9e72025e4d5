"""`dreadclock verify`: check an export offline, its rules too."""

from dreadclock.cli.verify import command
from dreadclock_server.evening.verify import verify as check

verify = command(check)
