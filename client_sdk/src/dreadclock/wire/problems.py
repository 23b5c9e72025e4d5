"""Say in a short text why a message is invalid."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_LONGEST = 200  # characters of a problem's text
_MOST = 64  # more problems than this are only counted
_LONGEST_TAG = 40
_BRANCH = "constrained-"  # in the location of an error, pydantic's name for an alternative of a union starts with this
_OWN_WORDS = {"missing": "it is missing", "extra_forbidden": "there is no such field"}


def _characters(pattern: str) -> str:
    if pattern.startswith("^[a-z0-9-]"):
        return f"an id is made of {pattern[pattern.index('{') + 1 : -2].replace(',', ' to ')} of a-z, 0-9 and -"
    return "is empty, or holds a line break or another character that may not stand there"


def problem_of(error: ValidationError) -> str:
    """Return the place and the kind of an invalid message's first problem, in at most 200 characters.

    If there are more than 64 problems, return only their number: describing each takes pydantic some microseconds and
    half a KiB.
    """
    if error.error_count() > _MOST:
        return f"{error.error_count()} things are wrong with it"
    problems = error.errors(include_url=False, include_input=False)
    first = problems[0]
    what = first["msg"]
    if _is_branch(first):
        # The field takes a text or a number, and pydantic reports a problem for both types. Show the problem for the
        # value's own type. Without such a problem, the value is neither a text nor a number.
        fitting = [problem for problem in problems if _is_branch(problem) and not problem["type"].endswith("_type")]
        first = fitting[0] if fitting else first
        what = first["msg"] if fitting else "Input should be text or a whole number"
    if "faces" in first["loc"]:
        what = "faces are whole numbers from 1 to 6 in a list, such as [2, 4, 5]"
    place = ".".join(str(step) for step in first["loc"] if not str(step).startswith(_BRANCH))
    if first["type"] == "union_tag_invalid":
        what = f"there is no type {str(first['ctx']['tag'])[:_LONGEST_TAG]!r}"
    elif first["type"] == "union_tag_not_found":
        what = "it has no type"
    elif first["type"] in _OWN_WORDS:
        what = _OWN_WORDS[first["type"]]
    elif first["type"] == "string_pattern_mismatch":
        what = _characters(first["ctx"]["pattern"])
    return (f"{place}: {what}" if place else what)[:_LONGEST]


def _is_branch(problem: ErrorDetails) -> bool:
    return str(problem["loc"][-1]).startswith(_BRANCH) if problem["loc"] else False
