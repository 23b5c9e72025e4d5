"""Commands and their replies."""

from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import No
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.store.base import Trouble
from kit.tables import ANN, BO, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import ROLL, joined, story


@story
def refused() -> Recorder:
    recorder = joined("Refusals that are final, each with its code, sentence and numbers.", ANN)
    for order in (
        {"type": "close_room"},
        {"type": "reveal", "thing_id": "fever"},
        {"type": "roll_countdown", "countdown_id": "ghost"},
        {"type": "add_character", "name": "Ada", "id": "character-1"},
        {**ROLL, "faces": [1]},
    ):
        recorder.order(order, ANN)
    recorder.order(ROLL, ANN)
    return recorder


@story
def pending() -> Recorder:
    recorder = joined("A command that is not yet as durable as promised keeps waiting, over a reconnect, too.", ANN)
    (n,) = recorder.submit(ROLL)
    recorder.pending(n)
    outcome = recorder.host.do(ROLL, ANN)
    recorder.close(4001)
    assert recorder.come_back() == [n]
    recorder.pending(n)
    recorder.answer(n, outcome)
    return recorder


@story
def stalled() -> Recorder:
    recorder = joined("Refusals that use up no number: all later commands wait, and go out again, or are given up.")
    one, two, three = (n for _ in range(3) for n in recorder.submit(ROLL))
    outcome = recorder.host.do(ROLL, GM)
    recorder.catch_up()
    recorder.answer(one, outcome)
    recorder.answer(two, unavailable(Trouble.AWAY))
    recorder.submit({"type": "end_turn"})
    recorder.resend()
    recorder.give_up()
    recorder.answer(three, No(Code.OUT_OF_ORDER, {"n": three, "expected": two}))
    assert recorder.resend() == [2, 3, 4]
    for n, code in ((2, Code.RATE_LIMITED), (3, Code.OUT_OF_ORDER), (4, Code.OUT_OF_ORDER)):
        details: dict[str, str | int] = (
            {"retry_ms": 40, "retry_s": 1} if code is Code.RATE_LIMITED else {"n": n, "expected": 2}
        )
        recorder.answer(n, No(code, details))
    recorder.give_up()
    recorder.order({"type": "end_turn"}, GM)
    (n,) = recorder.submit(ROLL)
    recorder.answer(n, unavailable(Trouble.AWAY))
    recorder.close(1006)
    assert recorder.come_back() == [n]
    return recorder


@story
def too_many() -> Recorder:
    recorder = joined("No more than 64 commands are unanswered.", BO)
    numbers = [n for _ in range(64) for n in recorder.submit({"type": "end_turn"})]
    recorder.submit(ROLL)
    recorder.answer(numbers[0], recorder.host.do({"type": "end_turn"}, BO))
    recorder.submit(ROLL)
    return recorder


@story
def close_codes() -> Recorder:
    recorder = joined("Which close codes mean to come back, and which do not.")
    for code in (1000, 1001, 1005, 1006, 1011, 1012, 4000, 4001):
        recorder.close(code)
        recorder.come_back()
    for code in (1009, 4500, 4501, 4502, 4503, 4599):
        recorder.close(code, for_good=True)
        recorder.come_back()
    return recorder
