"""What can be wrong with a history."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The ways in which a history breaks a promise."""

    # the log
    GAP = "gap"  # its numbers are not 1, 2, 3 ...
    CHAIN = "chain"  # it does not hash to its head
    MISPLACED = "misplaced"  # a gm's record does not follow the public one that it names
    UNSENT = "unsent"  # it holds what nobody sent
    # operations
    LOST = "lost"  # acknowledged, and not in the log
    DOUBLED = "doubled"  # in the log more than once
    MOVED = "moved"  # acknowledged at another place than the log's
    SHARED = "shared"  # acknowledged at a place that another was acknowledged at
    CHANGED = "changed"  # acknowledged with other records than the log's
    REFUSED = "refused"  # refused, and in the log all the same
    FORGOTTEN = "forgotten"  # its session was gone, a week too early
    POSITIONS = "positions"  # acknowledged with a position that does not fit its place
    DISORDER = "disorder"  # before what was done when it began
    # streams
    SKIPPED = "skipped"  # a record was left out
    REPEATED = "repeated"  # a record came again
    OTHER = "other"  # a record is not the log's
    UNHEARD = "unheard"  # told that it stands beyond what it heard
    SET_BACK = "set back"  # told that it stands before what it heard
    HEAD = "head"  # told another hash than the log's
    FORKED = "forked"  # told that the log is another one
    NOT_ITS_OWN = "not its own"  # heard a channel that it does not hold
    LEFT_BEHIND = "left behind"  # did not hear the end
    VIEW = "view"  # holds another view than the log gives


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, in a sentence that says what and where."""

    kind: Kind
    sentence: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"
