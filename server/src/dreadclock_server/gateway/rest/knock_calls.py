"""The REST calls about knocks and the gm's answers. A knock is a request for a seat, by somebody who has no token."""

import asyncio
import secrets

from starlette.requests import Request

from dreadclock.wire.base import Id, Role, RoomId
from dreadclock.wire.commands import RemoveSeat
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.frames import KnockId, WaitingKnock
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import Knock, KnockAnswer, Knocking, KnockState, KnockStatus
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway import knocks, sessions, tokens
from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.knocks import Decision, LapsedKnocks, Row
from dreadclock_server.gateway.limits.caps import ConnectionLimiter
from dreadclock_server.gateway.rest.calls import number_in
from dreadclock_server.gateway.rest.room_calls import ask, demand_fitting_scopes, new_seat, seat_of
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import KNOCK, Rooms
from dreadclock_server.store.base import RoomUnknown, Store

ANSWERED_AFTER_S = 0.1  # every `knock` takes this long, so that the time does not reveal whether the room exists
LONGEST_WAIT_S = 25
LOOK_AGAIN_S = 1.0  # polling interval: the gm may answer through another process
TURNED_AWAY = KnockState(state=KnockStatus.TURNED_AWAY)
_UNDECIDED = frozenset({Code.UNSETTLED, Code.UNAVAILABLE})  # after these refusals, the seat may exist nevertheless


async def knock(room: RoomId, body: Knock, store: Store, lapsed_knocks: LapsedKnocks) -> Knocking:
    """Store a knock, and return its secret. The answer does not reveal whether the room exists."""
    until_s, now = asyncio.get_running_loop().time() + ANSWERED_AFTER_S, now_ms()
    knock, secret, expires_at = knocks.issue(room, now)
    row = Row(name=body.name, wants=body.wants, client=body.client, expires_at=expires_at)
    if _is_room(room):
        lapsed_knocks.put(room, knock, expires_at, now)
        if await store.put_knock(room, knock, row.text(), now, knocks.MOST_KNOCKS):
            store.announce(room, KNOCK)
    await asyncio.sleep(until_s - asyncio.get_running_loop().time())
    return Knocking(knock=knock, code=knocks.code_of(knock), secret=secret, expires_s=knocks.EXPIRES_S)


def _is_room(room_id: str) -> bool:
    return tokens.ROOM_ID.fullmatch(room_id) is not None


async def list_knocks(live: LiveRoom, store: Store) -> tuple[WaitingKnock, ...]:
    """List the knocks that wait for an answer."""
    await live.refresh()
    return knocks.waiting(await store.knocks(live.id), live.room.view.seats, now_ms())


class Knocker:
    """Somebody who has knocked, and shows the secret of the knock."""

    def __init__(
        self, room: RoomId, knock: KnockId, bearer: str, base_url: str, rooms: Rooms, lapsed_knocks: LapsedKnocks
    ) -> None:
        """`bearer`: the secret. Raises Refused if the secret does not belong to the knock."""
        expires_at = knocks.expiry_of(room, knock, bearer)
        if expires_at is None:
            raise Refused(Code.UNAUTHORISED)
        self.room, self.knock, self.secret, self.expires_at = room, knock, bearer, expires_at
        self.base_url, self.rooms, self.lapsed_knocks = base_url, rooms, lapsed_knocks

    async def state(self) -> KnockState:
        """Return the state of the knock. If the gm has given a seat, the state includes the token."""
        text = await self._stored()
        row, now = knocks.row_of(text, now_ms()), now_ms()
        if row is not None and row.seat_id is not None:
            assert text is not None
            return await self._seated(text, row)
        if row is not None and row.is_answered:
            return TURNED_AWAY
        if now < self.expires_at and self.knock not in self.lapsed_knocks:
            return KnockState(state=KnockStatus.PENDING, expires_s=(self.expires_at - now) // 1000)
        if await self._remove(text):  # so that the gm cannot answer this knock any more
            return KnockState(state=KnockStatus.EXPIRED)
        return await self.state()  # the gm has answered just now

    async def _seated(self, text: str, row: Row) -> KnockState:
        """Return the state with the knocker's token. The first call stores the token.

        If the seat was removed or the token revoked, the knocker is turned away: a revoked token is not restored.
        Raises Refused if the room has too many tokens.
        """
        store, live = self.rooms.store, await self._room_with_seat(row)
        if live is None:
            return TURNED_AWAY
        token, info = knocks.token_of(self.knock, self.secret, row, now_ms())
        token_hash = tokens.hash_of(token)
        if row.taken_at is None:
            most = tokens.most_of(live)
            await tokens.demand_room_for_one(store, self.room, most)
            taken = row.model_copy(update={"taken_at": info.created_at}).text()
            await store.put_knockers_token(self.room, self.knock, text, taken, token_hash, tokens.stored(info), most)
        if await store.token(self.room, token_hash) is None:
            return TURNED_AWAY
        grant = tokens.grant(self.base_url, self.room, token, info)
        assert row.decision is not None
        return KnockState(state=KnockStatus.SEATED, seat_id=info.seat_id, role=row.decision.role, grant=grant)

    async def _room_with_seat(self, row: Row) -> LiveRoom | None:
        try:
            live = await self.rooms.get(self.room)
            await live.refresh()
        except RoomUnknown:
            return None
        return live if row.seat_id is not None and live.seat(row.seat_id) is not None else None

    async def withdraw(self) -> None:
        """Delete the stored knock, even if the gm answers it meanwhile."""
        self.lapsed_knocks.withdrawn(self.room, self.knock)
        while not await self._remove(await self._stored()):
            pass  # the knock was changed meanwhile: retry

    async def _stored(self) -> str | None:
        return await self.rooms.store.knock(self.room, self.knock) if _is_room(self.room) else None

    async def _remove(self, text: str | None) -> bool:
        """Delete the stored knock if its row is still `text`. Return False if the row differs."""
        if text is None:
            return True
        done = await self.rooms.store.change_knock(self.room, self.knock, text, None)
        if done:
            self.rooms.store.announce(self.room, KNOCK)
        return done


async def get_knock(
    knocker: Knocker, request: Request, host: str, health: Health, long_polls: ConnectionLimiter
) -> KnockState:
    """Return the state of the knock. Waits up to `?wait_s=` seconds for an answer of the gm.

    Does not wait if there are too many waiting calls (`long_polls`), or if the server shuts down.
    """
    loop = asyncio.get_running_loop()
    until_s = loop.time() + number_in(request, "wait_s", LONGEST_WAIT_S)
    status = long_polls.enter(host)
    try:
        while True:
            state = await knocker.state()
            left_s = 0.0 if status or health.is_leaving else until_s - loop.time()
            if state.state is not KnockStatus.PENDING or left_s <= 0 or await request.is_disconnected():
                return state
            await asyncio.sleep(min(LOOK_AGAIN_S, left_s))
    finally:
        if status is None:
            long_polls.leave(host)


async def withdraw_knock(knocker: Knocker) -> None:
    """Withdraw the knock, or delete it after its answer was received."""
    await knocker.withdraw()


# The gm


async def answer_knock(
    live: LiveRoom, body: KnockAnswer, knock: KnockId, store: Store, lapsed_knocks: LapsedKnocks
) -> KnockState:
    """Give the knocker a seat, or turn the knocker away. Repeating the same answer changes nothing.

    Raises Refused if there is no such knock, or a different answer to it, or if the seat cannot be given.
    """
    text, row = await _decide(store, live, knock, body)
    if row.decision is not None and row.decision.accept and row.seat_id is None:
        row = await _seat(store, live, knock, text, row)
    lapsed_knocks.answered(live.id, knock)
    store.announce(live.id, KNOCK)
    if row.decision is None or row.seat_id is None:
        return TURNED_AWAY
    return KnockState(state=KnockStatus.SEATED, seat_id=row.seat_id, role=row.decision.role)


async def _decide(store: Store, live: LiveRoom, knock: KnockId, wanted: KnockAnswer) -> tuple[str, Row]:
    """Store the gm's decision, before a seat is made. Return the stored text and its row.

    Raises Refused if there is no such knock, if there is a different decision already, or if the decision cannot be
    carried out.
    """
    while True:
        text = await store.knock(live.id, knock)
        row = knocks.row_of(text, now_ms())
        if text is None or row is None:
            raise Refused(Code.UNKNOWN, kind="knock", id=knock[:32])
        decision = _decision(wanted, row)
        if row.decision is not None:
            if row.decision != decision:
                raise Refused(Code.KNOCK_ANSWERED)
            return text, row
        if decision.accept:
            await _demand_possible(store, live, decision)
        decided = row.model_copy(update={"decision": decision})
        if await store.change_knock(live.id, knock, text, decided.text()):
            return decided.text(), decided


def _decision(wanted: KnockAnswer, row: Row) -> Decision:
    """Return the decision in the gm's answer. It keeps the nonce of an earlier decision, or gets a new nonce.

    If both decisions are rejections, returns the earlier one, because their other fields do not matter.
    """
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


async def _demand_possible(store: Store, live: LiveRoom, decision: Decision) -> None:
    """Raise Refused if a decision cannot be carried out: no place for a token, no such seat, or wrong scopes."""
    await tokens.demand_room_for_one(store, live.id, tokens.most_of(live))
    if decision.seat_id is not None:
        await seat_of(live, decision.seat_id, decision.role)
    else:
        demand_fitting_scopes(decision.role, decision.scopes)


async def _seat(store: Store, live: LiveRoom, knock: KnockId, text: str, row: Row) -> Row:
    """Find or make the seat of the decision, and store its id in the row.

    Raises Refused if there can be no such seat, and removes the decision from the row, so that the gm can decide again.
    Also raises Refused if the knock was withdrawn.
    """
    decision = row.decision
    assert decision is not None
    try:
        seat = await seat_of(live, decision.seat_id or await _new_seat(live, knock, decision), decision.role)
    except Refused as refused:
        if refused.code not in _UNDECIDED:
            undone = row.model_copy(update={"decision": None}).text()
            await store.change_knock(live.id, knock, text, undone)
        raise
    seated = row.model_copy(update={"seat_id": seat.id, "scopes": seat.scopes})
    noted = await store.change_knock(live.id, knock, text, seated.text())
    if not noted and await store.knock(live.id, knock) is None:  # the knock was withdrawn meanwhile
        await _take_away(store, live, seat.id, decision)
        raise Refused(Code.UNKNOWN, kind="knock", id=knock)
    return seated


async def _take_away(store: Store, live: LiveRoom, seat_id: Id, decision: Decision) -> None:
    """Remove the seat that was made for a withdrawn knock, unless the seat has a token."""
    held = {token.seat_id for token in await tokens.listed(live, store)}
    if decision.seat_id is None and seat_id not in held:
        await ask(live, Actor(GM_SEAT, Role.GM), RemoveSeat(seat_id=seat_id))


async def _new_seat(live: LiveRoom, knock: KnockId, decision: Decision) -> str:
    session = sessions.of_key(GM_SEAT, f"knock {knock} {decision.nonce}")
    return await new_seat(live, Role(decision.role), decision.name, decision.scopes, session)
