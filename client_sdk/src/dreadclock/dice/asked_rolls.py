"""Check that the server rolled what a client's command asked for.

A slot is the n-th roll of a lane, which is a series of rolls fixed in advance. A command can name the slot to use.
"""

from collections.abc import Sequence

from dreadclock.dice.rolled import rolled
from dreadclock.rules.check import damage_plan, wanted
from dreadclock.rules.due import RollState, roll_state
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Visibility
from dreadclock.wire.fold import proof_of
from dreadclock.wire.records import Record
from dreadclock.wire.things import Countdown, CountdownStatus, SceneStatus
from dreadclock.wire.views import View


def rolls(record: Record) -> bool:
    """Tell whether a record has rolled dice, physical or the server's. A check of 0 dice has none."""
    roll = rolled(record.event)
    return roll is not None and bool(roll.faces)


def must_roll(command: c.CommandBase, view: View) -> bool:
    """Tell whether an applied command must have caused a public roll. Rolls of hidden things are not public."""
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


def is_rolled(command: c.CommandBase, record: Record) -> bool:
    """Tell whether a record is a roll of the thing that a command names. A check of 0 dice counts as a roll, too."""
    return (rolls(record) or isinstance(record.event, e.CheckRolled)) and is_about(command, record.event)


def is_left_out(command: c.CommandBase, records: Sequence[Record], before: View, after: View) -> bool:
    """Tell whether a command ended a turn or a round, but did not roll a countdown that was due and still is.

    `records`: the records of the command. The countdown must be due in both views: otherwise, a change by another seat
    after `before` could look like a mistake of the server.
    """
    end = next((record.event for record in reversed(records) if _is_end(command, record.event)), None)
    if not isinstance(end, e.TurnEnded | e.SceneTurnEnded | e.RoundEnded):
        return False
    rolled_now = {record.event.countdown_id for record in records if isinstance(record.event, e.CountdownRolled)}
    then, now = before.public.countdowns, after.public.countdowns
    return any(
        _is_due(before, then[countdown_id], end, before.turn) and _is_due(after, now[countdown_id], end, before.turn)
        for countdown_id in then.keys() & now.keys() - rolled_now
    )


def _is_end(command: c.CommandBase, event: e.Event) -> bool:
    """Tell whether an event ends the turn or round that a command ends."""
    match command, event:
        case c.EndTurn(scene_id=None), e.TurnEnded():
            return True
        case c.EndTurn(scene_id=ended), e.SceneTurnEnded(scene_id=scene_id):
            return ended == scene_id
        case c.EndRound(situation_id=ended), e.RoundEnded(situation_id=situation_id):
            return ended == situation_id
    return False


def _is_due(view: View, countdown: Countdown, end: e.TurnEnded | e.SceneTurnEnded | e.RoundEnded, turn: int) -> bool:
    """Tell whether, in this view, a countdown was due when a turn or round ended.

    It was not due if it was rolled in that turn or round, or later. A situation that has ended counts as open, because
    the end of its round may have ended it. `turn`: the room's turn before the command.
    """
    ended, number = _ended(end)
    if countdown.status is not CountdownStatus.RUNNING or (ended is not None and countdown.bound_id != ended):
        return False
    situation = view.public.situations.get(countdown.bound_id or "")
    scene = view.public.scenes.get(situation.scene_id if situation is not None else countdown.bound_id or "")
    state = roll_state(
        countdown.bound_to,
        goes_on=scene is not None and scene.status is SceneStatus.OPEN and not scene.aside,
        turn=max(turn if ended is not None else number, countdown.rolled_turn),
        period=max(number, countdown.rolled_period),
        rolled_turn=countdown.rolled_turn,
        rolled_period=countdown.rolled_period,
        at_turn_end=ended is None,
    )
    return state is RollState.DUE


def _ended(end: e.TurnEnded | e.SceneTurnEnded | e.RoundEnded) -> tuple[Id | None, int]:
    """Return the id of the scene or situation (None for the room's turn), and the number of the ended turn or round."""
    match end:
        case e.SceneTurnEnded():
            return end.scene_id, end.turn
        case e.RoundEnded():
            return end.situation_id, end.round
    return None, end.turn


def fits(command: c.CommandBase, record: Record) -> bool:
    """Tell whether a roll is of the thing that a command names, and uses the slot that the command names."""
    return is_about(command, record.event) and in_its_slot(command, record)


def in_its_slot(command: c.CommandBase, record: Record) -> bool:
    """Tell whether a roll uses the slot that the command names. If the command names none, any proof is right.

    True for faces that were typed in, and for commands that do not roll.
    """
    if not isinstance(command, c.RollingCommand) or _is_typed(command, record.event):
        return True
    proof = proof_of(record.event)
    if proof is None:
        return False
    return command.dice is None or (proof.lane, proof.n) == (command.dice.lane, command.dice.n)


def is_about(command: c.CommandBase, event: e.Event) -> bool:
    """Tell whether a roll is of the thing that a command names.

    If the command has typed-in faces, the roll must be physical and have these faces.
    """
    if isinstance(command, c.RollingCommand) and _is_typed(command, event):
        roll = rolled(event)
        return _is_named(command, event) and roll is not None and (roll.faces, roll.physical) == (command.faces, True)
    return _is_named(command, event)


def _is_typed(command: c.RollingCommand, event: e.Event) -> bool:
    """Tell whether a roll must have the typed-in faces.

    The server itself rolls to break ties and to repeat countdowns.
    """
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


def is_misplaced(command: c.CommandBase, event: e.Event, views: Sequence[View]) -> bool:
    """Tell whether the server chose a wrong scene for damage, although the command named none.

    The right place is the only open scene, or a situation in it, in at least one of these views. A cheating server
    could choose a scene in which sixes add dice. Source: rules.md C27.
    """
    if not isinstance(command, c.RollDice) or not isinstance(event, e.DiceRolled) or command.within_id is not None:
        return False
    place = event.roll.within_id
    return place is not None and not any(_is_only_scene(view, place) for view in views)


def _is_only_scene(view: View, place: Id) -> bool:
    situation = view.public.situations.get(place)
    scenes = [scene.id for scene in view.public.scenes.values() if scene.status is SceneStatus.OPEN]
    return scenes == [place if situation is None else situation.scene_id]


def _is_wanted(command: c.RollDice, event: e.DiceRolled) -> bool:
    roll = event.roll
    asked = (command.name, command.character_id, command.purpose, command.visibility)
    plan = damage_plan(command.pool + roll.paid, sixes_add=roll.added is not None)
    return (
        (roll.name, roll.character_id, roll.purpose, roll.visibility) == asked
        and command.id in (None, roll.id)
        and command.within_id in (None, roll.within_id)
        and len(roll.faces) == wanted(plan, roll.faces) == plan.dice + (roll.added or 0)
    )
