"""Commands that were taken back: things are as they were before, and nothing else changes. Source: rules.md E3."""

from __future__ import annotations

from collections.abc import Iterator

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader, people_of
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.families.corrections import RESTORED_FIELDS, may_bear_more, rests_on_real_dice
from dreadclock.wire.views import ChannelView

_NEVER = (  # what showed a secret, or was about who is at the table
    *(
        e.RoomOpened,
        e.RoomContinued,
        e.RoomClosed,
        e.RoomReopened,
        e.SeatJoined,
        e.SeatRenamed,
        e.SeatRemoved,
        e.CommandVoided,
    ),
    *(e.SeatLent, e.SeatTakenBack),
    *(e.SealedStarted, e.MadePublic, e.Revealed, e.RequiredRevealed),
)
_OF_DICE = (  # what touched dice or a crisis, unless they were real dice
    *(e.LaneOpened, e.DiceRolled, e.CountdownRolled, e.CountdownRepeated),
    *(e.CheckRolled, e.CheckResolved, e.TotalRolled, e.LuckPushed, e.EffectsOffered, e.EffectHappened, e.TokenEvent),
    *(e.VentureEarned, e.VenturePaid, e.VentureLapsed, e.CrisisDue, e.CrisisSuffered, e.CrisisDescribed),
)
_BESIDE = (e.SealedChanged, e.EditionChanged)  # what a command tells of besides itself


def voided(r: Reader, step: Step, event: e.CommandVoided) -> None:
    """A command is taken back: in each channel, what it changed is as it was, if nothing changed it since."""
    channel = step.record.channel
    if not event.first <= event.last < step.record.seq:
        return r.fault(step, "there are no such records to take back")
    steps = _taken(r, channel, event)
    if len(steps) <= event.last - event.first or r.goes_beyond(channel, event.first, event.last):
        return r.fault(step, "the records that it takes back are not one command")
    _check_giver(r, step, event, steps[0])
    events = [each.record.event for each in steps]
    of_dice = any(isinstance(each, _OF_DICE) or _is_judged(each) for each in events)
    stands = any(isinstance(each, _NEVER) for each in events)
    stands |= of_dice and not rests_on_real_dice(events, steps[0].before)
    r.require(step, not stands, "what touched dice, crises or secrets is never taken back")
    r.require(step, event.physical is of_dice, "whether its dice were physical is not as it says")
    told = [each.record.event for each in steps if not isinstance(each.record.event, _BESIDE)]
    r.require(step, bool(told) and event.what == told[0].type, "it names another sort of event than it takes back")
    r.require(step, r.note_voided(channel, event.first, event.last), "they were taken back before")
    _check_restored(r, step, event, steps[0].before.channels[channel], steps[-1].after.channels[channel])
    return _check_others(r, step, channel)


def _check_giver(r: Reader, step: Step, event: e.CommandVoided, taken: Step) -> None:
    """The gm takes back what anyone did, others what they did or what was done for them.

    Real dice are the gm's, and from those who do not see the gm's channel so is what hidden things may rest on.
    """
    giver = taken.record.acted_for or taken.record.by
    own = giver == (step.record.acted_for or step.record.by) and not event.physical
    if not own or (not _sees_all(step) and may_bear_more(event.what, event.restored)):
        r.allow(step)


def _sees_all(step: Step) -> bool:
    """Tell whether who takes something back sees the gm's channel."""
    seat = step.before.seats.get(step.record.acted_for or step.record.by)
    return seat is not None and (seat.role is Role.GM or Scope.SECRETS in seat.scopes)


def _taken(r: Reader, channel: Channel, event: e.CommandVoided) -> list[Step]:
    """Return the records that are taken back, up to the first that is of another command."""
    steps: list[Step] = []
    for seq in range(event.first, event.last + 1):
        step = r.find(channel, seq)
        if step is None or (steps and _command(step) != _command(steps[0])):
            break
        steps.append(step)
    return steps


def _command(step: Step) -> object:
    return people_of(step), step.record.at


def _is_judged(event: e.Event) -> bool:
    judged = isinstance(event, e.RequiredSet) and event.enough is not None
    return judged or (isinstance(event, e.CheckAdjusted) and any(part.roll for part in event.check.parts))


def _check_restored(r: Reader, step: Step, event: e.CommandVoided, old: ChannelView, new: ChannelView) -> None:
    """Hold what is restored against the state before and after the command that is taken back."""
    now, then = step.before.channels[step.record.channel], step.after.channels[step.record.channel]
    for name, family in _states(old, new, now, then):
        was, became, known, restored = family
        touched = {key for key in {**was, **became} if was.get(key) != became.get(key)}
        stands = all(known.get(key) == became.get(key) for key in touched)
        r.require(step, stands, f"{name} that it takes back changed since")
        expected = {key: each for key, each in known.items() if key not in touched}
        expected |= {key: was[key] for key in touched if key in was}
        r.require(step, restored == expected, f"{name} are not as they were before")
        both = became.keys() & known.keys()
        moved = [key for key in became if key in both] != [key for key in known if key in both]  # by what came since
        placed = [key for key in was if key in restored] == [key for key in restored if key in was]
        back = [key for key in was if key in restored and key not in known]
        said = {place.id: place.after for places in event.restored.places.values() for place in places}
        followed = dict(zip(was, (None, *was), strict=False))
        behind = all(key in said and said[key] == followed[key] for key in back)  # first, if that is gone by now
        r.require(step, moved or placed or behind, f"{name} are not where they were before")


_State = tuple[dict[str, object], ...]


def _states(*parts: ChannelView) -> Iterator[tuple[str, _State]]:
    for name in RESTORED_FIELDS:
        yield name, tuple(getattr(part, name) for part in parts)
    yield "the turn and the house rules", tuple({"turn": part.turn, "policy": part.policy} for part in parts)


def _check_others(r: Reader, step: Step, channel: Channel) -> None:
    """A command that told of something in two channels is taken back in both, by the same one, who sees both.

    What lies between its records is of it, and what follows from the same event as they do.
    """
    event = step.record.event
    if not _sees_all(step):
        return None
    assert isinstance(event, e.CommandVoided)
    for other in r.channels:
        taken = r.beside(channel, event.first, event.last, other)
        told = [each for each in taken if not isinstance(each.record.event, _BESIDE)]
        if other is not channel and told and not r.is_voided(other, told[0].record.seq):
            following = r.take(other, e.CommandVoided)
            if following is not None and isinstance(following.record.event, e.CommandVoided):
                return voided(r, following, following.record.event)
    return None


BEGINNINGS: Beginnings = {e.CommandVoided: voided}
