"""The result of the audit of the dice: how many rolls are proven, and how many are not."""

from collections.abc import Iterator

from dreadclock.dice.audit import Report, Standing
from dreadclock_server.evening.recap.words import Words


def proofs(report: Report, words: Words) -> Iterator[str]:
    """Yield a line with the number of rolls, then a line for each standing that rolls have.

    The standing of a roll says how far the roll is proven.
    """
    if report.rolls:
        yield words("proofs", rolls=len(report.rolls))
    for standing, count in report.counts.items():
        if count:
            yield words(f"proof.{standing}", count=count, witnessed=_witnessed(report))


def _witnessed(report: Report) -> int:
    return sum(roll.standing is Standing.PROVEN and roll.witnesses > 0 for roll in report.rolls)


def alarm(report: Report, words: Words) -> str:
    """Return a warning with the number of faults in the audit, and the line of the first; empty without faults."""
    return "" if report.sound else words("unsound", faults=len(report.faults), line=report.faults[0].line)
