"""The first room's links: the next start prints them again, whatever happened between."""

import json
import os
import stat
from pathlib import Path

import pytest

import dreadclock
from dreadclock_server import first_room
from dreadclock_server.first_room import links_name
from kit.server import Server, running_server
from kit.waiting import until

KNOWN = "These links are as before; seats that were invited keep the links they were given."


async def links_of(server: Server, start: int = 1) -> dict[str, str]:
    """Read the links that a start of the server printed, by role."""
    await until(lambda: server.log.read_text().count("Ctrl-C") == start)
    rows = [line.split() for line in server.log.read_text().split("Dreadclock serves on")[-1].splitlines()]
    return {row[0]: row[1] for row in rows if len(row) == 2 and "/r/" in row[1]}


async def test_another_store_in_the_same_folder_leaves_the_links_alone(server: Server, tmp_path: Path):
    async with running_server(tmp_path / "data") as own:
        before = await links_of(own)

    async with running_server(tmp_path / "data", store=server.store_url) as elsewhere:
        assert set((await links_of(elsewhere, start=2)).values()).isdisjoint(before.values())

    async with running_server(tmp_path / "data") as again:
        assert [link.split("/r/")[1] for link in (await links_of(again, start=3)).values()] == [
            link.split("/r/")[1] for link in before.values()
        ]


async def test_links_that_others_could_read_are_made_private_and_an_open_folder_is_warned_of(tmp_path: Path):
    data = tmp_path / "data"
    async with running_server(data) as server:
        assert "others c" not in server.log.read_text()
        await server.stop()
        (data / "links.json").chmod(0o644)
        data.chmod(0o777)
        await server.start()

        said = server.log.read_text()
        assert stat.S_IMODE((data / "links.json").stat().st_mode) == 0o600
        assert said.count("others could read the links until now") == 1
        assert said.count("others can change the rooms") == 1
        assert f"chmod 700 {data}" in said
        assert said.count("running as root") == (2 if os.geteuid() == 0 else 0)


async def test_after_a_restart_all_links_stay_but_a_revoked_one_and_a_line_says_so(tmp_path: Path):
    async with running_server(tmp_path / "data") as server:
        before = await links_of(server)
        assert set(before) == {"gm", "player", "spectator"}
        assert KNOWN not in server.log.read_text()
        await server.stop()
        await server.start()

        assert await links_of(server, start=2) == before
        assert server.log.read_text().count(KNOWN) == 1

        gm = dreadclock.RestRoom.of(before["gm"])
        await gm.revoke(next(each for each in await gm.tokens() if each.role == "player").token_id)
        await server.stop()
        await server.start()

        assert await links_of(server, start=3) == {role: link for role, link in before.items() if role != "player"}


async def test_a_first_room_that_was_closed_or_deleted_makes_way_for_a_new_one(tmp_path: Path):
    async with running_server(tmp_path / "data") as server:
        before = await links_of(server)
        closed = dreadclock.RestRoom.of(before["gm"])
        await closed.send_command({"type": "close_room"})
        await server.stop()
        await server.start()

        after = await links_of(server, start=2)
        assert set(before.values()).isdisjoint(after.values())
        room = dreadclock.RestRoom.of(after["gm"])
        assert not (await room.view()).public.closed
        assert "The first room was closed, so here is a new one." in server.log.read_text()
        assert (await closed.view()).public.closed
        assert kept_aside(server, closed.room_id)["player"] in before["player"]

        await room.delete("The first table")
        await server.stop()
        await server.start()

        assert (await links_of(server, start=3))["gm"] != after["gm"]
        assert kept_aside(server, room.room_id)["gm"] in after["gm"]


def kept_aside(server: Server, room_id: str) -> dict[str, str]:
    """Return the tokens in the file that holds the links of an earlier first room."""
    tokens: dict[str, str] = json.loads((server.data / f"links.{room_id}.json").read_text())["tokens"]
    return tokens


@pytest.mark.parametrize("content", [b"", b'{"room_id": "abc', b'{"room_id": "../x", "tokens": {}}', b"\xff"])
def test_what_is_no_file_of_links_is_damaged(tmp_path: Path, content: bytes):
    (tmp_path / "links.json").write_bytes(content)
    with pytest.raises(ValueError, match="1 validation error"):
        first_room._read(tmp_path / "links.json")


async def test_a_damaged_file_of_links_is_moved_aside_and_a_line_says_so(tmp_path: Path):
    data, content = tmp_path / "data", b"\xff"
    data.mkdir()
    (data / "links.json").write_bytes(content)
    (data / "links.damaged.json").write_text("of an earlier time")

    async with running_server(data) as server:
        assert set(await links_of(server)) == {"gm", "player", "spectator"}
        said = server.log.read_text()

    assert (data / "links.damaged-2.json").read_bytes() == content
    assert (data / "links.damaged.json").read_text() == "of an earlier time"
    assert f"links was damaged. It is now {data / 'links.damaged-2.json'}, and here is a new room." in said
    assert said.count("the first room's links were damaged") == 1


async def test_damaged_links_of_another_store_are_moved_aside_too(server: Server, tmp_path: Path):
    data = tmp_path / "data"
    data.mkdir()
    name = links_name(server.store_url)
    (data / name).write_text("{")

    async with running_server(data, store=server.store_url) as elsewhere:
        await links_of(elsewhere)

    assert sorted(each.name for each in data.glob("links*.json")) == [name.replace(".json", ".damaged.json"), name]
    assert (data / name.replace(".json", ".damaged.json")).read_text() == "{"


async def test_links_that_cannot_be_read_are_not_replaced(tmp_path: Path):
    data, volume = tmp_path / "data", tmp_path / "volume"
    async with running_server(data) as server:
        before = await links_of(server)
        await server.stop()
        (data / "links.json").rename(volume)  # which is not mounted at the next start
        (data / "links.json").symlink_to(tmp_path / "not mounted" / "volume")
        await server.start()
        await until(lambda: "There is no first room" in server.log.read_text())
        assert (data / "links.json").is_symlink()
        await server.stop()

        (data / "links.json").unlink()
        (data / "links.json").symlink_to(volume)
        await server.start()
        assert await links_of(server, start=2) == before
