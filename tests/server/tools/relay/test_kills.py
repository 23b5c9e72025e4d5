"""A relay that is killed at named points of its code: every webhook arrives, in order, duplicates under one id.

`DREADCLOCK_RELAY_KILLS` says how often it is killed, 10 times unless it is set. `DREADCLOCK_STANDARDWEBHOOKS` names a
folder with npm's `standardwebhooks` in its `node_modules`: then that verifies everything, too.
"""

import asyncio
import json
import os
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count, islice
from pathlib import Path

from standardwebhooks.webhooks import Webhook as Verifier

import dreadclock
from dreadclock.wire.base import Channel
from kit.relay.crash_points import POINTS, crash_at
from kit.relay.running import KEY, RelayProcess, begun, kept, link_of, webhook, written
from kit.relay.stubs import Call, Reply, Stub
from kit.rooms import Table
from kit.waiting import until

KILLS = int(os.environ.get("DREADCLOCK_RELAY_KILLS", "10"))
NODE_MODULES = os.environ.get("DREADCLOCK_STANDARDWEBHOOKS")
QUICK = "retries_s = [0.01, 0.01, 0.01, 0.01, 0.01, 0.01]\ntimeout_s = 5\n"
REFUSED_EVERY = 4  # calls
BEAT_S = 0.03
CAUGHT_UP_WITHIN_S = 120.0
_VERIFY = """
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";
const hook = new Webhook(process.argv[2]);
let verified = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { body, headers } = JSON.parse(line);
  hook.verify(body, headers);
  verified += 1;
}
console.log(verified);
"""


class Judges:
    """The reference implementations, which verify every try as it comes: later it would be too old."""

    def __init__(self) -> None:
        self.verified = 0
        self._python = Verifier(KEY)
        self._node: asyncio.subprocess.Process | None = None

    @asynccontextmanager
    async def at_hand(self) -> AsyncIterator["Judges"]:
        """Run npm's, too, where it is there; in the end it must have verified as many."""
        if NODE_MODULES is None:
            yield self
            return
        script = Path(NODE_MODULES) / "verify-webhooks.mjs"
        script.write_text(_VERIFY)
        pipe = asyncio.subprocess.PIPE
        self._node = await asyncio.create_subprocess_exec("node", str(script), KEY, stdin=pipe, stdout=pipe)
        try:
            yield self
            told, _ = await self._node.communicate(b"")  # closes its stdin
            assert int(told) == self.verified
        finally:
            script.unlink()
            if self._node.returncode is None:
                self._node.kill()
                await self._node.wait()

    def verify(self, call: Call) -> None:
        self._python.verify(call.body.decode(), dict(call.headers))
        self.verified += 1
        if self._node is not None and self._node.stdin is not None:
            line = json.dumps({"body": call.body.decode(), "headers": call.headers})
            self._node.stdin.write(line.encode() + b"\n")


async def test_every_webhook_arrives_in_order_however_often_the_relay_is_killed(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, figures: list[str]
) -> None:
    taken: list[Call] = []
    judges = Judges()

    async def answer(call: Call) -> Reply:
        judges.verify(call)
        if len(stub.calls) % REFUSED_EVERY == 0:
            return Reply(500)
        taken.append(call)
        return Reply()

    stub.answering = answer
    path = written(tmp_path / "relay", link_of(table, "eve"), webhook(stub.url, QUICK))
    async with judges.at_hand():
        first = RelayProcess(path)
        await begun(path)
        first.kill()
        since, points = seq_of(gm), await killed(path, gm)
        last = RelayProcess(path)
        try:
            await until(lambda: is_done(path, seq_of(gm)), CAUGHT_UP_WITHIN_S)
        finally:
            last.kill()
    assert [point for point in points if f"dies {point}" not in last.log_text()] == []

    judge(table, taken, since + 1, seq_of(gm))
    assert judges.verified == len(stub.calls)
    doubles = len(taken) - (seq_of(gm) - since)
    figures.append(
        f"{len(points)} kills of the relay at {len(set(points))} points: {seq_of(gm) - since} webhooks, all there and"
        f" in order, {doubles} again under the same id, {judges.verified} tries verified"
    )


async def killed(path: Path, gm: dreadclock.Room) -> list[str]:
    """Let relays die while it is played, each at another point; return where."""
    chance = random.Random(7)
    points = list(islice(shuffled(chance), KILLS))
    playing = asyncio.create_task(play(gm))
    for point in points:
        await RelayProcess(path, crash_at(point, chance)).dies()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return points


def seq_of(gm: dreadclock.Room) -> int:
    return gm.positions[Channel.PUBLIC].seq


def shuffled(chance: random.Random) -> Iterator[str]:
    while True:
        yield from chance.sample(POINTS, len(POINTS))


async def play(gm: dreadclock.Room) -> None:
    for number in count():
        await gm.submit({"type": "roll_dice", "pool": 3, "name": f"roll {number}"})
        await asyncio.sleep(BEAT_S)


def is_done(path: Path, seq: int) -> bool:
    known = kept(path)
    return bool(known and known.standing and known.standing.heads[Channel.PUBLIC].seq == seq and not known.pending)


def judge(table: Table, taken: list[Call], first: int, last: int) -> None:
    """See that all were taken, in their order, and that what came twice is the same twice."""
    seqs = [json.loads(call.body)["data"]["record"]["seq"] for call in taken]
    assert seqs == sorted(seqs), "one overtook another"
    assert sorted(set(seqs)) == list(range(first, last + 1))
    bodies: defaultdict[int, set[bytes]] = defaultdict(set)
    for seq, call in zip(seqs, taken, strict=True):
        assert call.headers["webhook-id"] == f"{table.id}_public_{seq}"
        bodies[seq].add(call.body)
    assert [seq for seq, each in bodies.items() if len(each) > 1] == []
