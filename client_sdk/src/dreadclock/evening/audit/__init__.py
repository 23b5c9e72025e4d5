"""The audit of an export: its chain, its dice and its rules, checked from the file alone.

    report = audit(Path("evening.jsonl").read_bytes())
    for fault in report.faults: print(fault)

A fault does not end the audit, unless the chain itself is broken: then what came before is still reported.
"""

from dreadclock.evening.audit.auditing import audit
from dreadclock.evening.audit.report import Fault, FaultKind, NotedHead, Report, RollReport, Standing

__all__ = ["Fault", "FaultKind", "NotedHead", "Report", "RollReport", "Standing", "audit"]
