"""The judge of histories: good ones hold, and each of many bad ones is found out for what is wrong with it.

In the history that is spoiled here, public holds the clock at 15, a1 at 16, b1 at 17, a2 at 18, b2 at 19 and g3 at 20;
gm holds g1 at 1-2 and g2 at 3-4. The gm was sent [stands at 14, 15, 16, g1, g1, 17, g2, g2, stands at 17, 18, 19, 20,
stands at 20], and Ann [stands at 16, 17, stands at 17, 18, 19, stands at 19, 20, stands at 20].
"""

import re
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.frames import ResetReason
from kit.history.findings import Kind
from kit.history.judging import findings, hold
from kit.history.made import good_history, heads_of
from kit.history.recorded import Denied, Done, History, Operation, Stands

PUBLIC, SECRET = Channel.PUBLIC, Channel.GM
GM, ANN = 0, 1  # streams
Spoil = Callable[[History], object]
Steps = list[Stands | str]


# How operations are spoiled


def operation(name: str, **changes: Any) -> Spoil:
    def spoil(history: History) -> None:
        history.operations = [replace(each, **changes) if each.command == name else each for each in history.operations]

    return spoil


def ack(name: str, **changes: Any) -> Spoil:
    def spoil(history: History) -> None:
        [outcome] = [each.outcome for each in history.operations if each.command == name]
        assert isinstance(outcome, Done)
        operation(name, outcome=replace(outcome, **changes))(history)

    return spoil


def unsent(name: str) -> Spoil:
    def spoil(history: History) -> None:
        history.operations = [each for each in history.operations if each.command != name]

    return spoil


def one_more(**fields: Any) -> Spoil:
    def spoil(history: History) -> None:
        history.operations = [*history.operations, replace(Operation("player-1", "x", 90.0, 91.0), **fields)]

    return spoil


def both(first: Spoil, second: Spoil) -> Spoil:
    def spoil(history: History) -> None:
        first(history)
        second(history)

    return spoil


# How streams are spoiled


def steps(stream: int, change: Callable[[Steps], object]) -> Spoil:
    return lambda history: change(history.streams[stream].steps)


def stands(place: int, anew: ResetReason | None = None, **change: object) -> Callable[[Steps], None]:
    def tell(told: Steps) -> None:
        step = told[place]
        assert isinstance(step, Stands)
        told[place] = Stands({**step.heads, PUBLIC: step.heads[PUBLIC].model_copy(update=change)}, anew)

    return tell


def cut(first: int, last: int) -> Callable[[Steps], None]:
    def change(told: Steps) -> None:
        del told[first:last]

    return change


def swap(first: int, second: int) -> Callable[[Steps], None]:
    def change(told: Steps) -> None:
        told[first], told[second] = told[second], told[first]

    return change


def reworded(place: int, old: str, new: str) -> Callable[[Steps], None]:
    def change(told: Steps) -> None:
        text = told[place]
        assert isinstance(text, str)
        assert old in text
        told[place] = text.replace(old, new)

    return change


def hear_of(name: str) -> Spoil:
    """Let Ann hear a record that she may not see, or once more."""

    def spoil(history: History) -> None:
        history.streams[ANN].steps.append(text_of(history, name))

    return spoil


def leaves_early(history: History) -> None:
    history.streams[ANN].to_the_end = False


# How logs are spoiled


def text_of(history: History, name: str) -> str:
    return next(text for text in history.log if f'"note":"{name}"' in text)


def log(change: Callable[[list[str]], object], *, heads: bool = True) -> Spoil:
    """Change the log, and with `heads` where the store says that it ends; nobody listened."""

    def spoil(history: History) -> None:
        texts = list(history.log)
        change(texts)
        history.log, history.streams, history.views = texts, (), {}
        history.heads = heads_of(texts) if heads else history.heads

    return spoil


def again(name: str, *, note: bool = True) -> Callable[[list[str]], None]:
    def change(texts: list[str]) -> None:
        text = next(text for text in texts if f'"note":"{name}"' in text)
        text = re.sub(r'"seq":\d+', '"seq":21', text)
        texts.append(text if note else text.replace(f'"note":"{name}",', ""))

    return change


def follows_15(texts: list[str]) -> None:
    texts[17] = texts[17].replace('"after":16', '"after":15')


def other_faces(texts: list[str]) -> None:
    texts[-2] = texts[-2].replace('"faces":[3,4]', '"faces":[6,6]')


def head_beyond(history: History) -> None:
    history.heads = {**history.heads, PUBLIC: history.heads[PUBLIC].model_copy(update={"seq": 21})}


def older_view(history: History) -> None:
    view = history.views["player-1"]
    part = view.channels[PUBLIC].model_copy(update={"clocks": {}})
    history.views = {"player-1": view.model_copy(update={"channels": {PUBLIC: part}})}


BAD: dict[str, tuple[Spoil, set[Kind], str]] = {
    # the log
    "a number is missing": (log(lambda texts: texts.pop(-3)), {Kind.GAP, Kind.LOST, Kind.MOVED}, "19 after 17 records"),
    "its end is gone": (log(lambda texts: texts.pop()), {Kind.LOST}, "'g3' of gm was acknowledged at public 20-20"),
    "its end is gone, and the store says so": (
        log(lambda texts: texts.pop(), heads=False),
        {Kind.CHAIN, Kind.LOST},
        "stands at public 20",
    ),
    "faces were changed": (log(other_faces, heads=False), {Kind.CHAIN, Kind.CHANGED}, "and the log leads to 20"),
    "faces were changed, and the hashes too": (log(other_faces), {Kind.CHANGED}, "'b2' of player-2"),
    "the store stands beyond it": (head_beyond, {Kind.CHAIN}, "the store stands at public 21"),
    "a gm's record is at another place": (
        log(follows_15),
        {Kind.MISPLACED, Kind.CHANGED, Kind.DISORDER},
        "says that it follows public 15",
    ),
    "a command that nobody sent": (unsent("b1"), {Kind.UNSENT}, "nobody sent 'b1', and the log has it at public 17"),
    "an event without a command": (log(again("g3", note=False)), {Kind.UNSENT}, "the clock_ticked at public 21"),
    # operations
    "an acknowledged command is not there": (
        one_more(outcome=Done({PUBLIC: 21}, {PUBLIC: (21, 21)})),
        {Kind.LOST},
        "'x' of player-1 was acknowledged at public 21-21, and is not in the log",
    ),
    "an acknowledged command is nowhere": (
        one_more(outcome=Done({PUBLIC: 20}, None)),
        {Kind.LOST},
        "'x' of player-1 was acknowledged at no number, and is not in the log",
    ),
    "an acknowledged command lies under another": (
        one_more(outcome=Done({PUBLIC: 16}, {PUBLIC: (16, 16)})),
        {Kind.LOST},
        "acknowledged at public 16-16",
    ),
    "an acknowledged command is there twice": (log(again("b2")), {Kind.DOUBLED}, "at public 19 and at public 21"),
    "a command of unknown outcome is there twice": (
        both(log(again("b2")), operation("b2", outcome=None, end=inf)),
        {Kind.DOUBLED},
        "'b2' of player-2 is in the log at public 19 and at public 21",
    ),
    "a command is acknowledged at a number that is free": (
        both(ack("b2", events={PUBLIC: (21, 21)}), unsent("a2")),
        {Kind.MOVED, Kind.UNSENT},
        "acknowledged at public 21-21, and the log has it at public 19",
    ),
    "a command is acknowledged at another's number": (
        ack("b2", events={PUBLIC: (18, 18)}),
        {Kind.SHARED, Kind.MOVED},
        "'b2' of player-2 was acknowledged at public 18, and so was 'a2'",
    ),
    "a command is acknowledged in another channel": (
        ack("b2", events={SECRET: (5, 5)}),
        {Kind.MOVED},
        "acknowledged at gm 5-5",
    ),
    "a command is acknowledged with more than its own": (
        ack("g3", events={PUBLIC: (20, 21)}),
        {Kind.MOVED},
        "public 20-21, and not all of that is its own",
    ),
    "a command is acknowledged with another's, too": (
        ack("b2", events={PUBLIC: (18, 19)}),
        {Kind.SHARED, Kind.MOVED},
        "acknowledged at public 18, and so was 'a2'",
    ),
    "a command is acknowledged as having done nothing": (
        ack("b2", events={}),
        {Kind.MOVED},
        "acknowledged at no number, and the log has it at public 19",
    ),
    "a command is acknowledged with other records": (
        ack("b2", texts=["{}"]),
        {Kind.CHANGED},
        "with other records than the log has at public 19-19",
    ),
    "an acknowledgement is ahead": (ack("b2", positions={PUBLIC: 20}), {Kind.POSITIONS}, "it stood at 19"),
    "an acknowledgement is behind in the other channel": (
        ack("g3", positions={PUBLIC: 20, SECRET: 2}),
        {Kind.POSITIONS},
        "with gm at 2, and it stood at 4",
    ),
    "a refused command is there": (
        operation("b2", outcome=Denied("not_allowed")),
        {Kind.REFUSED},
        "refused (not_allowed), and the log has it at public 19",
    ),
    "a session is forgotten": (
        operation("b2", outcome=Denied("session_expired")),
        {Kind.FORGOTTEN},
        "what became of 'b2' of player-2",
    ),
    "a session is forgotten, and its command never came": (
        one_more(outcome=Denied("session_expired")),
        {Kind.FORGOTTEN},
        "what became of 'x' of player-1",
    ),
    "a command overtook one that had ended": (
        operation("a2", start=20.0, end=21.0),
        {Kind.DISORDER},
        "'a2' of player-1 began after 'g3' of gm had ended, and stands before it: public 18, and public 20",
    ),
    "a secret command overtook a public one": (
        operation("g2", start=20.0, end=21.0),
        {Kind.DISORDER},
        "gm 4, and public 20",
    ),
    "a command of unknown outcome overtook one that had ended": (
        operation("a2", start=13.5, end=inf, outcome=None),
        {Kind.DISORDER},
        "began after 'b2' of player-2 had ended",
    ),
    # streams
    "a record is left out": (steps(ANN, lambda told: told.pop(3)), {Kind.SKIPPED}, "public 19 right after public 17"),
    "a record comes again": (
        steps(ANN, lambda told: told.insert(4, told[3])),
        {Kind.REPEATED},
        "public 18 after public 18",
    ),
    "a resume begins too early": (
        steps(ANN, lambda told: told.insert(6, told[4])),
        {Kind.REPEATED},
        "public 19 after public 19",
    ),
    "a resume begins too late": (
        steps(ANN, cut(3, 6)),
        {Kind.SKIPPED},
        "player-1 heard public 20 right after public 17",
    ),
    "a resume says that nothing was missed": (
        steps(ANN, cut(3, 5)),
        {Kind.UNHEARD},
        "player-1 was told that it stands at public 19, having heard up to 17",
    ),
    "two records change places": (steps(ANN, swap(3, 4)), {Kind.SKIPPED}, "public 19 right after public 17"),
    "two viewers hear different things": (steps(ANN, reworded(3, "[3,4]", "[6,6]")), {Kind.OTHER}, '"faces":[6,6]'),
    "something is heard that is not in the log any more": (
        steps(ANN, lambda told: told.append(str(told[6]).replace('"seq":20', '"seq":21'))),
        {Kind.OTHER},
        "and the log ends at 20",
    ),
    "somebody is set back": (steps(ANN, swap(5, 7)), {Kind.UNHEARD}, "at public 20, having heard up to 19"),
    "somebody is sent an older view": (
        steps(ANN, lambda told: told.append(Stands(heads_of(good_history().log[:21]), ResetReason.TOO_OLD))),
        {Kind.SET_BACK},
        "at public 17, having heard up to 20",
    ),
    "somebody is told another hash": (
        steps(ANN, stands(5, hash="0" * 64)),
        {Kind.HEAD},
        "at public 19 with a hash that is not the log's: 00000000",
    ),
    "somebody begins on another log": (steps(GM, stands(0, hash="f" * 64)), {Kind.HEAD}, "gm was told"),
    "a new view has another hash": (
        steps(ANN, stands(7, ResetReason.TOO_OLD, hash="1" * 64)),
        {Kind.HEAD},
        "at public 20 with a hash",
    ),
    "somebody is told of a fork": (
        steps(ANN, stands(5, ResetReason.FORKED)),
        {Kind.FORKED},
        "player-1 was told that the log is another one",
    ),
    "a player hears what is the gm's": (hear_of("g1"), {Kind.NOT_ITS_OWN}, "player-1 heard gm 2, a channel that"),
    "somebody did not hear the end": (steps(ANN, cut(6, 8)), {Kind.LEFT_BEHIND}, "player-1 is at public 19 of 20"),
    "somebody holds another view": (older_view, {Kind.VIEW}, "player-1 holds another public view"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_history_is_found_out(name: str):
    spoil, kinds, words = BAD[name]
    history = good_history()
    spoil(history)

    found = findings(history)

    assert {finding.kind for finding in found} == kinds
    assert any(words in finding.sentence for finding in found), found
    with pytest.raises(AssertionError, match="does not hold"):
        hold(history)


def test_every_kind_of_finding_was_seen():
    assert {kind for _, kinds, _ in BAD.values() for kind in kinds} == set(Kind)


GOOD: dict[str, Spoil] = {
    "as it was made": lambda history: None,
    "nobody learned an outcome": lambda history: [
        operation(each.command, outcome=None, end=inf)(history) for each in history.operations
    ],
    "a command of unknown outcome was never done": one_more(end=inf),
    "a refused command was not done": one_more(outcome=Denied("not_allowed")),
    "there was nothing to do": one_more(outcome=Done({PUBLIC: 20}, {})),
    "a client was not told where": ack("b2", events=None, texts=None),
    "a client did not look at the records": ack("b2", texts=None),
    "everything was under way at once": lambda history: [
        operation(each.command, start=0.0, end=99.0)(history) for each in history.operations
    ],
    "one began in the moment in which another ended": operation("a2", start=13.0, end=21.0),
    "somebody missed much, and was sent the view anew": both(
        steps(ANN, stands(5, ResetReason.TOO_OLD)), steps(ANN, cut(3, 5))
    ),
    "somebody left early": both(steps(ANN, cut(6, 8)), leaves_early),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_history_holds(name: str):
    history = good_history()
    GOOD[name](history)

    hold(history)

    assert findings(history) == []
