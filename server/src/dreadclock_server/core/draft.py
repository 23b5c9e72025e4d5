"""A draft collects the events of a command while the command is decided.

Each event is applied to the draft's view at once, so that the code that follows sees the event's effect. The view
changes in place, so code must not use a dictionary of the view any more after it has emitted an event. If a command is
refused half-way, its draft is discarded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from dreadclock.rules.limits import MAX_CHOSEN_IDS
from dreadclock.wire import events as e
from dreadclock.wire.base import (
    Channel,
    DiceToken,
    Faces,
    HiddenKind,
    Id,
    Kind,
    Model,
    Role,
    Scope,
    Value32,
    Visibility,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.contents import FIELDS
from dreadclock.wire.ids import GM_PREFIX, hidden_id, is_server_made, made_id
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane, When
from dreadclock.wire.views import ChannelView
from dreadclock_server.core.effects import Due, Fumbled, Happened
from dreadclock_server.core.forms import NEWEST, Form
from dreadclock_server.core.room import Evolving, Room, Written

# Events that never carry a note. They only announce that a sealed thing (of which players see only the name) has
# started or changed, a lane for dice, or an edition of the rules.
WITHOUT_NOTE = frozenset((e.SealedChanged, e.SealedStarted, e.LaneOpened, e.EditionChanged))
_ALL, _PUBLIC = (Channel.PUBLIC, Channel.GM), (Channel.PUBLIC,)


class Topic(NamedTuple):
    """The thing whose visibility decides who receives an event: a countdown, clock, scene, ..., or a character."""

    kind: HiddenKind
    id: Id
    name: str
    visibility: Visibility

    @property
    def channel(self) -> Channel:
        """The channel of its events."""
        return channel_of(self.visibility)


def channel_of(visibility: Visibility) -> Channel:
    """Return the channel of a thing's events."""
    return Channel.PUBLIC if visibility is Visibility.PUBLIC else Channel.GM


@dataclass(frozen=True, slots=True)
class Actor:
    """A seat and its rights: the sender of a command, or the player for whom it is sent."""

    seat_id: Id
    role: Role
    scopes: tuple[Scope, ...] = ()
    channels: tuple[Channel, ...] = field(init=False, compare=False, repr=False)  # the channels that this seat may see

    def __post_init__(self) -> None:
        """Cache the visible channels, because every command needs them."""
        sees_all = self.role is Role.GM or Scope.SECRETS in self.scopes
        object.__setattr__(self, "channels", _ALL if sees_all else _PUBLIC)

    def may(self, scope: Scope) -> bool:
        """Tell whether this seat has a scope. The gm has all scopes."""
        return self.role is Role.GM or scope in self.scopes


class Slot(Protocol):
    """The n-th roll of a lane. A lane is a series of rolls whose faces a seat and the server fixed in advance."""

    n: int
    taken: int  # draws so far

    @property
    def key(self) -> str:
        """Return the key from which the slot's faces are computed, as base64url."""

    def take(self, count: int) -> Faces:
        """Return the next `count` faces."""


class CarriesNote(Protocol):
    """A command that may have a note."""

    @property
    def note(self) -> str | None:
        """The note. `Draft.finish` stores it on one of the command's events."""


class Dice(Protocol):
    """The server's secrets for dice, from which faces are computed.

    In a lane with tokens, the seat has a secret token for each slot, and published their anchor, a hash, in advance.
    """

    def key(self, label: str, anchor: Value32 | None) -> str:
        """Return the key that commits the server to a lane, as base64url. `anchor`: None for a lane without tokens.

        Raises Refused(dice_lost) if the room's secret is lost.
        """

    def slot(self, lane: Lane, n: int, token: Value32 | None) -> Slot:
        """Open slot `n` of a lane, which must be its next slot. `token`: None for a lane without tokens.

        Raises Refused(dice_lost) if the room's secret is lost.
        """


class Draft:
    """The events of a command, and the room after them."""

    keeps_undo = True  # whether the command is recorded in the undo log
    has_hidden_things = True  # False where a verifier has only the public channel

    def __init__(
        self,
        room: Room,
        sender: Actor,
        by: Actor,
        dice: Dice,
        now_ms: int,
        fresh: Callable[[], str],
        *,
        tells_skipped: bool = True,
        form: Form = NEWEST,
    ) -> None:
        """Start without events. `by`: the actor whose rights count: `sender`, or the player for whom `sender` acts."""
        self.before, self.room = room, Evolving(room)
        self.view = self.room.view  # the view of all channels, after the events so far
        self.sender, self.by, self.dice, self.now_ms, self._fresh = sender, by, dice, now_ms, fresh
        self._acted_for, self.tells_skipped = None if by is sender else by.seat_id, tells_skipped
        self.form = form
        self.slots: dict[str, Slot] = {}  # by lane: the slot from which this command draws
        self.token: DiceToken | None = None  # the command's slot and token, once checked
        self.moments: list[Happened | Fumbled] = []
        self._records: list[Record] = []
        self._notified: set[Id] = set()

    @property
    def maker(self) -> Id | None:
        """The seat whose text limit counts for the things that this command makes.

        None for the gm, who has no limit. None also for the forms of older servers, which did not store who made a
        thing.
        """
        return None if self.by.role is Role.GM or not self.form.names_makers else self.by.seat_id

    def part(self, channel: Channel) -> ChannelView:
        """Return the view of a channel."""
        return self.view.channels[channel]

    def emit(self, channel: Channel, event: e.Event) -> None:
        """Add an event to a channel."""
        by, acted_for = self.sender.seat_id, self._acted_for
        self._records.append(self.room.next_record(channel, event, by=by, acted_for=acted_for, now_ms=self.now_ms))
        self.room.take(channel, event)

    def happened(self, kind: Kind, thing_id: Id, when: When, at: int | None = None) -> None:
        """Note a trigger. Its effects follow after all other events of the command. Source: rules.md E5."""
        self.moments.append(Happened(kind, thing_id, when, at))

    def read_hidden(self, before: Due | None) -> None:
        """Do nothing.

        The verifier of a public log overrides this method to read the public events of hidden consequences from the
        log.

        `before`: the effects that come next; None if no others come.
        """

    def tell(self, topic: Topic, event: e.Event) -> None:
        """Add an event to the channel of its thing. For a sealed thing, also add a public event that it changed."""
        self.emit(channel_of(topic.visibility), event)
        if topic.visibility is Visibility.SEALED:
            self.notify_sealed_changed(topic)

    def notify_sealed_changed(self, topic: Topic) -> None:
        """Add a public event that a sealed thing changed, once per command.

        The event is also written if nothing changed: a missing event could reveal the thing's hidden values. Does
        nothing for a thing that is not sealed.
        """
        if topic.visibility is Visibility.SEALED and topic.id not in self._notified:
            self._notified.add(topic.id)
            self.emit(Channel.PUBLIC, e.SealedChanged(kind=topic.kind, id=topic.id, name=topic.name))

    def new_id(self, kind: Kind, chosen: Id | None, *, public: bool = True) -> Id:
        """Return the id of a new thing. `public`: whether everyone sees that the thing exists.

        Raises Refused if the chosen id was used before, has the form of a server-made id, or does not fit `public`:
        ids start with `gm-` if and only if only the gm knows the thing. Also raises Refused for a chosen id if the
        limit of chosen ids is reached.
        """
        channel = Channel.PUBLIC if public else Channel.GM
        part = self.part(channel)
        if chosen is None:
            return made_id(kind, part.made.get(kind, 0) + 1) if public else hidden_id(kind, self._fresh())
        if is_server_made(chosen):
            raise Refused(Code.ID_RESERVED, id=chosen, kept_for="the server")
        if chosen.startswith(GM_PREFIX) == public:
            kept_for = "things that only the gm knows" if public else "what everyone knows: start it with gm-"
            raise Refused(Code.ID_RESERVED, id=chosen, kept_for=kept_for)
        if chosen in part.taken:
            raise Refused(Code.ID_TAKEN, id=chosen)
        if len(part.taken) >= MAX_CHOSEN_IDS:
            raise Refused(Code.TOO_MANY, limit=MAX_CHOSEN_IDS, what="chosen ids")
        return chosen

    @property
    def is_empty(self) -> bool:
        """Whether the command did nothing. A change of the edition alone does not count."""
        return {type(record.event) for record in self._records} <= {e.EditionChanged}

    def finish(self, command: CarriesNote) -> list[Written]:
        """Write the records, with the command's note on an event that the sender sees.

        A note on something hidden goes to an event of the gm's channel, any other note to a public event. If that
        channel has no event for it, the note goes to the other channel. If no event can carry the note, the note
        becomes a `narrated` event. Source: rules.md E8.
        """
        if command.note is not None:
            place = self._place_of_note(command)
            if place is None:
                self.emit(self._channel_of_note(command), e.Narrated(text=command.note))
            else:
                record = self._records[place]
                noted = record.event.model_copy(update={"note": command.note})
                self._records[place] = record.model_copy(update={"event": noted})
        return self.room.write(self._records)

    def _place_of_note(self, command: CarriesNote) -> int | None:
        places = [i for i, record in enumerate(self._records) if type(record.event) not in WITHOUT_NOTE]
        seen = [i for i in places if self._records[i].channel in self.by.channels]
        hidden = [i for i in seen if self._records[i].channel is not Channel.PUBLIC]
        public = [i for i in seen if self._records[i].channel is Channel.PUBLIC]
        first = (hidden or public) if self._channel_of_note(command) is Channel.GM else (public or hidden)
        return next(iter(first), None)

    def _channel_of_note(self, command: object) -> Channel:
        """Return the channel for a command's note.

        This is the gm's channel if the command is about something hidden and the sender sees that channel. Otherwise
        it is the public channel.
        """
        about_hidden = is_about_hidden(self.before.view.channels[Channel.GM], command)
        return Channel.GM if about_hidden and Channel.GM in self.by.channels else Channel.PUBLIC


def is_about_hidden(part: ChannelView, said: object) -> bool:
    """Tell whether a command, or a model inside it, names a hidden thing, or starts or sets something hidden.

    `part`: the view of the gm's channel.
    """
    if not isinstance(said, Model):
        return False
    if getattr(said, "visibility", Visibility.PUBLIC) is not Visibility.PUBLIC or getattr(said, "secret", False):
        return True
    if getattr(said, "channel", Channel.PUBLIC) is not Channel.PUBLIC:
        return True
    named = [value for name, value in said if name.endswith("_id")]
    return any(value in getattr(part, field) for value in named for field in FIELDS) or any(
        is_about_hidden(part, value) for _, value in said
    )
