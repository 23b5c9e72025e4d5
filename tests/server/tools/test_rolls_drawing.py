"""Characters, checks and totals as rows of a picture."""

import io
from typing import Any

from rich.console import Console

from dreadclock.wire.base import Visibility
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.tools.canvas import ASCII, Pen
from dreadclock_server.tools.drawing import Seen, sections
from dreadclock_server.tools.layout import whole
from kit.tables import ANN, BO, GM, WATCHER, Table, loaded

TOTAL = {"type": "propose_total", "id": "run", "character_id": "leanne", "attribute": 5, "purpose": "Outrun it"}


def table_of(*characters: dict[str, Any]) -> Table:
    table = Table(physical_dice="everyone", check_approval="open")
    for fields in characters:
        table.do({"type": "add_character", **fields})
    return table


def han_and_chen() -> Table:
    return table_of(
        {"id": "han", "name": "Han", "owner": ANN.seat_id, "attributes": {"Agility": 4}},
        {"id": "chen", "name": "Chen", "owner": BO.seat_id, "reflex": 3},
    )


def section(view: View, title: str, *, ids: bool = False) -> list[str]:
    """Draw a room in plain characters, and return the rows of one section with single spaces."""
    console = Console(file=io.StringIO(), width=180, color_system=None, _environ={})
    with console.capture() as capture:
        console.print(whole(sections(Seen(view), Pen(ASCII, 180, ids))))
    lines = [" ".join(line.split()) for line in capture.get().splitlines()]
    if title not in lines:
        return []
    rows = lines[lines.index(title) + 1 :]
    return rows[: rows.index("")]


def seen(table: Table, title: str, by: Actor = WATCHER) -> list[str]:
    return section(table.view_as(by), title)


def test_a_room_without_characters_and_rolls_has_no_such_sections() -> None:
    table = Table()

    assert [seen(table, title) for title in ("Characters", "Checks", "Totals")] == [[], [], []]


def test_a_check_that_waits_is_drawn_with_its_modifiers_and_its_odds() -> None:
    table = han_and_chen()
    venture = {"level": 1, "what": "A taunt"}
    table.do(
        {"type": "propose_check", "character_id": "han", "score": 3, "bonus": 1, "purpose": "Dive", "venture": venture}
    )
    table.do({"type": "set_policy", "check_approval": "gm"})
    table.do({"type": "propose_check", "character_id": "chen", "score": 2, "penalty": 1}, by=BO)

    assert seen(table, "Checks") == [
        "Han: Dive 3 dice +1, venture -1 waiting for the roll, 73% to succeed",
        "Chen 2 dice -1 waiting for the gm, 50% to succeed",
    ]


def test_a_contest_is_drawn_with_both_sides_and_who_won() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "id": "kick", "character_id": "han", "score": 3})
    table.do({"type": "oppose_check", "check_id": "kick", "character_id": "chen", "score": 2})

    assert seen(table, "Checks") == ["Han 3 dice waiting for the roll, 59% to succeed and win", "against Chen 2 dice"]

    table.do({"type": "roll_check", "check_id": "kick", "faces": [2, 4, 5]}, by=ANN)
    table.do({"type": "roll_check", "check_id": "kick"}, by=BO, dice=loaded(1, 6, 2))

    assert seen(table, "Checks") == [
        "Han 2 4 5 success, the other side wins by the highest die, real dice",
        "against Chen 1 6 2",
    ]


def test_dice_taken_away_by_a_penalty_are_in_brackets() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "id": "leap", "character_id": "han", "score": 1, "penalty": 1})

    table.do({"type": "roll_check", "check_id": "leap"}, by=ANN, dice=loaded(6, 2))

    assert seen(table, "Checks") == ["Han (6) 2 failure"]


def test_a_check_shows_what_will_be_rolled_and_no_more_odds_once_a_part_is_rolled() -> None:
    table = han_and_chen()
    venture = {"level": 1, "what": "a head start"}
    table.do({"type": "propose_check", "id": "feint", "character_id": "han", "score": 3, "venture": venture})
    table.do({"type": "roll_check", "check_id": "feint"}, by=ANN, dice=loaded(6, 6, 6, 1, 1, 1))
    table.do({"type": "propose_check", "id": "kick", "character_id": "han", "score": 4, "penalty": 1, "claim": True})
    table.do({"type": "oppose_check", "check_id": "kick", "character_id": "chen", "score": 2})

    assert seen(table, "Checks")[1:] == [
        "Han 4 dice -1 +1 for a head start, momentum waiting for the roll, 73% to succeed and win",
        "against Chen 2 dice",
    ]

    table.do({"type": "roll_check", "check_id": "kick"}, by=BO, dice=loaded(1, 2))

    assert seen(table, "Checks")[1:] == ["Han 4 dice -1 +1 for a head start, momentum rolling", "against Chen 1 2"]


def test_dice_of_ventures_that_are_not_meant_for_a_roll_are_not_shown_with_it() -> None:
    table = han_and_chen()
    for character, benefits in (("han", "check"), ("chen", "damage")):
        venture = {"level": 1, "what": f"a {benefits}", "beneficiary": "chen", "benefits": benefits}
        check_id = f"for-{benefits}"
        table.do(
            {
                "type": "propose_check",
                "id": check_id,
                "character_id": character,
                "score": 3,
                "venture": venture,
                "claims": [],
            }
        )
        table.do({"type": "roll_check", "check_id": check_id, "character_id": character, "faces": [5, 5, 4]})
    table.do({"type": "propose_check", "id": "unclaimed", "character_id": "chen", "score": 2, "claims": []}, by=BO)
    table.do({"type": "propose_check", "id": "claimed", "character_id": "chen", "score": 2, "claim": True}, by=BO)
    table.do({"type": "propose_check", "id": "gm-unseen", "character_id": "chen", "score": 2, "visibility": "gm"})

    drawn = [line.split(" waiting")[0] for line in seen(table, "Checks", GM) if line.startswith("Chen 2")]

    assert drawn == ["Chen 2 dice", "Chen 2 dice +1 for a check", "Chen 2 dice"]


def test_a_choice_that_waits_counts_as_what_it_would_become() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "id": "leap", "character_id": "han", "score": 2})
    table.do({"type": "adjust_check", "check_id": "leap", "stunts": ["Swing on"], "fumble_effects": ["Fall", "Freeze"]})

    assert seen(table, "Checks") == [
        "Han 2 dice waiting for the roll, 75% to succeed, after a triumph: Swing on, after a fumble: Fall, Freeze"
    ]

    table.do({"type": "roll_check", "check_id": "leap"}, by=ANN, dice=loaded(1, 1))
    table.do({"type": "propose_check", "id": "again", "character_id": "han", "score": 2}, by=ANN)

    assert seen(table, "Characters")[0] == ("Han of Ann, must choose: Fall / Freeze, Agility 4")
    assert seen(table, "Checks")[-1] == "Han 2 dice waiting for the roll, 75% to succeed"


def test_the_bargain_over_a_failure_is_shown_with_its_text() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "id": "leap", "character_id": "han", "score": 1})
    table.do({"type": "roll_check", "check_id": "leap"}, by=ANN, dice=loaded(2))
    table.do({"type": "propose_cost", "check_id": "leap", "cost": "A sprained ankle"}, by=ANN)

    assert seen(table, "Checks") == ["Han 2 failure, a cost is proposed: A sprained ankle"]

    table.do({"type": "answer_cost", "check_id": "leap", "answer": "counter", "terms": "A broken one"})

    assert seen(table, "Checks") == ["Han 2 failure, the gm asks another price: A broken one"]


def test_ids_stand_after_the_names_of_characters_checks_and_totals() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "character_id": "han", "score": 2, "purpose": "Dive", "contest": True})
    table.do({"type": "oppose_check", "check_id": "check-1", "character_id": "chen", "score": 2})
    table.do({"type": "propose_total", "character_id": "chen", "attribute": 2, "purpose": "Run"}, by=BO)

    drawn = [section(table.view, title, ids=True) for title in ("Characters", "Checks", "Totals")]

    assert [line.rpartition("]")[0] + "]" for lines in drawn for line in lines if "]" in line] == [
        *("Han [han]", "Chen [chen]", "Han: Dive [check-1]", "Chen: Run [total-1]")
    ]


def test_a_hidden_check_is_drawn_for_the_gm_alone() -> None:
    table = han_and_chen()
    table.do({"type": "propose_check", "character_id": "han", "score": 1, "visibility": Visibility.GM})

    assert seen(table, "Checks") == []
    assert seen(table, "Checks", GM) == ["Han 1 die waiting for the roll, 50% to succeed, gm only"]


def test_what_waits_for_a_character_is_drawn() -> None:
    table = han_and_chen()
    venture = {"level": 2, "what": "Throw sand", "beneficiary": "chen"}
    table.do({"type": "propose_check", "id": "feint", "character_id": "han", "score": 4, "venture": venture})

    table.do({"type": "roll_check", "check_id": "feint"}, by=ANN, dice=loaded(6, 6, 6, 6, 1, 1, 1, 1))

    assert seen(table, "Characters") == [
        "Han of Ann, momentum, Agility 4",
        "Chen of Bo, +2 for check: Throw sand, reflex 3",
    ]


def test_a_total_is_drawn_until_it_brings_a_crisis() -> None:
    table = table_of({"id": "leanne", "name": "Leanne", "owner": ANN.seat_id})
    table.do(TOTAL, by=ANN)
    table.do({"type": "set_required", "total_id": "run", "required": 13, "secret": True, "crisis": "physical"})

    assert seen(table, "Totals") == [
        "Leanne: Outrun it 5 dice waiting for the roll, needs a secret number, the risk is a physical crisis"
    ]

    table.do({"type": "roll_total", "total_id": "run", "faces": [2, 4, 4, 4, 5]}, by=ANN)
    table.do({"type": "offer_push", "total_id": "run"})

    stake = "needs 13 (secret), the risk is a physical crisis, 50% for a crisis, real dice"
    assert seen(table, "Totals", GM) == [f"Leanne: Outrun it 2 4 (4) (4) 5 a push is on offer, total 11, {stake}"]

    table.do({"type": "push_luck", "total_id": "run"}, by=ANN, dice=loaded(1))
    table.do({"type": "offer_push", "total_id": "run"})
    table.do({"type": "push_luck", "total_id": "run"}, by=ANN, dice=loaded(5))

    stake = "needs 13 (secret), the risk is a physical crisis, real dice"
    assert seen(table, "Totals", GM) == [f"Leanne: Outrun it 2 4 (4) (4) 5 1 (5) not enough, total 12, {stake}"]
    assert seen(table, "Characters") == ["Leanne physical X__ of Ann"]


def test_a_revealed_number_is_no_secret_any_more() -> None:
    table = table_of({"id": "leanne", "name": "Leanne"})
    table.do(TOTAL)
    table.do({"type": "set_required", "total_id": "run", "required": 13, "secret": True})

    table.do({"type": "reveal", "thing_id": "run"})

    assert seen(table, "Totals", GM) == ["Leanne: Outrun it 5 dice waiting for the roll, needs 13"]


def test_a_crisis_is_described_while_it_is_at_stake_and_ever_after() -> None:
    table = table_of({"id": "leanne", "name": "Leanne", "reflex": 2, "specials": [{"name": "Racer", "starred": True}]})
    table.do(TOTAL)
    table.do({"type": "set_required", "total_id": "run", "required": 21})
    table.do({"type": "roll_total", "total_id": "run", "faces": [2, 4, 4, 4, 5]})
    table.do({"type": "offer_push", "total_id": "run", "crisis": "physical", "description": "A crash"})

    assert "the risk is a physical crisis: A crash, 50% for a crisis" in seen(table, "Totals")[0]

    table.do({"type": "push_luck", "total_id": "run", "faces": [2]})

    assert seen(table, "Characters") == ["Leanne physical X__ reflex 2, Racer*, physical crisis: A crash"]


def test_a_crisis_that_waits_for_its_kind_is_named_with_its_total() -> None:
    table = table_of({"id": "leanne", "name": "Leanne"})
    table.do(TOTAL)
    table.do({"type": "set_required", "total_id": "run", "required": 21})
    table.do({"type": "roll_total", "total_id": "run", "faces": [2, 4, 4, 4, 5]})
    table.do({"type": "offer_push", "total_id": "run"})
    table.do({"type": "push_luck", "total_id": "run", "faces": [2]})

    assert section(table.view, "Characters", ids=True) == ["Leanne [leanne] the gm describes the crisis next [run]"]
