"""Read the settings from flags, environment variables and defaults, in this order of precedence."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from dreadclock.wire.plain import plain
from dreadclock_server.settings.table import PREFIX, SETTINGS, Settings
from dreadclock_server.settings.values import HIDDEN, BadSetting

_ALIKE = 0.85  # how similar (0 to 1) a mistyped name must be to a setting's name: one or two letters may differ


@dataclass(frozen=True, slots=True)
class Given:
    """The settings, and the source of each value."""

    settings: Settings
    sources: Mapping[str, tuple[str, ...]]  # by name: ("flag", FLAG), ("environment", VARIABLE) or ("default",)

    def shown(self) -> Iterator[tuple[str, str, str]]:
        """Yield the flag of each setting, its value, and the source of the value. Secrets are hidden."""
        for setting in SETTINGS:
            value = setting.kind.show(getattr(self.settings, setting.name))
            yield setting.flag, plain(value), " ".join(self.sources[setting.name])


def given(flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ) -> Given:
    """Read all settings. `flags`: the texts of flags by the setting's name; None if the flag is not given.

    An empty text counts as no value, so the default applies. Raises BadSetting for a wrong value.
    """
    texts: dict[str, Any] = {}
    sources: dict[str, tuple[str, ...]] = {}
    for setting in SETTINGS:
        flag, variable = flags.get(setting.name), environment.get(setting.variable)
        named = ("environment", setting.variable) if variable else ("default",)
        sources[setting.name] = named if flag is None else ("flag", setting.flag)
        if text := variable if flag is None else flag:
            texts[setting.name] = text
    try:
        return Given(Settings(**texts), sources)
    except ValidationError as error:
        raise BadSetting(_sentence(error.errors()[0], sources)) from None


def _sentence(error: ErrorDetails, sources: Mapping[str, tuple[str, ...]]) -> str:
    """Return a sentence that says what a setting must be, and quotes the wrong text or list item."""
    setting = next(setting for setting in SETTINGS if setting.name == error["loc"][0])
    name = sources[setting.name][-1]
    return f"{name} is {setting.kind.must_be}, not {HIDDEN if setting.kind.is_secret else error['input']!r}."


_OF_CLIENTS = {"LANG"}  # read by the command line, not by the server


def misspelt(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return a warning for each variable that begins with PREFIX and resembles the name of a setting, but is none."""
    valid = {setting.variable.removeprefix(PREFIX) for setting in SETTINGS} | _OF_CLIENTS
    others = (name.removeprefix(PREFIX) for name in sorted(environment) if name.startswith(PREFIX))
    meant = ((name, difflib.get_close_matches(name, valid, 1, _ALIKE)) for name in others if name not in valid)
    return [f"{plain(PREFIX + name)} is not a setting. Did you mean {PREFIX}{near[0]}?" for name, near in meant if near]
