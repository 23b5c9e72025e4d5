"""States and tracks of characters. Source: rules.md E6."""

from dreadclock.following import characters
from dreadclock.following.telling import root_of_character
from dreadclock.rules.limits import MAX_ON_SHEET
from dreadclock.wire import events as e
from dreadclock.wire.commands import (
    DropState,
    DropTrack,
    GiveState,
    MoveTrack,
    SetTrack,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, Track
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft


def give_state(draft: Draft, command: GiveState) -> None:
    """Decide `give_state`; a state is not given twice."""
    one = find.character(draft, command.character_id)
    if command.state in one.states:
        raise Refused(Code.STATE_HELD, id=one.id, state=command.state)
    if len(one.states) >= MAX_ON_SHEET:
        raise Refused(Code.TOO_MANY, limit=MAX_ON_SHEET, what="states of this character")
    characters.give_state(draft, one.id, command.state)


def drop_state(draft: Draft, command: DropState) -> None:
    """Decide `drop_state`."""
    one = find.character(draft, command.character_id)
    if command.state not in one.states:
        raise Refused(Code.NOT_ON_SHEET, id=one.id, kind="state", name=command.state)
    characters.drop_state(draft, one.id, command.state)


def set_track(draft: Draft, command: SetTrack) -> None:
    """Decide `set_track`."""
    one = find.character(draft, command.character_id)
    value = command.most if command.value is None else command.value
    track = _within(one, command.track, value, command.most)
    if command.track not in one.tracks and len(one.tracks) >= MAX_ON_SHEET:
        raise Refused(Code.TOO_MANY, limit=MAX_ON_SHEET, what="tracks of this character")
    if one.tracks.get(command.track) != track:
        told = e.TrackSet(character_id=one.id, track=command.track, value=track.value, most=track.most)
        draft.tell(root_of_character(one), told)


def move_track(draft: Draft, command: MoveTrack) -> None:
    """Decide `move_track`: nobody pays with what is not there."""
    one = find.character(draft, command.character_id)
    before = _track(one, command.track)
    _within(one, command.track, before.value + command.by, before.most)
    characters.move_track(draft, one.id, command.track, command.by)


def drop_track(draft: Draft, command: DropTrack) -> None:
    """Decide `drop_track`."""
    one = find.character(draft, command.character_id)
    _track(one, command.track)
    draft.tell(root_of_character(one), e.TrackDropped(character_id=one.id, track=command.track))


def _track(one: Character, name: str) -> Track:
    if name not in one.tracks:
        raise Refused(Code.NOT_ON_SHEET, id=one.id, kind="track", name=name)
    return one.tracks[name]


def _within(one: Character, name: str, value: int, most: int) -> Track:
    """Return a track at a value. Raises Refused(beyond_track) if it does not go as far."""
    if not 0 <= value <= most:
        raise Refused(Code.BEYOND_TRACK, id=one.id, track=name, most=most, value=value)
    return Track(value=value, most=most)


DECIDE: Deciders = {
    GiveState: give_state,
    DropState: drop_state,
    SetTrack: set_track,
    MoveTrack: move_track,
    DropTrack: drop_track,
}
