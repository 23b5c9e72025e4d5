"""What became of the commands of each session, so that none is ever applied twice."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id
from dreadclock.wire.errors import Code, Details

OUTCOMES_KEPT = 64  # a session's latest
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


class Sessions:
    """The sessions that a room remembers, folded from what is stored."""

    def __init__(self) -> None:
        self.by_id: dict[str, Session] = {}
        self._since_prune = 0

    def remember(self, answers: Iterable[Answer], at_ms: int) -> None:
        """Take in stored outcomes, in the order they were stored: the first of a number stands."""
        for answer in answers:
            session = self.by_id.setdefault(answer.session, Session(answer.seat_id, at_ms))
            session.last_ms = max(session.last_ms, at_ms)
            session.high = max(session.high, answer.n)
            session.outcomes.setdefault(answer.n, answer.outcome)
            if len(session.outcomes) > OUTCOMES_KEPT:
                del session.outcomes[min(session.outcomes)]
            self._since_prune += 1
        if self._since_prune >= _PRUNE_EVERY:
            self._prune(at_ms)

    def _prune(self, now_ms: int) -> None:
        self._since_prune = 0
        idle = [key for key, session in self.by_id.items() if session.last_ms < now_ms - IDLE_MS]
        for key in idle:
            del self.by_id[key]

    def outcome(self, session: str, n: int) -> Outcome | None:
        """Return what became of a command, None if it is new.

        A number that is no longer remembered, but below one that was answered, is a duplicate.
        """
        known = self.by_id.get(session)
        if known is None or n > known.high:
            return None
        return known.outcomes.get(n) or No(Code.DUPLICATE, {"n": n})
