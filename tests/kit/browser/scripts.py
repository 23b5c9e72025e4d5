"""What the tests do in a page, by the names of the functions in page.js."""

from pathlib import Path

_ALL = Path(__file__).with_name("page.js").read_text().partition("\n")[2].strip()


def script(name: str) -> str:
    """Return a function of page.js, to evaluate in a page; a locator's element is its first argument."""
    return f"(...given) => {_ALL}.{name}(...given)"
