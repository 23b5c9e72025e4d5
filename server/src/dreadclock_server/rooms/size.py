"""How large a room's log is, and how large it may become."""

from dataclasses import dataclass

from dreadclock.wire.base import Role
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import No
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.store.base import Trouble

_KEPT_FOR_GM = 16  # of so many parts of a room one: in it the gm can end what is under way, and close the room


@dataclass(slots=True)
class Size:
    """The bytes of a room's log, as last heard from the store, and the most that it may have: None is no limit."""

    log_bytes: int = 0
    limit_bytes: int | None = None

    def refusal(self, by: Actor) -> No | None:
        """Return why nothing more of this seat's is taken; None if it is."""
        if self.limit_bytes is None:
            return None
        kept = 0 if by.role is Role.GM else self.limit_bytes // _KEPT_FOR_GM
        return unavailable(Trouble.ROOM_FULL) if self.log_bytes >= self.limit_bytes - kept else None
