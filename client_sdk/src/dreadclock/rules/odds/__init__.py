"""Exact odds of the rules: `countdown`, `race`, `check`, `contest` in fractions, reports ready for JSON."""

from dreadclock.rules.odds.check_report import CheckReport, ContestReport, check_report, contest_report
from dreadclock.rules.odds.report import (
    CountdownReport,
    RaceReport,
    TableReport,
    countdown_report,
    race_report,
    read_fraction,
    table_report,
)
from dreadclock.rules.odds.total_report import PushReport, TotalReport, push_report, total_report

__all__ = [
    "CheckReport",
    "ContestReport",
    "CountdownReport",
    "PushReport",
    "RaceReport",
    "TableReport",
    "TotalReport",
    "check_report",
    "contest_report",
    "countdown_report",
    "push_report",
    "race_report",
    "read_fraction",
    "table_report",
    "total_report",
]
