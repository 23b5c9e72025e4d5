"""Draws a QR code in a terminal. Each line shows two rows of the code's squares, which are called modules."""

from collections.abc import Sequence

MARGIN = 4  # light modules around the code, which scanners need
STYLE = "#ffffff on #000000"  # a terminal without colours must have a dark background

_HALVES = {"00": "█", "01": "▀", "10": "▄", "11": " "}  # by the upper and the lower module; light modules are drawn


def drawn(rows: Sequence[str]) -> list[str]:
    """Return the lines of a QR code with its margin. `rows`: its modules, `0` for light and `1` for dark."""
    width = len(rows[0]) + 2 * MARGIN
    above = ["0" * width] * MARGIN
    padded = [*above, *(row.center(width, "0") for row in rows), *above]
    if len(padded) % 2:
        padded.append("0" * width)
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return ["".join(_HALVES[upper + lower] for upper, lower in zip(*pair, strict=True)) for pair in pairs]
