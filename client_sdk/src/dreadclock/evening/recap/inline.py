"""Drawings made fit for a page: no ids that clash, no styles that a strict policy forbids, no needless digit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from markupsafe import Markup, escape

_LONG: Final = re.compile(r"-?\d+\.\d{2,}")
_FONT: Final = re.compile(r"font:\s*([\d.]+px)[^;]*")
_LOCAL: Final = re.compile(r"#([\w-]+)")
_DROPPED: Final = ("metadata", "style")
_MOVES: Final = ("d", "x", "y", "width", "height", "transform", "points")


class Inliner:
    """Takes in drawings one after the other, and collects the styles they need as classes.

    `paints`: the colours that stand for a variable of the page's style, by that variable's name.
    """

    def __init__(self, paints: Mapping[str, str]) -> None:
        self._paints = {colour: f"var(--{name})" for name, colour in paints.items()}
        self._classes: dict[str, str] = {}
        self._drawings = count(1)

    def css(self) -> str:
        """Write the classes of all drawings so far."""
        return "".join(f".{name}{{{style}}}\n" for style, name in self._classes.items())

    def class_of(self, style: str) -> str:
        """Return the class of a style: `stroke: #010203; fill: none`."""
        for colour, variable in self._paints.items():
            style = style.replace(colour, variable)
        style = _FONT.sub(r"font-size: \1", style)
        return self._classes.setdefault(style, f"k{len(self._classes)}")

    def inline(self, svg: str, described: str) -> Markup:
        """Return a drawing as part of a page; `described`: what it shows, for those who do not see it."""
        root = fromstring(svg)
        prefix = f"d{next(self._drawings)}-"
        inner = Markup().join(self._written(child, prefix, _named(root)) for child in root)
        opening = Markup('<svg class="drawing" role="img" aria-label="{}" viewBox="{}">')
        return opening.format(described, root.get("viewBox")) + inner + Markup("</svg>")

    def _written(self, element: Element, prefix: str, named: set[str]) -> Markup:
        tag = _bare(element.tag)
        if tag in _DROPPED:
            return Markup()
        attributes = dict(self._attributes(element, prefix, named))
        inner = escape((element.text or "").strip()) if tag == "text" else Markup()
        inner += Markup().join(self._written(child, prefix, named) for child in element)
        if tag in ("g", "defs") and not inner:
            return Markup()
        if tag == "g" and not attributes:
            return inner
        written = Markup().join(Markup(' {}="{}"').format(Markup(name), value) for name, value in attributes.items())
        return Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), written, inner)

    def _attributes(self, element: Element, prefix: str, named: set[str]) -> Iterator[tuple[str, str]]:
        for name, value in element.attrib.items():
            bare = _bare(name)
            if bare == "style":
                yield "class", self.class_of(value)
            elif bare == "id":
                if value in named:
                    yield "id", prefix + value
            elif bare in ("href", "clip-path"):
                yield bare, _LOCAL.sub(rf"#{prefix}\1", value)
            else:
                yield bare, _LONG.sub(_shorter, value) if bare in _MOVES else value


def _named(root: Element) -> set[str]:
    """Return the ids that something refers to."""
    values = (value for element in root.iter() for name, value in element.attrib.items() if _bare(name) != "id")
    return {name for value in values for name in _LOCAL.findall(value)}


def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def _shorter(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
