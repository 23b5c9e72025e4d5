"""Lanes with tokens, and who has witnessed what in them."""

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
def lanes_that_are_closed() -> Recorder:
    recorder = joined("More lanes than a seat can have open, seen by the gm.", GM)
    for secret in range(1, 11):
        recorder.order(opening(secret), GM)
    recorder.order({**ROLL, "dice": dice(1, "seat/gm/1")}, GM)
    recorder.order({**ROLL, "dice": dice(1, "seat/gm/3", 3)}, GM)
    recorder.order(opening(3), BO)
    return recorder
