"""Rooms in the store."""

import pytest

from dreadclock_server.store.valkey import ValkeyStore
from kit.nodes import opened


@pytest.fixture
async def room_id(store: ValkeyStore) -> str:
    """A room with its gm and Ann."""
    return await opened(store)
