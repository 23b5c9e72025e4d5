"""Write docs/dice-vectors.json: what the bytes of docs/dice.md come to, for anyone who writes a verifier."""

import hashlib
import hmac
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from dreadclock.dice.fingerprint import six_words
from dreadclock.rules.ledger import LANE_LENGTH, ZERO, Draws, key_chain, lane_hash, text32, token_chain, witnessed
from dreadclock.wire.base import Channel
from dreadclock.wire.records import advance, canonical, opening_head, room_bytes, room_id_of
from dreadclock_server.dice import keys_of
from kit.dice.vector_log import vector_logs

Vector = dict[str, Any]

_TEXTS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text(encoding="utf-8"))  # `about` and `kinds`
ROOM16 = bytes(range(16))
ROOM = room_id_of(ROOM16)
OTHER_ROOM = room_id_of(bytes.fromhex("f0e1d2c3b4a5968778695a4b3c2d1e0f"))
LOG_ID = "000102030405060708090a0b0c0d0e0f"
SECRET, LAST_TOKEN, SEEN = bytes([0x11]) * 32, bytes([0x22]) * 32, bytes([0x33]) * 32
LABEL, BARE, SEALED = "seat/p1/1", "seat/gm/0", "thing/countdown/gas"
PLACES = (1, 2, 32, 33, LANE_LENGTH)
_DEEDS: tuple[dict[str, Any], ...] = (
    {"type": "room_opened", "title": 'The "Sunken" Chapel \\ Ω', "policy": {"physical_dice": "off"}},
    {"type": "seat_joined", "seat": {"id": "player-1", "role": "player", "name": "Zoë Müller-Łoś 🎲"}},
    {"type": "dice_rolled", "note": "雨の夜 — naïve?", "roll": {"id": "roll-1", "faces": [6, 1], "physical": True}},
)
_ODDITIES = {
    "é": "é is not e\u0301",
    "Z": "keys by code point: Z, a, é, 🎲",
    "🎲": [True, False, 0, -7, 9007199254740991],
    "a": {
        "controls": "\x00\x01\b\t\n\v\f\r\x1f",
        "others": "\x7f\u2028/",
        "quotes": '"\\"',
        "empty": {"b": [], "a": ""},
    },
}


def vector(kind: str, prose: str, given: Vector, gives: Vector) -> Vector:
    """Make one vector."""
    return {"kind": kind, "prose": prose, "given": given, "gives": gives}


def texts_and_heads() -> list[Vector]:
    """Return vectors of the log: canonical texts, heads, six words."""
    bodies = [_record(seq, event) for seq, event in enumerate(_DEEDS, 1)]
    texts = [canonical(body) for body in bodies]
    secret = [canonical({**bodies[2], "channel": "gm", "seq": 1, "after": 2})]
    return [
        _canonical("Keys are sorted and few characters are escaped.", _ODDITIES),
        *(_canonical("A record with what names may hold.", body) for body in bodies[:2]),
        _opening("The public channel of a room.", ROOM, Channel.PUBLIC),
        _opening("The gm's channel of the same room begins elsewhere.", ROOM, Channel.GM),
        _opening("Another room.", OTHER_ROOM, Channel.PUBLIC),
        _heads("Three records; lengths are counted in bytes, not in characters.", ROOM, Channel.PUBLIC, texts),
        _heads("A record outside public says which public record it follows.", ROOM, Channel.GM, secret),
        _words("From the highest bits down.", "7f000001" + "0" * 56),
        _words("Every letter at its last.", "f" * 64),
        _words("A head as they come.", hashlib.sha256(b"a head").hexdigest()),
    ]


def _record(seq: int, event: dict[str, Any]) -> dict[str, Any]:
    return {"v": 1, "channel": "public", "seq": seq, "at": 1_700_000_000_000 + seq, "by": "gm", "event": event}


def _canonical(prose: str, value: object) -> Vector:
    text = canonical(value)
    return vector("canonical", prose, {"value": value}, {"text": text, "bytes": text.encode().hex()})


def _opening(prose: str, room: str, channel: Channel) -> Vector:
    given = {"room": room, "log_id": LOG_ID, "channel": channel}
    return vector("opening_head", prose, given, {"head": opening_head(room, LOG_ID, channel).hash})


def _heads(prose: str, room: str, channel: Channel, texts: Sequence[str]) -> Vector:
    head, heads = opening_head(room, LOG_ID, channel), []
    for text in texts:
        head = advance(head, text)
        heads.append(head.hash)
    given = {"room": room, "log_id": LOG_ID, "channel": channel, "texts": list(texts)}
    return vector("heads", prose, given, {"heads": heads})


def _words(prose: str, head: str) -> Vector:
    return vector("six_words", prose, {"head": head}, {"words": list(six_words(head))})


def chains() -> list[Vector]:
    """Return vectors of values, lanes, tokens, keys and witnesses."""
    tokens = token_chain(ROOM16, LAST_TOKEN)
    lane = lane_hash(ROOM16, tokens.value(0), LABEL)
    values = {name: bytes.fromhex(name * 32) for name in ("00", "ff", "fb")}
    return [
        *(vector("value", "43 characters.", {"bytes": seed.hex()}, {"text": text32(seed)}) for seed in values.values()),
        *(
            vector("room", "26 letters.", {"room": room}, {"bytes": room_bytes(room).hex()})
            for room in (ROOM, OTHER_ROOM)
        ),
        _tokens("A client's tokens.", ROOM, LAST_TOKEN),
        _tokens("The same secret in another room has other tokens.", OTHER_ROOM, LAST_TOKEN),
        _lane("A seat's lane with tokens.", LABEL, tokens.value(0)),
        _lane("A lane without tokens: the anchor is zero.", BARE),
        _lane("A sealed thing's lane.", SEALED),
        _keys("The keys of the lane with tokens.", LABEL, tokens.value(0), SEEN),
        _keys("The keys of a sealed thing's lane.", SEALED, None, SECRET),
        *(_witness(count) for count in (0, 1, 3)),
        _server_key("A secret of 32 times 11, for the lane with tokens.", lane),
    ]


def _server_key(prose: str, lane: bytes) -> Vector:
    key = hmac.digest(SECRET, b"dice1/seed\0" + lane, "sha256")
    return vector("server_key", prose, {"secret": SECRET.hex(), "lane": lane.hex()}, {"key": key.hex()})


def _tokens(prose: str, room: str, last: bytes) -> Vector:
    chain = token_chain(room_bytes(room), last)
    return vector("tokens", prose, {"room": room, "last": last.hex()}, _values(chain.value))


def _keys(prose: str, label: str, anchor: bytes | None, last: bytes) -> Vector:
    lane = lane_hash(ROOM16, anchor or ZERO, label)
    return vector("keys", prose, {"lane": lane.hex(), "last": last.hex()}, _values(key_chain(lane, last).value))


def _values(value: Any) -> Vector:
    return {"values": {str(n): value(n).hex() for n in (0, *PLACES)}}


def _lane(prose: str, label: str, anchor: bytes | None = None) -> Vector:
    given = {"room": ROOM, "label": label, **({"anchor": anchor.hex()} if anchor else {})}
    return vector("lane", prose, given, {"lane": lane_hash(ROOM16, anchor or ZERO, label).hex()})


def _shown(count: int) -> list[bytes]:
    """Return first tokens that other seats show."""
    return [bytes([0x33 + place]) * 32 for place in range(count)]


def _folded(tokens: Sequence[bytes]) -> bytes:
    witness = ZERO
    for token in tokens:
        witness = witnessed(witness, token)
    return witness


def _witness(count: int) -> Vector:
    tokens = _shown(count)
    given = {"tokens": [token.hex() for token in tokens]}
    return vector("witness", f"Tokens of other seats: {count}.", given, {"witness": _folded(tokens).hex()})


def rolls() -> list[Vector]:
    """Return vectors of rolls: at the ends and the seams of a lane, long ones, and with bytes to skip."""
    others = {2: 1, 32: 0, 33: 2, LANE_LENGTH: 3}
    return [
        _roll("Roll 1: no witness.", LABEL, 1, 0),
        *(_roll(f"Roll {n}; tokens in its witness: {count}.", LABEL, n, count) for n, count in others.items()),
        *(_roll(f"Roll {n} of a lane without tokens.", BARE, n, 0) for n in PLACES),
        _roll("A lane without tokens has witnesses as well.", BARE, 4, 2),
        _roll("A sealed countdown's first roll.", SEALED, 1, 0),
        _roll("A sealed countdown's third roll, with tokens of two seats.", SEALED, 3, 2),
        _roll("The first roll of this lane that meets a byte to skip.", LABEL, _first_that_skips(), 0),
        _roll("One die.", BARE, 7, 0, count=1),
        _roll("A pool of 60 dice reads a second block of bytes.", LABEL, 5, 1, count=60),
        _roll("300 dice.", BARE, 9, 0, count=300),
        _goes_on("Three rolls of one command, of a lane with tokens.", LABEL, 6, (4, 3, 12)),
        _goes_on(
            "Rolls that cross from one block into the next, and one that takes nothing.", BARE, 10, (30, 0, 5, 40)
        ),
    ]


def _chains_of(label: str, n: int) -> tuple[bytes, bytes | None, bytes | None]:
    """Return a lane's k_n, t_n and t_0; only lanes of the seat p1 have tokens here."""
    tokens = token_chain(ROOM16, LAST_TOKEN) if label == LABEL else None
    anchor = tokens.value(0) if tokens else None
    keys = keys_of(SECRET, lane_hash(ROOM16, anchor or ZERO, label))
    return keys.value(n), tokens.value(n) if tokens else None, anchor


def _given(label: str, n: int, seen: Sequence[bytes]) -> Vector:
    key, token, _ = _chains_of(label, n)
    given = {"room": ROOM, "label": label, "n": n, "key": key.hex()} | ({"token": token.hex()} if token else {})
    return {**given, "witnesses": [witness.hex() for witness in seen]}


def _roll(prose: str, label: str, n: int, witnesses: int, count: int = 10) -> Vector:
    key, token, anchor = _chains_of(label, n)
    lane, seen = lane_hash(ROOM16, anchor or ZERO, label), _shown(witnesses)
    read = _bytes_read(key, token or ZERO, _folded(seen), count)
    gives = {
        **({"anchor": anchor.hex()} if anchor else {}),
        "lane": lane.hex(),
        "first_key": keys_of(SECRET, lane).value(0).hex(),
        "witness": _folded(seen).hex(),
        "faces": Draws(key, token or ZERO, _folded(seen)).take(count),
        "skipped": [byte for byte in read if byte >= 252],
    }
    return vector("roll", prose, {**_given(label, n, seen), "count": count}, gives)


def _bytes_read(key: bytes, token: bytes, witness: bytes, faces: int) -> bytes:
    """Return the bytes that so many faces take, those to be skipped included."""
    root = hmac.digest(key, b"dice1/roll\0" + token + witness, "sha256")
    blocks = (hmac.digest(root, b"dice1/block\0" + j.to_bytes(4, "big"), "sha256") for j in range(2 + faces // 16))
    raw = b"".join(blocks)
    good = [place for place, byte in enumerate(raw) if byte < 252]
    return raw[: good[faces - 1] + 1]


def _first_that_skips() -> int:
    def skips(n: int) -> bool:
        key, token, _ = _chains_of(LABEL, n)
        return any(byte >= 252 for byte in _bytes_read(key, token or ZERO, ZERO, 10))

    return next(filter(skips, range(1, LANE_LENGTH)))


def _goes_on(prose: str, label: str, n: int, counts: Sequence[int]) -> Vector:
    key, token, _ = _chains_of(label, n)
    draws = Draws(key, token or ZERO)
    taken = [{"start": draws.taken, "faces": draws.take(count)} for count in counts]
    return vector("draws", prose, {**_given(label, n, ()), "counts": list(counts)}, {"rolls": taken})


def files() -> dict[str, str]:
    """Return the whole file."""
    vectors = [*texts_and_heads(), *chains(), *rolls(), *vector_logs()]
    rows = ",\n".join("  " + json.dumps(row) for row in vectors)
    head = json.dumps(_TEXTS, indent=1)
    text = head.removesuffix("\n}") + ',\n "vectors": [\n' + rows + "\n]}\n"
    return {"docs/dice-vectors.json": text}
