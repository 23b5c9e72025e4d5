"""`dreadclock overlay`: a page for OBS that waits for the server."""

import json
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from dreadclock.cli.links import HELP, opened_link
from dreadclock.client.trust.device import replace_private

_OVERLAY_PATH = re.compile(r"/o/(?=[^/]*/?$)")
_PAGE = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Dreadclock</title>
  </head>
  <body>
    <script>
      const overlay = %(overlay)s;
      const health = %(health)s;
      async function look() {
        try {
          await fetch(health, { mode: "no-cors", cache: "no-store", signal: AbortSignal.timeout(5000) });
        } catch {
          setTimeout(look, 2000);
          return;
        }
        location.replace(overlay);
      }
      look();
    </script>
  </body>
</html>
"""


def overlay(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of the page.")] = Path("overlay.html"),
) -> None:
    """Write a page for OBS that waits for the server's overlay.

    In OBS, choose the page as the local file of a browser source. OBS may then start before the server does. Options
    of the overlay go into the link's query, before its `#`. Only you may read the file, because it contains
    the link.

    \b
    dreadclock overlay LINK -o overlay.html
    """
    page = _page(link)
    try:
        replace_private(output, page)
    except OSError as error:
        raise typer.TyperException(f"{output} cannot be written: {error.strerror}") from None
    typer.echo(f"The overlay is in {output}. In OBS: Sources, +, Browser, Local file.")


def _page(text: str) -> str:
    """Return the page for a link to a seat or an overlay.

    The link may have options in its query. Raises BadParameter if it is malformed, or has a user name or password.
    """
    parts = urlsplit(text.strip())
    if "@" in parts.netloc:
        raise typer.BadParameter("browsers refuse an address with a user name or password", param_hint="LINK")
    link = opened_link(parts._replace(path=_OVERLAY_PATH.sub("/r/", parts.path), query="").geturl())
    query = f"?{parts.query}" if parts.query else ""
    overlay = f"{link.server}/o/{link.room}{query}#{link.token}"
    return _PAGE % {"overlay": _script(overlay), "health": _script(f"{link.server}/healthz")}


def _script(text: str) -> str:
    """Write a text as a JavaScript string. Escapes `<`, so that the text cannot end the script element."""
    return json.dumps(text).replace("<", "\\u003c")
