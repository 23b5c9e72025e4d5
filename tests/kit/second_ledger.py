"""The dice and the log once more, written from docs/dice.md alone: nothing of ours is imported here."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

ZERO = bytes(32)
LAST = 1024
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"

Fields = dict[str, Any]


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def u32be(number: int) -> bytes:
    return bytes(number >> shift & 255 for shift in (24, 16, 8, 0))


def read32(text: str | None) -> bytes:
    """Read 32 bytes as records write them; absent is zero."""
    return base64.urlsafe_b64decode(text + "=") if text else ZERO


def text32(value: bytes) -> str:
    """Write 32 bytes as records write them."""
    return base64.urlsafe_b64encode(value).decode()[:43]


def room16(room: str) -> bytes:
    return base64.b32decode(room.upper() + "======")


def head_0(room: str, log_id: str, channel: str) -> bytes:
    return sha(b"log1/open\0", room16(room), bytes.fromhex(log_id), channel.encode())


def next_head(head: bytes, text: str) -> bytes:
    return sha(b"log1/record\0", head, u32be(len(text.encode())), text.encode())


def six_words(head: bytes) -> list[str]:
    return ["".join(_letters(head[place] << 8 | head[place + 1])) for place in range(0, 12, 2)]


def _letters(bits: int) -> Iterator[str]:
    yield _CONSONANTS[bits >> 12]
    yield _VOWELS[bits >> 10 & 3]
    yield _CONSONANTS[bits >> 6 & 15]
    yield _VOWELS[bits >> 4 & 3]
    yield _CONSONANTS[bits & 15]


def token_before(room: str, n: int, token: bytes) -> bytes:
    return sha(b"dice1/token\0", room16(room), u32be(n), token)


def key_before(lane: bytes, n: int, key: bytes) -> bytes:
    return sha(b"dice1/key\0", lane, u32be(n), key)


def lane_of(room: str, anchor: bytes, label: str) -> bytes:
    return sha(b"dice1/lane\0", room16(room), anchor, label.encode())


def witness_of(tokens: Sequence[bytes]) -> bytes:
    witness = ZERO
    for token in tokens:
        witness = sha(b"dice1/witness\0", witness, token)
    return witness


def raw_bytes(key: bytes, token: bytes, witness: bytes) -> Iterator[int]:
    """Give the bytes of a roll, one after the other, without end."""
    root = mac(key, b"dice1/roll\0", token, witness)
    block = 0
    while True:
        yield from mac(root, b"dice1/block\0", u32be(block))
        block += 1


def roll(key: bytes, token: bytes, witness: bytes, count: int) -> tuple[list[int], list[int]]:
    """Return so many faces, and the bytes that were skipped on the way."""
    faces: list[int] = []
    skipped: list[int] = []
    source = raw_bytes(key, token, witness)
    while len(faces) < count:
        byte = next(source)
        if byte < 252:
            faces.append(byte % 6 + 1)
        else:
            skipped.append(byte)
    return faces, skipped


def has(value: object, name: str) -> Iterator[Fields]:
    """Give the objects in a value that have a field."""
    if isinstance(value, dict):
        if name in value:
            yield value
        for each in value.values():
            yield from has(each, name)
    if isinstance(value, list):
        for each in value:
            yield from has(each, name)


@dataclass
class LaneRead:
    """A lane as far as a reader has come."""

    hash: bytes
    anchor: bytes
    seat: str | None
    key: bytes
    token: bytes
    starter: str | None = None  # of a sealed thing
    n: int = 0
    seen: dict[str, bytes] = field(default_factory=dict)  # first tokens of the others since it was opened
    seen_at_last: int = 0  # how many of them counted when it was rolled last


class Reader:
    """Goes through the public texts of a room from its first, and says which point of the page a record breaks."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.rolls: list[Fields] = []
        self.lanes: dict[str, LaneRead] = {}
        self._opened: dict[str, int] = {}
        self._anchors: set[str] = set()
        self._latest: tuple[Fields, Fields, int] | None = None  # record, proof, faces taken

    def broken(self, texts: Sequence[str]) -> tuple[int, int] | None:
        """Return the seq of the first record that does not fit, and the point it breaks; None if all fit."""
        for text in texts:
            record = json.loads(text)
            rule = self._rule(record)
            if rule is not None:
                return record["seq"], rule
        return None

    def _rule(self, record: Fields) -> int | None:
        event = record["event"]
        if event["type"] == "lane_opened":
            return self._open(event["lane"])
        if event["type"] == "sealed_started" and "key" in event["thing"]:
            thing = event["thing"]
            self.lanes[thing["lane"]] = replace(
                self._new(thing["lane"], None, thing["key"], None), starter=record["by"]
            )
        rules = (self._rolled(record, part) for part in has(event, "proof"))
        return next((rule for rule in rules if rule is not None), None)

    def _open(self, lane: Fields) -> int | None:
        seat, anchor = lane["seat_id"], lane.get("anchor")
        if lane["label"] != f"seat/{seat}/{self._opened.get(seat, 0)}" or anchor in self._anchors:
            return 0
        self._opened[seat] = self._opened.get(seat, 0) + 1
        self._anchors |= {anchor} if anchor else set()
        self.lanes[lane["label"]] = self._new(lane["label"], anchor, lane["key"], seat)
        return None

    def _new(self, label: str, anchor: str | None, key: str, seat: str | None) -> LaneRead:
        lane = lane_of(self.room, read32(anchor), label)
        return LaneRead(lane, read32(anchor), seat, read32(key), read32(anchor))

    def _rolled(self, record: Fields, part: Fields) -> int | None:
        proof, faces = part["proof"], part["faces"]
        lane = self.lanes.get(proof["lane"])
        if lane is None or lane.seat not in (None, record["by"]):
            return 1
        rule = self._first(lane, proof, faces) if "key" in proof else self._later(record, proof, faces)
        if rule is None:
            taken = proof["start"] + len(faces)
            first = proof if "key" in proof else self._latest[1] if self._latest else proof
            self._latest = (record, first, taken)
            known = {name: proof[name] for name in ("lane", "n", "start", "witnesses") if name in proof}
            self.rolls.append({"seq": record["seq"], **known, "faces": faces})
            self._let_witness(lane, proof)
        return rule

    def _first(self, lane: LaneRead, proof: Fields, faces: list[int]) -> int | None:
        n, key, token = proof["n"], read32(proof["key"]), read32(proof.get("token"))
        if n != lane.n + 1 or n > LAST:
            return 2
        if key_before(lane.hash, n, key) != lane.key:
            return 3
        if lane.anchor == ZERO:
            if "token" in proof:
                return 4
        elif token_before(self.room, n, token) != lane.token:
            return 4
        if lane.seat is None and n > 1 and lane.seen_at_last <= proof["witnesses"] <= len(lane.seen):
            lane.seen_at_last = proof["witnesses"]  # it was rolled when nobody else saw it
        seen = list(lane.seen.values())[: lane.seen_at_last]
        if proof["witnesses"] != len(seen):
            return 5
        if roll(key, token, witness_of(seen), proof["start"] + len(faces))[0][proof["start"] :] != faces:
            return 6
        lane.n, lane.key, lane.token = n, key, token
        lane.seen_at_last = lane.seen_at_last if lane.seat is None else len(lane.seen)
        self._witness = witness_of(seen)
        return None

    def _later(self, record: Fields, proof: Fields, faces: list[int]) -> int | None:
        if self._latest is None:
            return 7
        before, first, taken = self._latest
        same = [before[name] == record[name] for name in ("by", "at")] + [
            first[name] == proof[name] for name in ("lane", "n")
        ]
        if not all(same) or proof["start"] != taken:
            return 7
        every, _ = roll(read32(first["key"]), read32(first.get("token")), self._witness, taken + len(faces))
        return None if every[taken:] == faces else 6

    def _let_witness(self, rolled: LaneRead, proof: Fields) -> None:
        if "token" in proof and rolled.seat is not None:
            for lane in self.lanes.values():
                if (lane.seat or lane.starter) != rolled.seat:
                    lane.seen.setdefault(rolled.seat, read32(proof["token"]))
