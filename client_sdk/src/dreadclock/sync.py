"""The client without asyncio, for scripts and notebooks. See `dreadclock.client.sync`."""

from dreadclock.client.sync import OpenedRoom, Room, connect, import_room, open_room

__all__ = ["OpenedRoom", "Room", "connect", "import_room", "open_room"]
