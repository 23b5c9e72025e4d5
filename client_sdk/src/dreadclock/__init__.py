"""Dreadclock: a client for role-playing games with dice pools and clocks, which a Dreadclock server runs.

    import dreadclock

    opened = await dreadclock.open_room("http://127.0.0.1:7717", "The Sunken Chapel")
    async with dreadclock.connect(opened.gm.link) as room:
        await room.start_countdown("Fever", pool=6, id="fever")
        acknowledged = await room.roll_countdown("fever")
        print(acknowledged.events, room.view.countdowns["fever"].pool)

`dreadclock.sync` offers the same without asyncio, for scripts and notebooks. `dreadclock.rules` has the rules and
odds as pure functions. `dreadclock.wire` has the messages between client and server. Names are imported on first use.
`__init__.pyi` has their types.
"""

from importlib import import_module

from dreadclock.gc_pause import gc_paused

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
_MODULES = ("rules", "sync", "wire")
__all__ = sorted([*_HOME_OF, *_MODULES])


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with gc_paused():
        module = import_module(f"dreadclock.{_HOME_OF.get(name, name)}")
    value = globals()[name] = getattr(module, name) if name in _HOME_OF else module
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
