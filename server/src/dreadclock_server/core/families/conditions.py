"""How characters leave play and come back, and their states and tracks. Source: rules.md C24 and E6."""

from dreadclock.following import characters
from dreadclock.following.telling import root_of_character
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_LEFT, MAX_ON_SHEET
from dreadclock.wire import events as e
from dreadclock.wire.commands import (
    DropState,
    DropTrack,
    GiveState,
    MoveTrack,
    ReturnToPlay,
    SetTrack,
    TakeOutOfPlay,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, CharacterStatus, Track
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft


def take_out_of_play(draft: Draft, command: TakeOutOfPlay) -> None:
    """Decide `take_out_of_play`."""
    one = find.character(draft, command.character_id)
    if one.status is CharacterStatus.LEFT:
        raise Refused(Code.HAS_LEFT, id=one.id)
    if one.status is not CharacterStatus.IN_PLAY:
        raise Refused(Code.GONE_FOR_GOOD, id=one.id, status=one.status)
    if not characters.may_leave(draft.view, one.id, command.fate):
        raise Refused(Code.TOO_MANY, limit=MAX_LEFT, what="characters who left and may come back")
    characters.leave_play(draft, one.id, command.fate, command.reason)


def return_to_play(draft: Draft, command: ReturnToPlay) -> None:
    """Decide `return_to_play`: only who left comes back."""
    one = find.character(draft, command.character_id)
    if one.status is CharacterStatus.IN_PLAY:
        raise Refused(Code.HAS_NOT_LEFT, id=one.id)
    if one.status is not CharacterStatus.LEFT:
        raise Refused(Code.GONE_FOR_GOOD, id=one.id, status=one.status)
    if characters.counted(draft.view, one.visibility) >= MAX_CHARACTERS:
        raise Refused(Code.TOO_MANY, limit=MAX_CHARACTERS, what="characters in play")
    characters.return_to_play(draft, one.id, command.reason)


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
    TakeOutOfPlay: take_out_of_play,
    ReturnToPlay: return_to_play,
    GiveState: give_state,
    DropState: drop_state,
    SetTrack: set_track,
    MoveTrack: move_track,
    DropTrack: drop_track,
}
