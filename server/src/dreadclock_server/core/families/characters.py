"""Characters: their sheets, and how they leave play and come back.

A state is a text, such as "exhausted". A track is a number from 0 to a maximum, such as arrows. A crisis is lasting
harm, and fills a box on the sheet.
"""

from collections.abc import Mapping

from dreadclock.rules.limits import MAX_LEFT, MAX_ON_SHEET
from dreadclock.rules.total import BOXES, Fate, fate
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Name, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.characters import changes_of, waits
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.things import Character, CharacterStatus, Crisis, Does, Effect, Sheet, Sheets, Track
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, channel_of
from dreadclock_server.core.effects import Due, EffectRow, Effects, Reason, unless
from dreadclock_server.core.families import secrets
from dreadclock_server.core.families.ventures import recount
from dreadclock_server.core.find import given, owner_for, topic_of_character
from dreadclock_server.core.invariants import refuse_too_many
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    c.AddCharacter: only(Who.GM, Who.PLAYER, Who.CHARACTERS),
    c.UpdateCharacter: owned(find.named_character, Who.CHARACTERS),
    c.ApproveSheet: only(Who.GM),
    c.TakeOutOfPlay: only(Who.GM),
    c.ReturnToPlay: only(Who.GM),
    c.GiveState: owned(find.named_character, Who.CHARACTERS),
    c.DropState: owned(find.named_character, Who.CHARACTERS),
    c.SetTrack: owned(find.named_character, Who.CHARACTERS),
    c.MoveTrack: owned(find.named_character, Who.CHARACTERS),
    c.DropTrack: owned(find.named_character, Who.CHARACTERS),
}


def add_character(draft: Draft, command: c.AddCharacter) -> None:
    """Decide `add_character`: add a character. Only the gm may hide it or give it earlier crises. Source: C24, D9."""
    find.require_gm_for(draft, command.visibility)
    refuse_too_many(draft, "characters", command.visibility)
    hidden = command.visibility is not Visibility.PUBLIC
    owner = owner_for(draft, command.owner)
    if hidden and owner not in (None, draft.by.seat_id):
        raise Refused(Code.NOT_THE_GMS, owner=str(owner))
    character = Character(
        id=draft.new_id(Kind.CHARACTER, command.id, public=not hidden),
        name=command.name,
        owner=owner,
        level=command.level,
        attributes=command.attributes,
        specials=command.specials,
        reflex=command.reflex,
        crises=_earlier(draft, command),
        visibility=command.visibility,
        newcomer=None if draft.by.role is Role.GM else True,
        made_by=draft.maker,
    )
    draft.emit(channel_of(command.visibility), e.CharacterAdded(character=character))


def _earlier(draft: Draft, command: c.AddCharacter) -> tuple[Crisis, ...]:
    """Return the crises that a new character already has. Source: rules.md D9.

    Raises Refused if the sender is not the gm, or if the crises would fill all boxes of a kind.
    """
    if command.crises:
        find.require_gm(draft)
    crises: list[Crisis] = []
    for earlier in command.crises:
        box = 1 + sum(crisis.kind is earlier.kind for crisis in crises)
        if fate(earlier.kind, box) is not None:
            raise Refused(Code.THIRD_AT_ENTRY, most=BOXES - 1)
        crises.append(Crisis(kind=earlier.kind, box=box, description=earlier.description))
    return tuple(crises)


def update_character(draft: Draft, command: c.UpdateCharacter, before: Character) -> None:
    """Decide `update_character`: change the name, the owner or the sheet of a character.

    If the policy `sheets` does not let players write, changes by others than the gm wait for the gm's approval, except
    a new name. Only the gm may change the owner. Source: rules.md B18.
    """
    changes = given(command, ("name", "owner", "level", "attributes", "specials", "reflex"))
    if draft.by.role is Role.GM:
        if command.owner is not None and find.owning_seat(draft, command.owner).id != draft.by.seat_id:
            secrets.act(draft, before.id)  # reveal a hidden character, because its new owner must see it
            before = draft.view.characters[before.id]
        return _update(draft, before, written_by_gm(before, changes))
    if command.owner is not None:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    if draft.view.policy.sheets is Sheets.PLAYERS:
        return _update(draft, before, written_by_player(before, changes))
    if "name" in changes:
        _update(draft, before, before.model_copy(update={"name": changes.pop("name")}))
    return _ask(draft, draft.view.characters[before.id], changes)


def _update(draft: Draft, before: Character, after: Character) -> None:
    if after != before:
        changed = changes_of(before.sheet, after.sheet)
        draft.tell(topic_of_character(before), e.CharacterUpdated(character=after, changed=changed))
        recount(draft)


def _ask(draft: Draft, before: Character, changes: dict[str, object]) -> None:
    """Add changes to the sheet that waits for the gm's approval."""
    after = asking(before, (before.proposed or before.sheet).model_copy(update=changes))
    if after.proposed != before.proposed:
        changed = changes_of(before.sheet, after.proposed or before.sheet)
        proposed = e.SheetProposed(character_id=before.id, proposed=after.proposed, changed=changed)
        draft.tell(topic_of_character(before), proposed)


def approve_sheet(draft: Draft, command: c.ApproveSheet) -> None:
    """Decide `approve_sheet`: approve or refuse the changes of a sheet that wait for approval, or a new character.

    Raises Refused if nothing waits, or if the waiting sheet is no longer the one in `expect`. Source: rules.md B18.
    """
    before = find.character(draft, command.character_id)
    if not waits(before, refusable=not command.approve):
        raise Refused(Code.NOTHING_WAITS, id=before.id)
    if command.expect is not None and dict(command.expect) != dict(before.proposed or before.sheet):
        raise Refused(Code.CHANGED, id=before.id)
    if not command.approve:
        return draft.tell(topic_of_character(before), e.SheetRefused(character=refused(before)))
    after = approved(before)
    changed = changes_of(before.sheet, after.sheet)
    draft.tell(topic_of_character(before), e.SheetApproved(character=after, changed=changed))
    return recount(draft)


# States and tracks. Source: rules.md E6


def give_state(draft: Draft, command: c.GiveState, character: Character) -> None:
    """Decide `give_state`. Raises Refused if the character has this state already, or too many states."""
    if command.state in character.states:
        raise Refused(Code.STATE_HELD, id=character.id, state=command.state)
    if len(character.states) >= MAX_ON_SHEET:
        raise Refused(Code.TOO_MANY, limit=MAX_ON_SHEET, what="states of this character")
    gain_state(draft, character.id, command.state)


def drop_state(draft: Draft, command: c.DropState, character: Character) -> None:
    """Decide `drop_state`: end a state of a character."""
    if command.state not in character.states:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="state", name=command.state)
    lose_state(draft, character.id, command.state)


def set_track(draft: Draft, command: c.SetTrack, character: Character) -> None:
    """Decide `set_track`: give a character a track, or replace the track of this name."""
    value = command.most if command.value is None else command.value
    track = _within(character, command.track, value, command.most)
    if command.track not in character.tracks and len(character.tracks) >= MAX_ON_SHEET:
        raise Refused(Code.TOO_MANY, limit=MAX_ON_SHEET, what="tracks of this character")
    if character.tracks.get(command.track) != track:
        event = e.TrackSet(character_id=character.id, track=command.track, value=track.value, most=track.most)
        draft.tell(topic_of_character(character), event)


def move_track(draft: Draft, command: c.MoveTrack, character: Character) -> None:
    """Decide `move_track`: add to the value of a track, or subtract from it.

    Raises Refused if there is no such track, or if its value would not be from 0 to its maximum.
    """
    before = _track(character, command.track)
    _within(character, command.track, before.value + command.by, before.most)
    shift_track(draft, character.id, command.track, command.by)


def drop_track(draft: Draft, command: c.DropTrack, character: Character) -> None:
    """Decide `drop_track`: remove a track from a character."""
    _track(character, command.track)
    draft.tell(topic_of_character(character), e.TrackDropped(character_id=character.id, track=command.track))


def _track(character: Character, name: str) -> Track:
    if name not in character.tracks:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="track", name=name)
    return character.tracks[name]


def _within(character: Character, name: str, value: int, most: int) -> Track:
    """Return a track at a value. Raises Refused(beyond_track) if the value is not between 0 and `most`."""
    if not 0 <= value <= most:
        raise Refused(Code.BEYOND_TRACK, id=character.id, track=name, most=most, value=value)
    return Track(value=value, most=most)


# Leaving play and coming back. Source: rules.md C24


def take_out_of_play(draft: Draft, command: c.TakeOutOfPlay) -> None:
    """Decide `take_out_of_play`: let a character die, retire or leave."""
    character = find.character(draft, command.character_id)
    if character.status is CharacterStatus.LEFT:
        raise Refused(Code.HAS_LEFT, id=character.id)
    if character.status is not CharacterStatus.IN_PLAY:
        raise Refused(Code.GONE_FOR_GOOD, id=character.id, status=character.status)
    if not may_leave(draft.view, character.id, command.fate):
        raise Refused(Code.TOO_MANY, limit=MAX_LEFT, what="characters who left and may come back")
    leave_play(draft, character.id, command.fate, command.reason)


def return_to_play(draft: Draft, command: c.ReturnToPlay) -> None:
    """Decide `return_to_play`: bring back a character who left. Dead and retired characters cannot return."""
    character = find.character(draft, command.character_id)
    if character.status is CharacterStatus.IN_PLAY:
        raise Refused(Code.HAS_NOT_LEFT, id=character.id)
    if character.status is not CharacterStatus.LEFT:
        raise Refused(Code.GONE_FOR_GOOD, id=character.id, status=character.status)
    refuse_too_many(draft, "characters", character.visibility)
    _tell(draft, character.id, e.CharacterReturned(character_id=character.id, reason=command.reason))


# Consequences


_LEAVING = {Fate.DIES: e.CharacterDied, Fate.RETIRES: e.CharacterRetired, Fate.LEAVES: e.CharacterLeft}


def may_leave(view: View, character_id: Id, fate: Fate) -> bool:
    """Tell whether a character can leave play in this way.

    The character must be in play. If it could come back (`Fate.LEAVES`), fewer than MAX_LEFT others may have left.
    """
    if not in_play(view, character_id):
        return False
    hidden = view.characters[character_id].visibility is not Visibility.PUBLIC  # hidden characters have their own cap
    left = [character for character in view.characters.values() if character.status is CharacterStatus.LEFT]
    alike = sum((character.visibility is not Visibility.PUBLIC) == hidden for character in left)
    return fate is not Fate.LEAVES or alike < MAX_LEFT


def leave_play(draft: Draft, character_id: Id, fate: Fate, reason: str | None = None) -> None:
    """Take a character out of play if `may_leave` allows it; otherwise do nothing. Source: rules.md E6 and A9."""
    if may_leave(draft.view, character_id, fate):
        _tell(draft, character_id, _LEAVING[fate](character_id=character_id, reason=reason))


def lost(draft: Draft, character_id: Id, fate: Fate) -> None:
    """Take a character with full crisis boxes out of play for good, even if it left before. Source: rules.md D7."""
    _tell(draft, character_id, _LEAVING[fate](character_id=character_id))


def gain_state(draft: Draft, character_id: Id, state: Name) -> None:
    """Give a character a state, unless it has the state already or has too many states. Source: rules.md C24."""
    states = draft.view.characters[character_id].states
    if state not in states and len(states) < MAX_ON_SHEET:
        _tell(draft, character_id, e.StateGained(character_id=character_id, state=state, states=(*states, state)))


def lose_state(draft: Draft, character_id: Id, state: Name) -> None:
    """End a state of a character, if it has the state. Source: rules.md C24."""
    states = draft.view.characters[character_id].states
    if state in states:
        left = tuple(other for other in states if other != state)
        _tell(draft, character_id, e.StateLost(character_id=character_id, state=state, states=left))


def shift_track(draft: Draft, character_id: Id, track: Name, by: int) -> None:
    """Move a track of a character within its bounds, if the track exists. Source: rules.md C24."""
    current = draft.view.characters[character_id].tracks.get(track)
    if current is None:
        return
    value = max(0, min(current.most, current.value + by))
    if value != current.value:
        _tell(draft, character_id, e.TrackMoved(character_id=character_id, track=track, value=value))


def _tell(draft: Draft, character_id: Id, event: e.Event) -> None:
    draft.tell(topic_of_character(draft.view.characters[character_id]), event)


# Changes of a sheet by its player or the gm. Source: rules.md B18


_FIELDS = tuple(Sheet.model_fields)


def written_by_gm(before: Character, changes: Mapping[str, object]) -> Character:
    """Return a character after changes by the gm.

    A sheet that waits for approval gets the same changes. A new level counts as approved.
    """
    approved = None if "level" in changes else before.approved_level
    return _with_wish(before.model_copy(update={**changes, "approved_level": approved}), changes)


def written_by_player(before: Character, changes: Mapping[str, object]) -> Character:
    """Return a character after changes by its player. Difficulties of races still use the level approved by the gm."""
    after = before.model_copy(update=changes)
    approved = before.approved_level or before.level
    counted = None if before.newcomer or after.level == approved else approved
    return _with_wish(after.model_copy(update={"approved_level": counted}), changes)


def _with_wish(after: Character, changes: Mapping[str, object]) -> Character:
    if after.proposed is None:
        return after
    written = {name: value for name, value in changes.items() if name in _FIELDS}
    return asking(after, after.proposed.model_copy(update=written))


def asking(character: Character, sheet: Sheet) -> Character:
    """Return a character with `sheet` waiting for approval. If it equals the current sheet, nothing waits."""
    return character.model_copy(update={"proposed": None if sheet == character.sheet else sheet})


def approved(character: Character) -> Character:
    """Return a character with its waiting changes approved."""
    sheet = character.proposed or character.sheet
    return character.model_copy(update={**dict(sheet), "proposed": None, "newcomer": None, "approved_level": None})


def refused(character: Character) -> Character:
    """Return a character without waiting changes, and with the level that was approved last."""
    level = character.approved_level or character.level
    return character.model_copy(update={"level": level, "proposed": None, "approved_level": None})


def counted_level(character: Character) -> int | None:
    """Return the level that counts for a race's difficulty: the approved level.

    None for a character out of play, or a new character that the gm has not approved.
    """
    if character.newcomer or character.status is not CharacterStatus.IN_PLAY:
        return None
    return character.approved_level or character.level


# Characters that act


def acting_character(draft: Draft, character: Character, visibility: Visibility = Visibility.PUBLIC) -> Character:
    """Check that dice may be rolled for a character, and return its current state. A public roll reveals a hidden one.

    Raises Refused if the character is out of play, if the gm must first name its crisis, or if the roll would reveal it
    and the sender is not the gm. Source: rules.md C24.
    """
    find.require_able(character)
    if visibility is Visibility.PUBLIC:
        bring_to_light(draft, character)
    return draft.view.characters[character.id]


def bring_to_light(draft: Draft, character: Character) -> None:
    """Reveal a hidden character that acts in public. Raises Refused if it is hidden and the sender is not the gm."""
    find.require_gm_for(draft, character.visibility)
    secrets.act(draft, character.id)


def _is_in_play(view: View, _: Effect, character: Character) -> bool:
    return in_play(view, character.id)


def _no_leave(view: View, effect: Effect, character: Character) -> Reason:
    assert effect.fate is not None
    if not in_play(view, character.id):
        return SkipReason.OVER
    return unless(may_leave(view, character.id, effect.fate), SkipReason.CAP)


def _leave(draft: Draft, _: Due, effect: Effect, character: Character) -> None:
    assert effect.fate is not None
    leave_play(draft, character.id, effect.fate)


def _no_state(view: View, effect: Effect, character: Character) -> Reason:
    if not in_play(view, character.id):
        return SkipReason.OVER
    if (effect.name in character.states) == (effect.does is Does.GIVE_STATE):
        return SkipReason.UNCHANGED
    return unless(effect.does is Does.DROP_STATE or len(character.states) < MAX_ON_SHEET, SkipReason.CAP)


def _change_state(draft: Draft, _: Due, effect: Effect, character: Character) -> None:
    change = gain_state if effect.does is Does.GIVE_STATE else lose_state
    change(draft, character.id, str(effect.name))


def _no_track(view: View, effect: Effect, character: Character) -> Reason:
    track = character.tracks.get(str(effect.name))
    if track is None or not in_play(view, character.id):
        return SkipReason.OVER
    moved = max(0, min(track.most, track.value + (effect.by or 0)))
    return unless(moved != track.value, SkipReason.UNCHANGED)


EFFECTS: Effects = {
    Does.LEAVE: EffectRow(_is_in_play, _no_leave, _leave),
    **dict.fromkeys((Does.GIVE_STATE, Does.DROP_STATE), EffectRow(_is_in_play, _no_state, _change_state)),
    Does.MOVE_TRACK: EffectRow(
        lambda view, effect, character: in_play(view, character.id) and effect.name in character.tracks,
        _no_track,
        lambda draft, _, effect, character: shift_track(draft, character.id, str(effect.name), effect.by or 0),
    ),
}
