"""The program `dreadclock`. Loads only the command that is used, and prints an error as one sentence."""

import errno
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated, Any

import typer

from dreadclock.cli.installed import install_command, start_command
from dreadclock.gc_pause import gc_paused
from dreadclock.wire.errors import ConnectionEnded, DreadclockError, Refused
from dreadclock.wire.plain import finished

GROUP = "dreadclock.commands"  # the group of entry points with which packages add commands
FAILED = 1
MISUSED = 2

_OWN = [  # modules with a function of the same name; a name that Python itself uses ends in `_`
    EntryPoint(name.rstrip("_"), f"dreadclock.cli.{name}:{name}", GROUP)
    for name in ("export", "import_", "invite", "knock", "knocks", "open_", "send", "verify")
]
# Copies of the first lines of the commands' docstrings, so that `dreadclock --help` need not import the commands. A
# test compares both.
SUMMARIES = {
    "backup": "Save all rooms of a server while it runs.",
    "demo": "Play the worked examples, and print the story.",
    "export": "Write all that a link may see of a room to a file.",
    "import": "Open a room that goes on from an export, and print its gm's link.",
    "invite": "Invite somebody to a room: make a seat, and print its link.",
    "knock": "Ask a room's gm for a seat, and print its link.",
    "knocks": "List the knocks at a room, or answer a knock.",
    "mcp": "Serve a seat at a table to an assistant, over stdin and stdout.",
    "odds": "Exact odds of every rule.",
    "open": "Open a room on a server, and print its gm's link.",
    "overlay": "Write a page for OBS that waits for the server's overlay.",
    "recap": "Make a page about an evening.",
    "relay": "Post a room's events to Discord, webhooks, dddice and OBS.",
    "replay": "Show an evening again, event by event.",
    "resolve": "What your own dice mean under the rules.",
    "restore": "Restore a backup into a new or empty data folder.",
    "rooms": "Rooms of a server that you run.",
    "send": "Send one command to a room, and say what it led to.",
    "serve": "Serve rooms until Ctrl-C.",
    "verify": "Check an export: its log, its dice, and the rules.",
    "watch": "Watch a room as a picture that follows every event.",
}
_HELP = "--help"
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_WORDS_OF_PYTHON = "Value error, "  # typer puts this before the message about a wrong choice
_NO_NUMBER = re.compile("Input should be a valid integer(, unable to parse string as an integer)?")
_UNREACHED = re.compile(r"(?:ws|http)(s?://[^/ ]+)\S* cannot be reached: (.*)", re.DOTALL)


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code. Print an error as one sentence on stderr."""
    _never_fail_to_print()
    try:
        return _invoke(list(arguments))
    except typer.TyperException as error:
        return _complain(_plainly(error), error.exit_code)
    except ConnectionEnded as ended:
        return _complain(_unreached(ended.reason), FAILED)
    except Refused as refused:
        return _complain(f"Refused: {refused.sentence}", FAILED)
    except DreadclockError as error:
        return _complain(str(error), FAILED)
    except typer.Abort:
        return FAILED
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _print_nowhere()
        return _complain(f"the output cannot be written: {error.strerror}", FAILED)


def _plainly(error: typer.TyperException) -> str:
    """Return typer's message, without the terms of Python and pydantic."""
    return _NO_NUMBER.sub("write one whole number", error.format_message().replace(_WORDS_OF_PYTHON, ""))


def _unreached(reason: str) -> str:
    """If no server answers, return a sentence that is the same for every command. Return other reasons unchanged."""
    match = _UNREACHED.fullmatch(reason)
    if match is None:
        return reason
    from dreadclock.client.links import is_local  # imports pydantic, which the list of commands does not need

    server = f"http{match[1]}"
    hint = f". Is it running ({start_command()})?" if is_local(server) else f": {match[2]}"
    return f"No server answers at {server}{hint}"


def _print_nowhere() -> None:
    """Discard buffered output. Otherwise Python would try to write it again at exit, and end with code 120."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _never_fail_to_print() -> None:
    """Print a question mark for a character that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(problem: str, exit_code: int) -> int:
    first, _, _ = problem.partition(" ")
    typer.echo(finished(problem[:1].upper() + problem[1:] if first.isalpha() else problem), err=True)
    return exit_code


def _invoke(arguments: list[str]) -> int:
    commands = _commands()
    name = next((argument for argument in arguments if not argument.startswith("-")), None)
    if name is not None and name not in commands:
        return _complain(*_no_command(name, commands))
    wanted = [name] if name is not None else []
    with gc_paused():
        loaded = {command: commands[command].load() for command in wanted}
    if not arguments or _HELP in arguments:
        loaded |= {command: _listed(command, commands[command]) for command in sorted(commands) if name is None}
    if not arguments or (arguments == wanted and isinstance(loaded[wanted[0]], typer.Typer)):
        arguments.append(_HELP)  # a command group without arguments lists its commands
    result = _program(loaded)(arguments, prog_name="dreadclock", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _listed(name: str, command: EntryPoint) -> Callable[..., Any] | typer.Typer:
    """Return a placeholder for a command in the list of commands, with the first line of its help.

    A command without an entry in SUMMARIES comes from another package. Then returns the command itself, which must be
    loaded for its help.
    """
    if name not in SUMMARIES:
        return command.load()  # type: ignore[no-any-return]

    def stand_in() -> None: ...

    stand_in.__doc__ = SUMMARIES[name]
    return stand_in


def _commands() -> dict[str, EntryPoint]:
    """Return all installed commands by name. Other packages cannot replace our commands, but the server replaces
    `verify`.
    """
    added = entry_points(group=GROUP)
    of_the_server = [entry for entry in added if entry.value.startswith("dreadclock_server.")]
    return {entry.name: entry for entry in (*added, *_OWN, *of_the_server)}


def _no_command(name: str, commands: dict[str, EntryPoint]) -> tuple[str, int]:
    if name in SUMMARIES:
        adding = install_command("dreadclock-server", "[mcp]" if name == "mcp" else "")
        return f"`dreadclock {name}` comes with the server: {adding} adds it", FAILED
    *most, last = sorted(commands)
    return f"There is no command {name!r}, only {', '.join(most)} and {last}", MISUSED


def _program(commands: dict[str, Callable[..., Any] | typer.Typer]) -> typer.Typer:
    program = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    program.callback()(_dreadclock)
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            program.add_typer(command, name=name)
        else:
            program.command(name)(command)
    return program


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dreadclock {version('dreadclock')}")
        raise typer.Exit


def _dreadclock(
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Tables that run on dice pools and clocks."""
