"""What an audit says of the dice, in a recap."""

from __future__ import annotations

from dreadclock.dice.audit import Fault, FaultKind, Report, RollReport, Standing, audit
from dreadclock.wire.base import Channel
from dreadclock_server.evening.recap.proofs import alarm, proofs
from dreadclock_server.evening.recap.words import words_of
from kit.evenings.played import export_of, played

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
