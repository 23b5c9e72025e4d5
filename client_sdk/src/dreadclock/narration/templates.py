"""The syntax of message templates, and their parser.

    text              as it is; an apostrophe before a brace or # quotes it: '{'
    {path}            a field: `name`, or a field of a field, `countdown.name`, or one of a list, `parts.0`
    {path, plural, =0 {no dice} one {# die} other {# dice}}     # is the number; a list is counted
    {path, select, gm {the gm} other {a player}}                 true, false and none are values, too
    {path, given, yes {...} no {...}}                            whether there is something; one may be left out
    {path, list, first {...} each {...} between {; } none {...}} what is in a list, each the `it` of its template
    {path, as, key}                                              another template, with this field as its `it`
    {path, term, group}                                          the template `group.value`, or else the value
    {path, word}                                                 what a reading makes of it: see `messages.Reading`

In a template about a thing, `name` is a field of the thing, and `it` is the thing itself.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

# The allowed branches. plural and select allow any, and need `other`.
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
    """A place in a template that a field fills in."""

    path: tuple[str, ...]
    type: str = ""
    style: str = ""
    branches: Mapping[str, "Template"] = field(default_factory=dict)


Template = tuple[str | Argument, ...]
NUMBER: Final = Argument(("#",))  # the number of the enclosing plural


def parse(text: str) -> Template:
    """Read a template. Raises TemplateError."""
    parser = _Parser(text)
    template = parser.template(plural=False)
    if parser.at < len(text):
        raise parser.error("a brace closes nothing")
    return template


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def error(self, problem: str) -> TemplateError:
        return TemplateError(f"{problem}: {self.text[: self.at]} >>> {self.text[self.at :]}")

    def template(self, *, plural: bool) -> Template:
        """Parse up to the closing brace, or the end."""
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
