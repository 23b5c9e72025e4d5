"""Templates and messages, in Python and in JavaScript."""

from typing import Any

import pytest

from dreadclock.narration import Messages, TemplateError
from dreadclock.narration.messages import category, parse
from kit.narration.telling import in_javascript
from kit.puppet import needs_node

MOST = 1_200
LANGUAGES = [
    *("be", "ca", "cs", "de", "el", "en", "es", "fa", "fi", "fr", "hi", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt"),
    *("ru", "sk", "sv", "th", "tr", "uk", "vi", "zh"),
]
DICE = "{n, plural, =0 {no dice} one {# die} other {# dice}}"
NOTHING: list[object] = ["", 0, False, [], None]
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("Plain text", {}, "Plain text"),
    ("{name} is here", {"name": "Ines"}, "Ines is here"),
    ("{ who.name } has {who.dice.0} and {who.dice.1}", {"who": {"name": "Ines", "dice": [3, 5]}}, "Ines has 3 and 5"),
    ("{name}, {who.name}, {dice.7}, {name.first}", {"dice": [1], "who": None}, "?, ?, ?, ?"),
    ("{name}", {"name": "{other} '{' # <b>"}, "{other} '{' # <b>"),
    ("{constructor} {__proto__} {toString} {__class__}", {"n": 1}, "? ? ? ?"),
    (
        "the gm's and {name}'s dice, it''s '{'so'}' and '{name}' '",
        {"name": "Ines"},
        "the gm's and Ines's dice, it's {so} and {name} '",
    ),
    (DICE, {"n": 0}, "no dice"),
    (DICE, {"n": 1}, "1 die"),
    (DICE, {"n": 7}, "7 dice"),
    (DICE, {"n": [6, 6]}, "2 dice"),
    (DICE, {"n": []}, "no dice"),
    (DICE, {}, "no dice"),
    ("{n, plural, other {{open, given, yes {# '#'}}}}, # {n}", {"n": 4, "open": True}, "4 #, # 4"),
    ("{n, plural, other {{m, plural, other {#}} #}}", {"n": 4, "m": 2}, "2 4"),
    ("{role, select, gm {the gm} other {a {role}}}", {"role": "gm"}, "the gm"),
    ("{role, select, gm {the gm} other {a {role}}}", {"role": "player"}, "a player"),
    ("{on, select, true {on} false {off} other {unknown}}", {"on": True}, "on"),
    ("{on, select, true {on} false {off} other {unknown}}", {"on": False}, "off"),
    ("{on, select, none {nothing} other {something}}", {}, "nothing"),
    ("{on, select, constructor {wrong} other {right}}", {"on": "toString"}, "right"),
    ("{why, given, yes {: {why}} no {!}}", {"why": "a slip"}, ": a slip"),
    *(("{why, given, yes {: {why}} no {!}}", {"why": nothing}, "!") for nothing in NOTHING),
    ("{why, given, yes {.}}{why, given, no {!}}", {}, "!"),
    ("{all, list}", {"all": ["a", "b", "c"]}, "a, b, c"),
    ("{all, list, between { / }}", {"all": [6, 1]}, "6 / 1"),
    ("{all, list, each {<{name}>}}", {"all": [{"name": "a"}, {"name": "b"}]}, "<a>, <b>"),
    ("{all, list, first {{it}!} each {{it}} between { }}", {"all": [1, 2, 3]}, "1! 2 3"),
    ("{all, list, first {{it}!} each {{it, select, 2 {} other {{it}}}} between { }}", {"all": [1, 2, 3]}, "1! 3"),
    ("{all, list, each {{it, select, a {} other {{it}}}} none {nobody}}", {"all": ["a", "a"]}, "nobody"),
    ("{all, list, none {nobody}}", {"all": []}, "nobody"),
    ("{all, list}", {}, ""),
    ("{who, as, named} and {n, as, counted}", {"who": {"name": "Ines"}, "n": 2}, "<Ines> and 2x"),
    ("{n, as, nothing.there}", {"n": 2}, "nothing.there"),
    ("{kind, term, kind}, {other, term, kind}", {"kind": "a clock", "other": "moon"}, "eine Uhr, moon"),
    ("{why, term, why}", {"why": "12 at first, 3 more"}, "am Anfang 12, dann 3"),
    ("{why, term, why}", {"why": "12 at last"}, "12 at last"),
    ("{n, whatever}, {n, whatever, more}", {"n": 2}, "?, ?"),
]
TEMPLATES = {
    "named": "<{name}>",
    "counted": "{it}x",
    "kind.a clock": "eine Uhr",
    "why.# at first, # more": "am Anfang {numbers.0}, dann {numbers.1}",
}
ILL_FORMED = [
    "{",
    "}",
    "a } b",
    "{}",
    "{a",
    "{a,}",
    "{a b}",
    "{a-b}",
    "{a, select}",
    "{a, select, other {}",
    "{a, select, x {}}",
    "{a, plural, one {}}",
    "{a, plural, =x {} other {}}",
    "{a, given, maybe {}}",
    "{a, list, last {}}",
    "{a, given, yes {{}}",
    "{a, select, other {}}}",
]


@pytest.mark.parametrize(("template", "fields", "text"), CASES)
def test_a_template_is_filled_in(template: str, fields: dict[str, Any], text: str) -> None:
    assert Messages("en", {**TEMPLATES, "it": template}).text("it", fields) == text


def test_a_key_without_a_message_is_shown_itself() -> None:
    messages = Messages("en", {"a.b": "text"})

    assert (messages.text("nothing"), messages.has("nothing"), messages.has("a.b")) == ("nothing", False, True)


@pytest.mark.parametrize("template", ILL_FORMED)
def test_an_ill_formed_template_is_an_error_that_shows_where(template: str) -> None:
    with pytest.raises(TemplateError, match=" >>> "):
        parse(template)


def test_a_language_that_nothing_is_known_of_has_one_form_for_one_and_one_for_others() -> None:
    assert [category("tlh", number) for number in range(3)] == ["other", "one", "other"]
    assert category("de-AT", 1) == "one"


# The same in JavaScript


@needs_node
def test_templates_are_filled_in_alike_in_javascript() -> None:
    jobs = [
        {"do": "text", "language": "en", "templates": {**TEMPLATES, "it": template}, "key": "it", "fields": fields}
        for template, fields, _ in CASES
    ]

    assert in_javascript(jobs) == [text for _, _, text in CASES]


@needs_node
def test_ill_formed_templates_are_errors_in_javascript_too() -> None:
    jobs = [{"do": "parse", "template": template} for template in ILL_FORMED]

    assert in_javascript(jobs) == [{"error": "TemplateError"}] * len(ILL_FORMED)


@needs_node
def test_the_forms_of_a_language_are_those_that_unicode_knows() -> None:
    known = in_javascript([{"do": "forms", "language": language, "upTo": MOST} for language in LANGUAGES])

    for language, forms in zip(LANGUAGES, known, strict=True):
        assert forms == [category(language, number) for number in range(MOST)], language
