"""Checks of the state that an import carries over: it must be a state that a room can reach.

The export itself is verified before. But its author may have invented the earlier room that the export continues.
"""

from collections import Counter
from collections.abc import Iterator

from dreadclock.rules.contest import Side
from dreadclock.rules.limits import (
    MAX_CHOSEN_IDS,
    MAX_EFFECTS,
    MAX_ON_SHEET,
    MAX_PARTS_OF_CHECK,
    MAX_POOL,
    MAX_SEATS,
    MAX_STAGES,
    MAX_WAITING_ON_SHEET,
    MOST_HELD,
)
from dreadclock.rules.total import BOXES, CrisisKind
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.effects import names_hidden
from dreadclock_server.core.invariants import adrift, overfull

MOST = 1_000_000  # turns, and things of a kind started so far
_VISIBILITY = {Channel.PUBLIC: {Visibility.PUBLIC}, Channel.GM: {Visibility.SEALED, Visibility.GM}}
_WITH_VISIBILITY = ("characters", "countdowns", "clocks", "scenes", "situations", "checks", "consequences")
_FAMILIES = (*_WITH_VISIBILITY, "challenges", "efforts", "totals", "secrets")
_BEFORE_A_ROLL = (t.TotalStatus.PROPOSED, t.TotalStatus.READY)


def unfit(view: View, *, is_whole: bool = True) -> Iterator[str]:
    """Return what is wrong with the carried-over state; None if nothing is.

    `is_whole`: whether the view has the hidden things, too. Without them, public things may refer to missing things.
    """
    yield from _seats(view)
    if is_whole:
        yield from (f"{thing_id} has lost what it belongs to" for thing_id in adrift(view))
    yield from (f"there are too many {what}" for what in overfull(view))
    for channel, part in view.channels.items():
        yield from (f"there are too many {name}" for name in _FAMILIES if len(getattr(part, name)) > MOST_HELD[name])
        yield from _counts(part)
        yield from _out_of_place(channel, part)
        yield from (
            f"{countdown.id} is no countdown"
            for countdown in part.countdowns.values()
            if not _is_countdown(countdown, view)
        )
        yield from (f"{check.id} is no check" for check in part.checks.values() if not _is_check(check))
        yield from (
            f"{consequence.id} is no consequence"
            for consequence in part.consequences.values()
            if _is_unfit(consequence, view)
        )
        yield from (f"{total.id} is no total" for total in part.totals.values() if not _is_total(total))
    yield from (f"{clock.id} is no clock" for clock in view.clocks.values() if not _is_clock(clock, view))
    yield from (
        f"{character.id} is no character"
        for character in view.characters.values()
        if not _is_character(character, view)
    )


def _seats(view: View) -> Iterator[str]:
    if len(view.seats) > MAX_SEATS:
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
        yield "its counts are no counts of a room"
    if len(part.taken) > MAX_CHOSEN_IDS:
        yield "too many ids are taken"


def _out_of_place(channel: Channel, part: ChannelView) -> Iterator[str]:
    """Yield the ids of things that are in the wrong channel."""
    for family in _WITH_VISIBILITY:
        for thing in getattr(part, family).values():
            within = isinstance(thing, t.Clock) and thing.kind is not t.ClockKind.FREE
            if not within and thing.visibility not in _VISIBILITY[channel]:
                yield f"{thing.id} is in the wrong channel"
    if channel is Channel.GM and (part.totals or part.seats):
        yield "totals and seats are everyone's"


def _is_countdown(countdown: t.Countdown, view: View) -> bool:
    stages = [stage.at for stage in countdown.stages]
    named = (countdown.bound_to in (t.BoundTo.TURN, t.BoundTo.NOTHING)) == (countdown.bound_id is None)
    sized = 1 <= countdown.pool <= MAX_POOL and countdown.started_with <= MAX_POOL
    fits = named and (countdown.fate is None or countdown.about is not None)
    return fits and sized and len(set(stages)) == len(stages) <= MAX_STAGES and countdown.rolled_turn <= view.turn


def _is_clock(clock: t.Clock, view: View) -> bool:
    if clock.value > clock.size or (clock.kind is t.ClockKind.FREE) != (clock.of is None):
        return False
    if clock.kind is t.ClockKind.FREE:
        return True
    family = "scenes" if clock.kind is t.ClockKind.THREAT else f"{clock.kind}s"
    owner = getattr(view, family).get(clock.of)
    return getattr(owner, "threat_id" if clock.kind is t.ClockKind.THREAT else "clock_id", None) == clock.id


def _is_check(check: t.Check) -> bool:
    characters = [part.character_id for part in check.parts]
    pools = [part.score + part.bonus - part.penalty for part in check.parts]
    begun = any(part.roll for part in check.parts)
    return (
        bool(check.side(Side.ACTING))
        and len(set(characters)) == len(characters) <= MAX_PARTS_OF_CHECK
        and all(pool <= MAX_POOL for pool in pools)
        and begun == (check.status in (t.CheckStatus.ROLLING, t.CheckStatus.RESOLVED))
        and (check.result is not None) == (check.status is t.CheckStatus.RESOLVED)
        and (check.contest or not check.side(Side.OPPOSING))
    )


def _is_unfit(consequence: t.Consequence, view: View) -> bool:
    leaks = consequence.visibility is Visibility.PUBLIC and names_hidden(view, consequence)
    return leaks or not 1 <= len(consequence.do) <= MAX_EFFECTS


def _is_total(total: t.Total) -> bool:
    kept = sorted({*total.faces, *(push.face for push in total.pushes)})
    rolled = total.status not in _BEFORE_A_ROLL
    return (
        rolled == bool(total.faces)
        and list(total.kept) == kept
        and total.total == sum(kept)
        and len(total.faces) <= MAX_POOL
        and (total.push_odds is not None) == (total.status is t.TotalStatus.OFFERED)
    )


def _is_character(character: t.Character, view: View) -> bool:
    boxes = Counter((crisis.kind, crisis.box) for crisis in character.crises)
    full = all(character.boxes(kind) <= BOXES for kind in CrisisKind)
    owned = character.crisis_due is None or _is_of(view, character.crisis_due, character.id)
    waiting = max(len(character.bonuses), len(character.choices)) <= MAX_WAITING_ON_SHEET
    sheets = [version for version in (character.sheet, character.proposed) if version is not None]
    lists = [
        character.states,
        character.tracks,
        *(part for version in sheets for part in (version.attributes, version.specials)),
    ]
    sheet = max(map(len, lists)) <= MAX_ON_SHEET
    sheet = sheet and all(track.value <= track.most for track in character.tracks.values())
    return full and owned and sheet and set(boxes.values()) <= {1} and waiting


def _is_of(view: View, total_id: Id, character_id: Id) -> bool:
    total = view.totals.get(total_id)
    return total is not None and total.character_id == character_id
