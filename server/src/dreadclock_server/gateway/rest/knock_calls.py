"""The REST calls about knocks: how somebody without a token asks for a seat, and how the gm answers."""

import asyncio
import secrets

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dreadclock.wire.base import Id, MillisecondsUtc, Role, RoomId
from dreadclock.wire.commands import RemoveSeat
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.frames import KnockId
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import Knock, KnockAnswer, Knocking, KnockState, KnockStatus
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway import knocks, sessions, tokens
from dreadclock_server.gateway.knocks import Decision, Row
from dreadclock_server.gateway.limits.rates import demand
from dreadclock_server.gateway.rest.calls import Api, Endpoint, host_of, limited
from dreadclock_server.gateway.rest.room_calls import (
    ask,
    bearer_of,
    demand_fitting_scopes,
    json_answer,
    new_seat,
    read,
    room_of_gm,
    seat_of,
)
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import KNOCK
from dreadclock_server.store.base import RoomUnknown

ANSWERED_AFTER_S = 0.1  # always: how long the store took must not tell whether there is such a room
LONGEST_WAIT_S = 25
LOOK_AGAIN_S = 1.0  # for an answer that may be given through another process
TURNED_AWAY = KnockState(state=KnockStatus.TURNED_AWAY)
_UNDECIDED = frozenset({Code.UNSETTLED, Code.UNAVAILABLE})  # refusals after which the seat may have been made


async def knock(api: Api, request: Request) -> Response:
    """Ask for a seat: `{name, wants, client?}`. Whether there is such a room, the answer does not say."""
    demand(api.limits.knocks, host_of(request))
    until_s = asyncio.get_running_loop().time() + ANSWERED_AFTER_S
    wanted, room_id, now = await read(api, request, Knock), request.path_params["room"], now_ms()
    knock, secret, expires_at = knocks.issue(room_id, now)
    row = Row(name=wanted.name, wants=wanted.wants, client=wanted.client, expires_at=expires_at)
    if _is_room(room_id):
        api.lapsed_knocks.put(room_id, knock, expires_at, now)
        if await api.rooms.store.put_knock(room_id, knock, row.text(), now, knocks.MOST_KNOCKS):
            api.rooms.store.announce(room_id, KNOCK)
    await asyncio.sleep(until_s - asyncio.get_running_loop().time())
    answer = Knocking(knock=knock, code=knocks.code_of(knock), secret=secret, expires_s=knocks.EXPIRES_S)
    return json_answer(answer, 201)


async def list_knocks(api: Api, request: Request) -> Response:
    """List the knocks that wait for an answer."""
    live = await room_of_gm(api, request)
    await live.refresh()
    rows = knocks.waiting(await api.rooms.store.knocks(live.id), live.room.view.seats, now_ms())
    return JSONResponse([row.model_dump(mode="json", exclude_none=True) for row in rows])


# The knocker


async def wait(api: Api, request: Request) -> Response:
    """Tell the knocker what became of the knock, once there is something to tell, or after `?wait_s=`."""
    secret, expires_at = _proven(request)
    host, loop = host_of(request), asyncio.get_running_loop()
    until_s = loop.time() + _wait_s(request)
    status = api.long_polls.enter(host)
    try:
        while True:
            state = await _state(api, request, secret, expires_at)
            left_s = 0.0 if status or api.health.is_leaving else until_s - loop.time()
            if state.state is not KnockStatus.PENDING or left_s <= 0 or await request.is_disconnected():
                return json_answer(state)
            await asyncio.sleep(min(LOOK_AGAIN_S, left_s))
    finally:
        if status is None:
            api.long_polls.leave(host)


def _proven(request: Request) -> tuple[str, MillisecondsUtc]:
    """Return the knocker's secret, and when the knock expires. Raises Refused if the two do not belong together."""
    secret, knock = bearer_of(request), request.path_params["knock"]
    expires_at = knocks.expiry_of(request.path_params["room"], knock, secret)
    if expires_at is None:
        raise Refused(Code.UNAUTHORISED)
    return secret, expires_at


def _wait_s(request: Request) -> int:
    text = request.query_params.get("wait_s", "0")
    if not text.isascii() or not text.isdigit() or len(text) > 2 or int(text) > LONGEST_WAIT_S:
        raise Refused(Code.BAD_REQUEST, problem=f"wait_s is no number up to {LONGEST_WAIT_S}")
    return int(text)


async def _state(api: Api, request: Request, secret: str, expires_at: MillisecondsUtc) -> KnockState:
    text = await _stored(api, request)
    row, now = knocks.row_of(text, now_ms()), now_ms()
    if row is not None and row.seat_id is not None:
        assert text is not None
        return await _seated(api, request, secret, text, row)
    if row is not None and row.is_answered:
        return TURNED_AWAY
    if now < expires_at and request.path_params["knock"] not in api.lapsed_knocks:
        return KnockState(state=KnockStatus.PENDING, expires_s=(expires_at - now) // 1000)
    if await _removed(api, request, text):  # the gm may not answer what has lapsed
        return KnockState(state=KnockStatus.EXPIRED)
    return await _state(api, request, secret, expires_at)  # she has, this moment


async def _stored(api: Api, request: Request) -> str | None:
    room_id = request.path_params["room"]
    return await api.rooms.store.knock(room_id, request.path_params["knock"]) if _is_room(room_id) else None


def _is_room(room_id: str) -> bool:
    return tokens.ROOM_ID.fullmatch(room_id) is not None


async def _seated(api: Api, request: Request, secret: str, text: str, row: Row) -> KnockState:
    """Show the knocker its token, which is put where it asks first; one that was revoked does not come back.

    Nor does one come for a seat that is gone by then.
    """
    store, room_id, knock = api.rooms.store, request.path_params["room"], request.path_params["knock"]
    live = await _room_with_seat(api, room_id, row)
    if live is None:
        return TURNED_AWAY
    token, info = knocks.token_of(knock, secret, row, now_ms())
    token_hash = tokens.hash_of(token)
    if row.taken_at is None:
        most = tokens.most_of(live)
        await tokens.demand_room_for_one(store, room_id, most)
        taken = row.model_copy(update={"taken_at": info.created_at}).text()
        await store.put_knockers_token(room_id, knock, text, taken, token_hash, tokens.stored(info), most)
    if await store.token(room_id, token_hash) is None:
        return TURNED_AWAY
    grant = tokens.grant(api.base_url(request), room_id, token, info)
    assert row.decision is not None
    return KnockState(state=KnockStatus.SEATED, seat_id=info.seat_id, role=row.decision.role, grant=grant)


async def _room_with_seat(api: Api, room_id: RoomId, row: Row) -> LiveRoom | None:
    try:
        live = await api.rooms.get(room_id)
        await live.refresh()
    except RoomUnknown:
        return None
    return live if row.seat_id is not None and live.seat(row.seat_id) is not None else None


async def forget(api: Api, request: Request) -> Response:
    """Let the knocker say that the seat has arrived, or is not wanted any more."""
    _proven(request)
    api.lapsed_knocks.withdrawn(request.path_params["room"], request.path_params["knock"])
    while not await _removed(api, request, await _stored(api, request)):
        pass  # it was changed meanwhile
    return Response(status_code=204)


async def _removed(api: Api, request: Request, text: str | None) -> bool:
    """Delete what is stored of a knock, and tell whether that still was `text`."""
    if text is None:
        return True
    room_id = request.path_params["room"]
    done = await api.rooms.store.change_knock(room_id, request.path_params["knock"], text, None)
    if done:
        api.rooms.store.announce(room_id, KNOCK)
    return done


# The gm


async def answer(api: Api, request: Request) -> Response:
    """Give the knocker a seat, or turn it away: once, however often the same is said."""
    live = await room_of_gm(api, request)
    wanted, knock = await read(api, request, KnockAnswer), request.path_params["knock"]
    text, row = await _decide(api, live, knock, wanted)
    if row.decision is not None and row.decision.accept and row.seat_id is None:
        row = await _seat(api, live, knock, text, row)
    api.lapsed_knocks.answered(live.id, knock)
    api.rooms.store.announce(live.id, KNOCK)
    if row.decision is None or row.seat_id is None:
        return json_answer(TURNED_AWAY)
    return json_answer(KnockState(state=KnockStatus.SEATED, seat_id=row.seat_id, role=row.decision.role))


async def _decide(api: Api, live: LiveRoom, knock: KnockId, wanted: KnockAnswer) -> tuple[str, Row]:
    """Note what the gm decided, before anything comes of it. Raises Refused if that was something else before."""
    while True:
        text = await api.rooms.store.knock(live.id, knock)
        row = knocks.row_of(text, now_ms())
        if text is None or row is None:
            raise Refused(Code.UNKNOWN, kind="knock", id=knock[:32])
        decision = _decision(wanted, row)
        if row.decision is not None:
            if row.decision != decision:
                raise Refused(Code.KNOCK_ANSWERED)
            return text, row
        if decision.accept:
            await _demand_possible(api, live, decision)
        decided = row.model_copy(update={"decision": decision})
        if await api.rooms.store.change_knock(live.id, knock, text, decided.text()):
            return decided.text(), decided


def _decision(wanted: KnockAnswer, row: Row) -> Decision:
    """Spell an answer out; one that says the same as before has the same nonce."""
    before = row.decision
    decision = Decision(
        nonce=before.nonce if before is not None else secrets.token_hex(8),
        accept=wanted.accept,
        role=wanted.role or row.wants,
        name=wanted.name or row.name,
        scopes=wanted.scopes,
        seat_id=wanted.seat_id,
    )
    return before if before is not None and not before.accept and not decision.accept else decision


async def _demand_possible(api: Api, live: LiveRoom, decision: Decision) -> None:
    """Raise Refused if a decision cannot be carried out, as far as that can be told beforehand."""
    await tokens.demand_room_for_one(api.rooms.store, live.id, tokens.most_of(live))
    if decision.seat_id is not None:
        await seat_of(live, decision.seat_id, decision.role)
    else:
        demand_fitting_scopes(decision.role, decision.scopes)


async def _seat(api: Api, live: LiveRoom, knock: KnockId, text: str, row: Row) -> Row:
    """Make the seat that was decided, if it is not there, and note it. Raises Refused; then nothing is decided."""
    decision = row.decision
    assert decision is not None
    try:
        seat = await seat_of(live, decision.seat_id or await _new_seat(live, knock, decision), decision.role)
    except Refused as refused:
        if refused.code not in _UNDECIDED:
            undone = row.model_copy(update={"decision": None}).text()
            await api.rooms.store.change_knock(live.id, knock, text, undone)
        raise
    seated = row.model_copy(update={"seat_id": seat.id, "scopes": seat.scopes})
    noted = await api.rooms.store.change_knock(live.id, knock, text, seated.text())
    if not noted and await api.rooms.store.knock(live.id, knock) is None:  # it was withdrawn meanwhile
        await _take_away(api, live, seat.id, decision)
        raise Refused(Code.UNKNOWN, kind="knock", id=knock)
    return seated


async def _take_away(api: Api, live: LiveRoom, seat_id: Id, decision: Decision) -> None:
    """Remove a seat that was made for a knock and that nobody can come to, as it has no token."""
    held = {token.seat_id for token in await tokens.listed(api.rooms.store, live.id)}
    if decision.seat_id is None and seat_id not in held:
        await ask(live, Actor(GM_SEAT, Role.GM), RemoveSeat(seat_id=seat_id))


async def _new_seat(live: LiveRoom, knock: KnockId, decision: Decision) -> str:
    session = sessions.of_key(GM_SEAT, f"knock {knock} {decision.nonce}")
    return await new_seat(live, Role(decision.role), decision.name, decision.scopes, session)


def routes(api: Api) -> list[Route]:
    """Return the REST calls about knocks."""
    at, one = "/api/rooms/{room}/knocks", "/api/rooms/{room}/knocks/{knock}"
    table: list[tuple[str, str, Endpoint]] = [
        ("POST", at, knock),
        ("GET", at, list_knocks),
        ("GET", one, wait),
        ("DELETE", one, forget),
        ("POST", f"{one}/answer", answer),
    ]
    return [Route(path, limited(api, endpoint), methods=[method]) for method, path, endpoint in table]
