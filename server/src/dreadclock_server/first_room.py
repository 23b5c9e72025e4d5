"""The first room of a server, and its links, which the next start prints again."""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.things import Policy
from dreadclock_server.app import Application
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.rest import room_calls
from dreadclock_server.privacy import keep_private
from dreadclock_server.settings import Settings

TITLE = "The first table"
_INVITED = (Role.PLAYER, Role.SPECTATOR)
_KNOWN = "These links are as before; seats that were invited keep the links they were given."
_CLOSED = "The first room was closed, so here is a new one."
_GONE = "The first room is gone, or its gm's link is void, so here is a new one."


@dataclass(frozen=True, slots=True)
class FirstRoom:
    """A room and the tokens that open its seats; `news`: what has become of it since the last start, in a line."""

    room_id: str
    tokens: dict[str, str]  # by role
    news: str = ""

    def links(self, url: str) -> dict[str, str]:
        """Return a link for each role."""
        return {role: f"{url}/r/{self.room_id}#{token}" for role, token in self.tokens.items()}


async def first_room(app: Application, settings: Settings) -> FirstRoom:
    """Return the room that was opened at an earlier start, or open one and keep its tokens in the data directory.

    Tokens that were revoked meanwhile are left out. Those of a room that is closed, gone, or out of its gm's reach
    are kept aside, never overwritten.
    """
    path = settings.data / links_name(settings.store)
    keep_private(path)
    known, closed = _read(path), False
    if known is not None:
        valid, closed = await _still_opening(app, known)
        if Role.GM in valid and not closed:
            return FirstRoom(known.room_id, valid, _KNOWN)
        path.replace(path.with_suffix(f".{known.room_id}.json"))
    opened = await _open(app)
    _write(path, opened)
    return opened if known is None else replace(opened, news=_CLOSED if closed else _GONE)


def links_name(store: str | None) -> str:
    """Return the file that keeps the links: a store of one's own has its rooms, and so its file."""
    return "links.json" if store is None else f"links-{hashlib.sha256(store.encode()).hexdigest()[:12]}.json"


def _read(path: Path) -> FirstRoom | None:
    try:
        body = json.loads(path.read_text())
        return FirstRoom(body["room_id"], body["tokens"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


async def _still_opening(app: Application, known: FirstRoom) -> tuple[dict[str, str], bool]:
    """Return the tokens that still open the room, and whether it is closed."""
    valid, closed = {}, False
    for role, token in known.tokens.items():
        try:
            live, _ = await tokens.check(app.rooms, known.room_id, token)
        except Refused:
            continue
        valid[role] = token
        closed = live.room.view.public.closed
    return valid, closed


async def _open(app: Application) -> FirstRoom:
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    room_id = await app.rooms.open(TITLE, Policy(), {tokens.hash_of(token): tokens.stored(info)})
    live = await app.rooms.get(room_id)
    made = {Role.GM.value: token}
    for role in _INVITED:
        seat_id = await room_calls.new_seat(live, role)
        token, info = tokens.make(seat_id, role, (), None)
        await app.rooms.store.put_token(room_id, tokens.hash_of(token), tokens.stored(info))
        made[role.value] = token
    return FirstRoom(room_id, made)


def _write(path: Path, room: FirstRoom) -> None:
    """Write the tokens so that nobody else on the machine can read them, all or nothing."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump({"room_id": room.room_id, "tokens": room.tokens}, file)
    part.replace(path)
