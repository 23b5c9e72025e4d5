"""Markup: only what we write ourselves is any."""

from __future__ import annotations

from dreadclock_server.evening.recap.markup import Markup, items, tag


def test_whatever_is_not_made_here_is_escaped_within_elements_and_attributes() -> None:
    assert tag("p", "<b>&", tag("b", "bold"), title='"quoted"') == (
        '<p title="&quot;quoted&quot;">&lt;b&gt;&amp;<b>bold</b></p>'
    )


def test_attributes_are_named_as_python_can_and_may_be_absent() -> None:
    assert tag("path", class_="line", aria_hidden="true", name="x", id=None) == (
        '<path class="line" aria-hidden="true" name="x"></path>'
    )
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_what_is_no_item_of_a_list_becomes_one_even_where_it_only_looks_like_one() -> None:
    assert items([tag("li", "one"), "<li>two"], "those") == (
        '<ul class="those"><li>one</li><li>&lt;li&gt;two</li></ul>'
    )


def test_markup_that_is_put_together_as_text_is_none_any_more() -> None:
    assert tag("p", Markup("<b>") + "<i>") == "<p>&lt;b&gt;&lt;i&gt;</p>"
