"""Verifying an export with the rules of this version: core decides each of its commands again.

    report = verify(Path("evening.jsonl").read_bytes())
    for fault in report.faults: print(fault)

Chain, order and dice are checked as `dreadclock.evening.audit` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from dreadclock.evening.audit import NotedHead, Report, audit
from dreadclock.evening.export import Header, Step, text_on
from dreadclock.wire.base import Channel
from dreadclock.wire.views import View
from dreadclock_server.verify.deciding import Tell, Verifier
from dreadclock_server.verify.unseen import PublicVerifier


def verify(data: bytes, noted: Sequence[NotedHead] = ()) -> Report:
    """Check all of an export; `noted`: heads of it that are known from elsewhere."""
    return audit(data, noted, judge)


def judge(header: Header, steps: Sequence[Step], lines: Sequence[bytes], after: View, tell: Tell) -> list[str]:
    """Decide a log again, and tell of the records that differ; return remarks.

    Without the gm's channel, what hidden things cause is allowed, and remarked on.
    """
    texts = list(map(text_on, lines))
    verifier = Verifier if Channel.GM in header.channels else PublicVerifier
    return verifier(header, steps, texts, tell).run()
