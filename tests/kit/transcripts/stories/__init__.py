"""What transcripts tell: a story is a function that makes a client live through something."""

from kit.transcripts.stories import (
    characters,
    checks,
    coming_back,
    commands,
    corrections,
    evenings,
    following,
    lanes,
    newer,
    remembering,
    staging,
    violations,
)
from kit.transcripts.stories.base import STORIES

__all__ = [
    "STORIES",
    "characters",
    "checks",
    "coming_back",
    "commands",
    "corrections",
    "evenings",
    "following",
    "lanes",
    "newer",
    "remembering",
    "staging",
    "violations",
]
