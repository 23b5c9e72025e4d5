"""How characters leave play and come back, and their states and tracks: what begins with each. C24 and E6."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_place, check_text
from dreadclock.following.telling import root_of_character
from dreadclock.rules.limits import MAX_ON_SHEET
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Scope
from dreadclock.wire.things import Character, CharacterStatus


def _one(r: Reader, step: Step, character_id: Id) -> Character | None:
    """Return the character that an event is about, which lies where that is told."""
    one = step.before.characters.get(character_id)
    if one is None:
        r.fault(step, "there is no such character")
    else:
        check_place(r, step, root_of_character(one))
    return one


def left_play(r: Reader, step: Step, event: e.CharacterDied | e.CharacterRetired | e.CharacterLeft) -> None:
    """The gm says that a character in play is no longer, or a countdown ended that everyone else knows nothing of.

    Such a countdown may be rolled by an integration that ends turns, or by a consequence. Source: rules.md E6 and A9.
    """
    r.allow(step, hidden=event.reason is None)
    one = _one(r, step, event.character_id)
    r.require(step, one is None or one.status is CharacterStatus.IN_PLAY, "it is out of play")


def returned(r: Reader, step: Step, event: e.CharacterReturned) -> None:
    """The gm brings somebody back who left. Source: rules.md E6."""
    r.allow(step)
    one = _one(r, step, event.character_id)
    r.require(step, one is None or one.status is CharacterStatus.LEFT, "it has not left")


def state_gained(r: Reader, step: Step, event: e.StateGained) -> None:
    """A character comes into a state that it is not in. Source: rules.md C24."""
    one = _one(r, step, event.character_id)
    if one is not None:
        r.allow(step, one.owner, scopes=(Scope.CHARACTERS,))
        r.require(step, event.state not in one.states, "it is in that state already")
        check_text(r, step)
        r.same(step, event, event.model_copy(update={"states": (*one.states, event.state)}))


def state_lost(r: Reader, step: Step, event: e.StateLost) -> None:
    """A state is over. Source: rules.md C24."""
    one = _one(r, step, event.character_id)
    if one is not None:
        r.allow(step, one.owner, scopes=(Scope.CHARACTERS,))
        r.require(step, event.state in one.states, "it is not in that state")
        left = tuple(each for each in one.states if each != event.state)
        r.same(step, event, event.model_copy(update={"states": left}))


def track_changed(r: Reader, step: Step, event: e.TrackSet | e.TrackMoved | e.TrackDropped) -> None:
    """A track is given, set anew, moved within its bounds, or taken away. Source: rules.md C24."""
    one = _one(r, step, event.character_id)
    if one is None:
        return None
    r.allow(step, one.owner, scopes=(Scope.CHARACTERS,))
    before = one.tracks.get(event.track)
    if isinstance(event, e.TrackSet):
        r.require(step, event.value <= event.most, "it stands beyond its maximum")
        r.require(step, before is not None or len(one.tracks) < MAX_ON_SHEET, "it has too many tracks")
        check_text(r, step)
        changes = before is None or (before.value, before.most) != (event.value, event.most)
        return r.require(step, changes, "it changes nothing")
    if before is None:
        return r.fault(step, "it has no such track")
    if isinstance(event, e.TrackMoved):
        r.require(step, event.value <= before.most, "it stands beyond its maximum")
        r.require(step, event.value != before.value, "it changes nothing")
    return None


BEGINNINGS: Beginnings = {
    e.CharacterDied: left_play,
    e.CharacterRetired: left_play,
    e.CharacterLeft: left_play,
    e.CharacterReturned: returned,
    e.StateGained: state_gained,
    e.StateLost: state_lost,
    e.TrackSet: track_changed,
    e.TrackMoved: track_changed,
    e.TrackDropped: track_changed,
}
