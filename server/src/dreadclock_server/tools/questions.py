"""What the commands that answer from the rules alone have in common: how they are asked, and how they refuse."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from dreadclock.rules.check import Plan, plan
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire.rest import OddsQuestion

Report = TypeVar("Report", bound=Mapping[str, Any])

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


def answer(as_json: bool, read: Callable[[], Report], *shows: Callable[[Console, Report], None]) -> None:
    """Answer a question with a report, as JSON or for a person; one that has no answer with its sentence and code 2."""
    try:
        report = read()
    except ValueError as refusal:
        typer.echo(str(refusal), err=True)
        raise typer.Exit(REFUSED) from None
    out = Console(highlight=False, markup=False)
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        for show in shows:
            show(out, report)


def asked(question: type[OddsQuestion], options: Mapping[str, Any]) -> Callable[[], Any]:
    """Return what answers a question that a command's options ask."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    return question(**{name: value for name, value in given.items() if name != "as_json" and value is not None}).report


def modifiers(options: Mapping[str, Any], side: str = "") -> dict[str, Any]:
    """Return what a command's options say of the dice of a side, besides its score; their names begin with `side`."""
    return {name: options[side + name] for name in ("bonus", "penalty", "venture", "momentum", "interference")}


def plan_of(options: Mapping[str, Any]) -> Plan:
    """Return the dice that a command's options ask for."""
    return plan(options["dice"], **modifiers(options))


def plan_against(options: Mapping[str, Any]) -> Plan:
    """Return the dice of the other side."""
    return plan(options["against"], **modifiers(options, "against_"))
