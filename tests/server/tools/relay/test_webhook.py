"""Webhooks: signed, in order, tried again, and nothing lost; receivers that are slow, gone, or never end."""

import json
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook as Verifier

import dreadclock
from kit.relay.running import KEY, OLD_KEY, begun, kept, link_of, names, relaying, roll, webhook, written
from kit.relay.stubs import Call, Reply, Stub, in_turn
from kit.rooms import Table
from kit.waiting import until

QUICK = "retries_s = [0.05, 0.05, 0.05, 0.05]\ntimeout_s = 20\n"  # other tests may keep the machine busy
MANY_S = 30.0


def verified(call: Call, key: str = KEY) -> Any:
    return Verifier(key).verify(call.body.decode(), dict(call.headers))


def all_sent(path: Path) -> bool:
    """Tell whether the relay knows that all was taken: what it does not know of, its next start sends again."""
    known = kept(path)
    return known is not None and not known.pending


async def test_each_event_arrives_signed_and_in_words(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        first = gm.positions[dreadclock.wire.base.Channel.PUBLIC].seq + 1
        await roll(gm, "one", "two")
        await until(lambda: len(stub.calls) == 2)

    assert [call.headers["webhook-id"] for call in stub.calls] == [f"{table.id}_public_{first + n}" for n in (0, 1)]
    told = [verified(call) for call in stub.calls]
    assert [each["type"] for each in told] == ["dice_rolled", "dice_rolled"]
    assert told[0]["timestamp"].endswith("Z")
    assert told[0]["data"]["told"].startswith('Gm rolled 1 die for "one"')
    assert told[0]["data"]["record"] == json.loads((await table.log("eve", public=first - 1))[0])


async def test_with_two_secrets_each_signs(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path) -> None:
    (tmp_path / "old").write_text(OLD_KEY)
    both = webhook(stub.url, QUICK).replace('["file:key"]', '["file:key", "file:old"]')
    path = written(tmp_path, link_of(table, "eve"), both)
    async with relaying(path):
        await begun(path)
        await roll(gm, "one")
        await until(lambda: len(stub.calls) == 1)

    assert verified(stub.calls[0], KEY) == verified(stub.calls[0], OLD_KEY)


@pytest.mark.parametrize(
    "refusal",
    [Reply(500), Reply(302, headers={"Location": "/elsewhere"}), Reply(429), Reply(404), Reply(400, endless=2**31)],
    ids=["broken", "elsewhere", "too many, without a date", "not found", "refused in 2 GB"],
)
async def test_what_is_not_taken_is_tried_again_under_its_id_and_nothing_overtakes_it(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, refusal: Reply
) -> None:
    stub.answering = in_turn(refusal, refusal)
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        await roll(gm, "one", "two")
        await until(lambda: len(stub.calls) == 4)

    assert {call.path for call in stub.calls} == {"/"}
    assert names(stub.calls) == ["one", "one", "one", "two"]
    assert len({call.headers["webhook-id"] for call in stub.calls}) == 2
    assert len({call.body for call in stub.calls[:3]}) == 1
    assert stub.sent < 16 * 2**20


async def test_an_endless_answer_is_not_read(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path) -> None:
    stub.answering = in_turn(Reply(200, endless=2**31))
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        await roll(gm, "one", "two")
        await until(lambda: len(stub.calls) == 2)

    assert names(stub.calls) == ["one", "two"]
    assert stub.sent < 16 * 2**20


async def test_who_answers_410_is_called_no_more_not_even_after_a_restart_until_that_is_asked_for(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stub.answering = in_turn(Reply(410))
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path) as running:
        await begun(path)
        await roll(gm, "one")
        await running
    async with relaying(path) as running:
        await running
    assert len(stub.calls) == 1
    assert "hook: nothing is sent there any more: the receiver answered 410: it wants no more events" in caplog.text
    assert "hook: it stays stopped" in caplog.text

    async with relaying(path, again=("hook",)):
        await roll(gm, "two")
        await until(lambda: len(stub.calls) == 3)
    assert names(stub.calls) == ["one", "one", "two"]


async def test_after_the_last_try_a_target_keeps_all(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    stub.answering = in_turn(*[Reply(503)] * 5)
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path) as running:
        await begun(path)
        await roll(gm, "one", "two")
        await running
    assert names(stub.calls) == ["one"] * 5

    async with relaying(path, again=("hook",)):
        await until(lambda: len(stub.calls) == 7)
    assert names(stub.calls)[5:] == ["one", "two"]


async def test_what_a_relay_missed_is_sent_at_its_return(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        await gm.submit({"type": "start_clock", "id": "alarm", "name": "The guards wake", "size": 4})
        await until(lambda: len(stub.calls) == 1 and all_sent(path))
    for _ in range(70):  # more than are taken at once
        await gm.submit({"type": "tick_clock", "clock_id": "alarm"})
        await gm.submit({"type": "tick_clock", "clock_id": "alarm", "back": True})
    async with relaying(path):
        await until(lambda: len(stub.calls) == 141, MANY_S)

    told = [verified(call)["data"] for call in stub.calls]
    seqs = [each["record"]["seq"] for each in told]
    assert seqs == list(range(seqs[0], seqs[0] + 141))
    assert all("The guards wake" in each["told"] for each in told)


async def test_a_receiver_gets_a_whole_log_or_a_part(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    await gm.submit({"type": "start_clock", "id": "alarm", "name": "The guards wake", "size": 4})
    await roll(gm, "one")
    some = webhook(f"{stub.url}/some", 'from_beginning = true\nevents = ["clock_started"]\n' + QUICK)
    everything = webhook(f"{stub.url}/all", "from_beginning = true\n" + QUICK).replace("targets.hook", "targets.all")
    path = written(tmp_path, link_of(table, "eve"), some + everything)
    log = await table.log("eve")
    async with relaying(path):
        await until(lambda: sum(call.path == "/all" for call in stub.calls) == len(log))
        await until(lambda: any(call.path == "/some" for call in stub.calls))

    sent = [verified(call)["data"]["record"] for call in stub.calls if call.path == "/all"]
    assert sent == list(map(json.loads, log))
    assert [verified(call)["type"] for call in stub.calls if call.path == "/some"] == ["clock_started"]


async def test_only_named_targets_hear_hidden_events(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    more = webhook(f"{stub.url}/gm", 'channels = ["public", "gm"]\n' + QUICK).replace("targets.hook", "targets.hers")
    path = written(tmp_path, link_of(table, "gm"), webhook(f"{stub.url}/all", QUICK) + more)
    async with relaying(path):
        await begun(path)
        await begun(path, "hers")
        await gm.submit({"type": "start_clock", "id": "gm-1", "name": "Zanzibar", "size": 4, "visibility": "gm"})
        await roll(gm, "one")
        await until(lambda: sum(call.path == "/gm" for call in stub.calls) == 2)
        await until(lambda: any(call.path == "/all" for call in stub.calls))

    hers = [verified(call)["data"] for call in stub.calls if call.path == "/gm"]
    assert [each["record"]["channel"] for each in hers] == ["gm", "public"]
    others = b"".join(call.body for call in stub.calls if call.path == "/all")
    assert b"one" in others
    assert b"Zanzibar" not in others


async def test_a_link_that_does_not_see_the_gms_channel_cannot_tell_of_it(table: Table, stub: Stub, tmp_path: Path):
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, 'channels = ["public", "gm"]'))
    async with relaying(path) as running:
        with pytest.raises(dreadclock.DreadclockError, match=r"targets.hook: this link does not see the channel gm"):
            await running


async def test_a_past_that_was_changed_is_said_loudly_and_what_happens_from_now_on_has_other_ids(
    table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        await roll(gm, "one")
        await until(lambda: len(stub.calls) == 1 and all_sent(path))
    rewrite(path)
    await roll(gm, "unheard")
    async with relaying(path):
        await until(lambda: len(stub.calls) == 2)
        await roll(gm, "two")
        await until(lambda: len(stub.calls) == 3)

    notice = verified(stub.calls[1])
    assert (notice["type"], stub.calls[1].headers["webhook-id"]) == ("past_changed", f"{table.id}_past_2")
    assert names(stub.calls[2:]) == ["two"]
    assert stub.calls[2].headers["webhook-id"].endswith("_2")
    assert "hook: the room's past was changed; what happens from now on is sent" in caplog.text


def rewrite(path: Path) -> None:
    """Let the log that a target knows be another one than the server's."""
    file = next((path.parent / "state").glob("*/hook.json"))
    known = json.loads(file.read_text())
    known["standing"]["heads"]["public"]["hash"] = "0" * 64
    file.write_text(json.dumps(known))


async def test_a_slow_target_holds_up_no_other(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path) -> None:
    async with Stub().listening() as slow:
        began: list[Call] = []

        async def stalls(call: Call) -> Reply:
            began.append(call)
            await until(lambda: len(stub.calls) == 20, MANY_S)
            return Reply()

        slow.answering = stalls
        hooks = webhook(slow.url).replace("targets.hook", "targets.slow") + webhook(stub.url, QUICK)
        path = written(tmp_path, link_of(table, "eve"), hooks)
        async with relaying(path):
            await begun(path)
            await begun(path, "slow")
            await roll(gm, "one")
            await until(lambda: len(began) == 1)
            await roll(gm, *map(str, range(19)))
            await until(lambda: len(slow.calls) == 20, MANY_S)

    assert names(slow.calls) == names(stub.calls) == ["one", *map(str, range(19))]


async def test_who_answers_too_late_is_asked_again(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    async def silent_once(_: Call) -> Reply:
        if len(stub.calls) == 1:
            await until(lambda: len(stub.calls) == 2)
        return Reply()

    stub.answering = silent_once
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, "retries_s = [0]\ntimeout_s = 1\n"))
    async with relaying(path):
        await begun(path)
        await roll(gm, "one")
        await until(lambda: len(stub.calls) == 2 and all_sent(path))
    assert names(stub.calls) == ["one", "one"]


async def test_a_large_event_is_told_without_its_record(table: Table, gm: dreadclock.Room, stub: Stub, tmp_path: Path):
    path = written(tmp_path, link_of(table, "eve"), webhook(stub.url, QUICK))
    async with relaying(path):
        await begun(path)
        stages = [{"at": at, "effect": "💣" * 280} for at in range(1, 25)]
        await gm.submit({"type": "start_countdown", "name": "Doom", "pool": 30, "stages": stages})
        await until(lambda: len(stub.calls) == 1)

    data = verified(stub.calls[0])["data"]
    assert len(stub.calls[0].body) <= 20_000
    assert (data["left_out"], data["record"]["channel"]) == (True, "public")
    assert "Doom" in data["told"]
