"""Where websockets are served, and where not."""

import pytest
from websockets.exceptions import InvalidStatus

from kit.raw import raw_client
from kit.rooms import Table


@pytest.mark.parametrize("path", ["", "/more", "/../../else"])
async def test_a_websocket_elsewhere_is_turned_away(table: Table, path: str):
    address = table.server.websocket_url + (table.id + path if path else "")
    with pytest.raises(InvalidStatus) as error:
        async with raw_client(address):
            pass
    assert error.value.response.status_code == 403
