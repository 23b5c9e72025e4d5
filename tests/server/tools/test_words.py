"""What a picture says, in every language: all of it, and nothing in another one."""

import io
import json
import re
from collections.abc import Collection
from enum import StrEnum
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest
from rich.console import Console

from dreadclock.client.trust.alarms import Alarm, LogAlarm, RollAlarm
from dreadclock.client.trust.noted_heads import Noted, contradiction, forked
from dreadclock.dice.flaws import Flaw
from dreadclock.narration import Messages, Narrator, languages
from dreadclock.narration.narrator import catalogue
from dreadclock.rules.check import Outcome
from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.rules.countdown import Speed
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import things
from dreadclock.wire.base import Channel, Kind, Role, Visibility
from dreadclock.wire.commands import RollDice
from dreadclock.wire.views import View
from dreadclock_server.tools.alarms import told_alarms
from dreadclock_server.tools.canvas import Pen
from dreadclock_server.tools.drawing import Seen, sections
from dreadclock_server.tools.layout import whole
from dreadclock_server.tools.words import texts as texts_of_pictures
from dreadclock_server.tools.words import words_of
from kit.narration.examples import room
from kit.narration.telling import arguments_of, views_of_transcripts
from kit.scenery import record, rolled

ENGLISH_IS_THE_ALARMS_OWN = ("alarm.", "flaw.", "problem.")
WORDED: dict[str, Collection[StrEnum]] = {
    "role": set(Role),
    "mark": set(Visibility),
    "kind": set(Kind),
    "speed": set(Speed),
    "countdown": set(things.CountdownStatus) - {things.CountdownStatus.RUNNING},
    "scene": set(things.SceneStatus) - {things.SceneStatus.OPEN},
    "situation": {*things.SituationKind, *things.SituationStatus} - {things.SituationStatus.OPEN},
    "race": set(RaceOutcome),
    "difficulty": set(Difficulty),
    "content": set(things.Content),
    "challenge": {*things.ChallengeKind, *things.ChallengeStatus} - {things.ChallengeStatus.OPEN},
    "crisis": set(CrisisKind),
    "character": set(things.CharacterStatus) - {things.CharacterStatus.IN_PLAY},
    "benefit": set(things.Benefit),
    "effect": set(things.EffectKind),
    "check": set(things.CheckStatus) - {things.CheckStatus.RESOLVED},
    "outcome": set(Outcome),
    "cost": set(things.CostStage),
    "total": set(things.TotalStatus),
}
_WORD = re.compile(r"[^\W\d_]{2,}")
_VALUES = {
    str(value) for kind in StrEnum.__subclasses__() if kind.__module__.startswith("dreadclock.") for value in kind
}


def texts(language: str) -> dict[str, str]:
    """Return the words of pictures, and of `send`."""
    sent = files("dreadclock.cli").joinpath(f"words.{language}.json").read_text(encoding="utf-8")
    return {**texts_of_pictures(language), **json.loads(sent)}


def words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


GERMAN = words(" ".join(chain(texts("de").values(), catalogue("de").values())))


def test_every_language_says_the_same_with_the_same_fields() -> None:
    for language in languages():
        said = {key: text for key, text in texts(language).items() if not key.startswith(ENGLISH_IS_THE_ALARMS_OWN)}
        english = {key: text for key, text in texts("en").items() if not key.startswith(ENGLISH_IS_THE_ALARMS_OWN)}
        assert said.keys() == english.keys()
        for key in said:
            assert fields(language, key) == fields("en", key), key


def fields(language: str, key: str) -> set[tuple[str, ...]]:
    messages = Messages(language, texts(language))
    return {argument.path for argument in arguments_of(messages.template(key))}


@pytest.mark.parametrize("language", languages())
def test_every_state_and_kind_has_words(language: str) -> None:
    missing = {f"{group}.{value}" for group, values in WORDED.items() for value in values} - texts(language).keys()

    assert missing == set()


def drawn(view: View, language: str) -> str:
    """Draw a room without ids, which are nobody's language."""
    console = Console(file=io.StringIO(), width=160, color_system=None, _environ={})
    with console.capture() as capture:
        pen = Pen(width=160, ids=False, narrator=Narrator(language))
        console.print(whole(sections(Seen(view, {"gm": 1}, connected=False), pen)))
    return capture.get()


def typed_in(view: View) -> set[str]:
    """List the words that people gave to a room: all but the fields that have a few values, and names of fields."""
    return set(chain.from_iterable(words(each) for each in strings(view.model_dump(mode="json")) - _VALUES))


def strings(value: Any) -> set[str]:
    if isinstance(value, dict):
        given = [each for name, each in value.items() if name != "type"]
        return {*value.get("attributes", ()), *value.get("tracks", ())}.union(*map(strings, given))
    if isinstance(value, list):
        return set().union(*map(strings, value))
    return {value} if isinstance(value, str) else set()


def test_a_picture_in_german_has_no_word_of_another_language() -> None:
    views = [*map(room, ("full", "checks", "totals")), *views_of_transcripts()]
    foreign = {word for view in views for word in words(drawn(view, "de")) - typed_in(view) - GERMAN}

    assert foreign == set()


def every_alarm() -> list[Alarm]:
    known, behind = (Noted(log_id="a" * 32, seq=seq, hash="0" * 64) for seq in (9, 4))
    others = [behind, known.model_copy(update={"hash": "1" * 64}), known.model_copy(update={"log_id": "b" * 32})]
    problems = [contradiction(known, other) for other in others]
    return [
        *(RollAlarm(flaw, record=record(rolled(1, remaining=1))) for flaw in Flaw),
        RollAlarm(Flaw.DROPPED, command=RollDice(pool=1)),
        RollAlarm(Flaw.ANCHOR, lane="seat/gm/1"),
        *(LogAlarm(Channel.PUBLIC, 9, problem) for problem in problems if problem),
        *(forked(channel, seq) for channel, seq in ((Channel.PUBLIC, 3), (Channel.GM, 3), (Channel.GM, None))),
    ]


def test_every_alarm_is_told_in_german_and_in_english_as_it_says_itself() -> None:
    alarms = every_alarm()
    told = [line.plain for line in told_alarms(alarms, 0, words_of("de"))]
    english = [line.plain for line in told_alarms(alarms, 0, words_of("en"))]

    foreign = set().union(*map(words, told)) - GERMAN - words("dice_rolled roll_dice seat/gm/1 countdown_rolled")
    assert foreign == set()
    loud = [f"ALARM  {alarm.sentence}" for alarm in alarms if getattr(alarm, "flaw", None) is not Flaw.NOT_SENT]
    assert english[: len(loud)] == loud
    assert len(told) == len(english) == len(loud) + 1
