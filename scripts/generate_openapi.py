"""Write tests/golden/openapi.json: the description of the REST calls without its texts, a path or a schema a line.

A change of the file shows what changed for clients that are generated from `/openapi.json`.
"""

import json
from typing import Any

from dreadclock_server.gateway.rest.openapi import description

TEXTS = ("description", "summary")


def files() -> dict[str, str]:
    """Return the description."""
    return {"tests/golden/openapi.json": lines(without_texts(description())) + "\n"}


def without_texts(part: Any) -> Any:
    """Return a part of the description without what is for people alone."""
    if isinstance(part, dict):
        return {
            key: without_texts(value) for key, value in part.items() if key not in TEXTS or not isinstance(value, str)
        }
    return [without_texts(item) for item in part] if isinstance(part, list) else part


def lines(part: dict[str, Any], depth: int = 0) -> str:
    """Write an object in which only the values of the second and third level have lines of their own."""
    rows = [
        f"{json.dumps(key)}:{lines(value, depth + 1) if isinstance(value, dict) and depth < 2 else compact(value)}"
        for key, value in sorted(part.items())
    ]
    return "{\n" + ",\n".join(rows) + "\n}"


def compact(part: object) -> str:
    """Write JSON in one line."""
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
