"""Where fuzzing begins: what our own clients say and our own servers write, taken from the tests' vectors."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from dreadclock_server.rooms.log import Log, empty_log, snapshot
from dreadclock_server.store.base import EMPTY
from dreadclock_server.store.codec import decode
from kit.evenings.golden import Golden, golden_files, read_golden
from kit.links.intruder import CLOSE, CONTINUATION, PING, PONG, frame
from kit.transcripts.written import transcript_files

_RARE = (
    '{"type":"command","n":1,"command":{"type":"roll_dice","pool":1e400}}',
    '{"type":"command","n":1,"command":{"type":"roll_dice","pool":NaN}}',
    '{"type":"command","n":1,"command":{"type":"roll_dice","pool":1,"pool":2}}',
    '{"type":"command","n":1,"command":{"type":"rename","name":"\\ud800"}}',
    '{"type":"command","n":1,"command":{"type":' + "[" * 20 + "]" * 20 + "}}",
    '{"type":"command","n":9007199254740993,"command":{}}',
)


def _said() -> Iterator[str]:
    """Give the frames that clients send in the transcripts."""
    for path in transcript_files():
        for step in json.loads(path.read_text())["steps"]:
            yield from (json.dumps(each, ensure_ascii=False) for each in step.get("sends", ()))


def _commands() -> Iterator[bytes]:
    for text in dict.fromkeys((*_said(), *_RARE)):
        yield text.encode()
        whole = json.loads(text)
        if "command" in whole and not set(text) & set("eN\\"):
            yield json.dumps(whole["command"]).encode()


def _frames() -> Iterator[bytes]:
    said = [text.encode() for text in dict.fromkeys((*_said(), *_RARE))]
    for at in range(0, len(said), 8):
        yield b"\0" + b"".join(_plain(text) for text in said[at : at + 8])
    text = said[0]
    yield b"\1" + _plain(text[:9], fin=False) + _plain(b"", PING) + _plain(text[9:], CONTINUATION)
    yield b"\0" + _plain(b"\xc3\x28") + _plain(b"", CLOSE)
    yield b"\0" + _plain(b"x", PONG) + _plain(b"\x03\xe8bye", CLOSE)
    yield b"\2" + bytes((0x81, 0xFF)) + (1 << 62).to_bytes(8, "big")


def _plain(payload: bytes, opcode: int = 1, *, fin: bool = True) -> bytes:
    """Write a frame with a mask of zeros, which leaves the text as it is for the fuzzer to read."""
    written = bytearray(frame(payload, opcode, fin=fin))
    at = len(written) - len(payload) - 4
    written[at:] = bytes(4) + payload
    return bytes(written)


def _exports() -> Iterator[bytes]:
    for path in golden_files():
        golden = read_golden(path)
        texts = [text for data in golden.entries for text in decode(data).texts if '"channel":"public"' in text]
        room, log_id = golden.room.room_id, golden.room.log_id
        for most in (4, 30):
            yield "".join(write_export(room, log_id, [Channel.PUBLIC], texts[:most])).encode()


def _snapshots() -> Iterator[bytes]:
    for path in golden_files():
        yield snapshot(_folded(read_golden(path)))


def _folded(golden: Golden) -> Log:
    log = empty_log(golden.room, EMPTY)
    for number, data in enumerate(golden.entries, 1):
        log.take(number, data)
    return log


SEEDS: dict[str, Callable[[], Iterator[bytes]]] = {
    "frames": _frames,
    "commands": _commands,
    "exports": _exports,
    "snapshots": _snapshots,
}


def found(name: str) -> Iterator[bytes]:
    """Give the bytes that once led to a fault."""
    for path in sorted((Path(__file__).parent / "found" / name).glob("*")):
        yield path.read_bytes()
