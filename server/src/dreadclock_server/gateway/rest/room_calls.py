"""The REST calls about rooms: opening, viewing and deleting them, invites and tokens, single commands."""

import asyncio
import hmac
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import TypeVar

import structlog
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dreadclock.wire.base import Channel, Id, Role, Scope
from dreadclock.wire.commands import Command, RemoveSeat
from dreadclock.wire.errors import Code, KeyRefused, ProtocolViolation, Refused
from dreadclock.wire.events import SeatJoined
from dreadclock.wire.frames import Pending, RefusedFrame
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.records import Record
from dreadclock.wire.rest import CommandAnswer, Grant, Invite, OpenRoom, RoomOpening, RoomSize
from dreadclock.wire.things import Seat
from dreadclock_server.core.decide import InternalCommand
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.gateway import sessions, tokens
from dreadclock_server.gateway.limits.in_flight import PiecewiseResponse
from dreadclock_server.gateway.limits.rates import ReadMeter, demand, too_soon
from dreadclock_server.gateway.parsing import parse_command, refuse_too_much
from dreadclock_server.gateway.rest.calls import STATUS, Api, Endpoint, body_of, host_of, limited, when_again
from dreadclock_server.gateway.rest.qr import rows_of
from dreadclock_server.gateway.ws.connection import ack_for
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.store.base import RoomUnknown

_log = structlog.get_logger()
_Body = TypeVar("_Body", bound=BaseModel)


def json_answer(body: BaseModel, status: int = 200) -> Response:
    """Answer with a model."""
    return Response(body.model_dump_json(exclude_none=True), status, media_type="application/json")


async def _body(api: Api, request: Request) -> str:
    try:
        return (await body_of(api.in_flight, request)).decode()
    except UnicodeDecodeError:
        raise Refused(Code.BAD_REQUEST, problem="the body is not UTF-8") from None


async def read(api: Api, request: Request, model: type[_Body]) -> _Body:
    """Read a body. Raises Refused or ValidationError."""
    text = await _body(api, request)
    try:
        refuse_too_much(text)
    except ProtocolViolation as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error)) from None
    return model.model_validate_json(text)


def bearer_of(request: Request) -> str:
    """Return the token, or another secret, that comes with a request. Raises Refused."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(Code.UNAUTHORISED)
    return token.strip()


async def caller_of(api: Api, request: Request) -> tuple[LiveRoom, tokens.Bearer]:
    """Return the room that is asked about, and who asks. Raises Refused."""
    live, holder = await tokens.check(api.rooms, request.path_params["room"], bearer_of(request))
    api.hubs.used(live.id, holder.token_hash, now_ms())
    return live, holder


async def reader_of(api: Api, request: Request) -> tuple[LiveRoom, tokens.Bearer, ReadMeter]:
    """Return the room, up to date, who asks, and the meter of what they read.

    Raises Refused if the address may read nothing more now.
    """
    live, holder = await caller_of(api, request)
    reads = api.limits.reader(host_of(request), holder.channels)
    reads.demand()
    await live.refresh()
    reads.demand()  # others at the same address may have read meanwhile
    return live, holder, reads


async def room_of_gm(api: Api, request: Request) -> LiveRoom:
    """Return the room that its gm asks about. Raises Refused."""
    live, holder = await caller_of(api, request)
    if holder.actor.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    return live


async def open_room(api: Api, request: Request) -> Response:
    """Open a room: `{title, policy?}`."""
    require_operator(api, request)
    demand(api.limits.rooms, host_of(request))
    wanted = await read(api, request, OpenRoom)
    return await opened(api, request, Open(wanted.title, wanted.policy))


def require_operator(api: Api, request: Request) -> None:
    """Raise KeyRefused if only the operator may open rooms, and somebody else asks."""
    if api.operator_key is None:
        return
    with suppress(Refused):  # no token came: as bad as a wrong key
        if hmac.compare_digest(bearer_of(request).encode(), api.operator_key.encode()):
            return
    raise KeyRefused


async def opened(api: Api, request: Request, command: Open | Continue) -> Response:
    """Open a room, and answer with its gm's link."""
    demand(api.limits.all_rooms, "")  # not before it is sure that there will be a room: it is everyone's
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    room_id = await api.rooms.begin(command, {tokens.hash_of(token): tokens.stored(info)})
    gm = tokens.grant(api.base_url(request), room_id, token, info)
    return json_answer(RoomOpening(room_id=room_id, gm=gm), 201)


async def make_gm_link(api: Api, request: Request) -> Response:
    """Make one more link for the gm of any room, for the operator alone.

    Raises Refused(unauthorised), the same for a wrong key and an unknown room.
    """
    if api.links_key is None or not hmac.compare_digest(bearer_of(request).encode(), api.links_key.encode()):
        raise Refused(Code.UNAUTHORISED)
    room_id = request.path_params["room"]
    if not tokens.ROOM_ID.fullmatch(room_id):
        raise Refused(Code.UNAUTHORISED)
    try:
        live = await api.rooms.get(room_id)
    except RoomUnknown:
        raise Refused(Code.UNAUTHORISED) from None
    await tokens.demand_room_for_one(api.rooms.store, room_id, tokens.most_of(live))
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    info = info.model_copy(update={"made_by": "operator"})
    await tokens.put(api.rooms.store, live, token, info)
    _log.warning("the operator made a link for a gm", room=room_id, token_id=info.token_id)
    return json_answer(tokens.grant(api.base_url(request), room_id, token, info), 201)


async def invite(api: Api, request: Request) -> Response:
    """Make a token, with a new seat or for one that exists."""
    live = await room_of_gm(api, request)
    wanted = await read(api, request, Invite)
    with api.drawings.place() if wanted.qr else nullcontext():
        grant = await _granted(api, request, live, wanted)
        if wanted.qr:
            rows = await api.drawings.work_out_in_place(partial(rows_of, grant.link))
            grant = grant.model_copy(update={"qr": rows})
    return json_answer(grant, 201)


async def _granted(api: Api, request: Request, live: LiveRoom, wanted: Invite) -> Grant:
    await tokens.demand_room_for_one(api.rooms.store, live.id, tokens.most_of(live))
    seat_id = wanted.seat_id or await _invited_seat(live, wanted)
    seat = await seat_of(live, seat_id, wanted.role)
    token, info = tokens.make(seat.id, seat.role, seat.scopes, wanted.expires_s)
    try:
        await tokens.put(api.rooms.store, live, token, info)
    except Refused:  # others were invited at the same time
        if wanted.seat_id is None:  # nobody can come to the new seat
            await ask(live, Actor(GM_SEAT, Role.GM), RemoveSeat(seat_id=seat.id))
        raise
    return tokens.grant(api.base_url(request), live.id, token, info)


async def _invited_seat(live: LiveRoom, wanted: Invite) -> str:
    if wanted.role is Role.GM:
        raise Refused(Code.BAD_REQUEST, problem="a room has one gm seat: give its seat_id for one more token")
    demand_fitting_scopes(wanted.role, wanted.scopes)
    return await new_seat(live, wanted.role, wanted.name, wanted.scopes)


def demand_fitting_scopes(role: Role, scopes: tuple[Scope, ...]) -> None:
    """Raise Refused if a new seat of this role cannot have these scopes."""
    if scopes and role is not Role.INTEGRATION:
        raise Refused(Code.BAD_REQUEST, problem="only a seat with the role integration has scopes")
    if len(set(scopes)) < len(scopes):
        raise Refused(Code.BAD_REQUEST, problem="a scope is named more than once")


async def seat_of(live: LiveRoom, seat_id: Id, role: Role) -> Seat:
    """Return a seat that is there and has this role. Raises Refused."""
    seat = live.seat(seat_id)
    if seat is None:
        await live.refresh()  # it may have been made on another node
        seat = live.seat(seat_id)
    if seat is None or seat.role is not role:
        raise Refused(Code.UNKNOWN, kind=f"{role} seat", id=seat_id)
    return seat


async def new_seat(
    live: LiveRoom, role: Role, name: str | None = None, scopes: tuple[Scope, ...] = (), session: str = ""
) -> Id:
    """Make a seat and return its id; under one session, however often that is asked. Raises Refused."""
    outcome = await ask(live, Actor(GM_SEAT, Role.GM), JoinSeat(role, name, scopes), session)
    if not isinstance(outcome, Done):
        raise Refused(outcome.code, **outcome.details)
    if outcome.new_seat is not None:
        return outcome.new_seat
    first, _ = outcome.events[Channel.PUBLIC]  # it was stored before: look for its event
    joined = Record.model_validate_json(await live.record(Channel.PUBLIC, first)).event
    assert isinstance(joined, SeatJoined)
    return joined.seat.id


def _records(live: LiveRoom, channels: Sequence[Channel], outcome: Done) -> list[Record]:
    """Return an outcome's own records in these channels, as far as they are in memory."""
    texts = [
        text
        for channel in channels
        if channel in outcome.events
        for text in live.recent(channel, *outcome.events[channel])
    ]
    return [Record.model_validate_json(text) for text in texts]


async def ask(
    live: LiveRoom, actor: Actor, command: Command | InternalCommand, session: str = "", limit_s: float = 10.0
) -> Outcome:
    """Submit one command and wait for its outcome. Raises Refused(unsettled) after `limit_s`."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def reply(outcome: Outcome | None) -> None:
        if outcome is not None and not future.done():
            future.set_result(outcome)

    live.submit(QueuedCommand(actor, command, session, 1, reply))
    try:
        return await asyncio.wait_for(future, limit_s)
    except TimeoutError:
        raise Refused(Code.UNSETTLED) from None


async def list_tokens(api: Api, request: Request) -> Response:
    """List a room's tokens, never the tokens themselves."""
    live = await room_of_gm(api, request)
    rows = await tokens.listed(api.rooms.store, live.id)
    return JSONResponse([row.model_dump(mode="json", exclude_none=True) for row in rows])


async def revoke_token(api: Api, request: Request) -> Response:
    """Revoke a token; its connections close."""
    live = await room_of_gm(api, request)
    token_id = request.path_params["token_id"]
    if not await tokens.revoke(api.rooms.store, live.id, token_id):
        raise Refused(Code.UNKNOWN, kind="token", id=token_id[:32])
    await api.hubs.tokens_changed(live)
    return Response(status_code=204)


async def get_size(api: Api, request: Request) -> Response:
    """Answer how large a room's log is, and may be."""
    size = (await room_of_gm(api, request)).size
    return json_answer(
        RoomSize(
            bytes=size.public_bytes,
            limit_bytes=size.limit_bytes,
            hidden_bytes=size.hidden_bytes,
            hidden_limit_bytes=size.hidden_limit_bytes,
        )
    )


async def get_view(api: Api, request: Request) -> Response:
    """Show the caller's view."""
    live, holder, reads = await reader_of(api, request)
    text = live.view_text(holder.channels)
    answer = PiecewiseResponse(api.in_flight, text, 200, "application/json")
    reads.spend(len(text))
    return answer


async def get_undoable(api: Api, request: Request) -> Response:
    """Tell which of the latest commands the caller may take back now, the latest first."""
    live, holder, reads = await reader_of(api, request)
    found = await live.undoable(holder.actor)
    answer = JSONResponse([each.model_dump(mode="json", exclude_none=True) for each in found])
    reads.spend(len(answer.body))
    return answer


async def command(api: Api, request: Request) -> Response:
    """Take one command; with an Idempotency-Key it is applied once however often it is sent."""
    live, holder = await caller_of(api, request)
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= 200:
        raise Refused(Code.BAD_REQUEST, problem="an Idempotency-Key has 1 to 200 characters")
    wanted = parse_command(await _body(api, request))
    actor, host = holder.actor, host_of(request)
    wait_ms = api.limits.meter(live.id, actor.seat_id, actor.role, host, live.size).take()
    if wait_ms:
        raise too_soon(wait_ms)
    session = sessions.of_key(holder.actor.seat_id, key) if key is not None else ""
    try:
        outcome = await ask(live, holder.actor, wanted, session)
    except Refused:
        return json_answer(Pending(n=1), 202)
    if isinstance(outcome, Done):
        ack = ack_for(holder.channels, 1, outcome)
        records = tuple(_records(live, holder.channels, outcome))
        return json_answer(CommandAnswer(n=1, positions=ack.positions, events=ack.events, records=records))
    refused = Refused(outcome.code, **outcome.details)
    frame = RefusedFrame(n=1, code=refused.code, sentence=refused.sentence, details=refused.details)
    answer = json_answer(frame, STATUS.get(refused.code, 409))
    answer.headers.update(when_again(refused))
    return answer


async def delete_room(api: Api, request: Request) -> Response:
    """Close and delete a room, after `?confirm=TITLE`."""
    live = await room_of_gm(api, request)
    if request.query_params.get("confirm") != live.room.view.title:
        raise Refused(Code.BAD_REQUEST, problem="say ?confirm= with the room's title")
    await api.rooms.delete(live.id)
    return Response(status_code=204)


def routes(api: Api) -> list[Route]:
    """Return the REST calls about rooms."""
    table: list[tuple[str, str, Endpoint]] = [
        ("POST", "/api/rooms", open_room),
        ("GET", "/api/rooms/{room}", get_view),
        ("GET", "/api/rooms/{room}/size", get_size),
        ("GET", "/api/rooms/{room}/undoable", get_undoable),
        ("DELETE", "/api/rooms/{room}", delete_room),
        ("POST", "/api/rooms/{room}/gm-link", make_gm_link),
        ("POST", "/api/rooms/{room}/invites", invite),
        ("GET", "/api/rooms/{room}/tokens", list_tokens),
        ("DELETE", "/api/rooms/{room}/tokens/{token_id}", revoke_token),
        ("POST", "/api/rooms/{room}/commands", command),
    ]
    return [Route(path, limited(api, endpoint), methods=[method]) for method, path, endpoint in table]
