"""What is wrong with a message, in a few words."""

from pydantic import ValidationError

_LONGEST = 200  # characters
_LONGEST_TAG = 40


def _characters(pattern: str) -> str:
    if pattern.startswith("^[a-z0-9-]"):
        return "an id is made of a-z, 0-9 and -"
    return "is empty, or holds a line break or another character that may not stand there"


def problem_of(error: ValidationError) -> str:
    """Say where the first problem of a message is, and what it is, without repeating much of what was sent."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"]))
    what = first["msg"]
    if first["type"] == "union_tag_invalid":
        what = f"there is no type {str(first['ctx']['tag'])[:_LONGEST_TAG]!r}"
    elif first["type"] == "union_tag_not_found":
        what = "it has no type"
    elif first["type"] == "string_pattern_mismatch":
        what = _characters(first["ctx"]["pattern"])
    return (f"{place}: {what}" if place else what)[:_LONGEST]
