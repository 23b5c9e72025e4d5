"""What an operator can set: one row a setting, from which flags, variables and the page about them are made."""

from dreadclock_server.settings.given import Given, from_environment, given, misspelt
from dreadclock_server.settings.kinds import BadSetting
from dreadclock_server.settings.table import LOOPBACK, PREFIX, SETTINGS, Setting, Settings

__all__ = [
    "LOOPBACK",
    "PREFIX",
    "SETTINGS",
    "BadSetting",
    "Given",
    "Setting",
    "Settings",
    "from_environment",
    "given",
    "misspelt",
]
