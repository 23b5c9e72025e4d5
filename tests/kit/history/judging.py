"""Judging a history: whether it keeps what was promised, and if not, what is wrong and where.

Numbers that were acknowledged are the log's, dense and nobody else's; what ended before something else began stands
before it; nothing acknowledged is lost, nothing is there twice, and nothing that nobody sent; each client heard a slice
of the log, across all its connections; and the log, folded, gives the views that clients hold.

The log is its own witness of the order, so that nothing has to be searched for: n operations cost n log n.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from dreadclock.wire.base import Channel
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record
from dreadclock.wire.views import View, empty_view
from kit.history.findings import Finding, Kind
from kit.history.log import Log
from kit.history.operations import check_operations
from kit.history.recorded import History
from kit.history.streams import check_stream

MOST_SHOWN = 10


def findings(history: History) -> list[Finding]:
    """List all that is wrong with a history. The log comes first: if it is broken, the rest may follow from that."""
    log = Log(history)
    found = [*log.faults, *check_operations(history, log)]
    found += filter(None, (check_stream(stream, log) for stream in history.streams))
    return [*found, *_wrong_views(history)]


def hold(history: History) -> None:
    """Raise AssertionError with what is wrong with a history, in sentences, if anything is."""
    found = findings(history)
    if found:
        shown = "\n".join(f"- {finding}" for finding in islice(found, MOST_SHOWN))
        more = f"\n- and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
        raise AssertionError(f"the history of room {history.room} does not hold:\n{shown}{more}")


def _wrong_views(history: History) -> Iterator[Finding]:
    if not history.views:
        return
    replayed = _replayed(history.log)
    for client, view in history.views.items():
        for channel, part in view.channels.items():
            if part != replayed.channels[channel]:
                yield Finding(Kind.VIEW, f"{client} holds another {channel} view than the log gives")


def _replayed(log: Sequence[str]) -> View:
    view = empty_view(*Channel)
    for text in log:
        view = fold(view, Record.model_validate_json(text))
    return view
