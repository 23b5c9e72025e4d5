"""Write the pages of the rules that a server shows at /rules/, from docs/rules-*.md."""

import re
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
NAMES = ("countdowns", "races", "checks", "totals")
GERMAN = "auf-deutsch"  # the section that is not English; tables in German link to it
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
_WORDS = re.compile(r"[^\w ]+")
PAGE = Path(__file__).with_name("rules_page.html").read_text("utf-8")


def title_of(text: str) -> str:
    """Return the heading of a text. Raises ValueError if it has none."""
    match = _TITLE.search(text)
    if match is None:
        raise ValueError("a page of the rules has no heading")
    return match[1]


def linked(text: str) -> str:
    """Keep the links between these pages, and of all others the words alone: a server has no other documents."""

    def kept(link: re.Match[str]) -> str:
        words, target = link.groups()
        name, _, place = target.removeprefix("rules-").partition(".md")
        return f"[{words}]({name}{place})" if name in NAMES else words

    return _LINK.sub(kept, text)


def with_places(tokens: list[Token]) -> list[Token]:
    """Give each heading an id, the one that its words have on other hosts of Markdown, and say what is German."""
    place = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            place = _WORDS.sub("", tokens[at + 1].content.lower()).replace(" ", "-")
            token.attrSet("id", place)
        if place == GERMAN and token.level == 0 and token.nesting == 1:
            token.attrSet("lang", "de")
    return tokens


def page(name: str, texts: dict[str, str]) -> str:
    """Return a page as it is sent."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    body = markdown.renderer.render(with_places(markdown.parse(linked(texts[name]))), markdown.options, {})
    body = body.replace("<pre>", '<pre tabindex="0">')  # so that keys scroll what is wider than the page
    body = body.replace("<th></th>", "<td></td>")  # it heads nothing
    links = (f"<a {_target(page, name)}>{escape(title_of(texts[page]))}</a>" for page in NAMES)
    return PAGE.format(name=name, title=escape(title_of(texts[name])), others=" ".join(links), german=GERMAN, body=body)


def _target(name: str, shown: str) -> str:
    return f'href="{name}" aria-current="page"' if name == shown else f'href="{name}"'


def files() -> dict[str, str]:
    """Return the pages."""
    texts = {name: (ROOT / f"docs/rules-{name}.md").read_text("utf-8") for name in NAMES}
    return {f"server/src/dreadclock_server/pages/rules/{name}.html": page(name, texts) for name in NAMES}
