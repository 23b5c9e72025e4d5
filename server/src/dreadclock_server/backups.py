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
    verify: Annotated[bool, typer.Option("--verify", help="Check an existing backup instead of making one.")] = False,
) -> None:
    """Save all rooms of a server while it runs.

    This is for the embedded store. For a store of your own (--store), use that store's tools. A backup contains every
    command that was acknowledged before the backup began. It is checked before it is saved: a second Valkey loads the
    copy, and every room is read. This needs disk space for a second copy of the store. The backup is one file that
    only you may read. Keep it safe: it contains the secrets of all rooms.
    """
    if verify:
        _print("Sound", target, _done(lambda: backups.verify(target)))
    else:
        _print("Saved", *_done(lambda: backups.back_up(data_folder(data), target)))


def restore(
    file: Annotated[Path, typer.Argument(help="The file that `dreadclock backup` made.")],
    data: _Data = None,
) -> None:
    """Restore a backup into a new or empty data folder.

    Existing files are never overwritten. Afterwards `dreadclock serve --data` serves the restored rooms, with their
    seats, links and sessions. Links that were revoked after the backup work again. If a client has read
    events that the backup lacks, it warns that the log was replaced.
    """
    folder = data_folder(data)
    _print("Restored", file, _done(lambda: backups.restore(file, folder)))
    typer.echo(f"Serve it with: dreadclock serve --data {folder}")


def _done(work: Callable[[], T]) -> T:
    before = logging.root.manager.disable
    logging.disable()  # log entries about the temporary copy of the store would confuse the user
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
    """Turn SIGTERM into SystemExit, so that the block can delete its copy of the store."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second SIGTERM must not interrupt the cleanup
    raise SystemExit(128 + number)


def _print(what: str, path: Path, manifest: Manifest) -> None:
    size = sum(size for size, _ in manifest.files.values())
    typer.echo(f"{what}: {path}")
    typer.echo(
        f"Begun {manifest.at}: {manifest.rooms} rooms, {manifest.entries} entries, {size} bytes of store "
        f"(dreadclock {manifest.dreadclock}, Valkey {manifest.valkey})."
    )
