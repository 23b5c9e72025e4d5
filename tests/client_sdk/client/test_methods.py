"""The methods for commands are what the generator makes of the models."""

import inspect
import re
import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import dreadclock
from dreadclock.client.methods import Commands
from dreadclock.client.problems import checked_command
from dreadclock.wire import commands
from dreadclock.wire.base import Kind, Model
from dreadclock.wire.things import Does, Effect, NewCountdown, When

GENERATOR = Path(__file__).parents[3] / "scripts" / "generate_methods.py"


class Spelled(Commands[commands.Command]):
    """Makes the command that would be submitted."""

    def submit(self, command: commands.CommandBase | Mapping[str, Any]) -> commands.Command:
        return checked_command(command)


@pytest.fixture(scope="module")
def generator() -> Any:
    """Load the script that writes the methods."""
    return SimpleNamespace(**runpy.run_path(str(GENERATOR)))


COMMANDS: tuple[type[commands.CommandBase], ...] = get_args(get_args(commands.Command)[0])
SPELLED = Spelled()
WATER, END = commands.Subject(kind=Kind.CLOCK, id="water"), commands.Moment(when=When.END)
GAS, FREE = [
    commands.CountdownToStart(name="Gas", pool=3, bound_to=bound_to)
    for bound_to in (commands.BoundTo.TURN, commands.BoundTo.NOTHING)
]
STORED = Effect(does=Does.START, countdown=NewCountdown(name="Gas", pool=3))  # bound to nothing, as read from a view


@pytest.mark.rule("A12")
@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (SPELLED.roll_countdown("fever"), commands.RollCountdown(countdown_id="fever")),
        (
            SPELLED.start_countdown("Fever", 6),
            commands.StartCountdown(name="Fever", pool=6, bound_to=commands.BoundTo.TURN),
        ),
        (
            SPELLED.start_countdown("Fever", pool=6, note="!"),
            commands.StartCountdown(name="Fever", pool=6, note="!", bound_to=commands.BoundTo.TURN),
        ),
        (
            SPELLED.introduce_complication("Gas!", scene_id="vault", countdown={"name": "Gas", "pool": 3}),
            commands.IntroduceComplication(text="Gas!", scene_id="vault", countdown=GAS),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [{"does": "start", "countdown": {"name": "Gas", "pool": 3}}]),
            commands.AttachConsequence(of=WATER, when=END, do=(commands.NewEffect(does=Does.START, countdown=GAS),)),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [commands.NewEffect(does=Does.START, countdown=GAS)]),
            commands.AttachConsequence(of=WATER, when=END, do=(commands.NewEffect(does=Does.START, countdown=GAS),)),
        ),
        (
            SPELLED.attach_consequence(WATER, END, [STORED.model_dump(mode="json", exclude_none=True)]),
            commands.AttachConsequence(of=WATER, when=END, do=(commands.NewEffect(does=Does.START, countdown=FREE),)),
        ),
        (SPELLED.add_character("Ann"), commands.AddCharacter(name="Ann")),
        (
            SPELLED.add_character("Ann", attributes={"Brawn": 3}),
            commands.AddCharacter(name="Ann", attributes={"Brawn": 3}),
        ),
    ],
)
def test_a_method_makes_its_command(made: Model, expected: Model) -> None:
    assert made == expected


def test_required_fields_are_positional_ids_first_and_the_others_are_keywords() -> None:
    parameters = inspect.signature(Commands.start_situation).parameters
    positional = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]

    assert positional == ["self", "scene_id", "name", "kind", "content", "clock"]
    assert all(each.default is not each.empty for each in parameters.values() if each.kind is each.KEYWORD_ONLY)
    assert {*positional[1:]} == {
        name for name, each in commands.StartSituation.model_fields.items() if each.is_required()
    }
    assert list(inspect.signature(Commands.roll_dice).parameters)[-3:] == ["faces", "dice", "note"]


def test_a_methods_docstring_is_its_models_and_then_its_parameters() -> None:
    text = inspect.getdoc(Commands.start_situation) or ""

    assert text.partition("\n\nArgs:\n")[0] == inspect.getdoc(commands.StartSituation)
    assert "\n    level (1 to 9): Level of the situation, required for a race." in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_each_field_of_a_command_is_explained(command: type[commands.CommandBase], generator: Any) -> None:
    for name, field in command.model_fields.items():
        if name == "type":
            continue
        text = generator.explanation(command, name)
        may_be_none = not field.is_required() and field.default is None
        assert text.endswith("."), name
        assert "None: " in text or "not both." in text or not may_be_none, f"{name}: say what None means"
        assert "None: " not in text or may_be_none, f"{name} is never None"


def test_no_explanation_is_left_of_a_field_that_is_gone(generator: Any) -> None:
    fields = {command.model_fields["type"].default: set(command.model_fields) for command in COMMANDS}
    used = {name for command, names in fields.items() for name in names - set(generator.MEANINGS.get(command, ()))}

    assert set(generator.MEANINGS) - {*fields, "every"} == set()
    assert set(generator.MEANINGS["every"]) - used == set()
    assert [name for name in fields if set(generator.MEANINGS.get(name, ())) - fields[name]] == []


def _public() -> Iterator[tuple[str, Any]]:
    """Yield the functions of the SDK, and the methods of its classes that people call."""
    places: tuple[Any, ...] = (dreadclock, dreadclock.sync)
    for place in places:
        for name in place.__all__:
            value = getattr(place, name)
            if inspect.isfunction(value):
                yield f"{place.__name__}.{name}", value
    rooms = (dreadclock.Room, dreadclock.RestRoom, dreadclock.Knocker, dreadclock.sync.Room, dreadclock.sync.OpenedRoom)
    for cls in rooms:
        for name, method in inspect.getmembers(cls, callable):
            if not name.startswith("_"):
                yield f"{cls.__module__}.{cls.__name__}.{name}", method


@pytest.mark.parametrize(("name", "function"), [pytest.param(*each, id=each[0]) for each in _public()])
def test_each_parameter_of_a_public_method_is_explained(name: str, function: Any) -> None:
    text = inspect.getdoc(function) or ""
    told = {*re.findall(r"(?m)^    (\w+)(?: \(.*\))?: ", text.partition("Args:\n")[2]), *re.findall(r"`(\w+)`", text)}

    assert set(inspect.signature(function).parameters) - {"self", *told} == set()
