"""The relay as a whole: what it waits for, how it ends, and that no secret is in its log or in what it keeps."""

from pathlib import Path

import pytest

import dreadclock
from dreadclock_server.tools.relay import relay as relaying_to_all
from kit.relay.discord import StubDiscord
from kit.relay.running import KEY, RelayProcess, begun, link_of, relaying, roll, webhook, written
from kit.relay.stubs import Call, Reply, Stub
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

SOON_S = 60.0
HASTY = """
import logging
from dreadclock_server.tools.relay import moments
logging.basicConfig(level=10)
moments.FRESH_S = 3.0
"""
QUICK = "retries_s = [0.05, 0.05, 0.05, 0.05]\ntimeout_s = 5\n"


async def test_with_a_void_link_the_rest_is_sent(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))

    async def answer(_: Call) -> Reply:
        if len(stub.calls) == 1:
            async with table.http("gm") as http:
                tokens = (await http.get(table.path("/tokens"))).json()
                hers = next(each["token_id"] for each in tokens if each["seat_id"] == table.seat("eve"))
                await http.delete(table.path(f"/tokens/{hers}"))
        return Reply(503 if len(stub.calls) < 3 else 200)

    stub.answering = answer
    async with relaying(path) as running:
        await begun(path)
        await roll(gm, "last")
        with pytest.raises(dreadclock.ConnectionEnded):
            await running
    assert [call.headers["webhook-id"] for call in stub.calls] == [stub.calls[0].headers["webhook-id"]] * 3


async def test_a_link_that_opens_nothing_ends_it_with_a_sentence(table: Table, tmp_path: Path) -> None:
    path = written(tmp_path, f"{table.server.url}/r/{table.id}#{'a' * 22}", webhook("http://127.0.0.1:9"))
    relay = RelayProcess(path)

    assert await relay.ends() == 1
    assert "a" * 22 not in relay.log_text()
    assert "Traceback" not in relay.log_text()


async def test_a_server_is_waited_for_at_the_start_and_after_its_end(mortal: Server, stub: Stub, tmp_path: Path):
    table = await open_table(mortal)
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    await mortal.stop()
    relay = RelayProcess(path)
    try:
        await until(lambda: "cannot be reached" in relay.log_text(), SOON_S)
        await mortal.start()
        await begun(path)
        async with dreadclock.connect(link_of(table, "gm"), dice_secrets=False) as gm:
            await roll(gm, "one")
            await until(lambda: len(stub.calls) == 1, SOON_S)
            await mortal.kill()
            await mortal.start()
            await roll(gm, "two")
            await until(lambda: len(stub.calls) == 2, SOON_S)
    finally:
        relay.kill()


async def test_no_secret_is_in_the_log_or_in_what_is_kept_whatever_goes_wrong(
    table: Table, gm: dreadclock.Room, discord: StubDiscord, stub: Stub, tmp_path: Path
) -> None:
    async def broken(_: Call) -> Reply:
        return Reply(500, b"a-secret-answer")

    stub.answering = broken
    discord.before.extend([Reply(500), Reply(429), Reply(302, headers={"Location": discord.webhook})])
    targets = f"""
        [targets.there]
        kind = "discord"
        url = "env:HERE"
        story = true
        [targets.nowhere]
        kind = "discord"
        url = "env:NOWHERE"
        [targets.dice]
        kind = "dddice"
        key = "env:DDDICE"
        room = "abc"
        base = "http://127.0.0.1:9"
        [targets.stream]
        kind = "obs"
        url = "ws://127.0.0.1:9"
        password = "env:OBS"
        when = [{{events = ["dice_rolled"], source = "x"}}]
        {webhook(f"{stub.url}/a-secret-path", QUICK).replace("retries_s = [", "retries_s = [0.05, 0.05, ")}
    """
    path = written(tmp_path, link_of(table, "gm"), targets)
    secrets = {
        "HERE": discord.webhook,
        "NOWHERE": "http://127.0.0.1:9/api/webhooks/1/another-secret-token",
        "DDDICE": "a-secret-key-of-dddice",
        "OBS": "a-secret-password",
    }
    relay = RelayProcess(path, HASTY, secrets)
    try:
        await begun(path)
        await begun(path, "there")
        await roll(gm, "luck")
        await until(lambda: "hook: nothing is sent there any more" in relay.log_text(), SOON_S)
        await until(lambda: "stream: OBS is out of reach" in relay.log_text(), SOON_S)
        await until(lambda: "were not shown" in relay.log_text(), SOON_S)
        await until(lambda: not discord.before and bool(discord.posted), SOON_S)
    finally:
        relay.kill()

    kept = "".join(each.read_text() for each in (tmp_path / "state").rglob("*.json"))
    parts = [
        *secrets.values(),
        "a-secret-token_of_the-webhook",
        "another-secret-token",
        "a-secret-path",
        "a-secret-answer",
    ]
    for secret in [*parts, table.token("gm"), KEY, KEY.removeprefix("whsec_")]:
        assert secret not in relay.log_text()
        assert secret not in kept
    assert "Traceback" not in relay.log_text()


async def test_a_second_relay_with_the_same_link_is_noticed_and_said(
    table: Table, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaying_to_all, "TWICE_S", 0.1)
    here, there = (written(tmp_path / name, link_of(table, "eve"), webhook(stub.url)) for name in ("here", "there"))
    async with relaying(here):
        await begun(here)
        assert "is connected" not in caplog.text
        async with relaying(there):
            await until(lambda: caplog.text.count("the seat of this link is connected 2 times") == 2, SOON_S)
