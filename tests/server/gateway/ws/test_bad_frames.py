"""Frames that are none: a close code, nothing stored, and nobody else disturbed."""

import asyncio
import json
from contextlib import suppress

import pytest

from dreadclock.wire.frames import MAX_FRAME_BYTES, MAX_PARTS
from kit.links.intruder import CLOSE, frame, intruder
from kit.rooms import Table

ROLL = '{"type":"roll_dice","pool":1}'
BAD_FRAME = 4500
TOO_BIG = 1009  # the websocket's own code


def command_frame(command: str, n: str = "1", more: str = "") -> str:
    return f'{{"type":"command","n":{n},"command":{command}{more}}}'


def of_size(size: int) -> str:
    return command_frame(ROLL).ljust(size)


def nested(depth: int) -> str:
    inner = depth - 2
    return command_frame('{"type":"roll_dice","pool":1,"x":' + "[" * inner + "]" * inner + "}")


def with_parts(parts: str) -> str:
    return command_frame(f'{{"type":"roll_dice","pool":1,"x":[{parts}]}}')


BAD_FRAMES = {
    "no JSON": "roll the dice",
    "two frames in one": command_frame(ROLL) * 2,
    "bytes": command_frame(ROLL).encode(),
    "an unknown type of many bytes": json.dumps({"type": "é" * 200}, ensure_ascii=False),
    "a number of 5,000 digits": command_frame(ROLL, "9" * 5000),
    "a dice pool of 5,000 digits": command_frame('{"type":"roll_dice","pool":%s}' % ("9" * 5000)),
    "an extra field": command_frame(ROLL, more=',"by":"gm"'),
    "an extra field with a long name": command_frame(ROLL, more=f',"{"é" * 100}":1'),
    "a lone surrogate": command_frame('{"type":"roll_dice","pool":1,"name":"\\ud800"}'),
    "a lone surrogate in a key": command_frame('{"type":"roll_dice","pool":1,"\\udfff":1}'),
    "17 levels": nested(17),
    "30,000 levels": nested(30_000),
    "17 levels among many": with_parts("[]," * 100 + nested(17)),
    "1,025 parts": with_parts("," * (MAX_PARTS + 1)),
    "60,000 parts": with_parts("[]," * 20_000),
    "5,000 fields": with_parts("{" + ",".join(f'"k{n}":1' for n in range(5_000)) + "}"),
}


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES)
async def test_what_is_no_frame_closes_its_own_connection_alone(shared_table: Table, frame: str | bytes):
    before = await shared_table.log()
    async with shared_table.connected("ann") as ann, shared_table.connected("ben") as ben:
        await ann.send(frame)
        code, reason = await ann.ended()

        assert code == BAD_FRAME
        assert reason
        assert (await ben.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"
    after = await shared_table.log()
    assert after[:-1] == before
    assert json.loads(after[-1])["by"] == shared_table.seat("ben")


async def test_a_frame_of_exactly_64_kib_is_read(shared_table: Table):
    async with shared_table.connected("ann") as ann:
        await ann.send(of_size(MAX_FRAME_BYTES))
        assert (await ann.reply(1))["type"] == "ack"


async def test_a_byte_more_closes(shared_table: Table):
    async with shared_table.connected("ann") as ann, shared_table.connected("ben") as ben:
        await ann.send(of_size(MAX_FRAME_BYTES + 1))
        assert (await ann.ended())[0] == TOO_BIG
        assert (await ben.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"
        assert len(ben.records()) == 1


async def test_64_kib_count_in_bytes_and_over_all_parts_of_a_frame(shared_table: Table):
    part = "é" * (MAX_FRAME_BYTES // 8)  # 2 bytes each
    async with shared_table.connected("ann") as ann:
        await ann.socket.send([part] * 5)
        assert (await ann.ended())[0] == TOO_BIG


async def test_16_levels_are_read(shared_table: Table):
    async with shared_table.connected("ann") as ann:
        await ann.send(nested(16))
        reply = await ann.reply(1)
        assert (reply["code"], reply["details"]) == ("bad_command", {"problem": "roll_dice.x: there is no such field"})


async def test_1024_parts_are_read(shared_table: Table):
    frame = with_parts("1")
    commas = MAX_PARTS - sum(map(frame.count, "{[,]}"))
    async with shared_table.connected("ann") as ann:
        await ann.send(with_parts("1" + ",1" * commas))
        assert (await ann.reply(1))["code"] == "bad_command"
        await ann.send(with_parts("1" + ",1" * (commas + 1)))
        assert await ann.ended() == (BAD_FRAME, "more than 1024 brackets, braces and commas")


async def test_brackets_within_texts_do_not_nest(shared_table: Table):
    async with shared_table.connected("ann") as ann:
        await ann.send(command_frame('{"type":"roll_dice","pool":1,"name":"[[[[[[[[[[[[[[[[{{\\"[[[["}'))
        assert (await ann.reply(1))["type"] == "ack"


async def test_nothing_follows_a_close_not_even_answers_to_what_came_before_it(shared_table: Table):
    table = shared_table
    hello = json.dumps({"type": "hello", "v": 1, "token": table.token("ann")})
    burst = [hello, *(command_frame(ROLL, str(n)) for n in range(1, 11)), "no frame", command_frame(ROLL, "11")]
    async with intruder(table.server.port) as peer:
        await peer.ask(f"/ws/{table.id}")
        peer.send(b"".join(frame(each.encode()) for each in burst))
        opcodes = list[int]()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                opcodes.append((await peer.next())[0])
                if opcodes[-1] == CLOSE:
                    await table.log()  # takes longer than what was under way
                    peer.send(frame(opcode=CLOSE))  # else the server waits for it

    assert opcodes[-1] == CLOSE
    assert opcodes.count(CLOSE) == 1
