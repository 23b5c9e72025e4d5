"""The types of settings. pydantic parses and checks the values. A `Kind` also describes and prints them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from dreadclock_server.gateway.limits.rates import Rate

NONE, AUTO = "none", "auto"
HIDDEN = "***"
_SHORTEST_SECRET = 12  # characters of the shortest key
_HEADER_VALUE = re.compile(r"[!-~]([ -~]*[!-~])?")
_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
_FRAMING = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", re.IGNORECASE)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
_BASE = re.compile(_ORIGIN.pattern.replace("[a-z][a-z0-9+.-]*", "https?", 1) + r"(/[!-\"$->@-~]*)?", re.IGNORECASE)
_SERVER = re.compile(
    r"(rediss?://)([^@/?#\s]*@)?((?:[^@/?#\s:\[\]]+|\[[0-9a-f:]+\])(?::[0-9]*)?(?:/[0-9]*)?)(\?[^@\s]*)?"
)
_SOCKET = re.compile(r"(unix://)([^@/?#\s]*@)?(/[^@?#\s]*)(\?\S*)?")
_WHOLE = re.compile(r"[0-9]{1,15}")
_RATE = re.compile(r"([0-9]{1,6})/(s|min|h):([0-9]{1,6})")
_SUCH_AS = "such as https://vtt.example or https://*.vtt.example"
_UNITS = {"s": 1, "min": 60, "h": 3600}
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


class BadSetting(Exception):
    """A setting has a wrong value. The message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Metadata of a setting's type, as in `Annotated[int, whole(1, 65535)]`.

    `must_be`: the text after "is" in the error message "NAME is ..., not ...". `word`: the placeholder for a value in
    the help. `checks`: validators for pydantic. `none`: the text for None. `write`: returns a value as text.
    `is_secret`: error messages must not show a wrong value.
    """

    must_be: str
    word: str
    checks: tuple[Any, ...] = ()
    none: str = NONE
    write: Callable[[Any], str] | None = None
    is_secret: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Add `checks` to the type's validator. pydantic calls this when it builds the validator of the settings."""
        return handler.generate_schema(Annotated[source, *self.checks]) if self.checks else handler(source)

    def show(self, value: Any) -> str:
        """Return a value as an operator would write it. Secrets and the passwords in addresses are hidden."""
        if value is None:
            return self.none
        return self.write(value) if self.write else _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | frozenset):
        return ", ".join(sorted(value) if isinstance(value, frozenset) else value) or NONE
    return str(value)


def _from_text(read: Callable[[str], Any]) -> BeforeValidator:
    """Return a validator that applies `read` to texts. Other values stay as they are."""
    return BeforeValidator(lambda value: read(value) if isinstance(value, str) else value)


def _checked(holds: Callable[[str], object]) -> AfterValidator:
    """Return a validator that refuses texts for which `holds` returns false or raises ValueError."""

    def check(text: str | None) -> str | None:
        if text is not None and not holds(text):
            raise ValueError
        return text

    return AfterValidator(check)


def _or_none(word: str) -> BeforeValidator:
    return _from_text(lambda text: None if text.strip().lower() == word else text)


def _digits(text: str) -> str:
    """Return a text of digits, without spaces around it. Raises ValueError for any other text.

    pydantic would also accept texts such as 1_000, +1 and 5.0 as whole numbers.
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError
    return text.strip()


def whole(least: int, most: int, of: str = "") -> Kind:
    """Return the Kind of a whole number in bounds. `of`: the unit, or the things that are counted."""
    checks = Field(ge=least, le=most), _from_text(_digits)
    return Kind(f"a number{of and f' of {of}'} from {least} to {most}", "number", checks)


def whole_or(word: str, least: int, most: int, of: str) -> Kind:
    """Return the Kind of a whole number in bounds, or None, which is written as `word`."""
    number = whole(least, most, of)
    return Kind(f"{word}, or {number.must_be}", number.word, (*number.checks, _or_none(word)), none=word)


def seconds(most: float, *, positive: bool = True) -> Kind:
    """Return the Kind of a number of seconds up to `most`. With `positive`, 0 is not allowed."""
    if positive:
        return Kind(f"more than 0, up to {most:g} seconds", "seconds", (Field(gt=0, le=most, allow_inf_nan=False),))
    return Kind(f"a number of seconds from 0 to {most:g}", "number", (Field(ge=0, le=most, allow_inf_nan=False),))


def words(literal: Any) -> Kind:
    """Return the Kind of a `Literal` of words."""
    choices = get_args(literal)
    return Kind(" or ".join(choices), "|".join(choices), (_from_text(str.strip),))


def listed(must_be: str, word: str, read: Callable[[str], object]) -> Kind:
    """Return the Kind of a list, whose text has commas between the items. `read`: returns the items of the text."""
    return Kind(f"{must_be}, separated by commas", word, (_from_text(read),))


def split(text: str) -> tuple[str, ...]:
    """Split a text at its commas. Leaves out empty items."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in _YES + _NO:
        raise ValueError
    return word in _YES


def is_secret(text: str) -> bool:
    """Return whether a text may be a key: it must be long enough, and valid in an HTTP header."""
    return len(text) >= _SHORTEST_SECRET and _HEADER_VALUE.fullmatch(text) is not None


def masked(url: str) -> str:
    """Return a store's address without user, password and options, or just `***` if it is malformed."""
    match = _SERVER.fullmatch(url) or _SOCKET.fullmatch(url)
    if match is None:
        return HIDDEN
    scheme, user, place, options = match.groups()
    return scheme + (f"{HIDDEN}@" if user else "") + place + (f"?{HIDDEN}" if options else "")


def _rate(text: str) -> Rate | None:
    if text.strip().lower() == NONE:
        return None
    match = _RATE.fullmatch(text.strip())
    if match is None or 0 in (often := int(match[1]), burst := int(match[3])):
        raise ValueError
    return Rate(often, _UNITS[match[2]], burst)


def _shown_rate(rate: Rate) -> str:
    unit = next(unit for unit, seconds in _UNITS.items() if seconds == rate.every_s)
    return f"{rate.often}/{unit}:{rate.burst}"


def _framing(text: str) -> tuple[str, ...]:
    origins = split(text)
    return () if [origin.lower() for origin in origins] == [NONE] else origins


Switch = Annotated[bool, Kind("yes or no", "yes|no", (_from_text(_switch),))]  # a flag of this type takes no value
Folder = Annotated[Path | None, Kind(f"{AUTO}, or a path", "path", (_or_none(AUTO),), none=AUTO)]
StoreAddress = Annotated[str | None, Kind("an address", "url", write=masked)]
BaseAddress = Annotated[
    str | None,
    Kind(
        "an address such as https://tables.example",
        "url",
        (_from_text(str.strip), _checked(_BASE.fullmatch), AfterValidator(lambda url: url and url.rstrip("/"))),
    ),
]
Secret = Annotated[
    str | None,
    Kind(
        f"at least {_SHORTEST_SECRET} ASCII characters, with no space at the start or end",
        "secret",
        (_checked(is_secret),),
        write=lambda _: HIDDEN,
        is_secret=True,
    ),
]
Limit = Annotated[
    Rate | None,
    Kind("none, or a rate such as 20/s:40 or 30/min:10", "rate", (_from_text(_rate),), write=_shown_rate),
]
HostName = Annotated[str, _checked(lambda text: _HOST_NAME.fullmatch(text) or ip_address(text))]
Proxies = Annotated[
    tuple[Annotated[str, _checked(lambda text: text == "*" or ip_network(text))], ...],
    listed("*, or addresses such as 10.0.0.1 or 10.0.0.0/24", "addresses", split),
]
Origins = Annotated[
    frozenset[Annotated[str, _checked(lambda text: _ORIGIN.fullmatch(text) or _FRAMING.fullmatch(text))]],
    listed(f"origins {_SUCH_AS}", "origins", lambda text: split(text.lower())),
]
FramingOrigins = Annotated[
    tuple[Annotated[str, _checked(_FRAMING.fullmatch)], ...],
    listed(f"none, or origins {_SUCH_AS}", "origins", _framing),
]
