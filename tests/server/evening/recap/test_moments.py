"""Moments: the rolls that came out most against their odds."""

from fractions import Fraction

from dreadclock.wire.base import Channel
from dreadclock_server.evening.recap.moments import MOST, Moment, moments
from kit.evenings.played import BOTH, steps_of
from kit.tables import ANN, BO, Table


def evening() -> Table:
    table = Table(physical_dice="everyone", check_approval="open")
    for name, owner in (("rook", ANN), ("sparks", BO)):
        table.do(
            {
                "type": "add_character",
                "id": name,
                "name": name.title(),
                "owner": owner.seat_id,
                "attributes": {"Wits": 3},
            }
        )
    return table


def check(table: Table, key: str, faces: list[int]) -> None:
    """Let a character of its own roll a check: what a roll brings changes the next one."""
    table.do({"type": "add_character", "id": f"hero-{key}", "name": f"Hero {key}", "owner": ANN.seat_id})
    table.do({"type": "propose_check", "id": key, "character_id": f"hero-{key}", "score": 3, "purpose": f"do {key}"})
    table.do({"type": "roll_check", "check_id": key, "character_id": f"hero-{key}", "faces": faces})


def found(table: Table, *channels: Channel) -> list[tuple[str, str]]:
    return [(moment.purpose or "", moment.verdict) for moment in moments(steps_of(table.records, *(channels or BOTH)))]


def test_the_three_least_likely_rolls_are_told_in_their_order() -> None:
    table = evening()
    rolls = {"a": [1, 1, 1], "b": [5, 3, 2], "c": [6, 6, 1, 2, 3], "d": [4, 1, 1], "e": [6, 6, 6, 1, 1, 1]}
    for key, faces in rolls.items():
        check(table, key, faces)

    assert found(table) == [("do a", "fumble"), ("do c", "triumph"), ("do e", "triumph")]
    assert MOST == 3


def test_a_check_shows_its_dice_with_what_decided_and_its_exact_chance() -> None:
    table = evening()
    check(table, "a", [1, 1, 1])
    check(table, "b", [6, 2, 5, 6, 1])

    fumble, triumph = moments(steps_of(table.records))

    dice, chance = ((1, ""), (1, ""), (1, "")), Fraction(1, 216)
    assert fumble == Moment(fumble.at, "Hero a", "do a", dice, "fumble", chance, chance)
    assert triumph.dice == ((6, "gold"), (2, ""), (5, ""), (6, "gold"), (1, ""))
    assert triumph.chance == triumph.weight
    assert 0 < triumph.chance < Fraction(1, 5)


def test_a_contest_is_won_or_lost_by_the_winning_sides_highest_dice() -> None:
    table = evening()
    table.do({"type": "propose_check", "id": "duel", "character_id": "rook", "score": 2, "contest": True})
    table.do({"type": "oppose_check", "check_id": "duel", "character_id": "sparks", "score": 2})
    for name, faces in (("rook", [5, 5]), ("sparks", [6, 1, 1])):
        table.do({"type": "roll_check", "check_id": "duel", "character_id": name, "faces": faces})

    (moment,) = moments(steps_of(table.records))

    assert (moment.character, moment.verdict) == ("Rook", "lost")
    assert moment.dice == ((5, ""), (5, ""), (6, "gold"), (1, ""), (1, ""))
    assert moment.chance == Fraction(1, 2)  # the sides have as many dice


def pushed(table: Table, face: int, *, secret: bool = False) -> None:
    table.do(
        {"type": "propose_total", "id": "lock", "character_id": "sparks", "attribute": "Wits", "purpose": "open it"}
    )
    table.do({"type": "set_required", "total_id": "lock", "required": 14, "crisis": "physical", "secret": secret})
    table.do({"type": "roll_total", "total_id": "lock", "faces": [5, 3, 3]})
    table.do({"type": "offer_push", "total_id": "lock"})
    table.do({"type": "push_luck", "total_id": "lock", "faces": [face]})


def test_a_push_tells_what_it_risked_and_replaces_the_roll_of_its_total() -> None:
    table, other = evening(), evening()
    pushed(table, 6)
    pushed(other, 5)

    (enough,), (crisis,) = moments(steps_of(table.records)), moments(steps_of(other.records))

    assert (enough.verdict, enough.chance) == ("enough", Fraction(1, 6))
    assert enough.dice == ((5, ""), (3, ""), (3, "lost"), (6, "gold"))
    assert (crisis.verdict, crisis.chance) == ("crisis", Fraction(1, 3))
    assert crisis.dice[-1] == (5, "blood")


def test_what_only_the_gm_rolled_or_knew_is_no_moment() -> None:
    table = evening()
    pushed(table, 6, secret=True)
    table.do({"type": "propose_check", "id": "gm-lie", "character_id": "rook", "score": 3, "visibility": "gm"})
    table.do({"type": "roll_check", "check_id": "gm-lie", "faces": [1, 1, 1]})

    assert found(table) == found(table, Channel.PUBLIC) == []


def test_what_was_certain_is_no_moment() -> None:
    table = evening()
    table.do({"type": "propose_check", "id": "none", "character_id": "rook", "score": 0})
    table.do({"type": "roll_check", "check_id": "none"})

    assert found(table) == []
