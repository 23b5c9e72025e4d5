"""Marks in the texts and ids of random commands about what is hidden, by which a leak is found."""

from dataclasses import replace
from typing import Any

from dreadclock.wire.base import Visibility
from dreadclock.wire.commands import AmendCountdown, Command, IntroduceComplication, StartCountdown
from kit.evenings.prepared import GM_ONLY, SEALED
from kit.strategies.scripts import Step
from kit.tables import GM

TEXTS = ("name", "note", "reason", "how", "text", "ending", "purpose", "cost", "terms")
LISTS = ("stunts", "fumble_effects")


def is_hidden(command: Command) -> bool:
    """Tell whether a command names what only the gm knows, or starts it."""
    return GM_ONLY in command.model_dump_json() or getattr(command, "visibility", None) is Visibility.GM


def marked(step: Step) -> Step:
    """Put the marker of what a gm's command is about into all its texts, its note, and the id that it chooses."""
    command = step.command
    if step.by is GM and is_hidden(command) and not is_told_to_all(command):
        return replace(step, command=with_texts(command, GM_ONLY))
    about = [mark for mark in SEALED if step.by is GM and names_sealed(command, mark)]
    return replace(step, command=with_texts(command, about[0])) if about else step


def is_told_to_all(command: Command) -> bool:
    """A complication is told to those who know its situation or scene, whatever it changes or starts.

    So is a countdown to those who know it, whatever it is bound to.
    """
    if isinstance(command, StartCountdown):
        return command.visibility is not Visibility.GM
    if isinstance(command, AmendCountdown):
        return GM_ONLY not in command.countdown_id
    if not isinstance(command, IntroduceComplication):
        return False
    return GM_ONLY not in f"{command.situation_id} {command.scene_id}"


def names_sealed(command: Command, mark: str) -> bool:
    """Tell whether a command is about a sealed thing or what is in it."""
    fields = [(name, value) for name, value in command if name.endswith("_id") and name != "bound_id"]
    ids = [value for _, value in fields if isinstance(value, str)]
    root = mark.removeprefix("yy-")
    return any(value == root or value.startswith((f"{root}-", f"gm-{mark}")) for value in ids)


def with_texts(command: Command, mark: str) -> Command:
    free = {name for name, value in command if name in TEXTS and (value is None or type(value) is str)}
    changes: dict[str, Any] = {name: f"{mark} {name}" for name in free}
    changes |= {name: (f"{mark} {name}",) for name, value in command if name in LISTS and value}
    chosen = getattr(command, "id", None)
    if chosen is not None and chosen.startswith("gm-"):
        changes["id"] = f"gm-{mark}-{chosen}"
    return command.model_copy(update=changes)


def is_no_reveal(step: Step) -> bool:
    return not (step.type in ("reveal", "begin_situation", "attach_consequence") and is_hidden(step.command))
