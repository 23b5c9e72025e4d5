"""One table over two processes on one Valkey."""

from random import Random

from kit.history.recorded import Denied, Done
from kit.links.faulty_links import wired
from kit.server import Server
from kit.waiting import until
from kit.workload.company import PATIENCE_S, company

COMMANDS = 600


async def test_two_processes_serve_one_table_as_one(server: Server, second: Server, figures: list[str]):
    """Everyone connects to either process. `end` judges all that was sent and heard (kit/history)."""
    both = [("127.0.0.1", each.port) for each in (server, second)]
    async with wired(lambda: both, Random(11)) as wire, company("Two", 11, server, wire.url, 0.01) as everyone:
        everyone.begin()
        await until(lambda: everyone.book.acked > COMMANDS, PATIENCE_S)
        history = await everyone.end([server, second])

    done, refused = (sum(isinstance(each.outcome, kind) for each in history.operations) for kind in (Done, Denied))
    assert done > COMMANDS
    assert refused > 0
    figures.append(f"two processes: {len(history.log)} records, the same for all; {done} commands done, {refused} not")
