"""Check an export in a separate process, so that the check does not block the server. gateway/rest/imports.py
starts it.

Reads the export from stdin, and writes `Findings` as JSON to stdout.
"""

from pydantic import Field

from dreadclock.export import Header
from dreadclock.wire.base import Channel, Model, Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.records import room_id_of
from dreadclock.wire.things import Origin
from dreadclock.wire.views import View
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.room import empty_room
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from dreadclock_server.worker import run

# Results are limited, because the server parses them on its event loop. The result for a full room takes a fifth of
# this.
MOST_FOUND_BYTES = 1 << 20


class Findings(Model):
    """The result of a check of an export.

    `problem`: why the export cannot be used. Without a problem, `view` is the view at the end, `origins` has the number
    and hash of each channel's last record, and `remarks` are sentences about the log.
    """

    problem: str | None = None
    view: View | None = None
    origins: dict[Channel, Origin] = Field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def examined(data: bytes) -> Findings:
    """Check an export. Return the problem if it is not valid. Raises Refused if no new room can continue it."""
    report = verify(data)
    if not report.sound:
        return Findings(problem=f"the export does not hold at {report.faults[0]}")
    view = report.after
    if report.header is None or view is None or view.public.title is None or GM_SEAT not in view.seats:
        return Findings(problem="the export holds no room with a gm")
    findings = Findings(view=view, origins=_origins(report.header), remarks=tuple(report.remarks))
    _rehearse(Continue(view.public.title, view, findings.origins))
    return findings


def _origins(header: Header) -> dict[Channel, Origin]:
    return {
        channel: Origin(room=header.room, log_id=header.log_id, seq=head.seq, hash=head.hash)
        for channel, head in header.heads.items()
    }


def _rehearse(command: Continue) -> None:
    """Raise Refused if no room can continue this state."""
    room_id, gm = room_id_of(bytes(16)), Actor(GM_SEAT, Role.GM)
    opening, dice = empty_room(room_id, "0" * 32), Ledger(room_id, bytes(32))
    decide(opening, command, by=gm, dice=dice, now_ms=0, fresh=lambda: "rehearsal")


def answer(data: bytes) -> bytes:
    """Return the Findings of an export, as JSON of at most MOST_FOUND_BYTES."""
    try:
        text = _written(examined(data))
    except Refused as refused:
        text = _written(Findings(problem=str(refused.details.get("problem", refused))))
    if len(text) > MOST_FOUND_BYTES:
        text = _written(Findings(problem="it has more things than a room can take over"))
    return text


def _written(findings: Findings) -> bytes:
    return findings.model_dump_json(exclude_none=True).encode()


if __name__ == "__main__":
    run(answer)
