"""The language in which a command prints events."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer

from dreadclock.narration import Narrator, languages
from dreadclock.wire.errors import Refused

LANGUAGE: Final[Any] = typer.Option(
    "--lang",
    envvar="DREADCLOCK_LANG",
    metavar="LANGUAGE",
    help=f"Tell what happens in this language: {', '.join(languages())}.",
)


def narrator_of(language: str) -> Narrator:
    """Return the narrator of a language. Raises BadParameter for a language without a catalogue."""
    try:
        return Narrator(language)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--lang") from None


@contextmanager
def in_words(narrator: Narrator) -> Iterator[None]:
    """Turn Refused into an error message in the narrator's language."""
    try:
        yield
    except Refused as refused:
        raise typer.TyperException(narrator.refused(refused)) from None
