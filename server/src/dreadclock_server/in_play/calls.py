"""The REST calls about tables in play: opening one, and what its watchers wish."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.wire.base import Id, Role
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import Grant, InPlayWish, Language, OpenInPlay, TableInPlay
from dreadclock.wire.things import Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.limits.rates import demand
from dreadclock_server.gateway.rest.calls import Api, Endpoint, host_of, limited
from dreadclock_server.gateway.rest.room_calls import json_answer, new_seat, read, room_of_gm
from dreadclock_server.in_play.shows import SCOPES, UNWATCHED_FOR_S, Shows, words
from dreadclock_server.in_play.story import MIRA, STORY, TAM
from dreadclock_server.rooms.live import LiveRoom


def routes(api: Api, shows: Shows) -> list[Route]:
    """Return the addresses of these calls."""

    async def open_in_play(api: Api, request: Request) -> Response:
        """Open a room that plays a story: `{language}`."""
        demand(api.limits.in_play, host_of(request))
        language = (await read(api, request, OpenInPlay)).language
        async with shows.opening(host_of(request)):
            demand(api.limits.all_rooms, "")
            return json_answer(await _opened(api, request, shows, language), 201)

    async def wish(api: Api, request: Request) -> Response:
        """Do what a watcher wishes: `{act}`; and tell how the table in play stands."""
        live = await room_of_gm(api, request)
        return json_answer(await shows.act(live, (await read(api, request, InPlayWish)).act))

    calls: list[tuple[str, Endpoint]] = [
        ("/api/rooms/in-play", open_in_play),
        ("/api/rooms/{room}/in-play", wish),
    ]
    return [Route(path, limited(api, endpoint), methods=["POST"]) for path, endpoint in calls]


async def _opened(api: Api, request: Request, shows: Shows, language: Language) -> TableInPlay:
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    texts = words(language)
    opening = Open(texts["title"], Policy())
    first = {tokens.hash_of(token): tokens.stored(info)}
    room_id = await api.rooms.begin(opening, first, in_play_for_ms=int(UNWATCHED_FOR_S * 1000))
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
    shows.begin(live, seats, language, host_of(request))
    return answer


async def _granted(api: Api, request: Request, live: LiveRoom, seat_id: Id, role: Role) -> Grant:
    token, info = tokens.make(seat_id, role, (), None)
    await api.rooms.store.put_token(live.id, tokens.hash_of(token), tokens.stored(info))
    return tokens.grant(api.base_url(request), live.id, token, info)
