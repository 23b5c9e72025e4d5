"""dddice: our faces in its dice, each roll under one id, and nothing that is over."""

import json
from pathlib import Path

import pytest

import dreadclock
from dreadclock.wire.base import Channel
from kit.relay.running import link_of, relaying, written
from kit.relay.stubs import Reply, Stub, in_turn
from kit.rooms import Table
from kit.waiting import until

SOON_S = 20.0


def settings(folder: Path, table: Table, stub: Stub, who: str = "eve") -> Path:
    target = f'[targets.dice]\nkind = "dddice"\nkey = "file:dddice"\nroom = "Xy3abcd"\nbase = "{stub.url}/api/1.0"\n'
    path = written(folder, link_of(table, who), target)
    (folder / "dddice").write_text("a-secret-key\n")
    (folder / "dddice").chmod(0o600)
    return path


async def roll(gm: dreadclock.Room, name: str, **more: object) -> tuple[int, ...]:
    done = await gm.submit({"type": "roll_dice", "pool": 3, "name": name, **more})
    rolled = done.events[-1]
    return tuple(rolled.roll.faces) if rolled.type == "dice_rolled" else ()


async def test_dice_fall_with_our_faces(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path) -> None:
    async with relaying(settings(tmp_path, table, stub)):
        await until(lambda: table.seat("eve") in gm.here, SOON_S)
        faces = await roll(gm, "luck")
        await until(lambda: len(stub.calls) == 1)

    (call,) = stub.calls
    assert (call.method, call.path) == ("POST", "/api/1.0/roll")
    assert call.headers["authorization"] == "Bearer a-secret-key"
    told = json.loads(call.body)
    assert told["dice"] == [{"type": "d6", "theme": "dddice-standard", "value": face} for face in faces]
    assert (told["room"], told["external_id"]) == ("Xy3abcd", f"{table.id}_public_{gm.positions[Channel.PUBLIC].seq}")
    assert told["label"].startswith('Gm rolled 3 dice for "luck"')


async def test_a_hidden_roll_is_shown_to_nobody(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path) -> None:
    async with relaying(settings(tmp_path, table, stub, who="gm")):
        await until(lambda: gm.here.get("gm") == 2, SOON_S)
        await roll(gm, "in secret", visibility="gm")
        await roll(gm, "open")
        await until(lambda: len(stub.calls) == 1)

    assert b"open" in stub.calls[0].body


@pytest.mark.parametrize(
    "refusal", [Reply(500), Reply(429, headers={"Retry-After": "0.1"})], ids=["broken", "for a bit"]
)
async def test_a_delayed_roll_is_sent(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, refusal: Reply):
    stub.answering = in_turn(refusal)
    async with relaying(settings(tmp_path, table, stub)):
        await until(lambda: table.seat("eve") in gm.here, SOON_S)
        await roll(gm, "luck")
        await until(lambda: len(stub.calls) == 2)
    assert stub.calls[0].body == stub.calls[1].body


async def test_what_is_refused_is_left_and_the_next_is_shown(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stub.answering = in_turn(Reply(422))
    async with relaying(settings(tmp_path, table, stub)):
        await until(lambda: table.seat("eve") in gm.here, SOON_S)
        await roll(gm, "one")
        await roll(gm, "two")
        await until(lambda: len(stub.calls) == 2)
    assert "were not shown: it answered 422" in caplog.text


async def test_a_key_that_is_not_valid_stops_the_target(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stub.answering = in_turn(Reply(401))
    async with relaying(settings(tmp_path, table, stub)) as running:
        await until(lambda: table.seat("eve") in gm.here, SOON_S)
        await roll(gm, "luck")
        await running
    assert "dice: nothing is sent there any more: dddice answered 401: its key is not valid" in caplog.text
    assert "a-secret-key" not in caplog.text
