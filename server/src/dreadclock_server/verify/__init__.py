"""Verifying an export with the rules of this version: core decides each of its commands again.

    report = verify(Path("evening.jsonl").read_bytes())
    for fault in report.faults: print(fault)

Chain, order and dice are checked as `dreadclock.evening.audit` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from dreadclock.evening.audit import NotedHead, Report, audit
from dreadclock.evening.export import Header, Step, text_on
from dreadclock.evening.referee import judge as by_referee
from dreadclock.wire.base import Channel
from dreadclock.wire.views import View
from dreadclock_server.verify.deciding import Tell, Verifier


def verify(data: bytes, noted: Sequence[NotedHead] = ()) -> Report:
    """Check all of an export; `noted`: heads of it that are known from elsewhere."""
    return audit(data, noted, judge)


def judge(header: Header, steps: Sequence[Step], lines: Sequence[bytes], after: View, tell: Tell) -> list[str]:
    """Decide a log again, and tell of the records that differ; return remarks.

    Without the gm's channel much follows from what is not there: the referee judges that by what it shows.
    """
    if Channel.GM not in header.channels:
        by_referee(steps, header.channels, after, tell)
        return []
    return Verifier(header, steps, list(map(text_on, lines)), tell).run()
