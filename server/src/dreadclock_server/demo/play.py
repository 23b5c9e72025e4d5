"""`dreadclock demo`: the worked examples of the rules, played by four seats over real websockets."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import typer

from dreadclock.client.rest import ask
from dreadclock.wire.calls import OPEN_IN_PLAY
from dreadclock_server.demo.child import own_server
from dreadclock_server.demo.ending import check_dice, check_everyone, check_race, summary
from dreadclock_server.demo.narrator import Storyteller
from dreadclock_server.demo.table import DemoFailed, Table, seated
from dreadclock_server.demo.worked import play_checks, play_dying, play_race, play_totals

LONGEST_S = 60
_TERMINATED = 128 + signal.SIGTERM


def play() -> None:
    """Play the worked examples, and print the story.

    The sentences tell what a spectator sees. The exit code is 1 if an example does not end as it should, or if a view
    differs from the server's. On a terminal, you can then watch a demo room in a browser, until Ctrl-C. At the end
    the server stops, and its data are removed, even after an error.
    """
    try:
        asyncio.run(_play(typer.echo))
    except DemoFailed as failed:
        typer.echo(str(failed), err=True)
        raise typer.Exit(1) from None
    except TimeoutError:
        typer.echo(f"The story did not end within {LONGEST_S} seconds.", err=True)
        raise typer.Exit(1) from None
    except asyncio.CancelledError:
        raise typer.Exit(_TERMINATED) from None


async def _play(say: Callable[[str], None]) -> None:
    with _ended_by_sigterm():
        async with own_server() as url:
            async with asyncio.timeout(LONGEST_S), seated(url) as table:
                await _tell(table, say)
            if sys.stdout.isatty():
                await _show(url, say)


async def _show(url: str, say: Callable[[str], None]) -> None:
    """Open a demo room and print its link. Serve it until Ctrl-C."""
    room = await ask(OPEN_IN_PLAY, url, None, {})
    tokens = ".".join(grant.token for grant in (room.gm, room.player, room.spectator))
    say("\nNow see a demo room in a browser, as gm, player and spectator side by side. Ctrl-C stops the server.\n")
    say(f"  {url}/in-play/{room.room_id}#{tokens}\n")
    await asyncio.Event().wait()


async def _tell(table: Table, say: Callable[[str], None]) -> None:
    teller = Storyteller(table, say)
    await play_race(teller)
    check_race(table)
    await play_checks(teller)
    await play_totals(teller)
    check_dice(table)
    rolls = await play_dying(teller)
    await check_everyone(table)
    await teller.say("The end")
    for line in summary(table, rolls):
        say(line)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let a SIGTERM cancel the running task, so that the task cleans up."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # Windows
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGTERM)
