"""What became of the commands of each session, so that none is ever applied twice."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.errors import Code, Details

OUTCOMES_KEPT = 64  # a session's latest
SEAT_OUTCOMES_KEPT = 4096  # of all sessions of a seat; the one used longest ago makes room for others
CLOCKS_DIFFER_MS = 60_000  # at the most, from node to node
IDLE_MS = 7 * 24 * 3600 * 1000  # after which a session is forgotten
_PRUNE_EVERY = 256  # outcomes between two looks for idle sessions


@dataclass(frozen=True, slots=True)
class Done:
    """A command was applied: where its channels stood after it, and its own first and last seq in each."""

    positions: dict[Channel, int]
    events: dict[Channel, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class No:
    """A command was refused."""

    code: Code
    details: Details


Outcome = Done | No


@dataclass(frozen=True, slots=True)
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
    forgotten_ms: int = 0  # when the last one was used that had to make room


class Sessions:
    """The sessions that a room remembers, folded from what is stored."""

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self._of_seat: dict[Id, _OfSeat] = {}
        self._since_prune = 0

    def remember(self, answers: Iterable[Answer], at_ms: int) -> None:
        """Take in stored outcomes, in the order they were stored: the first of a number stands."""
        for answer in answers:
            seat = self._of_seat.setdefault(answer.seat_id, _OfSeat())
            session = self.by_id.setdefault(answer.session, Session(answer.seat_id, at_ms))
            seat.by_id.pop(answer.session, None)
            seat.by_id[answer.session] = session
            seat.outcomes += session.add(answer, at_ms)
            if seat.outcomes > SEAT_OUTCOMES_KEPT:
                self._make_room(seat)
            self._since_prune += 1
        if self._since_prune >= _PRUNE_EVERY:
            self._prune(at_ms)

    def _make_room(self, seat: _OfSeat) -> None:
        """Forget the seat's session that was not used for the longest time."""
        oldest = next(iter(seat.by_id))
        seat.forgotten_ms = max(seat.forgotten_ms, seat.by_id[oldest].last_ms)
        self._forget(seat, oldest)

    def _prune(self, now_ms: int) -> None:
        self._since_prune = 0
        for seat in self._of_seat.values():
            for key in [key for key, session in seat.by_id.items() if session.last_ms < now_ms - IDLE_MS]:
                self._forget(seat, key)

    def _forget(self, seat: _OfSeat, key: str) -> None:
        seat.outcomes -= len(seat.by_id.pop(key).outcomes)
        self.by_id.pop(key, None)

    def by_use(self) -> Iterator[tuple[str, Session]]:
        """Give all sessions, those of a seat in the order in which they were last used."""
        for seat in self._of_seat.values():
            yield from seat.by_id.items()

    @property
    def forgotten(self) -> dict[Id, int]:
        """When, by seat, the last session was used that had to make room for newer ones."""
        return {seat_id: seat.forgotten_ms for seat_id, seat in self._of_seat.items() if seat.forgotten_ms}

    def recall(self, forgotten: Mapping[Id, int]) -> None:
        """Take over what is known of sessions that had to make room."""
        for seat_id, at_ms in forgotten.items():
            self._of_seat.setdefault(seat_id, _OfSeat()).forgotten_ms = at_ms

    def may_be_new(self, seat_id: Id, issued_ms: int, now_ms: int) -> bool:
        """Tell whether a session that is not known, issued to a seat then, cannot be one that was forgotten."""
        seat = self._of_seat.get(seat_id)
        forgotten_ms = seat.forgotten_ms + CLOCKS_DIFFER_MS if seat and seat.forgotten_ms else 0
        return issued_ms > max(now_ms - IDLE_MS, forgotten_ms)

    def outcome(self, session: str, n: int) -> Outcome | None:
        """Return what became of a command, None if it is new.

        A number that is no longer remembered, but below one that was answered, is a duplicate.
        """
        known = self.by_id.get(session)
        if known is None or n > known.high:
            return None
        return known.outcomes.get(n) or No(Code.DUPLICATE, {"n": n})
