"""Print docs/commands.md from the code: every command, who may give it, and why it may be refused.

.venv/bin/python scripts/generate_docs.py > docs/commands.md
"""

import inspect
import sys
import typing

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dreadclock.wire import commands
from dreadclock.wire.errors import SENTENCES
from dreadclock_server.core.access import ACCESS

_SHARED = {"type", *commands.RollingCommand.model_fields}
_SHARED_BY_ALL = {"type", *commands.CommandBase.model_fields}
_HEAD = """# Commands

Printed from the code by `scripts/generate_docs.py`. A gm may do all that an owner or a player may. Every command may
carry a `note`; every one that rolls may carry `faces`, read from physical dice, where the room's policy allows it.
`?` marks what may be left out.

| command | who | fields | what it does |
| --- | --- | --- | --- |
"""
_REFUSALS = """
# Refusals

A refusal has a `code`, a `sentence`, and in `details` what stands in braces here.

| code | sentence |
| --- | --- |
"""


def commands_page() -> str:
    """Return the whole page."""
    rows = [_row(model) for model in ACCESS]
    refusals = [f"| `{code}` | {text} |" for code, text in SENTENCES.items()]
    return _HEAD + "\n".join(rows) + "\n" + _REFUSALS + "\n".join(refusals) + "\n"


def _row(model: type[commands.CommandBase]) -> str:
    shared = _SHARED if issubclass(model, commands.RollingCommand) else _SHARED_BY_ALL
    fields = ", ".join(_field(name, field) for name, field in model.model_fields.items() if name not in shared)
    does = (inspect.getdoc(model) or "").split("\n\n")[0].replace("\n", " ")
    tag = model.model_fields["type"].default
    return f"| `{tag}` | {ACCESS[model].allowed} | {fields} | {does} |"


def _field(name: str, field: FieldInfo) -> str:
    if field.is_required():
        return f"`{name}`"
    plain = isinstance(field.default, bool | int | str)
    default = f"={_json(field.default)}" if plain and not isinstance(field.default, BaseModel) else ""
    return f"`{name}?`{default}"


def _json(value: typing.Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    sys.stdout.write(commands_page())
