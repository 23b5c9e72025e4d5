"""REST calls: opening rooms, inviting people, and everything else that needs no websocket."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from ssl import SSLContext
from typing import Annotated, Any
from uuid import uuid4

import httpx
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from dreadclock.client.links import Link, is_this_machine, parse_link, parse_recap_link, server_address
from dreadclock.client.newer import read_message, read_record, read_refusal, read_view, record_of
from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.patience import Patience
from dreadclock.client.problems import checked_command
from dreadclock.wire import calls
from dreadclock.wire.base import DEFERRED, Channel, Id, Model, Role, RoomId, Scope
from dreadclock.wire.calls import Answer, Call
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import Code, ConnectionEnded, KeyRefused, ProtocolViolation, Refused
from dreadclock.wire.frames import KnockId, Pending, WaitingKnock
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

TIMEOUT_S = 15.0  # a server may wait up to 10 s for the outcome of a command
RECAP_TIMEOUT_S = 150.0  # recaps are made in another process, one after the other
PATIENCE = 3  # how many times a command with a pending outcome is sent

_LONGEST_WHY = 200  # characters of a reason
_HARMLESS_TWICE = ("GET", "DELETE")

_CONTENT = {str: "application/json", bytes: "application/jsonl"}
_COMMAND_ANSWER: TypeAdapter[CommandAnswer | Pending] = TypeAdapter(
    Annotated[CommandAnswer | Pending, Field(discriminator="type")], config=DEFERRED
)


async def open_room(
    server: str, title: str, policy: Policy | None = None, operator_key: str | None = None
) -> "OpenedRoom":
    """Open a room and return it with its gm's seat.

    Raises KeyRefused if the server needs its operator's key for this, and `operator_key` is missing or wrong. Raises
    Refused if the server refuses for another reason, ConnectionEnded if there is no answer, and ValueError if `server`
    is malformed.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        title: Name of the room, 1 to 64 characters.
        policy: The house rules. None: those of `Policy()`.
        operator_key: The operator's key, if the server has one. A server that was started with `--lan` keeps its key
            in the file `operator-key` of its data folder. None: the server has no key.
    """
    server = server_address(server)
    body = {"title": title, "policy": policy}
    return OpenedRoom(server, await _ask_with_key(calls.OPEN_ROOM, server, operator_key, body))


async def make_gm_link(server: str, room_id: RoomId, operator_key: str) -> Grant:
    """Make another link for the gm of a room, for example if the gm lost the link.

    `operator_key`: the server's key. If the server has no key: the secret in the file `links-key` of its data folder.
    Raises Refused if the key is wrong or there is no such room, and ConnectionEnded if there is no answer.
    """
    return await ask(calls.MAKE_GM_LINK, server_address(server), operator_key, room=room_id)


async def import_room(
    server: str, export: bytes, title: str | None = None, operator_key: str | None = None
) -> "OpenedRoom":
    """Open a room that continues an export, and return it with its gm's seat. All other seats need new links.

    Raises KeyRefused if the server needs its operator's key for this, and `operator_key` is missing or wrong. Raises
    Refused if the server refuses for another reason, ConnectionEnded if there is no answer, and ValueError if `server`
    is malformed.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        export: The log, as `RestRoom.log_texts` yields it, one record a line in UTF-8.
        title: Name of the new room, 1 to 64 characters. None: the title in the export.
        operator_key: The operator's key, if the server has one. A server that was started with `--lan` keeps its key
            in the file `operator-key` of its data folder. None: the server has no key.
    """
    server = server_address(server)
    query = {"title": title} if title is not None else None
    return OpenedRoom(server, await _ask_with_key(calls.IMPORT_ROOM, server, operator_key, export, query=query))


async def _ask_with_key(call: Call[Answer], *arguments: Any, **more: Any) -> Answer:
    """Make a REST call that needs the operator's key. Arguments: as for `ask`.

    Raises KeyRefused if the key is missing or wrong, and otherwise the errors of `ask`.
    """
    try:
        return await ask(call, *arguments, **more)
    except Refused as refused:
        if refused.code is not Code.UNAUTHORISED:
            raise
        raise KeyRefused from refused


async def read_recap(link: str, language: Language = "en", zone: str = "UTC") -> str:
    """Return the page of a shared recap.

    `language`: `en` or `de`. `zone`: the IANA time zone of the times. Raises Refused if the recap was withdrawn, and
    ValueError if the link is malformed.
    """
    parts = parse_recap_link(link)
    return await RestRoom(parts.server, parts.room, parts.token).recap(language, zone)


class RestRoom:
    """A room over REST, with the rights of a token. Raises ValueError if an argument is malformed.

    Each call raises Refused if the server refuses it, ConnectionEnded if there is no answer, and ProtocolViolation if
    the answer is malformed.

    Args:
        server: The server's address, such as `http://127.0.0.1:7717`.
        room_id: Id of the room, 26 characters.
        token: Token of a seat in the room.
    """

    def __init__(self, server: str, room_id: RoomId, token: str) -> None:
        self._link = Link(server, room_id, token)

    @classmethod
    def of(cls, link: str) -> "RestRoom":
        """Make a RestRoom from a `link`, `http://host:port/r/ROOM#TOKEN`. Raises ValueError if it is malformed."""
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
        """Make a seat with a token, or another token for an existing seat. Only a gm may do this.

        Args:
            role: Role of the new seat. For an existing seat: its role.
            name: Name of the seat, 1 to 64 characters. None: the role and a number, such as `Player 2`.
            scopes: What an integration may do beyond reading; empty for other roles.
            expires_s: Seconds until the token expires, at most 366 days. None: never.
            seat_id: Id of the existing seat. None: make a new seat.
            qr: Whether to return the link as a QR code, too.
        """
        fields = {"role": role, "name": name, "expires_s": expires_s, "seat_id": seat_id, "qr": qr or None}
        return await self._ask(calls.INVITE, {"scopes": tuple(scopes), **fields})

    async def knocks(self) -> tuple[WaitingKnock, ...]:
        """List the waiting knocks, the oldest first. Only a gm may do this."""
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
        """Answer a knock: give a seat, or turn the knocker away. Only a gm may do this.

        Repeating the same answer is harmless. Raises Refused if the knock has expired, or has another answer.

        Args:
            knock: Id of the knock, from `knocks`.
            accept: True: give a seat. False: turn the knocker away; leave out the other arguments.
            role: Role of the seat. None: the role of the knock.
            name: Name of the seat, 1 to 64 characters. None: the name in the knock.
            scopes: What an integration may do beyond reading; empty for other roles.
            seat_id: Id of an existing seat to give. None: make a new seat.
        """
        body = {"accept": accept, "role": role, "name": name, "scopes": tuple(scopes), "seat_id": seat_id}
        return await self._ask(calls.ANSWER_KNOCK, body, knock=knock)

    async def tokens(self) -> tuple[TokenInfo, ...]:
        """List the data of the room's tokens, without the secret tokens themselves. Only a gm may do this."""
        return await self._ask(calls.LIST_TOKENS)

    async def size(self) -> RoomSize:
        """Return the size of the room's log in bytes, and its limit. Only a gm may do this."""
        return await self._ask(calls.GET_SIZE)

    async def addresses(self) -> tuple[str, ...]:
        """List the addresses at which other devices may reach the server; empty if there are none.

        Only a gm may do this.
        """
        return (await self._ask(calls.GET_ADDRESSES)).addresses

    async def qr(self, link: str) -> tuple[str, ...] | None:
        """Draw a `link` as a QR code: rows of `0` (light) and `1` (dark); None if the link is too long.

        Only a gm may do this.
        """
        return (await self._ask(calls.DRAW_QR, {"link": link})).qr

    async def undoable(self) -> tuple[Undoable, ...]:
        """List the commands that the token's seat may undo now, the latest first."""
        return await self._ask(calls.GET_UNDOABLE)

    async def recap(self, language: Language = "en", zone: str = "UTC") -> str:
        """Return a recap of the evening as a complete HTML page, with what this token may see.

        Args:
            language: `en` or `de`.
            zone: IANA time zone of the times: `Europe/Berlin`.
        """
        query = {"lang": language, "zone": zone}
        return await self._text(calls.GET_RECAP, query=query, timeout_s=RECAP_TIMEOUT_S)

    async def share_recap(self) -> RecapGrant:
        """Make a link to a recap of what everyone saw until now. Browsers and `read_recap` open it.

        Whoever has the link may read this recap, and nothing else. Only a gm may do this.
        """
        return await self._ask(calls.SHARE_RECAP)

    async def recaps(self) -> tuple[SharedRecap, ...]:
        """List the shared recaps, without their links. Only a gm may do this."""
        return await self._ask(calls.LIST_RECAPS)

    async def withdraw_recap(self, recap_id: TokenId) -> None:
        """Revoke a link to a recap. `recap_id`: from `recaps`. Only a gm may do this."""
        await self._ask(calls.WITHDRAW_RECAP, recap_id=recap_id)

    async def revoke(self, token_id: TokenId) -> None:
        """Revoke a token, and close its connections.

        `token_id`: from `invite` or `RestRoom.tokens`. Only a gm may do this.
        """
        await self._ask(calls.REVOKE_TOKEN, token_id=token_id)

    async def view(self) -> View:
        """Return what the token's seat sees now."""
        return read_view(await self._text(calls.GET_VIEW))

    async def send_command(
        self, command: CommandBase | Mapping[str, Any], idempotency_key: str | None = None
    ) -> Acknowledged:
        """Submit a command and wait until it is applied.

        Raises Refused if the room refuses the command, and ConnectionEnded if the outcome stays unknown.

        Args:
            command: A command of `dreadclock.wire`, or its JSON fields with their `type`.
            idempotency_key: A text of your choice, at most 200 characters. After a ConnectionEnded, repeat the call
                with the same key: the command is then applied once. None: a random key.
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
        raise ConnectionEnded(None, "the server does not know yet whether the command was applied")

    async def log(self, public: int = 0, gm: int = 0) -> AsyncGenerator[Record, None]:
        """Yield the records after the numbers `public` and `gm`, in the order in which they were stored.

        Raises ProtocolViolation at a record that is malformed, or not the next of its channel. To verify hashes, use
        `log_texts`.

        Args:
            public: Yield records of the channel `public` after this number; 0: all.
            gm: Yield records of the channel `gm` after this number, if the token may see them; 0: all.
        """
        last = {Channel.PUBLIC: public, Channel.GM: gm}
        async for text in self.log_texts(public, gm):
            record, _ = read_record(text)
            if record.seq != last[record.channel] + 1 or not is_canonical(text):
                raise ProtocolViolation(f"record {record.seq} of {record.channel} after {last[record.channel]}")
            last[record.channel] = record.seq
            yield record

    async def log_texts(self, public: int = 0, gm: int = 0) -> AsyncGenerator[str, None]:
        """Yield the records after the numbers `public` and `gm` in canonical text, unchecked."""
        query = {"public": public, "gm": gm}
        async with _answer(calls.GET_LOG, self.server, self._link.token, query=query, room=self.room_id) as answer:
            async for text in _lines(answer):
                yield text

    async def delete(self, title: str) -> None:
        """Delete the room with all its events, for ever; `title` must be its title. Only a gm may do this."""
        await self._ask(calls.DELETE_ROOM, query={"confirm": title})

    async def _ask(self, call: Call[Answer], body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        return await ask(call, self.server, self._link.token, body, room=self.room_id, **more)

    async def _text(self, call: Call[Any], body: str | None = None, **more: Any) -> str:
        return await ask_text(call, self.server, self._link.token, body, room=self.room_id, **more)


class OpenedRoom(RestRoom):
    """A new room. `gm`: the gm's seat, token and link."""

    def __init__(self, server: str, opening: RoomOpening) -> None:
        super().__init__(server, opening.room_id, opening.gm.token)
        self.gm = opening.gm


async def ask(
    call: Call[Answer], server: str, token: str | None, body: Mapping[str, Any] | bytes | None = None, **more: Any
) -> Answer:
    """Make a REST call and return its answer, of the type `call.answer`.

    `body`: the body, or its fields; fields that are None are left out. `more`: `query`, `headers`, `timeout_s` and the
    variable parts of the path. Raises Refused if the body is invalid or the server refuses, ConnectionEnded if there is
    no answer, and ProtocolViolation if the answer is malformed.
    """
    text = await ask_text(call, server, token, _checked(call.body, body) if isinstance(body, Mapping) else body, **more)
    return read_answer(_reader(call), text) if call.answer is not None else None  # type: ignore[return-value]


@cache
def _reader(call: Call[Answer]) -> TypeAdapter[Answer]:
    return TypeAdapter(call.answer)  # type: ignore[arg-type]


def _checked(shape: type[Model], fields: Mapping[str, Any]) -> str:
    """Validate a body as the server does, and return it as JSON. Raises Refused(bad_request) if it is invalid."""
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return shape.model_validate_json(to_json(given)).model_dump_json(exclude_none=True)
    except ValidationError as error:
        raise Refused(Code.BAD_REQUEST, problem=problem_of(error)) from error


async def ask_text(call: Call[Any], *arguments: Any, **more: Any) -> str:
    """Make a REST call and return the answer's text. Arguments and errors: as for `_answer`."""
    async with _answer(call, *arguments, **more) as answer:
        await answer.aread()
        return answer.text


@asynccontextmanager
async def _answer(
    call: Call[Any],
    server: str,
    token: str | None,
    body: str | bytes | None = None,
    *,
    query: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = TIMEOUT_S,
    **path: str,
) -> AsyncIterator[httpx.Response]:
    """Make a REST call and yield the answer. Its body must be read in the block. Retries if the server asks for it.

    `path`: the variable parts of the call's path. Raises Refused if the server refuses, ConnectionEnded if there is no
    answer, and ProtocolViolation for an error that is no refusal.
    """
    patience, address = Patience(), call.address(server, query, **path)
    sent = {"Content-Type": _CONTENT[type(body)]} if body is not None else {}
    sent |= {"Authorization": f"Bearer {token}"} if token is not None else {}
    sent |= headers or {}
    may_repeat = call.method in _HARMLESS_TWICE or "Idempotency-Key" in sent
    try:
        while True:
            async with (
                _client(address, timeout_s) as client,
                client.stream(call.method, address, content=body, headers=sent) as answer,
            ):
                if answer.is_success:
                    yield answer
                    return
                await answer.aread()
            if not await patience.wait(answer.status_code, answer.headers, may_repeat=may_repeat):
                raise _refusal(answer)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise ConnectionEnded(None, f"{address} cannot be reached: {error}") from error
    except httpx.HTTPError as error:
        cause = str(error) or type(error).__name__
        doubt = "it may or may not have been done, so look before you send it again"
        what = cause if call.method == "GET" else doubt
        raise ConnectionEnded(None, f"{address} gave no answer: {what}") from error


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """Split an answer at line feeds only. Other splitters would also split at characters that names may contain."""
    rest = b""
    async for data in answer.aiter_bytes():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")


def _refusal(answer: httpx.Response) -> Exception:
    try:
        return read_refusal(answer.text)
    except ProtocolViolation:
        is_text = answer.headers.get("Content-Type", "").startswith("text/plain")
        why = plain(answer.text)[:_LONGEST_WHY].strip() if is_text else answer.reason_phrase
        return ProtocolViolation(f"{answer.url} answered {answer.status_code}: {why}")


def _client(address: str, timeout_s: float) -> httpx.AsyncClient:
    """Return an HTTP client. For a server on this machine, it uses no proxy: a proxy would see tokens and keys."""
    return httpx.AsyncClient(timeout=timeout_s, verify=trusted(), trust_env=not is_this_machine(address))


@cache
def trusted() -> SSLContext:
    """Load the trusted certificates. The result is cached, because loading is slow."""
    return httpx.create_ssl_context()


# Answers, which may be newer than this client: see `newer`


def read_answer(shape: TypeAdapter[Answer], text: str) -> Answer:
    """Read an answer of type `shape`, and ignore unknown fields. Raises ProtocolViolation if it is malformed."""
    return read_message("an answer", text, shape.validate_json, lambda _: shape.validate_json(text, extra="ignore"))[0]


def read_command_answer(text: str) -> CommandAnswer | Pending:
    """Read the answer to a command that was sent by REST. Raises ProtocolViolation if it is malformed."""
    return read_message("an answer", text, _COMMAND_ANSWER.validate_json, _command_answer)[0]


def _command_answer(raw: dict[str, Any]) -> CommandAnswer | Pending:
    records = tuple(record_of(record) for record in raw.pop("records", ()))
    answer = _COMMAND_ANSWER.validate_json(json.dumps(raw), extra="ignore")
    return answer.model_copy(update={"records": records}) if isinstance(answer, CommandAnswer) else answer
