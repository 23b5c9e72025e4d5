"""The dice: counted once each, and compared with fair ones."""

import pytest

from dreadclock.dice.audit import Fault, FaultKind, Report, RollReport, Standing, audit
from dreadclock.wire.base import Channel
from dreadclock.wire.events import CheckResolved
from dreadclock_server.evening.recap.dice import ENOUGH, Tally, chi_square, stray_chance, tallies, throws
from dreadclock_server.evening.recap.proofs import alarm, proofs
from dreadclock_server.evening.recap.words import words_of
from kit.evenings.played import BOTH, export_of, played, steps_of
from kit.tables import ANN, BO, Table, loaded

# Five degrees of freedom, as printed in tables of chi-square.
TABLE = [(0.554, 0.99), (1.145, 0.95), (4.351, 0.50), (9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)]


@pytest.mark.parametrize(("x", "chance"), TABLE)
def test_the_chance_to_stray_is_the_one_that_tables_print(x: float, chance: float) -> None:
    assert stray_chance(x) == pytest.approx(chance, rel=2e-3)


def test_equal_counts_do_not_stray_at_all() -> None:
    assert chi_square((7,) * 6) == 0
    assert stray_chance(0) == 1


def test_chi_square_adds_up_the_squares_of_what_is_too_many_and_too_few() -> None:
    assert chi_square((16, 4, 10, 10, 10, 10)) == pytest.approx((36 + 36) / 10)


def test_far_out_the_chance_is_tiny_and_not_less_than_nothing() -> None:
    assert 0 <= stray_chance(10_000) < 1e-300


def test_of_few_dice_nothing_is_said() -> None:
    assert Tally("gm", physical=False, counts=(ENOUGH - 1, 0, 0, 0, 0, 0)).chance is None
    assert Tally("gm", physical=False, counts=(ENOUGH, 0, 0, 0, 0, 0)).chance is not None


def table() -> Table:
    return Table(physical_dice="everyone", check_approval="open")


def test_physical_dice_are_counted_apart_and_several_seats_together_first() -> None:
    evening = table()
    evening.do({"type": "roll_dice", "pool": 2}, by=ANN, dice=loaded(1, 6))
    evening.do({"type": "roll_dice", "pool": 3}, by=BO, dice=loaded(6, 6, 2))
    evening.do({"type": "roll_dice", "pool": 1, "faces": [5]}, by=BO)

    assert tallies(steps_of(evening.records)) == (
        Tally(None, physical=False, counts=(1, 1, 0, 0, 0, 3)),
        Tally(ANN.seat_id, physical=False, counts=(1, 0, 0, 0, 0, 1)),
        Tally(BO.seat_id, physical=False, counts=(0, 1, 0, 0, 0, 2)),
        Tally(BO.seat_id, physical=True, counts=(0, 0, 0, 0, 1, 0)),
    )


def test_every_way_to_roll_is_counted() -> None:
    evening = table()
    evening.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id}, by=ANN)
    evening.do({"type": "add_character", "id": "bea", "name": "Bea", "owner": BO.seat_id}, by=BO)
    evening.do({"type": "start_countdown", "id": "air", "name": "Air", "pool": 2})
    evening.do({"type": "roll_countdown", "countdown_id": "air"}, dice=loaded(1, 2))
    evening.do({"type": "propose_check", "id": "duel", "character_id": "ada", "score": 1, "contest": True}, by=ANN)
    evening.do({"type": "oppose_check", "check_id": "duel", "character_id": "bea", "score": 1}, by=BO)
    evening.do({"type": "roll_check", "check_id": "duel"}, by=ANN, dice=loaded(5))
    evening.do({"type": "roll_check", "check_id": "duel"}, by=BO, dice=loaded(5, 3, 4))
    evening.do({"type": "propose_total", "id": "leap", "character_id": "ada", "attribute": 3}, by=ANN)
    evening.do({"type": "set_required", "total_id": "leap", "required": 20, "crisis": "mental"})
    evening.do({"type": "roll_total", "total_id": "leap"}, by=ANN, dice=loaded(2, 2, 3))
    evening.do({"type": "offer_push", "total_id": "leap"})
    evening.do({"type": "push_luck", "total_id": "leap"}, by=ANN, dice=loaded(6))
    steps = steps_of(evening.records)

    assert [thrown.faces for thrown in throws(steps)] == [(1, 2), (5,), (5,), (3, 4), (2, 2, 3), (6,)]
    assert {thrown.seat_id for thrown in throws(steps)} == {"gm", ANN.seat_id, BO.seat_id}


def test_dice_of_secrets_are_counted_once_by_the_gm_and_from_their_reveal_by_the_others() -> None:
    evening = table()
    evening.do({"type": "add_character", "id": "foe", "name": "Foe"})
    evening.do({"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 2, "visibility": "sealed"})
    evening.do({"type": "roll_countdown", "countdown_id": "gas"}, dice=loaded(1, 2))
    evening.do({"type": "roll_dice", "id": "gm-luck", "pool": 2, "visibility": "gm"}, dice=loaded(3, 3))
    evening.do({"type": "propose_check", "id": "lie", "character_id": "foe", "score": 1, "visibility": "sealed"})
    before = len(evening.records)
    evening.do({"type": "roll_check", "check_id": "lie"}, dice=loaded(4))  # which brings it to light
    for secret in ("gas", "gm-luck"):
        evening.do({"type": "reveal", "thing_id": secret})

    assert sorted(each.faces for each in throws(steps_of(evening.records))) == [(1, 2), (3, 3), (4,)]
    assert sorted(each.faces for each in throws(steps_of(evening.records, Channel.PUBLIC))) == [(1, 2), (3, 3), (4,)]
    assert list(throws(steps_of(evening.records[:before], Channel.PUBLIC))) == []


def test_after_a_whole_evening_everyone_counts_what_the_gm_does_where_nothing_stayed_secret() -> None:
    records = played(300)
    assert not any(isinstance(record.event, CheckResolved) and record.channel is Channel.GM for record in records)

    of_gm, of_others = (tallies(steps_of(records, *channels)) for channels in (BOTH, (Channel.PUBLIC,)))

    assert of_gm[0].dice > 100
    assert of_gm == of_others


# What an audit says of the dice, in a recap


ENGLISH, GERMAN = words_of("en"), words_of("de")


def rolled(standing: Standing, witnesses: int = 0) -> RollReport:
    return RollReport(Channel.PUBLIC, 1, "seat/gm/1", 1, standing, witnesses)


def report(*rolls: RollReport, faults: tuple[Fault, ...] = ()) -> Report:
    return Report(None, 9, {}, rolls, faults)


def test_rolls_are_counted_by_what_they_stand_on_and_the_proven_by_their_witnesses() -> None:
    found = report(
        rolled(Standing.PROVEN), rolled(Standing.PROVEN, 2), rolled(Standing.PROVEN, 1), rolled(Standing.PHYSICAL)
    )

    assert list(proofs(found, ENGLISH)) == [
        "4 rolls, checked from the export:",
        ("3 proven: the server fixed the dice before the roll. Another browser took part in 2 of them."),
        "1 with real dice: nothing can prove them.",
    ]


def test_that_no_proven_roll_has_a_witness_is_said() -> None:
    _, proven = proofs(report(rolled(Standing.PROVEN)), ENGLISH)

    assert "No other browser took part" in proven


def test_every_standing_has_its_words() -> None:
    for words in (ENGLISH, GERMAN):
        lines = list(proofs(report(*map(rolled, Standing)), words))
        assert len(lines) == 1 + len(Standing)
        assert not any(line.startswith("proof") for line in lines)


def test_without_rolls_there_is_nothing_to_prove() -> None:
    assert list(proofs(report(), ENGLISH)) == []


def test_an_export_that_does_not_hold_is_said_to_and_one_that_does_is_not() -> None:
    fault = Fault(7, Channel.PUBLIC, 6, "no", FaultKind.DICE)

    assert alarm(report(), ENGLISH) == ""
    assert alarm(report(faults=(fault,)), ENGLISH) == (
        "This export is not valid: 1 fault, the first in line 7. dreadclock verify lists it."
    )
    assert alarm(report(faults=(fault, fault)), GERMAN) == (
        "Dieser Export ist nicht gültig: 2 Fehler, der erste in Zeile 7. dreadclock verify nennt sie alle."
    )


def test_a_played_evening_holds_and_its_rolls_are_all_accounted_for() -> None:
    found = audit(export_of(played(100)))

    assert alarm(found, ENGLISH) == ""
    assert len(found.rolls) > 20
    assert sum(found.counts.values()) == len(found.rolls)
