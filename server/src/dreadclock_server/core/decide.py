"""Decide what a command brings about. The only way in which anything happens in a room."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dreadclock.wire import commands as c
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Event
from dreadclock_server.core import (
    access,
    bargains,
    check_changes,
    check_rolls,
    checks,
    clocks,
    countdowns,
    crises,
    efforts,
    lanes,
    people,
    pushes,
    rolls,
    scenes,
    secrets,
    situations,
    total_rolls,
    totals,
    voids,
)
from dreadclock_server.core.continuing import Continue, continue_room
from dreadclock_server.core.draft import Actor, Dice, Draft
from dreadclock_server.core.noting import noted
from dreadclock_server.core.people import JoinSeat, Open
from dreadclock_server.core.room import Room, Written

Inner = Open | Continue | JoinSeat  # commands that REST gives, not the wire

_DECIDERS: Mapping[type, Callable[[Draft, Any], None]] = {
    Open: people.open_room,
    Continue: continue_room,
    JoinSeat: people.join_seat,
    c.SetPolicy: people.set_policy,
    c.RenameSeat: people.rename_seat,
    c.RemoveSeat: people.remove_seat,
    c.LeaveSeat: people.leave_seat,
    c.CloseRoom: people.close_room,
    c.VoidCommand: voids.void_command,
    c.AddCharacter: people.add_character,
    c.UpdateCharacter: people.update_character,
    c.RollDice: rolls.roll_dice,
    c.OpenLane: lanes.open_lane,
    c.Reveal: secrets.reveal,
    c.StartCountdown: countdowns.start_countdown,
    c.RollCountdown: countdowns.roll_countdown,
    c.StabilizeCountdown: countdowns.stabilize_countdown,
    c.ResumeCountdown: countdowns.resume_countdown,
    c.ReplenishCountdown: countdowns.replenish_countdown,
    c.CancelCountdown: countdowns.cancel_countdown,
    c.EndTurn: countdowns.end_turn,
    c.OpenScene: scenes.open_scene,
    c.Travel: scenes.travel,
    c.Rest: scenes.rest,
    c.EndScene: scenes.end_scene,
    c.StartSituation: situations.start_situation,
    c.AddChallenge: situations.add_challenge,
    c.OvercomeChallenge: situations.overcome_challenge,
    c.ResolveSituation: situations.resolve_situation,
    c.FailSituation: situations.fail_situation,
    c.EndRound: situations.end_round,
    c.IntroduceComplication: situations.introduce_complication,
    c.AttemptEffort: efforts.attempt_effort,
    c.RuleEffort: efforts.rule_effort,
    c.StartClock: clocks.start_clock,
    c.TickClock: clocks.tick_clock,
    c.AmendClock: clocks.amend_clock,
    c.Cancel: clocks.cancel,
    c.ProposeCheck: checks.propose_check,
    c.AdjustCheck: check_changes.adjust_check,
    c.HelpCheck: checks.help_check,
    c.OpposeCheck: checks.oppose_check,
    c.RollCheck: check_rolls.roll_check,
    c.WithdrawCheck: check_changes.withdraw_check,
    c.ChooseEffect: bargains.choose_effect,
    c.ProposeCost: bargains.propose_cost,
    c.AnswerCost: bargains.answer_cost,
    c.SettleFailure: bargains.settle_failure,
    c.ProposeTotal: totals.propose_total,
    c.AdjustTotal: totals.adjust_total,
    c.WithdrawTotal: totals.withdraw_total,
    c.SetRequired: total_rolls.set_required,
    c.RollTotal: total_rolls.roll_total,
    c.OfferPush: pushes.offer_push,
    c.PushLuck: pushes.push_luck,
    c.StopPushing: pushes.stop_pushing,
    c.DescribeCrisis: crises.describe_crisis,
}


class Decision(NamedTuple):
    """What a command brings about: the room after it, and its records in order."""

    room: Room
    written: list[Written]

    @property
    def events(self) -> list[Event]:
        """What happens, in order, over all channels."""
        return [each.event for each in self.written]


def decide(
    room: Room,
    command: c.Command | Inner,
    *,
    by: Actor,
    dice: Dice,
    now_ms: int,
    fresh: Callable[[], str],
) -> Decision:
    """Decide a command; no events means that there was nothing to do.

    `fresh` makes the random part of an id that must say nothing about other ids: 12 hex digits.
    Raises Refused if the rules, the room or the sender's role say no.
    """
    draft = Draft(room, by, dice, now_ms, fresh)
    if not isinstance(command, Inner):
        if by.seat_id not in room.view.seats:
            raise Refused(Code.NOT_ALLOWED, allowed="those at the table")
        access.check(draft, command)
    if room.view.public.closed:
        raise Refused(Code.ROOM_CLOSED)
    if isinstance(command, c.RollingCommand):
        lanes.take_token(draft, command)
    _DECIDERS[type(command)](draft, command)
    after, written = draft.finish(command)
    return Decision(noted(room, after, written), written)
