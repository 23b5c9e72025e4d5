"""Validate commands on the client, with the server's rules."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from dreadclock.wire.commands import COMMAND, Command, CommandBase
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.problems import problem_of


def checked_command(command: CommandBase | Mapping[str, Any]) -> Command:
    """Return a command from its JSON fields. A model is returned unchanged.

    Raises Refused(bad_command) if the fields do not pass the server's validation, or are not JSON.
    """
    if isinstance(command, CommandBase):
        return command  # type: ignore[return-value]
    try:
        return COMMAND.validate_json(to_json(dict(command), exclude_none=True))
    except ValidationError as error:
        raise Refused(Code.BAD_COMMAND, problem=problem_of(error)) from error
    except (PydanticSerializationError, TypeError, ValueError) as error:
        raise Refused(Code.BAD_COMMAND, problem=f"it is not JSON: {error}") from error


def given(type_: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a command's JSON fields from a method's local variables, without those that are None."""
    said = {key: value for key, value in fields.items() if value is not None and key != "self"}
    return {"type": type_, **said}
