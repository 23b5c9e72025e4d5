"""Write the recap of a room in a separate process. gateway/rest/recap_calls.py starts it.

Reads from stdin: a line with a `Wanted` as JSON, then a room's records, one per line. Writes the page to stdout.
"""

from datetime import UTC, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dreadclock.export import LogId, read_export, write_export
from dreadclock.wire.base import Channel, Model, RoomId
from dreadclock.wire.rest import Language, Zone
from dreadclock_server.evening.recap.page import page
from dreadclock_server.evening.verify import verify
from dreadclock_server.worker import run


class Wanted(Model):
    """The options of the page (`language`, `zone`, `style`), and the header of the log."""

    room: RoomId
    log_id: LogId
    channels: tuple[Channel, ...]
    language: Language = "en"
    zone: Zone = "UTC"
    style: Literal["none"] | None = None  # `none`: for a page that has its own style


def written(data: bytes) -> bytes:
    """Return the page for the worker's input."""
    first, *records = data.decode().removesuffix("\n").split("\n")
    wanted = Wanted.model_validate_json(first)
    export = "".join(write_export(wanted.room, wanted.log_id, wanted.channels, records)).encode()
    report, zone, styled = verify(export), zone_of(wanted.zone), wanted.style is None
    return page(read_export(export), wanted.language, zone, report=report, styled=styled).encode()


def zone_of(name: str) -> tzinfo:
    """Return the time zone of this name, or UTC if this machine does not know it. The page shows which zone it uses."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


if __name__ == "__main__":
    run(written)
