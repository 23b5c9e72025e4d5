"""The room, its house rules, its seats, and narration."""

import re
from typing import NamedTuple
from unicodedata import category, normalize

from dreadclock.rules.limits import EDITION, MAX_SEATS, REOPEN_MS
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Name, Role, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.ids import GM_SEAT, UNNAMED_GM
from dreadclock.wire.things import Policy, Seat
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.find import given
from dreadclock_server.core.rights import Rights, Who, named, only, owned
from dreadclock_server.core.rolling import begin_lane

RIGHTS: Rights = {
    c.SetPolicy: only(Who.GM),
    c.RenameSeat: owned(named(find.seat, "seat_id"), owner_of=lambda draft, seat: seat.id),
    c.RemoveSeat: only(Who.GM),
    c.LeaveSeat: only(Who.ANYONE),
    c.LendSeat: only(Who.PLAYER),
    c.TakeBackSeat: only(Who.PLAYER),
    c.CloseRoom: only(Who.GM),
    c.ReopenRoom: only(Who.GM),
    c.Narrate: only(Who.GM, Who.PLAYER, Who.NARRATE),
}


_UNSEEN = {"Cf", "Cc", "Zs"}  # Unicode categories of invisible characters
_ALSO_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")
_LOOKS_LATIN = (  # casefolded Cyrillic, Greek and small-capital letters that look like Latin letters
    (
        "\u0430\u0432\u0435\u0456\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0458\u0455\u04bb\u04cf\u0501\u051b\u051d\u050d\u0475",
        "abeikmhopctyxjshldqwgv",
    ),
    (
        "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3",
        "abezhikmnoptyxcj",
    ),
    (
        "\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
        "abcdeghijklmnoprtuvwyz",
    ),
)
_AS_LATIN = str.maketrans(dict(pair for letters in _LOOKS_LATIN for pair in zip(*letters, strict=True)))
_DAY_MS = 24 * 60 * 60 * 1000
_ROLLING = (Role.GM, Role.PLAYER, Role.INTEGRATION)


class Open(NamedTuple):
    """Open a room. `POST /api/rooms` sends it; websockets cannot."""

    title: Name
    policy: Policy
    note: None = None


class JoinSeat(NamedTuple):
    """Make a seat. `POST /api/rooms/{room}/invites` sends it; websockets cannot."""

    role: Role
    name: Name | None = None
    scopes: tuple[Scope, ...] = ()
    note: None = None


def open_room(draft: Draft, command: Open) -> None:
    """Decide `Open`: open the room, and make the gm's seat."""
    draft.emit(Channel.PUBLIC, e.RoomOpened(title=command.title, policy=command.policy, edition=EDITION))
    begin_seat(draft, Seat(id=GM_SEAT, role=Role.GM, name=UNNAMED_GM))


def join_seat(draft: Draft, command: JoinSeat) -> None:
    """Decide `JoinSeat`: make a seat."""
    if len(draft.view.seats) >= MAX_SEATS:
        raise Refused(Code.TOO_MANY, limit=MAX_SEATS, what="seats")
    number = draft.view.public.made.get("seat", 0)
    if command.name is not None:
        _demand_other_name(draft, command.name)
    name = command.name or f"{command.role.capitalize()} {number}"
    begin_seat(draft, Seat(id=f"{command.role}-{number}", role=command.role, name=name, scopes=command.scopes))


def _demand_other_name(draft: Draft, name: Name) -> None:
    """Raise Refused if a new name for another seat looks like the name of the gm's seat, or like `gm`."""
    written = folded if draft.form.sees_look_alikes else str.casefold
    if written(name) in {written(gm_name) for gm_name in (GM_SEAT, draft.view.seats[GM_SEAT].name)}:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm, whose name that is,")


def folded(name: Name) -> str:
    """Return a form of a name that is equal for names that look alike.

    Removes invisible characters, ignores case and styles, and replaces Cyrillic, Greek and small-capital letters by
    the Latin letters that they look like.
    """
    folded = normalize("NFKC", normalize("NFKC", _ALSO_UNSEEN.sub("", name)).casefold()).translate(_AS_LATIN)
    return "".join(letter for letter in folded if category(letter) not in _UNSEEN)


def begin_seat(draft: Draft, seat: Seat) -> None:
    """Make a seat. If the seat may roll, also open a lane for its dice, unless the room's dice secret is lost."""
    draft.emit(Channel.PUBLIC, e.SeatJoined(seat=seat))
    if seat.role in _ROLLING:
        try:
            begin_lane(draft, seat.id)
        except Refused as refused:
            if refused.code is not Code.DICE_LOST:
                raise


def set_policy(draft: Draft, command: c.SetPolicy) -> None:
    """Decide `set_policy`: change the room's house rules."""
    changes = given(command, ("physical_dice", "check_approval", "player_countdowns", "care", "sheets", "specials"))
    policy = draft.view.policy.model_copy(update=changes)
    if policy != draft.view.policy:
        draft.emit(Channel.PUBLIC, e.PolicySet(policy=policy))


def rename_seat(draft: Draft, command: c.RenameSeat, seat: Seat) -> None:
    """Decide `rename_seat`: give a seat another name."""
    if seat.name != command.name:
        if seat.role is not Role.GM:
            _demand_other_name(draft, command.name)
        draft.emit(Channel.PUBLIC, e.SeatRenamed(seat_id=command.seat_id, name=command.name))


def remove_seat(draft: Draft, command: c.RemoveSeat) -> None:
    """Decide `remove_seat`: remove a seat from the table."""
    _remove(draft, find.seat(draft, command.seat_id), e.Departure.REMOVED)


def leave_seat(draft: Draft, command: c.LeaveSeat) -> None:
    """Decide `leave_seat`: remove the sender's own seat."""
    _remove(draft, find.seat(draft, draft.by.seat_id), e.Departure.LEFT)


def lend_seat(draft: Draft, command: c.LendSeat) -> None:
    """Decide `lend_seat`: let an integration act for the sender's seat. Lending to the same one again does nothing."""
    lender, to = _lender(draft), draft.view.seats.get(command.to)
    if to is None or Scope.ACT_FOR not in to.scopes:
        raise Refused(Code.UNKNOWN, kind="integration that may act for others", id=command.to)
    if lender.lent_to != to.id:
        draft.emit(Channel.PUBLIC, e.SeatLent(seat_id=lender.id, to=to.id))


def take_back_seat(draft: Draft, command: c.TakeBackSeat) -> None:
    """Decide `take_back_seat`: end the lending of the sender's seat."""
    lender = _lender(draft)
    if lender.lent_to is not None:
        draft.emit(Channel.PUBLIC, e.SeatTakenBack(seat_id=lender.id))


def _lender(draft: Draft) -> Seat:
    """Return the sender's seat. Raises Refused unless it is a player's: the rights of the gm must not be lent."""
    seat = find.seat(draft, draft.by.seat_id)
    if seat.role is not Role.PLAYER:
        raise Refused(Code.NOT_ALLOWED, allowed="a player")
    return seat


def _remove(draft: Draft, seat: Seat, reason: e.Departure) -> None:
    if seat.role is Role.GM:
        raise Refused(Code.GM_STAYS)
    draft.emit(Channel.PUBLIC, e.SeatRemoved(seat_id=seat.id, reason=reason))


def close_room(draft: Draft, command: c.CloseRoom) -> None:
    """Decide `close_room`: close the room. It can then be read or reopened, but nothing else."""
    draft.emit(Channel.PUBLIC, e.RoomClosed())


def reopen_room(draft: Draft, command: c.ReopenRoom) -> None:
    """Decide `reopen_room`: open a room that was closed at most REOPEN_MS ago. Source: rules.md F1."""
    public = draft.before.view.public
    if not public.closed:
        raise Refused(Code.ROOM_OPEN)
    closed_at = public.recent[-1].at  # the last event is `room_closed`, because a closed room takes no other command
    if draft.now_ms - closed_at > REOPEN_MS:
        raise Refused(Code.CLOSED_LONG_AGO, days=REOPEN_MS // _DAY_MS)
    draft.emit(Channel.PUBLIC, e.RoomReopened())


def narrate(draft: Draft, command: c.Narrate) -> None:
    """Decide `narrate`: write a text into a channel. Only the gm may write into the gm's channel."""
    if command.channel is not Channel.PUBLIC:
        find.require_gm(draft)
    draft.emit(command.channel, e.Narrated(text=command.text, outcome=command.outcome))
