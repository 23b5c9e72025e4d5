"""Check the state that an imported room starts with: a room must be able to reach this state.

The import also verifies the export's records. But an export may itself continue an earlier room, whose records are not
in the file: somebody may have invented that room's state.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dreadclock.rules import limits
from dreadclock.rules.contest import Side
from dreadclock.rules.total import BOXES, CrisisKind
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.effects import names_hidden
from dreadclock_server.core.invariants import adrift, overfull

MOST = 1_000_000  # the highest possible number of turns, and of things of one kind that were ever made
_VISIBILITY = {Channel.PUBLIC: {Visibility.PUBLIC}, Channel.GM: {Visibility.SEALED, Visibility.GM}}
_WITH_VISIBILITY = ("characters", "countdowns", "clocks", "scenes", "situations", "checks", "consequences")
_FAMILIES = (*_WITH_VISIBILITY, "challenges", "efforts", "totals", "secrets")
_BEFORE_A_ROLL = (t.TotalStatus.PROPOSED, t.TotalStatus.READY)


def unfit(view: View, *, is_whole: bool = True) -> Iterator[str]:
    """Yield what is wrong with the state, as clauses such as "there are too many people".

    `is_whole`: whether the view has the hidden things, too. Otherwise, references to missing things are allowed.
    """
    yield from _seats(view)
    if is_whole:
        yield from (f"{thing_id} refers to a missing thing" for thing_id in adrift(view))
    yield from (f"there are too many {what}" for what in overfull(view))
    for channel, part in view.channels.items():
        too_many = (name for name in _FAMILIES if len(getattr(part, name)) > limits.MOST_HELD[name])
        yield from (f"there are too many {name}" for name in too_many)
        yield from _counts(part)
        yield from _out_of_place(channel, part)
        for family, is_possible in _POSSIBLE.items():
            things = getattr(part, family).values()
            yield from (f"{thing.id} is no {family[:-1]}" for thing in things if not is_possible(thing, view))


def _seats(view: View) -> Iterator[str]:
    if len(view.seats) > limits.MAX_SEATS:
        yield "there are too many people"
    made = view.public.made.get("seat", 0)
    yield from (f"{seat.id} is no seat" for seat in view.seats.values() if not _is_seat(seat, made))


def _is_seat(seat: t.Seat, made: int) -> bool:
    if seat.scopes and seat.role is not Role.INTEGRATION:
        return False
    if seat.role is Role.GM or seat.id == GM_SEAT:
        return seat.role is Role.GM and seat.id == GM_SEAT
    role, _, number = seat.id.partition("-")
    return role == seat.role and number.isdecimal() and number == str(int(number)) and 0 < int(number) < made


def _counts(part: ChannelView) -> Iterator[str]:
    kinds = {*Kind, "seat", "token", *(f"lane/{seat_id}" for seat_id in part.seats)}
    if not part.made.keys() <= kinds or any(count > MOST for count in part.made.values()) or part.turn > MOST:
        yield "its counts of things are impossible"
    if len(part.taken) > limits.MAX_CHOSEN_IDS:
        yield "too many ids are taken"


def _out_of_place(channel: Channel, part: ChannelView) -> Iterator[str]:
    """Yield a clause for each thing that is in the wrong channel."""
    for family in _WITH_VISIBILITY:
        for thing in getattr(part, family).values():
            within = isinstance(thing, t.Clock) and thing.kind is not t.ClockKind.FREE
            if not within and thing.visibility not in _VISIBILITY[channel]:
                yield f"{thing.id} is in the wrong channel"
    if channel is Channel.GM and (part.totals or part.seats):
        yield "a total or a seat is not public"


def _is_countdown(countdown: t.Countdown, view: View) -> bool:
    stages = [stage.at for stage in countdown.stages]
    named = (countdown.bound_to in (t.BoundTo.TURN, t.BoundTo.NOTHING)) == (countdown.bound_id is None)
    sized = 1 <= countdown.pool <= limits.MAX_POOL and countdown.started_with <= limits.MAX_POOL
    fits = named and (countdown.fate is None or countdown.about is not None) and countdown.rolled_turn <= view.turn
    return fits and sized and len(set(stages)) == len(stages) <= limits.MAX_STAGES


def _is_clock(clock: t.Clock, view: View) -> bool:
    if clock.value > clock.size or (clock.kind is t.ClockKind.FREE) != (clock.of is None):
        return False
    if clock.kind is t.ClockKind.FREE:
        return True
    family = "scenes" if clock.kind is t.ClockKind.THREAT else f"{clock.kind}s"
    owner = getattr(view, family).get(clock.of)
    return getattr(owner, "threat_id" if clock.kind is t.ClockKind.THREAT else "clock_id", None) == clock.id


def _is_check(check: t.Check, _: View) -> bool:
    characters = [part.character_id for part in check.parts]
    pools = [part.score + part.bonus - part.penalty for part in check.parts]
    begun = any(part.roll for part in check.parts)
    return (
        bool(check.side(Side.ACTING))
        and len(set(characters)) == len(characters) <= limits.MAX_PARTS_OF_CHECK
        and all(pool <= limits.MAX_POOL for pool in pools)
        and begun == (check.status in (t.CheckStatus.ROLLING, t.CheckStatus.RESOLVED))
        and (check.result is not None) == (check.status is t.CheckStatus.RESOLVED)
        and (check.contest or not check.side(Side.OPPOSING))
    )


def _is_consequence(consequence: t.Consequence, view: View) -> bool:
    leaks = consequence.visibility is Visibility.PUBLIC and names_hidden(view, consequence)
    return not leaks and 1 <= len(consequence.do) <= limits.MAX_EFFECTS


def _is_total(total: t.Total, _: View) -> bool:
    kept = sorted({*total.faces, *(push.face for push in total.pushes)})
    rolled = total.status not in _BEFORE_A_ROLL
    return (
        rolled == bool(total.faces)
        and list(total.kept) == kept
        and total.total == sum(kept)
        and len(total.faces) <= limits.MAX_POOL
        and (total.push_odds is not None) == (total.status is t.TotalStatus.OFFERED)
    )


def _is_character(character: t.Character, view: View) -> bool:
    boxes = Counter((crisis.kind, crisis.box) for crisis in character.crises)
    full = all(character.boxes(kind) <= BOXES for kind in CrisisKind)
    owned = character.crisis_due is None or _is_of(view, character.crisis_due, character.id)
    waiting = max(len(character.bonuses), len(character.choices)) <= limits.MAX_WAITING_ON_SHEET
    sheets = [version for version in (character.sheet, character.proposed) if version is not None]
    lists = [
        character.states,
        character.tracks,
        *(part for version in sheets for part in (version.attributes, version.specials)),
    ]
    sheet = max(map(len, lists)) <= limits.MAX_ON_SHEET
    sheet = sheet and all(track.value <= track.most for track in character.tracks.values())
    return full and owned and sheet and set(boxes.values()) <= {1} and waiting


def _is_of(view: View, total_id: Id, character_id: Id) -> bool:
    total = view.totals.get(total_id)
    return total is not None and total.character_id == character_id


_POSSIBLE: Mapping[str, Callable[[Any, View], bool]] = {
    "countdowns": _is_countdown,
    "checks": _is_check,
    "consequences": _is_consequence,
    "totals": _is_total,
    "clocks": _is_clock,
    "characters": _is_character,
}
"""By family: a function that tells whether a room could have this thing. Its second argument is the whole view."""
