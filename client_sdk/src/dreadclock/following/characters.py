"""How characters leave play and come back, and what states and tracks they have. Source: rules.md D7, E6 and C24.

Each is told where its character is known: of a hidden one, to the gm alone. What would change nothing tells nothing.
"""

from collections.abc import Iterable

from dreadclock.following.telling import Telling, root_of_character
from dreadclock.rules.limits import MAX_LEFT, MAX_ON_SHEET
from dreadclock.rules.total import Fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Name, Visibility
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.things import Character, CharacterStatus, Payment
from dreadclock.wire.views import View

_LEAVING = {Fate.DIES: e.CharacterDied, Fate.RETIRES: e.CharacterRetired, Fate.LEAVES: e.CharacterLeft}


def same_side(view: View, visibility: Visibility) -> list[Character]:
    """Return the characters that everyone knows, or those that only the gm does: each side has caps of its own."""
    hidden = visibility is not Visibility.PUBLIC
    return [each for each in view.characters.values() if (each.visibility is not Visibility.PUBLIC) == hidden]


def counted(view: View, visibility: Visibility, status: CharacterStatus = CharacterStatus.IN_PLAY) -> int:
    """Count the characters in play, or of another status, that count against one cap. Source: rules.md E6."""
    return sum(each.status is status for each in same_side(view, visibility))


def may_leave(view: View, character_id: Id, fate: Fate) -> bool:
    """Tell whether a character can leave play: it is in play, and of those who may come back there is room for more."""
    if not in_play(view, character_id):
        return False
    left = counted(view, view.characters[character_id].visibility, CharacterStatus.LEFT)
    return fate is not Fate.LEAVES or left < MAX_LEFT


def leave_play(t: Telling, character_id: Id, fate: Fate, reason: str | None = None) -> None:
    """Take a character out of play, if it can be. Source: rules.md E6 and A9."""
    if may_leave(t.view, character_id, fate):
        _tell(t, character_id, _LEAVING[fate](character_id=character_id, reason=reason))


def lost(t: Telling, character_id: Id, fate: Fate) -> None:
    """Take a character out of play for good whose boxes are full, be it that it left before. Source: rules.md D7."""
    _tell(t, character_id, _LEAVING[fate](character_id=character_id))


def return_to_play(t: Telling, character_id: Id, reason: str | None = None) -> None:
    """Bring a character back that left. Source: rules.md E6."""
    _tell(t, character_id, e.CharacterReturned(character_id=character_id, reason=reason))


def give_state(t: Telling, character_id: Id, state: Name) -> None:
    """Put a character into a state, if it is not in it and there is room for one more. Source: rules.md C24."""
    states = t.view.characters[character_id].states
    if state not in states and len(states) < MAX_ON_SHEET:
        _tell(t, character_id, e.StateGained(character_id=character_id, state=state, states=(*states, state)))


def drop_state(t: Telling, character_id: Id, state: Name) -> None:
    """End a state of a character, if it is in it. Source: rules.md C24."""
    states = t.view.characters[character_id].states
    if state in states:
        left = tuple(each for each in states if each != state)
        _tell(t, character_id, e.StateLost(character_id=character_id, state=state, states=left))


def move_track(t: Telling, character_id: Id, track: Name, by: int) -> None:
    """Move a track of a character, if it has it, as far as the track goes. Source: rules.md C24."""
    known = t.view.characters[character_id].tracks.get(track)
    if known is None:
        return
    value = max(0, min(known.most, known.value + by))
    if value != known.value:
        _tell(t, character_id, e.TrackMoved(character_id=character_id, track=track, value=value))


def unpayable(one: Character, payments: Iterable[Payment]) -> Payment | None:
    """Return the first of some payments that a character cannot make after the others, None if it can make all.

    Nobody pays with a state that it is in, nor with points of a track that are not there. Source: rules.md C20.
    """
    states, values = set(one.states), {name: track.value for name, track in one.tracks.items()}
    for payment in payments:
        name = payment.track
        if (payment.state is None) == (name is None):
            return payment
        if payment.state is not None:
            if payment.state in states or len(states) >= MAX_ON_SHEET:
                return payment
            states.add(payment.state)
        if name is not None:
            values[name] = values.get(name, 0) + payment.by
            if name not in one.tracks or payment.by == 0 or not 0 <= values[name] <= one.tracks[name].most:
                return payment
    return None


def _tell(t: Telling, character_id: Id, event: e.Event) -> None:
    t.tell(root_of_character(t.view.characters[character_id]), event)
