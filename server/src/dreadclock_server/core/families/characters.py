"""Characters: their sheets, states and tracks, and how they leave play and come back."""

from dreadclock.following import characters, secrets, sheets
from dreadclock.following.characters import counted
from dreadclock.following.telling import channel_of, root_of_character
from dreadclock.following.ventures import recount
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_LEFT, MAX_ON_SHEET
from dreadclock.rules.total import BOXES, fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Role, Visibility
from dreadclock.wire.commands import (
    AddCharacter,
    ApproveSheet,
    DropState,
    DropTrack,
    GiveState,
    MoveTrack,
    ReturnToPlay,
    SetTrack,
    TakeOutOfPlay,
    UpdateCharacter,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.characters import changes_of, waits
from dreadclock.wire.things import Character, CharacterStatus, Crisis, Sheets, Track
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.find import given, owner_for
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    AddCharacter: only(Who.GM, Who.PLAYER, Who.CHARACTERS),
    UpdateCharacter: owned(find.owner_of_character, Who.CHARACTERS),
    ApproveSheet: only(Who.GM),
    TakeOutOfPlay: only(Who.GM),
    ReturnToPlay: only(Who.GM),
    GiveState: owned(find.owner_of_character, Who.CHARACTERS),
    DropState: owned(find.owner_of_character, Who.CHARACTERS),
    SetTrack: owned(find.owner_of_character, Who.CHARACTERS),
    MoveTrack: owned(find.owner_of_character, Who.CHARACTERS),
    DropTrack: owned(find.owner_of_character, Who.CHARACTERS),
}


def add_character(draft: Draft, command: AddCharacter) -> None:
    """Decide `add_character`; earlier crises and hidden characters are the gm's to bring. Source: rules.md C24, D9."""
    find.require_gm_for(draft, command.visibility)
    if counted(draft.view, command.visibility) >= MAX_CHARACTERS:
        raise Refused(Code.TOO_MANY, limit=MAX_CHARACTERS, what="characters in play")
    hidden = command.visibility is not Visibility.PUBLIC
    owner = owner_for(draft, command.owner)
    if hidden and owner not in (None, draft.by.seat_id):
        raise Refused(Code.NOT_THE_GMS, owner=str(owner))
    character = Character(
        id=draft.new_id(Kind.CHARACTER, command.id, known=not hidden),
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


def _earlier(draft: Draft, command: AddCharacter) -> tuple[Crisis, ...]:
    """Return the crises that a character enters play with. Source: rules.md D9."""
    if command.crises and draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    crises: list[Crisis] = []
    for each in command.crises:
        box = 1 + sum(crisis.kind is each.kind for crisis in crises)
        if fate(each.kind, box) is not None:
            raise Refused(Code.THIRD_AT_ENTRY, most=BOXES - 1)
        crises.append(Crisis(kind=each.kind, box=box, description=each.description))
    return tuple(crises)


def update_character(draft: Draft, command: UpdateCharacter) -> None:
    """Decide `update_character`; what a player changes beside the name may have to wait. Source: rules.md B18."""
    before = find.character(draft, command.character_id)
    changes = given(command, ("name", "owner", "level", "attributes", "specials", "reflex"))
    if draft.by.role is Role.GM:
        if command.owner is not None and find.owning_seat(draft, command.owner).id != draft.by.seat_id:
            secrets.act(draft, before.id)  # whose it is now sees it
            before = draft.view.characters[before.id]
        return _update(draft, before, sheets.written_by_gm(before, changes))
    if command.owner is not None:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    if draft.view.policy.sheets is Sheets.PLAYERS:
        return _update(draft, before, sheets.written_by_player(before, changes))
    if "name" in changes:
        _update(draft, before, before.model_copy(update={"name": changes.pop("name")}))
    return _ask(draft, draft.view.characters[before.id], changes)


def _update(draft: Draft, before: Character, after: Character) -> None:
    if after != before:
        changed = changes_of(before.sheet, after.sheet)
        draft.tell(root_of_character(before), e.CharacterUpdated(character=after, changed=changed))
        recount(draft)


def _ask(draft: Draft, before: Character, changes: dict[str, object]) -> None:
    """Let a player's changes wait for the gm, together with those that wait already."""
    after = sheets.asking(before, (before.proposed or before.sheet).model_copy(update=changes))
    if after.proposed != before.proposed:
        changed = changes_of(before.sheet, after.proposed or before.sheet)
        draft.tell(
            root_of_character(before), e.SheetProposed(character_id=before.id, proposed=after.proposed, changed=changed)
        )


def approve_sheet(draft: Draft, command: ApproveSheet) -> None:
    """Decide `approve_sheet`. Source: rules.md B18."""
    before = find.character(draft, command.character_id)
    if not waits(before, refusable=not command.approve):
        raise Refused(Code.NOTHING_WAITS, id=before.id)
    if command.expect is not None and dict(command.expect) != dict(before.proposed or before.sheet):
        raise Refused(Code.CHANGED, id=before.id)
    if not command.approve:
        return draft.tell(root_of_character(before), e.SheetRefused(character=sheets.refused(before)))
    after = sheets.approved(before)
    changed = changes_of(before.sheet, after.sheet)
    draft.tell(root_of_character(before), e.SheetApproved(character=after, changed=changed))
    return recount(draft)


# States and tracks. Source: rules.md E6


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


# Leaving play and coming back. Source: rules.md C24


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


DECIDE: Deciders = {
    AddCharacter: add_character,
    UpdateCharacter: update_character,
    ApproveSheet: approve_sheet,
    GiveState: give_state,
    DropState: drop_state,
    SetTrack: set_track,
    MoveTrack: move_track,
    DropTrack: drop_track,
    TakeOutOfPlay: take_out_of_play,
    ReturnToPlay: return_to_play,
}
