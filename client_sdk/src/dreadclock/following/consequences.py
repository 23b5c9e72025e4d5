"""What happens by itself because something else did: one batch of it, breadth first. Source: rules.md E5."""

from collections import Counter, deque
from typing import NamedTuple

from dreadclock.following.bringing import Bringing, Due, is_public, perform, why_not
from dreadclock.following.telling import Fumbled, Happened, Telling
from dreadclock.rules.limits import MAX_CONSEQUENCE_DEPTH, MAX_CONSEQUENCE_EVENTS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind
from dreadclock.wire.events import StopReason
from dreadclock.wire.things import Consequence, Effect, Subject


class Depths(NamedTuple):
    """How many consequences of each channel led to a moment; after a hidden one the public count begins again at 0."""

    public: int = 0
    gm: int = 0

    def beyond(self, channel: Channel) -> "Depths":
        """Return the depths of what a consequence of a channel brings."""
        return Depths(self.public + 1, self.gm) if channel is Channel.PUBLIC else Depths(0, self.gm + 1)


def run(t: Telling, by: Bringing) -> None:
    """Bring about what follows from the moments of a command; nothing if nothing is attached to them."""
    if t.moments:
        fumbled = any(isinstance(moment, Fumbled) for moment in t.moments)
        if fumbled or any(part.consequences for part in t.view.channels.values()):
            _Run(t, by).go()
        t.moments.clear()


def _of_fumble(moment: Fumbled) -> Due:
    """Return what a fumble effect does: everyone hears of it, as of the fumble. Source: rules.md C26."""
    of = Subject(kind=Kind.CHARACTER, id=moment.character_id)
    return Due(None, Channel.PUBLIC, moment.do, e.ConsequenceHappened(of=of, effect=moment.effect))


class _Run:
    """One command's consequences: each at most once, 8 deep, 64 events; each channel is counted on its own."""

    def __init__(self, t: Telling, by: Bringing) -> None:
        self._t, self._by = t, by
        self._attached: dict[Id, list[Consequence]] = {}  # by what they are attached to
        for part in t.view.channels.values():  # the public first
            for one in part.consequences.values():
                self._attached.setdefault(one.of.id, []).append(one)
        self._waiting: deque[tuple[Happened | Fumbled, Depths]] = deque()
        self._brought: set[Id] = set()
        self._told: Counter[Channel] = Counter()
        self._stopped: set[Channel] = set()

    def go(self) -> None:
        """Go through the moments in the order in which they came."""
        self._take_in(Depths())
        while self._waiting:
            moment, depths = self._waiting.popleft()
            if isinstance(moment, Fumbled):
                self._bring(_of_fumble(moment), depths)
            else:
                self._bring_attached(moment, depths)
            if not self._waiting:
                self._look_elsewhere()

    def _bring_attached(self, moment: Happened, depths: Depths) -> None:
        for one in self._attached.get(moment.id, ()):
            if one.id not in self._brought and moment == (one.of.kind, one.of.id, one.when.when, one.when.at):
                happened = e.ConsequenceHappened(consequence_id=one.id, of=one.of, when=one.when)
                self._bring(Due(one.id, one.channel, one.do, happened), depths)

    def _take_in(self, depths: Depths) -> None:
        self._waiting.extend((moment, depths) for moment in self._t.moments)
        self._t.moments.clear()

    def _look_elsewhere(self, before: Due | None = None) -> None:
        self._by.elsewhere(before)
        self._take_in(Depths())

    def _bring(self, one: Due, depths: Depths) -> None:
        channel, after = one.channel, depths.beyond(one.channel)
        too_deep = (after.public if channel is Channel.PUBLIC else after.gm) > MAX_CONSEQUENCE_DEPTH
        stops = too_deep or self._told[channel] >= MAX_CONSEQUENCE_EVENTS
        self._look_elsewhere(None if stops else one)  # one that stops is unheard, too, but not because it is skipped
        if channel in self._stopped:
            return None
        if one.id is not None:
            self._brought.add(one.id)
        if too_deep:
            return self._stop(channel, StopReason.DEPTH)
        announced: set[Channel] = set()
        for place, effect in enumerate(one.do):
            if self._told[channel] >= MAX_CONSEQUENCE_EVENTS:
                return self._stop(channel, StopReason.EVENTS)
            before = self._count(channel)
            skipped = self._do(one, place, effect, announced)
            self._told[channel] += max(self._count(channel) - before, skipped)  # a skipped effect counts as 1
            self._take_in(after)
        return None

    def _count(self, channel: Channel) -> int:
        """Return how many records count against the limit of a channel's consequences; only its growth matters.

        A hidden consequence also uses up its own limit by what it does in public. What a public one does to hidden
        things counts against no limit.
        """
        public = self._by.seq(Channel.PUBLIC)
        return public if channel is Channel.PUBLIC else public + self._by.seq(channel)

    def _do(self, one: Due, place: int, effect: Effect, announced: set[Channel]) -> bool:
        """Bring an effect about, or say why it is skipped; tell whether it is."""
        reason = why_not(self._t.view, effect)
        if reason is None:
            self._announce(one, effect, announced)
            reason = perform(self._t, self._by, one, effect)
        if reason is not None:
            skipped = e.ConsequenceSkipped(
                consequence_id=one.id, place=place, reason=reason, effect=one.happened.effect
            )
            # Servers leave it out for a public consequence where a room has no space left for hidden events.
            if one.channel is Channel.PUBLIC:
                self._t.may_emit(Channel.GM, skipped)
            else:
                self._t.emit(Channel.GM, skipped)
        return reason is not None

    def _announce(self, one: Due, effect: Effect, announced: set[Channel]) -> None:
        """Announce a consequence before its first effect; of a hidden one the public hears only that there is one."""
        if one.channel not in announced:
            announced.add(one.channel)
            self._t.emit(one.channel, one.happened)
        if Channel.PUBLIC not in announced and is_public(self._t.view, effect):
            announced.add(Channel.PUBLIC)
            self._t.emit(Channel.PUBLIC, e.ConsequenceHappened())

    def _stop(self, channel: Channel, reason: StopReason) -> None:
        self._stopped.add(channel)
        self._t.emit(channel, e.ConsequencesStopped(reason=reason))
