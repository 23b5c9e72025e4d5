"""How large a room's log is, and how large it may become."""

from dataclasses import dataclass
from math import ceil

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import No

_KEPT_FOR_GM = 16  # of so many parts of a room one: in it the gm can end what is under way, and close the room
_MIB = 1024 * 1024


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
        most = self.limit_bytes - kept
        if self.log_bytes < most:
            return None
        refused = Refused(Code.TOO_MANY, limit=ceil(most / _MIB), what="MiB of events, all of which its gm can save")
        return No(refused.code, refused.details)
