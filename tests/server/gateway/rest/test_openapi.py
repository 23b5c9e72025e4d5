"""The description of the REST calls, held against what they answer."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, reduce
from importlib import import_module
from operator import getitem
from random import Random
from typing import Any, is_typeddict

import httpx
import jsonschema_rs
import pytest

from dreadclock.wire.commands import COMMAND
from dreadclock.wire.views import View
from dreadclock_server.gateway.rest import odds_schemas
from dreadclock_server.gateway.rest.openapi import make_exact
from dreadclock_server.gateway.rest.schemas import MODELS, schema_of
from kit.rooms import Table, http_client
from kit.server import Server
from kit.transcripts.written import transcript_files

Description = dict[str, Any]
ODDS_MODULES = [f"dreadclock.rules.odds.{name}" for name in ("report", "check_report", "total_report")]


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
    response = (
        responses.get(str(answer.status_code))
        or responses[f"{answer.status_code // 100}XX" if 400 <= answer.status_code < 500 else "default"]
    )
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if "content" in response:
        assert is_valid(answer.json(), response["content"][kind]["schema"], description), answer.text


def test_every_reference_leads_somewhere(description: Description):
    assert description["openapi"] == "3.1.0"
    found = set(references(description))
    assert len(found) > 100
    for each in found:
        assert each.startswith("#/")
        reduce(getitem, each.removeprefix("#/").split("/"), description)


def test_common_tools_can_read_it(description: Description):
    """What `spectral lint` and `redocly lint` ask for, which tests/packages runs."""
    assert description["servers"]
    tags = {tag["name"] for tag in description["tags"]}
    for path in description["paths"].values():
        for operation in path.values():
            assert len(operation["tags"]) == 1
            assert set(operation["tags"]) < tags
            assert {"security", "description"} <= operation.keys()
            assert "4XX" in operation["responses"]
    patterns = [each["pattern"] for each in schemas_in(description) if "pattern" in each]
    assert len(patterns) > 100
    for pattern in set(patterns):
        re.compile(pattern)
        assert r"\p" not in pattern
        assert r"\u{" not in pattern
    assert [each for each in schemas_in(description) if each.get("type") == "array" and "items" not in each] == []
    used = {each.rpartition("/")[2] for each in references(description)}
    assert description["components"]["schemas"].keys() - used == set()


@pytest.mark.parametrize(
    ("pattern", "published"), [(r"^[A-Z]$", r"^[A-Z]$"), (r"^[\x{1F3F4}]$", None), (r"^\p{L}$", None)]
)
def test_a_pattern_is_published_if_tools_read_it_without_the_flag_u(pattern: str, published: str | None):
    schema = {"type": "string", "pattern": pattern}
    make_exact(schema)
    assert schema.get("pattern") == published


def schemas_in(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from schemas_in(each)


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from references(each)


async def test_every_call_that_is_described_is_there(description: Description, table: Table):
    async with table.http("ann") as http:
        for path, methods in description["paths"].items():
            for method in methods:
                concrete = re.sub(r"{[a-z_]+}", "abc", path.replace("{room}", table.id))
                async with http.stream(method, concrete) as answer:  # of which one would not end
                    assert answer.status_code != 405, f"{method} {path}"
                    assert answer.headers["content-type"].partition(";")[0] in (
                        "application/json",
                        "application/jsonl",
                        "application/problem+json",
                        "application/x-ndjson",
                        "text/html",
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
        invited = await http.post(table.path("/invites"), json={"role": "player"})
        fits(description, "post", f"{room}/invites", invited)
        revoked = await http.delete(table.path(f"/tokens/{invited.json()['token_id']}"))
        fits(description, "delete", f"{room}/tokens/{{token_id}}", revoked)
        for command in (roll, refused, {"type": "win"}):
            fits(description, "post", f"{room}/commands", await http.post(table.path("/commands"), json=command))
        fits(description, "delete", room, await http.delete(table.path()))


def test_nothing_but_success_is_described_as_done(description: Description):
    calls = [call for methods in description["paths"].values() for call in methods.values()]
    answers = [answer for call in calls for answer in call["responses"].items()]
    assert {status for status, said in answers if said["description"] == "Done"} == {"200", "201", "204"}


def test_every_command_is_described(description: Description):
    commands = description["components"]["schemas"]["Command"]["discriminator"]["mapping"]
    assert set(commands) == set(COMMAND.json_schema()["discriminator"]["mapping"])
    assert is_valid({"type": "roll_dice", "pool": 1}, {"$ref": commands["roll_dice"]}, description)
    assert not is_valid({"type": "roll_dice", "pool": "1"}, {"$ref": commands["roll_dice"]}, description)
    assert not is_valid({"type": "roll_dice", "pool": 1, "x": 1}, {"$ref": commands["roll_dice"]}, description)


ODDS = (
    "countdown?pool=6&speed=fast&stage=2&rolls=3",
    "countdown?pool=2",
    "table",
    "race?situation=3&threat=15&chance=1/2&efforts=1",
    "race?situation=3&threat=1&chance=0",
    "check?dice=4&penalty=1&helper=3-1",
    "check?dice=0",
    "contest?dice=4&against=3&reflex=2",
    "total?dice=5&required=14",
    "total?dice=5",
    "push?kept=1,3,5&required=14",
    "push?kept=1",
)


@pytest.mark.parametrize("question", ODDS)
async def test_odds_fit_their_schema_and_changed_ones_do_not(description: Description, server: Server, question: str):
    path = f"/api/odds/{question.partition('?')[0]}"
    async with http_client(server) as http:
        answer = await http.get(f"/api/odds/{question}")

    fits(description, "get", path, answer)
    if answer.status_code == 200:
        schema = description["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        for name in answer.json():
            assert not is_valid({**answer.json(), name: {"no": 1}}, schema, description)
        assert not is_valid({**answer.json(), "more": 1}, schema, description)


def test_no_shape_of_odds_shares_its_name_with_another_or_a_model():
    shapes = [
        shape
        for module in map(import_module, ODDS_MODULES)
        for shape in vars(module).values()
        if is_typeddict(shape) and shape.__module__ == module.__name__
    ]
    others = set(View.model_json_schema()["$defs"]) | set(COMMAND.json_schema()["$defs"])
    assert Counter(shape.__name__ for shape in shapes).most_common(1)[0][1] == 1
    assert {shape.__name__ for shape in shapes} == set(odds_schemas.schemas("{model}"))
    assert others.isdisjoint(odds_schemas.schemas("{model}"))


def test_every_call_has_a_name_of_its_own_and_says_what_it_carries(description: Description):
    calls = [call for methods in description["paths"].values() for call in methods.values()]
    assert len({call["operationId"] for call in calls}) == len(calls)
    silent = [call["operationId"] for call in calls for each in call["responses"].values() if "content" not in each]
    assert sorted(silent) == ["delete_room", "revoke_token", "withdraw_knock", "withdraw_recap"]  # which answer 204


async def test_events_are_what_is_described(description: Description, table: Table):
    event = {"$ref": "#/components/schemas/StreamEvent"}
    async with table.http("gm") as http, http.stream("GET", table.path("/events")) as answer:
        content = description["paths"]["/api/rooms/{room}/events"]["get"]["responses"]["200"]["content"]
        assert answer.headers["content-type"] in content
        lines = answer.aiter_lines()
        kinds = []
        for _ in range(2):
            line = json.loads(await anext(lines))
            kinds.append(line["event"])
            assert is_valid(line, event, description)
            assert not is_valid({**line, "event": "other"}, event, description)
            assert not is_valid({**line, "id": "1"}, event, description)
        assert kinds == ["welcome", "presence"]


# The JSON Schemas of what is on the wire, held against frames that were sent and against changed ones


CHANGED = 2_000
OPEN = "details"  # of a refusal: anything may be in them
FORGED = ("newer", "tampered", "out-of-place")  # what no server of this version sends


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema_of(name))


def lines() -> Iterator[tuple[str, Any]]:
    """Give each line of the golden frames, with the name of its schema."""
    for path in transcript_files():
        if path.stem in FORGED:
            continue
        for step in json.loads(path.read_text(encoding="utf-8"))["steps"]:
            for sent in step.get("sends", ()):
                yield "client-frame", sent
            frame = step.get("frame")
            for place, line in enumerate(frame if isinstance(frame, list) else ()):
                yield "record" if place else "server-frame", json.loads(line)


def changed(value: Any, chance: Random) -> Any:
    """Return a copy in which one object has a field that nobody knows, or one value is of another type."""
    copy = json.loads(json.dumps(value))
    objects = [each for each in _objects(copy) if each]
    one = chance.choice(objects)
    key = chance.choice(["unheard_of", *(key for key in one if key != OPEN)])
    one[key] = {"of": [None]}
    return copy


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for key, each in value.items():
            if key != OPEN:
                yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


def test_every_line_of_the_golden_frames_fits_and_changed_ones_do_not():
    known, chance = list(lines()), Random(1)
    assert len(known) > 2_000

    assert [name for name, each in known if not validator(name).is_valid(each)] == []
    tried = [(name, changed(each, chance)) for name, each in chance.choices(known, k=CHANGED)]
    assert [each for name, each in tried if validator(name).is_valid(each)] == []


@pytest.mark.parametrize("name", sorted(MODELS))
async def test_schemas_are_served_at_addresses_that_stay(server: Server, name: str):
    async with http_client(server) as http:
        answer = await http.get(f"/schemas/v1/{name}.json")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/schema+json")
    assert jsonschema_rs.meta.is_valid(answer.json())


async def test_what_a_room_shows_fits_and_an_unknown_schema_is_refused(table: Table):
    async with table.http("gm") as http:
        assert validator("view").is_valid((await http.get(table.path())).json())
        log = (await http.get(table.path("/log"))).text.splitlines()
        assert log
        assert all(validator("record").is_valid(json.loads(each)) for each in log)
        assert (await http.get("/schemas/v1/nothing.json")).status_code == 404
        assert (await http.get("/schemas/v2/view.json")).status_code == 404
