"""The messages that client and server share: commands, events, views and frames.

Every command, event and thing can be imported from here: `from dreadclock.wire import ClockTicked, TickClock, Clock`.
A model is imported on first use. The names are in `__init__.pyi`.
"""

from importlib import import_module


def __getattr__(name: str) -> object:
    """Import a model on first use. Names in lower case are modules of this package."""
    for home in ("events", "commands", "things") if name[:1].isupper() else ():
        members = vars(import_module(f"dreadclock.wire.{home}"))
        if name in members:
            globals()[name] = members[name]
            return members[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
