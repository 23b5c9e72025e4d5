"""REST calls, as a server gets them, and what becomes of its answers."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.patience import PATIENT_TIMES
from dreadclock.client.rest import PATIENCE, OpenedRoom, RestRoom, open_room, read_recap
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.commands import RollDice
from dreadclock.wire.errors import Code, ConnectionEnded, ProtocolViolation, Refused
from dreadclock.wire.frames import Pending, RefusedFrame
from dreadclock.wire.rest import CommandAnswer, Grant, Problem, RecapGrant, RoomOpening, SharedRecap, TokenInfo
from dreadclock.wire.things import PhysicalDice, Policy
from kit.servers.http_server import HttpServer
from kit.table import BOTH, ROOM, Log, rolled

GRANT = Grant(seat_id="gm", token_id="abc", token="secret", link=f"http://host/r/{ROOM}#secret")
PENDING = Pending(n=1).model_dump_json()


@pytest.fixture
async def server() -> AsyncIterator[HttpServer]:
    async with HttpServer() as server:
        yield server


@pytest.fixture
def room(server: HttpServer) -> RestRoom:
    return RestRoom(server.url, ROOM, "secret")


def problem(refused: Refused) -> str:
    return Problem(
        type="urn:x", title="x", status=403, detail=refused.sentence, code=refused.code, details=refused.details
    ).model_dump_json()


async def test_opening_a_room_gives_its_gms_seat(server: HttpServer) -> None:
    server.answers.append((201, RoomOpening(room_id=ROOM, gm=GRANT).model_dump_json()))

    opened = await open_room(server.url + "/", "The Chapel", Policy(physical_dice=PhysicalDice.GM), operator_key="key")

    assert isinstance(opened, OpenedRoom)
    assert (opened.room_id, opened.gm, opened.server) == (ROOM, GRANT, server.url)
    (asked,) = server.asked
    assert (asked.method, asked.target, asked.headers["authorization"]) == ("POST", "/api/rooms", "Bearer key")
    policy = {
        "physical_dice": "gm",
        "check_approval": "gm",
        "player_countdowns": True,
        "care": "gm",
        "sheets": "gm",
        "specials": "one",
    }
    assert json.loads(asked.body) == {"title": "The Chapel", "policy": policy}


async def test_without_a_key_none_is_sent(server: HttpServer) -> None:
    server.answers.append((201, RoomOpening(room_id=ROOM, gm=GRANT).model_dump_json()))

    await open_room(server.url, "The Chapel")

    assert "authorization" not in server.asked[0].headers


async def test_a_link_is_enough_for_a_room(server: HttpServer) -> None:
    server.answers.append((200, Log(Channel.PUBLIC).view.model_dump_json()))

    await RestRoom.of(f"{server.url}/tables/r/{ROOM}#secret").view()

    assert server.asked[0].target == f"/tables/api/rooms/{ROOM}"
    assert server.asked[0].headers["authorization"] == "Bearer secret"


async def test_people_are_invited_and_shown_out(server: HttpServer, room: RestRoom) -> None:
    info = TokenInfo(token_id="abc", seat_id="gm", role=Role.GM, created_at=1)
    answers = [GRANT.model_dump_json(), GRANT.model_dump_json(), f"[{info.model_dump_json(exclude_none=True)}]", ""]
    server.answers.extend((200, answer) for answer in answers)

    assert await room.invite("player", "Ann") == GRANT
    assert await room.invite(Role.INTEGRATION, scopes=["turns", Scope.SECRETS], expires_s=60) == GRANT
    assert await room.tokens() == (info,)
    await room.revoke("abc")

    paths = [("POST", "/invites"), ("POST", "/invites"), ("GET", "/tokens"), ("DELETE", "/tokens/abc")]
    assert [(each.method, each.target) for each in server.asked] == [
        (method, f"/api/rooms/{ROOM}{path}") for method, path in paths
    ]
    assert json.loads(server.asked[0].body) == {"role": "player", "name": "Ann", "scopes": []}
    assert json.loads(server.asked[1].body) == {"role": "integration", "scopes": ["turns", "secrets"], "expires_s": 60}


async def test_recaps_are_shared_listed_read_and_withdrawn(server: HttpServer, room: RestRoom) -> None:
    info = SharedRecap(recap_id="abcdefgh", seq=7, created_at=5)
    grant = RecapGrant(**info.model_dump(), link=f"{server.url}/recap/{ROOM}#of-a-link")
    server.answers += [(201, grant.model_dump_json()), (200, f"[{info.model_dump_json()}]"), (200, "<p>a</p>")]
    server.answers += [(200, "<p>b</p>"), (204, "")]

    assert await room.share_recap() == grant
    assert await room.recaps() == (info,)
    assert await room.recap("de", "Europe/Berlin") == "<p>a</p>"
    assert await read_recap(grant.link) == "<p>b</p>"
    await room.withdraw_recap(info.recap_id)

    at = f"/api/rooms/{ROOM}/recap"
    assert [(each.method, each.target, each.headers["authorization"]) for each in server.asked] == [
        ("POST", f"{at}s", "Bearer secret"),
        ("GET", f"{at}s", "Bearer secret"),
        ("GET", f"{at}?lang=de&zone=Europe%2FBerlin", "Bearer secret"),
        ("GET", f"{at}?lang=en&zone=UTC", "Bearer of-a-link"),
        ("DELETE", f"{at}s/abcdefgh", "Bearer secret"),
    ]
    with pytest.raises(ValueError, match="looks like"):
        await read_recap(GRANT.link)


async def test_a_room_is_shown_and_deleted(server: HttpServer, room: RestRoom) -> None:
    log = Log(*BOTH)
    log.write(rolled())
    server.answers.extend([(200, log.view.model_dump_json(exclude_none=True)), (204, "")])

    assert await room.view() == log.view
    await room.delete("Rats & Wights")

    assert server.asked[1].target == f"/api/rooms/{ROOM}?confirm=Rats+%26+Wights"


async def test_a_command_is_sent_once_and_answered_like_on_a_websocket(server: HttpServer, room: RestRoom) -> None:
    log = Log(*BOTH)
    log.write(rolled(1), Channel.GM)
    log.write(rolled(2))
    answer = CommandAnswer(
        n=1,
        positions={Channel.PUBLIC: 1, Channel.GM: 1},
        events={Channel.PUBLIC: (1, 1), Channel.GM: (1, 1)},
        records=tuple(reversed(log.records)),
    )
    server.answers.append((200, answer.model_dump_json(exclude_none=True)))

    acknowledged = await room.send_command(RollDice(pool=2), "my-key")

    assert acknowledged == Acknowledged(1, {Channel.PUBLIC: 1, Channel.GM: 1}, tuple(log.records))
    (asked,) = server.asked
    assert asked.headers["idempotency-key"] == "my-key"
    roll = {"type": "roll_dice", "pool": 2, "purpose": "other", "action": False, "visibility": "public"}
    assert json.loads(asked.body) == roll


async def test_an_answer_without_all_its_records_says_so(server: HttpServer, room: RestRoom) -> None:
    answer = CommandAnswer(n=1, positions={Channel.PUBLIC: 1}, events={Channel.PUBLIC: (1, 1)})
    server.answers.append((200, answer.model_dump_json()))

    assert not (await room.send_command({"type": "roll_dice", "pool": 2})).complete


async def test_a_pending_command_is_asked_for_again_with_the_same_key(server: HttpServer, room: RestRoom) -> None:
    answer = CommandAnswer(n=1, positions={Channel.PUBLIC: 0}, events={})
    server.answers.extend([(202, PENDING), (200, answer.model_dump_json())])

    await room.send_command(RollDice(pool=2))

    first, second = server.asked
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert first.body == second.body


async def test_a_command_that_stays_pending_is_in_doubt(server: HttpServer, room: RestRoom) -> None:
    server.answers.extend([(202, PENDING)] * PATIENCE)

    with pytest.raises(ConnectionEnded):
        await room.send_command(RollDice(pool=2))


UNKNOWN = Refused(Code.UNKNOWN, kind="countdown", id="fever")


@pytest.mark.parametrize(
    "answer",
    [
        problem(UNKNOWN),
        RefusedFrame(n=1, code=UNKNOWN.code, sentence=UNKNOWN.sentence, details=UNKNOWN.details).model_dump_json(),
    ],
    ids=["as problem details", "as a frame"],
)
async def test_a_refusal_is_raised_with_its_numbers(server: HttpServer, room: RestRoom, answer: str) -> None:
    server.answers.append((404, answer))

    with pytest.raises(Refused) as refused:
        await room.send_command(RollDice(pool=2))

    assert (refused.value.code, refused.value.details) == (UNKNOWN.code, UNKNOWN.details)


Call = Callable[[RestRoom], Awaitable[object]]
BAD: dict[str, Call] = {
    "a pool of 61": lambda room: room.send_command({"type": "roll_dice", "pool": 61}),
    "no role": lambda room: room.invite("king"),
    "no scope": lambda room: room.invite("integration", scopes=["everything"]),
    "no time at all": lambda room: room.invite("player", expires_s=0),
    "no title": lambda room: open_room(room.server, ""),
}


@pytest.mark.parametrize("call", BAD.values(), ids=BAD.keys())
async def test_what_a_server_would_refuse_is_not_even_sent(server: HttpServer, room: RestRoom, call: Call) -> None:
    with pytest.raises(Refused) as refused:
        await call(room)

    assert refused.value.code in (Code.BAD_COMMAND, Code.BAD_REQUEST)
    assert server.asked == []


# Servers that ask for patience


BUSY = problem(Refused(Code.RATE_LIMITED, retry_ms=1, retry_s=0))
SILENT = problem(Refused(Code.UNAVAILABLE, why="The store cannot be reached right now"))


async def test_who_is_told_to_come_again_does_so_with_the_same_call(server: HttpServer, room: RestRoom) -> None:
    server.retry_after = "0"
    opening = RoomOpening(room_id=ROOM, gm=GRANT).model_dump_json()
    server.answers.extend([(429, BUSY), (429, BUSY), (201, opening), (429, BUSY), (200, "{}\n")])

    assert (await open_room(server.url, "The Chapel")).room_id == ROOM
    assert [text async for text in room.log_texts()] == ["{}"]
    assert len({(asked.method, asked.target, asked.body) for asked in server.asked[:3]}) == 1
    assert [asked.target for asked in server.asked[3:]] == [f"/api/rooms/{ROOM}/log?public=0&gm=0"] * 2


async def test_a_store_that_is_away_is_waited_for_where_the_call_does_no_harm_twice(server: HttpServer, room: RestRoom):
    server.retry_after = "0"
    done = CommandAnswer(n=1, positions={Channel.PUBLIC: 0}, events={}, records=()).model_dump_json()
    server.answers.extend([(503, SILENT), (200, "[]"), (503, SILENT), (200, done), (503, SILENT)])

    assert await room.tokens() == ()
    assert (await room.send_command(RollDice(pool=1))).n == 1
    with pytest.raises(Refused, match="The store cannot be reached"):
        await room.invite("player")
    assert len({asked.headers["idempotency-key"] for asked in server.asked[2:4]}) == 1
    assert len(server.asked) == 5


@pytest.mark.parametrize("told", ["31", "soon", "-1", "", "Wed, 21 Oct 2015 07:28:00 GMT"])
async def test_a_wait_that_is_long_or_unknown_is_the_callers_decision(server: HttpServer, room: RestRoom, told: str):
    server.retry_after = told
    server.answers.append((429, BUSY))

    with pytest.raises(Refused) as refused:
        await room.view()
    assert (refused.value.code, len(server.asked)) == (Code.RATE_LIMITED, 1)


async def test_patience_has_an_end(server: HttpServer, room: RestRoom) -> None:
    server.retry_after = "0"
    server.answers.extend([(429, BUSY)] * (PATIENT_TIMES + 2))

    with pytest.raises(Refused, match="Too much at once"):
        await room.view()
    assert len(server.asked) == PATIENT_TIMES + 1


@pytest.mark.parametrize(("status", "body"), [(502, "<html>"), (200, "<html>"), (200, "{}"), (404, "{}")])
async def test_an_answer_of_something_else_is_a_violation(server: HttpServer, room: RestRoom, status: int, body: str):
    server.answers.append((status, body))

    with pytest.raises(ProtocolViolation):
        await room.view()


async def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"

        with pytest.raises(ConnectionEnded, match=address):
            await open_room(address, "The Chapel")


async def hung_up_on(method: str) -> str:
    """Make a call to a server that takes it and hangs up, and return what the caller is told."""

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as gone:
        room = RestRoom(f"http://127.0.0.1:{gone.sockets[0].getsockname()[1]}", ROOM, "token")
        with pytest.raises(ConnectionEnded) as ended:
            await (room.view() if method == "GET" else room.invite("player"))
    return ended.value.reason


async def test_who_gets_no_answer_to_what_changes_something_is_told_that_it_may_have_been_done() -> None:
    assert (await hung_up_on("POST")).endswith(
        "/invites gave no answer: it may or may not have been done, so look before you send it again"
    )
    assert f"/{ROOM} gave no answer: Server disconnected" in await hung_up_on("GET")
