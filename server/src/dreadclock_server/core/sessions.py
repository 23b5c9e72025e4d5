"""The outcomes of commands by session, so that no command is applied twice.

A client numbers its commands in a session.
"""

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.errors import Code, Details

OUTCOMES_KEPT = 64  # per session
SEAT_OUTCOMES_KEPT = 4096  # per seat; beyond that, the least recently used session is forgotten
IDLE_MS = 7 * 24 * 3600 * 1000  # an idle session is forgotten after this time, unless it belongs to an Idempotency-Key
_PRUNE_EVERY = 256  # outcomes between two checks for idle sessions
_KEY = "key-"  # prefix of the sessions of Idempotency-Keys


@dataclass(slots=True)  # immutable by convention: `frozen=True` would slow down every command
class Done:
    """A command was applied.

    `positions`: by channel, the seq of the last record after the command. `events`: by channel, the first and last seq
    of the command's own records.
    """

    positions: dict[Channel, int]
    events: dict[Channel, tuple[int, int]]
    new_seat: Id | None = field(default=None, compare=False)  # the seat that the command made; not stored


@dataclass(frozen=True, slots=True)
class No:
    """A command was refused."""

    code: Code
    details: Details


Outcome = Done | No


@dataclass(slots=True)  # immutable by convention, as `Done` is
class Answer:
    """The outcome of the `n`th command of a session."""

    seat_id: Id
    session: str
    n: int
    outcome: Outcome


@dataclass(slots=True)
class Session:
    """The outcomes of one session's latest commands, by number."""

    seat_id: Id
    last_ms: int
    high: int = 0  # the highest number answered
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def add(self, answer: Answer, at_ms: int) -> int:
        """Add an outcome, and drop the outcome with the lowest number if there are too many.

        Return how many more outcomes are kept than before: 0 or 1.
        """
        before = len(self.outcomes)
        self.last_ms = max(self.last_ms, at_ms)
        self.high = max(self.high, answer.n)
        self.outcomes.setdefault(answer.n, answer.outcome)
        if len(self.outcomes) > OUTCOMES_KEPT:
            del self.outcomes[min(self.outcomes)]
        return len(self.outcomes) - before


@dataclass(slots=True)
class _OfSeat:
    """A seat's sessions, the most recently used last."""

    by_id: dict[str, Session] = field(default_factory=dict)
    outcomes: int = 0  # in all sessions
    forgotten_ms: int = -1  # the latest issue time among the forgotten sessions


class Sessions:
    """The sessions that a room remembers, rebuilt from the stored outcomes.

    If the server's clock is wrong, a session may be forgotten too early. Even then, no command is applied twice: for
    each seat, the room keeps the latest issue time of all forgotten sessions (when the server made them). An unknown
    session with an earlier or equal issue time may be one of them, so its commands are refused. Sessions of
    Idempotency-Keys have no issue time, and are not forgotten because of their age.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self._of_seat: dict[Id, _OfSeat] = defaultdict(_OfSeat)
        self._since_prune = 0

    def remember(self, answers: Iterable[Answer], at_ms: int) -> None:
        """Add stored outcomes, in the order in which they were stored. The first outcome of a number counts.

        Ignores the outcomes of a session that may have been forgotten. If the session were added anew, its older
        commands could run again.
        """
        for answer in answers:
            session = self.by_id.get(answer.session)
            if session is None and self.may_be_forgotten(answer.seat_id, answer.session):
                continue
            seat = self._of_seat[answer.seat_id]
            if session is None:
                session = self.by_id[answer.session] = Session(answer.seat_id, at_ms)
            seat.by_id.pop(answer.session, None)
            seat.by_id[answer.session] = session
            seat.outcomes += session.add(answer, at_ms)
            if seat.outcomes > SEAT_OUTCOMES_KEPT:
                self._forget(seat, next(iter(seat.by_id)))  # the least recently used session
            self._since_prune += 1
        if self._since_prune >= _PRUNE_EVERY:
            self._prune(at_ms)

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
        """Yield all sessions with their ids, seat by seat. A seat's sessions come in the order of their last use."""
        for seat in self._of_seat.values():
            yield from seat.by_id.items()

    @property
    def forgotten(self) -> dict[Id, int]:
        """By seat: the latest issue time among its forgotten sessions."""
        return {seat_id: seat.forgotten_ms for seat_id, seat in self._of_seat.items() if seat.forgotten_ms >= 0}

    def recall(self, forgotten: Mapping[Id, int]) -> None:
        """Restore the issue times that a snapshot has stored from `forgotten`."""
        for seat_id, at_ms in forgotten.items():
            seat = self._of_seat[seat_id]
            seat.forgotten_ms = max(seat.forgotten_ms, at_ms)

    def may_be_forgotten(self, seat_id: Id, session: str) -> bool:
        """Tell whether a session is unknown and may have been forgotten. Its commands must be refused then."""
        if session in self.by_id or is_key(session):
            return False
        seat = self._of_seat.get(seat_id)
        return seat is not None and issued_ms(session) <= seat.forgotten_ms

    def issue_ms(self, seat_id: Id, now_ms: int) -> int:
        """Return the issue time for a seat's next session: now, but later than all forgotten sessions."""
        seat = self._of_seat.get(seat_id)
        return now_ms if seat is None else max(now_ms, seat.forgotten_ms + 1)

    def outcome(self, session: str, n: int) -> Outcome | None:
        """Return the outcome of a command; None if the command is new.

        A command is not new if the session has answered the same or a higher number. If its outcome is no longer kept,
        returns the refusal `duplicate`.
        """
        remembered = self.by_id.get(session)
        if remembered is None or n > remembered.high:
            return None
        return remembered.outcomes.get(n) or No(Code.DUPLICATE, {"n": n})


def key_session(digest: str) -> str:
    """Return the session of an Idempotency-Key. `digest`: the hex digest of seat and key."""
    return _KEY + digest


def is_key(session: str) -> bool:
    """Tell whether a session belongs to an Idempotency-Key."""
    return session.startswith(_KEY)


def issued_ms(session: str) -> int:
    """Return a session's issue time: the first 48 bits of its id; 0 for an id of another form."""
    try:
        stamp = base64.urlsafe_b64decode(session[:8])
    except (binascii.Error, ValueError):
        return 0
    return int.from_bytes(stamp, "big") if len(stamp) == 6 else 0
