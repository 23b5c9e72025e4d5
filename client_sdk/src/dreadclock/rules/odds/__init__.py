"""Exact odds of the rules: `countdown` and `race` in fractions, `report` ready for JSON."""

from __future__ import annotations

from dreadclock.rules.odds.report import CountdownReport, RaceReport, countdown_report, race_report, read_fraction

__all__ = ["CountdownReport", "RaceReport", "countdown_report", "race_report", "read_fraction"]
