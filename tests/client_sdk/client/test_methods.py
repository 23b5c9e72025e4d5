"""The methods for commands are what the generator makes of the models."""

import importlib.util
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dreadclock.client import methods
from dreadclock.client.methods import Commands
from dreadclock.client.problems import checked_command
from dreadclock.wire.base import Kind, Model
from dreadclock.wire.commands import (
    AddCharacter,
    AttachConsequence,
    BoundTo,
    Command,
    CommandBase,
    CountdownToStart,
    Does,
    Effect,
    IntroduceComplication,
    Moment,
    NewCountdown,
    NewEffect,
    RollCountdown,
    StartCountdown,
    StartSituation,
    Subject,
    When,
)

GENERATOR = Path(__file__).parents[3] / "scripts" / "generate_methods.py"


class Spelled(Commands[Command]):
    """Makes the command that would be submitted."""

    def submit(self, command: CommandBase | Mapping[str, Any]) -> Command:
        return checked_command(command)


def test_the_module_is_what_the_generator_writes() -> None:
    spec = importlib.util.spec_from_file_location("generate_methods", GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)

    assert generator.module() == Path(methods.__file__).read_text(encoding="utf-8")


SPELLED = Spelled()
WATER, END = Subject(kind=Kind.CLOCK, id="water"), Moment(when=When.END)
GAS, FREE = [CountdownToStart(name="Gas", pool=3, bound_to=bound_to) for bound_to in (BoundTo.TURN, BoundTo.NOTHING)]
STORED = Effect(does=Does.START, countdown=NewCountdown(name="Gas", pool=3))  # bound to nothing, as read from a view


@pytest.mark.rule("A12")
@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (SPELLED.roll_countdown("fever"), RollCountdown(countdown_id="fever")),
        (SPELLED.start_countdown("Fever", 6), StartCountdown(name="Fever", pool=6, bound_to=BoundTo.TURN)),
        (
            SPELLED.start_countdown("Fever", pool=6, note="!"),
            StartCountdown(name="Fever", pool=6, note="!", bound_to=BoundTo.TURN),
        ),
        (
            SPELLED.introduce_complication("Gas!", scene_id="vault", countdown={"name": "Gas", "pool": 3}),
            IntroduceComplication(text="Gas!", scene_id="vault", countdown=GAS),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [{"does": "start", "countdown": {"name": "Gas", "pool": 3}}]),
            AttachConsequence(of=WATER, when=END, do=(NewEffect(does=Does.START, countdown=GAS),)),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [NewEffect(does=Does.START, countdown=GAS)]),
            AttachConsequence(of=WATER, when=END, do=(NewEffect(does=Does.START, countdown=GAS),)),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [STORED.model_dump(mode="json", exclude_none=True)]),
            AttachConsequence(of=WATER, when=END, do=(NewEffect(does=Does.START, countdown=FREE),)),
        ),
        (SPELLED.add_character("Ann"), AddCharacter(name="Ann")),
        (SPELLED.add_character("Ann", attributes={"Brawn": 3}), AddCharacter(name="Ann", attributes={"Brawn": 3})),
    ],
)
def test_a_method_makes_its_command(made: Model, expected: Model) -> None:
    assert made == expected


def test_required_fields_are_positional_ids_first_and_the_others_are_keywords() -> None:
    parameters = inspect.signature(Commands.start_situation).parameters
    positional = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]

    assert positional == ["self", "scene_id", "name", "kind", "content", "clock"]
    assert all(each.default is not each.empty for each in parameters.values() if each.kind is each.KEYWORD_ONLY)
    assert {*positional[1:]} == {name for name, each in StartSituation.model_fields.items() if each.is_required()}
    assert list(inspect.signature(Commands.roll_dice).parameters)[-3:] == ["faces", "dice", "note"]


def test_a_methods_docstring_is_its_models() -> None:
    assert inspect.getdoc(Commands.start_situation) == inspect.getdoc(StartSituation)
    assert Kind.SITUATION in (Commands.start_situation.__doc__ or "")
