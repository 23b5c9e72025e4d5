"""A reader who does not keep up is told to come back; the others notice nothing."""

import socket

from kit.raw import RawClient
from kit.rooms import Table

SLOW_CONSUMER = 4000
LARGE = {  # some 7,500 characters and 28 kB each
    "type": "start_countdown",
    "name": "F",
    "pool": 60,
    "stages": [{"at": at, "effect": "🎲" * 280} for at in range(1, 25)],
    "ending": "🎲" * 280,
}


def small_socket(port: int) -> socket.socket:
    """A connected socket that takes little before the other side has to wait."""
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", port))
    small.setblocking(False)
    return small


async def make_noise(gm: RawClient, turn: int) -> None:
    """Start large countdowns, and cancel them again."""
    ids = [f"noise-{turn}-{number}" for number in range(30)]
    numbers = [await gm.order({**LARGE, "id": each}) for each in ids]
    numbers += [await gm.order({"type": "cancel_countdown", "countdown_id": each}) for each in ids]
    for n in numbers:
        assert (await gm.reply(n))["type"] == "ack"


async def test_who_stops_reading_is_told_so_and_not_left_to_what_the_kernel_takes(table: Table):
    """Of an ordinary socket the two systems would take some 4 MiB, and nobody would see that it is not read."""
    async with table.connected("gm") as gm, table.connected("eve") as eve:
        await eve.expect("presence", here={"gm": 1, table.seat("eve"): 1})
        eve.socket.transport.pause_reading()
        for turn in range(4):
            await make_noise(gm, turn)
        eve.socket.transport.resume_reading()
        assert (await eve.ended())[0] == SLOW_CONSUMER
        sent = sum(len(text.encode()) for text in gm.texts())
        assert 2 << 20 < sent < 4 << 20
