"""Questions to the commands that answer from the rules alone, and how their answers are read."""

import json
from typing import Any

import typer
from typer.testing import CliRunner, Result


def ask(app: typer.Typer, question: str) -> Result:
    """Ask a group of commands; words are split at blanks, and "-" alone stands for an empty one."""
    arguments = ["" if word == "-" else word for word in question.split()]
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "120", "NO_COLOR": "1"})


def lines(text: str) -> list[str]:
    """List the lines of an answer, their words one blank apart, bars left out."""
    return [" ".join(word for word in line.split() if word.strip("━╸╺-")) for line in text.splitlines()]


def report(app: typer.Typer, question: str) -> dict[str, Any]:
    """Ask, and return the answer as JSON."""
    answer = ask(app, f"{question} --json")
    assert answer.exit_code == 0, answer.stderr
    read: dict[str, Any] = json.loads(answer.stdout)
    return read
