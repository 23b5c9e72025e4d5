"""Links as QR codes, read back by a small reader of its own."""

import asyncio
import threading

import httpx
import pytest

from dreadclock_server.gateway.rest import addresses, room_calls
from dreadclock_server.gateway.rest.addresses import rows_of
from dreadclock_server.gateway.rest.workers import MAX_WAITING
from dreadclock_server.settings.table import Settings
from kit.qr import read_qr
from kit.rooms import Table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until

LINK = "http://192.168.1.20:7717/r/wcz53j5tvtxiarmqdbbmlfd45u#PW57Cy85JXZj9TOV7iGQMQ"


@pytest.mark.parametrize("text", [LINK, "https://tables.example/play" + LINK[24:], "http://a/r/b#c", "x" * 170])
def test_a_code_says_the_link(text: str):
    rows = rows_of(text)

    assert rows is not None
    assert read_qr(rows) == text


def test_a_code_is_square_and_has_no_margin():
    rows = rows_of(LINK)

    assert rows is not None
    assert {len(row) for row in rows} == {len(rows)} == {37}
    assert rows[0].startswith("11111110")
    assert rows[-1].startswith("11111110")


def test_a_text_that_no_code_holds_has_none():
    assert rows_of("x" * 2_331) is not None
    assert rows_of("x" * 2_332) is None


async def test_an_invite_carries_its_link_as_a_code_if_asked(table: Table):
    with_code = await table.invite("phone", "player", qr=True)

    assert read_qr(tuple(with_code["qr"])) == with_code["link"]
    assert all("qr" not in grant for name, grant in table.grants.items() if name != "phone")
    assert "qr" not in await table.invite("laptop", "player", qr=False)


async def test_codes_are_drawn_in_threads_and_some_wait(table: Table, server: Server, monkeypatch: pytest.MonkeyPatch):
    threads, may_go_on = list[threading.Thread](), threading.Event()

    def drawn(text: str) -> tuple[str, ...] | None:
        threads.append(threading.current_thread())
        assert may_go_on.wait(20)
        return rows_of(text)

    for module in (addresses, room_calls):
        monkeypatch.setattr(module, "rows_of", drawn)
    async with in_process(server, Settings(limits=False)) as (_, here), table.http("gm", here) as http:

        async def ask(path: str, **body: object) -> httpx.Response:
            return await http.post(table.path(path), json=body)

        seats = len((await http.get(table.path())).json()["channels"]["public"]["seats"])
        asked = [asyncio.create_task(ask("/qr", link=LINK)) for _ in range(MAX_WAITING + 1)]
        await until(lambda: any(each.done() for each in asked), 20)
        refused = await ask("/invites", role="player", name="Late", qr=True)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert len((await http.get(table.path())).json()["channels"]["public"]["seats"]) == seats

        may_go_on.set()
        assert sorted([each.status_code for each in await asyncio.gather(*asked)]) == [200] * MAX_WAITING + [429]
        assert read_qr(tuple((await ask("/qr", link=LINK)).json()["qr"])) == LINK
        assert (await ask("/qr", link=LINK + "x" * 400)).status_code == 422
    assert threading.main_thread() not in threads
