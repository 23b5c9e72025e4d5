"""Where a room's parts lie. All keys of a room share its hash tag, so they share a cluster slot."""

from functools import lru_cache

from dreadclock.wire.base import Channel

META = (
    "meta"  # hash: number, digest, tokens_version, session_key, log_id, fence, indexed (see INDEX), the following, too
    # public, hidden: bytes, see LogBytes in base.py; missing in rooms of earlier versions
    # cap: bytes; missing where a room has no cap of its own
    # granted, held: of a demo room, see in_play.py
)
LOG = "log"  # stream: entry n has the id n-0 and the fields b (batch id), d (digest after it), e (entry)
DICE = "dice"  # string: the dice secret, in no other key
TOKENS = "tokens"  # hash: token hash to JSON text
USES = "uses"  # hash: token hash to the time of its last use, ms
SNAPSHOT = "snapshot"  # hash: number, digest, blob
HERE = "here"  # hash: node to JSON text
KNOCKS = "knocks"  # hash: knock to the ms at which it is over, a space, and JSON text
RECAPS = "recaps"  # hash: hash of a recap's secret to JSON text
IN_PLAY = (
    "in-play"  # hash of ms: due, for, ends: when a demo room goes, later by "for" while somebody is there, up to ends
)
INDEX = "index"  # a stream for each channel: see index_of
# No key expires: that is a write, which a disk that is full cannot take.


def index_of(channel: str) -> str:
    """Name the index of a channel: where its records lie in the log, a row for each entry that holds some.

    A stream; the row of entry n has the id S-n, S being the seq of the channel's last record in it, and one field: r,
    where the records' lines are in the entry, "first-last" bytes counted from 1, parts separated by commas; or t, a
    copy of the lines. The index covers the entries up to meta's `indexed`. It is a cache: losing it loses nothing.
    """
    return f"{INDEX}-{channel}"


PARTS = (META, LOG, DICE, TOKENS, USES, SNAPSHOT, HERE, KNOCKS, RECAPS, IN_PLAY, *map(index_of, Channel))
REHEARSAL = "rehearsal-"  # begins the ids of rooms of no meaning; who is killed in between leaves one


def key(room: str, part: str) -> str:
    """Name one of a room's keys."""
    if not room or "{" in room or "}" in room:
        raise ValueError(f"not a room id: {room!r}")
    return f"dreadclock:{{{room}}}:{part}"


def keys(room: str, *parts: str) -> list[str]:
    """Name several of a room's keys, in the order asked."""
    return [key(room, part) for part in parts]


@lru_cache(maxsize=4096)
def channel(room: str) -> str:
    """Name the channel on which a room's announcements are heard."""
    return key(room, "events")


def room_of(channel_name: str) -> str:
    """Return the room of a channel."""
    return channel_name[channel_name.index("{") + 1 : channel_name.index("}")]


# Beside the rooms, under a hash tag that no room has.
NO_ROOM = "in-play"
TABLES_IN_PLAY = key(NO_ROOM, "due")  # hash: room to the ms at which to look whether it goes; and '' to the last look
DEMO_ROOMS = key(NO_ROOM, "rooms")  # hash: room to what is reserved for it (see reserve_demo.lua)
OPENERS_KEY = key(NO_ROOM, "key")  # string: by which the addresses in DEMO_ROOMS are hashed
