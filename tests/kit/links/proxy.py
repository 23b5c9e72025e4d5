"""A stretch of wire that can be cut."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self

from kit.links.relays import Ends, Passage, gone


class Proxy(Passage):
    """Passes bytes between clients and a unix socket, until told to misbehave."""

    def __init__(self, listen: Path, target: str) -> None:
        super().__init__()
        self.listen = listen
        self.replies_to_cut = 0  # so many replies are taken from the server and never passed on
        self.passes: int | None = None  # so many bytes of replies are passed on before the next cut
        self.cut = 0
        self.silent = False  # swallow everything
        self.accepted = 0
        self.replies = 0
        self._target = target
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where a store is found."""
        return f"unix://{self.listen}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self.accept, self.listen)
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._server is not None
        self._server.close()
        for end in self._ends:
            end.close()
        await self.finish()

    async def carry(self, near: Ends) -> None:
        self.accepted += 1
        from_client, to_client = near
        from_server, to_server = await asyncio.open_unix_connection(self._target)
        ends = {to_client, to_server}
        self._ends |= ends
        await asyncio.gather(
            self._pass(from_client, to_server, lambda data: data, ends),
            self._pass(from_server, to_client, self._replies, ends),
        )
        self._ends -= ends

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        decide: Callable[[bytes], bytes],
        ends: Iterable[asyncio.StreamWriter],
    ) -> None:
        """Pass bytes on until one side closes or `decide` leaves less of them; then close both ends."""
        while data := await reader.read(65536):
            passed = decide(data)
            if not self.silent:
                writer.write(passed)
            if len(passed) < len(data):
                break
        for end in ends:
            end.close()
        await gone(writer)

    def _replies(self, data: bytes) -> bytes:
        self.replies += 1
        if self.replies_to_cut:
            self.replies_to_cut -= 1
            self.cut += 1
            return b""
        if self.passes is None or len(data) <= self.passes:
            self.passes = None if self.passes is None else self.passes - len(data)
            return data
        passed, self.passes = data[: self.passes], None
        self.cut += 1
        return passed
