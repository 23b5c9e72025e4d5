"""Write HTML and SVG. Every text that is not a `Markup` is escaped, so that users' texts never become markup."""

from collections.abc import Iterable
from html import escape
from typing import Final

_VOID: Final = ("meta",)


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def joined(parts: Iterable[str]) -> Markup:
    """Concatenate markup and texts. Texts are escaped."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


def tag(name: str, /, *inside: str, **attributes: str | float | None) -> Markup:
    """Write an element. Attributes that are None are left out.

    Underscores in attribute names become hyphens; an underscore at the end is dropped (`class_`).
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    opening = f"<{name}" + "".join(f' {key}="{escape(str(value))}"' for key, value in given.items()) + ">"
    return Markup(opening) if name in _VOID else Markup(f"{opening}{joined(inside)}</{name}>")


def items(parts: Iterable[str], class_: str) -> Markup:
    """Write a list. Parts that are no `li` become items."""
    written = (part if part.startswith("<li") and isinstance(part, Markup) else tag("li", part) for part in parts)
    return tag("ul", *written, class_=class_)
