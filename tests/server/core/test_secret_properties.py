"""What holds whatever happens: nobody hears of what she may not know. Ruling E4."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dreadclock.wire.base import Visibility
from dreadclock.wire.commands import Command, IntroduceComplication
from dreadclock.wire.events import Revealed
from kit.prepared import GM_ONLY, SEALED, open_evening, sealed_evening, secret_evening
from kit.scripts import OUTSIDERS, Outcome, Script, Step, play, scripts
from kit.tables import GM, ORACLE

examples = settings(max_examples=300, deadline=None)
INSIDERS = (GM, ORACLE)
TEXTS = ("name", "note", "reason", "how", "text", "ending")


def public_texts(outcomes: Iterable[Outcome]) -> list[str]:
    return [text for outcome in outcomes for text in outcome.public()]


def is_hidden(command: Command) -> bool:
    """Tell whether a command names what only the gm knows, or starts it."""
    return GM_ONLY in command.model_dump_json() or getattr(command, "visibility", None) is Visibility.GM


def marked(step: Step) -> Step:
    """Put the marker of what a gm's command is about into all its texts, its note, and the id that it chooses."""
    command = step.command
    if step.by is GM and is_hidden(command) and not is_told_to_all(command):
        return replace(step, command=with_texts(command, GM_ONLY))
    about = [mark for mark in SEALED if step.by is GM and names_sealed(command, mark)]
    return replace(step, command=with_texts(command, about[0])) if about else step


def is_told_to_all(command: Command) -> bool:
    """A complication is told to those who know its situation, whatever it moves or starts."""
    return isinstance(command, IntroduceComplication) and GM_ONLY not in command.situation_id


def names_sealed(command: Command, mark: str) -> bool:
    """Tell whether a command is about a sealed thing or what is in it."""
    ids = [value for name, value in command if name.endswith("_id") and isinstance(value, str)]
    root = mark.removeprefix("yy-")
    return any(value == root or value.startswith((f"{root}-", f"gm-{mark}")) for value in ids)


def with_texts(command: Command, mark: str) -> Command:
    free = {name for name, value in command if name in TEXTS and (value is None or type(value) is str)}
    changes: dict[str, Any] = {name: f"{mark} {name}" for name in free}
    chosen = getattr(command, "id", None)
    if chosen is not None and chosen.startswith("gm-"):
        changes["id"] = f"gm-{mark}-{chosen}"
    return command.model_copy(update=changes)


def is_no_reveal(step: Step) -> bool:
    return step.type != "reveal" or not is_hidden(step.command)


@examples
@given(scripts())
def test_no_text_of_what_only_the_gm_knows_is_in_a_public_record(script: Script):
    kept = [marked(step) for step in script if is_no_reveal(step)]

    assert [text for text in public_texts(play(secret_evening(), kept)) if GM_ONLY in text] == []


@examples
@given(scripts())
def test_no_text_of_a_sealed_thing_is_in_a_public_record_before_everyone_sees_the_thing(script: Script):
    shown: set[str] = set()

    for outcome in play(secret_evening(), [marked(step) for step in script]):
        for written in outcome.written:
            if isinstance(written.event, Revealed):
                shown.add(f"yy-{written.event.id}")
            if written.record.channel == "public":
                assert [mark for mark in SEALED if mark in written.text and mark not in shown] == []


# With and without hidden things


def hidden_part(script: Script) -> Script:
    """Keep what the gm does about hidden things alone, at later times and under ids of their own."""
    alone = [
        step for step in script if is_hidden(step.command) and step.type not in ("reveal", "introduce_complication")
    ]
    return [replace(marked(step), place=step.place + 50_000) for step in alone]


def open_part(script: Script) -> Script:
    """Keep what is not about hidden things, and whatever outsiders try.

    The note of one who knows secrets goes to the most secret event, so those say nothing.
    """
    return [
        replace(step, command=step.command.model_copy(update={"note": None})) if step.by in INSIDERS else step
        for step in script
        if step.by not in INSIDERS or not is_hidden(step.command)
    ]


def interleaved(script: Script, others: Script, chance: Random) -> Script:
    """Put the others anywhere between the steps of a script."""
    both = list(script)
    for step in others:
        both.insert(chance.randint(0, len(both)), step)
    return both


def answers(outcomes: Iterable[Outcome]) -> list[tuple[int, object]]:
    """Return what those were answered who see no secrets."""
    return [
        (outcome.step.place, (outcome.refused.code, outcome.refused.details) if outcome.refused else "done")
        for outcome in outcomes
        if outcome.step.by in OUTSIDERS
    ]


@examples
@given(scripts(seats=(GM,)), scripts(), st.randoms(use_true_random=False))
def test_hidden_things_leave_no_trace_in_public_records_or_answers(hidden: Script, script: Script, chance: Random):
    told = open_part(script)

    without = play(open_evening(), told)
    with_them = play(secret_evening(), interleaved(told, hidden_part(hidden), chance))

    assert public_texts(with_them) == public_texts(without)
    assert answers(with_them) == answers(without)


# The numbers behind a seal


FEW = sealed_evening(pool=20, speed="slow", size=90, difficulty="hard", faces=2)
MANY = sealed_evening(pool=40, speed="fast", size=99, difficulty="easy", faces=5)


def leaves_numbers_alone(step: Step) -> bool:
    """Tell whether a command can only be refused, or come to nothing, whatever the numbers are.

    To amend a clock to what it shows, to type in as many faces as there are dice: that tells the gm, who knows.
    """
    typed = getattr(step.command, "faces", None) is not None
    return step.type not in ("amend_clock", "introduce_complication") and not typed


def is_shown(outcome: Outcome) -> bool:
    return any(isinstance(written.event, Revealed) for written in outcome.written)


@examples
@given(scripts(most=9))
def test_the_numbers_of_a_sealed_thing_leave_no_trace_until_it_ends_or_is_revealed(script: Script):
    script = [step for step in script if leaves_numbers_alone(step)]
    pairs = list(zip(play(FEW, script), play(MANY, script), strict=True))

    sealed = list(takewhile(lambda pair: not any(map(is_shown, pair)), pairs))

    assert public_texts(few for few, _ in sealed) == public_texts(many for _, many in sealed)
    assert answers(few for few, _ in sealed) == answers(many for _, many in sealed)


def test_the_numbers_behind_the_seals_do_differ():
    assert FEW.view.clocks["heist-threat"] != MANY.view.clocks["heist-threat"]
    assert FEW.view.public == MANY.view.public
