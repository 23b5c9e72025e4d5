"""REST: opening rooms, inviting people, and what else needs no websocket."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from ssl import SSLContext
from typing import Any
from uuid import uuid4

import httpx
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from dreadclock.client.answers import read_answer, read_command_answer, read_refusal
from dreadclock.client.links import Link, is_this_machine, parse_link, parse_recap_link, server_address
from dreadclock.client.newer import read_record, read_view
from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.patience import Patience
from dreadclock.client.problems import checked_command
from dreadclock.wire import calls
from dreadclock.wire.base import Channel, Id, Model, Role, RoomId, Scope
from dreadclock.wire.calls import Answer, Call
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import Code, ConnectionEnded, KeyRefused, ProtocolViolation, Refused
from dreadclock.wire.frames import KnockId, WaitingKnock
from dreadclock.wire.plain import plain
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Record, in_order, is_canonical
from dreadclock.wire.rest import (
    CommandAnswer,
    Grant,
    KnockState,
    Language,
    RecapGrant,
    RoomOpening,
    RoomSize,
    SharedRecap,
    TokenId,
    TokenInfo,
    Undoable,
)
from dreadclock.wire.things import Policy
from dreadclock.wire.views import View

TIMEOUT_S = 15.0  # a server may take 10 to learn whether a command was done
RECAP_TIMEOUT_S = 150.0  # a recap is made in a process of its own, and others may be made before it
PATIENCE = 3  # times that a command whose outcome is pending is sent

_LONGEST_WHY = 200  # characters
_HARMLESS_TWICE = ("GET", "DELETE")

_CONTENT = {str: "application/json", bytes: "application/jsonl"}


async def open_room(
    server: str, title: str, policy: Policy | None = None, operator_key: str | None = None
) -> "OpenedRoom":
    """Open a room and return it with its gm's seat.

    Raises KeyRefused if the server opens rooms with its operator's key only, and the key is missing or wrong; or
    another Refused.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        title: Name of the room, 1 to 64 characters.
        policy: The house rules. None: those of `Policy()`.
        operator_key: The operator's key, if the server has one; one started with `--lan` keeps it in the file
            `operator-key` of its data folder. None: the server has none.
    """
    server = server_address(server)
    body = {"title": title, "policy": policy}
    return OpenedRoom(server, await _ask_with_key(calls.OPEN_ROOM, server, operator_key, body))


async def make_gm_link(server: str, room_id: RoomId, operator_key: str) -> Grant:
    """Make one more link for the gm of a room, who lost the old one.

    `operator_key`: the server's, or where it has none the secret in its data folder, `links-key`. Raises Refused if it
    is wrong or there is no such room.
    """
    return await ask(calls.MAKE_GM_LINK, server_address(server), operator_key, room=room_id)


async def import_room(
    server: str, export: bytes, title: str | None = None, operator_key: str | None = None
) -> "OpenedRoom":
    """Open a room that goes on from an export, and return it with its gm's seat; everyone else needs a new link.

    Raises KeyRefused if the server opens rooms with its operator's key only, and the key is missing or wrong; or
    another Refused.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        export: The log, as `RestRoom.log_texts` yields it, one record a line in UTF-8.
        title: Name of the new room, 1 to 64 characters. None: the title in the export.
        operator_key: The operator's key, if the server has one; one started with `--lan` keeps it in the file
            `operator-key` of its data folder. None: the server has none.
    """
    server = server_address(server)
    query = {"title": title} if title is not None else None
    return OpenedRoom(server, await _ask_with_key(calls.IMPORT_ROOM, server, operator_key, export, query=query))


async def _ask_with_key(call: Call[Answer], *arguments: Any, **more: Any) -> Answer:
    """Make a call that takes the operator's key, as `ask` does. Raises KeyRefused if it is missing or wrong."""
    try:
        return await ask(call, *arguments, **more)
    except Refused as refused:
        if refused.code is not Code.UNAUTHORISED:
            raise
        raise KeyRefused from refused


async def read_recap(link: str, language: Language = "en", zone: str = "UTC") -> str:
    """Return the page that a link to a recap leads to, as `RestRoom.recap` does. Raises Refused if it was withdrawn."""
    parts = parse_recap_link(link)
    return await RestRoom(parts.server, parts.room, parts.token).recap(language, zone)


class RestRoom:
    """A room, as one token may deal with it over REST. Raises ValueError if a part is malformed.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        room_id: Id of the room, 26 characters.
        token: Token of a seat in the room.
    """

    def __init__(self, server: str, room_id: RoomId, token: str) -> None:
        self._link = Link(server, room_id, token)

    @classmethod
    def of(cls, link: str) -> "RestRoom":
        """Take the room and the token of a `link`, `http://host:port/r/ROOM#TOKEN`. Raises ValueError if it is none."""
        parts = parse_link(link)
        return RestRoom(parts.server, parts.room, parts.token)

    @property
    def server(self) -> str:
        """The server's address."""
        return self._link.server

    @property
    def room_id(self) -> RoomId:
        """The room's id."""
        return self._link.room

    async def invite(
        self,
        role: Role | str,
        name: str | None = None,
        *,
        scopes: Iterable[Scope | str] = (),
        expires_s: int | None = None,
        seat_id: Id | None = None,
        qr: bool = False,
    ) -> Grant:
        """Make a seat with a token, or one more token for a seat. Only a gm may.

        Args:
            role: What the seat is at the table; of a seat that exists, its role.
            name: Name of the seat, 1 to 64 characters. None: the role and a number, such as `Player 2`.
            scopes: What an integration may do beyond looking on; empty for other roles.
            expires_s: Seconds until the token ends, at most 366 days. None: never.
            seat_id: Id of the seat that gets one more token. None: make a new seat.
            qr: Whether to draw the link as a QR code, too.
        """
        fields = {"role": role, "name": name, "expires_s": expires_s, "seat_id": seat_id, "qr": qr or None}
        return await self._ask(calls.INVITE, {"scopes": tuple(scopes), **fields})

    async def knocks(self) -> tuple[WaitingKnock, ...]:
        """List who knocks and waits for an answer, the oldest first. Only a gm may."""
        return await self._ask(calls.LIST_KNOCKS)

    async def answer_knock(
        self,
        knock: KnockId,
        *,
        accept: bool,
        role: Role | str | None = None,
        name: str | None = None,
        scopes: Iterable[Scope | str] = (),
        seat_id: Id | None = None,
    ) -> KnockState:
        """Give whoever knocks a seat, as asked for or otherwise, or turn them away. Only a gm may.

        The same answer again is harmless. Raises Refused if the knock is over, or was answered in another way.

        Args:
            knock: Id of the knock, as `knocks` lists it.
            accept: True: give a seat. False: turn them away; leave out all else.
            role: What the seat is at the table. None: as asked for.
            name: Name of the seat, 1 to 64 characters. None: as asked for.
            scopes: What an integration may do beyond looking on; empty for other roles.
            seat_id: Id of a seat that they get a token for. None: make a new seat.
        """
        body = {"accept": accept, "role": role, "name": name, "scopes": tuple(scopes), "seat_id": seat_id}
        return await self._ask(calls.ANSWER_KNOCK, body, knock=knock)

    async def tokens(self) -> tuple[TokenInfo, ...]:
        """List the room's tokens, but never the tokens themselves. Only a gm may."""
        return await self._ask(calls.LIST_TOKENS)

    async def size(self) -> RoomSize:
        """Tell how many bytes the room's log has, and the most that it may have. Only a gm may."""
        return await self._ask(calls.GET_SIZE)

    async def addresses(self) -> tuple[str, ...]:
        """List how links may begin, for other devices to reach the server; none if they cannot. Only a gm may."""
        return (await self._ask(calls.GET_ADDRESSES)).addresses

    async def qr(self, link: str) -> tuple[str, ...] | None:
        """Draw a `link` as a QR code: rows of `0` (light) and `1` (dark); None if it is too long. Only a gm may."""
        return (await self._ask(calls.DRAW_QR, {"link": link})).qr

    async def undoable(self) -> tuple[Undoable, ...]:
        """List which of the latest commands one may take back now, the latest first."""
        return await self._ask(calls.GET_UNDOABLE)

    async def recap(self, language: Language = "en", zone: str = "UTC") -> str:
        """Tell the evening as the token's viewer may see it, as a whole page in HTML.

        Args:
            language: `en` or `de`.
            zone: Time zone of the times, as the IANA database names it: `Europe/Berlin`.
        """
        query = {"lang": language, "zone": zone}
        return await self._text(calls.GET_RECAP, query=query, timeout_s=RECAP_TIMEOUT_S)

    async def share_recap(self) -> RecapGrant:
        """Make a link to a recap of what everyone saw until now, which `read_recap` and browsers open.

        Whoever has it reads that, and nothing else. Only a gm may.
        """
        return await self._ask(calls.SHARE_RECAP)

    async def recaps(self) -> tuple[SharedRecap, ...]:
        """List the recaps that links were made for, but never the links. Only a gm may."""
        return await self._ask(calls.LIST_RECAPS)

    async def withdraw_recap(self, recap_id: TokenId) -> None:
        """Make a link to a recap worthless; `recap_id` is from `recaps`. Only a gm may."""
        await self._ask(calls.WITHDRAW_RECAP, recap_id=recap_id)

    async def revoke(self, token_id: TokenId) -> None:
        """Make a token worthless, and close its connections; `token_id` is from `tokens`. Only a gm may."""
        await self._ask(calls.REVOKE_TOKEN, token_id=token_id)

    async def view(self) -> View:
        """Return what the token's viewer sees now."""
        return read_view(await self._text(calls.GET_VIEW))

    async def send_command(
        self, command: CommandBase | Mapping[str, Any], idempotency_key: str | None = None
    ) -> Acknowledged:
        """Submit one command and wait until it is done. Raises Refused if the room says no.

        Args:
            command: A command of `dreadclock.wire`, or its JSON fields with their `type`.
            idempotency_key: A text of your own, at most 200 characters, with which the call may be repeated after a
                ConnectionEnded: the same key again is the same command, which is done once. None: a random one.
        """
        body = checked_command(command).model_dump_json(exclude_none=True)
        headers = {"Idempotency-Key": idempotency_key or uuid4().hex}
        for _ in range(PATIENCE):
            text = await self._text(calls.SEND_COMMAND, body, headers=headers)
            answer = read_command_answer(text)
            if isinstance(answer, CommandAnswer):
                count = sum(last - first + 1 for first, last in answer.events.values())
                records = in_order(answer.records)
                return Acknowledged(answer.n, answer.positions, records, complete=len(records) == count)
        raise ConnectionEnded(None, "the server does not know yet whether the command was done")

    async def log(self, public: int = 0, gm: int = 0) -> AsyncGenerator[Record, None]:
        """Yield the records after these numbers, in the order in which they were stored.

        Raises ProtocolViolation at one that is none, or is not the next of its channel. Who holds a head hashes on
        from it with `log_texts`.

        Args:
            public: Number of the last record known of the channel `public`; 0 yields all.
            gm: Number of the last record known of the channel `gm`; 0 yields all that the token may see.
        """
        last = {Channel.PUBLIC: public, Channel.GM: gm}
        async for text in self.log_texts(public, gm):
            record, _ = read_record(text)
            if record.seq != last[record.channel] + 1 or not is_canonical(text):
                raise ProtocolViolation(f"record {record.seq} of {record.channel} after {last[record.channel]}")
            last[record.channel] = record.seq
            yield record

    async def log_texts(self, public: int = 0, gm: int = 0) -> AsyncGenerator[str, None]:
        """Yield the records after the numbers `public` and `gm` in canonical text, unchecked. Raises Refused."""
        address = calls.GET_LOG.address(self.server, {"public": public, "gm": gm}, room=self.room_id)
        try:
            bearer = _bearer(self._link.token)
            async with _client(address, TIMEOUT_S) as client, _granted(client, address, bearer) as answer:
                async for text in _lines(answer):
                    yield text
        except httpx.HTTPError as error:
            raise ConnectionEnded(None, f"{self.server} cannot be reached: {error}") from error

    async def delete(self, title: str) -> None:
        """Delete the room with all its events, for ever; `title` must be its title. Only a gm may."""
        await self._ask(calls.DELETE_ROOM, query={"confirm": title})

    async def _ask(self, call: Call[Answer], body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        return await ask(call, self.server, self._link.token, body, room=self.room_id, **more)

    async def _text(self, call: Call[Any], body: str | None = None, **more: Any) -> str:
        return await ask_text(call, self.server, self._link.token, body, room=self.room_id, **more)


class OpenedRoom(RestRoom):
    """A room that was just opened, with its gm's seat, token and link in `gm`."""

    def __init__(self, server: str, opening: RoomOpening) -> None:
        super().__init__(server, opening.room_id, opening.gm.token)
        self.gm = opening.gm


async def ask(
    call: Call[Answer], server: str, token: str | None, body: Mapping[str, Any] | bytes | None = None, **more: Any
) -> Answer:
    """Make a call and return its answer as the model that the table of calls names.

    `body`: its fields, of which those that are None are left out. `more`: as for `ask_text`. Raises Refused,
    ConnectionEnded, and ProtocolViolation if the answer does not fit.
    """
    text = await ask_text(call, server, token, _checked(call.body, body) if isinstance(body, Mapping) else body, **more)
    return read_answer(_reader(call), text) if call.answer is not None else None  # type: ignore[return-value]


@cache
def _reader(call: Call[Answer]) -> TypeAdapter[Answer]:
    return TypeAdapter(call.answer)  # type: ignore[arg-type]


def _checked(shape: type[Model], fields: Mapping[str, Any]) -> str:
    """Write a body, checked as the server would. Raises Refused."""
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return shape.model_validate_json(to_json(given)).model_dump_json(exclude_none=True)
    except ValidationError as error:
        raise Refused(Code.BAD_REQUEST, problem=problem_of(error)) from error


async def ask_text(
    call: Call[Any],
    server: str,
    token: str | None,
    body: str | bytes | None = None,
    *,
    query: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = TIMEOUT_S,
    **path: str,
) -> str:
    """Make a call and return the answer's text. Calls again when the server said to come back later.

    `path`: the variable parts of the call's path. Raises Refused, or ConnectionEnded if there is no answer.
    """
    patience, address = Patience(), call.address(server, query, **path)
    sent = {"Content-Type": _CONTENT[type(body)]} if body is not None else {}
    sent |= {**_bearer(token), **(headers or {})}
    may_repeat = call.method in _HARMLESS_TWICE or "Idempotency-Key" in sent
    while True:
        answer = await _asked(call.method, address, timeout_s, content=body, headers=sent)
        if answer.is_success:
            return answer.text
        if not await patience.wait(answer.status_code, answer.headers, may_repeat=may_repeat):
            raise _refusal(answer)


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token is not None else {}


async def _asked(method: str, address: str, timeout_s: float, **request: Any) -> httpx.Response:
    try:
        async with _client(address, timeout_s) as client:
            return await client.request(method, address, **request)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise ConnectionEnded(None, f"{address} cannot be reached: {error}") from error
    except httpx.HTTPError as error:
        doubt = "" if method == "GET" else ": it may or may not have been done, so look before you send it again"
        raise ConnectionEnded(None, f"{address} gave no answer{doubt}") from error


@asynccontextmanager
async def _granted(
    client: httpx.AsyncClient, address: str, headers: Mapping[str, str]
) -> AsyncIterator[httpx.Response]:
    """Ask until there is an answer to be read piece by piece. Raises Refused."""
    patience = Patience()
    while True:
        async with client.stream("GET", address, headers=headers) as answer:
            if answer.is_success:
                yield answer
                return
            await answer.aread()
        if not await patience.wait(answer.status_code, answer.headers, may_repeat=True):
            raise _refusal(answer)


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """Split an answer at line feeds and nothing else: a name may hold what other splitters take for a line's end."""
    rest = b""
    async for data in answer.aiter_bytes():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")


def _refusal(answer: httpx.Response) -> Exception:
    try:
        return read_refusal(answer.text)
    except ProtocolViolation:
        why = plain(answer.text)[:_LONGEST_WHY].strip() if _is_text(answer) else answer.reason_phrase
        return ProtocolViolation(f"{answer.url} answered {answer.status_code}: {why}")


def _is_text(answer: httpx.Response) -> bool:
    return str(answer.headers.get("Content-Type", "")).startswith("text/plain")


def _client(address: str, timeout_s: float) -> httpx.AsyncClient:
    """Make what asks a server: of this machine without the environment's proxies, which would see its keys."""
    return httpx.AsyncClient(timeout=timeout_s, verify=_trust(), trust_env=not is_this_machine(address))


@cache
def _trust() -> SSLContext:
    """Load the certificates that are trusted: slow, so only once."""
    return httpx.create_ssl_context()
