"""The argument that is an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import typer

from dreadclock.export import Export, read_export

EXPORT: Final[Any] = typer.Argument(
    metavar="FILE", help="An export of a room.", exists=True, dir_okay=False, readable=True
)


def read(file: Path) -> Export:
    """Read an export and check its chain. Raises BrokenExport, which names the first record that does not fit."""
    return read_export(file.read_bytes())
