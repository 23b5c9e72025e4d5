"""Which slots of which lanes a command uses: one of the sender's at most, and of hidden things their own."""

from collections.abc import Iterator

from hypothesis import given

from dreadclock.dice.rolled import faces_of
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.events import CountdownRolled, DiceRolled, Event
from dreadclock.wire.fold import proof_of
from kit.evenings.prepared import secret_evening
from kit.examples import examples
from kit.strategies.scripts import Outcome, Script, play, scripts

some = examples(30)


def rolls(outcome: Outcome, channel: Channel) -> Iterator[tuple[RollProof, Event]]:
    for written in outcome.written:
        proof = proof_of(written.event)
        if written.record.channel is channel and proof is not None:
            yield proof, written.event


def thing_of(event: Event) -> str:
    if isinstance(event, CountdownRolled):
        return f"thing/countdown/{event.countdown_id}"
    if isinstance(event, DiceRolled):
        return f"thing/roll/{event.roll.id}"
    return f"thing/check/{getattr(event, 'check_id', '')}"


@some
@given(scripts(most=30))
def test_in_public_a_command_uses_one_slot_of_its_senders_at_most_from_its_start_on(script: Script):
    for outcome in play(secret_evening(), script):
        taken = 0
        slots: set[tuple[str, int]] = set()
        for place, (proof, event) in enumerate(rolls(outcome, Channel.PUBLIC)):
            slots.add((proof.lane, proof.n))
            assert proof.lane.startswith(f"seat/{outcome.step.by.seat_id}/")
            assert (proof.key is None, proof.witnesses is None) == (place > 0, place > 0)
            assert proof.start == taken
            taken += len(faces_of(event))
        assert len(slots) <= 1


@some
@given(scripts(most=30))
def test_hidden_things_are_rolled_in_their_own_lanes_one_slot_after_the_other(script: Script):
    used: dict[str, int] = {}
    for outcome in play(secret_evening(), script):
        for proof, event in rolls(outcome, Channel.GM):
            assert proof.lane == thing_of(event)
            assert proof.token is None
            if proof.key is not None:
                assert proof.lane not in used or proof.n == used[proof.lane] + 1
            assert proof.key is not None or proof.n == used[proof.lane]
            used[proof.lane] = proof.n
