"""Points of a relay's code at which it dies of kill -9, once it has passed there so often.

`arm` is for the prelude of a `kit.relay.running.RelayProcess`.
"""

from random import Random

from kit.servers.crash_points import CrashPoint, wrap

_PLACES = {
    "connecting": "dreadclock_server.tools.relay.relay:Relay._connected",
    "beginning": "dreadclock_server.tools.relay.feed:Feed.resume",
    "reading": "dreadclock_server.tools.relay.feed:Feed.read",
    "taking": "dreadclock_server.tools.relay.webhook:Webhook._take",
    "keeping": "dreadclock_server.tools.relay.kept:Keeper.change",
    "drafting": "dreadclock_server.tools.relay.kept:drafted",
    "putting": "dreadclock_server.tools.relay.kept:put",
    "sending": "dreadclock_server.tools.relay.calls:Caller.send",
    "delivered": "dreadclock_server.tools.relay.webhook:Webhook._delivered",
    "putting off": "dreadclock_server.tools.relay.webhook:Webhook._put_off",
}
_ENDLESS = ("after connecting",)
_MOST_PASSES = {"connecting": 1, "beginning": 1}
POINTS = tuple(
    point for place in _PLACES for when in ("before", "after") if (point := f"{when} {place}") not in _ENDLESS
)


def crash_at(point: str, chance: Random) -> str:
    """Write the prelude of a relay that dies at a point, at one of the first times when it comes there."""
    passes = chance.randint(1, _MOST_PASSES.get(point.partition(" ")[2], 3))
    return f"from kit.relay.crash_points import arm\narm({point!r}, {passes})"


def arm(point: str, passes: int) -> None:
    """Let this process die at a point, when it comes there for the `passes`th time."""
    when, _, place = point.partition(" ")
    crash = CrashPoint(point, passes)
    crash.is_serving = True
    wrap(_PLACES[place], before=crash.passed if when == "before" else None, after=crash.passed)
