"""Coming back after a connection was lost."""

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.frames import ResetReason, events_frame
from dreadclock_server.core.sessions import No
from kit.tables import ANN, BO, GM, Order
from kit.transcripts.host import Host, Recorder
from kit.transcripts.stories.base import ROLL, joined, opened, story

OTHER_LOG = "1" * 32


@story
def resumed() -> Recorder:
    recorder = joined("A client comes back and hears exactly what it missed, three times.")
    for missed in (0, 1, 30):
        recorder.order(ROLL, GM)
        recorder.close(1006)
        for _ in range(missed):
            recorder.host.do({**ROLL, "visibility": "gm"}, GM)
            recorder.host.do(ROLL, BO)
        recorder.come_back()
    return recorder


@story
def resent() -> Recorder:
    recorder = joined(
        "Commands that were not answered go out again in order; done once, answered as the first time.", ANN
    )
    first = recorder.host.do(ROLL, ANN)
    (n,) = recorder.submit(ROLL)
    lost = [*recorder.submit(ROLL), *recorder.submit(ROLL)]
    recorder.catch_up()
    recorder.answer(n, first)
    second = recorder.host.do(ROLL, ANN)
    recorder.close(4000)
    recorder.submit({"type": "rename_seat", "seat_id": "player-1", "name": "Änn"})
    recorder.connect()
    recorder.submit(ROLL)
    again = recorder.hear(recorder.host.welcome(resumed=True))
    recorder.catch_up()
    assert again == [*lost, 4, 5]
    outcomes = [second, *(recorder.host.do(ROLL, ANN) for _ in range(3))]
    recorder.catch_up()
    for number, outcome in zip(again, outcomes, strict=True):
        recorder.answer(number, outcome)
        recorder.answer(number, outcome)  # a second reply is not heard
    return recorder


@story
def reset_too_old() -> Recorder:
    recorder = joined("A client that missed too much is shown the room anew, and its commands wait for that.")
    recorder.order(ROLL, GM)
    (n,) = recorder.submit(ROLL)
    recorder.close(1006)
    outcome = recorder.host.do(ROLL, GM)
    for _ in range(25):
        recorder.host.do(ROLL, BO)
    recorder.connect()
    recorder.hear(recorder.host.welcome(with_view=False))
    recorder.spoil(events_frame({}, []))
    recorder.submit(ROLL)
    recorder.hear(recorder.host.reset(ResetReason.TOO_OLD))
    recorder.told_anew()
    recorder.answer(n, outcome)  # its records came before the reset
    return recorder


def _other(recorder: Recorder, *orders: Order) -> None:
    """Put another log in the place of the one that the client knows."""
    recorder.host = opened(Host(recorder.host.viewer, OTHER_LOG))
    for order in orders:
        recorder.host.do(order, GM)


@story
def forked() -> Recorder:
    recorder = joined("The log is not the one that the client knows: at a reconnect, and in the middle.")
    recorder.order(ROLL, GM)
    recorder.close(4001)
    _other(recorder, {**ROLL, "pool": 5})
    recorder.connect()
    recorder.spoil(recorder.host.welcome(resumed=True))
    recorder.hear(recorder.host.welcome(with_view=False))
    recorder.hear(recorder.host.reset(ResetReason.FORKED, {Channel.PUBLIC: 7}))
    recorder.told_anew()
    recorder.order(ROLL, GM)
    _other(recorder, {**ROLL, "pool": 6}, ROLL)
    recorder.hear(recorder.host.reset(ResetReason.FORKED))
    recorder.told_anew()
    recorder.order(ROLL, GM)
    return recorder


@story
def started_over() -> Recorder:
    recorder = joined("A server that shows the room anew without a word: further on, and behind.")
    recorder.order(ROLL, BO)
    recorder.close(1006)
    recorder.host.do(ROLL, BO)
    recorder.join()
    recorder.close(1006)
    _other(recorder)
    recorder.join()
    recorder.order(ROLL, BO)
    return recorder


@story
def forgotten_session() -> Recorder:
    recorder = joined("Sessions that the server does not go on with: what is unanswered ends, and numbers start anew.")
    recorder.order(ROLL, GM)
    recorder.submit(ROLL)
    recorder.close(1006)
    recorder.connect()
    recorder.hear(recorder.host.welcome(resumed=True, session="session-2"))
    recorder.order(ROLL, GM)
    (n,) = recorder.submit(ROLL)
    recorder.answer(n, No(Code.OUT_OF_ORDER, {"n": n, "expected": 1}))
    recorder.close(1000)
    recorder.connect()
    recorder.hear(recorder.host.welcome(resumed=True, session="session-3"))
    (n,) = recorder.submit(ROLL)
    recorder.submit(ROLL)
    recorder.answer(n, No(Code.SESSION_EXPIRED, {}))
    recorder.close(1000)
    recorder.connect()
    return recorder
