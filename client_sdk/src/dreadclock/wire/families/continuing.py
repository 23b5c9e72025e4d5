"""A room that continues an earlier room, and the things that it takes over."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.wire.base import Count, HeadHash, Id, Later, Model, RoomId
from dreadclock.wire.families.base import EventBase, NoUndo
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.consequences import Consequence
from dreadclock.wire.families.contents import FIELDS
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, put
from dreadclock.wire.families.secrets import Things
from dreadclock.wire.families.totals import SecretRequired, Total


class Origin(Model):
    """The end of a channel in the earlier room's export: the number of its last record, and a hash over all records."""

    room: RoomId
    log_id: str
    seq: Count
    hash: HeadHash


class Carried(Things):
    """The things that a channel takes over: all characters, and all other things that have not ended."""

    characters: tuple[Character, ...] = ()  # here it is always written into records; in `Things` it may be absent
    totals: tuple[Total, ...] = ()
    secrets: tuple[SecretRequired, ...] = ()
    consequences: Later[tuple[Consequence, ...]] = ()
    made: dict[str, Count] = Field(default_factory=dict)  # how many things were started so far, by kind
    taken: tuple[Id, ...] = ()  # ids that commands chose


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class RoomContinued(EventBase):
    """This new room continues an earlier room. Each channel of the imported export has this event.

    The event comes after the events that open the room and make its seats. `origin`: the end of this channel in the
    earlier room. `turn`: the number of the present turn. `carried`: the things that this channel takes over.
    """

    type: Literal["room_continued"] = "room_continued"
    no_undo: ClassVar[NoUndo | None] = NoUndo.ROOM
    origin: Origin
    turn: Annotated[int, Field(ge=1)]
    carried: Carried


# How these events change a view


def continued(part: ViewPart, event: RoomContinued) -> Changes:
    """Return the changes that add the taken-over things, the counts of things, and the ids that nobody may choose
    again.
    """
    carried = event.carried
    return [
        *(put(name, thing) for name in (*FIELDS, "totals", "consequences") for thing in getattr(carried, name)),
        *(("secrets", secret.total_id, secret) for secret in carried.secrets),
        ("turn", None, event.turn),
        *(("made", kind, count) for kind, count in carried.made.items()),
        ("taken", None, tuple(dict.fromkeys((*part.taken, *carried.taken)))),
    ]


FOLDS: dict[type[EventBase], Fold] = {
    RoomContinued: continued,
}
