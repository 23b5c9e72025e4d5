"""The command line argument for an export."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import typer

from dreadclock.client.trust.device import read_regular
from dreadclock.export import Export, read_export

EXPORT: Final[Any] = typer.Argument(
    metavar="FILE", help="An export of a room.", exists=True, dir_okay=False, readable=True
)


def read(file: Path) -> Export:
    """Read an export and check its hash chain.

    Raises BrokenExport, which names the first wrong record, and TyperException if the file cannot be read.
    """
    return read_export(content(file))


def content(file: Path) -> bytes:
    """Return the bytes of a file. Raises TyperException if the file cannot be read."""
    try:
        return read_regular(file)
    except OSError as error:
        raise typer.TyperException(f"{file} cannot be read: {error.strerror}") from None


@contextmanager
def sensible(file: Path) -> Iterator[None]:
    """Turn an error in the block into TyperException: an export with a valid hash chain may have impossible records.

    UnicodeError is raised unchanged.
    """
    try:
        yield
    except UnicodeError:
        raise
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError):
        sentence = f"{file} contains records that no server could have written: `dreadclock verify` lists them"
        raise typer.TyperException(sentence) from None
