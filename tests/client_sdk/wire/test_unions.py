"""The unions hold every command, event and frame that there is."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from dreadclock.wire import commands, events, frames
from dreadclock.wire.base import Model
from dreadclock.wire.commands import COMMAND, CommandBase, RollingCommand
from dreadclock.wire.events import EVENT, EventBase
from dreadclock.wire.fold import FOLDS
from dreadclock.wire.problems import problem_of


def below(base: type[Model]) -> Iterator[type[Model]]:
    children: list[type[Model]] = base.__subclasses__()
    for child in children:
        if "type" in child.model_fields:
            yield child
        yield from below(child)


def members(union: Any) -> tuple[type[Model], ...]:
    return get_args(get_args(union)[0])


def tags(models: Any) -> list[str]:
    return [model.model_fields["type"].default for model in models]


def test_every_command_and_event_is_in_its_union_and_each_event_has_a_fold() -> None:
    assert set(members(commands.Command)) == set(below(CommandBase))
    assert set(members(events.Event)) == set(below(EventBase)) - {events.UnknownEvent} == set(FOLDS)


@pytest.mark.parametrize(
    "union", [commands.Command, events.Event, frames.ClientFrame, frames.ServerFrame], ids=["c", "e", "cf", "sf"]
)
def test_a_tag_is_the_name_of_its_class_and_no_two_are_alike(union: Any) -> None:
    def snake(name: str) -> str:
        return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")

    found = tags(members(union))

    assert len(set(found)) == len(found)
    irregular = {"command": "CommandFrame", "refused": "RefusedFrame", "events": "EventsHeader"}
    for model, tag in zip(members(union), found, strict=True):
        assert model.__name__ == irregular.get(tag, model.__name__)
        assert tag in irregular or tag == snake(model.__name__)


def test_every_command_may_carry_a_note_and_every_rolling_one_dice_and_faces() -> None:
    assert all("note" in model.model_fields for model in members(commands.Command))
    rolling = {
        tag
        for model, tag in zip(members(commands.Command), tags(members(commands.Command)), strict=True)
        if issubclass(model, RollingCommand)
    }
    assert rolling == {"roll_dice", "roll_countdown", "end_turn", "end_round", "roll_check", "roll_total", "push_luck"}


def integers(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "integer":
            yield schema
        for part in schema.values():
            yield from integers(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from integers(part)


@pytest.mark.parametrize("command", members(commands.Command), ids=lambda command: command.__name__)
def test_no_number_in_a_command_is_larger_than_every_json_reader_takes(command: type[Model]) -> None:
    limits = [each.get("maximum", each.get("const")) for each in integers(command.model_json_schema())]

    assert all(limit is not None and limit <= 2**53 for limit in limits)


def test_a_command_of_no_known_type_is_none() -> None:
    for text in (
        '{"type":"explode"}',
        "{}",
        "[]",
        "null",
        '{"type":["roll_dice"]}',
        '{"type":"roll_dice","pool":1,"x":1}',
    ):
        with pytest.raises(ValidationError):
            COMMAND.validate_json(text)


def test_an_event_is_read_by_its_tag() -> None:
    assert EVENT.validate_json('{"type":"turn_ended","turn":3}') == events.TurnEnded(turn=3)


def test_every_choice_on_the_wire_is_a_word_in_lower_case() -> None:
    choices = [
        member for base in StrEnum.__subclasses__() if base.__module__.startswith("dreadclock.wire") for member in base
    ]

    assert [member for member in choices if not member.value.replace("_", "").islower()] == []


@pytest.mark.rule("D-pool")
@pytest.mark.parametrize(
    ("attribute", "problem"),
    [
        (61, "propose_total.attribute: Input should be less than or equal to 60"),
        (-1, "propose_total.attribute: Input should be greater than or equal to 0"),
        (True, "propose_total.attribute: Input should be text or a whole number"),
        (1.0, "propose_total.attribute: Input should be text or a whole number"),
        ("", "propose_total.attribute: String should have at least 1 character"),
    ],
)
def test_a_field_for_text_or_a_number_says_what_is_wrong_with_the_one_that_was_meant(attribute: object, problem: str):
    with pytest.raises(ValidationError) as caught:
        COMMAND.validate_python({"type": "propose_total", "character_id": "ada", "attribute": attribute})

    assert problem_of(caught.value) == problem


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"id": "air", "pool": 5}, "start_countdown.name: it is missing"),
        ({"id": "air", "name": "Air", "pool": 5, "dize": 1}, "start_countdown.dize: there is no such field"),
    ],
)
def test_a_field_that_is_missing_or_none_is_named_in_our_own_words(fields: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        COMMAND.validate_python({"type": "start_countdown", **fields})

    assert problem_of(caught.value) == problem


def test_many_problems_are_counted_and_not_written_out() -> None:
    with pytest.raises(ValidationError) as few:
        COMMAND.validate_python({"type": "end_turn", **{f"x{number}": 1 for number in range(64)}})
    with pytest.raises(ValidationError) as many:
        COMMAND.validate_python({"type": "end_turn", **{f"x{number}": 1 for number in range(65)}})

    assert problem_of(few.value) == "end_turn.x0: there is no such field"
    assert problem_of(many.value) == "65 things are wrong with it"


@pytest.mark.parametrize("faces", ["[7]", '["a"]', '"1,2"', "[1.5]", "[0]"])
def test_wrong_faces_are_told_in_our_own_words(faces: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        COMMAND.validate_json(f'{{"type":"roll_countdown","countdown_id":"water","faces":{faces}}}')
    assert problem_of(wrong.value).endswith(": faces are whole numbers from 1 to 6 in a list, such as [2, 4, 5]")
