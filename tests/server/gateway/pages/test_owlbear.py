"""What Owlbear Rodeo and its players' browsers are answered."""

from pathlib import Path

import pytest

from dreadclock_server.gateway.pages.owlbear import manifest_of
from kit.rooms import http_client
from kit.server import Server, running_server

HOST = "https://www.owlbear.rodeo"


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


async def test_only_the_extensions_pages_may_be_framed_by_owlbear(tmp_path: Path):
    environment = {"DREADCLOCK_FRAME_ANCESTORS": "https://vtt.example"}
    async with running_server(tmp_path, environment=environment) as server, http_client(server) as client:
        policies = {
            path: (await client.get(path)).headers["content-security-policy"].partition("frame-ancestors ")[2]
            for path in ("/owlbear/popover", "/owlbear/background", "/", f"/r/{'a' * 26}")
        }

    assert policies == {
        "/owlbear/popover": f"{HOST} https://vtt.example",
        "/owlbear/background": f"{HOST} https://vtt.example",
        "/": "https://vtt.example",
        f"/r/{'a' * 26}": "'self' https://vtt.example",
    }
