"""Drawings made fit for a page."""

from __future__ import annotations

from dreadclock.evening.recap.inline import Inliner

SVG = """<?xml version="1.0"?><!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">
 <metadata>a date</metadata>
 <defs><style type="text/css">*{}</style></defs>
 <g id="figure_1"><g id="patch"><path id="dot" d="M 1.23456 2.0 L 3.3 -0.049" style="fill: #010203; stroke: none"/>
 <use xlink:href="#dot" x="1.999"/></g><g id="empty"/>
 <text style="font: 10px 'Some Font', sans-serif; text-anchor: middle">a &lt; b</text></g>
</svg>"""


def test_a_drawing_keeps_what_is_drawn_and_nothing_else() -> None:
    inliner = Inliner({"ink": "#010203"})

    assert inliner.inline(SVG, 'what "it" shows') == (
        '<svg class="drawing" role="img" aria-label="what &#34;it&#34; shows" viewBox="0 0 9 9">'
        '<path id="d1-dot" d="M 1.2 2.0 L 3.3 -0" class="k0"></path><use href="#d1-dot" x="2"></use>'
        '<text class="k1">a &lt; b</text></svg>'
    )
    assert inliner.css() == ".k0{fill: var(--ink); stroke: none}\n.k1{font-size: 10px; text-anchor: middle}\n"


def test_drawings_share_their_styles_and_never_an_id() -> None:
    inliner = Inliner({})

    first, second = inliner.inline(SVG, ""), inliner.inline(SVG, "")

    assert second == first.replace("d1-", "d2-")
    assert inliner.css().count("\n") == 2
