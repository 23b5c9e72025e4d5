"""`dreadclock verify`: check an export offline.

This command checks the log and the dice. If dreadclock-server is installed, its
`dreadclock_server.tools.verify` replaces this command and also checks the rules.

A roll is proven by a key of the server and a token of the roller. A witness is another seat whose token influenced the
roll.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from dreadclock.cli.exports import EXPORT, content
from dreadclock.cli.installed import install_command
from dreadclock.dice.audit import Fault, NotedHead, Report, RollReport, Standing, audit
from dreadclock.wire.base import Channel
from dreadclock.wire.plain import count, finished, plain

FAULTY = 1
_SHOWN = 20  # how many faults, and records per seat, are listed; the rest are counted


def command(check: Callable[[bytes, Sequence[NotedHead]], Report]) -> Callable[..., int]:
    """Return the command `verify` that uses the function `check`."""

    def verify(
        file: Annotated[Path, EXPORT],
        head: Annotated[
            list[str] | None,
            typer.Option(
                metavar="SEQ:HEAD",
                help="A head of the public log that somebody noted: 64 digits or six words. May be repeated.",
            ),
        ] = None,
        rolls: Annotated[bool, typer.Option("--rolls", help="Print each roll, and how far it is proven.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
    ) -> int:
        """Check an export: its log, its dice, and the rules.

        Prints whether a record was changed, whether every roll is proven, and whether the rules were kept. Checking
        the rules needs dreadclock-server. With --head (six words or a hash that you noted before), it also shows
        whether records at the end are missing or the log was replaced. The exit code is 0 if all checks pass, 1 if a
        check fails.

        \b
        dreadclock verify evening.jsonl --rolls --head "512:SIX WORDS"
        """
        report = check(content(file), _noted(head or ()))
        if as_json:
            typer.echo(json.dumps(_fields(report), indent=2))
        else:
            for line in (*(_rolls(report) if rolls else ()), *sentences(report)):
                typer.echo(line)
        return 0 if report.sound else FAULTY

    return verify


verify: Callable[..., int] = command(audit)


def _noted(heads: Sequence[str]) -> list[NotedHead]:
    try:
        return [NotedHead.read(text) for text in heads]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--head") from None


def sentences(report: Report) -> Iterator[str]:
    """Yield the sentences of a report."""
    if report.sound:
        yield f"Every one of {report.records} records holds."
    else:
        yield from _faults(report.faults)
    if report.unjudged:
        yield (
            f"{count(report.unjudged, 'record', 'records')} came about by another edition of the rules: "
            "chain and dice were checked of those, whether the rules were kept was not."
        )
    if report.rolls:
        yield from _dice(report)
    if report.header is not None and Channel.GM not in report.header.channels:
        yield "What only the gm saw is not in this file."
    yield from report.remarks
    end = report.positions.get(Channel.PUBLIC)
    if end is not None:
        yield f"Record {end.seq} of the public log reads: {' '.join(report.words)}"
    if report.rules is None:
        yield f"The rules were not checked. {install_command('dreadclock-server')} adds that."


def _faults(faults: Sequence[Fault]) -> Iterator[str]:
    yield f"This does not hold: {count(len(faults), 'fault', 'faults')}. The first is at {finished(str(faults[0]))}"
    for fault in faults[1:_SHOWN]:
        yield f"  {finished(str(fault))}"
    if len(faults) > _SHOWN:
        yield f"  and {len(faults) - _SHOWN} more."


_SAID = {
    Standing.PROVEN: "{} proven",
    Standing.NO_TOKEN: "{} without a token of the roller's, so that the server alone knew their faces ahead",
    Standing.PHYSICAL: "{} of physical dice, which rest on somebody's word",
    Standing.HIDDEN: "{} sealed and not yet revealed",
    Standing.UNCOMMITTED: "{} of what only the gm knew, with nothing published before",
}


def _dice(report: Report) -> Iterator[str]:
    counts = report.counts
    parts = [_SAID[standing].format(number) for standing, number in counts.items() if number]
    yield f"{count(len(report.rolls), 'roll', 'rolls')}: {'; '.join(parts)}."
    alone = sum(roll.standing is Standing.PROVEN and roll.witnesses == 0 for roll in report.rolls)
    if alone:
        yield f"Of those proven, {alone} had no witness: server and roller together could have chosen them."
    yield from _unvouched(report)


def _unvouched(report: Report) -> Iterator[str]:
    """Yield sentences about the rolls that have neither a token nor a witness, seat by seat."""
    by_seat = report.unvouched
    alone = sum(map(len, by_seat.values()))
    if not alone:
        return
    yield (
        f"Nobody can vouch for {count(alone, 'roll', 'rolls')}: without a token and without a witness, "
        "the server alone could have chosen the faces, and rolled when nobody asked. Ask the players at these seats:"
    )
    for seat, rolls in by_seat.items():
        seqs = list(dict.fromkeys(str(roll.seq) for roll in rolls))
        more = f" and {len(seqs) - _SHOWN} more" if len(seqs) > _SHOWN else ""
        label = "record" if len(seqs) == 1 else "records"
        yield f"  {plain(seat)}: {count(len(rolls), 'roll', 'rolls')}, {label} {', '.join(seqs[:_SHOWN])}{more}"


def _rolls(report: Report) -> Iterator[str]:
    for roll in report.rolls:
        place = f"{roll.channel} {roll.seq}" + (f", {plain(roll.lane)}" if roll.lane else "")
        slot = f" roll {roll.n}" if roll.n is not None else ""
        faces = f": {' '.join(map(str, roll.faces))}" if roll.faces else ""
        yield f"{place}{slot}{faces} - {_standing(roll)}"


def _standing(roll: RollReport) -> str:
    match roll.standing:
        case Standing.PHYSICAL:
            return "physical dice"
        case Standing.HIDDEN:
            return "sealed, and not revealed"
        case Standing.UNCOMMITTED:
            return "uncommitted: only the gm knew of it, and nothing was published before"
        case Standing.NO_TOKEN:
            alone = "" if roll.witnesses else ", and with no witness could have chosen it"
            return f"no token: the server alone knew it ahead{alone}{_witnessed(roll.witnesses)}"
    if roll.witnesses:
        return f"proven{_witnessed(roll.witnesses)}"
    return "proven, with no witness: server and roller together could have chosen it"


def _witnessed(witnesses: int) -> str:
    return f", with {count(witnesses, 'witness', 'witnesses')}" if witnesses else ""


def _fields(report: Report) -> dict[str, Any]:
    return {
        "sound": report.sound,
        "rules": report.rules is not None,
        "records": report.records,
        "unjudged": report.unjudged,
        "remarks": list(report.remarks),
        "room": report.header.room if report.header else None,
        "log_id": report.header.log_id if report.header else None,
        "heads": {channel: head.model_dump() for channel, head in report.positions.items()},
        "words": report.words,
        "faults": [asdict(fault) for fault in report.faults],
        "rolls": [asdict(roll) for roll in report.rolls],
        "unvouched": {seat: [roll.seq for roll in rolls] for seat, rolls in report.unvouched.items()},
    }
