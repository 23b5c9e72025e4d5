"""Long public logs of nothing but lanes and rolls, made from the scheme's functions alone: no server, no rules.

Their rolls are spread over many lanes of many seats, with tokens and without, in pools of 1 to 60, one to three of them
in a slot. `tests/js/dice.mjs` makes the like in JavaScript.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from dreadclock.rules import ledger
from dreadclock.wire.records import canonical, room_bytes

ROOM = "aaaqeayeaudaocajbifqydiob4"
LOG = "000102030405060708090a0b0c0d0e0f"
SEATS = ("gm", *(f"player-{number}" for number in range(1, 7)))
LARGEST = 60  # dice of a roll
_NEW_LANE_EVERY = 150  # rolls, on average
_DUE = ("fire", "flood", "fever")  # countdowns of the turn: what its end rolls for them shares a slot
_room16 = room_bytes(ROOM)


@dataclass
class _Lane:
    label: str
    seat: str
    keys: ledger.Chain
    tokens: ledger.Chain | None
    used: int = 0
    heard: set[str] = field(default_factory=set)
    witness: tuple[int, bytes] = (0, ledger.ZERO)
    at_last_roll: tuple[int, bytes] = (0, ledger.ZERO)


class RolledLog:
    """Writes a log of so many rolls; `texts` are its records, `planted` the seqs of those with a face that is wrong."""

    def __init__(self, rolls: int, seed: int, wrong: int = 0) -> None:
        self.texts: list[str] = []
        self.planted: set[int] = set()
        self.rolls = 0
        self._random = Random(seed)
        self._opened: dict[str, int] = {}
        self._lanes: dict[str, list[_Lane]] = {seat: [] for seat in SEATS}
        for seat in SEATS:
            self._say(seat, {"type": "seat_joined", "seat": {"id": seat, "role": "player", "name": seat}})
            self._open(seat, with_tokens=False)
        for each in _DUE:
            told = {"id": each, "name": each, "pool": 4, "speed": "slow", "bound_to": "turn", "started": 1}
            self._say("gm", {"type": "countdown_started", "countdown": told})
        bad = set(self._random.sample(range(rolls), wrong))
        while self.rolls < rolls:
            self._use_slot(rolls, bad)

    def _say(self, by: str, event: dict[str, Any]) -> None:
        seq = len(self.texts) + 1
        record = {"v": 1, "channel": "public", "seq": seq, "at": 1_700_000_000_000 + seq // 4, "by": by}
        self.texts.append(canonical({**record, "event": event}))

    def _open(self, seat: str, *, with_tokens: bool) -> None:
        number = self._opened.get(seat, 0)
        self._opened[seat] = number + 1
        tokens = ledger.token_chain(_room16, self._random.randbytes(32)) if with_tokens else None
        anchor = tokens.value(0) if tokens else ledger.ZERO
        label = f"seat/{seat}/{number}"
        keys = ledger.key_chain(ledger.lane_hash(_room16, anchor, label), self._random.randbytes(32))
        # Of two lanes at most is gone on with: the token-less one, and the latest with tokens.
        self._lanes[seat] = [lane for lane in self._lanes[seat] if (lane.tokens is None) is with_tokens]
        self._lanes[seat].append(_Lane(label, seat, keys, tokens))
        lane = {"label": label, "seat_id": seat, "key": ledger.text32(keys.value(0))}
        self._say(seat, {"type": "lane_opened", "lane": {**lane, "anchor": ledger.text32(anchor)} if tokens else lane})

    def _use_slot(self, rolls: int, bad: set[int]) -> None:
        seat = self._random.choice(SEATS)
        if self._random.randrange(_NEW_LANE_EVERY) == 0 or len(self._lanes[seat]) == 1:
            self._open(seat, with_tokens=self._random.random() < 0.9)
        lane = self._random.choice(self._lanes[seat])
        if lane.used == ledger.LANE_LENGTH:
            self._open(seat, with_tokens=lane.tokens is not None)
            lane = self._lanes[seat][-1]
        lane.used += 1
        token = lane.tokens.value(lane.used) if lane.tokens else ledger.ZERO
        count, witness = lane.at_last_roll
        proof = {"key": ledger.text32(lane.keys.value(lane.used)), "witnesses": count}
        proof |= {"token": ledger.text32(token)} if lane.tokens else {}
        self._roll_in(lane, ledger.Draws(lane.keys.value(lane.used), token, witness), proof, rolls, bad)

    def _roll_in(self, lane: _Lane, draws: ledger.Draws, first: dict[str, Any], rolls: int, bad: set[int]) -> None:
        at, start = len(self.texts), 0
        parts = min(self._random.choice((1, 1, 1, 2, 3)), rolls - self.rolls)
        for part in range(parts):
            while part and (len(self.texts) + 1) // 4 != (at + 1) // 4:
                return  # the later rolls of a slot have the time of the first
            faces = list(draws.take(self._random.randint(1, LARGEST)))
            proof = {"lane": lane.label, "n": lane.used, "start": start, **({} if part else first)}
            start += len(faces)
            if self.rolls in bad:
                self.planted.add(len(self.texts) + 1)
                place = self._random.randrange(len(faces))
                faces[place] = faces[place] % 6 + 1
            self.rolls += 1
            self._say(lane.seat, self._told(lane, faces, proof, _DUE[part] if parts > 1 else None))
            if part == 0:
                self._witness(lane)

    def _told(self, lane: _Lane, faces: list[int], proof: dict[str, Any], due: str | None) -> dict[str, Any]:
        """Return the event of a plain roll, or of one for a countdown that is due."""
        if due is not None:
            rolled = {"type": "countdown_rolled", "countdown_id": due, "faces": faces, "proof": proof}
            return {**rolled, "removed": 0, "remaining": 4, "turn": 1}
        roll = {"id": f"roll-{self.rolls}", "seat_id": lane.seat, "faces": faces, "proof": proof}
        return {"type": "dice_rolled", "roll": roll}

    def _witness(self, rolled: _Lane) -> None:
        rolled.at_last_roll = rolled.witness
        if rolled.tokens is None:
            return
        token = rolled.tokens.value(rolled.used)
        for lane in (lane for lanes in self._lanes.values() for lane in lanes):
            if lane.seat != rolled.seat and rolled.seat not in lane.heard:
                lane.heard.add(rolled.seat)
                lane.witness = (lane.witness[0] + 1, ledger.witnessed(lane.witness[1], token))
