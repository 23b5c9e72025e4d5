"""What holds whatever happens: nobody hears of what she may not know. Ruling E4."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.wire.base import Channel, Visibility
from dreadclock.wire.commands import AmendCountdown, Command, IntroduceComplication, ProposeCheck, StartCountdown
from dreadclock.wire.errors import Code
from dreadclock.wire.events import LuckPushed, RequiredRevealed, RequiredSet, Revealed, TotalRolled
from dreadclock.wire.things import Lane
from dreadclock_server.core.draft import Slot
from dreadclock_server.dice import Ledger
from kit.evenings.prepared import GM_ONLY, SEALED, Numbers, open_evening, secret_evening
from kit.examples import examples
from kit.strategies.scripts import LEDGER, OUTSIDERS, Outcome, Script, Step, play, scripts
from kit.tables import GM, ORACLE, ROOM

some = examples(50)
INSIDERS = (GM, ORACLE)
TEXTS = ("name", "note", "reason", "how", "text", "ending", "purpose", "cost", "terms")
LISTS = ("stunts", "fumble_effects")
SHOWING = ("reveal", "begin_situation", "attach_consequence", "introduce_complication")
CHECKING = ("propose_check", "adjust_check", "help_check", "oppose_check", "roll_check", "roll_check", "choose_effect")


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
    """A complication is told to those who know its situation or scene, whatever it changes or starts.

    So is a countdown to those who know it, whatever it is bound to.
    """
    if isinstance(command, StartCountdown):
        return command.visibility is not Visibility.GM
    if isinstance(command, AmendCountdown):
        return GM_ONLY not in command.countdown_id
    if not isinstance(command, IntroduceComplication):
        return False
    return GM_ONLY not in f"{command.situation_id} {command.scene_id}"


def names_sealed(command: Command, mark: str) -> bool:
    """Tell whether a command is about a sealed thing or what is in it."""
    fields = [(name, value) for name, value in command if name.endswith("_id") and name != "bound_id"]
    ids = [value for _, value in fields if isinstance(value, str)]
    root = mark.removeprefix("yy-")
    return any(value == root or value.startswith((f"{root}-", f"gm-{mark}")) for value in ids)


def with_texts(command: Command, mark: str) -> Command:
    free = {name for name, value in command if name in TEXTS and (value is None or type(value) is str)}
    changes: dict[str, Any] = {name: f"{mark} {name}" for name in free}
    changes |= {name: (f"{mark} {name}",) for name, value in command if name in LISTS and value}
    chosen = getattr(command, "id", None)
    if chosen is not None and chosen.startswith("gm-"):
        changes["id"] = f"gm-{mark}-{chosen}"
    return command.model_copy(update=changes)


def is_no_reveal(step: Step) -> bool:
    return not (step.type in ("reveal", "begin_situation", "attach_consequence") and is_hidden(step.command))


@pytest.mark.rule("E4")
@some
@given(scripts())
def test_no_text_of_what_only_the_gm_knows_is_in_a_public_record(script: Script):
    kept = [marked(step) for step in script if is_no_reveal(step)]

    assert [text for text in public_texts(play(secret_evening(), kept)) if GM_ONLY in text] == []


@pytest.mark.rule("E4")
@some
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
    alone = [step for step in script if is_hidden(step.command) and not may_show(step)]
    return [replace(marked(step), place=step.place + 50_000) for step in alone]


def may_show(step: Step) -> bool:
    """Tell whether a command about a hidden thing may show everyone a trace.

    The won plot takes its scene's point, an effort moves a clock that everyone may see, and of a sealed check
    everyone hears that it is there, whatever it is an effort against. A countdown is amended for who knows it.
    """
    sealed = getattr(step.command, "visibility", None) is Visibility.SEALED
    ends_plot = step.type in ("resolve_situation", "amend_clock") and "gm-zz-plot" in step.command.model_dump_json()
    bound = isinstance(step.command, AmendCountdown) and is_told_to_all(step.command)
    return sealed or ends_plot or bound or moves_more(step.command) or step.type in SHOWING


def moves_more(command: Command) -> bool:
    """Tell whether a command proposes a hidden check that is an effort against what is less hidden."""
    if not isinstance(command, ProposeCheck) or command.effort is None:
        return False
    return command.visibility is Visibility.GM and GM_ONLY not in command.effort.challenge_id


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


@pytest.mark.rule("E4")
@some
@given(scripts(seats=(GM,)), scripts(), st.randoms(use_true_random=False))
def test_hidden_things_leave_no_trace_in_public_records_or_answers(hidden: Script, script: Script, chance: Random):
    told = open_part(script)

    without = play(open_evening(), told)
    with_them = play(secret_evening(), interleaved(told, hidden_part(hidden), chance))

    assert public_texts(with_them) == public_texts(without)
    assert answers(with_them) == answers(without)


# The numbers behind a seal


FEW = secret_evening(Numbers(pool=20, speed="slow", size=90, difficulty="hard", faces=2, score=4, required=7))
MANY = secret_evening(Numbers(pool=40, speed="fast", size=99, difficulty="easy", faces=5, score=5, required=9))


class OtherFaces:
    """The ledger's dice, except that hidden things show other faces; what fixes them in public looks the same."""

    def __init__(self) -> None:
        self._hidden = Ledger(ROOM, bytes([1] * 32))

    def key(self, label: str, anchor: str | None) -> str:
        return LEDGER.key(label, anchor)

    def slot(self, lane: Lane, n: int, token: str | None) -> Slot:
        return (LEDGER if lane.seat_id else self._hidden).slot(lane, n, token)


OTHERS = OtherFaces()


VAIN = (Code.CLOCK_STANDS, Code.CLOCK_TOO_LARGE, Code.ENDED)


def leaves_numbers_alone(step: Step) -> bool:
    """Tell whether a command shows everyone the same, whatever the hidden numbers are.

    Faces that are typed in are refused where there are not as many as dice, which tells the gm alone; and an
    effort of a hidden check moves a clock that is less hidden when it succeeds, as she meant it to.
    """
    typed = getattr(step.command, "faces", None) is not None
    return not typed and not moves_more(step.command)


def is_shown(outcome: Outcome) -> bool:
    return any(isinstance(written.event, Revealed | RequiredRevealed) for written in outcome.written)


def enough(outcome: Outcome) -> list[bool | None]:
    """Return what is announced of totals: whether they reached their numbers."""
    events = [written.event for written in outcome.written]
    told = [event.enough for event in events if isinstance(event, TotalRolled | RequiredSet)]
    return told + [event.push.enough for event in events if isinstance(event, LuckPushed)]


def tells_apart(pair: tuple[Outcome, Outcome]) -> bool:
    """Tell whether what everyone may know begins to differ.

    A thing is shown, a number is reached in one only, or in one only those who know secrets hear that a clock cannot be
    changed so, or that something has ended: in that one, they would not have tried it.
    """
    few, many = pair
    vain = [each.refused is not None and each.refused.code in VAIN for each in pair if each.step.by in INSIDERS]
    return is_shown(few) or is_shown(many) or enough(few) != enough(many) or len(set(vain)) > 1


@pytest.mark.rule("E4")
@some
@given(scripts())
def test_hidden_numbers_and_faces_leave_no_trace_until_they_are_shown_or_a_total_is_judged_by_them(script: Script):
    script = [step for step in script if leaves_numbers_alone(step)]
    pairs = list(zip(play(FEW, script), play(MANY, script, OTHERS), strict=True))

    sealed = list(takewhile(lambda pair: not tells_apart(pair), pairs))

    assert public_texts(few for few, _ in sealed) == public_texts(many for _, many in sealed)
    assert answers(few for few, _ in sealed) == answers(many for _, many in sealed)


def test_the_numbers_behind_the_seals_do_differ():
    assert FEW.view.clocks["heist-threat"] != MANY.view.clocks["heist-threat"]
    assert FEW.view.checks["gm-zz-lie"].leader.score != MANY.view.checks["gm-zz-lie"].leader.score
    assert FEW.view.secrets["dive"].required != MANY.view.secrets["dive"].required
    assert FEW.view.public == MANY.view.public


@pytest.mark.rule("E4")
@some
@given(scripts(seats=(GM,), kinds=CHECKING))
def test_a_check_that_not_everyone_sees_touches_no_character(script: Script):
    for outcome in play(secret_evening(), script):
        if is_of_hidden_check(outcome):
            assert outcome.room.view.characters == outcome.before.view.characters


def is_of_hidden_check(outcome: Outcome) -> bool:
    command = outcome.step.command
    if isinstance(command, ProposeCheck):
        return command.visibility is not Visibility.PUBLIC
    hidden = outcome.before.view.channels[Channel.GM].checks
    return getattr(command, "check_id", None) in hidden
