"""Write the transcripts that clients in every language are held to, from the real core of the server.

    .venv/bin/python scripts/generate_transcripts.py [NAME ...]

A transcript that is written stays as it is when rules change later: it says what a client makes of what it hears, not
what a server decides. Give a name to write that one anew. `tests/kit/transcripts/stories` is what they tell.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.transcripts.stories import STORIES

if __name__ == "__main__":
    for name in sys.argv[1:] or STORIES:
        STORIES[name]().write(name)
