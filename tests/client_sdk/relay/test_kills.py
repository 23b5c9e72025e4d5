"""A relay that is killed at named points of its code: every webhook arrives, in order, duplicates under one id.

`DREADCLOCK_RELAY_KILLS` says how often it is killed, 10 times unless it is set. `DREADCLOCK_STANDARDWEBHOOKS` names a
folder with npm's `standardwebhooks` in its `node_modules`: then that verifies everything, too.
"""

import asyncio
import json
import os
import random
import subprocess
from collections import defaultdict
from collections.abc import Iterator
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
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
const hook = new Webhook(process.argv[2]);
const lines = readFileSync(process.argv[3], "utf8").trim().split("\\n").map((line) => JSON.parse(line));
for (const { body, headers } of lines) hook.verify(body, headers);
console.log(lines.length);
"""


async def test_every_webhook_arrives_in_order_however_often_the_relay_is_killed(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, figures: list[str]
) -> None:
    taken: list[Call] = []

    async def answer(call: Call) -> Reply:
        if len(stub.calls) % REFUSED_EVERY == 0:
            return Reply(500)
        taken.append(call)
        return Reply()

    stub.answering = answer
    path = written(tmp_path / "relay", link_of(table, "eve"), webhook(stub.url, QUICK))
    first = RelayProcess(path)
    await begun(path)
    first.kill()
    since = seq_of(gm)

    playing = asyncio.create_task(play(gm))
    chance = random.Random(7)
    points = list(islice(shuffled(chance), KILLS))
    for point in points:
        relay = RelayProcess(path, crash_at(point, chance))
        await relay.dies()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    assert [point for point in points if f"dies {point}" not in relay.log_text()] == []

    last = RelayProcess(path)
    try:
        await until(lambda: is_done(path, seq_of(gm)), CAUGHT_UP_WITHIN_S)
    finally:
        last.kill()

    judge(table, taken, since + 1, seq_of(gm))
    verify_all(stub.calls, tmp_path)
    doubles = len(taken) - (seq_of(gm) - since)
    figures.append(
        f"{len(points)} kills of the relay at {len(set(points))} points: {seq_of(gm) - since} webhooks, all there and"
        f" in order, {doubles} again under the same id, {len(stub.calls)} tries verified"
    )


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


def verify_all(calls: list[Call], folder: Path) -> None:
    """Let the reference implementations verify every try."""
    for call in calls:
        Verifier(KEY).verify(call.body.decode(), dict(call.headers))
    if NODE_MODULES is None:
        return
    lines = [json.dumps({"body": call.body.decode(), "headers": call.headers}) for call in calls]
    (folder / "calls.jsonl").write_text("\n".join(lines))
    script = Path(NODE_MODULES) / "verify-webhooks.mjs"
    script.write_text(_VERIFY)
    try:
        command = ["node", str(script), KEY, str(folder / "calls.jsonl")]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    finally:
        script.unlink()
    assert told.stdout.strip() == str(len(calls)), told.stderr
