"""Draw docs/pictures/*.svg from the text files beside them: `parts.txt` and `command.txt`.

A text file has one statement a line. `row` makes a row of boxes, and an arrow leads to a box of the next row:

    row Server: rooms = Rooms / queue, batch, append | pages = Pages / what browsers load
    arrow rooms -> store: append, read

`lane` makes a column. A message leads from a column to another column, or to itself. Messages go from top to bottom:

    lane room = rooms/live.py
    message client -> room: a frame
    message room -> room: decide
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

PICTURES: Final = Path(__file__).parents[1] / "docs/pictures"
WIDTH: Final = 960
MARGIN: Final = 24
_HEAD: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>{title}</title>
<style>
text {{ font: 14px system-ui, sans-serif; fill: #1f2933; text-anchor: middle }}
.ground {{ fill: #fbfaf7 }} .box {{ fill: #fff; stroke: #52606d; stroke-width: 1.2 }}
.group {{ fill: #f0ece3; stroke: none }} .name {{ font-weight: 600 }} .small {{ font-size: 12px; fill: #52606d }}
.start {{ text-anchor: start }} .line {{ stroke: #52606d; stroke-width: 1.4; fill: none }} .tip {{ fill: #52606d }}
.lane {{ stroke: #b8b2a7; stroke-dasharray: 4 4 }}
.label {{ paint-order: stroke; stroke: #fbfaf7; stroke-width: 5 }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e8e6e1 }} .ground {{ fill: #16191d }} .box {{ fill: #262b31; stroke: #9aa5b1 }}
.group {{ fill: #1e2227 }} .small {{ fill: #b8c1cb }} .line {{ stroke: #9aa5b1 }}
.tip {{ fill: #9aa5b1 }} .lane {{ stroke: #56606b }} .label {{ stroke: #16191d }}
}}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" width="{width}" height="{height}" rx="12"/>
"""


class Box(NamedTuple):
    """A box of a row: its left edge, top, width and height."""

    x: float
    y: float
    width: float
    height: float


def draw(text: str) -> str:
    """Return a picture as SVG. The first line of `text` is its title. Raises ValueError for an unknown statement."""
    title, *lines = [line for line in text.splitlines() if line.strip()]
    statements = [_statement(line) for line in lines]
    parts, height = _sequence(statements) if statements[0][0] == "lane" else _layers(statements)
    head = _HEAD.format(width=WIDTH, height=round(height), title=escape(title))
    return head + "\n".join(parts) + "\n</svg>\n"


def _statement(line: str) -> tuple[str, str]:
    match = re.fullmatch(r"(row|arrow|lane|message) (.+)", line)
    if match is None:
        raise ValueError(f"no statement of a picture: {line}")
    return match[1], match[2]


def _layers(statements: list[tuple[str, str]]) -> tuple[list[str], float]:
    """Draw rows of boxes with arrows downwards. A row's group has its name at the upper left."""
    parts: list[str] = []
    boxes: dict[str, Box] = {}
    y = float(MARGIN)
    for row in (rest for kind, rest in statements if kind == "row"):
        group, _, cells = row.partition(": ")
        parts.append(_rect("group", Box(MARGIN, y, WIDTH - 2 * MARGIN, 106)))
        parts.append(_text(MARGIN + 12, y + 18, group, "small start"))
        cells_of_row = cells.split(" | ")
        width = (WIDTH - 2 * MARGIN - 12 * (len(cells_of_row) + 1)) / len(cells_of_row)
        for place, cell in enumerate(cells_of_row):
            key, _, words = cell.partition(" = ")
            boxes[key] = box = Box(MARGIN + 12 + place * (width + 12), y + 26, width, 68)
            parts += [_rect("box", box), *_words(box, words.split(" / "))]
        y += 150
    for arrow in (rest for kind, rest in statements if kind == "arrow"):
        parts += _arrow(boxes, arrow)
    return parts, y - 44 + MARGIN


def _words(box: Box, words: list[str]) -> Iterator[str]:
    """Write a box's name, and below it what it holds."""
    middle, top = box.x + box.width / 2, box.y + box.height / 2 - 8 * (len(words) - 1) + 4
    for place, line in enumerate(words):
        yield _text(middle, top + 17 * place, line, "small" if place else "name")


def _arrow(boxes: dict[str, Box], arrow: str) -> list[str]:
    """Draw an arrow straight down where both boxes overlap, with its label at the right of it."""
    ends, _, label = arrow.partition(": ")
    above, below = (boxes[key] for key in ends.split(" -> "))
    left, right = max(above.x, below.x), min(above.x + above.width, below.x + below.width)
    x, start, end = (left + right) / 2, above.y + above.height, below.y
    line = f'<path class="line" marker-end="url(#tip)" d="M{x:.0f} {start:.0f}V{end - 2:.0f}"/>'
    return [line, _text(x + 8, start + 38, label, "small start")]


def _sequence(statements: list[tuple[str, str]]) -> tuple[list[str], float]:
    """Draw columns, and messages between them in the order of time."""
    lanes = [rest.split(" = ") for kind, rest in statements if kind == "lane"]
    messages = [rest for kind, rest in statements if kind == "message"]
    width = (WIDTH - 2 * MARGIN) / len(lanes)
    middles = {key: MARGIN + width * (place + 0.5) for place, (key, _) in enumerate(lanes)}
    bottom = 110 + 44 * len(messages)
    parts = []
    for key, words in lanes:
        box = Box(middles[key] - width / 2 + 8, MARGIN, width - 16, 52)
        parts.append(f'<path class="line lane" d="M{middles[key]:.0f} 76V{bottom - 20}"/>')
        parts += [_rect("box", box), *_words(box, words.split(" / "))]
    for place, message in enumerate(messages):
        parts += _message(middles, message, 120 + 44 * place, place + 1)
    return parts, float(bottom)


def _message(middles: dict[str, float], message: str, y: float, number: int) -> Iterator[str]:
    """Draw a message with its number. A message to its own column is a loop at the right of the column."""
    ends, _, label = message.partition(": ")
    start, end = (middles[key] for key in ends.split(" -> "))
    label = f"{number}. {label}"
    if start == end:
        yield f'<path class="line" marker-end="url(#tip)" d="M{start:.0f} {y - 14}h26v20h-24"/>'
        yield _text(start + 34, y + 1, label, "small start label")
    else:
        stop = end - 2 if end > start else end + 2
        yield f'<path class="line" marker-end="url(#tip)" d="M{start:.0f} {y}H{stop:.0f}"/>'
        yield _text((start + end) / 2, y - 8, label, "small label")


def _rect(kind: str, box: Box) -> str:
    place = f'x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}"'
    return f'<rect class="{kind}" {place} rx="8"/>'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


def files() -> dict[str, str]:
    """Return every picture."""
    return {f"docs/pictures/{path.stem}.svg": draw(path.read_text("utf-8")) for path in PICTURES.glob("*.txt")}
