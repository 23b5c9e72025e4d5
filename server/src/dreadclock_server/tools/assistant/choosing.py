"""Choose the tools to list. Clients limit their number, and every listed tool takes space in a model's context.

All commands remain available: the tool `command` sends any command.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mcp_types import ToolAnnotations

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.tools.assistant.access import commands
from dreadclock_server.tools.assistant.tools import LOOKS, Schema, Tool

MOST_TOOLS: Final = 40
MOST_BYTES: Final = 30_000  # bytes of the definitions of all listed tools
USUAL: Final = "usual"
ALL: Final = "all"
_USUAL: Final = (  # the most used commands first; each is listed if it fits the limits
    *("narrate", "roll_dice", "start_countdown", "roll_countdown", "end_turn", "start_clock", "tick_clock"),
    *("propose_check", "roll_check", "settle_failure", "propose_total", "set_required", "roll_total", "offer_push"),
    *("push_luck", "stop_pushing", "describe_crisis", "choose_effect", "end_round", "judge_total", "adjust_total"),
)
_GROUP_OF: Final = {  # the group of a command, by the module of its model
    **dict.fromkeys(("room", "corrections", "narrating", "secrets"), "table"),
    **dict.fromkeys(("characters", "conditions", "fates", "crises"), "characters"),
    **dict.fromkeys(("countdowns", "countdown_changes"), "countdowns"),
    **dict.fromkeys(("clocks", "consequences"), "clocks"),
    **dict.fromkeys(("scenes", "staging", "situations", "challenges"), "scenes"),
    **dict.fromkeys(("dice", "checks", "check_parts", "check_effects", "bargains", "totals", "pushes"), "rolls"),
}
GROUPS: Final = (USUAL, *dict.fromkeys(_GROUP_OF.values()), ALL)
_GIVE: Final = "Give any command of this seat, also one that has a tool of its own. Ask `command_fields` what it takes."
_FIELDS: Final = "Show what a command takes: what it does, and its fields as a JSON schema."
_DOES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)

Find = Callable[[str], Tool]
"""Returns the tool for a command. Raises an error if it is unknown or not allowed to the seat."""


def group_of(command: str) -> str:
    """Return the group of a command."""
    return _GROUP_OF[commands()[command].__module__.rpartition(".")[2]]


def chosen(reading: list[Tool], acting: list[Tool], groups: tuple[str, ...], find: Find) -> list[Tool]:
    """Return the tools to list: all reading tools, the tools of the groups, and the tools `command` and
    `command_fields` unless every command has a listed tool.

    `groups`: some of GROUPS. If empty: all tools if they fit the limits, otherwise the usual tools.
    """
    commanding = _commanding(acting, find)
    if not groups and _fits([*reading, *acting]):
        groups = (ALL,)
    usual = _usual([*reading, *commanding], acting) if not groups or USUAL in groups else ()
    shown = [tool for tool in acting if tool in usual or ALL in groups or group_of(tool.name) in groups]
    return [*reading, *(commanding if len(shown) < len(acting) else ()), *shown]


def _fits(tools: list[Tool]) -> bool:
    return len(tools) <= MOST_TOOLS and size_of(tools) <= MOST_BYTES


def _usual(always: list[Tool], acting: list[Tool]) -> list[Tool]:
    """Return the usual tools that fit beside the tools that are always listed."""
    by_name, usual = {tool.name: tool for tool in acting}, list[Tool]()
    for name in _USUAL:
        if name in by_name and _fits([*always, *usual, by_name[name]]):
            usual.append(by_name[name])
    return usual


def size_of(tools: Iterable[Tool]) -> int:
    """Return the size of the tools' definitions in bytes."""
    return sum(len(tool.listed.model_dump_json(by_alias=True, exclude_none=True).encode()) for tool in tools)


def _commanding(acting: list[Tool], find: Find) -> list[Tool]:
    """Make two tools: `command` sends any command, and `command_fields` describes a command."""

    async def give(arguments: Mapping[str, Any]) -> str:
        return await find(str(arguments.get("type"))).run(_fields(arguments.get("fields")))

    async def describe(arguments: Mapping[str, Any]) -> str:
        tool = find(str(arguments.get("type")))
        return f"{tool.description}\n{json.dumps(tool.schema)}"

    types = {"type": "string", "enum": [tool.name for tool in acting]}
    fields = {"type": "object", "description": "As `command_fields` shows them."}
    asked = {"type": "string", "description": "As `command` lists them."}
    return [
        Tool("command", _GIVE, _schema({"type": types, "fields": fields}), _DOES, give),
        Tool("command_fields", _FIELDS, _schema({"type": asked}), LOOKS, describe),
    ]


def _schema(properties: dict[str, Any]) -> Schema:
    return {"type": "object", "properties": properties, "required": ["type"], "additionalProperties": False}


def _fields(given: object) -> Mapping[str, Any]:
    """Return the fields of a command. Raises Refused if they are not an object."""
    if given is None or isinstance(given, Mapping):
        return given or {}
    raise Refused(Code.BAD_COMMAND, problem="fields: this is no object")
