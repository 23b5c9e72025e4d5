"""Rolls that nobody can vouch for, without a token and without a witness: an audit names them by their seats."""

import json
from pathlib import Path
from typing import Any

import pytest

from dreadclock.cli import main
from dreadclock.dice.audit import audit
from dreadclock_server.core.draft import Actor
from kit.dice.lanes import dice, opening
from kit.evenings.audited import BOTH, PUBLIC, export_of
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, GM, Table

BARE: dict[str, Any] = {"type": "roll_dice", "pool": 2}
TOKEN = {**BARE, "dice": dice(1, f"seat/{ANN.seat_id}/1")}


def table() -> Table:
    table = Table(dice=LEDGER, physical_dice="everyone")
    table.write(opening(), by=ANN, dice=LEDGER)
    return table


def rolled(table: Table, order: dict[str, Any], by: Actor) -> int:
    """Roll, and return the number of the public record that shows it."""
    [record] = [each for each in table.write(order, by=by, dice=LEDGER) if each.channel in PUBLIC]
    return record.seq


def file_of(table: Table, *channels: Any) -> bytes:
    return export_of(table.texts, *channels)


@pytest.mark.parametrize("channels", [PUBLIC, BOTH], ids=["a player's file", "the gm's"])
def test_rolls_without_a_token_and_without_a_witness_are_named_by_seat(channels: tuple[Any, ...]):
    one = table()
    bare = [rolled(one, BARE, GM), rolled(one, BARE, BO), rolled(one, BARE, GM)]
    rolled(one, TOKEN, ANN)
    own = rolled(one, BARE, ANN)

    found = audit(file_of(one, *channels)).unvouched

    assert {seat: [each.seq for each in rolls] for seat, rolls in found.items()} == {
        GM.seat_id: [bare[0], bare[2]],
        BO.seat_id: [bare[1]],
        ANN.seat_id: [own],
    }


def test_a_witness_a_token_or_dice_on_the_table_speak_for_a_roll():
    one = table()
    before = rolled(one, BARE, GM)
    rolled(one, TOKEN, ANN)
    fixed_before = rolled(one, BARE, GM)  # right after a roll whose witnesses it uses
    rolled(one, BARE, GM)
    rolled(one, {**BARE, "faces": [3, 6]}, BO)
    one.write({**BARE, "visibility": "sealed"}, by=GM, dice=LEDGER)

    [(seat, rolls)] = audit(file_of(one, *BOTH)).unvouched.items()

    assert (seat, [each.seq for each in rolls]) == (GM.seat_id, [before, fixed_before])


def test_verify_lists_and_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, path = table(), tmp_path / "evening.jsonl"
    seqs = [rolled(one, BARE, GM) for _ in range(23)]
    own = rolled(one, BARE, ANN)
    path.write_bytes(file_of(one, *BOTH))

    assert main(["verify", str(path), "--rolls"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["verify", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    place = next(number for number, line in enumerate(lines) if line.startswith("Nobody can vouch for 24 rolls: "))
    assert lines[place + 1] == f"  gm: 23 rolls, records {', '.join(map(str, seqs[:20]))} and 3 more"
    assert lines[place + 2] == f"  {ANN.seat_id}: 1 roll, record {own}"
    assert sum("knew it ahead, and with no witness could have chosen it" in line for line in lines) == 24
    assert found["unvouched"] == {"gm": seqs, ANN.seat_id: [own]}


def test_verify_says_nothing_of_it_where_all_rolls_show_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    one, path = table(), tmp_path / "evening.jsonl"
    rolled(one, TOKEN, ANN)
    path.write_bytes(file_of(one, *BOTH))

    assert main(["verify", str(path)]) == 0
    assert "Nobody can vouch" not in capsys.readouterr().out
