"""Commands are numbered: taken in order, done once, and not too many at a time."""

import signal

import pytest

from kit.rooms import Table

ROLL = {"type": "roll_dice", "pool": 1}


async def test_every_command_gets_one_final_reply_and_its_events_come_before_it(table: Table):
    async with table.connected("ann") as ann:
        numbers = [await ann.order({**ROLL, "note": str(i)}) for i in range(20)]
        replies = [await ann.reply(n) for n in numbers]

        assert [reply["type"] for reply in replies] == ["ack"] * 20
        for reply in replies:
            first, last = reply["events"]["public"]
            assert first == last <= reply["positions"]["public"]
        assert [record["event"]["note"] for record in ann.records()] == [str(i) for i in range(20)]
        assert [record["seq"] for record in ann.records()] == [reply["events"]["public"][0] for reply in replies]


@pytest.mark.rule("E3")
async def test_a_number_sent_twice_is_done_once_and_answered_twice(table: Table):
    async with table.connected("ann") as ann:
        await ann.order(ROLL, n=1)
        await ann.order(ROLL, n=1)
        first, again = await ann.reply(1), await ann.reply(1)

        assert first == again
        assert (await ann.do(ROLL, n=1)) == first
        assert len(ann.records()) == 1


async def test_a_number_that_is_too_high_is_refused_and_not_used_up(table: Table):
    async with table.connected("ann") as ann:
        assert (await ann.do(ROLL, n=1))["type"] == "ack"
        early = await ann.do(ROLL, n=3)
        assert (early["code"], early["details"]) == ("out_of_order", {"n": 3, "expected": 2})
        assert (await ann.do(ROLL, n=2))["type"] == "ack"
        assert (await ann.do(ROLL, n=3))["type"] == "ack"
        assert len(ann.records()) == 3


async def test_64_commands_may_be_unanswered_and_65_close(table: Table):
    async with table.connected("ann") as ann, table.connected("ben") as ben:
        table.server.signal_valkey(signal.SIGSTOP)  # so that nothing can be answered
        try:
            for _ in range(64):
                await ann.order(ROLL)
                await ben.order(ROLL)
            await ann.order(ROLL)
            assert (await ann.ended())[0] == 4500
        finally:
            table.server.signal_valkey(signal.SIGCONT)

        assert (await ben.reply(64))["type"] == "ack"


async def test_while_the_store_is_silent_commands_are_pending_and_then_done_once(table: Table):
    async with table.connected("ann") as ann, table.connected("ben") as ben:
        table.server.signal_valkey(signal.SIGSTOP)
        try:
            n = await ann.order({**ROLL, "note": "patience"})
            await ann.expect("pending", n=n)
            refused = await ben.do({**ROLL, "note": "too late"})
            assert (refused["code"], ben.records()) == ("unavailable", [])
        finally:
            table.server.signal_valkey(signal.SIGCONT)

        assert (await ann.reply(n))["type"] == "ack"
        assert (await ben.do({**ROLL, "note": "again"}, n=1))["type"] == "ack"
    notes = [record for record in await table.log() if "note" in record]
    assert len(notes) == 2
    assert "patience" in notes[0]
    assert "again" in notes[1]
