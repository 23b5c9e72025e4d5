"""What the commands that answer from the rules alone have in common: how they are asked, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, TypeVar

import typer
from rich.console import Console

from dreadclock.rules.limits import MAX_POOL

T = TypeVar("T")

REFUSED = 2

AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]

Dice = Annotated[int, typer.Option(help="The score: dice before bonus and penalty.")]
Bonus = Annotated[int, typer.Option(help="Dice that bonuses add.")]
Penalty = Annotated[int, typer.Option(help="Dice that penalties take away; they cancel with bonuses first.")]
Venture = Annotated[int, typer.Option(help="Level of a venture, 1 to 3: highest dice that are taken away.")]
Momentum = Annotated[bool, typer.Option("--momentum", help="Momentum is held: each 1 is rolled again.")]
Interference = Annotated[bool, typer.Option("--interference", help="Interference is held: a 6 adds no die.")]
Reflex = Annotated[int | None, typer.Option(min=0, max=MAX_POOL, help="Reflex, for ties; without it they are dealt.")]

Against = Annotated[int, typer.Option(help="The other side's score.")]
AgainstBonus = Annotated[int, typer.Option(help="Dice that bonuses add for the other side.")]
AgainstPenalty = Annotated[int, typer.Option(help="Dice that penalties take from the other side.")]
AgainstVenture = Annotated[int, typer.Option(help="Level of the other side's venture, 1 to 3.")]
AgainstMomentum = Annotated[bool, typer.Option("--against-momentum", help="The other side holds momentum.")]
AgainstInterference = Annotated[bool, typer.Option("--against-interference", help="The other side holds interference.")]
AgainstReflex = Annotated[int | None, typer.Option(min=0, max=MAX_POOL, help="The other side's reflex.")]


@contextmanager
def refusals() -> Iterator[None]:
    """Turn a question that cannot be answered into its sentence and exit code 2."""
    try:
        yield
    except ValueError as refusal:
        typer.echo(str(refusal), err=True)
        raise typer.Exit(REFUSED) from None


def one_or_each(given: list[T]) -> T | list[T]:
    """Return a single value as one for all, several as one for each."""
    return given[0] if len(given) == 1 else given


def write_json(report: Mapping[str, object]) -> None:
    """Write a report for a script."""
    typer.echo(json.dumps(report, indent=2))


def console() -> Console:
    """Return what a report for a person is written to."""
    return Console(highlight=False, markup=False)


def count(number: int, one: str, many: str) -> str:
    """Write a number with its noun."""
    return f"{number} {one if number == 1 else many}"
