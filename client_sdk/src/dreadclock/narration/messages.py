"""Messages: templates of one language, filled in.

`client_sdk/js/messages.js` does the same in JavaScript, with the same results. What may stand in a template:

    text              as it is; an apostrophe before a brace or # quotes it: '{'
    {path}            a field: `name`, or a field of a field, `countdown.name`, or one of a list, `parts.0`
    {path, plural, =0 {no dice} one {# die} other {# dice}}     # is the number; a list is counted
    {path, select, gm {the gm} other {a player}}                 true, false and none are values, too
    {path, given, yes {...} no {...}}                            whether there is a value; a branch may be left out
    {path, list, first {...} each {...} between {; } none {...}} the items of a list; an item is the `it` of its branch
    {path, as, key}                                              another template, with this field as its `it`
    {path, term, group}                                          the template `group.value`, or else the value
    {path, word}                                                 the value as the `Reading` words it

In a template about a thing, `name` is a field of the thing, and `it` is the thing itself.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dreadclock.wire.plain import isolated

# Plural categories of numbers, with Unicode's names.


def category(language: str, number: int) -> str:
    """Return the plural category of a whole number from 0: `one`, `few`, `many` or `other`.

    An unknown language has `one` for 1 and `other` for all other numbers.
    """
    return _RULES.get(language.partition("-")[0], _one_or_other)(number)


def _one_or_other(number: int) -> str:
    return "one" if number == 1 else "other"


def _zero_is_one(number: int) -> str:
    return "one" if number in (0, 1) else "other"


def _romance(number: int) -> str:
    return "many" if number and number % 1_000_000 == 0 else _one_or_other(number)


def _french(number: int) -> str:
    return "many" if number and number % 1_000_000 == 0 else _zero_is_one(number)


def _czech(number: int) -> str:
    return "one" if number == 1 else "few" if 2 <= number <= 4 else "other"


def _few(number: int) -> bool:
    return number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)


def _polish(number: int) -> str:
    return "one" if number == 1 else "few" if _few(number) else "many"


def _russian(number: int) -> str:
    return "one" if number % 10 == 1 and number % 100 != 11 else "few" if _few(number) else "many"


_RULES: Final[dict[str, Callable[[int], str]]] = {
    **dict.fromkeys(("id", "ja", "ko", "th", "vi", "zh"), lambda number: "other"),
    **dict.fromkeys(("fa", "hi"), _zero_is_one),
    **dict.fromkeys(("ca", "es", "it"), _romance),
    **dict.fromkeys(("fr", "pt"), _french),
    **dict.fromkeys(("cs", "sk"), _czech),
    **dict.fromkeys(("be", "ru", "uk"), _russian),
    "pl": _polish,
}


# Templates


# The allowed branches of each type. None: `plural` and `select` allow branches of any name, and need `other`.
BRANCHED: Final[dict[str, frozenset[str] | None]] = {
    "plural": None,
    "select": None,
    "given": frozenset({"yes", "no"}),
    "list": frozenset({"first", "each", "between", "none"}),
}

_TEXT = re.compile(r"[^{}'#]+")
_HEAD = re.compile(r"\s*([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*)\s*(?:,\s*([a-z]+)\s*)?(?:,\s*(?![{}])|(?=\}))")
_STYLE = re.compile(r"([^{},\s][^{},]*?)\s*(?=\})")
_SELECTOR = re.compile(r"\s*(=[0-9]+|[A-Za-z0-9_-]+)\s*\{")
_END = re.compile(r"\s*\}")
_QUOTED = re.compile(r"'((?:[^']|'')*)(?:'|$)")


class TemplateError(ValueError):
    """The syntax of a template is wrong. The message shows where."""


@dataclass(frozen=True, eq=False, slots=True)
class Argument:
    """A placeholder in a template."""

    path: tuple[str, ...]
    type: str = ""
    style: str = ""
    branches: Mapping[str, "Template"] = field(default_factory=dict)


Template = tuple[str | Argument, ...]
NUMBER: Final = Argument(("#",))  # the argument that prints the number of the enclosing plural


def parse(text: str) -> Template:
    """Parse a template. Raises TemplateError if its syntax is wrong."""
    parser = _Parser(text)
    template = parser.template(plural=False)
    if parser.at < len(text):
        raise parser.error("a brace closes nothing")
    return template


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def error(self, problem: str) -> TemplateError:
        """Return the error that shows where the template is wrong."""
        return TemplateError(f"{problem}: {self.text[: self.at]} >>> {self.text[self.at :]}")

    def template(self, *, plural: bool) -> Template:
        """Parse up to the next closing brace that no argument has opened, or to the end."""
        nodes: list[str | Argument] = []
        while self.at < len(self.text) and self.text[self.at] != "}":
            node = self._node(plural=plural)
            if isinstance(node, str) and nodes and isinstance(last := nodes[-1], str):
                nodes[-1] = last + node
            else:
                nodes.append(node)
        return tuple(nodes)

    def _node(self, *, plural: bool) -> str | Argument:
        if text := self._taken(_TEXT):
            return text[0]
        mark, after = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if mark == "'" and after and after in ("{}#" if plural else "{}"):
            quoted = self._taken(_QUOTED)
            assert quoted is not None
            return quoted[1].replace("''", "'")
        self.at += 2 if mark == after == "'" else 1
        if mark == "{":
            return self._argument(plural=plural)
        return NUMBER if mark == "#" and plural else mark

    def _argument(self, *, plural: bool) -> Argument:
        head = self._taken(_HEAD)
        if head is None:
            raise self.error("this is no field")
        path, type_ = tuple(head[1].split(".")), head[2] or ""
        if type_ in BRANCHED:
            return Argument(path, type_, branches=self._branches(type_, plural=plural or type_ == "plural"))
        style = self._taken(_STYLE)
        if not self._taken(_END):
            raise self.error("a brace is missing")
        return Argument(path, type_, style[1] if style else "")

    def _branches(self, type_: str, *, plural: bool) -> Mapping[str, Template]:
        branches: dict[str, Template] = {}
        while selector := self._taken(_SELECTOR):
            branches[selector[1]] = self.template(plural=plural)
            if not self._taken(_END):
                raise self.error("a branch is not closed")
        allowed = BRANCHED[type_]
        if not self._taken(_END) or (allowed is not None and not branches.keys() <= allowed):
            raise self.error(f"this is no branch of {type_}")
        if allowed is None and "other" not in branches:
            raise self.error(f"{type_} needs the branch other")
        return branches

    def _taken(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match


MISSING: Final = "?"


class Reading:
    """How templates read values: dictionaries, lists, and attributes of objects."""

    def step(self, value: object, name: str) -> object:
        """Return a field of a value; None if the value has no such field."""
        if isinstance(value, Mapping):
            return value.get(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return value[int(name)] if name.isdecimal() and int(name) < len(value) else None
        return getattr(value, "__dict__", {}).get(name)

    def worded(self, word: str, value: object) -> str:
        """Write a value for a word of a subclass, such as `clock` in `{path, clock}`. This class has no words."""
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
        """Return the template of a message.

        Raises KeyError if there is no such message, and TemplateError if the template is ill-formed.
        """
        if key not in self._parsed:
            self._parsed[key] = parse(self._templates[key])
        return self._parsed[key]

    def text(self, key: str, fields: object = None, reading: Reading = _PLAIN) -> str:
        """Return a message, filled in; the key itself if there is no such message. A missing field becomes `?`."""
        return self._filled(self.template(key), fields, None, reading) if self.has(key) else key

    def chosen(self, argument: Argument, branch: str) -> Template:
        """Return a branch of an argument: empty if the branch was left out."""
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
        """Write a value by the template `group.value`.

        If this template is missing, use the template with `#` for each number, such as `why.# at first`. If both are
        missing, write the value itself.
        """
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
    """Return a number, the length of a list, or 0 for another value."""
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
