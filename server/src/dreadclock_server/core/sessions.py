"""What became of the commands of each session, so that none is ever applied twice."""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.errors import Code, Details

OUTCOMES_KEPT = 64  # a session's latest
SEAT_OUTCOMES_KEPT = 4096  # of all sessions of a seat; the one used longest ago makes room for others
IDLE_MS = 7 * 24 * 3600 * 1000  # after which a session is forgotten
_PRUNE_EVERY = 256  # outcomes between two looks for idle sessions
_KEY = "key-"  # begins the session that a REST command with an Idempotency-Key counts as


@dataclass(slots=True)  # not frozen, as each command makes some
class Done:
    """A command was applied: where its channels stood after it, and its own first and last seq in each."""

    positions: dict[Channel, int]
    events: dict[Channel, tuple[int, int]]
    new_seat: Id | None = field(default=None, compare=False)  # of a command that made one; not stored


@dataclass(frozen=True, slots=True)
class No:
    """A command was refused."""

    code: Code
    details: Details


Outcome = Done | No


@dataclass(slots=True)  # likewise
class Answer:
    """The outcome of one numbered command."""

    seat_id: Id
    session: str
    n: int
    outcome: Outcome


@dataclass(slots=True)
class Session:
    """A session that the room remembers."""

    seat_id: Id
    last_ms: int
    high: int = 0  # the highest number answered
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def add(self, answer: Answer, at_ms: int) -> int:
        """Take in an outcome, and return how many more there are now."""
        before = len(self.outcomes)
        self.last_ms = max(self.last_ms, at_ms)
        self.high = max(self.high, answer.n)
        self.outcomes.setdefault(answer.n, answer.outcome)
        if len(self.outcomes) > OUTCOMES_KEPT:
            del self.outcomes[min(self.outcomes)]
        return len(self.outcomes) - before


@dataclass(slots=True)
class _OfSeat:
    """A seat's sessions, the one that was used last at the end."""

    by_id: dict[str, Session] = field(default_factory=dict)
    outcomes: int = 0  # of all of them
    forgotten_ms: int = -1  # when the one issued last was issued, of those that were forgotten


class Sessions:
    """The sessions that a room remembers, folded from what is stored.

    Which of them are forgotten may follow a clock that is wrong. That cannot make a command be done twice: of a
    session there remains at least that it, or one issued after it, was forgotten, and that is compared with the time
    in its id, never with a clock. Sessions of Idempotency-Keys have no time in them, so no clock makes them forgotten.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self._of_seat: dict[Id, _OfSeat] = {}
        self._since_prune = 0

    def remember(self, answers: Iterable[Answer], at_ms: int) -> None:
        """Take in stored outcomes, in the order they were stored: the first of a number stands.

        One that comes late, in a session that was forgotten meanwhile, does not make that known again: what else was
        done in it would be new.
        """
        for answer in answers:
            session = self.by_id.get(answer.session)
            if session is None and self.may_be_forgotten(answer.seat_id, answer.session):
                continue
            seat = self._seat(answer.seat_id)
            if session is None:
                session = self.by_id[answer.session] = Session(answer.seat_id, at_ms)
            seat.by_id.pop(answer.session, None)
            seat.by_id[answer.session] = session
            seat.outcomes += session.add(answer, at_ms)
            if seat.outcomes > SEAT_OUTCOMES_KEPT:
                self._forget(seat, next(iter(seat.by_id)))  # not used for the longest time
            self._since_prune += 1
        if self._since_prune >= _PRUNE_EVERY:
            self._prune(at_ms)

    def _seat(self, seat_id: Id) -> _OfSeat:
        seat = self._of_seat.get(seat_id)
        if seat is None:
            seat = self._of_seat[seat_id] = _OfSeat()
        return seat

    def _prune(self, now_ms: int) -> None:
        self._since_prune = 0
        for seat in self._of_seat.values():
            idle = [key for key, session in seat.by_id.items() if session.last_ms < now_ms - IDLE_MS]
            for key in idle:
                if not is_key(key):
                    self._forget(seat, key)

    def _forget(self, seat: _OfSeat, key: str) -> None:
        seat.outcomes -= len(seat.by_id.pop(key).outcomes)
        self.by_id.pop(key, None)
        if not is_key(key):
            seat.forgotten_ms = max(seat.forgotten_ms, issued_ms(key))

    def by_use(self) -> Iterator[tuple[str, Session]]:
        """Give all sessions, those of a seat in the order in which they were last used."""
        for seat in self._of_seat.values():
            yield from seat.by_id.items()

    @property
    def forgotten(self) -> dict[Id, int]:
        """When, by seat, the session was issued that was issued last of those that were forgotten."""
        return {seat_id: seat.forgotten_ms for seat_id, seat in self._of_seat.items() if seat.forgotten_ms >= 0}

    def recall(self, forgotten: Mapping[Id, int]) -> None:
        """Take over what is known of sessions that were forgotten."""
        for seat_id, at_ms in forgotten.items():
            seat = self._seat(seat_id)
            seat.forgotten_ms = max(seat.forgotten_ms, at_ms)

    def may_be_forgotten(self, seat_id: Id, session: str) -> bool:
        """Tell whether a session of a seat is not known, and may have been: then nothing can be done once in it."""
        if session in self.by_id or is_key(session):
            return False
        seat = self._of_seat.get(seat_id)
        return seat is not None and issued_ms(session) <= seat.forgotten_ms

    def issue_ms(self, seat_id: Id, now_ms: int) -> int:
        """Return the time to issue a seat's next session with: now, or after all that were forgotten."""
        seat = self._of_seat.get(seat_id)
        return now_ms if seat is None else max(now_ms, seat.forgotten_ms + 1)

    def outcome(self, session: str, n: int) -> Outcome | None:
        """Return what became of a command, None if it is new.

        A number that is no longer remembered, but below one that was answered, is a duplicate.
        """
        remembered = self.by_id.get(session)
        if remembered is None or n > remembered.high:
            return None
        return remembered.outcomes.get(n) or No(Code.DUPLICATE, {"n": n})


def key_session(digest: str) -> str:
    """Name the session that a REST command with an Idempotency-Key counts as, from the hex digest of seat and key."""
    return _KEY + digest


def is_key(session: str) -> bool:
    """Tell whether a session is that of an Idempotency-Key."""
    return session.startswith(_KEY)


def issued_ms(session: str) -> int:
    """Read from a session's id when it was issued, the 48 bits at its beginning; 0 if it is of another form."""
    try:
        stamp = base64.urlsafe_b64decode(session[:8])
    except (binascii.Error, ValueError):
        return 0
    return int.from_bytes(stamp, "big") if len(stamp) == 6 else 0
