"""What the ledger and the chain cost: the server's CPU and the bytes on the wire, for each roll with a token.

    .venv/bin/python bench/dice.py [LANES]

Plays LANES (10 unless said) lanes of 1,024 rolls to their end, at a table of seven seats, three of which show tokens.
Prints the time of each stage, then that of the whole decision with a token and with physical dice, which use neither
lane nor token: of the lanes' means, in us of CPU, the median and the least, for the machine may be busy. Bytes are
those that a roll is longer by.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from dreadclock.rules.ledger import LANE_LENGTH, Chain, text32, token_chain
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.families.dice import lane_rolled
from dreadclock.wire.fold import proof_of
from dreadclock.wire.frames import events_frame
from dreadclock.wire.records import advance, canonical, room_bytes, text_of
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.rolling import take_token
from dreadclock_server.core.room import Room
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, BOT, CLERK, GM, ROOM, Table, evolve

SECRET = bytes([0x11]) * 32
MOST_US, MOST_BYTES = 60, 300
POOL = 6
PLAIN: dict[str, Any] = {"type": "roll_dice", "pool": POOL}
Times = dict[str, list[int]]
Stage = tuple[str, Callable[[], object]]


class Clock:
    """Adds up the CPU time that stages take, in ns: what other programs take meanwhile does not count."""

    def __init__(self) -> None:
        self.times: Times = defaultdict(list)
        self._own = self._then = 0
        self._turned = False
        self._own = self._of_its_own()

    def _of_its_own(self) -> int:
        """Return what it takes to look at the clock."""
        for _ in range(1_000):
            self.start()
            self.lap("")
        return int(statistics.median(self.times.pop("")))

    def start(self) -> None:
        self._then = time.thread_time_ns()

    def lap(self, stage: str) -> None:
        self.times[stage].append(time.thread_time_ns() - self._then - self._own)
        self._then = time.thread_time_ns()

    def both(self, first: Stage, second: Stage) -> None:
        """Time two stages that are held against each other, each of them first every other time."""
        self._turned = not self._turned
        for name, work in (second, first) if self._turned else (first, second):
            self.start()
            work()
            self.lap(name)

    def us(self, stage: str) -> float:
        return statistics.fmean(self.times[stage]) / 1000


def company() -> Table:
    """Return a table where everyone's first token was shown."""
    table = Table(dice=Ledger(ROOM, SECRET), physical_dice="everyone")
    for place, by in enumerate((ANN, BO, GM), 1):
        table.write(opening(place), by=by, dice=Ledger(ROOM, SECRET))
    for place, by in enumerate((ANN, BO, GM), 1):
        table.write({**PLAIN, "dice": dice(1, f"seat/{by.seat_id}/1", place)}, by=by, dice=Ledger(ROOM, SECRET))
    assert BOT.seat_id in table.view.seats
    assert CLERK.seat_id in table.view.seats
    return table


def one_lane(number: int) -> tuple[Clock, list[str]]:
    """Play a lane to its end; return the times, and the texts of the rolls' records."""
    table, clock, ledger = company(), Clock(), Ledger(ROOM, SECRET)
    chain = token_chain(room_bytes(ROOM), bytes([100 + number]) * 32)
    clock.start()
    ledger.key("seat/player-1/2", text32(chain.value(0)))
    clock.lap("open the lane")
    table.write({"type": "open_lane", "anchor": text32(chain.value(0))}, by=ANN, dice=ledger)
    room, texts = table.room, list[str]()
    for n, with_token in orders(chain):
        stages(clock, room, n, with_token, ledger)
        room, text = whole(clock, room, with_token, ledger)
        texts.append(text)
    return clock, texts


def orders(chain: Chain) -> Iterator[tuple[int, str]]:
    """Give the command of each roll as it comes in."""
    for n in range(1, LANE_LENGTH + 1):
        token = {"lane": "seat/player-1/2", "n": n, "token": text32(chain.value(n)), "seen": 1_000}
        yield n, json.dumps({**PLAIN, "dice": token})


def stages(clock: Clock, room: Room, n: int, order: str, ledger: Ledger) -> None:
    """Time each stage of a roll by itself."""
    plain = json.dumps(PLAIN)
    clock.both(
        ("read without", lambda: COMMAND.validate_json(plain)),
        ("read", lambda: COMMAND.validate_json(order)),
    )
    command = COMMAND.validate_json(order)
    draft: Any = Draft(room, ANN, ANN, ledger, 1, str)
    clock.start()
    take_token(draft, command)  # type: ignore[arg-type]
    clock.lap("token")
    lane = room.view.public.lanes["seat/player-1/2"]
    slot = Ledger.slot(ledger, lane, n, draft.token.token)
    clock.lap("slot")
    slot.take(POOL)
    clock.lap("faces")


def whole(clock: Clock, room: Room, order: str, ledger: Ledger) -> tuple[Room, str]:
    """Time whole decisions, and what follows from the record."""
    command = COMMAND.validate_json(order)
    by_hand = COMMAND.validate_json(json.dumps({**PLAIN, "faces": [1] * POOL}))
    clock.both(
        ("decide by hand", lambda: decide(room, by_hand, by=ANN, dice=ledger, now_ms=1, fresh=str)),
        ("decide", lambda: decide(room, command, by=ANN, dice=ledger, now_ms=1, fresh=str)),
    )
    [written] = decide(room, command, by=ANN, dice=ledger, now_ms=1, fresh=str).written
    bare = written.record.model_copy(update={"event": without(written.event)})
    proof = proof_of(written.event)
    assert proof is not None
    clock.both(("text without", lambda: text_of(bare)), ("text", lambda: text_of(written.record)))
    clock.start()
    advance(room.positions[Channel.PUBLIC], written.text)
    clock.lap("head")
    lane_rolled(room.view.public, proof)
    clock.lap("fold")
    return evolve(room, written), written.text


def without(event: Any) -> Any:
    return event.model_copy(update={"roll": event.roll.model_copy(update={"proof": None})})


def longer_by(text: str, room: Room) -> dict[str, int]:
    """Return the bytes that a roll's record, frame and command are longer by."""
    body = json.loads(text)
    del body["event"]["roll"]["proof"]
    head = room.positions[Channel.PUBLIC]
    told = events_frame({Channel.PUBLIC: head}, ())
    bare = canonical({"type": "events", "heads": {"public": {"seq": head.seq}}})
    return {"proof": len(text.encode()) - len(canonical(body).encode()), "head": len(told) - len(bare)}


def main(lanes: int) -> None:
    """Print the table."""
    played = [one_lane(number) for number in range(lanes)]
    texts = [text for _, rolled in played for text in rolled]
    say(f"{len(texts)} rolls of {POOL} dice, {lanes} lanes{'median':>21} {'least':>10}\n")
    columns = [
        rows_of({stage: pick(clock.us(stage) for clock, _ in played) for stage in played[0][0].times})
        for pick in (statistics.median, min)
    ]
    for stage in columns[0]:
        say(f"{stage:<42}" + " ".join(f"{column[stage]:>7.2f} us" for column in columns))
    say("")
    bytes_of(texts)


def rows_of(us: dict[str, float]) -> dict[str, float]:
    """Return what a roll takes, stage by stage and as a whole."""
    added = {
        "read the command's dice": us["read"] - us["read without"],
        "check the token": us["token"],
        "open the slot": us["slot"],
        "take the faces": us["faces"],
        "write the proof": us["text"] - us["text without"],
        "count in the lane, witness": us["fold"],
        "open the lane, one of 1,024": us["open the lane"] / LANE_LENGTH,
        "hash the record": us["head"],
    }
    return {
        **added,
        f"together (at most {MOST_US})": sum(added.values()),
        "decide, physical dice": us["decide by hand"],
        "decide, with a token": us["decide"],
        "the difference, and the hash": us["decide"] - us["decide by hand"] + us["head"],
    }


def bytes_of(texts: list[str]) -> None:
    """Print what a roll is longer by."""
    room = company().room
    each = [longer_by(text, room) for text in texts[:: len(texts) // 64]]
    rows = {part: [one[part] for one in each] for part in each[0]}
    rows[f"together (at most {MOST_BYTES})"] = [sum(one.values()) for one in each]
    for part, sizes in rows.items():
        say(f"{part:<32} {statistics.fmean(sizes):>7.1f} bytes, at most {max(sizes)}")
    upstream = len(json.dumps({"dice": dice(1024, "seat/player-1/2")}, separators=(",", ":"))) - 1
    say(f"{'on the way in: the token':<32} {upstream:>7.1f} bytes")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
