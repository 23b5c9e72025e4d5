"""QR codes in a terminal."""

from __future__ import annotations

import pytest

from dreadclock.cli.qr import MARGIN, drawn

MODULES = {"█": "00", "▀": "01", "▄": "10", " ": "11"}


@pytest.mark.parametrize("size", [21, 37, 40])
def test_a_drawing_shows_every_module_inside_its_margin(size: int) -> None:
    rows = [f"{(row * 2_654_435_761) % 2**size:0{size}b}" for row in range(size)]

    lines = drawn(rows)

    shown = ["".join(MODULES[half][part] for half in line) for line in lines for part in (0, 1)]
    width = size + 2 * MARGIN
    assert {len(line) for line in lines} == {width}
    assert [row[MARGIN:-MARGIN] for row in shown[MARGIN : MARGIN + size]] == rows
    margin = shown[:MARGIN] + shown[MARGIN + size :]
    assert set(margin) == {"0" * width}
    assert len(margin) == 2 * MARGIN + size % 2
    assert {row[:MARGIN] + row[-MARGIN:] for row in shown} == {"0" * 2 * MARGIN}
