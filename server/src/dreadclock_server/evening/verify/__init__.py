"""Check an export by the rules of this version. The core decides each command of the export's log again.

    report = verify(Path("evening.jsonl").read_bytes())
    for fault in report.faults: print(fault)

Chain, order and dice are checked by `dreadclock.dice.audit`.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence

from dreadclock.dice.audit import NotedHead, Report, ReportFault, RulesChecked, audit
from dreadclock.export import Header, Step, text_on
from dreadclock.wire.base import Channel
from dreadclock_server.evening.verify.deciding import Verifier
from dreadclock_server.evening.verify.unseen import PublicVerifier

# A garbage collection starts after this many new objects. Nearly all objects live until the end, so collections free
# little. With Python's default, they took a tenth of the time.
_COLLECT_AFTER = 50_000


def verify(data: bytes, noted: Sequence[NotedHead] = ()) -> Report:
    """Check an export. `noted`: positions in its log (number and hash) that somebody noted earlier."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_COLLECT_AFTER, 50, 100)
    try:
        return audit(data, noted, check_rules)
    finally:
        gc.set_threshold(*thresholds)


def check_rules(
    header: Header, steps: Sequence[Step], lines: Sequence[bytes], report_fault: ReportFault
) -> RulesChecked:
    """Decide each command of a log again, and report the records that differ.

    For an export without the gm's channel, events that hidden things can have caused are allowed, and a remark lists
    them.
    """
    texts = list(map(text_on, lines))
    verifier = Verifier if Channel.GM in header.channels else PublicVerifier
    return verifier(header, steps, texts, report_fault).run()
