"""The MCP server over stdio: list the tools of a seat, run them, and report errors."""

import re
import tomllib
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from dreadclock.cli.words import words_of
from dreadclock.client.links import Link
from dreadclock.client.room import Room, connect
from dreadclock.narration import Narrator
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.errors import Code, ConnectionEnded, Refused
from dreadclock.wire.plain import finished, plain
from dreadclock.wire.things import Seat
from dreadclock_server.tools.assistant.access import allowed
from dreadclock_server.tools.assistant.acting import acting_tools
from dreadclock_server.tools.assistant.choosing import chosen
from dreadclock_server.tools.assistant.reading import reading_tools
from dreadclock_server.tools.assistant.tools import Tool

_TEXTS: Final = tomllib.loads(files(__package__).joinpath("texts.toml").read_text(encoding="utf-8"))
_SEES: Final = {Role(role): text for role, text in _TEXTS["sees"].items()}
_ADVICE: Final = {Code(code): text for code, text in _TEXTS["advice"].items()}
_INVISIBLE: Final = re.compile("[\U000e0000-\U000e0fff]")  # tags and variation selectors, which can hide text


async def serve(link: Link, narrator: Narrator, groups: tuple[str, ...] = ()) -> None:
    """Serve an assistant over stdin and stdout until it disconnects. Raises ConnectionEnded if the room
    refuses the link.

    `groups`: the groups of tools to list, some of `choosing.GROUPS`. If empty, all tools are listed if they are few,
    otherwise only the usual ones.
    """
    async with connect(link.server, link.room, link.token, client="dreadclock mcp") as room:
        server = assistant(room, narrator, groups)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


def assistant(room: Room, narrator: Narrator, groups: tuple[str, ...] = ()) -> Server[Any]:
    """Make the server for a room's seat. Tools that are not listed can still be called."""
    seat = room.view.seats[room.seat]
    reading, acting = reading_tools(room, seat, narrator), acting_tools(room, seat, narrator)
    commands = {tool.name: tool for tool in acting}
    listed = chosen(reading, acting, groups, partial(_tool_named, commands, seat))
    tools = commands | {tool.name: tool for tool in listed}

    async def list_tools(_: ServerRequestContext[Any], __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool.listed for tool in listed])

    async def call_tool(_: ServerRequestContext[Any], call: types.CallToolRequestParams) -> types.CallToolResult:
        return await _called(tools, seat, narrator, call)

    return Server(
        "dreadclock",
        version=version("dreadclock"),
        instructions=_instructions(seat) + (_TEXTS["commands"] if len(tools) > len(listed) else ""),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _instructions(seat: Seat) -> str:
    """Return the instructions for the assistant. They contain no text that people at the table wrote."""
    sees = [_SEES[seat.role]]
    if seat.role is Role.INTEGRATION:
        sees.append(f"Its scopes: {', '.join(seat.scopes) or 'none'}.")
    if Scope.SECRETS in seat.scopes:
        sees.append(_SEES[Role.GM])
    return str(_TEXTS["instructions"]).format(id=seat.id, role=seat.role, sees=" ".join(sees))


async def _called(
    tools: Mapping[str, Tool], seat: Seat, narrator: Narrator, call: types.CallToolRequestParams
) -> types.CallToolResult:
    """Run a tool. Errors that a person or an assistant can fix become error results with advice."""
    try:
        said = await _tool_named(tools, seat, call.name).run(call.arguments or {})
        return types.CallToolResult(content=[types.TextContent(text=_visible(said))])
    except _NoTool as missing:
        return _failed("no_such_tool", str(missing), "List the tools, and call one of them.")
    except Refused as refused:
        said = narrator.refusal(refused.code, refused.details, refused.sentence)
        return _failed(refused.code, said, _ADVICE.get(refused.code, _TEXTS["look"]))
    except ConnectionEnded as ended:
        return _failed("connection_ended", ended.reason, "It does not come back: a person has to start this anew.")
    except TimeoutError:
        return _failed("no_answer", words_of(narrator.language)("send.no_answer"), _TEXTS["no_answer"])
    except ValueError as error:  # an invalid question about odds
        return _failed("no_odds", str(error), "Ask with other numbers.")


class _NoTool(Exception):
    """There is no tool or command of this name. The message is a sentence about it."""


def _tool_named(tools: Mapping[str, Tool], seat: Seat, name: str) -> Tool:
    """Return a tool of this seat.

    Raises Refused for a command that only others may send, and _NoTool for an unknown name.
    """
    if name in tools:
        return tools[name]
    who = allowed(name, seat)
    if who:
        raise Refused(Code.NOT_ALLOWED, allowed=who)
    raise _NoTool(f"There is no tool {plain(name)[:40]!r} here")


def _visible(text: str) -> str:
    """Remove characters that are invisible to people but readable to models."""
    return _INVISIBLE.sub("", text)


def _failed(code: str, sentence: str, advice: str) -> types.CallToolResult:
    said = finished(plain(_visible(sentence)))
    return types.CallToolResult(
        content=[types.TextContent(text=f"Failed ({code}): {said}\nWhat to do: {advice}")],
        structured_content={"code": code, "sentence": said, "advice": advice},
        is_error=True,
    )
