"""What holds whatever happens: the log is the room, and a room stays sound."""

import pickle

import pytest
from hypothesis import given

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.ids import made_id
from dreadclock.wire.records import advance
from dreadclock.wire.views import View
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.room import Room, read
from dreadclock_server.core.sessions import Sessions
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import Attempt, decide_batch
from dreadclock_server.rooms.log import Log, Tail
from dreadclock_server.rooms.size import Size
from dreadclock_server.store.base import EMPTY
from kit.evenings.prepared import secret_evening
from kit.examples import examples
from kit.strategies import picks
from kit.strategies.orders import BUILDERS
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.strategies.scripts import GOING_BACK, LEDGER, OFTEN, Outcome, Script, Step, play, scripts, time_and_id
from kit.strategies.soundness import assert_follows, assert_sound, assert_told_apart
from kit.tables import evolve

some = examples(40)
many = examples(100)  # for what must never fail
NAMED = {
    Kind.COUNTDOWN: picks.COUNTDOWNS,
    Kind.SCENE: picks.SCENES,
    Kind.SITUATION: picks.SITUATIONS,
    Kind.CHALLENGE: picks.CHALLENGES,
    Kind.EFFORT: picks.EFFORTS,
    Kind.ROLL: picks.ROLLS,
    Kind.CHARACTER: picks.CHARACTERS,
    Kind.CHECK: picks.CHECKS,
    Kind.TOTAL: picks.TOTALS,
}
PUSHING = ("offer_push", "push_luck", "describe_crisis", "roll_check", "roll_total", "roll_dice", "propose_check")


def test_scripts_hold_every_command():
    assert BUILDERS.keys() == {command.model_fields["type"].default for command in ACCESS}


def test_scripts_name_the_things_that_a_prepared_room_makes_next():
    made = secret_evening().view.public.made

    for kind, named in NAMED.items():
        assert made_id(kind, made[kind] + 1) in named


@pytest.mark.rule("E4")
@many
@given(scripts())
def test_the_log_is_the_room_and_every_state_is_sound_and_tells_no_more_than_it_may(script: Script):
    """Texts replay to the same room, channels are dense, heads chain, and things lie where their viewers are."""
    room, heads = secret_evening(), dict(secret_evening().positions)
    for outcome in play(secret_evening(), script):
        for written in outcome.written:
            room = evolve(room, read(room, written.text))
            channel = written.record.channel
            assert written.record.seq == heads[channel].seq + 1
            heads[channel] = advance(heads[channel], written.text)
            assert written.head == heads[channel]
        assert outcome.room.positions == heads
        assert room == outcome.room
        assert_sound(room.view)
        assert_told_apart(room.view.public, room.view.channels[Channel.GM])


LONG = ("roll_countdown", "end_turn", "end_round", "travel", "rest", "roll_check", "push_luck")  # tell several events


class CopyingDraft(Draft):
    """A draft whose view and dictionaries stay as they are at each event: the next event is taken in by copies."""

    def emit(self, channel: Channel, event: e.Event) -> None:
        super().emit(channel, event)
        self.room = self.room.fork()
        self.view = self.room.view


@some
@given(scripts(kinds=(*OFTEN, *(*LONG, GOING_BACK) * 8)))
def test_a_command_changes_no_room_before_it_and_no_decider_keeps_what_its_draft_changes_in_place(script: Script):
    room = secret_evening()
    for step in script:
        before = pickle.loads(pickle.dumps(room))  # a deep copy, in half the time of `deepcopy`
        [outcome], [copying] = play(room, [step]), play(room, [step], new_draft=CopyingDraft)
        assert [each.text for each in outcome.written] == [each.text for each in copying.written]
        assert str(outcome.refused) == str(copying.refused)
        assert (outcome.room, outcome.room.undo_logs) == (copying.room, copying.room.undo_logs)
        assert (room, room.undo_logs) == (before, before.undo_logs)
        assert outcome.refused is None or outcome.room is room
        room = outcome.room


@pytest.mark.rule("D8", "E3")
@many
@given(scripts(kinds=(*ROLL_BUILDERS, *ROLL_BUILDERS, *OFTEN)))
def test_no_crisis_and_no_roll_is_ever_undone_and_each_status_turns_into_one_that_may_follow(script: Script):
    for outcome in play(secret_evening(), script):
        assert_follows(outcome.before.view, outcome.room.view)


@pytest.mark.rule("D7")
@many
@given(scripts(kinds=PUSHING))
def test_nothing_is_rolled_for_a_character_after_it_died_or_retired(script: Script):
    gone: set[Id] = set()
    for outcome in play(secret_evening(), script):
        for written in outcome.written:
            if isinstance(written.event, e.CharacterDied | e.CharacterRetired):
                gone.add(written.event.character_id)
            assert roller(outcome, written.event) not in gone


def roller(outcome: Outcome, event: e.Event) -> Id | None:
    """Return the character that an event rolls dice for."""
    match event:
        case e.CheckRolled():
            return event.part.character_id
        case e.TotalRolled() | e.LuckPushed():
            return outcome.before.view.totals[event.total_id].character_id
        case e.DiceRolled():
            return event.roll.character_id
    return None


@pytest.mark.rule("E3")
@many
@given(scripts())
def test_a_command_that_is_sent_again_gets_its_first_outcome_and_does_nothing(script: Script):
    room, sessions, first = secret_evening(), Sessions(), {}
    for step in script:
        pending = QueuedCommand(step.by, step.command, f"of-{step.by.seat_id}", step.place + 1, assert_silent)
        twice = tried(room, sessions, [pending, pending], step)
        assert (len(twice.answers), twice.repeats) == (1, 1)
        assert twice.written == (play(room, [step])[0].written)
        assert twice.replies[0] == twice.replies[1]
        room, first[step.place] = twice.room, twice.replies[0]
        sessions.remember(twice.answers, twice.now_ms)

    for step in script:
        again = tried(room, sessions, [first[step.place][0]], step)
        assert (again.replies, again.written, again.answers) == ([first[step.place]], [], [])
        assert again.room is room


def tried(room: Room, sessions: Sessions, batch: list[QueuedCommand], step: Step) -> Attempt:
    now_ms, random_part = time_and_id(step)
    log = Log(room, EMPTY, sessions, Tail(room.positions))
    return decide_batch(log, batch, size=Size(), dice=LEDGER, now_ms=now_ms, fresh=lambda: random_part)


def assert_silent(outcome: object) -> None:
    raise AssertionError("an attempt replies to nobody")


@some
@given(scripts(most=12))
def test_views_survive_json_with_the_order_of_their_things(script: Script):
    outcomes = play(secret_evening(), script)
    channels = outcomes[-1].room.view.channels if outcomes else secret_evening().view.channels

    for held in (tuple(Channel), (Channel.PUBLIC,)):
        view = View(channels={channel: channels[channel] for channel in held})
        text = view.model_dump_json()
        again = View.model_validate_json(text)
        assert again == view
        assert again.model_dump_json() == text
