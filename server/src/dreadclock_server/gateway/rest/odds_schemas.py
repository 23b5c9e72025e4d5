"""JSON Schemas of the answers about odds, made from the TypedDicts of `dreadclock.rules.odds`."""

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from dreadclock.rules.odds.check_report import CheckReport, ContestReport
from dreadclock.rules.odds.report import CountdownReport, RaceReport, TableReport
from dreadclock.rules.odds.total_report import PushReport, TotalReport

_REPORTS = (CheckReport, ContestReport, CountdownReport, PushReport, RaceReport, TableReport, TotalReport)
_SCALARS = {int: "integer", float: "number", str: "string", bool: "boolean", NoneType: "null"}


def schemas(ref_template: str) -> dict[str, Any]:
    """Return the schemas of all reports by name. `ref_template`: the format of references, with `{model}`."""
    schemas: dict[str, Any] = {}
    for report in _REPORTS:
        _schema(report, ref_template, schemas)
    return schemas


def _schema(hint: Any, ref_template: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, and add its TypedDicts to `schemas`. Raises KeyError for an unsupported type."""
    if is_typeddict(hint):
        if hint.__name__ not in schemas:
            schemas[hint.__name__] = _object(hint, ref_template, schemas)
        return {"$ref": ref_template.format(model=hint.__name__)}
    parts = [_schema(part, ref_template, schemas) for part in get_args(hint)]
    origin = get_origin(hint)
    if origin is list:
        return {"type": "array", "items": parts[0]}
    if origin is dict:
        return {"type": "object", "additionalProperties": parts[1]}
    return {"anyOf": parts} if origin in (Union, UnionType) else {"type": _SCALARS[hint]}


def _object(shape: Any, ref_template: str, schemas: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(shape)
    return {
        "title": shape.__name__,
        "description": shape.__doc__,
        "type": "object",
        "properties": {name: _schema(hint, ref_template, schemas) for name, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }
