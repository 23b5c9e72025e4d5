"""`dreadclock knock` and `dreadclock knocks`, over a real server."""

import asyncio

import pytest

from dreadclock.cli import main
from kit.knocks import knock_at
from kit.rooms import Table
from kit.waiting import until

Captured = pytest.CaptureFixture[str]


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(main, list(arguments))


async def test_a_knock_prints_its_code_then_the_link_alone(table: Table, capsys: Captured) -> None:
    gm = f"{table.server.url}/r/{table.id}#{table.token('gm')}"
    said = {"out": "", "err": ""}

    def read() -> str:
        out, err = capsys.readouterr()
        said["out"] += out
        said["err"] += err
        return said["err"]

    knocking = asyncio.create_task(run("knock", f"{table.server.url}/r/{table.id}", "--name", "Ines"))
    await until(lambda: "Your code is" in read())
    code = said["err"].split()[3].rstrip(":")

    assert await run("knocks", gm) == 0
    read()
    assert said["out"] == f"{code}  Ines wants to be a player, with dreadclock knock\n"
    said["out"] = ""
    assert await run("knocks", gm, "--accept", code, "--role", "spectator") == 0
    assert await knocking == 0

    read()
    told, link = sorted(said["out"].splitlines())
    assert told == "Ines has the seat spectator-4."
    assert link.startswith(f"{table.server.url}/r/{table.id}#")
    view = await table.view()
    assert view["channels"]["public"]["seats"]["spectator-4"]["name"] == "Ines"


async def test_a_gm_turns_somebody_away_by_the_code(table: Table, capsys: Captured) -> None:
    gm = f"{table.server.url}/r/{table.id}#{table.token('gm')}"
    knocker = await knock_at(table.server, table.id, name="Ann", wants="integration")

    assert await run("knocks", gm) == 0
    assert "Ann wants to be an integration; its name reads like that of the seat player-1" in capsys.readouterr().out
    assert await run("knocks", gm, "--turn-away", knocker.said["code"]) == 0
    assert capsys.readouterr().out == "Ann was turned away.\n"
    assert await knocker.state() == {"state": "turned_away"}
    assert await run("knocks", gm, "--turn-away", knocker.said["code"]) == 1
    assert (
        capsys.readouterr().err == "Nobody who knocks shows this code: look at it again, or ask them to knock anew.\n"
    )


async def test_a_code_may_be_typed_as_it_was_heard(table: Table, capsys: Captured) -> None:
    gm = f"{table.server.url}/r/{table.id}#{table.token('gm')}"
    knocker = await knock_at(table.server, table.id, name="Tom", wants="player")

    assert await run("knocks", gm, "--accept", f" {knocker.said['code'].replace('-', ' ').title()}") == 0

    assert capsys.readouterr().out.startswith("Tom has the seat ")


@pytest.mark.parametrize("url", ["nonsense", "http://host/r/abc", "http://host/r/abcdefghijklmnopqrstuvwxyz#token"])
async def test_what_is_no_address_is_said_so(url: str, capsys: Captured) -> None:
    assert await run("knock", url) == 2
    err = capsys.readouterr().err
    assert "URL" in err
    assert "token" not in err


async def test_one_answer_at_a_time(table: Table, capsys: Captured) -> None:
    gm = f"{table.server.url}/r/{table.id}#{table.token('gm')}"
    assert await run("knocks", gm, "--accept", "a", "--turn-away", "b") == 2
    assert "one of --accept and --turn-away" in capsys.readouterr().err
