"""The keys of a room in the store. All have the same hash tag, so that a cluster keeps them in the same slot."""

from functools import lru_cache

from dreadclock.wire.base import Channel

# hash: number, digest, tokens_version, session_key, log_id, fence (see append.lua), indexed (see INDEX), and:
#   public, hidden: bytes of the log, see LogBytes in base.py; missing in rooms of earlier versions
#   cap: bytes; missing if the room has no cap of its own
#   granted, held: of a demo room, see in_play.py
META = "meta"
LOG = "log"  # stream: entry n has the id n-0 and the fields b (batch id), d (digest after it), e (entry)
DICE = "dice"  # string: the dice secret, kept apart from all other data
TOKENS = "tokens"  # hash: token hash to JSON text
USES = "uses"  # hash: token hash to the time of its last use, ms
SNAPSHOT = "snapshot"  # hash: number, digest, blob
HERE = "here"  # hash: node to JSON text
KNOCKS = "knocks"  # hash: knock to the time of its expiry (ms), a space, and JSON text
RECAPS = "recaps"  # hash: hash of a recap's secret to JSON text
# hash of ms: due (deletion time), for (extension while somebody is connected), ends (latest deletion)
IN_PLAY = "in-play"
INDEX = "index"  # a stream for each channel: see index_of
# No key has an expiry: an expiry is a write, which fails when the disk is full.


def index_of(channel: str) -> str:
    """Return the key of a channel's index: a stream with a row for each log entry that has records of the channel.

    The row of entry n has the id S-n, where S is the seq of the channel's last record in the entry. The row has one
    field, `r` or `t`. `r` is a list of the byte ranges of the records in the entry: "first-last", counted from 1 and
    separated by commas. `t` is a copy of the records. The index covers the entries up to meta's `indexed`. The index is
    a cache: it can be rebuilt.
    """
    return f"{INDEX}-{channel}"


PARTS = (META, LOG, DICE, TOKENS, USES, SNAPSHOT, HERE, KNOCKS, RECAPS, IN_PLAY, *map(index_of, Channel))
REHEARSAL = "rehearsal-"  # prefix of the test rooms of the preflight check; a killed process may leave such a room


def key(room: str, part: str) -> str:
    """Return the key of a part of a room. Raises ValueError if the room id is empty or has braces."""
    if not room or "{" in room or "}" in room:
        raise ValueError(f"not a room id: {room!r}")
    return f"dreadclock:{{{room}}}:{part}"


def keys(room: str, *parts: str) -> list[str]:
    """Return several keys of a room, in the given order."""
    return [key(room, part) for part in parts]


@lru_cache(maxsize=4096)
def channel(room: str) -> str:
    """Return the pub/sub channel of a room's announcements."""
    return key(room, "events")


def room_of(channel_name: str) -> str:
    """Return the room of a pub/sub channel."""
    return channel_name[channel_name.index("{") + 1 : channel_name.index("}")]


# Data of all demo rooms, under a hash tag that no room has.
NO_ROOM = "in-play"
TABLES_IN_PLAY = key(NO_ROOM, "due")  # hash: room to the time (ms) of its next check; '' to the time of the last check
DEMO_ROOMS = key(NO_ROOM, "rooms")  # hash: room to JSON text with its reserved memory (see reserve_demo.lua)
OPENERS_KEY = key(NO_ROOM, "key")  # string: the HMAC key for the addresses in DEMO_ROOMS
