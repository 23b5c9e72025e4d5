"""What holds whatever happens: the log is the room, and a room stays sound."""

from typing import Any

from hypothesis import given, settings

from dreadclock.wire.base import Channel, Visibility
from dreadclock.wire.records import advance
from dreadclock.wire.things import ChallengeStatus, CountdownStatus, SituationStatus
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.room import evolve, read
from kit.prepared import secret_evening
from kit.scripts import BUILDERS, Script, play, scripts

examples = settings(max_examples=300, deadline=None)


def test_scripts_hold_every_command():
    assert BUILDERS.keys() == {command.model_fields["type"].default for command in ACCESS}


@examples
@given(scripts())
def test_the_texts_of_what_was_decided_replay_to_the_same_room(script: Script):
    outcomes = play(secret_evening(), script)

    room = secret_evening()
    for text in [each.text for outcome in outcomes for each in outcome.written]:
        room = evolve(room, read(room, text))

    assert room == (outcomes[-1].room if outcomes else secret_evening())


@examples
@given(scripts())
def test_every_channel_is_dense_and_its_heads_chain(script: Script):
    heads = dict(secret_evening().positions)

    for outcome in play(secret_evening(), script):
        for written in outcome.written:
            channel = written.record.channel
            assert written.record.seq == heads[channel].seq + 1
            heads[channel] = advance(heads[channel], written.text)
            assert written.head == heads[channel]
        assert outcome.room.positions == heads


@examples
@given(scripts())
def test_a_room_that_was_is_changed_by_nothing_that_is_done_or_refused_later(script: Script):
    room, before = secret_evening(), []
    for step in script:
        before.append((room, room.view.model_dump_json()))
        [outcome] = play(room, [step])
        assert outcome.refused is None or outcome.room is room
        room = outcome.room

    for known, text in before:
        assert known.view.model_dump_json() == text


@examples
@given(scripts())
def test_no_clock_leaves_its_size_and_nothing_under_way_is_empty(script: Script):
    for outcome in play(secret_evening(), script):
        assert_sound(outcome.room.view)


def assert_sound(view: View) -> None:
    for clock in view.clocks.values():
        assert 0 <= clock.value <= clock.size
    for countdown in view.countdowns.values():
        assert 0 <= countdown.pool <= 60
        assert (countdown.pool == 0) == (countdown.status is CountdownStatus.EXPIRED)
    for situation in view.situations.values():
        assert situation.status is not SituationStatus.OPEN or view.clocks[situation.clock_id].value > 0
    for challenge in view.challenges.values():
        is_open = challenge.status is ChallengeStatus.OPEN
        assert not is_open or view.clocks[challenge.clock_id].value > 0
        assert not is_open or view.situations[challenge.situation_id].status is SituationStatus.OPEN
    for effort in view.efforts.values():
        assert view.challenges[effort.challenge_id].status is ChallengeStatus.OPEN


@examples
@given(scripts())
def test_each_thing_lies_in_the_channel_of_those_who_know_it(script: Script):
    for outcome in play(secret_evening(), script):
        assert_told_apart(outcome.room.view.public, outcome.room.view.channels[Channel.GM])


def assert_told_apart(public: ChannelView, hidden: ChannelView) -> None:
    """Assert that every thing is of its channel's visibility, and that a sealed one has its stub in public."""
    things: list[Any]
    roots: list[Any]
    for part, expected in ((public, {Visibility.PUBLIC}), (hidden, {Visibility.SEALED, Visibility.GM})):
        things = [*part.countdowns.values(), *part.clocks.values(), *part.scenes.values(), *part.rolls.values()]
        assert {thing.visibility for thing in things} <= expected
    roots = [*hidden.countdowns.values(), *hidden.scenes.values(), *hidden.rolls.values()]
    roots += [clock for clock in hidden.clocks.values() if clock.of is None]
    assert public.sealed.keys() == {thing.id for thing in roots if thing.visibility is Visibility.SEALED}


@examples
@given(scripts())
def test_views_survive_json_with_the_order_of_their_things(script: Script):
    outcomes = play(secret_evening(), script)
    channels = outcomes[-1].room.view.channels if outcomes else secret_evening().view.channels

    for held in (tuple(Channel), (Channel.PUBLIC,)):
        view = View(channels={channel: channels[channel] for channel in held})
        text = view.model_dump_json()
        again = View.model_validate_json(text)
        assert again == view
        assert again.model_dump_json() == text
