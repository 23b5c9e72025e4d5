"""Taking back an earlier command after a slip of the hand. Source: rules.md E3."""

from collections.abc import Iterable

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import VoidCommand
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core import soundness
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.steps import STEPS_KEPT, Bar, Step

ROOMS_OWN = {"turn": "the turn", "policy": "what the house rules are"}


def void_command(draft: Draft, command: VoidCommand) -> None:
    """Decide `void_command`: what the command touched is as it was before, and all who heard of it hear of this.

    Of a sealed thing everyone hears only that it changed, as they did of the command.
    """
    step = _voidable(draft, command)
    for channel, told in step.told.items():
        if not told.only_hints:
            event = e.CommandVoided(
                first=told.first, last=told.last, what=told.what, reason=command.reason, restored=told.before
            )
            draft.emit(channel, event)
    for hint in step.hints:
        draft.emit(Channel.PUBLIC, hint)
    soundness.require(draft, command.seq)


def _voidable(draft: Draft, command: VoidCommand) -> Step:
    """Return the command that a record is of. Raises Refused if it cannot be taken back, or no longer."""
    steps = draft.room.steps
    if command.seq > draft.room.seq(command.channel):
        raise Refused(Code.UNKNOWN, kind="record", id=command.seq)
    for place, step in enumerate(steps):
        told = step.told.get(command.channel)
        if told is not None and told.first <= command.seq <= told.last:
            _require_untouched(step, steps[place + 1 :], command.seq)
            return step
    raise Refused(Code.LONG_AGO, limit=STEPS_KEPT, seq=command.seq)


def _require_untouched(step: Step, later: Iterable[Step], seq: int) -> None:
    bar = step.bar or (Bar.NOTHING if all(told.only_hints for told in step.told.values()) else None)
    if bar is not None:
        raise Refused(Code.CANNOT_BE_VOIDED, seq=seq, why=bar.value)
    touched = set(step.touched)
    for other in later:
        if not other.is_undone and (both := touched.intersection(other.touched)):
            raise Refused(Code.CHANGED_SINCE, seq=seq, id=_named(min(both)))


def _named(touched: str) -> str:
    """Name what was touched: by its id, if it has one."""
    _, *family, name = touched.split("/")
    return name if family else ROOMS_OWN[name]
