"""What holds whatever is taken back, and whatever came in between. Ruling E3."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from dreadclock.wire.base import Channel
from dreadclock.wire.commands import ChooseEffect, WithdrawCheck
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import CommandVoided, SealedChanged
from dreadclock.wire.families.base import NoUndo
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Evolving, Room, Written, replay
from dreadclock_server.core.undo import UndoEntry, UndoLogs
from dreadclock_server.rooms.views import Undoables
from kit.evenings.prepared import GM_ONLY, secret_evening
from kit.examples import examples
from kit.strategies.scripts import LEDGER, OUTSIDERS, Script, Step, play, scripts
from kit.strategies.soundness import assert_sound, assert_told_apart
from kit.tables import GM, ORACLE, read_command, undoable

some = examples(25)
LATER = 10**6  # ms
GOES_ON = ("made", "taken", "recent")  # what a room remembers of what was taken back
STAYS = {"title", "closed", "seats", "sealed", "rolls", "lanes", "shown"}


def void(room: Room, channel: Channel, seq: int, by: Actor = GM, now_ms: int = 0) -> Decision:
    command = read_command({"type": "void_command", "channel": channel, "seq": seq, "reason": "a slip"})
    return decide(room, command, by=by, dice=LEDGER, now_ms=now_ms or room.at, fresh=lambda: "0" * 12)


def without(part: ChannelView, *names: str) -> dict[str, Any]:
    """Write what a channel tells, with its things in their order, and without some of it."""
    fields = {name: value for name, value in part if name not in names}
    return {name: list(value.items()) if isinstance(value, dict) else value for name, value in fields.items()}


def parts(room: Room, *names: str) -> dict[Channel, dict[str, Any]]:
    return {channel: without(part, *names) for channel, part in room.view.channels.items()}


def told(step: UndoEntry) -> tuple[Channel, int]:
    channel, where = next(iter(step.told.items()))
    return channel, where.first


def random_walk(room: Room, script: Script, chance: Random) -> Iterator[tuple[Room, Room, Decision]]:
    """Play a script in which the gm takes back some of the latest commands, and give each taking back."""
    for step in script:
        [outcome] = play(room, [step])
        room = outcome.room
        for _ in range(chance.randint(0, 2)):
            channel, seq = told(chance.choice(room.undo_logs.all[-8:]))
            try:
                decision = void(room, channel, seq)
            except Refused:
                continue
            yield room, decision.room, decision
            room = decision.room


def refusal(room: Room, channel: Channel, seq: int) -> str | None:
    """Return why a command is not taken back, None if it is."""
    try:
        void(room, channel, seq)
    except Refused as refused:
        return str(refused.details.get("why", refused.code))
    return None


@pytest.mark.rule("E3")
@examples(50)
@given(scripts())
def test_what_is_taken_back_at_once_leaves_the_very_view_that_was_before(script: Script):
    for outcome in play(secret_evening(), script):
        if not outcome.written or outcome.room.view.public.closed:
            continue
        where = told(outcome.room.undo_logs.all[-1])
        why = refusal(outcome.room, *where)
        event(f"{why or 'taken back'}: {outcome.step.type}")
        assert why == (outcome.room.undo_logs.all[-1].reason or why)
        assert why in (None, *NoUndo)
        if why is None:
            after = void(outcome.room, *where).room
            assert parts(after, *GOES_ON) == parts(outcome.before, *GOES_ON)


@pytest.mark.rule("E3")
def test_a_check_does_not_come_back_with_odds_that_are_no_longer_its_own():
    withdraw = Step(0, GM, WithdrawCheck(check_id="duel"))
    choose = Step(0, GM, ChooseEffect(check_id="feat", character_id="dan", effect="fly"))  # instead of momentum
    withdrawn, chosen = play(secret_evening(), [withdraw, choose])
    [written] = withdrawn.written

    assert refusal(withdrawn.room, Channel.PUBLIC, written.record.seq) is None
    assert refusal(chosen.room, Channel.PUBLIC, written.record.seq) == Code.CHANGED_SINCE


@pytest.mark.rule("E3", "E4", "E7")
@some
@given(scripts(), st.randoms(use_true_random=False))
def test_whatever_is_taken_back_the_room_stays_sound_and_is_told_as_of_the_command(script: Script, chance: Random):
    for before, after, decision in random_walk(secret_evening(), script, chance):
        stays_sound(before, after, decision)
        is_told_where_the_command_was(before, decision)
        shown = secrets_in(before.view.public.model_dump_json())  # what came to light before
        public = [each.text for each in decision.written if is_public(each)]
        assert [text for text in public if not secrets_in(text) <= shown] == []
        assert replayed(before, decision) == (after, after.undo_logs.all)


def stays_sound(before: Room, after: Room, decision: Decision) -> None:
    """Assert that a room is sound after a taking back, and that what stays for good stayed."""
    assert_sound(after.view)
    assert_told_apart(after.view.public, after.view.channels[Channel.GM])
    assert {type(each) for each in decision.events} <= {CommandVoided, SealedChanged}
    crises = {key: one.crises for key, one in before.view.characters.items() if key in after.view.characters}
    of_real_dice = any(isinstance(each, CommandVoided) and each.physical for each in decision.events)
    for channel, part in after.view.channels.items():
        for name in STAYS - ({"rolls"} if of_real_dice else set()):
            assert getattr(part, name) == getattr(before.view.channels[channel], name)
    assert of_real_dice or crises == {key: after.view.characters[key].crises for key in crises}


def is_told_where_the_command_was(before: Room, decision: Decision) -> None:
    """Assert that a taking back is told in the very channels in which its command was, with the same hints."""
    voided = [each for each in decision.written if isinstance(each.event, CommandVoided)]
    first = voided[0].event
    assert isinstance(first, CommandVoided)
    channel = voided[0].record.channel
    [step] = [each for each in before.undo_logs.all if channel in each.told and each.told[channel].first == first.first]
    assert {each.record.channel for each in decision.written} == step.told.keys()
    assert {each.record.channel for each in voided} == {
        channel for channel, where in step.told.items() if not where.only_hints
    }
    assert [each for each in decision.events if isinstance(each, SealedChanged)] == list(step.hints)


def secrets_in(text: str) -> set[str]:
    """Find the names and ids in a text that are marked as the gm's."""
    return set(re.findall(rf"[\w-]*{GM_ONLY}[\w-]*", text))


def replayed(before: Room, decision: Decision) -> tuple[Room, Sequence[UndoEntry]]:
    """Return the room that a replay of a decision's texts makes, and what it knows of its latest commands."""
    room, _ = replay(before, [each.text for each in decision.written])
    return room, room.undo_logs.all


TABLE = (*(GM,) * 8, *OUTSIDERS)  # who takes part where outsiders take back what they did


def answer(room: Room, seq: int, by: Actor) -> tuple[object, ...]:
    """Return what a seat is told, and everyone, if it takes a command back."""
    try:
        return tuple(each.text for each in void(room, Channel.PUBLIC, seq, by, LATER).written if is_public(each))
    except Refused as refused:
        return refused.code, str(refused.details)


def is_public(written: Written) -> bool:
    return written.record.channel is Channel.PUBLIC


def without_secrets(room: Room) -> Room:
    """Return a room in which nothing ever was hidden."""
    view = View(channels={Channel.PUBLIC: room.view.public, Channel.GM: ChannelView()})
    return replace(room, view=view, undo_logs=UndoLogs.of(()))


def then(bare: Room, written: Sequence[Written]) -> Room:
    """Let what everyone saw of a command happen in a room without secrets, too."""
    room, public = Evolving(bare), [each for each in written if is_public(each)]
    for each in public:
        room.add(each)
    return room.end(public)


@pytest.mark.rule("E3", "E4")
@examples(50)
@given(scripts(seats=TABLE), st.randoms(use_true_random=False))
def test_what_others_take_back_does_not_depend_on_what_is_hidden(script: Script, chance: Random):
    room = replace(secret_evening(), undo_logs=UndoLogs.of(()))
    bare = without_secrets(room)
    with asyncio.Runner() as loop:
        answers = Undoables()
        for step in script:
            [outcome] = play(room, [step])
            room, bare = outcome.room, then(bare, outcome.written)
            for seat in OUTSIDERS:
                offered = undoable(room, seat)
                assert offered == undoable(bare, seat)
                assert offered == loop.run(answers.of(room, seat)), "an answer of before"
                for seq in range(max(1, room.seq(Channel.PUBLIC) - 6), room.seq(Channel.PUBLIC) + 2):
                    assert answer(room, seq, seat) == answer(bare, seq, seat)
                if offered and chance.random() < 0.5:
                    decision = void(room, Channel.PUBLIC, offered[0].first, seat, LATER)
                    event(f"taken back: {step.type}")
                    assert [type(each) for each in decision.events] == [CommandVoided]
                    room, bare = decision.room, then(bare, decision.written)
                    assert_sound(room.view)


@some
@given(scripts(), st.randoms(use_true_random=False))
def test_only_the_gm_takes_back_what_another_seat_did(script: Script, chance: Random):
    outcomes = play(secret_evening(), script)
    room = outcomes[-1].room if outcomes else secret_evening()
    entry = chance.choice(room.undo_logs.all)
    channel, seq = told(entry)

    for seat in {*OUTSIDERS, ORACLE}:
        if seat.seat_id != entry.giver:
            with pytest.raises(Refused) as refused:
                void(room, channel, seq, by=seat)
            assert refused.value.code in ("not_allowed", "room_closed")
