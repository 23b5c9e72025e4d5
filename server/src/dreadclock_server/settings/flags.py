"""Options of a typer command, one for each setting."""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from dreadclock_server.settings.table import SETTINGS, Setting
from dreadclock_server.settings.values import NONE

Flags = Mapping[str, str | bool | None]  # by the setting's name; None if the option is not given


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting to a command, before its other options.

    The command gets the values as keyword arguments.
    """
    parameters = inspect.signature(command).parameters.values()
    own = [parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    options = [_option(setting) for setting in SETTINGS]
    command.__signature__ = inspect.Signature([*options, *own])  # type: ignore[attr-defined]
    return command


def as_texts(flags: Flags) -> dict[str, str | None]:
    """Return the flags as texts, as in environment variables. A switch becomes `yes` or `no`."""
    words = {True: "yes", False: "no"}
    return {name: words[value] if isinstance(value, bool) else value for name, value in flags.items()}


def _option(setting: Setting) -> inspect.Parameter:
    names = (f"{setting.flag}/--no-{setting.flag[2:]}",) if setting.is_switch else (setting.flag,)
    metavar = None if setting.is_switch else f"<{setting.kind.word}>"
    default = "" if setting.shown_default == NONE else f" [{setting.shown_default}]"
    option: Any = typer.Option(*names, help=setting.meaning + default, metavar=metavar)
    value = bool if setting.is_switch else str
    return inspect.Parameter(
        setting.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Annotated[value | None, option]
    )
