"""`dreadclock mcp`: a seat at a table for an assistant that speaks the Model Context Protocol."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Annotated, Final

import typer

from dreadclock.cli.installed import install_command
from dreadclock.cli.language import LANGUAGE, narrator_of
from dreadclock.cli.links import HELP, opened_link
from dreadclock.client.links import Link
from dreadclock.narration import ENGLISH

_NEEDED: Final = ("anyio", "mcp", "mcp_types")
_NOT_INSTALLED: Final = (
    f"The assistant's part is not installed: {install_command('dreadclock-server', '[mcp]')} adds it"
)
_ONE: Final = "name the link in one way: as LINK, with --link-env or with --link-file"
_MOST: Final = 4096  # characters of a link


def mcp(
    link: Annotated[str | None, typer.Argument(metavar="[LINK]", help=HELP, show_default=False)] = None,
    link_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read the link from this environment variable.")
    ] = None,
    link_file: Annotated[Path | None, typer.Option(metavar="FILE", help="Read the link from this file.")] = None,
    tools: Annotated[
        str | None,
        typer.Option(
            metavar="GROUPS",
            help="Which commands get tools of their own: usual, table, characters, countdowns, clocks, scenes, rolls "
            "or all, with commas between them. The others are given with the tool `command`.",
        ),
    ] = None,
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Serve a seat at a table to an assistant, over stdin and stdout.

    A program that speaks the Model Context Protocol starts this command, and gets tools for everything that the
    link's seat may see or do. At most 40 tools are listed, the most usual ones, unless --tools names others. Lists of
    processes show arguments, so read the link from a variable or a file if others use this machine.
    """
    narrator, opened = narrator_of(lang), _link(link, link_env, link_file)
    try:
        from dreadclock_server.tools.assistant.choosing import GROUPS
        from dreadclock_server.tools.assistant.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise typer.TyperException(_NOT_INSTALLED) from None
    groups = _groups(tools, GROUPS)
    # the system's handler ends the process at once; Python's handler would wait for the thread that reads stdin
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        asyncio.run(serve(opened, narrator, groups))
    finally:
        signal.signal(signal.SIGINT, before)


def _groups(text: str | None, names: tuple[str, ...]) -> tuple[str, ...]:
    """Read the names of groups. Raises BadParameter if a name is unknown."""
    groups = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    if unknown := [group for group in groups if group not in names]:
        *most, last = names
        raise typer.BadParameter(
            f"there is no group {unknown[0]!r}, only {', '.join(most)} and {last}", param_hint="--tools"
        )
    return groups


def _link(link: str | None, link_env: str | None, link_file: Path | None) -> Link:
    """Return the link that the argument or one of two options names.

    Raises BadParameter if not exactly one is given, or if the link cannot be read. The error does not show the link.
    """
    if [link, link_env, link_file].count(None) != 2:
        raise typer.BadParameter(_ONE, param_hint="LINK")
    if link_file is not None:
        return opened_link(_read(link_file), "--link-file")
    if link_env is not None:
        if not os.environ.get(link_env):
            raise typer.BadParameter(f"the variable {link_env} is not set", param_hint="--link-env")
        return opened_link(os.environ[link_env], "--link-env")
    return opened_link(link or "")


def _read(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as source:
            return source.read(_MOST)
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{file} holds no text", param_hint="--link-file") from None
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {error.strerror}", param_hint="--link-file") from None
