"""The program: which command is loaded, and what somebody is told who gets it wrong."""

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path

import pytest

from dreadclock.cli import main, program
from dreadclock.cli.send import sentences
from dreadclock.client.outcomes import Acknowledged
from dreadclock.narration import Narrator
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.plain import finished, plain
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane, Things
from kit import scenery
from kit.scenery import full_room, record
from kit.servers.table_server import TableServer
from kit.table import BOTH, ROOM
from kit.waiting import until

LINK = "http://127.0.0.1:1/r/abcdefghijklmnopqrstuvwxyz#secret-token"
Captured = pytest.CaptureFixture[str]
COMMANDS = (
    *(
        "backup",
        "demo",
        "export",
        "import",
        "invite",
        "knock",
        "knocks",
        "mcp",
        "odds",
        "open",
        "overlay",
        "recap",
        "relay",
    ),
    *("replay", "resolve", "restore", "rooms", "send", "serve", "verify", "watch"),
)
OF_THE_SDK = ("export", "import", "invite", "knock", "knocks", "open", "send", "verify")
OF_THE_SERVER = tuple(name for name in COMMANDS if name not in OF_THE_SDK)


def python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def without_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave only the commands of the SDK, as if no other package were installed."""
    monkeypatch.setattr(program, "entry_points", lambda group: ())


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_alone_it_lists_all_commands(arguments: list[str], capsys: Captured) -> None:
    assert main(arguments) == 0

    out, err = capsys.readouterr()
    assert [name for name in COMMANDS if name not in out] == []
    assert "..." not in out.partition("Commands:")[2], "a summary is cut"
    assert err == ""


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_complete_on_a_terminal_of_80_columns(command: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")

    assert main([*command.split(), "--help"]) == 0

    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    if command == "serve":
        options = ("--host", "--port", "--data", "--store", "--durability", "--trust-store-durability")
        assert [option for option in options if option not in out.split()] == []


def test_help_shows_how_a_command_is_read_from_stdin(capsys: Captured) -> None:
    assert main(["send", "--help"]) == 0

    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    example = lines[lines.index("dreadclock send LINK - <<'END'") :]
    assert (json.loads(example[1]), example[2]) == ({"type": "end_turn", "note": "That's it."}, "END")


def test_a_group_of_commands_alone_lists_them(capsys: Captured) -> None:
    assert main(["odds"]) == 0
    assert "countdown" in capsys.readouterr().out


def test_it_says_its_version(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"dreadclock {version('dreadclock')}\n"


def test_a_command_returns_its_own_exit_code(capsys: Captured) -> None:
    assert main(["odds", "countdown", "--pool", "2"]) == 0
    assert main(["odds", "countdown", "--pool", "0"]) == 2
    assert capsys.readouterr().err == "A countdown has from 1 to 60 dice, not 0.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("wach", f"There is no command 'wach', only {', '.join(COMMANDS[:-1])} and watch."),
        ("--loud", "No such option: --loud."),
        ("odds dice", "No such command 'dice'."),
        ("odds countdown", "Missing option '--pool'."),
        ("watch", "Missing argument 'LINK'."),
        ("watch --twice x", "No such option: --twice (Possible options: --once)."),
        ("watch nowhere", "Invalid value for LINK: a link to a room looks like http://host:port/r/ROOM#TOKEN."),
        (f"send {LINK} {{", "Invalid value for JSON: this is no JSON"),
        (f"send {LINK} [1]", 'Invalid value for JSON: a command looks like {"type": ...}.'),
        (f"send {LINK} {'[' * 100_000}", "Invalid value for JSON: this is no JSON"),
    ],
)
def test_what_cannot_be_understood_is_one_sentence_and_exit_code_2(arguments: str, sentence: str, capsys: Captured):
    assert main(arguments.split()) == 2

    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(sentence)


@pytest.mark.parametrize("link", [LINK.replace("abc", "ABC"), LINK + "$", LINK.replace("http", "ftp")])
def test_a_bad_link_does_not_give_its_token_away(link: str, capsys: Captured) -> None:
    assert main(["watch", link]) == 2
    assert "secret" not in capsys.readouterr().err


@pytest.mark.parametrize("command", [["watch", LINK], ["invite", LINK], ["send", LINK, '{"type": "end_turn"}']])
def test_a_server_out_of_reach_is_one_sentence_and_exit_code_1(command: list[str], capsys: Captured) -> None:
    assert main(command) == 1

    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err == "No server answers at http://127.0.0.1:1. Is it running (make run)?\n"


@pytest.mark.usefixtures("without_server")
def test_the_list_of_all_commands_loads_none_of_them() -> None:
    code = "import sys; from dreadclock.cli import main; main(['--help']); print('pydantic' in sys.modules)"
    assert python(code).stdout.endswith("\nFalse\n")


def test_the_summaries_are_the_first_lines_of_the_commands(capsys: Captured) -> None:
    assert sorted(program.SUMMARIES) == sorted(COMMANDS)
    for name, summary in program.SUMMARIES.items():
        assert main([name, "--help"]) == 0
        assert f"\n  {summary}\n" in capsys.readouterr().out


@pytest.mark.usefixtures("without_server")
@pytest.mark.parametrize("name", OF_THE_SERVER)
def test_a_command_of_the_server_says_what_to_install(name: str, capsys: Captured) -> None:
    assert main([name]) == 1
    package = "./server[mcp]" if name == "mcp" else "./server"
    assert capsys.readouterr().err == (
        f'`dreadclock {name}` comes with the server: in the project folder, pip install "{package}" adds it.\n'
    )


@pytest.mark.usefixtures("without_server")
def test_without_the_server_its_commands_are_not_listed(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name} " in listed] == list(OF_THE_SDK)


def test_an_installed_package_adds_commands_but_replaces_none(monkeypatch: pytest.MonkeyPatch, capsys: Captured):
    ours = [entry for entry in entry_points(group=program.GROUP) if entry.name == "odds"]
    added = [EntryPoint(name, "nowhere:nothing", program.GROUP) for name in ("odds", "dance", "verify")]
    monkeypatch.setattr(program, "entry_points", lambda group: [*ours, *added] if group == program.GROUP else ())

    assert main(["odds", "countdown", "--pool", "1"]) == 0
    assert main(["verify", "--help"]) == 0
    assert main(["wach"]) == 2
    assert "only dance, export, import, invite, knock, knocks, odds, open, send and verify" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_sentence_and_exit_code_1() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "dreadclock.cli", "odds", "countdown", "--pool", "3"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (ended.returncode, ended.stderr) == (1, "The output cannot be written: No space left on device.\n")


def test_without_its_extra_it_says_what_to_install() -> None:
    blocked = "import sys; sys.modules['typer'] = None; from dreadclock.cli import main; sys.exit(main(['odds']))"

    process = python(blocked)

    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == (
        'The command line is not installed: in the project folder, pip install "./client_sdk[cli]" adds it.\n'
    )


CORE = "dreadclock_server.core"
SERVER = {CORE, "dreadclock_server.gateway", "dreadclock_server.rooms", "dreadclock_server.store", "starlette"}


@pytest.mark.parametrize(
    "commands",
    [
        [  # one after the other, in one process
            (["odds", "countdown", "--pool", "1"], {*SERVER, "websockets", "httpx"}),
            (["resolve", "total", "--faces", "1"], {*SERVER, "websockets", "httpx"}),
            (["mcp", "nowhere"], {*SERVER, "httpx", "mcp"}),
            (["send", LINK, "{"], {*SERVER, "httpx"}),
            (["watch", "nowhere"], {*SERVER, "httpx"}),
            (["replay", "nowhere"], {*SERVER, "httpx"}),
            (["recap", "nowhere"], {*SERVER, "httpx"} - {CORE}),
        ],
        [(["invite", "nowhere"], {*SERVER, "websockets"}), (["open", "http://host"], {*SERVER, "websockets"})],
    ],
    ids=["without REST", "without websockets"],
)
def test_only_what_a_command_needs_is_imported(commands: list[tuple[list[str], set[str]]]) -> None:
    script = "import sys; from dreadclock.cli import main\n" + "".join(
        f"main({arguments!r}); print('LOADED', *sys.modules)\n" for arguments, _ in commands
    )
    process = python(script)

    loaded = [line.split()[1:] for line in process.stdout.splitlines() if line.startswith("LOADED")]
    for (arguments, unneeded), names in zip(commands, loaded, strict=True):
        assert "dreadclock.cli.program" in names, process.stderr
        assert unneeded & set(names) == set(), arguments


def test_a_bug_is_not_passed_off_as_a_mistake_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    buggy = EntryPoint("stumble", "operator:truediv", program.GROUP)
    monkeypatch.setattr(program, "entry_points", lambda group: [buggy])
    monkeypatch.setattr(EntryPoint, "load", lambda self: lambda: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        main(["stumble"])


# Plain text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("two\r\n lines\tand tabs", "two lines and tabs"),
        ("\x1b]0;title\x07", "\ufffd]0;title\ufffd"),
        ("\x9b2J", "\ufffd2J"),
        ("a\u202eb\u2066c", "a\ufffdb\ufffdc"),
        ("half \ud800", "half \ufffd"),
        ("Zoë 👩‍🚀 שלום", "Zoë 👩‍🚀 שלום"),
    ],
)
def test_text_becomes_one_line_that_steers_nothing(text: str, line: str) -> None:
    assert plain(text) == line


@pytest.mark.parametrize(("text", "sentence"), [("no", "no."), ("No!", "No!"), ("why?", "why?"), ("so.", "so.")])
def test_a_sentence_gets_the_end_that_it_lacks(text: str, sentence: str) -> None:
    assert finished(text) == sentence


# `dreadclock send`, over real websockets


ROLL = '{"type": "roll_dice", "pool": 3, "name": "luck"}'


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(*BOTH) as server:
        yield server


async def send(server: TableServer, *arguments: str) -> int:
    """Run the command beside the server, which answers in the test's own loop."""
    return await asyncio.to_thread(main, ["send", f"{server.url}/r/{ROOM}#token", *arguments])


async def test_a_command_is_done_and_told(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL) == 0

    assert capsys.readouterr() == ('Gm rolled 3 dice (real dice) for "luck": 1 2 3.\n', "")
    assert [command.type for command in server.table.done] == ["roll_dice"]


async def test_the_events_come_as_lines_of_json_if_asked(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL.replace("luck", "glück"), "--json") == 0

    out, _ = capsys.readouterr()
    assert out.isascii()
    assert out.count("\n") == 1
    (record,) = server.table.log.records
    assert json.loads(out) == record.model_dump(mode="json", exclude_none=True)


async def test_a_dash_reads_the_command(server: TableServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(ROLL))

    assert await send(server, "-") == 0
    assert capsys.readouterr().out == 'Gm rolled 3 dice (real dice) for "luck": 1 2 3.\n'


def event(event: e.Event, channel: Channel = Channel.PUBLIC) -> Record:
    return record(event).model_copy(update={"channel": channel})


LANE = event(e.LaneOpened(lane=Lane(label="gm", key="A" * 43)), Channel.GM)
MADE_PUBLIC = event(e.MadePublic(kind=Kind.COUNTDOWN, id="gm-plan"), Channel.GM)


@pytest.mark.parametrize(
    ("records", "complete", "lines"),
    [
        (
            [LANE, event(e.CountdownStarted(countdown=scenery.HIDDEN), Channel.GM)],
            True,
            ['(only for the gm) The countdown "The plan" starts: 4 dice, fast. (id gm-plan)'],
        ),
        (
            [
                event(e.Revealed(kind=Kind.COUNTDOWN, id="gm-plan", things=Things(countdowns=(scenery.HIDDEN,)))),
                MADE_PUBLIC,
            ],
            True,
            ['The countdown "The plan" is revealed: 4 dice left.'],
        ),
        ([event(e.EffortMade(effort=scenery.EFFORT))], True, ['Mara tries to overcome "Outer door". (id shove)']),
        ([LANE], True, ["Done."]),
        ([], True, ["Done, and nothing changed."]),
        ([], False, ["Done, but the events of this command are not available."]),
    ],
)
def test_the_outcome_is_told_with_ids_and_without_bookkeeping(records: list[Record], complete: bool, lines: list[str]):
    done = Acknowledged(1, {}, tuple(records), complete)

    assert sentences(done, (full_room().view,), Narrator()) == lines


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ('{"type": "end_turn"}', "Refused: Only nobody may do that.\n"),
        ('{"type": "roll_dice", "pool": 61}', "Refused: That is no command the table understands: roll_dice.pool: "),
        ('{"type": "\\u001b[2J"}', "Refused: That is no command the table understands: there is no type '\\x1b[2J'.\n"),
        (
            '{"type": "end_turn", "\\u001b[2J": 1}',
            "Refused: That is no command the table understands: end_turn.\ufffd[2J: there is no such field.\n",
        ),
    ],
)
async def test_a_refusal_is_a_sentence_and_status_1(server: TableServer, capsys: Captured, command: str, sentence: str):
    assert await send(server, command) == 1

    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(sentence)


async def test_what_comes_of_a_command_is_told_in_another_language(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL, "--lang", "de") == 0
    assert await send(server, '{"type": "end_turn"}', "--lang", "de") == 1

    assert capsys.readouterr() == (
        "Spielleitung würfelt mit 3 echten Würfeln für „luck“: 1 2 3.\n",
        "Abgelehnt: Das darf nur niemand.\n",
    )


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No answer: it may or may not have been done. Look with `watch` before you send it again.\n"),
        ("de", "Keine Antwort: Vielleicht ist es geschehen, vielleicht nicht. Sieh mit `watch` nach, bevor"),
    ],
)
async def test_who_gets_no_answer_is_told_that_it_may_have_been_done(
    server: TableServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    monkeypatch.setattr("dreadclock.cli.send.ANSWER_WITHIN_S", 0.5)
    server.keep_silent()

    assert await send(server, ROLL, "--lang", language) == 1
    out, err = capsys.readouterr()
    assert (out, err.startswith(told)) == ("", True)
    server.speak()


async def test_who_is_sent_away_before_the_answer_hears_that_it_may_be_done(server: TableServer, capsys: Captured):
    server.keep_silent()
    sending = asyncio.create_task(send(server, ROLL))
    await until(lambda: server.commands == 1)
    await server.close(CloseCode.REVOKED, "The token is void.")
    server.speak()

    assert await sending == 1
    assert capsys.readouterr().err.startswith("The token is void. No answer: it may or may not have been done. Look")


async def test_a_token_that_opens_nothing_is_one_sentence(server: TableServer, capsys: Captured) -> None:
    server.turned_away.append((CloseCode.UNAUTHORISED, "There is no such room\x1b[2J."))

    assert await send(server, ROLL) == 1
    assert capsys.readouterr() == ("", "There is no such room\ufffd[2J.\n")
