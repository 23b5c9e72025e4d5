"""Refusals in the language of a catalogue."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from dreadclock.narration.messages import Messages
from dreadclock.narration.narrator import Narrator, catalogue
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import things
from dreadclock.wire.base import Kind, Role, Visibility
from dreadclock.wire.errors import SENTENCES, Code, Details
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.ids import GM_SEAT
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.corrections import ROOMS_OWN
from dreadclock_server.core.families.countdowns import CARING
from dreadclock_server.core.invariants import LIMITS
from dreadclock_server.rooms.size import Size
from kit.narration.telling import arguments_of, in_javascript
from kit.puppet import needs_node

SERVER = Path(__file__).parents[3] / "server" / "src" / "dreadclock_server"
WORDED = {"allowed", "what", "kept_for", "kind", "why"}  # the details that are words, not ids and numbers
OVER = {  # the states in which something is refused because of them
    *(set(things.CountdownStatus)),
    *(set(things.SceneStatus) | set(things.SituationStatus) | set(things.ChallengeStatus)) - {"prepared", "open"},
    things.TotalStatus.SUCCEEDED,
    things.TotalStatus.FAILED,
    *(set(things.CharacterStatus) - {things.CharacterStatus.IN_PLAY}),
}
WHY = (
    "one for each die",
    "5 at first",
    "5 at first, one more for each 6",
    "12 at first, and each 1 is rolled again",
    "12 at first, one more for each 6, and each 1 is rolled again",
)
OUTCOMES = ("a success", "a partial success", "a failure")
WOULD = (
    "an amendment",
    "moving it on",
    "moving it on, or enlarging it",
    "moving it back, or enlarging it",
    "moving it on or back, or enlarging it",
)
FULL = [
    refusal
    for limit in (1024, 1024**3)  # told in KiB and in MiB
    for refusal in (Size(limit, limit).refusal(Actor(GM_SEAT, Role.GM)), Size(limit).hidden_refusal())
    if refusal is not None
]
FIRST_LIMITS = {family: what for family, _, _, what in reversed(LIMITS)}  # the further ones are for imports
GERMAN = Narrator("de")

_NUMBER = re.compile("[0-9]+")


def fields_of_sentence(code: Code) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(SENTENCES[code]) if field}


def term_group(code: Code, field: str) -> str:
    """Return the group of terms in which a refusal says a detail, empty if it says it as it is."""
    messages = Messages("de", catalogue("de"))
    (group,) = {each.style for each in arguments_of(messages.template(f"refusal.{code}")) if each.path == (field,)}
    return group


def words_in_the_server() -> Iterator[tuple[Code, str, str]]:
    """Find each `Refused(Code.X, what="words")` of the server; what tools refuse never leaves their process."""
    for path in sorted({*SERVER.rglob("*.py")} - {*(SERVER / "tools").rglob("*.py")}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                yield from words_of(node)


def words_of(call: ast.Call) -> Iterator[tuple[Code, str, str]]:
    name = call.args[0].attr if call.args and isinstance(call.args[0], ast.Attribute) else ""
    code = Code.__members__.get(name)
    for detail in call.keywords:
        if code and detail.arg in WORDED and isinstance(detail.value, ast.Constant):
            yield code, detail.arg, str(detail.value.value)


@cache
def all_words() -> set[tuple[Code, str, str]]:
    """List the words that details are, as far as the code says so, with the refusals that they stand in."""
    return {
        *words_in_the_server(),
        *((Code.NOT_ALLOWED, "allowed", row.allowed_for(role)) for row in ACCESS.values() for role in Role),
        *((Code.NOT_ALLOWED, "allowed", allowed) for allowed in CARING.values()),
        *((Code.BINDING_UNSAID, "kind", kind) for kind in (Kind.SCENE, Kind.SITUATION, "situation or scene")),
        *((Code.NAMES_HIDDEN, "kind", kind) for kind in (Kind.SCENE, Kind.SITUATION, Kind.CHARACTER)),
        *((Code.UNKNOWN, "kind", kind) for kind in Kind),
        *((Code.UNKNOWN, "kind", f"{role} seat") for role in Role),
        *((Code.ENDED, "kind", kind) for kind in (Kind.SCENE, Kind.SITUATION, Kind.CHALLENGE, Kind.TOTAL)),
        *((code, "kind", kind) for code in (Code.NOT_APPROVED, Code.ROLL_STANDS) for kind in (Kind.CHECK, Kind.TOTAL)),
        *((Code.NOT_FREE_STANDING, "kind", kind) for kind in set(things.ClockKind) - {things.ClockKind.FREE}),
        *((Code.CRISIS_STANDS, "kind", kind) for kind in CrisisKind),
        *((Code.HIDDEN_WITH_SCENE, "visibility", visibility) for visibility in Visibility),
        *((Code.ENDED, "status", status) for status in OVER),
        *((Code.OUTCOME_CHANGED, field, outcome) for field in ("now", "expected") for outcome in OUTCOMES),
        *((Code.OUTCOME_UNEXPECTED, "now", outcome) for outcome in OUTCOMES),
        *((Code.WRONG_FACES, "why", why) for why in WHY),
        *((Code.CANNOT_BE_VOIDED, "why", bar) for bar in NoUndo),
        *((Code.CLOCK_STANDS, "would", would) for would in WOULD),
        *((Code.CHANGED_SINCE, "id", name) for name in ROOMS_OWN.values()),
        *((refusal.code, "what", str(refusal.details["what"])) for refusal in FULL),
        *((Code.TOO_MANY, "what", what) for what in FIRST_LIMITS.values()),
        (Code.ID_RESERVED, "kept_for", "things that only the gm knows"),
        (Code.ID_RESERVED, "kept_for", "what everyone knows: start it with gm-"),
    }


def test_every_refusal_has_a_german_sentence_with_the_same_details() -> None:
    messages = Messages("de", catalogue("de"))

    assert {key for key in catalogue("de") if key.startswith("refusal.")} == {f"refusal.{code}" for code in Code}
    for code in Code:
        told = {argument.path[0] for argument in arguments_of(messages.template(f"refusal.{code}"))}
        assert told == fields_of_sentence(code), code


def test_every_word_in_a_refusal_is_german() -> None:
    for code, field, word in sorted(all_words()):
        details = dict.fromkeys(fields_of_sentence(code), "7")

        told = GERMAN.refusal(code, {**details, field: word}, SENTENCES[code])

        key = f"{term_group(code, field)}.{_NUMBER.sub('#', word) if field == 'why' else word}"
        german = re.sub(r"\{numbers.0\}", "[0-9]+", catalogue("de")[key])
        assert re.search(german.replace("(", r"\(").replace(")", r"\)"), told, re.IGNORECASE), (code, field, word)


def test_every_german_word_stands_in_some_refusal_or_sentence() -> None:
    said = {(term_group(code, field), word) for code, field, word in all_words()}
    terms = {tuple(key.split(".", 1)) for key in catalogue("de")}
    groups = {group for group, _ in said} - {"the", "why"}  # which sentences say, too, and which leave numbers open

    assert {(group, word) for group, word in terms if group in groups} - said == set()


@pytest.mark.parametrize(
    ("code", "details", "told"),
    [
        (Code.UNKNOWN, {"kind": "clock", "id": "rain"}, "Hier gibt es keine Uhr mit der ID rain."),
        (Code.ENDED, {"kind": "scene", "id": "vault", "status": "success"}, "Die Szene vault ist vorbei: gewonnen."),
        (Code.NOT_ALLOWED, {"allowed": "the gm"}, "Das darf nur die Spielleitung."),
        (Code.NOT_ALLOWED, {"allowed": "the moon"}, "Das darf nur the moon."),
        (Code.NOT_ALLOWED, {}, "Das darf nur ?."),
        (
            Code.WRONG_FACES,
            {"needed": 6, "given": 4, "why": "5 at first, one more for each 6"},
            "Nötige Zahlen: 6, eingetragen: 4 (5 am Anfang, für jede 6 einer mehr).",
        ),
        (
            Code.TOO_MANY,
            {"limit": 8, "what": "open scenes"},
            "Der Raum hat schon 8 offene Szenen. Mehr sind nicht möglich.",
        ),
    ],
)
def test_a_refusal_is_told_in_german(code: Code, details: dict[str, str | int], told: str) -> None:
    assert GERMAN.refusal(code, details, "In English.") == told


def test_a_refusal_without_words_of_its_own_is_told_as_the_server_says_it() -> None:
    assert Narrator("en").refusal(Code.ROOM_OPEN, {}, SENTENCES[Code.ROOM_OPEN]) == SENTENCES[Code.ROOM_OPEN]
    assert GERMAN.refusal("of_a_later_version", {}, "The moon is up.") == "The moon is up."


def test_text_of_others_in_a_refusal_cannot_steer_the_terminal() -> None:
    told = GERMAN.refusal(Code.BAD_COMMAND, {"problem": "\x1b[2J{problem}"}, "")

    assert told == "Das versteht der Tisch nicht: \ufffd[2J{problem}."


@needs_node
def test_refusals_are_told_alike_in_javascript() -> None:
    refusals: list[tuple[str, Details]] = [(code, dict.fromkeys(fields_of_sentence(code), 7)) for code in Code]
    refusals += [(code, {field: word}) for code, field, word in sorted(all_words())]
    refusals += [("of_a_later_version", {})]
    for narrator in (Narrator("en"), GERMAN):
        jobs = [
            {"do": "refuse", "language": narrator.language, "code": code, "details": details, "sentence": "Why not."}
            for code, details in refusals
        ]

        assert in_javascript(jobs) == [narrator.refusal(code, details, "Why not.") for code, details in refusals]
