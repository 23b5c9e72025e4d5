"""Sends rolls with dice tokens, one at a time.

A lane is a series of slots whose dice a seat and the server fixed in advance. Each roll takes the next slot of a lane
that only this connection uses, and shows the client's secret token for the slot. All tokens of a lane follow from one
secret. The first value of their series is its anchor.

A token that was shown stays the lane's next token until a roll has used it. After any error, the client shows the same
token for the same slot again. It never opens another lane to avoid a slot, because that would let it choose its dice.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets, Holder, Secret
from dreadclock.dice.flaws import Flaw
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.wire.base import Channel, DiceToken, Value32
from dreadclock.wire.commands import CommandBase, OpenLane, RollingCommand
from dreadclock.wire.errors import UNCOUNTED, Code, Refused
from dreadclock.wire.things import Lane

if TYPE_CHECKING:  # would be a circular import: room.py imports this module
    from dreadclock.client.room import Room

MOST_TRIES = 8  # the most tries to find a lane with a free slot, and the most tries to roll
FOLLOW_WITHIN_S = 5.0  # how long to wait for records that the server has already mentioned
_ASTRAY = frozenset({Code.SLOT_TAKEN, Code.BAD_TOKEN, Code.LANE_USED_UP, Code.UNKNOWN})
_NO_MORE_LANES = frozenset({Code.NOT_ALLOWED, Code.TOO_MANY})
_Outcome = Acknowledged | Exception


class Roller:
    """Sends the rolling commands of a connection.

    `post` sends a command, once fewer than 64 are under way, and returns a future of its outcome.
    """

    def __init__(
        self,
        room: "Room",
        secrets: DiceSecrets,
        post: Callable[[CommandBase], Awaitable["asyncio.Future[_Outcome]"]],
        raise_alarm: Callable[[RollAlarm], None],
    ) -> None:
        self._room, self._secrets, self._post, self._raise_alarm = room, secrets, post, raise_alarm
        self._turn = asyncio.Lock()
        self._sent: asyncio.Future[_Outcome] | None = None
        self._holder: Holder | None = None
        self._secret: Secret | None = None
        self._lanes_refused = False

    def takes(self, command: RollingCommand) -> bool:
        """Tell whether a command needs a token."""
        return command.faces is None and command.dice is None and not self._lanes_refused

    def is_elsewhere(self, anchor: Value32) -> bool:
        """Tell whether another connection of this seat on this device uses the tokens with this anchor."""
        mine = self._secret is not None and self._secret.anchor == anchor
        return not mine and anchor in self._secrets.stored(self._holding())

    def is_here(self, anchor: Value32) -> bool:
        """Tell whether any connection of this seat on this device uses the tokens with this anchor."""
        mine = self._secret is not None and self._secret.anchor == anchor
        return mine or anchor in self._secrets.stored(self._holding())

    def look_anew(self) -> None:
        """Do not wait any more for the records of the last answer, because the view was replaced."""
        if self._sent is not None and self._sent.done():
            self._sent = None

    def close(self) -> None:
        """Unlock the secret for other connections."""
        if self._secret is not None:
            self._secret.release()

    async def roll(self, command: RollingCommand) -> Acknowledged:
        """Roll in the next slot, after all earlier rolls. Raises Refused if the room refuses the command,
        and ConnectionEnded if the connection has ended.

        Rolls without a token if the server opens no lane. If the caller is cancelled, the command stays under way, and
        the next roll still waits for its answer.
        """
        seen = self._room.positions[Channel.PUBLIC].seq
        await self._turn.acquire()
        try:
            return await self._rolled(command, seen)
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._sent is None or self._sent.done():
            self._turn.release()
        else:
            self._sent.add_done_callback(lambda _: self._turn.release())

    async def _rolled(self, command: RollingCommand, seen: int) -> Acknowledged:
        for tries_left in reversed(range(MOST_TRIES)):
            lane = await self._lane()
            filled = command if lane is None else self._with_token(command, lane, seen)
            try:
                return await self._answered(filled)
            except Refused as refused:
                if not tries_left or not await self._may_look_again(refused, filled):
                    raise
        raise AssertionError("the last try returns or raises")

    def _with_token(self, command: RollingCommand, lane: Lane, seen: int) -> RollingCommand:
        assert self._secret is not None
        n = lane.used + 1
        dice = DiceToken(lane=lane.label, n=n, token=self._secret.token(n), seen=seen)
        return command.model_copy(update={"dice": dice})

    async def _answered(self, command: CommandBase) -> Acknowledged:
        self._sent = await self._post(command)
        outcome = await asyncio.shield(self._sent)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def _may_look_again(self, refused: Refused, filled: RollingCommand) -> bool:
        """Return whether to try a refused roll again. If so, the view now shows why its slot was refused.

        Return False at once if the refusal is not about the slot. If it is, but the view does not show the reason in
        time, raise an alarm and return False.
        """
        dice, details = filled.dice, refused.details
        if dice is None or refused.code not in _ASTRAY or dice.lane not in (details.get("lane"), details.get("id")):
            return False
        with suppress(TimeoutError):
            await self._room.wait_for(lambda _: self._next_slot() != (dice.lane, dice.n), FOLLOW_WITHIN_S)
            return True
        self._raise_alarm(RollAlarm(Flaw.DENIED, None, filled))
        return False

    def _next_slot(self) -> tuple[str, int] | None:
        """Return the next slot (lane and number) for the held secret; None if no lane matches the secret."""
        lane = self._lane_of(self._secret.anchor) if self._secret and self._holder == self._holding() else None
        fits = lane is not None and self._secret is not None and self._secret.fits(lane)
        return (lane.label, lane.used + 1) if lane is not None and fits else None

    # The lane

    async def _lane(self) -> Lane | None:
        """Return a lane with a free slot whose secret this connection holds. Open one if necessary.

        Return None if the server opens no lane, or MOST_TRIES secrets turn out to be unusable.
        """
        await self._follow()
        for _ in range(MOST_TRIES):
            secret = self._held()
            lane = self._lane_of(secret.anchor)
            if lane is None:
                if not await self._opened(secret):
                    return None
            elif not secret.fits(lane):
                if secret.contradicts(lane):
                    self._raise_alarm(RollAlarm(Flaw.KEY, lane=lane.label))
                self._let_go(secret.put_aside)
            elif lane.used >= LANE_LENGTH:
                self._let_go(secret.forget)
            else:
                secret.note(lane)
                return lane
        return None

    async def _follow(self) -> None:
        """Wait until the view includes all records that the last answer mentioned, but at most FOLLOW_WITHIN_S."""
        last = self._sent.result() if self._sent is not None and self._sent.done() else None
        if isinstance(last, Acknowledged):
            seq = last.positions.get(Channel.PUBLIC, 0)
            with suppress(TimeoutError):
                await self._room.wait_for(
                    lambda _: self._sent is None or self._room.positions[Channel.PUBLIC].seq >= seq, FOLLOW_WITHIN_S
                )

    def _holding(self) -> Holder:
        return Holder(self._room.id, self._room.log_id, self._room.seat)

    def _held(self) -> Secret:
        """Return the secret in use, or lock the best unlocked secret."""
        holder = self._holding()
        if self._secret is not None and self._holder != holder:
            self._let_go(self._secret.release)
        if self._secret is None:
            self._holder, self._secret = holder, self._secrets.take(holder, self._rank)
        return self._secret

    def _let_go(self, part: Callable[[], None]) -> None:
        part()
        self._secret = None

    def _rank(self, anchor: Value32) -> int:
        """Return the rank of a secret. The best secrets have an open lane, then come secrets without a lane, then
        secrets of used-up lanes.
        """
        lane = self._lane_of(anchor)
        if lane is None:
            return 1
        return 0 if lane.used < LANE_LENGTH else 2

    def _lane_of(self, anchor: Value32) -> Lane | None:
        lanes = self._room.view.public.lanes.values()
        return next((lane for lane in lanes if lane.anchor == anchor and lane.seat_id == self._room.seat), None)

    async def _opened(self, secret: Secret) -> bool:
        """Ask the server to open the secret's lane, and wait for the record. Return whether to look for a lane again.

        False if the server opens no lane. If an earlier lane used the anchor of this secret, delete the secret and
        return True. Raises ConnectionEnded, and Refused if the server cannot take the command now (`UNCOUNTED`).
        """
        try:
            await self._answered(OpenLane(anchor=secret.anchor))
            await self._room.wait_for(lambda _: self._lane_of(secret.anchor) is not None, FOLLOW_WITHIN_S)
        except TimeoutError:
            return False
        except Refused as refused:
            if refused.code in UNCOUNTED:
                raise
            if refused.code is Code.ANCHOR_USED:
                self._let_go(secret.forget)
            self._lanes_refused = refused.code in _NO_MORE_LANES
            return refused.code is Code.ANCHOR_USED
        return True
