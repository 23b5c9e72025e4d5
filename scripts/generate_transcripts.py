"""Write the transcripts that clients in every language are held to, from the real core of the server.

A transcript that is written stays as it is when rules change later: it says what a client makes of what it hears, not
what a server decides. `tests/kit/transcripts/stories` is what they tell.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.transcripts.stories import STORIES


def files() -> dict[str, str]:
    """Return all transcripts."""
    return {f"tests/golden/transcripts/{name}.json": tell().text() for name, tell in STORIES.items()}
