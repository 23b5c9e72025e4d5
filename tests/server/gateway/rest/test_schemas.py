"""The JSON Schemas of what is on the wire, held against frames that were sent and against changed ones."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from dreadclock_server.gateway.rest.schemas import MODELS, schema_of
from kit.rooms import Table, http_client
from kit.server import Server
from kit.transcripts.written import transcript_files

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
