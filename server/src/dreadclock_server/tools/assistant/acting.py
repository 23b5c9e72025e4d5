"""The tools for commands: a tool for every command that the seat may send, made from the command's model."""

import asyncio
import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from mcp_types import ToolAnnotations

from dreadclock.cli.send import sentences
from dreadclock.client.room import Room
from dreadclock.narration import Narrator
from dreadclock.wire import commands as c
from dreadclock.wire.base import Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.plain import plain
from dreadclock.wire.things import Seat
from dreadclock_server.tools.alarms import told_alarms
from dreadclock_server.tools.assistant.access import open_commands, tag
from dreadclock_server.tools.assistant.tools import Schema, Tool, schema_of, unsourced
from dreadclock_server.tools.words import words_of

ANSWER_WITHIN_S: Final = 30.0
# fields that are no arguments of a tool: the tool's name decides `type`, and the client library sets `dice`
_UNASKED: Final = frozenset(("type", "dice"))


def _tags(*models: type[c.CommandBase]) -> frozenset[str]:
    return frozenset(map(tag, models))


# Commands that add or continue something. All other commands are marked as destructive: they remove, overwrite, end or
# reveal something, or may hurt a character permanently. New commands count as destructive until they are listed here.
ADDS_OR_GOES_ON: Final = _tags(
    *(c.Narrate, c.AddCharacter, c.GiveState, c.MoveTrack, c.ReturnToPlay, c.RollDice),
    *(c.StartCountdown, c.RollCountdown, c.StabilizeCountdown, c.ResumeCountdown, c.ReplenishCountdown),
    *(c.EndTurn, c.EndRound, c.Travel, c.Rest, c.OpenScene, c.SetSceneAside, c.TakeUpScene),
    *(c.StartSituation, c.BeginSituation, c.IntroduceComplication, c.AddChallenge, c.AttemptEffort),
    *(c.StartClock, c.TickClock, c.EnlargeClock, c.AttachConsequence),
    *(c.ProposeCheck, c.AdjustCheck, c.HelpCheck, c.OpposeCheck, c.RollCheck, c.ProposeCost, c.AnswerCost),
    *(c.ProposeTotal, c.AdjustTotal, c.RollTotal, c.OfferPush),
)
# Idempotent commands: they set or end something, so a second call with the same arguments changes nothing.
SETS: Final = _tags(
    *(c.SetPolicy, c.RenameSeat, c.RemoveSeat, c.LendSeat, c.TakeBackSeat, c.CloseRoom, c.ReopenRoom),
    *(c.UpdateCharacter, c.DropState, c.SetTrack, c.DropTrack, c.SetEffects, c.Reveal, c.AmendCountdown),
    *(c.CancelCountdown, c.AmendClock, c.Cancel, c.EndScene, c.WithdrawCheck, c.WithdrawTotal, c.DetachConsequence),
)
_FIELDS: Final = {
    "note": "A short note that is shown with what happens, to everybody unless the command is about something hidden.",
    "faces": "Only what a person read from real dice, one for each die. Leave it out, and the server rolls.",
    "act_for": "The seat of the player who lent it, and in whose name this is done.",
    "id": "A new id of your choice, never used before; leave it out, and the server makes one.",
}


def acting_tools(room: Room, seat: Seat, narrator: Narrator) -> list[Tool]:
    """Make the tools for a seat's commands."""
    unasked = _UNASKED if Scope.ACT_FOR in seat.scopes else _UNASKED | {"act_for"}
    tools = []
    for name, model in open_commands(seat).items():
        schema = _explained(schema_of(model, without=unasked))
        run = partial(_act, room, narrator, name, frozenset(schema["properties"]))
        tools.append(Tool(name, _description(model), schema, _hints(name), run))
    return tools


def _explained(schema: Schema) -> Schema:
    """Add descriptions to the fields that all commands share."""
    properties = schema["properties"]
    for field in _FIELDS.keys() & properties.keys():
        properties[field]["description"] = _FIELDS[field]
    return schema


def _description(model: type[c.CommandBase]) -> str:
    rolls = " The server rolls the dice." if issubclass(model, c.RollingCommand) else ""
    return unsourced(inspect.getdoc(model) or "") + rolls


def _hints(name: str) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=name not in ADDS_OR_GOES_ON,
        idempotent_hint=name in SETS,
        open_world_hint=False,
    )


async def _act(
    room: Room, narrator: Narrator, name: str, field_names: frozenset[str], arguments: Mapping[str, Any]
) -> str:
    """Submit a command. Return its events as sentences, after any new alarms about the log or the dice.

    Raises TimeoutError if no answer comes in time, and Refused if a field is unknown or the server refuses.
    """
    given = {key: value for key, value in arguments.items() if value is not None}
    unknown = sorted(given.keys() - field_names)
    if unknown:
        raise Refused(Code.BAD_COMMAND, problem=f"{plain(unknown[0])[:40]}: there is no such field")
    before, alarms = room.view, len(room.alarms)
    async with asyncio.timeout(ANSWER_WITHIN_S):
        done = await room.submit({"type": name, **given})
    alarm_lines = [line.plain for line in told_alarms(room.alarms, alarms, words_of(narrator.language))]
    return "\n".join([*alarm_lines, *sentences(done, (room.view, before), narrator)])
