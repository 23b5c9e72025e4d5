"""Lanes with tokens, and who has witnessed what in them."""

from dreadclock.wire.base import Role, Scope
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.sessions import Done
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import ROLL, joined, story


@story
def tokens_and_witnesses() -> Recorder:
    recorder = joined("Rolls with tokens of three seats, seen by Ann: witnesses come, go, and are counted.", ANN)
    for secret, by in enumerate((ANN, BO, GM, ANN), 1):
        recorder.order(opening(secret), by)
    rolls = [
        (1, BO, "seat/player-2/1", 2),
        (1, ANN, "seat/player-1/1", 1),
        (1, GM, "seat/gm/1", 3),
        (2, BO, "seat/player-2/1", 2),
        (2, ANN, "seat/player-1/1", 1),
        (3, ANN, "seat/player-1/1", 1),
        (1, ANN, "seat/player-1/2", 4),
    ]
    for n, by, lane, secret in rolls:
        assert isinstance(recorder.order({**ROLL, "dice": dice(n, lane, secret)}, by), Done)
    recorder.order({**ROLL, "dice": dice(9, "seat/player-1/1")}, ANN)
    recorder.order(ROLL, ANN)
    _several_rolls_of_a_slot(recorder)
    recorder.order({"type": "remove_seat", "seat_id": "player-2"}, GM)
    recorder.order({**ROLL, "dice": dice(4, "seat/player-1/1")}, ANN)
    return recorder


def _several_rolls_of_a_slot(recorder: Recorder) -> None:
    for _ in range(2):
        recorder.order({"type": "start_countdown", "name": "C", "pool": 2, "bound_to": "turn"}, GM)
    recorder.order({"type": "end_turn", "dice": dice(2, "seat/gm/1", 3)}, GM)


@story
def a_seat_that_is_lent() -> Recorder:
    recorder = joined("Ann lends her seat to an integration, which rolls for her until it leaves, seen by Ann.", ANN)
    proxy = Actor("integration-3", Role.INTEGRATION, (Scope.ACT_FOR,))
    recorder.order(JoinSeat(proxy.role, "Proxy", proxy.scopes), GM)
    for _ in range(2):
        recorder.order({"type": "lend_seat", "to": proxy.seat_id}, ANN)
        recorder.order({**ROLL, "act_for": ANN.seat_id}, proxy)
        recorder.order({**ROLL, "act_for": BO.seat_id}, proxy)
        recorder.order({"type": "take_back_seat"}, ANN)
    recorder.order({"type": "lend_seat", "to": proxy.seat_id}, ANN)
    recorder.order({"type": "leave_seat"}, proxy)
    return recorder


@story
def lanes_that_are_closed() -> Recorder:
    recorder = joined("More lanes than a seat can have open, seen by the gm.", GM)
    for secret in range(1, 11):
        recorder.order(opening(secret), GM)
    recorder.order({**ROLL, "dice": dice(1, "seat/gm/1")}, GM)
    recorder.order({**ROLL, "dice": dice(1, "seat/gm/3", 3)}, GM)
    recorder.order(opening(3), BO)
    return recorder
