"""`dreadclock mcp` without a server: which tools there are for whom, how they are marked, and how a link is named."""

import json
import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dreadclock.cli import main
from dreadclock.narration import Narrator
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.things import Seat
from dreadclock_server.core import access
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.rights import Who
from dreadclock_server.tools.assistant.access import commands, open_commands, tag
from dreadclock_server.tools.assistant.acting import ADDS_OR_GOES_ON, SETS, acting_tools
from dreadclock_server.tools.assistant.choosing import GROUPS, chosen, group_of, size_of
from dreadclock_server.tools.assistant.reading import QUESTIONS, reading_tools
from dreadclock_server.tools.assistant.tools import Tool, schema_of
from dreadclock_server.tools.assistant.waiting import waiting
from kit.narration.examples import room
from kit.servers import nursery

LINK = "http://127.0.0.1:1/r/aaaaaaaaaaaaaaaaaaaaaaaaaa#aToken"
OFFERED_TO_NOBODY = {"open_lane"}  # the client does it
SCOPES = [each for number in (0, 1, 2, len(Scope)) for each in combinations(Scope, number)]
Captured = pytest.CaptureFixture[str]


def seat(role: Role, *scopes: Scope) -> Seat:
    return Seat(id=f"{role}-1", role=role, name="Somebody", scopes=scopes)


def open_by_the_server(sitting: Seat) -> set[str]:
    """Ask the server's table which commands may be open to a seat: of its own things, if it can own any."""
    draft = cast(Any, SimpleNamespace(by=Actor(sitting.id, sitting.role, sitting.scopes)))
    owns = sitting.id if sitting.role is Role.PLAYER else None
    is_gm = sitting.role is Role.GM
    return {
        tag(model)
        for model, row in access.ACCESS.items()
        if (is_gm and row.who != {Who.PLAYER})
        or access._is_open(row, draft, owns if row.owner_of is not None else None)
    } - OFFERED_TO_NOBODY


def test_the_gm_is_offered_all_but_what_is_for_others_alone() -> None:
    expected = open_by_the_server(seat(Role.GM)) - {"leave_seat"}

    assert open_commands(seat(Role.GM)).keys() == expected
    assert commands().keys() - expected == {"leave_seat", "lend_seat", "take_back_seat", "open_lane"}


def test_a_player_is_offered_what_the_server_may_let_a_player_do() -> None:
    offered = open_commands(seat(Role.PLAYER)).keys()

    assert offered == open_by_the_server(seat(Role.PLAYER))
    assert {"roll_check", "lend_seat", "narrate"} <= offered
    assert offered.isdisjoint(("reveal", "end_turn", "adjust_check", "set_required", "close_room"))


@pytest.mark.parametrize("scopes", SCOPES, ids=lambda scopes: "+".join(scopes) or "none")
def test_an_integration_is_offered_what_the_server_lets_its_scopes_do(scopes: tuple[Scope, ...]) -> None:
    expected = open_by_the_server(seat(Role.INTEGRATION, *scopes)) - {"leave_seat"}
    if Scope.ACT_FOR in scopes:
        expected |= open_by_the_server(seat(Role.PLAYER)) - {tag(model) for model in access.OWN_HAND}

    assert open_commands(seat(Role.INTEGRATION, *scopes)).keys() == expected


def uncalled(name: str) -> Tool:
    raise AssertionError(f"{name} is called")


@pytest.mark.parametrize("scopes", [None, *SCOPES], ids=lambda scopes: "+".join(scopes or ()) or "none")
def test_every_seat_is_shown_at_most_40_tools_and_30_kb_and_reaches_every_command(scopes: tuple[Scope, ...] | None):
    seats = [seat(Role.INTEGRATION, *scopes)] if scopes is not None else [seat(Role.GM), seat(Role.PLAYER)]
    for sitting in seats:
        acting = acting_tools(cast(Any, None), sitting, Narrator())
        shown = chosen(reading_tools(cast(Any, None), sitting, Narrator()), acting, (), uncalled)
        tools = {tool.name: tool for tool in shown}

        assert len(tools) == len(shown) <= 40
        assert size_of(shown) <= 30_000
        own = {tool.name for tool in acting}
        assert own <= tools.keys() or set(tools["command"].schema["properties"]["type"]["enum"]) == own


@pytest.mark.parametrize("number", [40, 41])
def test_40_small_tools_are_shown_themselves_and_of_more_the_usual_ones(number: int) -> None:
    names = ["roll_dice", *[name for name in commands() if name != "roll_dice"]][:number]
    hints = acting_tools(cast(Any, None), seat(Role.GM), Narrator())[0].hints
    small = [Tool(name, "", {}, hints, cast(Any, None)) for name in names]

    shown = [tool.name for tool in chosen([], small, (), uncalled)]

    if number == 40:
        assert shown == names
    else:
        assert {"command", "command_fields", "roll_dice"} <= set(shown)
        assert len(shown) < 40


def test_each_command_is_in_a_group_and_all_groups_together_are_all_commands() -> None:
    acting = acting_tools(cast(Any, None), seat(Role.GM), Narrator())
    shown = {group: [tool.name for tool in chosen([], acting, (group,), uncalled)] for group in GROUPS}

    assert {group_of(name) for name in commands()} == set(GROUPS) - {"usual", "all"}
    assert all({"command", "command_fields"} <= set(names) for group, names in shown.items() if group != "all")
    assert {name for group, names in shown.items() if group != "all" for name in names} - {
        "command",
        "command_fields",
    } == {tool.name for tool in acting}
    assert shown["all"] == [tool.name for tool in acting]
    assert chosen([], acting, ("table", "rolls"), uncalled)[2].name == "set_policy"


def test_a_spectator_is_offered_nothing_to_do() -> None:
    assert open_commands(seat(Role.SPECTATOR)) == {}


def test_marks_name_commands_and_what_is_not_named_is_destructive() -> None:
    tools = {tool.name: tool for tool in acting_tools(cast(Any, None), seat(Role.GM), Narrator())}

    assert (ADDS_OR_GOES_ON | SETS) - commands().keys() == set()
    assert all(tool.hints.read_only_hint is False for tool in tools.values())
    destructive = {name for name, tool in tools.items() if tool.hints.destructive_hint}
    assert {"close_room", "reveal", "remove_seat", "cancel", "end_scene", "push_luck"} <= destructive
    assert destructive.isdisjoint(("roll_check", "narrate", "start_clock"))
    assert {name for name, tool in tools.items() if tool.hints.idempotent_hint} == SETS & tools.keys()


def test_schemas_say_what_is_meant_and_nothing_that_only_this_library_reads() -> None:
    tools = {tool.name: tool for tool in acting_tools(cast(Any, None), seat(Role.GM), Narrator())}
    schemas = [*(tool.schema for tool in tools.values()), *(schema_of(each) for each in QUESTIONS.values())]

    assert tools["start_countdown"].schema["properties"]["bound_to"]["default"] == "turn"
    assert tools["propose_check"].schema["properties"]["claim"]["default"] is False
    for name in ("introduce_complication", "attach_consequence"):
        within = tools[name].schema["$defs"]["CountdownToStart"]
        assert within["properties"]["bound_to"]["default"] == "turn"
    for schema in schemas:
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert {"type", "act_for"}.isdisjoint(schema["properties"])
        written = json.dumps(schema)
        assert set(re.findall(r'"#/\$defs/(\w+)"', written)) == set(schema.get("$defs", {}))
        assert [word for word in ('"pattern', r"\p{", "rules.md", '{"type": "null"}') if word in written] == []


def test_what_waits_is_told_to_those_who_can_answer_it() -> None:
    views = [room(name) for name in ("full", "checks", "totals")]
    told = {role: [str(each) for view in views for each in waiting(view, seat(role))] for role in Role}

    assert told[Role.SPECTATOR] == told[Role.INTEGRATION] == []
    assert told[Role.GM]
    assert told[Role.PLAYER]
    for view in views:
        everything = {*map(str, waiting(view, seat(Role.INTEGRATION, Scope.ROLLS, Scope.COUNTDOWNS)))}
        assert {*map(str, waiting(view, seat(Role.PLAYER)))} <= everything


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "name the link in one way"),
        ([LINK, "--link-env", "TABLE_LINK"], "name the link in one way"),
        (["--link-env", "NO_SUCH_LINK"], "the variable NO_SUCH_LINK is not set"),
        (["--link-env", "TABLE_LINK"], "the token is malformed"),
        (["--link-file", "nowhere"], "nowhere cannot be read: No such file or directory"),
        (["--link-file", "."], ". cannot be read: Is a directory"),
        (["--link-file", "picture"], "picture holds no text"),
        (["--link-file", "letter"], "a link to a room looks like"),
        ([LINK, "--lang", "xx"], "there are no words in 'xx'"),
        ([LINK, "--tools", "rolls,dance"], "there is no group 'dance', only usual, table, characters,"),
    ],
)
def test_a_link_that_is_not_named_or_is_none_is_told_without_its_token(
    arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLE_LINK", LINK + "!secret")
    Path("picture").write_bytes(b"\x89PNG\xff")
    Path("letter").write_text("Dear aToken")

    assert main(["mcp", *arguments]) == 2

    out, err = capsys.readouterr()
    assert problem in err
    assert (out, "aToken" in err) == ("", False)


def test_where_no_server_answers_it_ends_with_a_sentence() -> None:
    status, said = nursery.run(nursery.COMMAND, "mcp", LINK)

    assert (status, len(said.splitlines())) == (1, 1)
    assert "aToken" not in said


@pytest.mark.parametrize("missing", ["mcp", "mcp_types"])
def test_without_its_extra_it_says_what_to_install(missing: str) -> None:
    program = f"from dreadclock.cli import main; sys.exit(main(['mcp', {LINK!r}]))"
    script = f"import sys; sys.modules[{missing!r}] = None; {program}"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (process.returncode, process.stdout) == (1, "")
    assert 'pip install "./server[mcp]"' in process.stderr
