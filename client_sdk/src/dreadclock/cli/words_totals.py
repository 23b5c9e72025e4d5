"""Totals, pushes and crises in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dreadclock.cli.words_base import EventWords, dice, shown
from dreadclock.rules.total import BOXES
from dreadclock.wire.base import Id
from dreadclock.wire.events import SecretSet, TotalAdjusted, TotalFailure, TotalProposed
from dreadclock.wire.things import Crisis, Push, Total, TotalStatus

SENTENCES: Final[Mapping[str, str]] = {
    "total_proposed": "{w.by} proposes {w.total}{w.against}: {w.made_of}{w.waits}",
    "total_adjusted": "{w.by} set {w.total} to {w.made_of}{w.waits}",
    "total_withdrawn": "{w.by} took {w.total} back",
    "required_set": "{w.by} requires {w.required} of {w.total}{w.measured}",
    "secret_set": "What {w.by} requires of {w.total} is {e.secret.required}",
    "required_revealed": "{w.by} reveals what is required of {w.total}: {e.required}",
    "total_rolled": "{w.by} rolled {w.total}{w.physically}: {w.faces}; {w.kept} kept, {e.total} in all{w.judged}",
    "push_offered": "{w.by} offers a push of {w.total} at the risk ({e.odds.crisis}) of {w.stake}",
    "luck_pushed": "{w.by} pushed {w.total} {w.pushed}",
    "total_succeeded": "Success: {w.total} reached its number",
    "total_failed": "Failure: {w.total} {w.total_ending}",
    "crisis_due": "{w.character} suffers a crisis, and the gm has yet to say of which kind",
    "crisis_suffered": "{w.character} suffers {w.crisis}",
    "crisis_described": "{w.by} tells what the {e.crisis.kind} crisis of {w.character} is: {e.crisis.description}",
    "character_died": "{w.character} dies of the third physical crisis",
    "character_retired": "{w.character} leaves play with the third mental crisis",
}

_ENDINGS: Final = {
    TotalFailure.STOPPED: "was left as it is",
    TotalFailure.CRISIS: "ended in a crisis",
}


class TotalWords(EventWords):
    """What the sentences say of totals, pushes and crises."""

    @property
    def total(self) -> str:
        total_id, one = self._found()
        if one is None:
            return f"the total {total_id}"
        purpose = f' ("{one.purpose}")' if one.purpose else ""
        return f"the total of {self._character(one.character_id)}{purpose}"

    def _found(self) -> tuple[Id, Total | None]:
        event = self._event
        if isinstance(event, TotalProposed | TotalAdjusted):
            return event.total.id, event.total
        total_id = event.secret.total_id if isinstance(event, SecretSet) else event.total_id
        return total_id, self._find("total", total_id)

    @property
    def against(self) -> str:
        challenge_id = self._event.total.effort
        return f' against "{self._name("challenge", challenge_id)}"' if challenge_id else ""

    @property
    def made_of(self) -> str:
        one: Total = self._event.total
        parts = [f"{one.attribute or 'score'} {one.score}"]
        parts += [f"{one.tool.name} {one.tool.quality}"] if one.tool else []
        parts += [f"{one.special.name} {one.special.dice}"] if one.special else []
        return f"{dice(one.pool)} ({', '.join(parts)})"

    @property
    def waits(self) -> str:
        return "; it waits for the gm" if self._event.total.status is TotalStatus.PROPOSED else ""

    @property
    def required(self) -> str:
        return "a number that only the gm knows" if self._event.secret else str(self._event.required)

    @property
    def judged(self) -> str:
        return _judged(self._event.enough)

    @property
    def measured(self) -> str:
        """How a total that was rolled before compares with the number."""
        return _judged(self._event.enough).replace(", ", ", which is ")

    @property
    def kept(self) -> str:
        return shown(self._event.kept)

    @property
    def stake(self) -> str:
        kind, description = self._event.crisis, self._event.description
        return (f"a {kind} crisis" if kind else "a crisis") + (f": {description}" if description else "")

    @property
    def pushed(self) -> str:
        push: Push = self._event.push
        how = " with a die of their own" if push.physical else ""
        if push.crisis:
            return f"too far{how}: {push.face} was kept already"
        return f"on{how}: {push.face} makes {push.total}{_judged(push.enough)}"

    @property
    def total_ending(self) -> str:
        return _ENDINGS[self._event.reason]

    @property
    def crisis(self) -> str:
        one: Crisis = self._event.crisis
        return f"a {one.kind} crisis, box {one.box} of {BOXES}" + (f": {one.description}" if one.description else "")


def _judged(enough: bool | None) -> str:
    return "" if enough is None else ", enough" if enough else ", not enough"
