"""Views: what one viewer sees of a room, channel by channel.

Views never change, so nobody may change the dictionaries that they return: readers share them.
"""

from operator import attrgetter
from typing import Any

from pydantic import Field

from dreadclock.wire.base import Channel, Count, Edition, Id, Model, Name
from dreadclock.wire.records import Record
from dreadclock.wire.things import (
    Challenge,
    Character,
    Check,
    Clock,
    Consequence,
    Countdown,
    Effort,
    Lane,
    Policy,
    Roll,
    Scene,
    Sealed,
    Seat,
    SecretRequired,
    Situation,
    Total,
)


class ChannelView(Model):
    """What one channel tells: a pure fold of its records.

    Dictionaries keep the order in which things were started; checks and totals go to the end as they end. Of
    things that ended, the latest stay.
    """

    title: Name | None = None
    closed: bool = False
    edition: Edition = 1  # of the rules by which its latest records came about
    policy: Policy = Policy()
    turn: Count = 1
    seats: dict[Id, Seat] = Field(default_factory=dict)
    characters: dict[Id, Character] = Field(default_factory=dict)
    countdowns: dict[Id, Countdown] = Field(default_factory=dict)
    clocks: dict[Id, Clock] = Field(default_factory=dict)
    scenes: dict[Id, Scene] = Field(default_factory=dict)
    situations: dict[Id, Situation] = Field(default_factory=dict)
    challenges: dict[Id, Challenge] = Field(default_factory=dict)
    efforts: dict[Id, Effort] = Field(default_factory=dict)
    sealed: dict[Id, Sealed] = Field(default_factory=dict)
    rolls: dict[Id, Roll] = Field(default_factory=dict)
    checks: dict[Id, Check] = Field(default_factory=dict)
    totals: dict[Id, Total] = Field(default_factory=dict)
    secrets: dict[Id, SecretRequired] = Field(default_factory=dict)  # by total
    consequences: dict[Id, Consequence] = Field(default_factory=dict)
    lanes: dict[str, Lane] = Field(default_factory=dict)
    shown: dict[Id, Count] = Field(default_factory=dict)  # by seat: which of the room's tokens it showed last, from 1
    made: dict[str, Count] = Field(default_factory=dict)  # things started so far, by kind
    taken: tuple[Id, ...] = ()  # ids that commands chose, in the order taken
    recent: tuple[Record, ...] = ()  # the latest records, oldest first


class View(Model):
    """What one viewer sees: a part for each channel the viewer holds."""

    # By field; unset until somebody asks. Not a field or private attribute: copies, pickles and equality ignore a slot.
    __slots__ = ("_merged",)

    channels: dict[Channel, ChannelView]

    @property
    def public(self) -> ChannelView:
        """What everyone sees."""
        return self.channels[Channel.PUBLIC]

    @property
    def gm(self) -> ChannelView | None:
        """What only the gm sees, if this viewer holds it."""
        return self.channels.get(Channel.GM)

    @property
    def hidden(self) -> ChannelView:
        """What only the gm sees; nothing if this viewer does not hold it."""
        return self.channels.get(Channel.GM) or ChannelView()

    @property
    def title(self) -> str:
        """The room's title."""
        return self.public.title or ""

    @property
    def policy(self) -> Policy:
        """The house rules."""
        return self.channels[Channel.PUBLIC].policy

    @property
    def turn(self) -> int:
        """The turn under way, from 1."""
        return self.channels[Channel.PUBLIC].turn

    @property
    def seats(self) -> dict[str, Seat]:
        """The seats at the table by id."""
        return self.channels[Channel.PUBLIC].seats

    @property
    def characters(self) -> dict[str, Character]:
        """The characters that this viewer knows, by id; of those out of play for good, the latest."""
        return _merged(self, "characters")

    @property
    def sealed(self) -> dict[str, Sealed]:
        """The sealed things whose inside this viewer does not see."""
        return self.public.sealed if self.gm is None else {}

    @property
    def countdowns(self) -> dict[str, Countdown]:
        """The countdowns that this viewer sees, in the order they were started."""
        return _merged(self, "countdowns")

    @property
    def clocks(self) -> dict[str, Clock]:
        """The clocks that this viewer sees, by id."""
        return _merged(self, "clocks")

    @property
    def scenes(self) -> dict[str, Scene]:
        """The scenes that this viewer sees, by id."""
        return _merged(self, "scenes")

    @property
    def situations(self) -> dict[str, Situation]:
        """The situations that this viewer sees, by id."""
        return _merged(self, "situations")

    @property
    def challenges(self) -> dict[str, Challenge]:
        """The challenges that this viewer sees, by id."""
        return _merged(self, "challenges")

    @property
    def efforts(self) -> dict[str, Effort]:
        """The efforts that wait for a ruling, by id."""
        return _merged(self, "efforts")

    @property
    def rolls(self) -> dict[str, Roll]:
        """The latest plain rolls that this viewer sees, by id."""
        return _merged(self, "rolls")

    @property
    def checks(self) -> dict[str, Check]:
        """The checks that this viewer sees, by id: those that are open, and the latest of the others."""
        return _merged(self, "checks")

    @property
    def totals(self) -> dict[str, Total]:
        """The totals by id: those that are open, and the latest of the others."""
        return self.channels[Channel.PUBLIC].totals

    @property
    def secrets(self) -> dict[str, SecretRequired]:
        """The numbers required that only the gm knows, by total, if this viewer may see them."""
        return self.gm.secrets if self.gm is not None else {}

    @property
    def consequences(self) -> dict[str, Consequence]:
        """The consequences that this viewer knows of, by id."""
        return _merged(self, "consequences")


_cache: Any = View.__dict__["_merged"]  # the slot itself: a frozen model refuses to set it, and is slow to read it


_Merged = dict[str, dict[str, Any]]


def _merged(view: View, field: str) -> dict[str, Any]:
    """Return what all channels of a view hold in a field, by id: merged once, and the same dictionary ever after.

    In the order of channels; countdowns in the order they were started.
    """
    cached: _Merged
    try:
        cached = _cache.__get__(view)
    except AttributeError:
        cached = {}
        _cache.__set__(view, cached)
    if field not in cached:
        merged: dict[str, Any] = {}
        for part in view.channels.values():
            merged |= getattr(part, field)
        if field == "countdowns":
            merged = {countdown.id: countdown for countdown in sorted(merged.values(), key=attrgetter("started"))}
        cached[field] = merged
    return cached[field]


def copied(view: View) -> tuple[View, _Merged]:
    """Return a view with channels of its own, and what it has merged, from which fields that change must go."""
    copy = view.model_copy(update={"channels": view.channels.copy()})
    try:
        merged: _Merged = _cache.__get__(view).copy()
    except AttributeError:
        merged = {}
    _cache.__set__(copy, merged)
    return copy, merged


def empty_view(*channels: Channel) -> View:
    """Return the view of a room before its first event."""
    return View(channels={channel: ChannelView() for channel in channels})
