"""Telling what happens without dice. Source: rules.md E8."""

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.commands import Narrate
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Deciders, Draft


def narrate(draft: Draft, command: Narrate) -> None:
    """Decide `narrate`; only the gm may tell something to herself."""
    if command.channel is not Channel.PUBLIC and draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    draft.emit(command.channel, e.Narrated(text=command.text, outcome=command.outcome))


DECIDE: Deciders = {
    Narrate: narrate,
}
