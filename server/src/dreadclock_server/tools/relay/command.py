"""`dreadclock relay`: post the events of a room to other services."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Annotated, TextIO

import typer

from dreadclock_server.tools.relay.relay import Relay, state_folder
from dreadclock_server.tools.relay.secrets import Discreet, Secrets, fetched, readable_by_others
from dreadclock_server.tools.relay.settings import read_settings, schema

_LAYOUT = "%(asctime)s %(levelname)s %(message)s"
_log = logging.getLogger("dreadclock.relay")


def relay(
    settings: Annotated[
        Path | None, typer.Argument(metavar="SETTINGS", help="A TOML file: what to post, and where.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check the settings and their secrets, and stop.")] = False,
    again: Annotated[
        list[str] | None, typer.Option("--again", metavar="TARGET", help="Try a stopped target again.")
    ] = None,
    show_schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the settings, and stop.")
    ] = False,
) -> None:
    """Post a room's events to Discord, webhooks, dddice and OBS.

    Each of these services is a target. It gets what everyone at the table sees, and also what only the gm sees if its
    settings name the channel "gm". Secrets stay in the environment or in files. You may stop the relay at any time:
    when it runs again, webhooks and Discord's story get the events that they have missed.
    """
    if show_schema:
        typer.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
        return
    if settings is None:
        raise typer.BadParameter("it is missing; --schema prints all possible settings", param_hint="SETTINGS")
    relay_settings, folder = read_settings(settings), settings.absolute().parent
    for name in again or ():
        if name not in relay_settings.targets:
            raise typer.BadParameter(f"there is no target {name!r}", param_hint="--again")
    secrets = fetched(relay_settings, folder)
    _begin_logging(secrets)
    for path in readable_by_others(relay_settings, folder):
        _log.warning("other users of this machine may read the secret in %s: prevent this with chmod 600", path)
    if check:
        typer.echo(f"The settings are valid, and all secrets are there: {', '.join(relay_settings.targets)}.")
        return
    asyncio.run(Relay(relay_settings, secrets, state_folder(relay_settings, folder, secrets.link), again or ()).run())
    raise typer.TyperException("every target has stopped")


def _begin_logging(secrets: Secrets) -> None:
    """Log to stderr, without secrets."""
    shown = _Patient()
    shown.setFormatter(Discreet(_LAYOUT, secrets.all()))
    shown.addFilter(_is_news)
    logging.basicConfig(level=logging.INFO, handlers=[shown])
    logging.getLogger("websockets").setLevel(logging.WARNING)


class _Patient(logging.StreamHandler[TextIO]):
    """Writes to stderr, and ignores errors of the write, such as a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging calls it so
        """Ignore the error."""


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for a warning about dice, for example that another device of the link's seat has rolled."""
    return record.name != "dreadclock.dice" or record.levelno >= logging.ERROR
