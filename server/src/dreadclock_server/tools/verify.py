"""`dreadclock verify`: check an export offline, including the rules."""

from dreadclock.cli.verify import command
from dreadclock_server.evening.verify import verify as check

verify = command(check)
