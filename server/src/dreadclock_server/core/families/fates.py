"""How characters leave play and come back. Source: rules.md C24."""

from dreadclock.following import characters
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_LEFT
from dreadclock.wire.commands import ReturnToPlay, TakeOutOfPlay
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import CharacterStatus
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


DECIDE: Deciders = {
    TakeOutOfPlay: take_out_of_play,
    ReturnToPlay: return_to_play,
}
