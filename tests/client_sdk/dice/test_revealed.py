"""What comes to light is checked as it comes: every roll of a sealed thing, against the lane that it was fixed with."""

from collections.abc import Callable

import pytest

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.verify import Verifier
from dreadclock.rules.ledger import Draws, text32, value32
from dreadclock.wire.base import RollProof
from dreadclock.wire.events import Revealed
from dreadclock.wire.records import Record
from dreadclock.wire.things import HiddenRoll
from dreadclock.wire.views import ChannelView
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening
from kit.strategies.picks import Fields
from kit.tables import ANN, GM, ROOM, Table

LEDGER = Ledger(ROOM, bytes(32))
GAS = {"type": "start_countdown", "id": "gas", "name": "Gas", "bound_to": "nothing", "pool": 12, "visibility": "sealed"}
ANNS = {"type": "roll_dice", "pool": 1, "dice": dice(1, "seat/player-1/1")}


def come_to_light(start: Fields, *orders: Fields) -> tuple[ChannelView, Record]:
    """Play with a hidden countdown, reveal it, and return the record that does with the public view before it."""
    table = Table(dice=LEDGER, physical_dice="everyone")
    table.write(opening(1), by=ANN, dice=LEDGER)
    for order in (start, *orders):
        table.write(order, by=ANN if order is ANNS else GM, dice=LEDGER)
    before = table.room.view.public
    written = table.write({"type": "reveal", "thing_id": start["id"]}, dice=LEDGER)
    (record,) = [each for each in written if isinstance(each.event, Revealed)]
    return before, record


def roll(countdown: str = "gas") -> Fields:
    return {"type": "roll_countdown", "countdown_id": countdown}


def flaws(before: ChannelView, record: Record) -> list[Flaw]:
    return [alarm.flaw for alarm in Verifier(ROOM, before).check(before, record)]


def with_rolls(record: Record, change: Callable[[list[HiddenRoll]], list[HiddenRoll]]) -> Record:
    """Change what a countdown is said to have rolled in secret."""
    assert isinstance(record.event, Revealed)
    (countdown,) = record.event.things.countdowns
    rolls = tuple(change(list(countdown.hidden_rolls)))
    things = record.event.things.model_copy(
        update={"countdowns": (countdown.model_copy(update={"hidden_rolls": rolls}),)}
    )
    return record.model_copy(update={"event": record.event.model_copy(update={"things": things})})


def with_proof(one: HiddenRoll, **changes: object) -> HiddenRoll:
    assert isinstance(one.proof, RollProof)
    return one.model_copy(update={"proof": one.proof.model_copy(update=changes)})


def test_a_sealed_countdown_that_was_rolled_with_others_tokens_fits():
    before, record = come_to_light(GAS, roll(), ANNS, roll(), roll())

    assert isinstance(record.event, Revealed)
    proofs = [one.proof for one in record.event.things.countdowns[0].hidden_rolls]
    assert [proof.witnesses if proof else None for proof in proofs] == [0, 0, 1]
    assert flaws(before, record) == []


def test_what_only_the_gm_knew_rests_on_the_gms_word():
    before, record = come_to_light({**GAS, "id": "gm-gas", "visibility": "gm"}, roll("gm-gas"), roll("gm-gas"))

    assert flaws(before, with_rolls(record, lambda rolls: [_other_faces(each) for each in rolls])) == []


def _other_faces(one: HiddenRoll) -> HiddenRoll:
    return one.model_copy(update={"faces": tuple(face % 6 + 1 for face in one.faces)})


def _more_of(one: HiddenRoll) -> HiddenRoll:
    """Return a second roll from a roll's slot, with the faces that follow there."""
    assert isinstance(one.proof, RollProof)
    assert one.proof.key is not None
    draws = Draws(value32(one.proof.key))
    assert draws.take(len(one.faces)) == one.faces
    proof = RollProof(lane=one.proof.lane, n=one.proof.n, start=draws.taken)
    return one.model_copy(update={"faces": draws.take(len(one.faces)), "proof": proof})


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (lambda rolls: [rolls[0], _other_faces(rolls[1]), rolls[2]], Flaw.FACES),
        (lambda rolls: [rolls[0], rolls[2]], Flaw.SLOT),
        (lambda rolls: [rolls[1], rolls[0], rolls[2]], Flaw.SLOT),
        (lambda rolls: [with_proof(rolls[0], key=text32(bytes(32))), *rolls[1:]], Flaw.KEY),
        (lambda rolls: [with_proof(rolls[0], lane="thing/countdown/other"), *rolls[1:]], Flaw.LANE),
        (lambda rolls: [with_proof(rolls[0], token=text32(bytes(32))), *rolls[1:]], Flaw.TOKEN),
        (lambda rolls: [with_proof(rolls[0], witnesses=1), *rolls[1:]], Flaw.WITNESSES),
        (lambda rolls: [*rolls[:2], with_proof(rolls[2], witnesses=2)], Flaw.WITNESSES),
        (lambda rolls: [*rolls[:2], with_proof(rolls[2], witnesses=0)], Flaw.FACES),
        (lambda rolls: [with_proof(rolls[0], start=1), *rolls[1:]], Flaw.START),
        (lambda rolls: [rolls[0], with_proof(rolls[1], key=None, start=0), rolls[2]], Flaw.START),
        (lambda rolls: [rolls[0], _more_of(rolls[0]), *rolls[1:]], Flaw.START),
        (lambda rolls: [rolls[0].model_copy(update={"proof": None}), *rolls[1:]], Flaw.UNPROVEN),
    ],
)
def test_what_does_not_fit_is_named(change: Callable[[list[HiddenRoll]], list[HiddenRoll]], flaw: Flaw):
    before, record = come_to_light(GAS, roll(), ANNS, roll(), roll())

    assert flaws(before, with_rolls(record, change)) == [flaw]


def test_witnesses_never_fall():
    before, record = come_to_light(GAS, roll(), ANNS, roll(), roll(), roll())

    fallen = with_rolls(record, lambda rolls: [*rolls[:3], with_proof(rolls[3], witnesses=0)])

    assert flaws(before, fallen) == [Flaw.WITNESSES]


def test_physical_dice_in_secret_need_no_proof():
    faces = {"type": "roll_countdown", "countdown_id": "gas", "faces": [1] * 12}
    before, record = come_to_light(GAS, faces, roll())

    assert flaws(before, record) == []
