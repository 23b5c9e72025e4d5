"""Views: what one viewer sees of a room, channel by channel. A channel is a sequence of records: `public` or the gm's.

Views are immutable. Callers must not change a view's dictionaries, because other readers share them.
"""

from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Count, Edition, Id, Model, Name
from dreadclock.wire.records import Record


class ChannelView(Model):
    """The state of a channel, computed from its records alone.

    Dictionaries are in the order in which things were started. A check or total that ends moves to the last place of
    its dictionary. The view drops all but the latest ended things.
    """

    title: Name | None = None
    closed: bool = False
    edition: Edition = 1  # the edition of the rules that applies now
    policy: t.Policy = t.Policy()
    turn: Count = 1
    seats: dict[Id, t.Seat] = Field(default_factory=dict)
    characters: dict[Id, t.Character] = Field(default_factory=dict)
    countdowns: dict[Id, t.Countdown] = Field(default_factory=dict)
    clocks: dict[Id, t.Clock] = Field(default_factory=dict)
    scenes: dict[Id, t.Scene] = Field(default_factory=dict)
    situations: dict[Id, t.Situation] = Field(default_factory=dict)
    challenges: dict[Id, t.Challenge] = Field(default_factory=dict)
    efforts: dict[Id, t.Effort] = Field(default_factory=dict)
    sealed: dict[Id, t.Sealed] = Field(default_factory=dict)
    rolls: dict[Id, t.Roll] = Field(default_factory=dict)
    checks: dict[Id, t.Check] = Field(default_factory=dict)
    totals: dict[Id, t.Total] = Field(default_factory=dict)
    secrets: dict[Id, t.SecretRequired] = Field(default_factory=dict)  # by the id of a total
    consequences: dict[Id, t.Consequence] = Field(default_factory=dict)
    lanes: dict[str, t.Lane] = Field(default_factory=dict)
    # For each seat that showed dice tokens: the number of its latest token, counted over all seats from 1.
    shown: dict[Id, Count] = Field(default_factory=dict)
    made: dict[str, Count] = Field(default_factory=dict)  # how many things were started, by kind; dice tokens, too
    taken: tuple[Id, ...] = ()  # ids that commands chose, in the order taken
    recent: tuple[Record, ...] = ()  # the latest records, oldest first


_Thing = TypeVar("_Thing")
_Merged = dict[str, dict[str, Any]]  # for each field, its things by id


class _OfAllChannels(Generic[_Thing]):
    """A property that merges a field of all channels into one dictionary by id. The result is cached.

    Things are in the order of channels. Only countdowns are in the order of their starts.
    """

    def __set_name__(self, _: object, field: str) -> None:
        self._field = field

    def __get__(self, view: Any, _: object) -> dict[str, _Thing]:
        if view is None:  # accessed on the class
            return self  # type: ignore[return-value]
        cached: _Merged
        try:
            cached = _cache.__get__(view)
        except AttributeError:
            cached = {}
            _cache.__set__(view, cached)
        if self._field not in cached:
            merged: dict[str, Any] = {}
            for part in view.channels.values():
                merged |= getattr(part, self._field)
            if self._field == "countdowns":
                merged = {countdown.id: countdown for countdown in sorted(merged.values(), key=attrgetter("started"))}
            cached[self._field] = merged
        return cached[self._field]


class View(Model):
    """What a viewer sees: the state of each channel that the viewer may see."""

    # A cache of merged fields, unset until first use. It is a slot, because copying, pickling and comparing models
    # ignore slots.
    __slots__ = ("_merged",)

    channels: dict[Channel, ChannelView]

    # The things that this viewer sees, by id. The view has only the latest of the ended things.
    characters: ClassVar[_OfAllChannels[t.Character]] = _OfAllChannels()
    countdowns: ClassVar[_OfAllChannels[t.Countdown]] = _OfAllChannels()  # in the order of their starts
    clocks: ClassVar[_OfAllChannels[t.Clock]] = _OfAllChannels()
    scenes: ClassVar[_OfAllChannels[t.Scene]] = _OfAllChannels()
    situations: ClassVar[_OfAllChannels[t.Situation]] = _OfAllChannels()
    challenges: ClassVar[_OfAllChannels[t.Challenge]] = _OfAllChannels()
    efforts: ClassVar[_OfAllChannels[t.Effort]] = _OfAllChannels()  # only efforts that wait for a ruling
    rolls: ClassVar[_OfAllChannels[t.Roll]] = _OfAllChannels()  # rolls outside of countdowns, checks and totals
    checks: ClassVar[_OfAllChannels[t.Check]] = _OfAllChannels()
    consequences: ClassVar[_OfAllChannels[t.Consequence]] = _OfAllChannels()

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
    def policy(self) -> t.Policy:
        """The house rules."""
        return self.channels[Channel.PUBLIC].policy

    @property
    def turn(self) -> int:
        """The number of the current turn, from 1."""
        return self.channels[Channel.PUBLIC].turn

    @property
    def seats(self) -> dict[str, t.Seat]:
        """The seats at the table by id."""
        return self.channels[Channel.PUBLIC].seats

    @property
    def sealed(self) -> dict[str, t.Sealed]:
        """The sealed things whose content this viewer does not see."""
        return self.public.sealed if self.gm is None else {}

    @property
    def totals(self) -> dict[str, t.Total]:
        """The totals by id: all open totals, and the latest ended totals."""
        return self.channels[Channel.PUBLIC].totals

    @property
    def secrets(self) -> dict[str, t.SecretRequired]:
        """The numbers that totals must reach and only the gm sees, by the id of the total; empty for other viewers."""
        return self.gm.secrets if self.gm is not None else {}


_cache: Any = View.__dict__["_merged"]  # the slot's descriptor: `setattr` would fail, and `getattr` is slow


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
