"""What holds whatever happens: the log is the room, and a room stays sound."""

import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock.dice.audit import Fault
from dreadclock.export import write_export
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Role, Scope, Visibility
from dreadclock.wire.events import LaneOpened, RoomContinued, RoomOpened, SealedStarted, SeatJoined
from dreadclock.wire.ids import made_id
from dreadclock.wire.records import advance
from dreadclock.wire.things import CheckStatus, CountdownStatus, Does, Origin, SceneStatus
from dreadclock.wire.views import View
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.room import Room, empty_room, read
from dreadclock_server.core.sessions import Sessions
from dreadclock_server.evening.verify import verify
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import Attempt, decide_batch
from dreadclock_server.rooms.log import Log, Tail
from dreadclock_server.rooms.size import Size
from dreadclock_server.store.base import EMPTY
from kit.evenings.prepared import GM_ONLY, secret_evening
from kit.examples import examples
from kit.strategies import picks
from kit.strategies.orders import BUILDERS
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.strategies.scripts import BARD, GOING_BACK, LEDGER, OFTEN, Outcome, Script, Step, play, scripts, time_and_id
from kit.strategies.soundness import assert_follows, assert_sound, assert_told_apart
from kit.tables import ANN, GM, ROOM, Table, evolve, loaded

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


# Rooms that go on from another one


LOG = "c" * 32
LATER = 500  # steps; from their places follow times and random parts of ids, which are others in the room that goes on


def continued(old: Room, *channels: Channel) -> Decision:
    """Open a room that goes on from what a viewer of these channels saw of another one."""
    view = View(channels={channel: old.view.channels[channel] for channel in channels})
    origins = {
        channel: Origin(room=ROOM, log_id=old.log_id, seq=old.seq(channel), hash=old.positions[channel].hash)
        for channel in sorted(channels)  # as a header has them: the gm's first
    }
    command = Continue("The next evening", view, origins)
    return decide(empty_room(ROOM, LOG), command, by=GM, dice=LEDGER, now_ms=1, fresh=lambda: "0" * 12)


@examples(40)
@given(scripts(), scripts(), st.booleans())
def test_whatever_was_reached_goes_on_soundly_replays_and_verifies(before: Script, after: Script, all_of_it: bool):
    outcomes = play(secret_evening(), before)
    old = outcomes[-1].room if outcomes else secret_evening()

    decision = continued(old, *((Channel.PUBLIC, Channel.GM) if all_of_it else (Channel.PUBLIC,)))

    assert_sound(decision.room.view)
    room = empty_room(ROOM, LOG)
    for each in decision.written:
        room = evolve(room, read(room, each.text))
    assert room == decision.room
    texts = [each.text for each in decision.written]
    seated = [replace(step, place=step.place + LATER) for step in after if step.by != BARD]  # whom the record knows so
    for outcome in play(room, seated):
        assert_sound(outcome.room.view)
        texts += [each.text for each in outcome.written]
    assert verify("".join(write_export(ROOM, LOG, Channel, texts)).encode()).faults == ()
    assert public_faults(texts) == ()


def public_faults(texts: list[str]) -> tuple[Fault, ...]:
    """Return what is wrong with the public export of a log."""
    public = [text for text in texts if '"channel":"public"' in text]
    return verify("".join(write_export(ROOM, LOG, [Channel.PUBLIC], public)).encode()).faults


def test_the_public_log_holds_where_public_things_belong_to_hidden_ones():
    decision = continued(secret_evening(), Channel.PUBLIC, Channel.GM)

    assert public_faults([each.text for each in decision.written]) == ()


def test_the_public_log_holds_where_sealed_things_keep_their_numbers():
    table = Table(dice=LEDGER)
    for name in ("Fire", "Flood"):
        table.do({"type": "start_clock", "name": name, "size": 4, "visibility": "sealed"})
    table.do({"type": "cancel", "thing_id": "clock-1", "reason": "It rains."})

    decision = continued(table.room, Channel.PUBLIC, Channel.GM)

    assert [event.thing.id for event in decision.events if isinstance(event, SealedStarted)] == ["clock-2"]
    assert public_faults([each.text for each in decision.written]) == ()


def test_what_is_open_is_carried_over_and_what_is_over_is_not():
    table = Table()
    table.room = secret_evening()
    table.do({"type": "roll_check", "check_id": "duel", "character_id": "dan"}, dice=LEDGER)
    old = table.room

    new = continued(old, Channel.PUBLIC, Channel.GM).room.view

    assert new.characters == old.view.characters
    assert new.turn == old.view.turn
    assert new.policy == old.view.policy
    assert new.seats == old.view.seats
    running = {key for key, one in old.view.countdowns.items() if one.status is CountdownStatus.RUNNING}
    assert running
    assert running <= new.countdowns.keys()
    assert {key: one.pool for key, one in new.countdowns.items()} == {
        key: old.view.countdowns[key].pool for key in new.countdowns
    }
    assert new.scenes == {key: one for key, one in old.view.scenes.items() if one.status is SceneStatus.OPEN}
    bargained = ("proposed", "accepted", "countered")
    assert set(new.checks) == {
        key
        for key, one in old.view.checks.items()
        if one.status is not CheckStatus.RESOLVED or (one.cost is not None and one.cost.stage in bargained)
        if one.visibility is Visibility.PUBLIC or not any(part.roll for part in one.parts)
    }
    assert all(part.roll is None or part.roll.proof is None for one in new.checks.values() for part in one.parts)
    assert new.totals
    assert new.rolls == {}
    assert all(lane.used == 0 for lane in new.public.lanes.values())


@pytest.mark.parametrize("kind", ["countdown", "clock"])
def test_a_room_goes_on_in_which_more_came_to_light_than_everyone_could_have_started(kind: str):
    table = Table()
    size = {"countdown": {"pool": 1}, "clock": {"size": 1}}[kind]
    for number in range(64):
        table.do({"type": f"start_{kind}", "id": f"c{number}", "name": "C", **size})
    table.do({"type": f"start_{kind}", "id": "gm-c", "name": "C", "visibility": "gm", **size})
    table.do({"type": "reveal", "thing_id": "gm-c"})

    new = continued(table.room, Channel.PUBLIC, Channel.GM).room.view

    assert len(getattr(new.public, f"{kind}s")) == 65


@pytest.mark.parametrize("kind", ["countdown", "clock", "scene"])
def test_a_room_goes_on_that_hides_as_much_as_it_may(kind: str):
    """Sealed things count against the limit of public ones, and lie in the gm's channel."""
    table = Table()
    order = {
        "countdown": {"type": "start_countdown", "pool": 2},
        "clock": {"type": "start_clock", "size": 2},
        "scene": {"type": "open_scene", "clock": 4},
    }[kind]
    most = 16 if kind == "scene" else 64
    for visibility in ("sealed", "gm"):
        for _ in range(most):
            table.do({**order, "name": "C", "visibility": visibility})

    new = continued(table.room, Channel.PUBLIC, Channel.GM).room.view

    assert len(getattr(new.hidden, f"{kind}s")) == 2 * most


def test_a_room_goes_on_in_which_consequences_set_back_clocks_that_had_ended():
    table = Table()
    table.do({"type": "start_countdown", "id": "alarm", "name": "A", "pool": 1, "bound_to": "nothing"})
    for number in range(64):
        table.do({"type": "start_clock", "id": f"c{number}", "name": "C", "size": 1})
    back = [{"does": "tick", "thing_id": f"c{number}", "by": -1} for number in range(32)]
    for start in range(0, 32, 8):
        of, do = {"kind": "countdown", "id": "alarm"}, back[start : start + 8]
        table.do({"type": "attach_consequence", "of": of, "when": {"when": "end"}, "do": do})
    for number in range(32):
        table.do({"type": "tick_clock", "clock_id": f"c{number}"})
    for _ in range(32):
        table.do({"type": "start_clock", "name": "C", "size": 1})
    table.do({"type": "roll_countdown", "countdown_id": "alarm"}, dice=loaded(6))
    for number in range(64):
        table.do({"type": "start_clock", "id": f"gm-{number}", "name": "C", "size": 1, "visibility": "gm"})
        table.do({"type": "reveal", "thing_id": f"gm-{number}"})

    new = continued(table.room, Channel.PUBLIC, Channel.GM).room.view

    assert sum(not clock.done for clock in new.public.clocks.values()) == 64 + 32 + 64


@pytest.mark.rule("E5")
def test_consequences_go_on_as_far_as_what_they_are_about_does():
    table = Table()
    for order in (
        {"type": "open_scene", "id": "keep", "name": "Keep", "clock": 4},
        {"type": "start_clock", "id": "bell", "name": "Bell", "size": 2},
        {"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 3},
        _follows("bell", "both", _tick("keep-clock"), {"does": "tell", "text": "A cry."}),
        _follows("bell", "gone", _tick("keep-clock")),
        _follows("keep-clock", "over", _tick("bell")),
        {"type": "add_character", "id": "ada", "name": "Ada"},
        _follows("bell", "falls", _sets_fumble("keep"), _sets_fumble("ada")),
        {"type": "end_scene", "scene_id": "keep"},
    ):
        table.do(order)

    new = continued(table.room, Channel.PUBLIC).room.view

    assert {key: [each.does for each in one.do] for key, one in new.consequences.items()} == {
        "both": [Does.TELL],
        "falls": [Does.SET_FUMBLE],
    }
    assert new.consequences["falls"].do[0].thing_id == "ada"


def _sets_fumble(thing_id: str) -> dict[str, Any]:
    return {"does": "set_fumble", "thing_id": thing_id, "text": "You slip."}


def _tick(clock_id: str) -> dict[str, Any]:
    return {"does": "tick", "thing_id": clock_id, "by": 1}


def _follows(clock_id: str, consequence_id: str, *do: dict[str, Any]) -> dict[str, Any]:
    of = {"kind": "clock", "id": clock_id}
    return {"type": "attach_consequence", "id": consequence_id, "of": of, "when": {"when": "end"}, "do": list(do)}


def test_the_public_channel_goes_on_first():
    told = [each.record for each in continued(secret_evening(), Channel.GM, Channel.PUBLIC).written]

    assert [(type(record.event), record.channel) for record in told[-2:]] == [
        (RoomContinued, Channel.PUBLIC),
        (RoomContinued, Channel.GM),
    ]


def test_a_room_opens_with_its_seats_then_with_what_is_carried_over():
    decision = continued(secret_evening(), Channel.PUBLIC)

    types = [type(event) for event in decision.events]
    assert types[0] is RoomOpened
    assert types[-1] is RoomContinued
    assert set(types[1:-1]) == {SeatJoined, LaneOpened}
    assert decision.room.view.totals["swim"].enough is None  # the gm sets anew what she alone knew
    assert decision.room.seq(Channel.GM) == 0


def test_what_is_sealed_gets_a_lane_that_is_published_anew_and_stays_sealed():
    old = secret_evening()

    decision = continued(old, Channel.PUBLIC, Channel.GM)

    stubs = {event.thing.id for event in decision.events if isinstance(event, SealedStarted)}
    rolled = (Kind.COUNTDOWN, Kind.CHECK)
    begun = {one.id for one in old.view.checks.values() if any(part.roll for part in one.parts)}
    assert stubs == {one.id for one in old.view.public.sealed.values() if one.kind is not Kind.ROLL} - begun
    assert all(each.lane is not None for each in decision.room.view.public.sealed.values() if each.kind in rolled)
    public = "".join(each.text for each in decision.written if each.record.channel is Channel.PUBLIC)
    assert GM_ONLY not in public
    assert '"visibility":"sealed"' not in public


def test_ids_stay_taken_and_numbers_go_on():
    old = secret_evening().view.public

    new = continued(secret_evening(), Channel.PUBLIC, Channel.GM).room.view.public

    assert set(new.taken) == set(old.taken)
    assert {kind: new.made[kind] for kind in Kind if kind in old.made} == {
        kind: old.made[kind] for kind in Kind if kind in old.made
    }
    assert new.made["seat"] == old.made["seat"]


@pytest.mark.parametrize("channels", [(Channel.PUBLIC,), (Channel.PUBLIC, Channel.GM)])
def test_the_new_room_says_where_the_old_one_stood_in_each_channel_that_is_carried_over(channels: tuple[Channel, ...]):
    old = secret_evening()

    decision = continued(old, *channels)

    told = {
        each.record.channel: each.event.origin for each in decision.written if isinstance(each.event, RoomContinued)
    }
    assert {channel: (origin.seq, origin.hash) for channel, origin in told.items()} == {
        channel: (old.positions[channel].seq, old.positions[channel].hash) for channel in channels
    }


def test_nothing_hidden_is_carried_over_in_public():
    decision = continued(secret_evening(), Channel.PUBLIC, Channel.GM)

    carried = next(e for e in decision.events if isinstance(e, RoomContinued)).carried
    hiding = (carried.countdowns, carried.clocks, carried.scenes, carried.situations, carried.checks)
    assert {getattr(thing, "visibility", None) for things in hiding for thing in things} == {Visibility.PUBLIC}


def test_a_seat_that_was_lent_is_not_lent_in_the_room_that_goes_on():
    table, scopes = Table(), (Scope.ACT_FOR,)
    table.do(JoinSeat(Role.INTEGRATION, "Proxy", scopes))
    table.do({"type": "lend_seat", "to": "integration-7"}, by=ANN)
    assert table.view.seats[ANN.seat_id].lent_to == "integration-7"

    new = continued(table.room, Channel.PUBLIC).room.view

    assert new.seats["integration-7"].scopes == scopes
    assert new.seats[ANN.seat_id].lent_to is None
