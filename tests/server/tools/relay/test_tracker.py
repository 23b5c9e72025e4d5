"""The tracker's words are the same in every language, and nothing in a message means something to Discord."""

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.narration import Messages, Narrator, languages
from dreadclock.wire.plain import plain
from dreadclock_server.tools.relay.markdown import escaped, escaped_within, length
from dreadclock_server.tools.relay.tracker import embed, fitted, words_of
from kit.narration.examples import room
from kit.narration.telling import arguments_of
from kit.relay.discord import CALLED, shown


def texts(language: str) -> dict[str, str]:
    path = files("dreadclock_server.tools.relay").joinpath(f"relay.{language}.json")
    return dict(json.loads(path.read_text("utf-8")))


def fields(language: str, key: str) -> set[tuple[str, ...]]:
    return {argument.path for argument in arguments_of(Messages(language, texts(language)).template(key))}


@pytest.mark.parametrize("language", languages())
def test_every_language_says_the_same_with_the_same_fields(language: str) -> None:
    assert texts(language).keys() == texts("en").keys()
    assert [key for key in texts("en") if fields(language, key) != fields("en", key)] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["full", "checks", "totals"])
def test_every_room_is_drawn_with_words_for_all_that_is_in_it(language: str, name: str) -> None:
    drawn = embed(room(name), words_of(language), Narrator(language))

    whole = "\n".join([drawn["title"], drawn["description"], drawn["footer"]["text"]])
    assert [key for key in texts(language) if "." in key and key in whole] == []
    assert "?" not in whole


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_shown_as_it_stands_and_calls_nobody(text: str) -> None:
    written = escaped(text)

    assert shown(written) == plain(text).replace("\u200b", "")
    assert not CALLED.search(written)


@given(st.text("@*_`<>a. 💣\\", max_size=400), st.integers(2, 200))
def test_a_text_is_cut_to_its_length_and_never_within_an_escape(text: str, most: int) -> None:
    cut = escaped_within(text, most)

    assert length(cut) <= most
    assert plain(text).startswith(shown(cut).removesuffix("…")) or shown(cut) == plain(text)


def test_names_in_right_to_left_scripts_are_isolated_also_where_a_text_is_cut() -> None:
    hebrew = "\u05e9\u05e8\u05d4"
    there = room("full")
    name = next(iter(there.countdowns.values())).name
    renamed = type(there).model_validate_json(there.model_dump_json(exclude_none=True).replace(name, hebrew))

    assert f"**\u2068{hebrew}\u2069** " in embed(renamed, words_of("en"), Narrator())["description"]
    assert escaped_within(f"For \u2068{hebrew} and others\u2069: a long story", 12) == f"For \u2068{hebrew} a\u2069…"
    assert escaped_within(f"For \u2068Rook {hebrew}\u2069: a long story", 10) == "For Rook…"


@pytest.mark.parametrize(
    "name",
    [
        *("@everyone", "@here", "<@123>", "<@&9>", "<#7>", "</roll:1>", "<t:0>", ":x:", "[a](https://evil.example)"),
        *("https://evil.example/x", "# big", "> quoted", "1. first", "- item", "||spoiler||", "~~gone~~", "`code`"),
        *("__u__", "-# small", "*i*", "**b**", "\\*", "http://[::1]/"),
    ],
)
def test_what_discord_would_take_for_something_else_is_shown_as_it_stands(name: str) -> None:
    assert shown(escaped(name)) == name
    assert not CALLED.search(escaped(name))


def test_lines_that_do_not_fit_are_counted() -> None:
    text = fitted(["x" * 1000] * 6, words_of("en"))
    assert text.splitlines()[-1] == "… 2 more lines"
    assert length(text) <= 4096
