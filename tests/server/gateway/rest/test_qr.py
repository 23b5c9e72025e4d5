"""Links as QR codes, read back by a small reader of its own."""

import pytest

from dreadclock_server.gateway.rest.qr import rows_of
from kit.qr import read_qr
from kit.rooms import Table

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
