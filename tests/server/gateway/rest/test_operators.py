"""Calls for operators: it lives whatever the store does, and is ready when the store takes writes."""

import signal

from kit.rooms import http_client, open_table
from kit.server import Server
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}


async def answers(server: Server, path: str) -> tuple[int, str]:
    """Ask, and give status and text."""
    async with http_client(server) as http:
        answer = await http.get(path)
    return answer.status_code, answer.text


async def becomes(server: Server, status: int, within_s: float = 5.0) -> None:
    """Return once readiness is answered like this; liveness stays what it is."""

    async def is_so() -> bool:
        assert await answers(server, "/healthz") == (200, "ok\n")
        return (await answers(server, "/readyz"))[0] == status

    await until(is_so, within_s)


async def test_it_is_ready_as_soon_as_it_answers(server: Server):
    assert await answers(server, "/readyz") == (200, "ready\n")
    assert "\ndreadclock_ready 1.0\n" in (await answers(server, "/metrics"))[1]


async def test_with_a_silent_store_it_lives_but_is_not_ready(mortal: Server):
    mortal.signal_valkey(signal.SIGSTOP)
    try:
        await becomes(mortal, 503)
        assert "the store cannot be reached" in (await answers(mortal, "/readyz"))[1]
        assert "\ndreadclock_store_up 0.0\n" in (await answers(mortal, "/metrics"))[1]
    finally:
        mortal.signal_valkey(signal.SIGCONT)
    await becomes(mortal, 200)


async def test_after_the_death_of_the_embedded_store_it_becomes_ready_by_itself(mortal: Server):
    table, before = await open_table(mortal), mortal.valkey_pid
    mortal.signal_valkey(signal.SIGKILL)
    await until(lambda: mortal.find_valkey() not in (None, before))
    await becomes(mortal, 200, within_s=10.0)
    async with table.connected("ann") as ann:
        assert (await ann.do(ROLL))["type"] == "ack"
