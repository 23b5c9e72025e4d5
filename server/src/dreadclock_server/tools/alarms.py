"""Alarms in a terminal, about a wrong log or wrong dice.

Rolls that another device of the seat may have made are only warnings.
"""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from dreadclock.client.trust.alarms import Alarm, LogAlarm, RollAlarm
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.plain import plain
from dreadclock.wire.records import Record
from dreadclock_server.tools.canvas import Rank, Row, Section
from dreadclock_server.tools.words import Words

LATEST: Final = 4  # alarms in a picture
_LOUD: Final = "bold white on red"
_DOUBTFUL: Final = "yellow"


def drawn_alarms(alarms: Sequence[Alarm], words: Words) -> Section:
    """Draw the latest alarms, and the number of earlier alarms. Rolls by other devices share one line."""
    loud = [alarm for alarm in alarms if alarm.is_certain]
    lines = [_loud(_sentence(alarm, words), words) for alarm in loud[-LATEST:]]
    if len(loud) > LATEST:
        lines.insert(0, _loud(words("alarm.more", number=len(loud) - LATEST), words))
    elsewhere = [alarm for alarm in alarms if not alarm.is_certain]
    if elsewhere:
        lines.append(_from_elsewhere(elsewhere, words))
    return Section("", [Row((line,), Rank.TOP) for line in lines])


def told_alarms(alarms: Sequence[Alarm], shown: int, words: Words) -> list[Text]:
    """Return lines about the alarms that were not printed yet. `shown`: how many alarms were printed.

    Rolls by other devices get one line, unless such a line was printed before.
    """
    was_doubtful = any(not alarm.is_certain for alarm in alarms[:shown])
    lines = [_loud(_sentence(alarm, words), words) for alarm in alarms[shown:] if alarm.is_certain]
    elsewhere = [alarm for alarm in alarms[shown:] if not alarm.is_certain]
    return [*lines, *([_from_elsewhere(elsewhere, words)] if elsewhere and not was_doubtful else [])]


def _loud(text: str, words: Words) -> Text:
    return Text(f"{words('alarm')}  {plain(text)}", _LOUD)


def _sentence(alarm: Alarm, words: Words) -> str:
    """Return an alarm as a sentence in the language of `words`; in English if `words` has no sentences for alarms."""
    if not words.has("alarm.log"):
        return alarm.sentence
    match alarm:
        case LogAlarm():
            return words("alarm.log", problem=alarm.problem)
        case RollAlarm(lane=str()):
            return words("alarm.lane", lane=alarm.lane, flaw=alarm.flaw)
        case DiceAlarm(record=record, flaw=flaw) | RollAlarm(record=Record() as record, flaw=flaw):
            return words("alarm.record", seq=record.seq, type=record.event.type, flaw=flaw)
        case _:
            return words("alarm.missing", type=getattr(alarm.command, "type", "?"), flaw=alarm.flaw)


def _from_elsewhere(alarms: Sequence[Alarm], words: Words) -> Text:
    last = alarms[-1]
    number = last.record.seq if isinstance(last, RollAlarm) and last.record else 0
    return Text(words("alarm.elsewhere", seq=number), _DOUBTFUL)
