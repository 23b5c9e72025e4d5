"""The description of the REST calls, held against what they answer."""

from typing import Any

import httpx
import jsonschema_rs
import pytest

from dreadclock.wire.commands import COMMAND
from kit.rooms import Table, http_client
from kit.server import Server

Description = dict[str, Any]


@pytest.fixture
async def description(server: Server) -> Description:
    async with http_client(server) as http:
        answer: Description = (await http.get("/openapi.json")).json()
    return answer


def is_valid(value: object, schema: dict[str, Any], description: Description) -> bool:
    """Tell whether a value fits a schema, whose references lead into the description."""
    return jsonschema_rs.is_valid({**schema, "components": description["components"]}, value)


def fits(description: Description, method: str, path: str, answer: httpx.Response) -> None:
    """See that an answer has a shape that the description gives it."""
    responses = description["paths"][path][method]["responses"]
    response = responses.get(str(answer.status_code), responses["default"])
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if "content" in response:
        assert is_valid(answer.json(), response["content"][kind]["schema"], description), answer.text


def test_every_reference_leads_somewhere(description: Description):
    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if "$ref" in part:
                assert is_valid({}, {"anyOf": [part, {}]}, description)
            for each in part.values():
                walk(each)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    assert description["openapi"] == "3.1.0"
    walk(description)


async def test_every_call_that_is_described_is_there(description: Description, table: Table):
    async with table.http("ann") as http:
        for path, methods in description["paths"].items():
            for method in methods:
                concrete = path.replace("{room}", table.id).replace("{token_id}", "abc").replace("{knock}", "abc")
                answer = await http.request(method, concrete)
                assert answer.status_code != 405, f"{method} {path}"
                assert answer.headers["content-type"].partition(";")[0] in (
                    "application/json",
                    "application/jsonl",
                    "application/problem+json",
                ), f"{method} {path}"


async def test_what_is_answered_is_what_is_described(description: Description, table: Table):
    room, roll = "/api/rooms/{room}", {"type": "roll_dice", "pool": 2}
    refused = {"type": "roll_countdown", "countdown_id": "none"}
    async with table.http("gm") as http:
        for visibility in ("public", "sealed", "gm"):
            start = {"type": "start_countdown", "name": "F", "pool": 3, "visibility": visibility}
            fits(description, "post", f"{room}/commands", await http.post(table.path("/commands"), json=start))
        fits(description, "post", "/api/rooms", await http.post("/api/rooms", json={"title": "T"}))
        fits(description, "post", "/api/rooms", await http.post("/api/rooms", json={"title": 1}))
        fits(description, "get", room, await http.get(table.path()))
        fits(description, "get", f"{room}/tokens", await http.get(table.path("/tokens")))
        knocked = await http.post(table.path("/knocks"), json={"name": "Ines"})
        fits(description, "post", f"{room}/knocks", knocked)
        fits(description, "get", f"{room}/knocks", await http.get(table.path("/knocks")))
        place = f"/knocks/{knocked.json()['knock']}"
        secret = {"Authorization": f"Bearer {knocked.json()['secret']}"}
        fits(description, "get", f"{room}/knocks/{{knock}}", await http.get(table.path(place), headers=secret))
        accepted = await http.post(table.path(f"{place}/answer"), json={"accept": True})
        fits(description, "post", f"{room}/knocks/{{knock}}/answer", accepted)
        fits(description, "get", f"{room}/knocks/{{knock}}", await http.get(table.path(place), headers=secret))
        gone = await http.delete(table.path(place), headers=secret)
        fits(description, "delete", f"{room}/knocks/{{knock}}", gone)
        invited = await http.post(table.path("/invites"), json={"role": "player"})
        fits(description, "post", f"{room}/invites", invited)
        revoked = await http.delete(table.path(f"/tokens/{invited.json()['token_id']}"))
        fits(description, "delete", f"{room}/tokens/{{token_id}}", revoked)
        for command in (roll, refused, {"type": "win"}):
            fits(description, "post", f"{room}/commands", await http.post(table.path("/commands"), json=command))
        fits(description, "delete", room, await http.delete(table.path()))


async def test_refusals_are_what_is_described(description: Description, table: Table):
    room = "/api/rooms/{room}"
    async with table.http("ann") as http:
        fits(description, "get", f"{room}/tokens", await http.get(table.path("/tokens")))
        fits(
            description,
            "post",
            f"{room}/commands",
            await http.post(table.path("/commands"), json={"type": "travel", "scene_id": "x"}),
        )
        fits(
            description, "post", f"{room}/commands", await http.post(table.path("/commands"), json={"type": "end_turn"})
        )


def test_every_command_is_described(description: Description):
    commands = description["components"]["schemas"]["Command"]["discriminator"]["mapping"]
    assert set(commands) == set(COMMAND.json_schema()["discriminator"]["mapping"])
    assert is_valid({"type": "roll_dice", "pool": 1}, {"$ref": commands["roll_dice"]}, description)
    assert not is_valid({"type": "roll_dice", "pool": "1"}, {"$ref": commands["roll_dice"]}, description)
    assert not is_valid({"type": "roll_dice", "pool": 1, "x": 1}, {"$ref": commands["roll_dice"]}, description)
