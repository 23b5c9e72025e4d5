"""What a room takes over from another one that it goes on from."""

from pydantic import Field

from dreadclock.wire.base import Count, HeadHash, Id, Model, RoomId
from dreadclock.wire.things.characters import Character
from dreadclock.wire.things.secrets import Things
from dreadclock.wire.things.totals import SecretRequired, Total


class Origin(Model):
    """Where another room's channel stood: its export leads to this head."""

    room: RoomId
    log_id: str
    seq: Count
    hash: HeadHash


class Carried(Things):
    """What one channel takes over: all characters, and of the rest what is not over."""

    characters: tuple[Character, ...] = ()
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()
    made: dict[str, Count] = Field(default_factory=dict)  # things started so far, by kind
    taken: tuple[Id, ...] = ()  # ids that commands chose
