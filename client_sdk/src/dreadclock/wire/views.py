"""Views: what one viewer sees of a room, channel by channel.

Views are immutable. Callers must not change the dictionaries that they return, because readers share them.
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
    """The state of a channel: a pure fold of its records.

    Dictionaries are in the order in which things were started. Checks and totals move to the end when they end. Only
    the latest of the ended things stay.
    """

    title: Name | None = None
    closed: bool = False
    edition: Edition = 1  # of the rules that made its latest records
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
    shown: dict[Id, Count] = Field(default_factory=dict)  # by seat: its latest token's number in the room, from 1
    made: dict[str, Count] = Field(default_factory=dict)  # things started so far, by kind
    taken: tuple[Id, ...] = ()  # ids that commands chose, in the order taken
    recent: tuple[Record, ...] = ()  # the latest records, oldest first


class View(Model):
    """What a viewer sees: a part for each channel of the viewer."""

    # A cache by field, unset until first use. It is a slot, because copies, pickles and equality ignore slots.
    __slots__ = ("_merged",)

    channels: dict[Channel, ChannelView]

    @property
    def public(self) -> ChannelView:
        """What everyone sees."""
        return self.channels[Channel.PUBLIC]

    @property
    def gm(self) -> ChannelView | None:
        """What only the gm sees; None for other viewers."""
        return self.channels.get(Channel.GM)

    @property
    def hidden(self) -> ChannelView:
        """What only the gm sees; empty for other viewers."""
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
        """The number of the current turn, from 1."""
        return self.channels[Channel.PUBLIC].turn

    @property
    def seats(self) -> dict[str, Seat]:
        """The seats at the table by id."""
        return self.channels[Channel.PUBLIC].seats

    @property
    def characters(self) -> dict[str, Character]:
        """The characters that this viewer sees, by id. Only the latest of those out of play for good."""
        return _merged(self, "characters")

    @property
    def sealed(self) -> dict[str, Sealed]:
        """The sealed things whose content this viewer does not see."""
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
        """The checks that this viewer sees, by id: all open checks, and the latest ended checks."""
        return _merged(self, "checks")

    @property
    def totals(self) -> dict[str, Total]:
        """The totals by id: all open totals, and the latest ended totals."""
        return self.channels[Channel.PUBLIC].totals

    @property
    def secrets(self) -> dict[str, SecretRequired]:
        """The secret numbers of totals, by total, if this viewer may see them."""
        return self.gm.secrets if self.gm is not None else {}

    @property
    def consequences(self) -> dict[str, Consequence]:
        """The consequences that this viewer sees, by id."""
        return _merged(self, "consequences")


_cache: Any = View.__dict__["_merged"]  # the slot's descriptor: `setattr` would fail, and `getattr` is slow


_Merged = dict[str, dict[str, Any]]


def _merged(view: View, field: str) -> dict[str, Any]:
    """Return a field of all channels of a view as one dictionary, by id. It is merged once and cached.

    In the order of channels; countdowns in the order of their starts.
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
    """Return a copy of a view and its cache of merged fields. The caller must remove changed fields from the cache."""
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
