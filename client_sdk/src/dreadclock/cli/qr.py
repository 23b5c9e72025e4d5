"""A QR code in a terminal, two of its rows a line."""

from collections.abc import Sequence

MARGIN = 4  # light modules around the code, which readers look for
STYLE = "#ffffff on #000000"  # of the drawing; without colours it is right where the background is dark

_HALVES = {"00": "█", "01": "▀", "10": "▄", "11": " "}  # by the upper and the lower module; what is light, is drawn


def drawn(rows: Sequence[str]) -> list[str]:
    """Draw a code, given as rows of `0` (light) and `1` (dark), with its margin."""
    width = len(rows[0]) + 2 * MARGIN
    above = ["0" * width] * MARGIN
    padded = [*above, *(row.center(width, "0") for row in rows), *above]
    if len(padded) % 2:
        padded.append("0" * width)
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return ["".join(_HALVES[upper + lower] for upper, lower in zip(*pair, strict=True)) for pair in pairs]
