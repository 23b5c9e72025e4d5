"""As much of JSON Schema as our own descriptions use."""

from collections.abc import Mapping
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def mismatch(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str = "$") -> str | None:
    """Say where a value does not fit a schema, None if it does. References are looked up from `root`."""
    if "$ref" in schema:
        return mismatch(value, _found(schema["$ref"], root), root, at)
    for kind in ("anyOf", "oneOf"):
        if kind in schema and all(mismatch(value, each, root, at) for each in schema[kind]):
            return f"{at}: fits none of {len(schema[kind])} shapes"
    if "const" in schema and value != schema["const"]:
        return f"{at}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at}: {value!r} is not one of {schema['enum']}"
    if "type" in schema and not _is(value, schema["type"]):
        return f"{at}: {value!r} is no {schema['type']}"
    if isinstance(value, dict):
        return _mismatch_of_object(value, schema, root, at)
    return _mismatch_of_array(value, schema, root, at) if isinstance(value, list) else None


def _is(value: Any, name: str) -> bool:
    return isinstance(value, _TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _found(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    assert isinstance(found, Mapping)
    return found


def _mismatch_of_object(
    value: dict[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], at: str
) -> str | None:
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    missing = set(schema.get("required", ())) - value.keys()
    if missing:
        return f"{at}: lacks {sorted(missing)}"
    for name, part in value.items():
        if name not in known and more is False:
            return f"{at}: {name} is not described"
        expected = known.get(name, more)
        found = mismatch(part, expected, root, f"{at}.{name}") if isinstance(expected, Mapping) else None
        if found:
            return found
    return None


def _mismatch_of_array(value: list[Any], schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> str | None:
    first = schema.get("prefixItems", [])
    for place, part in enumerate(value):
        expected = first[place] if place < len(first) else schema.get("items", {})
        found = mismatch(part, expected, root, f"{at}[{place}]")
        if found:
            return found
    return None
