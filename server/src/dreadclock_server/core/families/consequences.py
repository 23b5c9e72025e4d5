"""Consequences: attached, taken away, and brought about by what a command does. Source: rules.md E5."""

from collections.abc import Iterable

from dreadclock.following import attaching, consequences
from dreadclock.following.bringing import Due
from dreadclock.following.countdowns import pool_of
from dreadclock.following.telling import root_of_countdown
from dreadclock.rules.limits import MAX_CONSEQUENCE_BYTES, MAX_CONSEQUENCES
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, Kind, Role, RollProof, Visibility
from dreadclock.wire.commands import AttachConsequence, DetachConsequence, RollingCommand, StartCountdown
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.consequences import TARGETS, OwnVisibility, is_over
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import Consequence, Countdown, Effect, Moment, NewCountdown, Subject, When
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families import countdowns
from dreadclock_server.core.rights import Rights, Who, only
from dreadclock_server.core.throwing import throw

RIGHTS: Rights = {
    AttachConsequence: only(Who.GM),
    DetachConsequence: only(Who.GM),
}


def attach_consequence(draft: Draft, command: AttachConsequence) -> None:
    """Decide `attach_consequence`; those whose moment can never come any more make room for it."""
    _require_moment(draft, command)
    for effect in command.do:
        _require_possible(draft, effect)
    require_of_fumbles(draft, attaching.within(command.do))
    known = command.visibility is Visibility.PUBLIC
    one = Consequence(
        id=draft.new_id(Kind.CONSEQUENCE, command.id, known=known),
        of=command.of,
        when=command.when,
        do=tuple(effect.stored() for effect in command.do),
        visibility=command.visibility,
    )
    if known and attaching.names_hidden(draft.view, one):
        raise Refused(Code.SECRET_NAMED)
    dropped = attaching.dropped(draft.view, one.channel)
    stay = [each for key, each in draft.part(one.channel).consequences.items() if key not in dropped]
    if len(stay) >= MAX_CONSEQUENCES:
        raise Refused(Code.TOO_MANY, limit=MAX_CONSEQUENCES, what="consequences")
    if sum(len(each.model_dump_json(exclude_none=True)) for each in (*stay, one)) > MAX_CONSEQUENCE_BYTES:
        raise Refused(Code.TOO_MANY, limit=MAX_CONSEQUENCE_BYTES, what="bytes of consequences")
    draft.emit(one.channel, e.ConsequenceAttached(consequence=one, dropped=dropped))


def _require_moment(draft: Draft, command: AttachConsequence) -> None:
    of, when = command.of, command.when
    find.find(draft, f"{of.kind}s", of.kind, of.id)
    if is_over(draft.view, of):
        raise Refused(Code.ENDED, kind=of.kind, id=of.id, status=_status(draft, of))
    if not attaching.has_moment(draft.view, of, when):
        raise Refused(Code.NO_SUCH_MOMENT, kind=of.kind, id=of.id)


def _status(draft: Draft, of: Subject) -> str:
    return str(getattr(getattr(draft.view, f"{of.kind}s").get(of.id), "status", "closed"))


def _require_possible(draft: Draft, effect: Effect) -> None:
    if not attaching.is_there(draft.view, effect):
        [kind, *more] = TARGETS[effect.does]
        if more:
            raise Refused(Code.UNKNOWN, kind="character, scene or situation", id=str(effect.thing_id))
        raise Refused(Code.UNKNOWN, kind=kind, id=str(effect.thing_id))
    if not attaching.can_happen(draft.view, effect):
        named = effect.countdown.name if effect.countdown is not None else str(effect.thing_id)
        raise Refused(Code.NEVER_HAPPENS, id=named)


def require_of_fumbles(draft: Draft, effects: Iterable[Effect]) -> None:
    """Raise Refused if a fumble effect may not do one of these: it could never happen, or names what is hidden. C26."""
    for effect in effects:
        if not effect.is_on_nobody:
            _require_possible(draft, effect)
            if attaching.hides(draft.view, effect):
                raise Refused(Code.SECRET_NAMED)


def start_countdown(draft: Draft, command: StartCountdown) -> None:
    """Decide `start_countdown`; what its start stage does is known to whoever sees it whole. Source: rules.md A3."""
    one = countdowns.start(draft, command)
    if command.at_start is None:
        return
    if draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    of, when = Subject(kind=Kind.COUNTDOWN, id=one.id), Moment(when=When.STAGE, at=one.pool)
    visibility: OwnVisibility = Visibility.PUBLIC if one.visibility is Visibility.PUBLIC else Visibility.GM
    attach_consequence(draft, AttachConsequence(of=of, when=when, do=command.at_start, visibility=visibility))


def detach_consequence(draft: Draft, command: DetachConsequence) -> None:
    """Decide `detach_consequence`."""
    channel, _ = find.find(draft, "consequences", Kind.CONSEQUENCE, command.consequence_id)
    draft.emit(channel, e.ConsequenceDetached(consequence_id=command.consequence_id))


def bring(draft: Draft) -> None:
    """Bring about what follows by itself from what a command did."""
    if draft.moments:
        consequences.run(draft, BringingInDraft(draft))


class BringingInDraft:
    """Rolls and starts what consequences bring about."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def seq(self, channel: Channel) -> int:
        """Return the number of the last record."""
        return self._draft.room.seq(channel)

    def throw(self, countdown: Countdown) -> tuple[Faces, RollProof | None] | None:
        """Return the server's dice, from the command's slot if it has one; None if there are none.

        A command rolls a hidden countdown once: what is shown of its rolls later does not say which shared a slot.
        """
        if lane_of_thing(Kind.COUNTDOWN, countdown.id) in self._draft.slots:
            return None
        try:
            return throw(self._draft, countdown.pool, RollingCommand(), root_of_countdown(countdown))
        except Refused:
            return None

    def start(self, new: NewCountdown) -> None:
        """Start a countdown, whose owner is as the gm said; whoever set it off need not see what it names."""
        pool = pool_of(self._draft.view, new)
        assert pool is not None, "it may start"
        countdowns.begin(self._draft, new, new.owner, pool)

    def elsewhere(self, before: Due | None) -> None:
        """Ask the draft, which may be of a log that does not show all."""
        self._draft.elsewhere(before)


DECIDE: Deciders = {
    StartCountdown: start_countdown,
    AttachConsequence: attach_consequence,
    DetachConsequence: detach_consequence,
}
