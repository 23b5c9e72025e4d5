"""What an operator gave: flags win over the environment, and the environment over defaults."""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dreadclock.wire.plain import plain
from dreadclock_server.settings.kinds import BadSetting
from dreadclock_server.settings.table import PREFIX, SETTINGS, Setting, Settings

_ALIKE = 0.85  # of 1; a mistyped letter or two, and no variable of another program


class Source(StrEnum):
    """Where a value came from."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Given:
    """The settings, and where each came from."""

    settings: Settings
    sources: Mapping[str, Source]  # by the setting's name

    def shown(self) -> Iterator[tuple[str, str, str]]:
        """Tell of each setting its flag, its value and where that came from; no secret is shown."""
        for setting in SETTINGS:
            value = setting.kind.show(getattr(self.settings, setting.name))
            yield setting.flag, plain(value), _told(setting, self.sources[setting.name])


def given(flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ) -> Given:
    """Read all settings. `flags`: by the setting's name, None if not given. Raises BadSetting."""
    values: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    for setting in SETTINGS:
        values[setting.name], sources[setting.name] = _chosen(setting, flags.get(setting.name), environment)
    return Given(Settings(**values), sources)


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read all settings where there are no flags. Raises BadSetting."""
    return given({}, environment).settings


_OF_CLIENTS = {"LANG"}  # the command line's language


def misspelt(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Warn, a sentence each, of variables that look like a setting and are none."""
    known = {setting.variable.removeprefix(PREFIX) for setting in SETTINGS} | _OF_CLIENTS
    others = (name.removeprefix(PREFIX) for name in sorted(environment) if name.startswith(PREFIX))
    meant = ((name, difflib.get_close_matches(name, known, 1, _ALIKE)) for name in others if name not in known)
    return [f"{plain(PREFIX + name)} is no setting: {PREFIX}{near[0]} is." for name, near in meant if near]


def _chosen(setting: Setting, flag: str | None, environment: Mapping[str, str]) -> tuple[Any, Source]:
    """Return a value and its source; an empty text stands for the default."""
    if flag is not None:
        return _read(setting, setting.flag, flag), Source.FLAG
    if text := environment.get(setting.variable):
        return _read(setting, setting.variable, text), Source.ENVIRONMENT
    return setting.default, Source.DEFAULT


def _read(setting: Setting, name: str, text: str) -> Any:
    try:
        return setting.kind.read(text) if text else setting.default
    except ValueError as error:
        raise BadSetting(f"{name} is {setting.kind.must_be}, not {error.args[0]!r}.") from None


def _told(setting: Setting, source: Source) -> str:
    names = {Source.FLAG: f" {setting.flag}", Source.ENVIRONMENT: f" {setting.variable}", Source.DEFAULT: ""}
    return source + names[source]
