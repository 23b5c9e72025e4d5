"""`dreadclock export` against a real server: what a link may see, in a file that stands alone."""

import asyncio
from pathlib import Path

import pytest

from dreadclock.cli import main
from dreadclock.cli.export import named_like
from dreadclock.client.room import connect
from dreadclock.dice.fingerprint import six_words
from dreadclock.export import read_export
from dreadclock.wire.base import Channel
from dreadclock_server.evening.verify import verify
from kit.rooms import Table

Captured = pytest.CaptureFixture[str]
SECRET = {"type": "start_countdown", "name": "Wyrd", "pool": 3, "visibility": "gm"}


def link(table: Table, name: str) -> str:
    return str(table.grants[name]["link"])


async def run(*arguments: object) -> int:
    return await asyncio.to_thread(main, list(map(str, arguments)))


async def play(table: Table, rolls: int = 3) -> None:
    """Let the gm and ann roll with tokens, and keep a secret."""
    async with connect(link(table, "gm")) as gm, connect(link(table, "ann")) as ann:
        for _ in range(rolls):
            await gm.roll_dice(3)
            await ann.roll_dice(2)
        await gm.submit(SECRET)
        await gm.start_countdown("Gas", 30, id="gas", visibility="sealed", bound_to="turn")
        await gm.end_turn()
        await gm.reveal("gas")


async def test_the_gms_export_holds_all_and_verifies(table: Table, tmp_path: Path, capsys: Captured) -> None:
    await play(table)
    path = tmp_path / "evening.jsonl"

    assert await run("export", link(table, "gm"), "-o", path) == 0

    report = verify(path.read_bytes())
    assert [str(fault) for fault in report.faults] == []
    assert set(report.positions) == set(Channel)
    assert "Wyrd" in path.read_text()
    head = report.positions[Channel.PUBLIC]
    told = capsys.readouterr().out
    assert (
        f'Wrote {report.records} records of "{table.title}" to {path}. It also contains what only the gm sees.' in told
    )
    assert f"Record {head.seq} of the public log reads: {' '.join(six_words(head.hash))}" in told
    assert await run("verify", path, "--head", f"{head.seq}:{head.hash}") == 0


async def test_a_file_that_is_there_is_written_over_only_when_told(table: Table, tmp_path: Path, capsys: Captured):
    path = tmp_path / "evening.jsonl"
    path.write_text("mine")

    assert await run("export", link(table, "gm"), "-o", path) == 2
    assert "is there already; --force writes over it" in capsys.readouterr().err
    assert path.read_text() == "mine"

    assert await run("export", link(table, "gm"), "-o", path, "--force") == 0
    assert read_export(path.read_bytes()).records


async def test_without_a_name_the_file_is_named_by_room(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    assert await run("export", link(table, "gm")) == 0

    [path] = await asyncio.to_thread(lambda: list(tmp_path.iterdir()))
    assert path.name == named_like(table.title)
    assert verify(path.read_bytes()).sound


async def test_stdout_takes_the_bytes_and_stderr_the_six_words(table: Table, capfdbinary: pytest.CaptureFixture[bytes]):
    assert await run("export", link(table, "gm"), "-o", "-") == 0

    out, err = capfdbinary.readouterr()
    assert verify(out).sound
    assert " ".join(verify(out).words) in err.decode()


async def test_a_room_that_goes_on_meanwhile_is_exported_as_it_stood(table: Table, tmp_path: Path) -> None:
    async with connect(link(table, "gm")) as gm:
        exported = False

        async def keep_on() -> None:
            while not exported:
                await gm.submit({**SECRET, "visibility": "sealed"})
                await gm.end_turn()

        going = asyncio.create_task(keep_on())
        for number in range(5):
            path = tmp_path / f"{number}.jsonl"
            assert await run("export", link(table, "gm"), "-o", path) == 0
            assert [str(fault) for fault in verify(path.read_bytes()).faults] == []
        exported = True
        await going
