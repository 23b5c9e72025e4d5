"""What the commands `odds` and `resolve` share: options, answers and errors."""

import inspect
import json
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from rich.console import Console

from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire.rest import OddsQuestion

Report = TypeVar("Report", bound=Mapping[str, Any])
Question = TypeVar("Question", bound=OddsQuestion)

REFUSED = 2

AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]

_HELP: Final = {  # help texts for fields that have no description of their own
    "bonus": "Dice that bonuses add.",
    "penalty": "Dice that penalties take away; they cancel with bonuses first.",
}


def answer(as_json: bool, read: Callable[[], Report], *shows: Callable[[Console, Report], None]) -> None:
    """Print the report that `read` returns: as JSON, or for a person by calling each of `shows`.

    If `read` raises ValueError, print its sentence to stderr and exit with code 2.
    """
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


def answering(question: type[OddsQuestion], show: Callable[[Console, Any], None]) -> Callable[..., None]:
    """Return a typer command that answers a question. It has an option for each field of the question."""

    @asking(question)
    def command(as_json: AsJson = False, **options: Any) -> None:
        answer(as_json, asked(question, options).report, show)

    command.__doc__ = question.__doc__
    return command


def asking(question: type[OddsQuestion], *without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds options to a command: one for each field of a question, except those in `without`.

    The command gets their values as keyword arguments.
    """
    fields = {name: field for name, field in question.model_fields.items() if name not in without}

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        own = [part for part in inspect.signature(command).parameters.values() if part.kind is not part.VAR_KEYWORD]
        parameters = [*(_option(*field) for field in fields.items()), *own]
        parameters.sort(key=lambda parameter: parameter.default is not Parameter.empty)  # required options come first
        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
        )
        return command

    return with_options


def asked(question: type[Question], options: Mapping[str, Any]) -> Question:
    """Return a question from a command's options. An option that is None keeps the field's default."""
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}
    return question(**{name: value for name, value in given.items() if value is not None})


def _option(name: str, field: FieldInfo) -> Parameter:
    """Return a field as an option.

    If the field has no help of its own, the help names the option without the prefix `against_`, and says that this one
    is the same for the other side.
    """
    kind: Any = field.annotation
    text = field.description or _HELP.get(name) or f"The same for the other side as --{name.partition('_')[2]}."
    if is_list := get_origin(kind) is tuple:
        kind, text = list[get_args(kind)[0]], f"{text} May be repeated."  # type: ignore[misc]
    least, most = (0, MAX_POOL) if name.endswith("reflex") else (None, None)
    option = typer.Option(f"--{name.replace('_', '-')}", help=text, min=least, max=most)
    default = Parameter.empty if field.is_required() else None if is_list else field.default
    kind = kind | None if is_list and not field.is_required() else kind
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])
