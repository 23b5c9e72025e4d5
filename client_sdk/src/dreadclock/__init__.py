"""Dreadclock: tables that run on dice pools and clocks, from Python.

    import dreadclock

    opened = await dreadclock.open_room("http://127.0.0.1:7717", "The Sunken Chapel")
    async with dreadclock.connect(opened.gm.link) as room:
        await room.start_countdown("Fever", pool=6, id="fever")
        acknowledged = await room.roll_countdown("fever")
        print(acknowledged.events, room.view.countdowns["fever"].pool)

`dreadclock.sync` is the same for scripts and notebooks without asyncio, `dreadclock.rules` the rules and odds as
pure functions, `dreadclock.wire` the messages. What is not used is not imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreadclock import rules, sync, wire
    from dreadclock.client.connection import Backoff
    from dreadclock.client.knocking import Knocker, knock
    from dreadclock.client.links import Link, parse_link
    from dreadclock.client.outcomes import Acknowledged, ViewReplaced
    from dreadclock.client.rest import OpenedRoom, RestRoom, import_room, open_room
    from dreadclock.client.room import Room, connect
    from dreadclock.client.streams import FellBehind
    from dreadclock.client.trust.alarms import LogAlarm, RollAlarm
    from dreadclock.client.trust.dice_secrets import DiceSecrets
    from dreadclock.dice.verify import DiceAlarm
    from dreadclock.wire.errors import Code, ConnectionEnded, DreadclockError, ProtocolViolation, Refused

__all__ = [
    "Acknowledged",
    "Backoff",
    "Code",
    "ConnectionEnded",
    "DiceAlarm",
    "DiceSecrets",
    "DreadclockError",
    "FellBehind",
    "Knocker",
    "Link",
    "LogAlarm",
    "OpenedRoom",
    "ProtocolViolation",
    "Refused",
    "RestRoom",
    "RollAlarm",
    "Room",
    "ViewReplaced",
    "connect",
    "import_room",
    "knock",
    "open_room",
    "parse_link",
    "rules",
    "sync",
    "wire",
]

_HOMES = {
    "client.connection": ("Backoff",),
    "client.knocking": ("Knocker", "knock"),
    "client.links": ("Link", "parse_link"),
    "client.outcomes": ("Acknowledged", "ViewReplaced"),
    "client.rest": ("OpenedRoom", "RestRoom", "import_room", "open_room"),
    "client.room": ("Room", "connect"),
    "client.streams": ("FellBehind",),
    "client.trust.alarms": ("LogAlarm", "RollAlarm"),
    "client.trust.dice_secrets": ("DiceSecrets",),
    "dice.verify": ("DiceAlarm",),
    "wire.errors": ("Code", "ConnectionEnded", "DreadclockError", "ProtocolViolation", "Refused"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used."""
        if name in _HOME_OF:
            value = getattr(import_module(f"dreadclock.{_HOME_OF[name]}"), name)
        elif name in __all__:
            value = import_module(f"dreadclock.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
