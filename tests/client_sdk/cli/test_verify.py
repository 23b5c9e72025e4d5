"""`dreadclock verify`: what it says of a file, and how it ends."""

import json
from pathlib import Path
from time import perf_counter

import pytest

from dreadclock.cli import main, program
from dreadclock.dice.audit import audit
from dreadclock.wire.base import Channel
from kit.cheating.forging import changed, find
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of

Captured = pytest.CaptureFixture[str]
EVENTS = 300


def texts() -> list[str]:
    return list(evening_of(EVENTS))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(export_of(texts(), *BOTH))
    return path


def said(capsys: Captured, *arguments: object) -> tuple[int, list[str]]:
    code = main(["verify", *map(str, arguments)])
    return code, capsys.readouterr().out.splitlines()


def test_a_sound_file_is_said_to_hold(file: Path, capsys: Captured):
    report = audit(file.read_bytes())

    code, lines = said(capsys, file)

    assert code == 0
    assert lines[0] == f"Every one of {report.records} records holds."
    assert lines[1].startswith(f"{len(report.rolls)} rolls: ")
    assert "server and roller together could have chosen them" in lines[2]
    assert (
        lines[-1] == f"Record {report.positions[Channel.PUBLIC].seq} of the public log reads: {' '.join(report.words)}"
    )


def test_each_roll_is_told_when_asked(file: Path, capsys: Captured):
    report = audit(file.read_bytes())

    code, lines = said(capsys, file, "--rolls")

    told = lines[: len(report.rolls)]
    assert code == 0
    assert lines[len(report.rolls)].startswith("Every one of")
    for ending in (
        "physical dice",
        "proven, with no witness: server and roller together could have chosen it",
        "proven, with 2 witnesses",
        "uncommitted: only the gm knew of it, and nothing was published before",
    ):
        assert any(line.endswith(f" - {ending}") for line in told), ending
    assert any(" - no token: the server alone knew it ahead" in line for line in told)


def test_a_players_file_says_what_is_not_in_it(tmp_path: Path, capsys: Captured):
    path = tmp_path / "evening.jsonl"
    path.write_bytes(export_of(texts(), *PUBLIC))

    code, lines = said(capsys, path)

    assert code == 0
    assert "What only the gm saw is not in this file." in lines
    assert any(line.startswith("What hidden things caused is not explained by this export: lines ") for line in lines)
    assert "sealed and not yet revealed" in lines[1]


def test_what_does_not_hold_is_named_with_its_line_channel_and_number(tmp_path: Path, capsys: Captured):
    place = find(texts(), "total_rolled")
    seq = sum('"channel":"public"' in text for text in texts()[: place + 1])
    path = tmp_path / "evening.jsonl"
    forged = changed(texts(), place, lambda record: record["event"].update(total=record["event"]["total"] + 1))
    path.write_bytes(export_of(forged, *BOTH))

    code, lines = said(capsys, path)

    assert code == 1
    assert lines[0].startswith("This does not hold: ")
    assert f"The first is at line {place + 2}, record {seq} of public: total_rolled: its total is " in lines[0]


def test_without_the_server_it_says_rules_go_unchecked(file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(program, "entry_points", lambda group: ())
    place = find(texts(), "total_rolled")
    forged = changed(texts(), place, lambda record: record["event"].update(total=record["event"]["total"] + 1))
    file.write_bytes(export_of(forged, *BOTH))

    code, lines = said(capsys, file)
    assert code == 0
    assert lines[-1].startswith("The rules were not checked. ")
    assert 'pip install "./server" adds that' in lines[-1]
    assert (main(["verify", str(file), "--json"]), json.loads(capsys.readouterr().out)["rules"]) == (0, False)


def test_a_head_that_was_noted_is_looked_for(file: Path, capsys: Captured):
    report = audit(file.read_bytes())
    end = report.positions[Channel.PUBLIC]

    assert (
        said(capsys, file, "--head", f"{end.seq}:{' '.join(report.words)}", "--head", f"{end.seq}:{end.hash}")[0] == 0
    )
    code, lines = said(capsys, file, "--head", f"{end.seq + 5}:{end.hash}")
    assert code == 1
    assert f"record {end.seq + 5} was seen, and the file ends at {end.seq}: its end is missing" in lines[0]


def test_all_of_it_is_json_when_asked(file: Path, capsys: Captured):
    report = audit(file.read_bytes())

    code = main(["verify", str(file), "--json"])
    found = json.loads(capsys.readouterr().out)

    assert (code, found["sound"], found["rules"], found["records"]) == (0, True, True, report.records)
    assert found["words"] == list(report.words)
    assert len(found["rolls"]) == len(report.rolls)
    assert found["rolls"][0].keys() == {"channel", "seq", "lane", "n", "standing", "witnesses", "faces", "line"}


@pytest.mark.parametrize("arguments", [["nowhere.jsonl"], []])
def test_a_file_that_is_not_there_is_misuse(arguments: list[str], capsys: Captured):
    assert main(["verify", *arguments]) == 2


def test_a_head_that_is_none_is_misuse(file: Path, capsys: Captured):
    assert main(["verify", str(file), "--head", "12:lusab"]) == 2
    assert "a noted head looks like 512:HEAD" in capsys.readouterr().err


def test_500_events_take_well_under_a_second(figures: list[str]):
    data = export_of(list(evening_of(500)), *BOTH)
    began = perf_counter()

    report = audit(data)

    took_ms = 1000 * (perf_counter() - began)
    figures.append(f"an audit of {report.records} events: {took_ms:.0f} ms")
    assert report.sound
