"""How the value of a setting is written, read and shown."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Generic, TypeVar

from dreadclock_server.gateway.limits.rates import Rate

T = TypeVar("T")
_Number = TypeVar("_Number", int, float)

_MOST_DIGITS = 15
_SHORTEST_SECRET = 12  # characters
_FRAMING = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
_PAGE = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
_BASE = re.compile(_PAGE.pattern.replace("[a-z][a-z0-9+.-]*", "https?", 1) + r"(/[!-\"$->@-~]*)?", re.IGNORECASE)
_KEY = re.compile(r"[!-~]([ -~]*[!-~])?")  # what a header takes as it is
_SERVER = re.compile(
    r"(rediss?://)([^@/?#\s]*@)?((?:[^@/?#\s:\[\]]+|\[[0-9a-f:]+\])(?::[0-9]*)?(?:/[0-9]*)?)(\?[^@\s]*)?"
)
_SOCKET = re.compile(r"(unix://)([^@/?#\s]*@)?(/[^@?#\s]*)(\?\S*)?")
_RATE = re.compile(r"([0-9]{1,6})/(s|min|h):([0-9]{1,6})")
_UNITS = {"s": 1, "min": 60, "h": 3600}
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_UNSHOWN = "***"
NONE, AUTO = "none", "auto"


class BadSetting(Exception):
    """A setting makes no sense; the text says why in a sentence."""


@dataclass(frozen=True, slots=True)
class ValueKind(Generic[T]):
    """What values there are.

    `must_be` ends the sentence "NAME is ...", and `word` stands for a value in the help. `read` takes a
    text that is not empty; it raises ValueError with the part of it that makes no sense.
    """

    must_be: str
    word: str
    read: Callable[[str], T]
    show: Callable[[T], str] = str
    is_switch: bool = False  # as a flag it takes no value


def text(word: str) -> ValueKind[str]:
    """Any text."""
    return ValueKind("a text", word, str)


def proxies() -> ValueKind[str | None]:
    """Addresses and networks with commas between them, or all there are."""
    must_be = "*, or addresses such as 10.0.0.1 or 10.0.0.0/24, separated by commas"
    return ValueKind(must_be, "addresses", lambda text: ", ".join(_each(text, _is_proxy)) or None, _or_none)


def secret() -> ValueKind[str | None]:
    """A text that fits into a header, and is never shown, not even where it makes no sense."""
    must_be = f"at least {_SHORTEST_SECRET} letters, digits and other ASCII characters, with no space around them"
    return ValueKind(must_be, "secret", _secret, lambda value: NONE if value is None else _UNSHOWN)


def path() -> ValueKind[Path | None]:
    """A place on the disk, or the word that leaves it to the program."""
    return ValueKind(
        f"{AUTO}, or a path",
        "path",
        lambda text: None if text.strip().lower() == AUTO else Path(text),
        lambda path: AUTO if path is None else str(path),
    )


def store_address() -> ValueKind[str | None]:
    """The address of a store, shown without user, password and options; None is the store that comes along."""
    return ValueKind("an address", "url", str, lambda url: NONE if url is None else masked(url))


def base_address() -> ValueKind[str | None]:
    """How addresses begin, without a slash at the end."""
    return ValueKind("an address such as https://tables.example", "url", _base, _or_none)


def whole(least: int, most: int, of: str = "") -> ValueKind[int]:
    """A whole number within bounds; `of` says what is counted."""

    def read(text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
            raise ValueError(text)
        return _within(least, int(digits), most, text)

    return ValueKind(f"a number{of and f' of {of}'} from {least} to {most}", "number", read)


def whole_or(word: str, least: int, most: int, of: str) -> ValueKind[int | None]:
    """A whole number within bounds, or a word that says that there is none."""
    number = whole(least, most, of)
    return ValueKind(
        f"{word}, or {number.must_be}",
        number.word,
        lambda text: None if text.strip().lower() == word else number.read(text),
        lambda value: word if value is None else number.show(value),
    )


def number(least: float, most: float, of: str = "") -> ValueKind[float]:
    """A number within bounds, whole or not."""
    return ValueKind(
        f"a number{of and f' of {of}'} from {least:g} to {most:g}",
        "number",
        lambda text: _within(least, _float(text), most, text),
        "{:g}".format,
    )


def seconds(most: float) -> ValueKind[float]:
    """A number of seconds above 0."""

    def read(text: str) -> float:
        if not 0 < (value := _float(text)) <= most:
            raise ValueError(text)
        return value

    return ValueKind(f"a number of seconds up to {most:g}", "seconds", read, "{:g}".format)


def rate() -> ValueKind[Rate | None]:
    """How often something may be done, or no limit to that."""
    must_be = "none, or a rate such as 20/s:40 or 30/min:10"
    return ValueKind(must_be, "rate", _rate, _shown_rate)


def one_of(*words: str) -> ValueKind[str]:
    """One of some words."""

    def read(text: str) -> str:
        if text.strip() not in words:
            raise ValueError(text)
        return text.strip()

    return ValueKind(" or ".join(words), "|".join(words), read)


def switch() -> ValueKind[bool]:
    """Yes or no; as a flag it needs no value."""

    def read(text: str) -> bool:
        word = text.strip().lower()
        if word not in _YES + _NO:
            raise ValueError(text)
        return word in _YES

    return ValueKind("yes or no", "yes|no", read, lambda value: "yes" if value else "no", is_switch=True)


def names(beside: tuple[str, ...] = ()) -> ValueKind[tuple[str, ...]]:
    """Names of machines with commas between them, added to those that are there anyway."""
    must_be = "names such as tables.example or 192.168.1.20, without http:// and port, separated by commas"
    return ValueKind(must_be, "names", lambda text: (*beside, *_each(text, _is_name)), _joined)


def pages() -> ValueKind[frozenset[str]]:
    """Origins with commas between them, as browsers write them; a star stands for the names before a host."""
    must_be = "origins such as https://vtt.example or https://*.vtt.example, separated by commas"
    return ValueKind(must_be, "origins", lambda text: frozenset(map(str.lower, _each(text, _is_page))), _joined)


def framing_pages() -> ValueKind[tuple[str, ...]]:
    """Origins as Content-Security-Policy takes them, or the word none."""
    must_be = "none, or origins such as https://vtt.example or https://*.vtt.example, separated by commas"
    return ValueKind(must_be, "origins", _framing, _joined)


def split(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def masked(url: str) -> str:
    """Return a store's address without user, password and options; nothing of one that is not well-formed."""
    found = _SERVER.fullmatch(url) or _SOCKET.fullmatch(url)
    if found is None:
        return _UNSHOWN
    scheme, user, place, options = found.groups()
    return scheme + (f"{_UNSHOWN}@" if user else "") + place + (f"?{_UNSHOWN}" if options else "")


def _rate(text: str) -> Rate | None:
    if text.strip().lower() == NONE:
        return None
    found = _RATE.fullmatch(text.strip())
    if found is None or 0 in (often := int(found[1]), burst := int(found[3])):
        raise ValueError(text)
    return Rate(often, _UNITS[found[2]], burst)


def _shown_rate(rate: Rate | None) -> str:
    if rate is None:
        return NONE
    unit = next(unit for unit, seconds in _UNITS.items() if seconds == rate.every_s)
    return f"{rate.often}/{unit}:{rate.burst}"


def _each(text: str, makes_sense: Callable[[str], object]) -> tuple[str, ...]:
    for part in (parts := split(text)):
        if not makes_sense(part):
            raise ValueError(part)
    return parts


def _is_page(text: str) -> bool:
    return bool(_PAGE.fullmatch(text) or _FRAMING.fullmatch(text))


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None or _is_address(text)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_proxy(text: str) -> bool:
    try:
        return text == "*" or bool(ip_network(text))
    except ValueError:
        return False


def _base(text: str) -> str:
    if not _BASE.fullmatch(text.strip()):
        raise ValueError(text)
    return text.strip().rstrip("/")


def _secret(text: str) -> str:
    if len(text) < _SHORTEST_SECRET or not _KEY.fullmatch(text):
        raise ValueError(_UNSHOWN)
    return text


def _framing(text: str) -> tuple[str, ...]:
    origins = split(text)
    if [origin.lower() for origin in origins] == ["none"]:
        return ()
    return _each(text, _FRAMING.fullmatch)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(text) from None


def _within(least: _Number, value: _Number, most: _Number, text: str) -> _Number:
    if not least <= value <= most:
        raise ValueError(text)
    return value


def _or_none(value: str | None) -> str:
    return NONE if value is None else value


def _joined(values: tuple[str, ...] | frozenset[str]) -> str:
    return ", ".join(sorted(values) if isinstance(values, frozenset) else values) or NONE
