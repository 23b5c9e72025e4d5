"""What Owlbear Rodeo and its players' browsers are answered."""

import json
from pathlib import Path
from typing import Any

import pytest

from dreadclock_server.gateway.pages.owlbear import manifest_of
from kit.puppet import ROOT, needs_node, told_by_node
from kit.rooms import http_client
from kit.server import Server

HOST = "https://www.owlbear.rodeo"
ROOM = "abcdefghijklmnopqrstuvwxyz"
ROOM_IN = """
const [script, ...given] = process.argv.slice(1);
const { roomIn } = await import(script);
console.log(JSON.stringify(given.map((metadata) => roomIn(JSON.parse(metadata)))));
"""


@pytest.mark.parametrize("origin", [HOST, "https://evil.example", "null"])
async def test_any_page_may_read_the_manifest_and_the_icon_which_say_nothing_of_any_room(server: Server, origin: str):
    async with http_client(server) as client:
        for path in ("manifest.json", "icon.svg"):
            answer = await client.get(f"/owlbear/{path}", headers={"Origin": origin})
            assert answer.status_code == 200
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_the_manifest_names_addresses_that_are_there(server: Server):
    async with http_client(server) as client:
        manifest = (await client.get("/owlbear/manifest.json")).json()
        named = [manifest[key] for key in ("icon", "homepage_url", "background_url")]
        for path in (*named, manifest["action"]["icon"], manifest["action"]["popover"]):
            assert (await client.get(path)).status_code == 200


def test_the_addresses_begin_with_the_path_that_the_server_lives_under():
    assert manifest_of("/play/owlbear")["background_url"] == "/play/owlbear/background"


@needs_node
def test_metadata_that_name_no_room_name_none(tmp_path: Path):
    (tmp_path / "seats.mjs").write_bytes((ROOT / "client_sdk/owlbear/seats.js").read_bytes())
    named: list[Any] = [{"room": ROOM}, {"room": "../evil"}, {"room": 5}, {"room": f"{ROOM}a"}, "x", None]
    given = [json.dumps({"dreadclock/table": each}) for each in named] + ["{}"]

    assert told_by_node(ROOM_IN, str(tmp_path / "seats.mjs"), *given) == [ROOM, *[None] * len(given[1:])]
