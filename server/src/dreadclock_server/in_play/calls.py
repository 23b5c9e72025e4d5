"""The REST calls about tables in play: opening one, and what its watchers wish."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.wire.base import Id, Role, RoomId
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import Grant, InPlayWish, Language, OpenInPlay, TableInPlay
from dreadclock.wire.things import Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.demo.lighthouse import MIRA, STORY, TAM, words
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.limits.rates import demand, too_soon
from dreadclock_server.gateway.rest.calls import Api, Endpoint, host_of, limited
from dreadclock_server.gateway.rest.room_calls import json_answer, new_seat, read, room_of_gm
from dreadclock_server.in_play.shows import SCOPES, Shows
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.in_play import CAP_BYTES, FIRST_GRANT_BYTES


def routes(api: Api, shows: Shows) -> list[Route]:
    """Return the addresses of these calls."""

    async def open_in_play(api: Api, request: Request) -> Response:
        """Open a room that plays a story: `{language}`."""
        demand(api.limits.in_play, host_of(request))
        language = (await read(api, request, OpenInPlay)).language
        if wait_ms := api.limits.all_rooms.take("in play"):  # not the bucket of those who have the operator's key
            raise too_soon(wait_ms)
        async with shows.opening(host_of(request)) as room_id:
            return json_answer(await _opened(api, request, shows, room_id, language), 201)

    async def wish(api: Api, request: Request) -> Response:
        """Do what a watcher wishes: `{act}`; and tell how the table in play stands."""
        live = await room_of_gm(api, request)
        return json_answer(await shows.act(live, (await read(api, request, InPlayWish)).act))

    calls: list[tuple[str, Endpoint]] = [
        ("/api/rooms/in-play", open_in_play),
        ("/api/rooms/{room}/in-play", wish),
    ]
    return [Route(path, limited(api, endpoint), methods=["POST"]) for path, endpoint in calls]


async def _opened(api: Api, request: Request, shows: Shows, room_id: RoomId, language: Language) -> TableInPlay:
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    texts = words(language)
    opening = Open(texts["title"], Policy())
    first = {tokens.hash_of(token): tokens.stored(info)}
    limits = {"cap_bytes": CAP_BYTES, "granted_bytes": FIRST_GRANT_BYTES}
    await api.rooms.begin(opening, first, room_id=room_id, **limits)
    live = await api.rooms.get(room_id)
    seats = {who: await new_seat(live, Role.PLAYER, texts[who]) for who in (MIRA, TAM)}
    seats[STORY] = await new_seat(live, Role.INTEGRATION, texts[STORY], SCOPES)
    spectator = await new_seat(live, Role.SPECTATOR, texts["guest"])
    answer = TableInPlay(
        room_id=room_id,
        gm=tokens.grant(api.base_url(request), room_id, token, info),
        player=await _granted(api, request, live, seats[MIRA], Role.PLAYER),
        spectator=await _granted(api, request, live, spectator, Role.SPECTATOR),
    )
    shows.begin(live, seats, language)
    return answer


async def _granted(api: Api, request: Request, live: LiveRoom, seat_id: Id, role: Role) -> Grant:
    token, info = tokens.make(seat_id, role, (), None)
    await tokens.put(api.rooms.store, live, token, info)
    return tokens.grant(api.base_url(request), live.id, token, info)
