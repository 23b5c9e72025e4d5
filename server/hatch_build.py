"""Adds what servers hand out from the folder of the SDK: the JavaScript client, and the extension for Owlbear Rodeo.

A source archive carries copies of both folders in its root, so that a wheel can be built from it alone.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class HandedOut(BuildHookInterface[Any]):
    """Includes `js` and `owlbear`: `../client_sdk` has them in a checkout, the root has them in a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders, but for an editable install: there the server reads them in the checkout."""
        root, is_archive = Path(self.root), self.target_name == "sdist"
        for name in ("js", "owlbear") if version != "editable" else ():
            own = root / name
            source = own if own.is_dir() else root.parent / "client_sdk" / name
            build_data["force_include"][str(source)] = name if is_archive else f"dreadclock_server/{name}"
