"""`dreadclock recap`: a page about an evening, from its export."""

from pathlib import Path
from typing import Annotated

import typer

from dreadclock.cli.exports import EXPORT, content, read, sensible
from dreadclock.cli.language import LANGUAGE, narrator_of
from dreadclock.narration import ENGLISH
from dreadclock_server.evening.recap.page import page
from dreadclock_server.evening.verify import verify


def recap(
    file: Annotated[Path, EXPORT],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of the page.")] = Path("evening.html"),
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Make a page about an evening.

    The page shows who was there, the story, the clocks and the dice. It is one file without scripts, and loads nothing
    else. Times are in this computer's time zone.
    """
    language, export = narrator_of(lang).language, read(file)
    with sensible(file):
        written = page(export, language, report=verify(content(file)))
    try:
        output.write_text(written, encoding="utf-8")
    except OSError as error:
        raise typer.TyperException(f"{output} cannot be written: {error.strerror}") from None
    typer.echo(f"The evening is in {output}.")
