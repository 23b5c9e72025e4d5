"""Write docs/events.md from the code: every event with its fields, who receives it, what causes it, and an example.

The causes and channels come from the sources of the server's core: which decisions reach the place that emits an event,
and to which channel this place emits it. The examples come from the transcripts in `tests/golden/transcripts`.
"""

import ast
import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from dreadclock.wire import events as e
from dreadclock.wire.families.base import EventBase
from dreadclock_server.core.decide import _DECIDERS

ROOT: Final = Path(__file__).parents[1]
CORE: Final = ROOT / "server/src/dreadclock_server/core"
EVENTS: Final = "dreadclock.wire.events"
MODELS: tuple[type[EventBase], ...] = get_args(get_args(e.Event)[0])  # family by family
_LONGEST: Final = 1_000  # characters of an example
_MOST_CAUSES: Final = 8  # of an event; a longer list is shortened
_READERS: Final = ("core.undo", "core.room", "core.invariants")  # these read events, and tell none
_TEXTS: Final = tomllib.loads(Path(__file__).with_name("events.toml").read_text(encoding="utf-8"))


class Place(NamedTuple):
    """A function, or a value of a module: what it is made of, and where."""

    module: str
    name: str

    @property
    def elsewhere(self) -> list[str | dict[str, str]]:
        """What causes the events that are told here, if no single command does: a text, or a text for each event."""
        return [text for part, text in _TEXTS["elsewhere"].items() if part in f"{self.module}.{self.name}."]


class Told(NamedTuple):
    """A place that tells an event, and in which channel."""

    event: str
    heard: str
    place: Place


def trees() -> dict[str, ast.Module]:
    """Return the modules that decide what happens."""
    modules = {}
    for path in sorted(CORE.rglob("*.py")):
        parts = path.relative_to(CORE).with_suffix("").parts
        module = ".".join(("dreadclock_server.core", *parts)).removesuffix(".__init__")
        modules[module] = ast.parse(path.read_text(encoding="utf-8"))
    return modules


class Sources:
    """What calls what, and what tells which event."""

    def __init__(self) -> None:
        self.nodes: dict[Place, list[ast.AST]] = {}
        self.names: dict[str, dict[str, str]] = {}
        for module, tree in trees().items():
            self.names[module] = dict(_imports(tree))
            for node in tree.body:
                for name in _defined(node):
                    self.nodes.setdefault(Place(module, name), []).append(node)

    def _place(self, module: str, node: ast.AST) -> str | None:
        """Return the full name that a name or an attribute of a module stands for."""
        if isinstance(node, ast.Name):
            return self.names[module].get(node.id, f"{module}.{node.id}")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            home = self.names[module].get(node.value.id)
            return f"{home}.{node.attr}" if home else None
        return None

    def _named(self, place: Place) -> Iterator[str]:
        for node in self.nodes[place]:
            for statement in node.body if isinstance(node, ast.FunctionDef) else [node]:  # without annotations
                for part in ast.walk(statement):
                    full = self._place(place.module, part)
                    if full is not None:
                        yield full

    def told(self, place: Place) -> list[Told]:
        """Return the events that a place tells by itself."""
        emitted = []
        for node in self.nodes[place]:
            made = _assigned(node)
            for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
                emitted += [Told(event, _heard(call), place) for event in self._events_in(place.module, call, made)]
        return emitted

    def handed_on(self, place: Place) -> list[Told]:
        """Return the events that a place names to have them told elsewhere, about the thing in question."""
        events = {full.rpartition(".")[2] for full in self._named(place) if full.startswith(f"{EVENTS}.")}
        return [Told(event, "thing", place) for event in sorted(events)]

    def _events_in(self, module: str, call: ast.Call, made: dict[str, ast.AST]) -> Iterator[str]:
        """Give the events that a call of `emit` or `tell` tells."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("emit", "tell"):
            return
        for argument in call.args[1:]:
            value = made.get(argument.id, argument) if isinstance(argument, ast.Name) else argument
            for part in ast.walk(value):
                full = self._place(module, part) or ""
                if full.startswith(f"{EVENTS}."):
                    yield full.rpartition(".")[2]

    def reached(self, start: Place) -> set[Place]:
        """Return all places that a decision reaches."""
        places, waiting = {start}, [start]
        while waiting:
            for full in self._named(waiting.pop()):
                module, _, name = full.rpartition(".")
                place = Place(module, name)
                if place in self.nodes and place not in places:
                    places.add(place)
                    waiting.append(place)
        return places


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield name.asname or name.name, f"{node.module}.{name.name}"


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def _assigned(node: ast.AST) -> dict[str, ast.AST]:
    return {
        part.targets[0].id: part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
    }


def _heard(call: ast.Call) -> str:
    """Say in which channel a call tells: `PUBLIC`, `GM`, that of a thing, or the one that the command names."""
    assert isinstance(call.func, ast.Attribute)
    first = call.args[0]
    if isinstance(first, ast.Attribute) and first.attr in ("PUBLIC", "GM"):
        return first.attr
    return "thing" if call.func.attr == "tell" or "command" not in ast.dump(first) else "asked"


class Known(NamedTuple):
    """What is said of an event."""

    heard: dict[str, None]  # keys of `[heard]` in order, each of them once
    causes: dict[str, None]


def catalogue(sources: Sources) -> dict[str, Known]:
    """Return who hears each event, and what causes it, by its class's name."""
    by_place = {place: sources.told(place) for place in sources.nodes if not place.module.endswith(_READERS)}
    direct = {emission.event for some in by_place.values() for emission in some}
    for place, some in by_place.items():
        some += [emission for emission in sources.handed_on(place) if emission.event not in direct]
    entries: dict[str, Known] = {}
    for emission in (emission for some in by_place.values() for emission in some):
        entry = entries.setdefault(emission.event, Known({}, {}))
        entry.heard.setdefault(emission.heard)
        for causes in emission.place.elsewhere:
            text = causes if isinstance(causes, str) else causes.get(emission.event)
            if text is not None:
                entry.causes.setdefault(text)
    for command, decide in _DECIDERS.items():
        start = Place(str(decide.__module__), decide.__name__)
        for place in sorted(sources.reached(start)):
            if not place.elsewhere:
                for emission in by_place.get(place, ()):
                    entries[emission.event].causes.setdefault(_cause(command))
    return entries


def _cause(command: type) -> str:
    fields = getattr(command, "model_fields", {})
    return f"`{fields['type'].default}`" if "type" in fields else _TEXTS["servers"][command.__name__]


def examples() -> dict[str, str]:
    """Return of each type the shortest event that was played in a transcript, in its canonical text.

    `newer.json` is left out: its events are those of an imaginary newer server, with other fields.
    """
    shortest: dict[str, str] = {}
    for path in sorted((ROOT / "tests/golden/transcripts").glob("*.json")):
        for event in _played(json.loads(path.read_text(encoding="utf-8")) if path.stem != "newer" else None):
            text = json.dumps(event, ensure_ascii=False)
            kind = event["type"]
            shortest[kind] = min(shortest.get(kind, text), text, key=len)
    return shortest


def _played(value: Any) -> Iterator[dict[str, Any]]:
    """Give the events of all records within a transcript, whose frames are texts with a record on each line."""
    if isinstance(value, str) and '"event":' in value:
        for line in value.splitlines():
            try:
                yield from _played(json.loads(line))
            except ValueError:
                continue
    elif isinstance(value, dict):
        if isinstance(value.get("event"), dict) and "channel" in value and "type" in value["event"]:
            yield value["event"]
        for part in value.values():
            yield from _played(part)
    elif isinstance(value, list):
        for part in value:
            yield from _played(part)


def files() -> dict[str, str]:
    """Return the whole page.

    Raises LookupError if an event is told nowhere, if no transcript plays it, or if events.toml names an unknown event.
    """
    entries, played = catalogue(Sources()), examples()
    named = {*_TEXTS["summaries"], *_TEXTS["heard"]} - {"PUBLIC", "GM", "thing", "asked"}
    named.update(*(text for text in _TEXTS["elsewhere"].values() if isinstance(text, dict)))
    if unknown := named - {model.__name__ for model in get_args(get_args(e.Event)[0])}:
        raise LookupError(f"events.toml names unknown events: {', '.join(sorted(unknown))}")
    for cause, events in _TEXTS["never"].items():
        for event in events:
            del entries[event].causes[cause]
    page = _TEXTS["head"] + "".join(_entry(model, entries, played) for model in MODELS) + _TEXTS["foot"]
    if {*re.findall("`[a-z_]+`", _TEXTS["foot"])} != entries["ClockTicked"].causes.keys():
        raise LookupError(f"the foot of events.toml must name: {', '.join(entries['ClockTicked'].causes)}")
    return {"docs/events.md": page}


def shortened(event: str, entries: dict[str, Known]) -> list[str]:
    """Return what causes an event, in at most _MOST_CAUSES texts. Raises LookupError if there is no shorter text."""
    causes, movers = entries[event].causes, entries["ClockTicked"].causes
    if len(causes) > _MOST_CAUSES and event in _TEXTS["summaries"]:
        return [_TEXTS["summaries"][event]]
    if len(causes) > _MOST_CAUSES and movers.keys() <= causes.keys():
        causes = {_TEXTS["moves_a_clock"]: None} | {cause: None for cause in causes if cause not in movers}
    if len(causes) > _MOST_CAUSES:
        raise LookupError(f"{event} has {len(causes)} causes: give it a text in [summaries] of events.toml")
    return sorted(causes, key=lambda cause: cause.startswith(("a command", "or ")))


def _entry(model: type[EventBase], entries: dict[str, Known], played: dict[str, str]) -> str:
    kind = model.model_fields["type"].default
    if model.__name__ not in entries or not entries[model.__name__].causes or kind not in played:
        raise LookupError(f"{kind}: no cause, no channel or no example in a transcript")
    entry, example = entries[model.__name__], played[kind]
    channel = next(iter(entry.heard)) if len(entry.heard) == 1 else "thing"  # in several channels, the thing decides
    heard = _TEXTS["heard"].get(model.__name__, _TEXTS["heard"][channel])
    does = " ".join(re.sub(r"Source: .*", "", inspect.getdoc(model) or "", flags=re.DOTALL).split())
    schema = model.model_json_schema()
    fields = [_field(name, schema) for name in schema["properties"] if name not in ("type", "note")]
    shown = example if len(example) <= _LONGEST else f"{example[:_LONGEST]} ..."
    return (
        f"\n## `{kind}`\n\n{does}\n\n- Fields: {', '.join(fields) or 'none'}\n- Received by: {heard}\n"
        f"- Caused by: {', '.join(shortened(model.__name__, entries))}\n\n```\n{shown}\n```\n"
    )


def _field(name: str, schema: dict[str, Any]) -> str:
    field = schema["properties"][name]
    default = field.get("default")
    absent = "" if default in (None, [], {}) else f" = {str(default).lower()}"
    return f"`{name}{'' if name in schema.get('required', ()) else '?'}: {_shape(field, schema)}{absent}`"


def _shape(field: dict[str, Any], root: dict[str, Any]) -> str:
    """Write a field's type in a word or two; an object by the name of its model."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        named = root["$defs"][name]
        return name if named.get("type") == "object" else _shape(named, root)
    if "anyOf" in field:
        return " | ".join(_shape(branch, root) for branch in field["anyOf"] if branch.get("type") != "null")
    if "enum" in field or "const" in field:
        return " | ".join(str(value).lower() for value in field.get("enum") or [field["const"]])
    if field.get("type") == "array":
        return f"[{_shape(field['items'], root) if 'items' in field else 'any'}]"
    return {"string": "text", "integer": "number", "boolean": "true | false"}.get(field.get("type", ""), "object")
