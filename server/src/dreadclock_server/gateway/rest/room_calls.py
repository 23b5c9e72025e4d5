"""The REST calls about rooms: opening, viewing and deleting them, invites and tokens, single commands."""

import asyncio
import hmac
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import NamedTuple

import structlog
from starlette.requests import Request
from starlette.responses import Response

from dreadclock.wire.base import Channel, Id, Role, RoomId, Scope
from dreadclock.wire.commands import Command, RemoveSeat
from dreadclock.wire.errors import Code, KeyRefused, Refused
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
from dreadclock_server.gateway.limits.in_flight import InFlightBudget, PiecewiseResponse
from dreadclock_server.gateway.limits.rates import Limits, ReadMeter, demand, too_soon
from dreadclock_server.gateway.parsing import parse_command
from dreadclock_server.gateway.rest.addresses import rows_of
from dreadclock_server.gateway.rest.calls import STATUS, bearer_of, json_answer, text_of, when_again
from dreadclock_server.gateway.rest.workers import Calculations
from dreadclock_server.gateway.ws.connection import ack_for
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Store

_log = structlog.get_logger()
Caller = tuple[LiveRoom, tokens.Bearer]  # the room of a call, and the holder of its token


class Reader(NamedTuple):
    """An up-to-date room, the holder of the call's token, and the meter that limits what the caller's address reads."""

    live: LiveRoom
    holder: tokens.Bearer
    reads: ReadMeter


async def caller_of(room: RoomId, bearer: str, rooms: Rooms, hubs: Hubs) -> Caller:
    """Return the room of a call and the holder of its token. Raises Refused if the token is not valid there."""
    live, holder = await tokens.check(rooms, room, bearer)
    hubs.used(live.id, holder.token_hash, now_ms())
    return live, holder


async def reader_of(caller: Caller, host: str, limits: Limits) -> Reader:
    """Bring the room of a call up to date, and return it with the holder and the read meter.

    Raises Refused(rate_limited) if the address has used up its limit for reading.
    """
    live, holder = caller
    reads = limits.reader(host, holder.channels)
    reads.demand()
    await live.refresh()
    reads.demand()  # check again: during the refresh, other clients at this address may have read
    return Reader(live, holder, reads)


def require_gm(caller: Caller) -> LiveRoom:
    """Return the room of a call. Raises Refused if the caller is not its gm."""
    live, holder = caller
    if holder.actor.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    return live


def require_operator(request: Request, operator_key: str | None) -> None:
    """Raise KeyRefused if the server has an operator's key and the request lacks it."""
    if operator_key is None:
        return
    with suppress(Refused):  # a missing token is refused like a wrong key
        if hmac.compare_digest(bearer_of(request).encode(), operator_key.encode()):
            return
    raise KeyRefused


async def open_room(body: OpenRoom, base_url: str, rooms: Rooms, limits: Limits) -> RoomOpening:
    """Open a room with a title and, optionally, a policy. Raises Refused(rate_limited)."""
    return await opened(rooms, limits, base_url, Open(body.title, body.policy))


async def opened(rooms: Rooms, limits: Limits, base_url: str, command: Open | Continue) -> RoomOpening:
    """Open a room, and return its id and the gm's link. Raises Refused(rate_limited)."""
    demand(limits.all_rooms, "")  # after all other checks: a refused call must not use up the limit of everybody
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    room_id = await rooms.begin(command, {tokens.hash_of(token): tokens.stored(info)})
    return RoomOpening(room_id=room_id, gm=tokens.grant(base_url, room_id, token, info))


async def make_gm_link(room: RoomId, bearer: str, base_url: str, rooms: Rooms, links_key: str | None) -> Grant:
    """Make another gm's link for any room. Only the operator, who has the key, may call this.

    Raises Refused(unauthorised) both for a wrong key and for an unknown room, so that the answer does not reveal
    whether a room exists; and Refused(too_many) if the room has too many tokens.
    """
    if links_key is None or not hmac.compare_digest(bearer.encode(), links_key.encode()):
        raise Refused(Code.UNAUTHORISED)
    live = await tokens.room_of(rooms, room)
    await tokens.demand_room_for_one(rooms.store, room, tokens.most_of(live))
    token, info = tokens.make(GM_SEAT, Role.GM, (), None)
    info = info.model_copy(update={"made_by": "operator"})
    await tokens.put(rooms.store, live, token, info)
    _log.warning("the operator made a link for a gm", room=room, token_id=info.token_id)
    return tokens.grant(base_url, room, token, info)


async def invite(live: LiveRoom, body: Invite, base_url: str, store: Store, drawings: Calculations) -> Grant:
    """Make a token for an existing or a new seat. Return its link, and a QR code if wanted.

    Raises Refused if a limit is reached, or if the seat or the scopes do not fit.
    """
    with drawings.place() if body.qr else nullcontext():
        grant = await _granted(live, body, base_url, store)
        if body.qr:
            rows = await drawings.work_out_in_place(partial(rows_of, grant.link))
            grant = grant.model_copy(update={"qr": rows})
    return grant


async def _granted(live: LiveRoom, wanted: Invite, base_url: str, store: Store) -> Grant:
    await tokens.demand_room_for_one(store, live.id, tokens.most_of(live))
    seat_id = wanted.seat_id or await _invited_seat(live, wanted)
    seat = await seat_of(live, seat_id, wanted.role)
    token, info = tokens.make(seat.id, seat.role, seat.scopes, wanted.expires_s)
    try:
        await tokens.put(store, live, token, info)
    except Refused:  # concurrent invites have taken the last places for tokens
        if wanted.seat_id is None:  # remove the new seat: without a token, nobody could use it
            await ask(live, Actor(GM_SEAT, Role.GM), RemoveSeat(seat_id=seat.id))
        raise
    return tokens.grant(base_url, live.id, token, info)


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
    """Return the seat with this id and role. Raises Refused if there is none."""
    seat = await live.newest_seat(seat_id)
    if seat is None or seat.role is not role:
        raise Refused(Code.UNKNOWN, kind=f"{role} seat", id=seat_id)
    return seat


async def new_seat(
    live: LiveRoom, role: Role, name: str | None = None, scopes: tuple[Scope, ...] = (), session: str = ""
) -> Id:
    """Make a seat and return its id. Raises Refused if the command is refused or takes too long.

    Calls with the same `session` make only one seat, and return its id. If `session` is empty, each call makes a seat.
    """
    outcome = await ask(live, Actor(GM_SEAT, Role.GM), JoinSeat(role, name, scopes), session)
    if not isinstance(outcome, Done):
        raise Refused(outcome.code, **outcome.details)
    if outcome.new_seat is not None:
        return outcome.new_seat
    first, _ = outcome.events[Channel.PUBLIC]  # a repeated call: find the event that the first call stored
    joined = Record.model_validate_json(await live.record(Channel.PUBLIC, first)).event
    assert isinstance(joined, SeatJoined)
    return joined.seat.id


def _records(live: LiveRoom, channels: Sequence[Channel], outcome: Done) -> list[Record]:
    """Return the records that a command wrote to these channels. Leaves out records that are no longer in memory."""
    parts = [live.recent(channel, *outcome.events[channel]) for channel in channels if channel in outcome.events]
    return [Record.model_validate_json(text) for part in parts for text in part]


async def ask(
    live: LiveRoom, actor: Actor, command: Command | InternalCommand, session: str = "", limit_s: float = 10.0
) -> Outcome:
    """Submit one command and wait for its outcome. Raises Refused(unsettled) after `limit_s`.

    `session`: if not empty, the room remembers the outcome, and a repeated command gets the same outcome.
    """
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def reply(outcome: Outcome | None) -> None:
        if outcome is not None and not future.done():
            future.set_result(outcome)

    live.submit(QueuedCommand(actor, command, session, 1, reply))
    try:
        return await asyncio.wait_for(future, limit_s)
    except TimeoutError:
        raise Refused(Code.UNSETTLED) from None


async def revoke_token(live: LiveRoom, token_id: str, store: Store, hubs: Hubs) -> None:
    """Revoke a token, and close its connections. Raises Refused if there is no such token."""
    for token_hash, text in (await store.tokens(live.id)).items():
        if tokens.info_of(text).token_id == token_id:
            await store.delete_token(live.id, token_hash)
            return await hubs.tokens_changed(live)
    raise Refused(Code.UNKNOWN, kind="token", id=token_id[:32])


def get_size(live: LiveRoom) -> RoomSize:
    """Return the size of a room's log, and its limits."""
    size = live.size
    return RoomSize(
        bytes=size.public_bytes,
        limit_bytes=size.limit_bytes,
        hidden_bytes=size.hidden_bytes,
        hidden_limit_bytes=size.hidden_limit_bytes,
    )


def get_view(reader: Reader, in_flight: InFlightBudget) -> Response:
    """Return the caller's view: the state of the room as far as the caller may see it."""
    text = reader.live.view_text(reader.holder.channels)
    answer = PiecewiseResponse(in_flight, text, 200, "application/json")
    reader.reads.spend(len(text))
    return answer


async def get_undoable(reader: Reader) -> Response:
    """List the commands that the caller may undo now, the latest first."""
    answer = json_answer(await reader.live.undoable(reader.holder.actor))
    reader.reads.spend(len(answer.body))
    return answer


async def send_command(
    caller: Caller, request: Request, host: str, limits: Limits, in_flight: InFlightBudget
) -> Response:
    """Submit one command, and answer with its records, with its refusal, or with `pending` if the store takes long.

    Requests with the same Idempotency-Key apply the command only once. Raises Refused if the request is invalid, or
    if a rate limit is reached.
    """
    live, holder = caller
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= 200:
        raise Refused(Code.BAD_REQUEST, problem="an Idempotency-Key has 1 to 200 characters")
    wanted = parse_command(await text_of(in_flight, request))
    actor = holder.actor
    wait_ms = limits.meter(live.id, actor, host, live.size).take()
    if wait_ms:
        raise too_soon(wait_ms)
    session = sessions.of_key(actor.seat_id, key) if key is not None else ""
    try:
        outcome = await ask(live, actor, wanted, session)
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


async def delete_room(live: LiveRoom, request: Request, rooms: Rooms) -> None:
    """Delete a room and close its connections. Raises Refused unless `?confirm=` has the room's title."""
    if request.query_params.get("confirm") != live.room.view.title:
        raise Refused(Code.BAD_REQUEST, problem="say ?confirm= with the room's title")
    await rooms.delete(live.id)
