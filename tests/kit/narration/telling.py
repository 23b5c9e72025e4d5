"""What is told of transcripts, the JavaScript narrator beside the Python one, and what is told of a catalogue."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dreadclock.client.protocol import ClientProtocol, State
from dreadclock.narration.messages import Argument, Messages, Template
from dreadclock.narration.narrator import Narrator, catalogue
from dreadclock.wire.frames import Client
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from kit.transcripts.written import FOLDER, taken, transcript_files

SCRIPT = Path(__file__).parents[2] / "js" / "narrator.mjs"
WITHIN_S = 120


def told_in_transcript(name: str, narrators: Iterable[Narrator]) -> Iterator[list[str]]:
    """Tell every record of a transcript with the view after it and the one before it."""
    for output, client, before in _replayed(FOLDER / name):
        if isinstance(output, Record):
            yield [narrator.told(output, client.mirror.view, *before) for narrator in narrators]


def views_of_transcripts() -> Iterator[View]:
    """Go through what clients see in the end of all transcripts but `newer`, for which there are no words."""
    for path in transcript_files():
        if path.stem == "newer":
            continue
        *_, (_, client, _) = _replayed(path)
        if client.state is State.OPEN:
            yield client.mirror.view


def _replayed(path: Path) -> Iterator[tuple[object, ClientProtocol, tuple[View, ...]]]:
    """Go through the outputs of a transcript's client, each with the view before its step, and None after each step."""
    transcript = json.loads(path.read_text(encoding="utf-8"))
    client = ClientProtocol(transcript["room"], transcript["token"], Client(**transcript["client"]))
    for step in transcript["steps"]:
        before = (client.mirror.view,) if client.state is State.OPEN else ()
        for output in (*taken(client, step), None):
            yield output, client, before
        client.frames_to_send()


# In JavaScript


def json_of(value: Record | View) -> Any:
    """Write a record or a view as it is sent; the event may be none that is allowed."""
    return value.model_dump(mode="json", exclude_none=True, warnings=False)


def in_javascript(jobs: list[dict[str, Any]], views: Iterable[View] = ()) -> list[Any]:
    """Give jobs to the narrator in JavaScript, and return their results."""
    node = shutil.which("node")
    assert node is not None
    given = json.dumps({"jobs": jobs, "views": [json_of(view) for view in views]})
    done = subprocess.run([node, SCRIPT], input=given, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    assert done.returncode == 0, done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results


# What is told of a catalogue


class Noting(Messages):
    """Messages that note which of them and of their branches are told."""

    def __init__(self, language: str) -> None:
        super().__init__(language, catalogue(language))
        self.told: set[str] = set()
        self.taken: set[tuple[Argument, str]] = set()

    def template(self, key: str) -> Template:
        """Note a message."""
        self.told.add(key)
        return super().template(key)

    def chosen(self, argument: Argument, branch: str) -> Template:
        """Note a branch."""
        self.taken.add((argument, branch))
        return super().chosen(argument, branch)

    def untold(self) -> list[str]:
        """List the messages and branches that were never told."""
        keys = catalogue(self.language).keys()
        missing = [key for key in keys if key not in self.told]
        for key in keys:
            branches = ((each, name) for each in arguments_of(super().template(key)) for name in each.branches)
            untaken = (place for place in branches if place not in self.taken)
            missing += [f"{key}: {'.'.join(each.path)} {name}" for each, name in untaken]
        return missing


def arguments_of(template: Template) -> Iterator[Argument]:
    """Go through all arguments of a template, those in branches, too."""
    for node in template:
        if isinstance(node, Argument):
            yield node
            for branch in node.branches.values():
                yield from arguments_of(branch)


def noting_narrator(language: str) -> tuple[Narrator, Noting]:
    """Make a narrator that notes what it tells."""
    narrator, messages = Narrator(language), Noting(language)
    narrator._messages = messages
    return narrator, messages
