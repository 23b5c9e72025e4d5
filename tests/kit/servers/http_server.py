"""An HTTP server that answers what it was told to answer."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    target: str
    headers: dict[str, str]
    body: str


class HttpServer:
    """Gives its `answers`, (status, body), one after the other, and remembers what was `asked`.

    Those with a status of 429 or 503 tell to come again in `retry_after` seconds, if there is one.
    """

    def __init__(self) -> None:
        self.url, self.retry_after = "", ""
        self.asked: list[Asked] = []
        self.answers: deque[tuple[int, str]] = deque()
        self._listening: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._listening is not None
        self._listening.close()
        await self._listening.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = (await reader.readexactly(int(headers.get("content-length", 0)))).decode()
        method, target, _ = first.split(" ")
        self.asked.append(Asked(method, target, headers, body))
        status, answer = self.answers.popleft()
        again = f"Retry-After: {self.retry_after}\r\n" if self.retry_after and status in (429, 503) else ""
        kind = "application/json" if answer.startswith(("{", "[")) else "text/plain"
        head = (
            f"HTTP/1.1 {status} Whatever\r\n{again}Content-Type: {kind}\r\n"
            f"Content-Length: {len(answer.encode())}\r\nConnection: close\r\n\r\n"
        )
        writer.write((head + answer).encode())
        writer.close()
        await writer.wait_closed()
