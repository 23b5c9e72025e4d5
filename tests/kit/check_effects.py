"""What checks bring to characters, for the tests of it."""

from typing import Any

from dreadclock.rules.check import Outcome
from dreadclock.wire.events import CheckRolled, EffectChosen, EffectsOffered
from dreadclock.wire.things import Choice, EffectKind, PartRoll
from kit.checks import (
    aid,
    propose,
    roll,
    seated,
)
from kit.tables import Table, loaded

FUMBLE, FAIL, SUCCESS, TRIUMPH = Outcome
SLIDE = Choice(check_id="feat", instead_of=EffectKind.MOMENTUM, offered=("slide",))
FALL = Choice(check_id="slip", instead_of=EffectKind.INTERFERENCE, offered=("fall",))
PLAIN_ROLL = {"type": "roll_dice", "pool": 1, "character_id": "han"}


def together(*, han: int = 1, chen: int = 1, **venture_of_chen: Any) -> Table:
    """Let Chen help Han."""
    table = seated()
    table.do(propose(score=han))
    table.do(aid("chen", chen, **venture_of_chen))
    return table


def finish(table: Table, han: tuple[int, ...], chen: tuple[int, ...]) -> list[Any]:
    """Roll both parts, and return what comes after the last roll."""
    table.do(roll("han"), dice=loaded(*han))
    return table.do(roll("chen"), dice=loaded(*chen))[1:]


def roll_of(events: list[Any]) -> PartRoll:
    [event] = [each for each in events if isinstance(each, CheckRolled)]
    assert event.part.roll is not None
    return event.part.roll


def offered(character: str, choice: Choice, *before: Choice) -> EffectsOffered:
    return EffectsOffered(character_id=character, choice=choice, choices=(*before, choice))


def chosen(effect: str, choice: Choice, left: tuple[Choice, ...] = (), character: str = "han") -> EffectChosen:
    return EffectChosen(character_id=character, check_id=choice.check_id, effect=effect, choices=left)


def holds(table: Table, character: str = "han") -> tuple[bool, bool]:
    one = table.view.characters[character]
    return one.momentum, one.interference
