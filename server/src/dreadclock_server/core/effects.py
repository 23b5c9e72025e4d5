"""Perform consequences: when a trigger happens, the effects attached to it follow. Source: rules.md E5.

The tables `EFFECTS` in `families/` have a row for every kind of effect, except `tell`, which only writes a text.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dreadclock.rules.limits import MAX_CONSEQUENCE_DEPTH, MAX_CONSEQUENCE_EVENTS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Visibility
from dreadclock.wire.events import SkipReason, StopReason
from dreadclock.wire.families.consequences import TARGETS
from dreadclock.wire.things import Consequence, Does, Effect, FumbleDoes, StandingEffects, Subject, When
from dreadclock.wire.views import View
from dreadclock_server.core.families import joined

if TYPE_CHECKING:
    from dreadclock_server.core.draft import Draft

Reason = SkipReason | None
FIELDS_OF = {does: tuple(f"{kind}s" for kind in kinds) for does, kinds in TARGETS.items()}
"""The fields of a view that may contain the target of an effect, by kind of effect."""


class Happened(NamedTuple):
    """A trigger that just happened.

    `at`: if a countdown reached a stage (a number of dice with a meaning), this number.
    """

    kind: Kind
    id: Id
    when: When
    at: int | None = None


class Fumbled(NamedTuple):
    """A character just suffered a fumble effect, which is a text. `do`: what it does automatically."""

    character_id: Id
    effect: str
    do: tuple[Effect, ...]


class Due(NamedTuple):
    """The effects to perform next. `id`: the consequence that has them; None if a fumble effect has them.

    `happened`: the event that is written to `channel` before the first effect.
    """

    id: Id | None
    channel: Channel
    do: tuple[Effect, ...]
    happened: e.ConsequenceHappened


def names_public(view: View, effect: Effect) -> bool:
    """Tell whether everyone sees the target of an effect."""
    return any(effect.thing_id in getattr(view.public, field) for field in FIELDS_OF[effect.does])


class EffectRow(NamedTuple):
    """The rules of one kind of effect, as functions. Their last argument is the effect's target, or None.

    `can_happen`: whether the effect could ever happen; checked when a consequence is attached. `why_not`: the reason
    why it cannot happen now, or None. `do`: makes it happen; returns a reason only if the server lacks dice for its
    roll. `is_public`: whether everyone sees the result; this function gets no target.
    """

    can_happen: Callable[[View, Effect, Any], bool]
    why_not: Callable[[View, Effect, Any], Reason]
    do: Callable[[Draft, Due, Effect, Any], Reason]
    is_public: Callable[[View, Effect], bool] = names_public


Effects = dict[Does, EffectRow]


@cache
def _rows() -> Effects:
    return {Does.TELL: EffectRow(lambda *_: True, lambda *_: None, _tell, lambda *_: False), **joined("EFFECTS")}


def _tell(draft: Draft, due: Due, effect: Effect, _: None) -> None:
    event = e.ConsequenceTold(consequence_id=due.id, text=str(effect.text), effect=due.happened.effect)
    draft.emit(due.channel, event)


def target(view: View, effect: Effect) -> Any:
    """Return the target of an effect; None if the target does not exist, or this kind of effect has none."""
    candidates = (getattr(view, field).get(effect.thing_id) for field in FIELDS_OF.get(effect.does, ()))
    return next((thing for thing in candidates if thing is not None), None)


def is_there(view: View, effect: Effect) -> bool:
    """Tell whether the target of an effect exists. True for a kind of effect without a target."""
    return effect.does not in FIELDS_OF or target(view, effect) is not None


def can_happen(view: View, effect: Effect) -> bool:
    """Tell whether an effect on an existing target could ever happen."""
    return _rows()[effect.does].can_happen(view, effect, target(view, effect))


def why_not(view: View, effect: Effect) -> Reason:
    """Return why an effect cannot happen now; None if it can."""
    if not is_there(view, effect):
        return SkipReason.GONE
    return _rows()[effect.does].why_not(view, effect, target(view, effect))


def unless(holds: bool, otherwise: SkipReason = SkipReason.OVER) -> Reason:
    """Return None if `holds` is true, otherwise the reason `otherwise`."""
    return None if holds else otherwise


def perform(draft: Draft, due: Due, effect: Effect) -> Reason:
    """Perform an effect for which `why_not` is None. Return a reason only if the server lacks dice for its roll."""
    return _rows()[effect.does].do(draft, due, effect, target(draft.view, effect))


def is_public(view: View, effect: Effect) -> bool:
    """Tell whether the events of an effect are public."""
    return _rows()[effect.does].is_public(view, effect)


def hides(view: View, effect: Effect) -> bool:
    """Tell whether an effect names a hidden thing, starts a hidden countdown, or reveals something."""
    if effect.does in FIELDS_OF:
        return not names_public(view, effect)
    starts_hidden = effect.countdown is not None and effect.countdown.visibility is not Visibility.PUBLIC
    return effect.does is Does.REVEAL or starts_hidden


def names_hidden(view: View, consequence: Consequence) -> bool:
    """Tell whether a consequence is attached to a hidden thing, or has an effect for which `hides` is true."""
    of = consequence.of
    return of.id not in getattr(view.public, f"{of.kind}s") or any(hides(view, effect) for effect in consequence.do)


def within(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield the effects inside these effects, at any depth. An effect that gives a thing a fumble effect contains
    effects: what the fumble effect does automatically.
    """
    for effect in effects:
        yield from effect.do or ()
        yield from within(effect.do or ())


def of_fumbles(effects: StandingEffects) -> tuple[Effect, ...]:
    """Return all that the fumble effects of a thing do automatically, with the effects inside these effects."""
    do = tuple(effect for deed in effects.fumble_does for effect in deed.do)
    return (*do, *within(do))


def aimed(does: FumbleDoes, character_id: Id) -> tuple[Effect, ...]:
    """Return what a fumble effect does automatically. An effect on nobody gets the character who fumbled as target."""
    return tuple(
        effect.model_copy(update={"thing_id": character_id}) if effect.is_on_nobody else effect for effect in does.do
    )


# Consequences of a command: performed breadth first


class Depths(NamedTuple):
    """The length of the chain of consequences that led to a trigger: a separate count for each channel.

    A hidden consequence sets the public count to 0, because a public log does not show the chain before it.
    """

    public: int = 0
    gm: int = 0

    def beyond(self, channel: Channel) -> Depths:
        """Return the depths of the triggers that a consequence in this channel causes."""
        return Depths(self.public + 1, self.gm) if channel is Channel.PUBLIC else Depths(0, self.gm + 1)


def apply_effects(draft: Draft) -> None:
    """Perform the consequences of all triggers of a command."""
    if draft.view.consequences or any(type(moment) is Fumbled for moment in draft.moments):
        _Run(draft).go()
    draft.moments.clear()


def _of_fumble(moment: Fumbled) -> Due:
    """Return what a fumble effect does, ready to perform. It is public, because a fumble is. Source: rules.md C26."""
    of = Subject(kind=Kind.CHARACTER, id=moment.character_id)
    return Due(None, Channel.PUBLIC, moment.do, e.ConsequenceHappened(of=of, effect=moment.effect))


class _Run:
    """Performs a command's consequences, each at most once.

    In each channel, no more of them are performed after MAX_CONSEQUENCE_EVENTS events, or after a chain of more than
    MAX_CONSEQUENCE_DEPTH consequences that trigger each other.
    """

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._attached: dict[Id, list[Consequence]] = {}  # by the id of the thing to which they are attached
        for part in draft.view.channels.values():  # the public channel first
            for consequence in part.consequences.values():
                self._attached.setdefault(consequence.of.id, []).append(consequence)
        self._waiting: deque[tuple[Happened | Fumbled, Depths]] = deque()
        self._happened: set[Id] = set()
        self._event_counts: Counter[Channel] = Counter()
        self._stopped: set[Channel] = set()

    def go(self) -> None:
        """Perform the consequences of all waiting triggers, in order, and of the triggers that these cause."""
        self._take_in(Depths())
        while self._waiting:
            moment, depths = self._waiting.popleft()
            if isinstance(moment, Fumbled):
                self._add(_of_fumble(moment), depths)
            else:
                self._add_attached(moment, depths)
            if not self._waiting:
                self._read_hidden()

    def _add_attached(self, moment: Happened, depths: Depths) -> None:
        for consequence in self._attached.get(moment.id, ()):
            of, when = consequence.of, consequence.when
            if consequence.id not in self._happened and moment == (of.kind, of.id, when.when, when.at):
                happened = e.ConsequenceHappened(consequence_id=consequence.id, of=of, when=when)
                self._add(Due(consequence.id, consequence.channel, consequence.do, happened), depths)

    def _take_in(self, depths: Depths) -> None:
        self._waiting.extend((moment, depths) for moment in self._draft.moments)
        self._draft.moments.clear()

    def _read_hidden(self, before: Due | None = None) -> None:
        self._draft.read_hidden(before)
        self._take_in(Depths())

    def _add(self, due: Due, depths: Depths) -> None:
        channel, after = due.channel, depths.beyond(due.channel)
        too_deep = (after.public if channel is Channel.PUBLIC else after.gm) > MAX_CONSEQUENCE_DEPTH
        stops = too_deep or self._event_counts[channel] >= MAX_CONSEQUENCE_EVENTS
        # If a limit stops the consequence, the log has no event of it that a verifier could look for: pass None.
        self._read_hidden(None if stops else due)
        if channel in self._stopped:
            return None
        if due.id is not None:
            self._happened.add(due.id)
        if too_deep:
            return self._stop(channel, StopReason.DEPTH)
        announced: set[Channel] = set()
        for place, effect in enumerate(due.do):
            if self._event_counts[channel] >= MAX_CONSEQUENCE_EVENTS:
                return self._stop(channel, StopReason.EVENTS)
            before = self._count(channel)
            skipped = self._do(due, place, effect, announced)
            self._event_counts[channel] += max(self._count(channel) - before, skipped)  # a skipped effect counts as 1
            self._take_in(after)
        return None

    def _count(self, channel: Channel) -> int:
        """Return how many records count against the event limit of a channel.

        Callers use only the growth of this number.

        For the gm's channel, public records count, too. For the public channel, hidden records do not count.
        """
        room = self._draft.room
        return room.seq(Channel.PUBLIC) + (0 if channel is Channel.PUBLIC else room.seq(channel))

    def _do(self, due: Due, place: int, effect: Effect, announced: set[Channel]) -> bool:
        """Perform an effect, or write why it is skipped. Return whether it was skipped."""
        reason = why_not(self._draft.view, effect)
        if reason is None:
            self._announce(due, effect, announced)
            reason = perform(self._draft, due, effect)
        if reason is not None:
            skipped = e.ConsequenceSkipped(
                consequence_id=due.id, place=place, reason=reason, effect=due.happened.effect
            )
            # If the room has no space left for hidden events, skipped effects of public consequences are not written.
            if due.channel is not Channel.PUBLIC or self._draft.tells_skipped:
                self._draft.emit(Channel.GM, skipped)
        return reason is not None

    def _announce(self, due: Due, effect: Effect, announced: set[Channel]) -> None:
        """Write the consequence's event before its first effect.

        If a hidden consequence has a public effect, also write a public event without details.
        """
        if due.channel not in announced:
            announced.add(due.channel)
            self._draft.emit(due.channel, due.happened)
        if Channel.PUBLIC not in announced and is_public(self._draft.view, effect):
            announced.add(Channel.PUBLIC)
            self._draft.emit(Channel.PUBLIC, e.ConsequenceHappened())

    def _stop(self, channel: Channel, reason: StopReason) -> None:
        self._stopped.add(channel)
        self._draft.emit(channel, e.ConsequencesStopped(reason=reason))
