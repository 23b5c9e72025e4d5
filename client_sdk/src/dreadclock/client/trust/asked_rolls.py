"""What a command asks to be rolled, and whether a roll is what was asked for."""

from collections.abc import Sequence

from dreadclock.dice.rolled import rolled
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Visibility
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.things import BoundTo, CountdownStatus
from dreadclock.wire.views import View


def rolls(record: Record) -> bool:
    """Tell whether a record rolls dice, the server's or physical ones."""
    one = rolled(record.event)
    return one is not None and (bool(one.faces) or one.proof is not None)


def must_roll(command: c.CommandBase, view: View) -> bool:
    """Tell whether a roll that everyone sees must come of a command, if it is done; hidden things roll in secret."""
    match command:
        case c.RollDice():
            return command.visibility is Visibility.PUBLIC
        case c.RollCountdown():
            return command.countdown_id in view.public.countdowns
        case c.RollCheck():
            return command.check_id in view.public.checks
        case c.RollTotal() | c.PushLuck():
            return True
    return False


def is_left_out(command: c.CommandBase, records: Sequence[Record], before: View, after: View) -> bool:
    """Tell whether a turn or a round was ended without the roll of a countdown that was due in it, and still is."""
    known = [each for each in after.public.countdowns.values() if each.id in before.public.countdowns]
    running = [each for each in known if each.status is CountdownStatus.RUNNING]
    ended = [record.event for record in records if isinstance(record.event, e.TurnEnded | e.RoundEnded)]
    match command, ended[-1:]:
        case c.EndTurn(), [e.TurnEnded(turn=turn)]:
            return any(each.bound_to is BoundTo.TURN and each.rolled_turn < turn for each in running)
        case c.EndRound(), [e.RoundEnded(situation_id=situation_id, round=number)]:
            bound = [each for each in running if (each.bound_to, each.bound_id) == (BoundTo.ROUNDS, situation_id)]
            return any(each.rolled_period < number for each in bound)
    return False


def fits(command: c.CommandBase, record: Record) -> bool:
    """Tell whether a roll is what a command asked for, in its slot."""
    return is_about(command, record.event) and in_its_slot(command, record)


def in_its_slot(command: c.CommandBase, record: Record) -> bool:
    """Tell whether a roll is in the slot that the command named, or in any if it named none."""
    if not isinstance(command, c.RollingCommand) or _is_typed(command, record.event):
        return True
    proof = proof_of(record.event)
    if proof is None:
        return False
    return command.dice is None or (proof.lane, proof.n) == (command.dice.lane, command.dice.n)


def is_about(command: c.CommandBase, event: e.Event) -> bool:
    """Tell whether a roll is of what a command names, and shows the faces that were typed in, if any were."""
    if isinstance(command, c.RollingCommand) and _is_typed(command, event):
        one = rolled(event)
        return _is_named(command, event) and one is not None and (one.faces, one.physical) == (command.faces, True)
    return _is_named(command, event)


def _is_typed(command: c.RollingCommand, event: e.Event) -> bool:
    """Tell whether a command's own faces are those of a roll; what is dealt after it is always the server's."""
    return command.faces is not None and not isinstance(event, e.CheckResolved | e.CountdownRepeated)


def _is_named(command: c.CommandBase, event: e.Event) -> bool:
    match command, event:
        case c.RollDice(), e.DiceRolled():
            return _is_wanted(command, event)
        case c.RollCountdown(), e.CountdownRolled():
            return event.countdown_id == command.countdown_id
        case ((c.RollCountdown() | c.AmendCountdown()), e.CountdownRepeated()):
            return event.countdown_id == command.countdown_id
        case ((c.EndTurn() | c.EndRound()), (e.CountdownRolled() | e.CountdownRepeated())):
            return True
        case c.RollCheck(), e.CheckRolled():
            return event.check_id == command.check_id and command.character_id in (None, event.part.character_id)
        case ((c.RollCheck() | c.AdjustCheck()), e.CheckResolved()):
            return event.check_id == command.check_id
        case c.RollTotal(), e.TotalRolled():
            return event.total_id == command.total_id
        case c.PushLuck(), e.LuckPushed():
            return event.total_id == command.total_id
    return False


def _is_wanted(command: c.RollDice, event: e.DiceRolled) -> bool:
    roll = event.roll
    asked = (command.name, command.character_id, command.purpose, command.visibility)
    return (
        (roll.name, roll.character_id, roll.purpose, roll.visibility) == asked
        and command.id in (None, roll.id)
        and len(roll.faces) - roll.paid == command.pool
    )
