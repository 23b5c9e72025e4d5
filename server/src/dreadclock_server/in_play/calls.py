"""The REST calls about demo rooms: opening a demo room, and the requests of its watchers."""

from dreadclock.wire.base import Id, Role, RoomId
from dreadclock.wire.calls import ACT_IN_PLAY, OPEN_IN_PLAY
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import Grant, InPlayState, InPlayWish, Language, OpenInPlay, TableInPlay
from dreadclock.wire.things import Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.demo.lighthouse import MIRA, STORY, TAM, words
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.limits.rates import Limits, too_soon
from dreadclock_server.gateway.rest.room_calls import new_seat
from dreadclock_server.gateway.rest.routes import Handlers
from dreadclock_server.in_play.shows import SCOPES, Shows
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.in_play import CAP_BYTES, FIRST_GRANT_BYTES


async def open_in_play(
    body: OpenInPlay, host: str, base_url: str, rooms: Rooms, limits: Limits, shows: Shows
) -> TableInPlay:
    """Open a demo room, which plays a story in this `language`."""
    # All demo rooms share a limit of their own. It has the same rate as the limit for all other rooms.
    if wait_ms := limits.all_rooms.take("in play"):
        raise too_soon(wait_ms)
    async with shows.opening(host) as room_id:
        return await _opened(rooms, base_url, shows, room_id, body.language)


async def act_in_play(live: LiveRoom, body: InPlayWish, shows: Shows) -> InPlayState:
    """Carry out a watcher's request, `{act}`, and return the state of the demo room."""
    return await shows.act(live, body.act)


HANDLERS: Handlers = {OPEN_IN_PLAY: (open_in_play, "calls", "in_play"), ACT_IN_PLAY: (act_in_play, "calls")}


async def _opened(rooms: Rooms, base_url: str, shows: Shows, room_id: RoomId, language: Language) -> TableInPlay:
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    texts = words(language)
    opening = Open(texts["title"], Policy())
    first = {tokens.hash_of(token): tokens.stored(info)}
    limits = {"cap_bytes": CAP_BYTES, "granted_bytes": FIRST_GRANT_BYTES}
    await rooms.begin(opening, first, room_id=room_id, **limits)
    live = await rooms.get(room_id)
    seats = {who: await new_seat(live, Role.PLAYER, texts[who]) for who in (MIRA, TAM)}
    seats[STORY] = await new_seat(live, Role.INTEGRATION, texts[STORY], SCOPES)
    spectator = await new_seat(live, Role.SPECTATOR, texts["guest"])
    answer = TableInPlay(
        room_id=room_id,
        gm=tokens.grant(base_url, room_id, token, info),
        player=await _granted(rooms, base_url, live, seats[MIRA], Role.PLAYER),
        spectator=await _granted(rooms, base_url, live, spectator, Role.SPECTATOR),
    )
    shows.begin(live, seats, language)
    return answer


async def _granted(rooms: Rooms, base_url: str, live: LiveRoom, seat_id: Id, role: Role) -> Grant:
    token, info = tokens.make(seat_id, role, (), None)
    await tokens.put(rooms.store, live, token, info)
    return tokens.grant(base_url, live.id, token, info)
