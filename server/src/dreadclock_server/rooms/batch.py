"""One batch: what waits in a room's queue, decided against the room as it stands."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import orjson
import structlog

from dreadclock.following.telling import hidden_part
from dreadclock.wire.base import Role, Text
from dreadclock.wire.commands import AmendCountdown, Command, DetachConsequence
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.countdown_changes import Clearable
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.things import BoundTo, Countdown, CountdownStatus
from dreadclock.wire.views import View
from dreadclock_server.core.decide import Decision, InternalCommand, decide
from dreadclock_server.core.draft import Actor, Dice
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Answer, No, Outcome, Sessions
from dreadclock_server.rooms.answers import done, to_json
from dreadclock_server.rooms.size import HiddenSpace, Size, is_outsider
from dreadclock_server.store.codec import Entry

_log = structlog.get_logger()
_NO_SPACE: Text = "This room has no space left for hidden events."

Reply = Callable[[Outcome | None], None]
"""Takes a command's outcome; None while it is not yet as durable as promised."""


# It never changes once it is made, nor do others that each command makes: frozen, they take three times as long.
@dataclass(slots=True)
class QueuedCommand:
    """A command that waits for its outcome."""

    actor: Actor
    command: Command | InternalCommand | Refused  # Refused: it was refused before it could be decided
    session: str  # empty: nobody will send it again, so its outcome need not be remembered
    n: int
    reply: Reply


@dataclass(slots=True)
class Attempt:
    """What a batch would bring about."""

    room: Room
    now_ms: int
    size: Size  # of the log once all of this is stored, but for what an entry has beside records and outcomes
    written: list[Written] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)  # of them, for each command that brought some about
    answers: list[Answer] = field(default_factory=list)  # of commands that were not answered before
    replies: list[tuple[QueuedCommand, Outcome]] = field(default_factory=list)
    repeats: int = 0  # commands that were answered before
    public_repeats: int = 0  # of them, those of seats without the gm's channel

    def take(self, pending: QueuedCommand, decided: Decision | No) -> Outcome:
        """Take in what was decided about a command, and return its outcome."""
        outcome = decided if isinstance(decided, No) else done(decided)
        written = [] if isinstance(decided, No) else decided.written
        if not isinstance(decided, No):
            self.room = decided.room
        if written:
            self.written += written
            self.counts.append(len(written))
        answers = [Answer(pending.actor.seat_id, pending.session, pending.n, outcome)] if pending.session else []
        self.answers += answers
        self.size.take(self.room, written, answers)
        return outcome


def attempt(
    room: Room,
    sessions: Sessions,
    batch: Sequence[QueuedCommand],
    *,
    unsaved: Sequence[Answer] = (),
    size: Size | None = None,
    dice: Dice,
    now_ms: int,
    fresh: Callable[[], str],
) -> Attempt:
    """Decide a batch, each command after what the ones before it brought about.

    `unsaved`: what was answered here and is not stored yet; what another node has stored comes before it. `size`: the
    log's. A refusal because the room is full is not remembered, or refusals would make a full room grow. Nor are other
    refusals of who sees hidden things, once there is no space left for these.

    The size is counted on from command to command, unsaved outcomes included: where a room is full must not depend on
    how commands fall into batches, because hidden commands have a part in that.
    """
    result = Attempt(room, now_ms, replace(size or Size()))
    result.size.take(room, (), unsaved)
    fresh_answers = {(answer.session, answer.n): answer.outcome for answer in unsaved} if unsaved else {}
    for pending in batch:
        key = (pending.session, pending.n)
        outcome = (sessions.outcome(*key) or fresh_answers.get(key)) if pending.session else None
        if outcome is not None:
            result.repeats += 1
            result.public_repeats += is_outsider(room, pending.actor.seat_id)
        elif pending.session and sessions.may_be_forgotten(pending.actor.seat_id, pending.session):
            outcome = No(Code.SESSION_EXPIRED, {})  # not remembered: it would make the session known again
        elif (outcome := result.size.refusal(pending.actor)) is None:
            decided = _decide(result, pending, dice, fresh)
            written = [] if isinstance(decided, No) else decided.written
            space = result.size.hidden_space(pending.actor, pending.command, written)
            if space is HiddenSpace.REFUSES:
                outcome = result.size.hidden_refusal()
            elif space is HiddenSpace.FORGETS:
                outcome = decided if isinstance(decided, No) else done(decided)
            else:
                if space is HiddenSpace.STOPS_HIDDEN:
                    _stop_hidden(result, dice, fresh)
                    decided = _decide(result, pending, dice, fresh, tells_skipped=False)
                outcome = result.take(pending, decided)
                if pending.session:
                    fresh_answers[key] = outcome
        result.replies.append((pending, outcome))
    return result


def _stop_hidden(result: Attempt, dice: Dice, fresh: Callable[[], str]) -> None:
    """Let nothing hidden happen by itself any more, by commands in the gm's name.

    Hidden countdowns are bound to nothing from now on, and hidden consequences are detached. The gm can reveal the
    countdowns and bind them again. What a command does in public stays the same, but for what would come of these.
    """
    gm = Actor(GM_SEAT, Role.GM)
    for command in _stops(result.room.view):
        pending = QueuedCommand(gm, command, "", 0, lambda outcome: None)
        result.take(pending, _decide(result, pending, dice, fresh))


def _stops(view: View) -> Sequence[Command]:
    hidden = hidden_part(view)
    return [
        *(
            _unbind(view, each)
            for each in hidden.countdowns.values()
            if each.status is CountdownStatus.RUNNING and each.bound_to is not BoundTo.NOTHING
        ),
        *(DetachConsequence(consequence_id=each, note=_NO_SPACE) for each in hidden.consequences),
    ]


def _unbind(view: View, one: Countdown) -> AmendCountdown:
    """Bind a countdown to nothing. An owner who left would keep it from being amended."""
    clear: tuple[Clearable, ...] = ("owner",) if one.owner is not None and one.owner not in view.seats else ()
    return AmendCountdown(countdown_id=one.id, bound_to=BoundTo.NOTHING, clear=clear, reason=_NO_SPACE)


def _decide(
    result: Attempt, pending: QueuedCommand, dice: Dice, fresh: Callable[[], str], *, tells_skipped: bool = True
) -> Decision | No:
    """Decide one command. A bug in a decision ends that command alone: nothing of it is kept."""
    if isinstance(pending.command, Refused):  # not raised: its traceback would hold it (test_unreleased)
        return _refused(pending.command, result.room)
    try:
        return decide(
            result.room,
            pending.command,
            by=pending.actor,
            dice=dice,
            now_ms=result.now_ms,
            fresh=fresh,
            tells_skipped=tells_skipped,
        )
    except Refused as refused:
        return _refused(refused, result.room)
    except Exception:
        _log.exception("bug", room=result.room.room_id, seat=pending.actor.seat_id, n=pending.n)
        return No(Code.BUG, {})


def _refused(refused: Refused, room: Room) -> No:
    """Return a refusal as an outcome. One that could not be written would keep the room from storing anything else."""
    try:
        orjson.dumps(refused.details)
    except TypeError:
        _log.exception("bug", room=room.room_id, code=refused.code)
        return No(Code.BUG, {})
    return No(refused.code, refused.details)


def entry_of(tried: Attempt, answers: Sequence[Answer], *, batch_id: str) -> Entry:
    """Make the entry that stores what a batch brings about, and these outcomes."""
    return Entry(
        batch_id=batch_id,
        at_ms=tried.now_ms,
        answers=[to_json(answer) for answer in answers],
        heads=tried.room.positions,
        texts=[each.text for each in tried.written],
        counts=tried.counts,
    )


def reply_all(replies: Iterable[tuple[QueuedCommand, Outcome | None]]) -> None:
    """Answer commands; what goes wrong with one answer costs nobody else theirs."""
    for pending, outcome in replies:
        try:
            pending.reply(outcome)
        except Exception:
            _log.exception("bug", seat=pending.actor.seat_id, n=pending.n)
