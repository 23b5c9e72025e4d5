"""Messages: templates of one language, filled in.

`client_sdk/js/messages.js` does the same in JavaScript, with the same results.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from dreadclock.narration.plurals import category
from dreadclock.narration.templates import NUMBER, Argument, Template, parse
from dreadclock.wire.plain import isolated

MISSING: Final = "?"


class Reading:
    """How templates read values: dictionaries, lists, and attributes of objects."""

    def step(self, value: object, name: str) -> object:
        """Return a field of a value, None if it has no such field."""
        if isinstance(value, Mapping):
            return value.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return value[int(name)] if name.isdecimal() and int(name) < len(value) else None
        return getattr(value, "__dict__", {}).get(name)

    def worded(self, word: str, value: object) -> str:
        """Write a value by a special formatter, such as `{path, clock}`."""
        return MISSING


_NUMBER: Final = re.compile("[0-9]+")
_PLAIN: Final = Reading()


class Messages:
    """The messages of a language, each by its key."""

    def __init__(self, language: str, templates: Mapping[str, str]) -> None:
        self.language = language
        self._templates = templates
        self._parsed: dict[str, Template] = {}

    def has(self, key: str) -> bool:
        """Tell whether there is a message."""
        return key in self._templates

    def template(self, key: str) -> Template:
        """Return the template of a message. Raises KeyError, and TemplateError if it is ill-formed."""
        if key not in self._parsed:
            self._parsed[key] = parse(self._templates[key])
        return self._parsed[key]

    def text(self, key: str, fields: object = None, reading: Reading = _PLAIN) -> str:
        """Return a message, filled in; a key without a message is shown itself, and a missing field as `?`."""
        return self._filled(self.template(key), fields, None, reading) if self.has(key) else key

    def chosen(self, argument: Argument, branch: str) -> Template:
        """Return a branch of an argument: empty if it was left out."""
        return argument.branches.get(branch, ())

    def _filled(self, template: Template, it: object, number: object, reading: Reading) -> str:
        return "".join(
            node if isinstance(node, str) else self._argument(node, it, number, reading) for node in template
        )

    def _argument(self, argument: Argument, it: object, number: object, reading: Reading) -> str:
        if argument is NUMBER:
            return written(number)
        value = _at(argument.path, it, reading)
        match argument.type:
            case "":
                return isolated(written(value))
            case "plural":
                count = _count(value)
                return self._filled(self.chosen(argument, self._form(argument, count)), it, count, reading)
            case "select" | "given":
                return self._filled(self.chosen(argument, _selected(argument, value)), it, number, reading)
            case "list":
                return self._list(argument, value, number, reading)
            case "as":
                return self.text(argument.style, value, reading)
            case "term":
                return self._term(argument.style, written(value), reading)
        return isolated(reading.worded(argument.type, value))

    def _term(self, group: str, value: str, reading: Reading) -> str:
        """Write a value by the template `group.value`, or by a template with `#` for its numbers: `why.# at first`."""
        key, open_key = f"{group}.{value}", f"{group}.{_NUMBER.sub('#', value)}"
        if self.has(key) or not self.has(open_key):
            return self.text(key, value, reading) if self.has(key) else isolated(value)
        return self.text(open_key, {"numbers": _NUMBER.findall(value)}, reading)

    def _form(self, argument: Argument, number: int) -> str:
        forms = (f"={number}", category(self.language, number))
        return next((form for form in forms if form in argument.branches), "other")

    def _list(self, argument: Argument, value: object, number: object, reading: Reading) -> str:
        """Write the items of a list. Items with an empty text are left out."""
        texts: list[str] = []
        for item in value if isinstance(value, Sequence) else ():
            branch = "each" if texts or "first" not in argument.branches else "first"
            branch_text = self.chosen(argument, branch) if branch in argument.branches else _ITSELF
            texts += [text] if (text := self._filled(branch_text, item, number, reading)) else []
        if not texts:
            return self._filled(self.chosen(argument, "none"), value, number, reading)
        between = self.chosen(argument, "between") if "between" in argument.branches else _COMMA
        return self._filled(between, value, number, reading).join(texts)


_ITSELF: Final[Template] = (Argument(("it",)),)
_COMMA: Final[Template] = (", ",)


def _at(path: tuple[str, ...], it: object, reading: Reading) -> object:
    value = it
    for place, name in enumerate(path):
        if place or name != "it":
            value = reading.step(value, name)
    return value


def _count(value: object) -> int:
    """Return a number, or the length of a list."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return len(value)
    return value if isinstance(value, int) else 0


def _selected(argument: Argument, value: object) -> str:
    if argument.type == "given":
        return "yes" if value else "no"
    key = "none" if value is None else written(value)
    return key if key in argument.branches else "other"


def written(value: object) -> str:
    """Write a plain value: a bool as `true` or `false`, None as `?`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return MISSING if value is None else str(value)
