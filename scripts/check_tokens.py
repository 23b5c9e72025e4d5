"""Refuse values in the pages' CSS that are no tokens: colours, font sizes, radii, shadows, durations and layers.

    python scripts/check_tokens.py [FOLDER]

The tokens are in tokens.css. The dark colours of dark.css must be the same.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "server/src/dreadclock_server/pages/css"
DEFINE = ("tokens.css", "dark.css")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?<=[;{])\s*([\w-]+)\s*:([^;{}]*)(?=[;}])")
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\("
    r"|(?<![\w-])(?:white|black|gr[ae]y|red|green|blue|yellow|orange|purple|pink|brown|gold|violet)(?![\w-])",
    re.IGNORECASE,
)
LENGTH = re.compile(r"\d(?:px|r?em|ch|ex|p[tc]|mm|cm|in|%|v\w+)|\b(?:(?:xx?-)?(?:small|large)|medium|smaller|larger)\b")
TIME = re.compile(r"\d\.?m?s\b")
NUMBER = re.compile(r"[1-9]")
# By what a property is called: what its value may not contain. Line heights after a / are no sizes.
REFUSED = (
    (re.compile(r""), COLOUR, "colour"),
    (re.compile(r"font(-size)?$"), LENGTH, "font size"),
    (re.compile(r"border(-\w+)*-radius$"), LENGTH, "radius"),
    (re.compile(r"(box|text)-shadow$|filter$"), LENGTH, "shadow"),
    (re.compile(r"(animation|transition)(-\w+)*$"), TIME, "duration"),
    (re.compile(r"z-index$"), NUMBER, "layer"),
)
VAR = re.compile(r"var\((--[\w-]+)\)")
TOKEN = re.compile(r"^ +(--[\w-]+):", re.MULTILINE)
LIGHT_DARK = re.compile(r"(--[\w-]+): light-dark\([^,]+, (#\w+)\)")
DARK = re.compile(r"(--[\w-]+): (#\w+);")


def problems(folder: Path) -> Iterator[str]:
    """Yield a line for each value that is no token, and for each dark colour that differs."""
    tokens, dark = ((folder / name).read_text() for name in DEFINE)
    for path in sorted(folder.glob("*.css")):
        text = COMMENT.sub(lambda remark: "\n" * remark[0].count("\n"), path.read_text())
        for declaration in DECLARATION.finditer(text) if path.name not in DEFINE else ():
            name, value = declaration[1], VAR.sub("", declaration[2])
            for properties, refused, what in REFUSED:
                others = {*VAR.findall(declaration[2])} - {*TOKEN.findall(tokens)} if properties.pattern else ()
                if properties.match(name) and (others or refused.search(value)):
                    line = text.count("\n", 0, declaration.start(1)) + 1
                    yield f"{path.name}:{line}: no token: {what} in {name}:{declaration[2]}"
    for name, colour in sorted({*LIGHT_DARK.findall(tokens)} ^ {*DARK.findall(dark)}):
        yield f"dark.css: {name} is not {colour} in both files"


if __name__ == "__main__":
    sys.exit("\n".join(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)) or None)
