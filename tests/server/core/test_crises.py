"""Crises: boxes, their kind and description, death and retirement. Rulings D5-D8."""

from typing import Any

import pytest

from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import CharacterStatus, Crisis
from kit.families.totals import ada, at_table, crisis, failed, finished, offered, order, propose, proposed, rolled
from kit.tables import ANN, Table, loaded

DEATHS = {"physical": CharacterStatus.DEAD, "mental": CharacterStatus.RETIRED}


def suffered(total_id: str, kind: str, box: int, description: str | None = None) -> e.CrisisSuffered:
    one = Crisis(total_id=total_id, kind=CrisisKind(kind), box=box, description=description)
    return e.CrisisSuffered(character_id="ada", crisis=one)


def describe(total_id: str = "fall", **more: Any) -> dict[str, Any]:
    return {**order("describe_crisis", total_id), "description": "A bad knee", **more}


def fallen(**stake: Any) -> Table:
    """Let Ada push a total too far."""
    table = at_table()
    crisis(table, "fall", **stake)
    return table


def out(kind: str, table: Table | None = None) -> Table:
    """Let Ada suffer three crises of a kind."""
    table = table or at_table()
    for number in range(3):
        crisis(table, f"{kind}-{number}", crisis=kind)
    return table


# Boxes


@pytest.mark.rule("D-crisis", "D7")
@pytest.mark.parametrize(
    ("kind", "last"),
    [("physical", e.CharacterDied(character_id="ada")), ("mental", e.CharacterRetired(character_id="ada"))],
    ids=["physical", "mental"],
)
def test_the_third_physical_crisis_kills_and_the_third_mental_one_retires(kind: str, last: e.Event):
    table = at_table()

    assert crisis(table, "one", crisis=kind) == [suffered("one", kind, 1)]
    assert crisis(table, "two", crisis=kind) == [suffered("two", kind, 2)]
    assert ada(table).status is CharacterStatus.IN_PLAY
    assert crisis(table, "three", crisis=kind) == [suffered("three", kind, 3), last]
    assert ada(table).status is DEATHS[kind]


@pytest.mark.rule("D7")
def test_two_crises_of_each_kind_leave_a_character_in_play():
    table = at_table()
    for number, kind in enumerate(("physical", "mental", "physical", "mental")):
        crisis(table, f"fall-{number}", crisis=kind)

    assert [(one.kind, one.box) for one in ada(table).crises] == [
        ("physical", 1),
        ("mental", 1),
        ("physical", 2),
        ("mental", 2),
    ]
    assert table.do(propose(), by=ANN)


@pytest.mark.rule("D6")
def test_the_kind_said_with_the_number_holds_if_the_offer_names_none():
    table = rolled(1, number=9, crisis="mental", total_id="fall")
    table.do(order("offer_push", "fall", description="The dark"))

    events = table.do(order("push_luck", "fall"), by=ANN, dice=loaded(1))

    assert events[-1] == suffered("fall", "mental", 1, "The dark")


# The kind is yet to be said


@pytest.mark.rule("D6")
def test_a_crisis_of_an_unknown_kind_marks_no_box_before_the_gm_names_it():
    table = at_table()

    assert crisis(table, "fall") == [e.CrisisDue(character_id="ada", total_id="fall")]
    assert (ada(table).crises, ada(table).crisis_due) == ((), "fall")
    assert table.do(describe(kind="mental")) == [suffered("fall", "mental", 1, "A bad knee")]
    assert ada(table).crisis_due is None


@pytest.mark.rule("D6")
@pytest.mark.parametrize(
    ("attempt", "faces"),
    [
        (propose("other"), ()),
        (order("roll_total", "ready"), (3, 4)),
        (order("push_luck", "pushed"), (3,)),
        ({"type": "roll_dice", "pool": 1, "character_id": "ada"}, (3,)),
        ({"type": "propose_check", "character_id": "ada", "score": 2}, ()),
    ],
    ids=lambda one: one["type"] if isinstance(one, dict) else "",
)
def test_until_the_kind_is_named_the_character_rolls_nothing(attempt: dict[str, Any], faces: tuple[int, ...]):
    table = proposed("ready")
    offered(2, total_id="pushed", table=table)
    crisis(table, "fall")

    refused = table.refused(attempt, by=ANN)
    table.do(describe(kind="physical"))

    assert (refused.code, refused.details) == (Code.CRISIS_WAITS, {"id": "ada"})
    assert table.do(attempt, by=ANN, dice=loaded(*faces))


@pytest.mark.rule("D6")
def test_a_crisis_that_waits_needs_its_kind():
    table = fallen()

    assert table.refusal(describe()) == (Code.CRISIS_KIND_NEEDED, {"id": "fall"})


@pytest.mark.rule("D6", "D7")
def test_naming_the_kind_may_mark_the_third_box():
    table = at_table()
    for number in range(2):
        crisis(table, f"fall-{number}", crisis="physical")
    crisis(table, "last")

    assert table.do(describe("last", kind="physical")) == [
        suffered("last", "physical", 3, "A bad knee"),
        e.CharacterDied(character_id="ada"),
    ]


# Descriptions


@pytest.mark.rule("D6")
@pytest.mark.parametrize("kind", [{}, {"kind": "physical"}], ids=["kind left out", "the same kind"])
def test_a_crisis_that_was_marked_before_is_described_later(kind: dict[str, str]):
    table = fallen(crisis="physical")

    events = table.do(describe(**kind))

    described = Crisis(total_id="fall", kind=CrisisKind.PHYSICAL, box=1, description="A bad knee")
    assert events == [e.CrisisDescribed(character_id="ada", crisis=described)]
    assert ada(table).crises == (described,)


@pytest.mark.rule("D8")
@pytest.mark.parametrize(
    "stake",
    [{"crisis": "physical", "description": "A limp"}, {"crisis": "physical"}, {}],
    ids=["with the offer", "later", "with its kind"],
)
def test_a_crisis_is_described_once(stake: dict[str, str]):
    table = fallen(**stake)
    if "description" not in stake:
        table.do(describe(kind="physical"))
    before = ada(table)

    refused = table.refused(describe(description="Nothing at all"))

    assert (refused.code, refused.details) == (Code.CRISIS_STANDS, {"id": "fall", "kind": "physical"})
    assert ada(table) == before


@pytest.mark.rule("D8")
def test_a_crisis_that_was_marked_does_not_change_its_kind():
    refused = fallen(crisis="physical").refused(describe(kind="mental"))

    assert (refused.code, refused.details) == (Code.CRISIS_STANDS, {"id": "fall", "kind": "physical"})


def test_only_a_total_that_brought_a_crisis_has_one_to_describe():
    table = rolled(1, number=9, total_id="fall")

    refused, unknown = table.refused(describe(kind="mental")), table.refused(describe("other", kind="mental"))

    assert (refused.code, refused.details) == (Code.NO_CRISIS, {"id": "fall"})
    assert (unknown.code, unknown.details) == (Code.UNKNOWN, {"kind": "total", "id": "other"})


@pytest.mark.rule("D6", "D8")
@pytest.mark.parametrize("stake", [{}, {"crisis": "physical"}], ids=["kind unknown", "kind known"])
def test_a_crisis_is_described_however_long_ago_its_total_was(stake: dict[str, str]):
    table = fallen(**stake)
    finished(table, 40)

    assert "fall" not in table.view.totals
    assert table.do(describe(kind="physical"))
    assert [(one.box, one.description) for one in ada(table).crises] == [(1, "A bad knee")]


def test_the_crisis_that_killed_is_described_after_the_death():
    table = out("physical")

    assert table.do(describe("physical-2"))
    assert ada(table).crises[2].description == "A bad knee"


# Out of play


@pytest.mark.rule("D7")
@pytest.mark.parametrize("kind", ["physical", "mental"])
def test_totals_of_a_character_out_of_play_stay_as_they_are_and_roll_no_more(kind: str):
    table = proposed("ready")
    rolled(2, number=9, total_id="missed", table=table)
    offered(2, total_id="pushed", table=table)
    before = table.view.totals

    out(kind, table)

    for attempt in (order("roll_total", "ready"), order("offer_push", "missed"), order("push_luck", "pushed")):
        assert table.refusal(attempt) == (Code.OUT_OF_PLAY, {"id": "ada", "status": DEATHS[kind]})
    assert {key: table.view.totals[key] for key in before} == before


@pytest.mark.rule("D7")
def test_the_gm_closes_what_a_dead_character_leaves_open():
    table = proposed("ready")
    rolled(2, number=9, total_id="missed", table=table)
    offered(2, total_id="pushed", table=table)
    out("physical", table)

    assert table.do(order("withdraw_total", "ready")) == [e.TotalWithdrawn(total_id="ready")]
    assert table.do(order("stop_pushing", "missed")) == [failed("missed")]
    assert table.do(order("stop_pushing", "pushed")) == [failed("pushed")]


@pytest.mark.rule("D7", "D8")
@pytest.mark.parametrize("stake", [{"crisis": "physical"}, {}], ids=["kind known", "kind unknown"])
def test_two_offers_at_once_never_lead_to_a_fourth_box(stake: dict[str, Any]):
    table = at_table()
    for number in range(2):
        crisis(table, f"fall-{number}", crisis="physical")
    for total_id in ("one", "two"):
        offered(1, total_id=total_id, table=table, **stake)

    table.do(order("push_luck", "one"), by=ANN, dice=loaded(1))
    if not stake:
        assert table.refused(order("push_luck", "two"), by=ANN).code is Code.CRISIS_WAITS
        table.do(describe("one", kind="physical"))

    assert table.refused(order("push_luck", "two"), by=ANN).code is Code.OUT_OF_PLAY
    assert [one.box for one in ada(table).crises] == [1, 2, 3]


@pytest.mark.rule("D8", "E3")
def test_nothing_that_the_gm_may_do_to_a_character_touches_its_crises_or_its_death():
    table = out("physical")
    crises, status = ada(table).crises, ada(table).status

    changes = {"name": "Adah", "owner": "gm", "level": 9, "attributes": {}, "specials": [], "reflex": 1}
    table.do({"type": "update_character", "character_id": "ada", **changes})

    assert (ada(table).name, ada(table).crises, ada(table).status) == ("Adah", crises, status)
    for thing_id in ("ada", "physical-0"):
        assert table.refused({"type": "cancel", "thing_id": thing_id, "reason": "A slip"}).code is Code.UNKNOWN


@pytest.mark.rule("D6", "D8")
def test_an_update_leaves_a_crisis_that_waits_waiting():
    table = fallen()

    table.do({"type": "update_character", "character_id": "ada", "level": 2})

    assert ada(table).crisis_due == "fall"
