"""Tables in mid-game, for people to look at: a flooded vault, a drowned bell. Their dice are the same every time.

The files of their names hold the gm's commands, with `$names` in place of seats.
"""

import json
from pathlib import Path

import dreadclock
from kit.browser.company import link
from kit.knocks import knock_at
from kit.rooms import Table, http_client
from kit.server import Server


async def _opened(server: Server, title: str, people: dict[str, str], commands: str) -> Table:
    """Open a room, seat people there, and give the gm's commands."""
    async with http_client(server) as http:
        opened = (await http.post("/api/rooms", json={"title": title})).json()
    table = Table(server, opened["room_id"], title, {"gm": opened["gm"]})
    text = Path(__file__).with_name(commands).read_text()
    for name, role in people.items():
        await table.invite(name, role)
        text = text.replace(f'"${name}"', json.dumps(table.seat(name)))
    async with dreadclock.connect(link(table, "gm"), dice_secrets=False) as room:
        for line in text.splitlines():
            await room.submit(json.loads(line))
    return table


async def drowned_bell(server: Server) -> Table:
    """Open a full table: a race with a threat, countdowns, clocks, characters, and three things that wait."""
    people = {"tom": "player", "ines": "player", "noor": "player", "wren": "spectator"}
    table = await _opened(server, "The drowned bell", people, "drowned_bell.jsonl")
    async with dreadclock.connect(link(table, "tom")) as tom:
        await tom.propose_check("rook", attribute="Stealth", purpose="dodge the sexton", id="dodge")
    await knock_at(server, table.id, name="Wren", wants="player")
    return table


async def flooded_vault(server: Server) -> Table:
    """Open the room and play on until a check is ready and a push is on offer."""
    people = {"tom": "player", "ines": "player", "wren": "spectator"}
    return await _opened(server, "The flooded vault", people, "flooded_vault.jsonl")
