"""An assistant at a real table: the tools' own client, which keeps every answer that it got."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client

from dreadclock.client.connection import Backoff
from dreadclock.client.room import connect
from dreadclock.narration import Narrator
from dreadclock_server.tools.assistant.server import assistant
from kit.rooms import Table


class Assistant:
    """One session; `heard` is all that it was ever told: instructions, tools and answers, as they were sent."""

    def __init__(self, client: Client, tools: list[Any]) -> None:
        self.client, self.tools = client, {tool.name: tool for tool in tools}
        self.calls = 0
        self.heard = [client.instructions or "", *(tool.model_dump_json() for tool in tools)]

    async def call(self, name: str, /, **arguments: object) -> str:
        """Call a tool that succeeds."""
        failed, said = await self._call(name, arguments)
        assert not failed, said
        return said

    async def fail(self, name: str, /, **arguments: object) -> str:
        """Call a tool that fails, and return the code."""
        failed, said = await self._call(name, arguments)
        assert failed, said
        code: str = json.loads(self.heard[-1])["structured_content"]["code"]
        assert said.startswith(f"Failed ({code}): ")
        assert "\nWhat to do: " in said
        return code

    async def _call(self, name: str, arguments: dict[str, object]) -> tuple[bool, str]:
        self.calls += 1
        answer = await self.client.call_tool(name, arguments)
        self.heard.append(answer.model_dump_json())
        [text] = answer.content
        return answer.is_error, str(getattr(text, "text", ""))


@asynccontextmanager
async def sitting(table: Table, name: str, language: str = "en", *groups: str) -> AsyncIterator[Assistant]:
    """Sit an assistant in somebody's seat, in this process, with these groups of tools."""
    async with (
        connect(table.server.url, table.id, table.token(name), backoff=Backoff(longest_s=0.05)) as room,
        Client(assistant(room, Narrator(language), groups), raise_exceptions=True) as client,
    ):
        yield Assistant(client, (await client.list_tools()).tools)
