"""States of characters (such as exhausted) and tracks (such as hits). Source: rules.md C24."""

from typing import Annotated, Literal

from pydantic import Field

from dreadclock.rules.limits import MAX_CLOCK
from dreadclock.wire.base import ChosenName, ClockSize, Id, Model, Name, Points
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, sets, updated


class Track(Model):
    """A number of a character that goes up and down: hits, wits, arrows."""

    value: Points
    most: ClockSize


# Commands


class GiveState(CommandBase):
    """Give a character a state, such as "exhausted" or "on the ledge"."""

    type: Literal["give_state"] = "give_state"
    character_id: Id
    state: ChosenName


class DropState(CommandBase):
    """End a state of a character."""

    type: Literal["drop_state"] = "drop_state"
    character_id: Id
    state: Name


class SetTrack(CommandBase):
    """Give a character a track (a number such as hits), or replace a track of the same name."""

    type: Literal["set_track"] = "set_track"
    character_id: Id
    track: ChosenName
    most: ClockSize
    value: Points | None = None


class MoveTrack(CommandBase):
    """Move a track of a character up, or down if `by` is negative."""

    type: Literal["move_track"] = "move_track"
    character_id: Id
    track: Name
    by: Annotated[int, Field(ge=-MAX_CLOCK, le=MAX_CLOCK)]


class DropTrack(CommandBase):
    """Remove a track from a character."""

    type: Literal["drop_track"] = "drop_track"
    character_id: Id
    track: Name


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class StateGained(EventBase):
    """A character got a state. `states`: all states of the character now."""

    type: Literal["state_gained"] = "state_gained"
    character_id: Id
    state: Name
    states: tuple[Name, ...]


class StateLost(EventBase):
    """A state of a character ended. `states`: the remaining states of the character."""

    type: Literal["state_lost"] = "state_lost"
    character_id: Id
    state: Name
    states: tuple[Name, ...]


class TrackSet(EventBase):
    """A character got a new track, or an existing track got other numbers. `most`: the maximum of `value`."""

    type: Literal["track_set"] = "track_set"
    character_id: Id
    track: Name
    value: Points
    most: ClockSize


class TrackMoved(EventBase):
    """A track of a character moved to `value`."""

    type: Literal["track_moved"] = "track_moved"
    character_id: Id
    track: Name
    value: Points


class TrackDropped(EventBase):
    """A character no longer has a track."""

    type: Literal["track_dropped"] = "track_dropped"
    character_id: Id
    track: Name


# How these events change a view


def _with_track(part: ViewPart, character_id: Id, name: Name, track: Track | None) -> Changes:
    """Add, replace or remove (None) a track of a character. Tracks are sorted by name."""
    tracks = {key: track for key, track in part.characters[character_id].tracks.items() if key != name}
    if track is not None:
        tracks[name] = track
    return [updated(part, "characters", character_id, tracks=dict(sorted(tracks.items())))]


def _moved(part: ViewPart, event: TrackMoved) -> Changes:
    track = part.characters[event.character_id].tracks[event.track].model_copy(update={"value": event.value})
    return _with_track(part, event.character_id, event.track, track)


FOLDS: dict[type[EventBase], Fold] = {
    StateGained: sets("characters", "states"),
    StateLost: sets("characters", "states"),
    TrackSet: lambda part, event: _with_track(
        part, event.character_id, event.track, Track(value=event.value, most=event.most)
    ),
    TrackMoved: _moved,
    TrackDropped: lambda part, event: _with_track(part, event.character_id, event.track, None),
}
