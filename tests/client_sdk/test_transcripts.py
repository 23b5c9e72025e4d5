"""The Python client against the transcripts that clients in every language are held to."""

import json
from pathlib import Path
from typing import Any

import pytest

from dreadclock.client.connection import FOR_GOOD
from dreadclock.client.protocol import ClientProtocol
from dreadclock.wire.events import EVENT
from dreadclock.wire.frames import Client
from kit.transcripts import written

Step = dict[str, Any]
FILES = written.transcript_files()


class Run:
    """A client that goes through a transcript, and what it should be like by now."""

    def __init__(self, transcript: dict[str, Any]) -> None:
        self.client = ClientProtocol(transcript["room"], transcript["token"], Client(**transcript["client"]))
        self.state = "apart"
        self.positions: dict[str, Any] = {}
        self.view: written.Parts = {}

    def take(self, step: Step) -> None:
        """Do what a step says, and check all that must come of it."""
        assert step["do"] != "closed" or (step["code"] in FOR_GOOD) is step["for_good"]
        outputs = [written.written_output(each) for each in written.taken(self.client, step)]
        assert json.loads(json.dumps(outputs)) == step.get("outputs", [])
        assert [json.loads(frame) for frame in self.client.frames_to_send()] == step.get("sends", [])
        self.state = step.get("state", self.state)
        assert self.client.state.value == self.state
        self.positions = step.get("positions", self.positions)
        self.view = written.changed_by(self.view, step["view"]) if "view" in step else self.view
        if self.positions:
            assert {
                channel: head.model_dump() for channel, head in self.client.mirror.positions.items()
            } == self.positions
            assert written.written_view(self.client.mirror.view) == self.view


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_client_makes_of_everything_what_the_transcript_says(path: Path) -> None:
    transcript = json.loads(path.read_text(encoding="utf-8"))
    run = Run(transcript)

    for step in transcript["steps"]:
        run.take(step)

    assert written.written_recent(run.client.mirror.view) == transcript["recent"]


def test_the_transcripts_hold_every_event_that_there_is() -> None:
    known = {
        choice["properties"]["type"]["const"] for choice in EVENT.json_schema()["$defs"].values() if _is_event(choice)
    }
    records = (json.loads(line) for path in FILES if path.stem != "newer" for line in _records(path))

    assert {record["event"]["type"] for record in records} == known


def _is_event(schema: dict[str, Any]) -> bool:
    return "type" in schema.get("properties", {}) and "note" in schema["properties"]


def _records(path: Path) -> list[str]:
    steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
    frames = [step["frame"] for step in steps if step["do"] == "receive" and not step.get("violation")]
    return [line for frame in frames for line in frame[1:]]
