"""The tools that answer from the rules alone: exact odds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from dreadclock.rules.check import Plan, plan
from dreadclock.rules.countdown import Speed
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_POOL
from dreadclock.rules.odds import (
    check_report,
    contest_report,
    countdown_report,
    push_report,
    race_report,
    read_fraction,
    total_report,
)
from dreadclock.wire.base import Faces, Model, Score
from dreadclock_server.tools.assistant.tools import Tool
from dreadclock_server.tools.questions import one_or_each

_LONGEST_FRACTION: Final = 24  # characters that are still of use to somebody
_ROLLS: Final = 12

Most = Annotated[int, Field(ge=1, le=MAX_POOL)]


class Dice(Model):
    """The dice of one who rolls."""

    dice: Score = Field(description="The score: dice before bonus and penalty.")
    bonus: Score = 0
    penalty: Score = 0
    venture: Annotated[int, Field(ge=0, le=3)] = Field(0, description="Level of a venture: highest dice taken away.")
    momentum: bool = Field(False, description="Each 1 is rolled again.")
    interference: bool = Field(False, description="A 6 adds no die.")

    @property
    def modifiers(self) -> dict[str, Any]:
        """All but the score, as the rules take it."""
        return self.model_dump(exclude={"dice", "helpers"})

    @property
    def plan(self) -> Plan:
        """The dice as they will be rolled."""
        return plan(self.dice, **self.modifiers)


Side = Annotated[tuple[Dice, ...], Field(min_length=1, max_length=MAX_CHARACTERS)]
Helpers = Annotated[tuple[Dice, ...], Field(max_length=MAX_CHARACTERS)]


class CheckOdds(Dice):
    """Tell how likely each outcome of a check is, and each highest die and margin."""

    helpers: Helpers = ()

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        return check_report(self.dice, **self.modifiers, helpers=[each.plan for each in self.helpers])


class ContestOdds(Model):
    """Tell how likely each side wins a contest, and what decides it."""

    acting: Side = Field(description="The leader of the acting side, and then its helpers.")
    opposing: Side = Field(description="The leader of the other side, and then its helpers.")
    reflex: Score | None = Field(None, description="Of the acting leader, for ties.")
    against_reflex: Score | None = None

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        acting, opposing = ([each.plan for each in side] for side in (self.acting, self.opposing))
        return contest_report(acting, opposing, (self.reflex, self.against_reflex))


class CountdownOdds(Model):
    """Tell how long a countdown lasts, roll by roll."""

    pool: Most = Field(description="Dice at the start.")
    speed: Speed = Field(Speed.SLOW, description="How fast dice leave.")
    stages: Annotated[tuple[Most, ...], Field(max_length=MAX_POOL)] = Field((), description="Dice left at a stage.")
    rolls: Most = Field(_ROLLS, description="How many rolls to look ahead.")

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        return countdown_report(self.pool, self.speed, stages=self.stages, rolls=self.rolls)


class TotalOdds(Model):
    """Tell what a total comes to, and how likely it reaches the number required."""

    dice: Most
    required: Annotated[int, Field(ge=1, le=99)] | None = None

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        return total_report(self.dice, required=self.required)


class PushOdds(Model):
    """Tell what one more die may bring to a total that missed: enough, more, or a crisis."""

    kept: Faces = Field(description="The dice that were kept.")
    required: Annotated[int, Field(ge=1, le=99)]

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        return push_report(self.kept, self.required)


Fractions = Annotated[tuple[str, ...], Field(min_length=1, max_length=MAX_POOL)]


class RaceOdds(Model):
    """Tell how likely a race is won before its threat runs out."""

    situation: Most = Field(description="Challenges to overcome.")
    threat: Most = Field(description="Points left on the threat clock.")
    chances: Fractions = Field(description="Chance of an effort, like 2/3 or 0.65: one for all, or one per challenge.")
    efforts: Annotated[tuple[Most, ...], Field(min_length=1, max_length=MAX_POOL)] = Field(
        (1,), description="Successes that a challenge needs: one for all, or one per challenge."
    )
    rounds_per_effort: str = Field("0", description="Rounds that end per effort, like 2 or 1/3.")

    def answer(self) -> Mapping[str, Any]:
        """Work it out."""
        chances = one_or_each([read_fraction(each) for each in self.chances])
        rounds = read_fraction(self.rounds_per_effort)
        needed = one_or_each(list(self.efforts))
        return race_report(self.situation, self.threat, chances, efforts=needed, rounds_per_effort=rounds)


QUESTIONS: Final[Mapping[str, type[Model]]] = {
    "odds_check": CheckOdds,
    "odds_contest": ContestOdds,
    "odds_countdown": CountdownOdds,
    "odds_total": TotalOdds,
    "odds_push": PushOdds,
    "odds_race": RaceOdds,
}


def odds_tools(reading: Callable[..., Tool]) -> list[Tool]:
    """Make the tools that tell odds; `reading` makes one of its name, its question and what answers that."""
    return [reading(name, question, _answered) for name, question in QUESTIONS.items()]


async def _answered(question: Any) -> str:
    """Answer a question beside all else that goes on. Raises ValueError where it has no answer, or too large a one."""
    return json.dumps(_short(await asyncio.to_thread(question.answer)), separators=(",", ":"))


def _short(part: Any) -> Any:
    """Write a chance as its exact fraction and the number, or as the number alone where the fraction is long."""
    if isinstance(part, list):
        return [_short(each) for each in part]
    if not isinstance(part, dict):
        return part
    if part.keys() == {"fraction", "decimal"}:
        number = f"{part['decimal']:.6g}"
        return f"{part['fraction']} = {number}" if len(part["fraction"]) <= _LONGEST_FRACTION else f"about {number}"
    return {key: _short(value) for key, value in part.items()}
