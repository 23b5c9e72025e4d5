"""Alarms in a terminal: loud, but for rolls of one's own seat that another device may have made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from dreadclock.alarms import Alarm, RollAlarm
from dreadclock.cli.canvas import Rank, Row, Section
from dreadclock.flaws import Flaw
from dreadclock.plain import plain

LATEST: Final = 4  # that a picture shows
_LOUD: Final = "bold white on red"
_DOUBTFUL: Final = "yellow"


def drawn_alarms(alarms: Sequence[Alarm]) -> Section:
    """Draw the latest alarms, how many came before them, and rolls from elsewhere in one line."""
    loud = [alarm for alarm in alarms if not _is_doubtful(alarm)]
    lines = [_loud(alarm) for alarm in loud[-LATEST:]]
    if len(loud) > LATEST:
        lines.insert(0, Text(f"ALARM  {len(loud) - LATEST} more before these.", _LOUD))
    elsewhere = [alarm for alarm in alarms if _is_doubtful(alarm)]
    if elsewhere:
        lines.append(_from_elsewhere(elsewhere))
    return Section("", [Row((line,), Rank.TOP) for line in lines])


def told_alarms(alarms: Sequence[Alarm], told: int) -> list[Text]:
    """Tell the alarms after the first `told`; that this seat rolls elsewhere, too, is told once."""
    known = any(map(_is_doubtful, alarms[:told]))
    lines = [_loud(alarm) for alarm in alarms[told:] if not _is_doubtful(alarm)]
    elsewhere = [alarm for alarm in alarms[told:] if _is_doubtful(alarm)]
    return [*lines, *([_from_elsewhere(elsewhere)] if elsewhere and not known else [])]


def _is_doubtful(alarm: Alarm) -> bool:
    return isinstance(alarm, RollAlarm) and alarm.flaw is Flaw.NOT_SENT


def _loud(alarm: Alarm) -> Text:
    return Text(f"ALARM  {plain(alarm.sentence)}", _LOUD)


def _from_elsewhere(alarms: Sequence[Alarm]) -> Text:
    last = alarms[-1]
    number = last.record.seq if isinstance(last, RollAlarm) and last.record else 0
    return Text(f"This seat also rolls elsewhere, last in record {number}: is that you?", _DOUBTFUL)
