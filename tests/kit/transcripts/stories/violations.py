"""Frames that must not be taken."""

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.frames import ResetReason, events_frame
from dreadclock.wire.records import Head, advance
from dreadclock_server.core.sessions import No
from kit.tables import ANN, GM
from kit.transcripts.host import Host, Recorder
from kit.transcripts.stories.base import ROLL, joined, opened, story


@story
def tampered() -> Recorder:
    recorder = joined("A record that was tampered with is not taken; the client comes back and hears the true one.")
    before = recorder.host.positions
    recorder.host.do({**ROLL, "faces": [1, 2, 3], "name": "true"}, GM)
    recorder.host.do(ROLL, GM)
    (true,) = recorder.host.events(before)
    head, first, second = true.split("\n")
    spoiled = {"changed": first.replace("[1,2,3]", "[1,2,4]"), "spaced": first.replace(":", ": "), "none": "{}"}
    for line in spoiled.values():
        recorder.spoil("\n".join((head, line, second)))
    for lines in (
        (head, second),
        (head, first),
        (head, second, first),
        (head, first, first),
        (head, first, second, ""),
    ):
        recorder.spoil("\n".join(lines))
    recorder.spoil(
        events_frame({Channel.PUBLIC: Head(seq=before[Channel.PUBLIC].seq + 2, hash="0" * 64)}, [first, second])
    )
    recorder.spoil(events_frame({}, [first, second]))
    _misfits(recorder, before[Channel.PUBLIC], first)
    recorder.close(1002)
    recorder.come_back()
    return recorder


def _misfits(recorder: Recorder, before: Head, true: str) -> None:
    """Spoil records so that their hashes fit, but they do not."""
    event = '{"countdown_id":"ghost","type":"countdown_resumed"}'
    for line in (
        true.replace(f'"seq":{before.seq + 1}', f'"seq":{before.seq + 2}'),
        true.replace('"type":"dice_rolled"', '"type":7'),
        true.replace('"v":1', '"w":1').replace('"by":"gm"', '"ghost":"gm"'),
        f'{{"at":1,"by":"gm","channel":"public","event":{event},"seq":{before.seq + 1},"v":1}}',
        '{"after":1,"at":1,"by":"gm","channel":"ghost","event":{"type":"room_closed"},"seq":1,"v":1}',
    ):
        recorder.spoil(events_frame({Channel.PUBLIC: advance(before, line)}, [line]))


@story
def out_of_place() -> Recorder:
    recorder = Recorder("Frames that are none, or come when they must not.", opened(Host(ANN)))
    recorder.connect()
    host = recorder.host
    for frame in (
        '{"n":1,"type":"pending"}',
        host.reply(1, No(Code.UNKNOWN, {})),
        host.reset(ResetReason.FORKED),
        host.welcome(with_view=False),
        host.welcome(resumed=True),
        host.welcome().replace(host.room.room_id, "b" * 26),
        host.welcome().replace('"v":1', '"v":2', 1),
        host.welcome().replace('"channels":{"public"', '"channels":{"gm"'),
    ):
        recorder.spoil(frame)
    recorder.hear(host.welcome())
    recorder.told_anew()
    frames = ("", "no json", "[]", "null", "1", '{"type":"hello"}', '{"type":"ack","n":1}', '{"type":"constructor"}')
    for frame in (*frames, host.welcome(), '{"here":{},"type":"presence"}\n{}', '{"type":"presence","x":1}'):
        recorder.spoil(frame)
    recorder.submit(ROLL)
    for n in (-1, 0, 2):
        recorder.spoil(host.reply(n, No(Code.UNKNOWN, {})))
        recorder.spoil(f'{{"n":{n},"type":"pending"}}')
    ahead = host.positions[Channel.PUBLIC].seq + 1
    recorder.spoil(f'{{"type":"ack","n":1,"positions":{{"public":{ahead}}},"events":{{"public":[{ahead},{ahead}]}}}}')
    recorder.spoil(f'{{"type":"ack","n":1,"positions":{{"public":{ahead}}},"events":{{"gm":[1,1]}}}}')
    return recorder
