"""The commands `dreadclock backup` and `dreadclock restore`."""

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from dreadclock.cli.installed import data_folder
from dreadclock_server.store.backup import backup as backups
from dreadclock_server.store.backup.archive import BackupUnusable, Manifest
from dreadclock_server.store.embedded.datadir import EmbeddedFailed

T = TypeVar("T")
_Data = Annotated[
    Path | None, typer.Option("--data", help="The server's data folder, found as `serve` finds it.", metavar="<path>")
]


def backup(
    target: Annotated[Path, typer.Argument(help="A new file, or a folder for one named after the time.")],
    data: _Data = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check a backup that was made instead.")] = False,
) -> None:
    """Save all rooms of a server while it runs.

    It is for the embedded store. The backup holds every command that was acknowledged before it began, and was loaded
    and walked through once before it counts. It is one file that only you may read: it holds the secrets of all rooms,
    so keep it where nobody else can. Beside it there must be room for the store once more. A store of your own
    (--store) has tools of its own.
    """
    if verify:
        _print("Sound", target, _done(lambda: backups.verify(target)))
    else:
        _print("Saved", *_done(lambda: backups.back_up(data_folder(data), target)))


def restore(
    file: Annotated[Path, typer.Argument(help="What `dreadclock backup` made.")],
    data: _Data = None,
) -> None:
    """Bring a backup back into a new or empty data folder.

    Nothing is ever overwritten. Then `dreadclock serve --data` serves from it: rooms, seats, links and sessions are as
    they were. Links that were revoked after the backup open again. Who saw more than the backup holds is told that the
    log is another one.
    """
    folder = data_folder(data)
    _print("Restored", file, _done(lambda: backups.restore(file, folder)))
    typer.echo(f"Serve it with: dreadclock serve --data {folder}")


def _done(work: Callable[[], T]) -> T:
    before = logging.root.manager.disable
    logging.disable()  # what is said of the copy that is looked at is no news
    try:
        with _ending_in_order():
            return work()
    except (backups.BackupFailed, BackupUnusable, EmbeddedFailed) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    finally:
        logging.disable(before)


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """See that who is told to end deletes the copy of the store that is being looked at."""
    if threading.current_thread() is not threading.main_thread():  # only it hears signals
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise SystemExit(128 + number)


def _print(what: str, path: Path, manifest: Manifest) -> None:
    size = sum(size for size, _ in manifest.files.values())
    typer.echo(f"{what}: {path}")
    typer.echo(
        f"Begun {manifest.at}: {manifest.rooms} rooms, {manifest.entries} entries, {size} bytes of store "
        f"(dreadclock {manifest.dreadclock}, Valkey {manifest.valkey})."
    )
