"""The first room of a server. Every start of the server prints the links of this room.

A link has the token of a seat: whoever has the token may use the seat.
"""

import hashlib
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

import structlog
from pydantic import TypeAdapter

from dreadclock.client.trust.device import read_regular
from dreadclock.wire.base import Role, RoomId
from dreadclock.wire.errors import Refused
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.things import Policy
from dreadclock_server.app import Application
from dreadclock_server.core.families.room import Open
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.rest import room_calls
from dreadclock_server.privacy import keep_private, write_private
from dreadclock_server.settings.table import Settings

TITLE = "The first table"
_INVITED = (Role.PLAYER, Role.SPECTATOR)
_KNOWN = "These links are as before; seats that were invited keep the links they were given."
_CLOSED = "The first room was closed, so here is a new one."
_GONE = "The first room is gone, or its gm's link is void, so here is a new one."
_DAMAGED = "The file of the first room's links was damaged. It is now {}, and here is a new room."
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FirstRoom:
    """A room and the tokens of its first seats. `news`: a line for the operator about the room, or empty."""

    room_id: RoomId
    tokens: dict[str, str]  # the token for each role
    news: str = ""

    def links(self, url: str) -> dict[str, str]:
        """Return a link for each role."""
        return {role: f"{url}/r/{self.room_id}#{token}" for role, token in self.tokens.items()}


_FILE = TypeAdapter(FirstRoom)


async def first_room(app: Application, settings: Settings) -> FirstRoom:
    """Return the room of an earlier start, or open a room and store its tokens in the data directory.

    Leaves out tokens that are no longer valid. Renames the file and opens a new room if the file is damaged, if the
    room is closed, or if the gm's token is no longer valid. Raises OSError if the file exists and cannot be read.
    """
    path = settings.data_folder / links_name(settings.store)
    keep_private(path)
    news = ""
    try:
        earlier = _read(path)
    except ValueError:
        aside = _put_aside(path, "damaged")
        _log.warning("the first room's links were damaged", file=str(path), moved_to=str(aside))
        earlier, news = None, _DAMAGED.format(aside)
    if earlier is not None:
        valid, closed = await _still_opening(app, earlier)
        if Role.GM in valid and not closed:
            return FirstRoom(earlier.room_id, valid, _KNOWN)
        _put_aside(path, earlier.room_id)
        news = _CLOSED if closed else _GONE
    opened = await _open(app)
    write_private(path, _FILE.dump_json(opened, exclude={"news"}).decode())
    return replace(opened, news=news)


def links_name(store: str | None) -> str:
    """Return the name of the file with the links. Each external store has a file of its own."""
    return "links.json" if store is None else f"links-{hashlib.sha256(store.encode()).hexdigest()[:12]}.json"


def _read(path: Path) -> FirstRoom | None:
    """Read the file. Return None if there is no file. Raises ValueError if it is damaged, OSError if unreadable."""
    try:
        return _FILE.validate_json(read_regular(path))
    except FileNotFoundError:
        if path.is_symlink():  # do not make a new file: the link's target may be on a volume that is not mounted
            raise
        return None


def _put_aside(path: Path, tag: str) -> Path:
    """Rename a file to an unused name, and return the name."""
    tags = chain([tag], (f"{tag[:20]}-{number}" for number in count(2)))
    aside = next(new for name in tags if not (new := path.with_suffix(f".{name}.json")).exists())
    path.rename(aside)
    return aside


async def _still_opening(app: Application, room: FirstRoom) -> tuple[dict[str, str], bool]:
    """Return the tokens that are still valid, and whether the room is closed."""
    valid, closed = {}, False
    for role, token in room.tokens.items():
        try:
            live, _ = await tokens.check(app.rooms, room.room_id, token)
        except Refused:
            continue
        valid[role] = token
        closed = live.room.view.public.closed
    return valid, closed


async def _open(app: Application) -> FirstRoom:
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    room_id = await app.rooms.begin(Open(TITLE, Policy()), {tokens.hash_of(token): tokens.stored(info)})
    live = await app.rooms.get(room_id)
    made = {Role.GM.value: token}
    for role in _INVITED:
        seat_id = await room_calls.new_seat(live, role)
        token, info = tokens.make(seat_id, role, (), None)
        await tokens.put(app.rooms.store, live, token, info)
        made[role.value] = token
    return FirstRoom(room_id, made)
