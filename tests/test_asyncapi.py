"""docs/asyncapi.yaml, held against the models and against frames that were sent."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from dreadclock.wire.frames import CLIENT_FRAME, SERVER_FRAME
from kit.transcripts.written import transcript_files
from server.gateway.rest.test_openapi import CHANGED, FORGED, changed

ROOT = Path(__file__).parents[1]
KNOCK = {
    "knock": "k" * 26,
    "name": "Ines",
    "wants": "player",
    "code": "dalad-zihig",
    "expires_at": 1,
    "resembles": "player-1",
}
KNOCKS = {"type": "knocks", "waiting": [KNOCK]}
GOLDEN = [path for path in transcript_files() if path.stem not in FORGED]


@cache
def document() -> dict[str, Any]:
    read: dict[str, Any] = import_module("yaml").safe_load((ROOT / "docs/asyncapi.yaml").read_text(encoding="utf-8"))
    return read


@cache
def validator(reference: str) -> jsonschema_rs.Validator:
    """Make what validates against a part of the document."""
    return jsonschema_rs.Draft7Validator({"$ref": reference, "components": document()["components"]})


def messages(way: str) -> list[str]:
    """Name what goes one way: `receive` is what the server takes."""
    operations = [each for each in document()["operations"].values() if each["action"] == way]
    return [each["$ref"].rpartition("/")[2] for operation in operations for each in operation["messages"]]


def fits(name: str, text: str) -> bool:
    """Tell whether a frame is the message of that name."""
    message = document()["components"]["messages"][name]
    if "x-lines" not in message:
        return validator(message["payload"]["$ref"]).is_valid(json.loads(text))
    first, *others = text.split("\n")
    lines = message["x-lines"]
    return (
        validator(f"#/components/messages/{name}/payload").is_valid(text)
        and validator(lines["first"]["$ref"]).is_valid(json.loads(first))
        and all(validator(lines["others"]["$ref"]).is_valid(json.loads(each)) for each in others)
    )


def frames() -> Iterator[tuple[str, str]]:
    """Give each golden frame with its way."""
    for path in GOLDEN:
        for step in json.loads(path.read_text(encoding="utf-8"))["steps"]:
            for sent in step.get("sends", ()):
                yield "receive", json.dumps(sent)
            if isinstance(step.get("frame"), list):
                yield "send", "\n".join(step["frame"])


def kind_of(text: str) -> str:
    return str(json.loads(text.partition("\n")[0])["type"])


def test_its_messages_are_the_frames_and_each_goes_its_way() -> None:
    for way, adapter in (("receive", CLIENT_FRAME), ("send", SERVER_FRAME)):
        assert sorted(messages(way)) == sorted(adapter.json_schema()["discriminator"]["mapping"])
    room = document()["channels"]["room"]
    assert set(room["messages"]) == set(document()["components"]["messages"])
    assert (room["address"], room["bindings"]) == ("/ws/{room}", {"ws": {"method": "GET", "bindingVersion": "0.1.0"}})


def test_every_reference_leads_somewhere() -> None:
    def walk(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                yield part["$ref"]
            for each in part.values():
                yield from walk(each)
        elif isinstance(part, list):
            for each in part:
                yield from walk(each)

    references = set(walk(document()))
    assert len(references) > 200
    for reference in references:
        found = document()
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]


def test_every_golden_frame_is_the_message_of_its_type_and_changed_ones_are_not() -> None:
    chance, known = Random(2), list(frames())
    ways = {way: messages(way) for way in ("receive", "send")}

    known += [
        ("receive", '{"type":"resync"}'),
        ("send", json.dumps(KNOCKS)),
        ("send", '{"type":"beat"}'),
    ]  # which no transcript of this version has
    assert {kind_of(text) for _, text in known} == set(document()["components"]["messages"])
    assert [text for way, text in known if kind_of(text) not in ways[way] or not fits(kind_of(text), text)] == []
    for _, text in chance.choices(known, k=CHANGED):
        lines = text.split("\n")
        one = chance.randrange(len(lines))
        kind = kind_of(text)
        lines[one] = json.dumps(changed(json.loads(lines[one]), chance))
        assert not fits(kind, "\n".join(lines)), lines[one]


@pytest.mark.parametrize("text", ["", "[]\n[]", '{"a":1}\n\n{"b":2}', '{"a":1}\n'])
def test_what_is_not_lines_of_objects_is_no_events_frame(text: str) -> None:
    assert not validator("#/components/messages/events/payload").is_valid(text)
