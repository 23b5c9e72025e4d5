"""Write docs/commands.md from the code: every command with its fields, who may send it, and the refusals."""

import inspect
import tomllib
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, Final, get_args

from dreadclock.rules.limits import MAX_NAME, MAX_TEXT
from dreadclock.wire import commands as c
from dreadclock.wire.base import Role
from dreadclock.wire.errors import SENTENCES
from dreadclock.wire.families.consequences import NEEDS
from dreadclock_server.core.access import ACCESS
from dreadclock_server.core.rights import SCOPES, Who

Schema = Mapping[str, Any]

_MEANINGS, _TEXTS = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    for name in ("parameters.toml", "commands.toml")
)

_SHARED_BY_ALL = {"type", *c.CommandBase.model_fields}
_SHARED_BY_ROLLS = {"type", *c.RollingCommand.model_fields}
_TOLD_ELSEWHERE: Final = {
    "CountdownToStart": "{as in start_countdown}",
    "NewEffect": "effects, as in attach_consequence",
}
_TOLD_HERE: Final = ("AttachConsequence", "NewEffect")
_WORDS: Final = {32: "new id", 40: "id"}  # texts by their length, where a pattern limits it
_LENGTHS: Final = {43: "32 bytes", 64: "name", 280: "text"}
_EFFECTS: Final = "\n".join(
    f"| `{does}` | {', '.join(f'`{name}`' for name in sorted(NEEDS[does]))} | {_TEXTS['effects'][does]} |"
    for does in NEEDS
)


def files() -> dict[str, str]:
    """Return the whole page."""
    families = [
        f"\n## {title}\n" + "".join(map(_entry, _commands(names))) for title, names in _TEXTS["chapters"].items()
    ]
    refusals = [f"| `{code}` | {text} |" for code, text in SENTENCES.items()]
    if unknown := {*_TEXTS["who"], *_TEXTS["notes"]}.difference(model.model_fields["type"].default for model in ACCESS):
        raise LookupError(f"commands.toml names what is no command: {', '.join(sorted(unknown))}")
    head: str = _TEXTS["head"].replace("to {name} c", f"to {MAX_NAME} c").replace("to {text} c", f"to {MAX_TEXT} c")
    foot: str = _TEXTS["foot"].replace("{effects}", _EFFECTS)
    return {"docs/commands.md": head + "".join(families) + foot + "\n".join(refusals) + "\n"}


def _commands(names: str) -> list[type[c.CommandBase]]:
    """Return the commands of families, and those that are named themselves."""
    every: tuple[type[c.CommandBase], ...] = get_args(get_args(c.Command)[0])
    return [cls for name in names.split() for cls in every if name in (cls.__name__, cls.__module__.split(".")[-1])]


def _entry(model: type[c.CommandBase]) -> str:
    """Return a paragraph about a command: its name, who may send it, what it does, its fields."""
    rolls = issubclass(model, c.RollingCommand)
    does = (inspect.getdoc(model) or "").split("\n\n")[0].replace("\n", " ")
    row = ACCESS[model]
    scopes = ", ".join(f"scope `{SCOPES[who]}`" for who in Who if who in row.who and who in SCOPES)
    kind = model.model_fields["type"].default
    who = "; ".join(filter(None, (_TEXTS["who"].get(kind, row.allowed_for(Role.PLAYER)), scopes)))
    note = _TEXTS["notes"].get(kind, "")
    head = f"**`{kind}`**{' ⚄' * rolls} ({who}): {does} {note}".rstrip()
    schema = model.model_json_schema()
    fields = _fields(schema, schema, without=_SHARED_BY_ROLLS if rolls else _SHARED_BY_ALL)
    return f"\n{head}\n" + "".join(f"- `{field}`: {_meaning(model, field)}\n" for field in fields)


def _meaning(model: type[c.CommandBase], field: str) -> str:
    """Explain a field that is written as `name?: shape`."""
    name, every = field.partition(":")[0].rstrip("?"), _MEANINGS["every"]
    meaning = _MEANINGS.get(model.model_fields["type"].default, {}).get(name) or every[name]
    return str(meaning).replace(" None: ", " Left out: ")


def _fields(schema: Schema, root: Schema, without: Set[str] = frozenset()) -> list[str]:
    """Write the fields of an object, first those that are needed."""
    needed = [name for name in schema["properties"] if name in schema.get("required", ())]
    others = [name for name in schema["properties"] if name not in (*needed, *without)]
    return [_field(name, schema["properties"][name], root) for name in needed] + [
        _field(f"{name}?", schema["properties"][name], root) for name in others
    ]


def _field(name: str, field: Schema, root: Schema) -> str:
    return f"{name}: {_shape(field, root)}{_default(field)}"


def _default(field: Schema) -> str:
    value = field.get("default")
    return "" if value in (None, [], {}) else f" = {str(value).lower()}"


def _shape(field: Schema, root: Schema) -> str:
    """Write a type as short as it can be read."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        once = {**root, "$defs": {**root["$defs"], name: {"enum": ["effects of this form"]}}}  # it may hold itself
        elsewhere = "" if (root["title"], name) == _TOLD_HERE else _TOLD_ELSEWHERE.get(name)
        return elsewhere or _shape(root["$defs"][name], once)
    if "anyOf" in field:
        return " | ".join(_shape(branch, root) for branch in field["anyOf"] if branch.get("type") != "null")
    if "enum" in field:
        return " | ".join(field["enum"])
    return _PLAIN[field["type"]](field, root)


def _text(field: Schema, root: Schema) -> str:
    length = field.get("maxLength")
    return _LENGTHS[length] if length else _WORDS[int(field["pattern"].rpartition("{")[2].rstrip("}$").split(",")[-1])]


def _number(field: Schema, root: Schema) -> str:
    least, most = field["minimum"], field.get("maximum")
    if most is None:
        return f"{least} or more"
    return f"{least}-{most}" if least >= 0 else f"{least} to {most}"


def _list(field: Schema, root: Schema) -> str:
    most = f"up to {field['maxItems']} " if "maxItems" in field else ""
    return f"[{most}{_shape(field['items'], root)}]"


def _object(field: Schema, root: Schema) -> str:
    if "properties" in field:
        return "{" + ", ".join(_fields(field, root)) + "}"
    (value,) = field["patternProperties"].values()
    return f"{{<{'name' if 'propertyNames' in field else 'id'}>: {_shape(value, root)}}}"


_PLAIN: Final = {
    "string": _text,
    "boolean": lambda field, root: "true | false",
    "integer": _number,
    "array": _list,
    "object": _object,
}
