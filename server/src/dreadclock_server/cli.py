"""The server's own command: `dreadclock serve`."""

import logging
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import structlog
import typer
from rich.console import Console
from rich.text import Text

from dreadclock_server.app import Application
from dreadclock_server.first_room import first_room
from dreadclock_server.gateway.caps import Caps
from dreadclock_server.serving import CannotServe, run
from dreadclock_server.serving import serve as serve_until_stopped
from dreadclock_server.settings import MOST_CONNECTIONS, BadSetting, Settings, from_environment
from dreadclock_server.store.datadir import EmbeddedFailed
from dreadclock_server.store.fitness import StoreUnfit

_DURABILITIES = ("fsync", "memory")
_Most = Annotated[int | None, typer.Option(help="The most at a time.", min=1, max=MOST_CONNECTIONS)]


def log_to_stderr() -> None:
    """Send the server's log to stderr, one line an entry."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            # Not the renderer's own traceback: it shows local variables, and so secrets.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(asctime)s %(name)s %(message)s")


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 7717,
    data: Annotated[Path, typer.Option(help="Directory of the embedded Valkey and of the links.")] = Path(
        "dreadclock-data"
    ),
    store: Annotated[str | None, typer.Option(help="redis://, rediss:// or unix:// of a server of your own.")] = None,
    durability: Annotated[str, typer.Option(help="fsync: an answer means on disk; memory: it does not.")] = "fsync",
    trust_store_durability: Annotated[
        bool,
        typer.Option(
            "--trust-store-durability", help="Take your word for the settings of a store that does not show them."
        ),
    ] = False,
    max_connections: _Most = None,
    max_connections_per_address: _Most = None,
    max_connections_per_room: _Most = None,
    max_connections_per_seat: _Most = None,
) -> None:
    """Serve rooms until Ctrl-C."""
    if durability not in _DURABILITIES:
        raise typer.BadParameter("durability is fsync or memory")
    log_to_stderr()
    try:
        settings = from_environment()
        settings = replace(
            settings,
            caps=capped(
                settings.caps,
                in_all=max_connections,
                per_address=max_connections_per_address,
                per_room=max_connections_per_room,
                per_seat=max_connections_per_seat,
            ),
            host=host,
            port=port,
            data=data,
            store=store,
            durability=durability,
            trust_store_durability=trust_store_durability,
        )
        run(serve_until_stopped(settings, lambda app: _say_ready(app, settings)))
    except (BadSetting, CannotServe, EmbeddedFailed, StoreUnfit) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        pass


def capped(caps: Caps, **asked: int | None) -> Caps:
    """Return the caps with those instead that were asked for."""
    return replace(caps, **{name: most for name, most in asked.items() if most is not None})


async def _say_ready(app: Application, settings: Settings) -> None:
    room = await first_room(app, settings)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"Dreadclock serves on {settings.url}  (durability: {app.rooms.store.durability})")
    console.print("Open a link in a browser; each is the key to a seat:\n")
    for role, link in room.links(settings.url).items():
        console.print(Text(f"  {role:10} {link}"))
    if room.news:
        console.print(Text(f"  {room.news}"))
    name = _own_name()
    console.print(Text(f"\nInvite with:   {name} invite GM_LINK --role player --name Ines"))
    console.print(Text(f"Or look on:    {name} watch LINK        Stop with Ctrl-C."))
    console.file.flush()


def _own_name() -> str:
    """Return what to type for this program."""
    return "dreadclock" if shutil.which("dreadclock") else sys.argv[0]
