"""Where stories begin."""

from collections.abc import Callable
from typing import Any

from dreadclock.wire.base import Role
from dreadclock.wire.things import Policy
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat, Open
from kit.tables import GM
from kit.transcripts.host import Host, Recorder

ROLL: dict[str, Any] = {"type": "roll_dice", "pool": 3}
Story = Callable[[], Recorder]
STORIES: dict[str, Story] = {}  # by the name of their transcripts


def story(tell: Story) -> Story:
    """Note a story under its name."""
    STORIES[tell.__name__.replace("_", "-")] = tell
    return tell


def opened(host: Host) -> Host:
    """Open the room and seat Ann and Bo, before the client comes."""
    host.do(Open("The Sunken Chapel", Policy()), GM)
    host.do(JoinSeat(Role.PLAYER, "Ann"), GM)
    host.do(JoinSeat(Role.PLAYER, "Bo"), GM)
    host.do({"type": "set_policy", "physical_dice": "everyone", "check_approval": "open"}, GM)
    return host


def joined(about: str, viewer: Actor = GM) -> Recorder:
    """Start a transcript with a client that was shown the room."""
    recorder = Recorder(about, opened(Host(viewer)))
    recorder.join()
    return recorder
