"""Tools of the assistant: name, arguments, hints, and the function that runs the tool."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from pydantic import BaseModel

Schema = dict[str, Any]
Run = Callable[[Mapping[str, Any]], Awaitable[str]]

_SOURCE: Final = re.compile(r"\s*Source: rules\.md [^.]*\.")
_NULL: Final = {"type": "null"}
LOOKS: Final = types.ToolAnnotations(  # hints about a tool that changes nothing
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `run` gets unchecked arguments, and returns a text or raises an error."""

    name: str
    description: str
    schema: Schema
    hints: types.ToolAnnotations
    run: Run

    @property
    def listed(self) -> types.Tool:
        """The tool's definition for clients."""
        return types.Tool(
            name=self.name, description=self.description, input_schema=self.schema, annotations=self.hints
        )


def schema_of(model: type[BaseModel], *, without: frozenset[str] = frozenset()) -> Schema:
    """Return a short schema of a model's fields.

    Leaves out patterns, which use pydantic's own syntax. pydantic checks them later, when it validates the arguments.
    """
    schema: Schema = _lean(model.model_json_schema())
    schema["properties"] = {name: field for name, field in schema["properties"].items() if name not in without}
    needed = _needed(schema["properties"], schema.pop("$defs", {}))
    defined = {"$defs": needed} if needed else {}
    return {"type": "object", **{key: value for key, value in schema.items() if key != "description"}, **defined}


def _needed(part: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return all definitions to which a part of a schema refers, directly or indirectly."""
    named = [name for name in definitions if f'"#/$defs/{name}"' in json.dumps(part)]
    needed = {name: definitions[name] for name in named}
    others = {name: definition for name, definition in definitions.items() if name not in needed}
    return needed | (_needed(needed, others) if needed else {})


def unsourced(text: str) -> str:
    """Remove the reference to the rules ("Source: ...") from a docstring, because assistants cannot read the rules."""
    return _SOURCE.sub("", text)


def _lean(part: Any, *, names: bool = False) -> Any:
    """Remove what takes space in a schema and says little: titles, patterns, sources, and null in optional fields.

    `names`: whether the keys are names of fields or definitions, not keywords of JSON Schema.
    """
    if isinstance(part, list):
        return [_lean(item) for item in part]
    if not isinstance(part, dict):
        return part
    if names:
        return {name: _lean(value) for name, value in part.items()}
    others = [option for option in part.get("anyOf", ()) if option != _NULL]
    if len(others) == 1:
        return _lean({**{key: value for key, value in part.items() if key != "anyOf"}, **others[0]})
    kept = {key: value for key, value in part.items() if key not in ("title", "pattern")}
    if "description" in kept:
        kept["description"] = unsourced(kept["description"])
    if others:
        kept["anyOf"] = others
    if kept.get("default", ...) is None:
        del kept["default"]
    if "patternProperties" in kept:
        [value] = kept.pop("patternProperties").values()
        kept["additionalProperties"] = value
    return {key: _lean(value, names=key in ("properties", "$defs")) for key, value in kept.items()}
