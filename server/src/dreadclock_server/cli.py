"""The server's own command: `dreadclock serve`."""

import asyncio
import os
import shutil
import sys
import threading
import webbrowser
from typing import Annotated

import structlog
import typer

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Refused
from dreadclock_server.app import Application
from dreadclock_server.first_room import first_room
from dreadclock_server.journal import Throttle, end_quietly, keep_journal
from dreadclock_server.lan import lan_lines, with_lan
from dreadclock_server.serving import CannotServe, run
from dreadclock_server.serving import serve as serve_until_stopped
from dreadclock_server.settings.flags import as_texts, with_flags
from dreadclock_server.settings.given import Given, given, misspelt
from dreadclock_server.settings.table import Settings
from dreadclock_server.settings.values import BadSetting
from dreadclock_server.store.base import StoreError
from dreadclock_server.store.embedded.datadir import EmbeddedFailed
from dreadclock_server.store.preflight import StoreSilent, StoreUnfit


@with_flags
def serve(
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print every setting with its value and its source, and stop.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the gm's page in a browser.")] = False,
    **flags: str | bool | None,
) -> None:
    """Serve rooms until Ctrl-C.

    A setting is given as an option or a variable, such as --max-connections or DREADCLOCK_MAX_CONNECTIONS.
    Options win.
    """
    _open_closed_streams()
    for warning in misspelt():
        typer.echo(warning, err=True)
    try:
        chosen = given(as_texts(flags))
        if show_settings:
            _print_settings(chosen)
        else:
            throttle = keep_journal(chosen.settings.log_format, chosen.settings.log_level)
            run(_serve(with_lan(chosen.settings), throttle, open_browser))
    except (CannotServe, EmbeddedFailed, StoreSilent) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    except (BadSetting, StoreUnfit) as error:  # a restart cannot help
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        pass
    except Exception:  # the log omits the error's text, which may contain a secret
        structlog.get_logger().exception("bug", where="serve")
        raise typer.Exit(1) from None


async def _serve(settings: Settings, throttle: Throttle, open_browser: bool) -> None:
    telling = asyncio.create_task(throttle.keep_telling())
    try:
        await serve_until_stopped(settings, lambda app: _say_ready(app, settings, open_browser))
    finally:
        telling.cancel()
        throttle.tell_left_out()
        end_quietly()


def _print_settings(chosen: Given) -> None:
    rows = list(chosen.shown())
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, value, source in rows:
        typer.echo(f"{name:{wide[0]}}  {value:{wide[1]}}  {source}")


def _open_closed_streams() -> None:
    """Replace closed standard streams by the null device. uvloop aborts if a socket gets descriptor 0, 1 or 2."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


async def _say_ready(app: Application, settings: Settings, open_browser: bool) -> None:
    lines = [f"Dreadclock serves on {settings.url}  (durability: {app.rooms.store.durability})"]
    if settings.first_room:
        lines += await _links(app, settings, open_browser)
    try:
        # Not printed with rich: if the reader of stdout is gone, rich raises SystemExit and the server would end.
        typer.echo("\n".join(lines))
    except OSError as error:  # a full disk, or a pipe that nobody reads; the next start prints the links again
        structlog.get_logger().warning("the address of the server could not be printed", error=str(error))


async def _links(app: Application, settings: Settings, open_browser: bool) -> list[str]:
    """Return the lines about the first room.

    Makes the room if there is none. `open_browser`: show its page in a browser.
    """
    try:
        room = await first_room(app, settings)
    # for example, the disk is full; the server still serves the existing rooms
    except (StoreError, Refused, OSError) as error:
        return [f"There is no first room, because it could not be opened and stored: {error}"]
    links = room.links(settings.url)
    if open_browser:  # in a thread, because a terminal browser blocks until it ends
        threading.Thread(target=webbrowser.open, args=(links[Role.GM],), daemon=True).start()
    name = "dreadclock" if shutil.which("dreadclock") else sys.argv[0]  # how to call this program
    return [
        "Open a link in a browser; each is the key to a seat:\n",
        *(f"  {role:10} {link}" for role, link in links.items()),
        *([f"  {room.news}"] if room.news else ()),
        f"\nInvite with:   {name} invite GM_LINK --role player --name Ines",
        f"Or look on:    {name} watch LINK        Stop with Ctrl-C.",
        *(lan_lines(settings, room.room_id, with_qr=sys.stdout.isatty()) if settings.is_everywhere else ()),
    ]
