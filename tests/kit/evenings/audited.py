"""Evenings whose every die can be checked: the ledger's dice, tokens of several seats, secrets that come to light."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from dreadclock.dice.audit import FaultKind
from dreadclock.export import write_export
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.errors import Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.evening.verify import verify
from kit.dice.lanes import dice, opening
from kit.evenings.prepared import evening_orders
from kit.strategies.orders import BUILDERS, random_order
from kit.strategies.picks import Fields, Picks
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.strategies.scripts import BARD, LEDGER, RARE, SEATS
from kit.tables import ANN, BO, GM, LOG, ROOM, Table, read_command

PUBLIC = (Channel.PUBLIC,)
BOTH = (Channel.PUBLIC, Channel.GM)
SAT_DOWN = tuple(each for each in SEATS if each != BARD)  # with the scopes that the record tells of
SECRETS = {GM: 1, ANN: 2, BO: 3}  # what the tokens of each come from
# An integration that may do all that one can but see secrets, and to which players lend their seats
FACTOTUM = Actor("integration-7", Role.INTEGRATION, tuple(scope for scope in Scope if scope is not Scope.SECRETS))
_HELPED = (*SAT_DOWN, *(FACTOTUM,) * 20)
_OFTEN = tuple(kind for kind in BUILDERS if kind not in RARE) + tuple(ROLL_BUILDERS)
_ROLLING = ("roll_dice", "roll_countdown", "roll_check", "roll_total", "push_luck", "end_turn")
_MOST = tuple(kind for kind in RARE if kind not in ("close_room", "reopen_room", "fail_situation"))
_VOID = "void_command"
KINDS = (*_OFTEN * 3, *_ROLLING * 12, *_MOST, *("reveal",) * 6, *(_VOID,) * 30)
_LATELY = 6  # records, of which one is taken back


def rules_broken(texts: list[str], channels: tuple[Channel, ...]) -> list[str]:
    """Return what the verifier says against the rules in these channels of an evening."""
    faults = verify(export_of(texts, *channels)).faults
    return [fault.sentence for fault in faults if fault.kind is FaultKind.RULES]


def export_of(texts: list[str], *channels: Channel) -> bytes:
    """Export what these channels hold of an evening."""
    held = [text for text in texts if Channel.GM in channels or '"channel":"public"' in text]
    return "".join(write_export(ROOM, LOG, channels, held)).encode()


@cache
def evening_of(events: int, seed: int = 1, *, helped: bool = False) -> tuple[str, ...]:
    """Return the texts of an evening of at least so many records; one that is `helped` has a factotum."""
    return tuple(Evening(seed, helped=helped).until(events).texts)


class Evening:
    """A prepared room in which commands of chance are given; those that are refused leave no trace."""

    def __init__(self, seed: int, *, helped: bool = False) -> None:
        self.chance, self.seats = Random(seed), _HELPED if helped else SAT_DOWN
        self.table = Table(dice=LEDGER, physical_dice="everyone")
        for by, secret in SECRETS.items():
            self._do(opening(secret), by)
        for order in evening_orders():
            self._do(order, GM)
        for n in (1, 2, 3):
            for by, secret in SECRETS.items():
                self._do({"type": "roll_dice", "pool": 3, "dice": dice(n, f"seat/{by.seat_id}/1", secret)}, by)
        if helped:
            self.table.do(JoinSeat(FACTOTUM.role, "Factotum", FACTOTUM.scopes), dice=LEDGER)
            for player in (ANN, BO):
                self._do({"type": "lend_seat", "to": FACTOTUM.seat_id}, player)

    def until(self, events: int) -> Table:
        """Go on until there are so many records."""
        while len(self.table.records) < events:
            by = self.chance.choice(self.seats)
            kind = self.chance.choice(KINDS)
            order = self._slip() if kind == _VOID else random_order(kind, Picks(self.chance.getrandbits(80)))
            if by == FACTOTUM and self.chance.random() < 0.7:
                order = {**order, "act_for": self.chance.choice((ANN, BO)).seat_id}
            self._try(order, by)
        return self.table

    def _slip(self) -> Fields:
        """Take back one of the latest commands."""
        record = self.chance.choice(self.table.records[-_LATELY:])
        return {"type": _VOID, "channel": record.channel, "seq": record.seq, "reason": "a slip"}

    def _try(self, order: Fields, by: Actor) -> None:
        """Give a command with a token, if its seat has any to show; without one if that is refused."""
        for given in self._with_and_without_token(order, by):
            try:
                read_command(given)
                return self._do(given, by)
            except Refused:
                continue
        return None

    def _with_and_without_token(self, order: Fields, by: Actor) -> list[Fields]:
        label = f"seat/{by.seat_id}/1"
        lane = self.table.view.public.lanes.get(label)
        if lane is None or by not in SECRETS or order["type"] not in _ROLLING or self.chance.random() < 0.2:
            return [order]
        proven: dict[str, Any] = {**order, "dice": dice(lane.used + 1, label, SECRETS[by])}
        return [{key: value for key, value in proven.items() if key != "faces"}, order]

    def _do(self, order: Fields, by: Actor) -> None:
        self.table.now_ms += self.chance.choice((0, 0, 1, 3_000))  # commands of one batch have the same time
        self.table.do(order, by=by, dice=LEDGER)
