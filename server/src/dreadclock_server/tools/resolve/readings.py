"""What the faces of a check mean, alone and pooled with those of helpers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypedDict

from rich.console import Console

from dreadclock.rules.check import Outcome, Plan, grade, highest, margin, read
from dreadclock.rules.limits import MAX_ROLL_DICE
from dreadclock.rules.notation import read_faces, read_part
from dreadclock.wire.plain import count
from dreadclock_server.tools.resolve.steps import listed


class PartRead(TypedDict):
    """One person's dice of a check.

    `rerolled`: how many 1s were rolled again; `removed`: the dice that penalties and venture took;
    `capped`: whether the roll stopped growing at its cap.
    """

    dice: int
    faces: list[int]
    rerolled: int
    removed: list[int]
    remaining: list[int]
    outcome: str
    highest: int | None
    margin: int
    capped: bool


class CheckRead(TypedDict):
    """A check: the leader's dice and then the helpers', and what they are worth pooled.

    `fumbled`: whether any of these checks fumbled by itself, which gives interference to all in it.
    """

    parts: list[PartRead]
    remaining: list[int]
    outcome: str
    highest: int | None
    margin: int
    fumbled: bool


def read_check(leader: Plan, faces: str, joined: Sequence[str], side: str = "") -> CheckRead:
    """Read a check.

    `joined`: one text for each helper, her dice and her faces: "3-1:2,5". `side`: who is named in a refusal.
    Raises ValueError if something is not written like that, or faces are too few or too many.
    """
    with _naming(side):
        parts = [_read_part(leader, read_faces(faces))]
    for number, text in enumerate(joined, start=1):
        with _naming(f"{side}, helper {number}" if side else f"Helper {number}"):
            parts.append(_read_joined(text))
    pooled = [face for part in parts for face in part["remaining"]]
    return CheckRead(
        parts=parts,
        remaining=pooled,
        outcome=grade(pooled).value,
        highest=highest(pooled),
        margin=margin(pooled),
        fumbled=any(part["outcome"] == Outcome.FUMBLE for part in parts),
    )


def show_check(out: Console, check: CheckRead) -> None:
    """Tell a person what each of the dice did, and what comes of it."""
    for place, part in enumerate(check["parts"]):
        _show_part(out, part, f"Helper {place}: " if place else "")
    top = "without a die" if check["highest"] is None else f"with {check['highest']}"
    margin = "" if check["outcome"] == Outcome.FUMBLE else f", margin {check['margin']}"
    out.print(f"{'Together' if len(check['parts']) > 1 else 'Outcome'}: {check['outcome']} {top}{margin}.")


def show_gains(out: Console, check: CheckRead) -> None:
    """Tell a person what a triumph or a fumble brings."""
    if check["outcome"] == Outcome.TRIUMPH:
        out.print("A triumph gives momentum for the next check, unless a stunt is chosen at once.")
    if check["fumbled"]:
        whom = "everyone involved " if len(check["parts"]) > 1 else ""
        out.print(f"A fumble gives {whom}interference for the next check, unless another fumble effect is chosen.")


def _read_joined(text: str) -> PartRead:
    dice, colon, faces = text.partition(":")
    if not colon:
        raise ValueError(f"Write a helper's dice and faces like 3-1:2,5, not {text[:40]!r}.")
    return _read_part(read_part(dice), read_faces(faces))


@contextmanager
def _naming(who: str) -> Iterator[None]:
    """Say in a refusal whose dice are meant, if that is not plain."""
    try:
        yield
    except ValueError as refusal:
        raise ValueError(f"{who}: {refusal}" if who else str(refusal)) from None


def _read_part(plan: Plan, faces: Sequence[int]) -> PartRead:
    reading = read(plan, faces)
    taken = sorted((Counter(reading.faces) - Counter(reading.remaining)).elements(), reverse=True)
    removed = [face for face in taken if face > 1] if plan.rerolls and not reading.capped else taken[: plan.removed]
    return PartRead(
        dice=plan.dice,
        faces=list(reading.faces),
        rerolled=len(taken) - len(removed),
        removed=removed,
        remaining=list(reading.remaining),
        outcome=reading.outcome.value,
        highest=reading.highest,
        margin=reading.margin,
        capped=reading.capped,
    )


def _show_part(out: Console, part: PartRead, who: str) -> None:
    out.print(f"{who}Rolled with {count(part['dice'], 'die', 'dice')}: {listed(part['faces'])}.")
    if part["rerolled"]:
        out.print(f"Rolled again: {count(part['rerolled'], 'die that showed 1', 'dice that showed 1')}.")
    if part["removed"]:
        out.print(f"Taken away: {listed(part['removed'])}.")
    if part["capped"]:
        out.print(f"The roll stopped growing at {MAX_ROLL_DICE} dice.")
    out.print(f"Left: {listed(part['remaining'])}.")
