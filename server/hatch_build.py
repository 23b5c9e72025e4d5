"""Adds what servers hand out: the JavaScript client, the extension for Owlbear Rodeo, and the bundles of the pages.

A source archive carries copies of all of them in its root, so that a wheel can be built from it alone.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class HandedOut(BuildHookInterface[Any]):
    """Includes `js`, `owlbear` and `bundles`. A source archive has all three in its root.

    In a checkout, `../client_sdk` has the first two, and DREADCLOCK_BUNDLES names the folder of the third:
    `make packages` makes it. A wheel can be built without bundles, so that `pip install` works in a checkout without
    Node: its server sends the modules one by one. A source archive without them could never be completed.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders, but for an editable install: there the server reads them in the checkout."""
        root, is_archive = Path(self.root), self.target_name == "sdist"
        if version == "editable":
            return
        for name in ("js", "owlbear", "bundles"):
            own = root / name
            checkout = os.environ.get("DREADCLOCK_BUNDLES") if name == "bundles" else root.parent / "client_sdk" / name
            source = own if own.is_dir() else checkout
            if source:
                build_data["force_include"][str(source)] = name if is_archive else f"dreadclock_server/{name}"
            elif is_archive:
                raise RuntimeError("A source archive carries the bundles of the pages. Build it by `make packages`.")
