"""Knocking as the SDK does it: what it asks, and what it makes of the answers."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

import dreadclock
from dreadclock.client import knocking
from dreadclock.client.links import parse_address
from dreadclock.client.protocol import ClientProtocol
from dreadclock.client.rest import RestRoom
from dreadclock.wire.errors import Code, ConnectionEnded, Refused
from dreadclock.wire.frames import Knocks, WaitingKnock, frame_text
from dreadclock.wire.rest import Grant, Knocking, KnockState, KnockStatus
from kit.client_protocol import client
from kit.rooms import Table
from kit.servers.http_server import HttpServer
from kit.table import BOTH, ROOM, Log, welcome_to

KNOCK = "k" * 26
SAID = Knocking(knock=KNOCK, code="dalad-zihig", secret="hush", expires_s=300).model_dump_json()
GRANT = Grant(seat_id="player-4", token_id="abc", token="fresh", link=f"http://host/r/{ROOM}#fresh")
SEATED = KnockState(state=KnockStatus.SEATED, seat_id="player-4", role="player", grant=GRANT)  # type: ignore[arg-type]
PENDING = KnockState(state=KnockStatus.PENDING, expires_s=200)
ROW = WaitingKnock(knock=KNOCK, name="Ines", wants="player", code="dalad-zihig", expires_at=1)  # type: ignore[arg-type]


def text(state: KnockState) -> str:
    return state.model_dump_json(exclude_none=True)


@pytest.fixture
async def stub() -> AsyncIterator[HttpServer]:
    async with HttpServer() as stub:
        stub.answers.append((201, SAID))
        yield stub


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knocking, "PAUSE_S", 0.01)


async def test_who_is_let_in_has_the_link_and_says_that_it_arrived(stub: HttpServer) -> None:
    stub.answers += [(200, text(PENDING)), (200, text(SEATED)), (204, "")]

    knocker = await dreadclock.knock(f"{stub.url}/r/{ROOM}", "Ines", wants="spectator", client="A module")
    assert (knocker.code, 290 < knocker.left_s <= 300) == ("dalad-zihig", True)
    assert await knocker.wait() == GRANT

    posted, first, second, gone = stub.asked
    assert (posted.method, posted.target) == ("POST", f"/api/rooms/{ROOM}/knocks")
    assert "authorization" not in posted.headers
    assert json.loads(posted.body) == {"name": "Ines", "wants": "spectator", "client": "A module"}
    for asked in (first, second, gone):
        assert asked.headers["authorization"] == "Bearer hush"
        assert "hush" not in asked.target
    assert (first.method, first.target) == ("GET", f"/api/rooms/{ROOM}/knocks/{KNOCK}?wait_s=10")
    assert (gone.method, gone.target) == ("DELETE", f"/api/rooms/{ROOM}/knocks/{KNOCK}")


@pytest.mark.parametrize(
    ("state", "code"), [(KnockStatus.TURNED_AWAY, Code.TURNED_AWAY), (KnockStatus.EXPIRED, Code.KNOCK_EXPIRED)]
)
async def test_who_is_not_let_in_is_told_why(stub: HttpServer, state: KnockStatus, code: Code) -> None:
    stub.answers.append((200, text(KnockState(state=state))))
    knocker = await dreadclock.knock(f"{stub.url}/r/{ROOM}", "Ines")

    with pytest.raises(Refused) as refused:
        await knocker.wait()

    assert refused.value.code is code


async def test_a_seat_that_arrived_counts_even_if_nobody_hears_that_it_did(stub: HttpServer) -> None:
    stub.answers += [(200, text(SEATED)), (500, "out of order")]
    knocker = await dreadclock.knock(f"{stub.url}/r/{ROOM}", "Ines")

    assert await knocker.wait() == GRANT


async def test_an_absent_server_is_asked_until_the_knock_is_over(stub: HttpServer, monkeypatch: pytest.MonkeyPatch):
    knocker = await dreadclock.knock(f"{stub.url}/r/{ROOM}", "Ines")
    knocker._until_s = 0.0
    monkeypatch.setattr(knocking, "_LAST_WORD_S", 0.0)
    await stub.__aexit__()

    with pytest.raises(ConnectionEnded):
        await knocker.wait()


@pytest.mark.parametrize("name", ["", "I" * 65, "Ines\u202e", "I\nnes"])
async def test_a_name_that_no_server_takes_is_refused_before_anything_is_sent(stub: HttpServer, name: str) -> None:
    with pytest.raises(Refused):
        await dreadclock.knock(f"{stub.url}/r/{ROOM}", name)
    assert stub.asked == []


@pytest.mark.parametrize(
    "address", ["", "http://host", f"http://host/r/{ROOM}#token", "http://host/r/room", f"ftp://host/r/{ROOM}"]
)
def test_what_is_no_rooms_address_is_not_knocked_at(address: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        parse_address(address)
    assert "token" not in str(error.value)


def test_an_address_may_lie_under_a_path() -> None:
    assert parse_address(f"https://host/tables/r/{ROOM}/") == ("https://host/tables", ROOM)


async def test_a_gm_lists_and_answers(stub: HttpServer) -> None:
    stub.answers.clear()
    stub.answers += [(200, f"[{ROW.model_dump_json(exclude_none=True)}]"), (200, text(PENDING))]
    room = RestRoom(stub.url, ROOM, "secret")

    assert await room.knocks() == (ROW,)
    await room.answer_knock(KNOCK, accept=True, role="integration", scopes=["turns"], name="Ines")

    _, answered = stub.asked
    assert (answered.method, answered.target) == ("POST", f"/api/rooms/{ROOM}/knocks/{KNOCK}/answer")
    assert json.loads(answered.body) == {"accept": True, "role": "integration", "scopes": ["turns"], "name": "Ines"}
    with pytest.raises(Refused):
        await room.answer_knock(KNOCK, accept=True, role="gm")


def test_only_who_wants_to_hear_of_knocks_asks_for_them_and_keeps_the_latest() -> None:
    protocol, asking = client(), ClientProtocol(ROOM, "token", knocks=True)
    protocol.connect()
    asking.connect()
    (hello,), (asked,) = protocol.frames_to_send(), asking.frames_to_send()
    assert "knocks" not in hello
    assert '"knocks":true' in asked

    asking.receive(welcome_to(Log(*BOTH)))
    assert asking.receive(frame_text(Knocks(waiting=(ROW,)))) == []
    assert asking.knocks == (ROW,)
    assert asking.receive(frame_text(Knocks(waiting=()))) == []
    assert len(asking.knocks) == 0


async def test_a_knock_at_a_real_table_is_heard_answered_and_opened(table: Table) -> None:
    link = f"{table.server.url}/r/{table.id}#{table.token('gm')}"
    gm = RestRoom.of(link)
    async with dreadclock.connect(link, knocks=True) as room:
        knocker = await dreadclock.knock(f"{table.server.url}/r/{table.id}", "Ines")
        waiting = asyncio.create_task(knocker.wait())
        await room.wait_for(lambda view: bool(room.knocks), timeout_s=10)
        assert (room.knocks[0].name, room.knocks[0].code) == ("Ines", knocker.code)
        told = await gm.answer_knock(room.knocks[0].knock, accept=True)
        grant = await waiting
        await room.wait_for(lambda view: not room.knocks, timeout_s=10)
    assert grant.seat_id == told.seat_id
    async with dreadclock.connect(grant.link) as hers:
        assert (hers.seat, hers.role, hers.knocks) == (told.seat_id, "player", ())
