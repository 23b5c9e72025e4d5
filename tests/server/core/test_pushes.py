"""Pushing luck: offers, pushes, and leaving it at that. Rulings D3, D4 and D5."""

from typing import Any

import pytest

from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import CharacterStatus, Choice, Crisis, EffectKind, TotalStatus
from kit.families import totals
from kit.families.races import challenge_at, racing, threat_at
from kit.families.totals import ada, at_table, crisis, failed, finished, offered, order, propose, proposed, rolled
from kit.tables import ANN, GM, Table, loaded

OFFER, PUSH, STOP = totals.order("offer_push"), totals.order("push_luck"), totals.order("stop_pushing")


def push(table: Table, face: int) -> list[Any]:
    return table.do(PUSH, by=ANN, dice=loaded(face))


# Offers


@pytest.mark.rule("D-push", "D-odds", "D4")
def test_the_gm_offers_a_push_of_a_total_that_missed_with_its_odds():
    table = totals.rolled(3, 4, number=12)

    assert table.do({**OFFER, "crisis": "physical", "description": "A long fall"}) == [
        e.PushOffered(
            total_id="leap",
            crisis=CrisisKind.PHYSICAL,
            description="A long fall",
            odds=totals.push_odds("1/3", "1/3", "25/54"),
        )
    ]
    assert table.view.totals["leap"].status is TotalStatus.OFFERED


@pytest.mark.rule("D4")
def test_a_push_may_be_offered_for_a_number_named_after_the_roll():
    table = totals.rolled(3, 4)
    table.do(totals.require(12))

    assert table.do(OFFER) == [e.PushOffered(total_id="leap", odds=totals.push_odds("1/3", "1/3", "25/54"))]


@pytest.mark.rule("D4")
def test_there_is_no_push_where_no_number_was_missed():
    waiting = totals.at_table(check_approval="gm")
    waiting.do(totals.propose(), by=ANN)

    for table in (waiting, totals.proposed(), totals.rolled(3, 4)):
        assert table.refusal(OFFER) == (Code.NOT_MISSED, {"id": "leap"})


@pytest.mark.rule("D4")
@pytest.mark.parametrize("number", [7, 99], ids=["met", "stopped"])
@pytest.mark.parametrize("late", [OFFER, PUSH, STOP], ids=lambda one: one["type"])
def test_there_is_no_push_of_a_total_that_is_over(late: dict[str, Any], number: int):
    table = totals.rolled(3, 4, number=number)
    if number == 99:
        table.do(STOP)

    refused = table.refused(late)

    status = "succeeded" if number == 7 else "failed"
    assert (refused.code, refused.details) == (Code.ENDED, {"kind": "total", "id": "leap", "status": status})


def test_one_offer_stands_at_a_time():
    assert totals.offered(3, 4).refusal(OFFER) == (Code.OFFER_STANDS, {"id": "leap"})


@pytest.mark.rule("D6")
def test_an_offer_puts_at_stake_what_was_said_with_the_number():
    table = totals.rolled(3, 4, number=12, crisis="mental")

    (event,) = table.do(OFFER)

    assert isinstance(event, e.PushOffered)
    assert (event.crisis, event.description) == (CrisisKind.MENTAL, None)


@pytest.mark.rule("D3", "D6")
def test_a_later_offer_goes_on_with_the_stake_of_the_one_before_it_unless_its_kind_changes():
    table = totals.offered(3, 4, crisis="mental", description="Vertigo")
    push(table, 5)

    (same,) = table.do(OFFER)
    push(table, 6)
    (other,) = table.do({**OFFER, "crisis": "physical"})

    assert isinstance(same, e.PushOffered)
    assert (same.crisis, same.description) == (CrisisKind.MENTAL, "Vertigo")
    assert isinstance(other, e.PushOffered)
    assert (other.crisis, other.description) == (CrisisKind.PHYSICAL, None)


# Pushes


@pytest.mark.rule("D-push", "D4")
@pytest.mark.parametrize("nothing", ["not rolled", "no number", "missed", "pushed"])
def test_there_is_no_push_without_the_gms_offer(nothing: str):
    table = totals.proposed() if nothing == "not rolled" else totals.rolled(3, 4)
    if nothing == "missed":
        table.do(totals.require(99))
    if nothing == "pushed":
        table.do(totals.require(99))
        table.do(OFFER)
        push(table, 5)

    assert table.refusal(PUSH, by=ANN) == (Code.NO_OFFER, {"id": "leap"})


@pytest.mark.rule("D-push")
def test_a_number_that_is_not_kept_yet_is_added_and_the_total_compared_again():
    table = totals.offered(3, 4, number=12)

    assert push(table, 5) == [totals.push_to(3, 4, 5, face=5, enough=True), totals.succeeded()]
    total = table.view.totals["leap"]
    assert (total.kept, total.total, total.status) == ((3, 4, 5), 12, TotalStatus.SUCCEEDED)


@pytest.mark.rule("D3")
def test_several_pushes_in_a_row_each_take_an_offer_of_their_own():
    table = totals.offered(3, 4, number=16)

    assert push(table, 1) == [totals.push_to(1, 3, 4, face=1)]
    assert table.view.totals["leap"].status is TotalStatus.ROLLED
    table.do(OFFER)
    assert push(table, 2) == [totals.push_to(1, 2, 3, 4, face=2)]
    table.do(OFFER)
    assert push(table, 6) == [totals.push_to(1, 2, 3, 4, 6, face=6, enough=True), totals.succeeded()]
    assert [one.face for one in table.view.totals["leap"].pushes] == [1, 2, 6]


@pytest.mark.rule("D5", "D-crisis")
def test_a_number_that_is_kept_already_is_a_crisis_and_the_total_stays_as_it_was():
    table = totals.offered(3, 4, crisis="physical", description="A twisted ankle")

    assert push(table, 4) == [
        totals.push_to(3, 4, face=4, crisis=True),
        totals.failed(reason=e.TotalFailure.CRISIS),
        e.CrisisSuffered(
            character_id="ada",
            crisis=Crisis(total_id="leap", kind=CrisisKind.PHYSICAL, box=1, description="A twisted ankle"),
        ),
    ]
    total = table.view.totals["leap"]
    assert (total.kept, total.total, total.status) == ((3, 4), 7, TotalStatus.FAILED)
    assert table.refused(OFFER).code is Code.ENDED


@pytest.mark.rule("D-odds")
def test_with_every_number_kept_a_push_is_a_crisis_for_certain():
    table = totals.rolled(1, 2, 3, 4, 5, 6, number=22)

    assert table.do(OFFER) == [e.PushOffered(total_id="leap", odds=totals.push_odds("1/1", "0/1", "0/1"))]


@pytest.mark.rule("E1")
def test_a_push_takes_exactly_one_physical_die():
    table = totals.offered(3, 4, table=totals.at_table(physical_dice="everyone"))

    for faces in ([], [5, 6]):
        refused = table.refused({**PUSH, "faces": faces}, by=ANN)
        assert (refused.code, refused.details["needed"]) == (Code.WRONG_FACES, 1)
    assert table.do({**PUSH, "faces": [5]}, by=ANN) == [totals.push_to(3, 4, 5, face=5, physical=True)]
    assert table.view.totals["leap"].pushes[0].physical


@pytest.mark.rule("E1")
def test_a_push_by_the_server_carries_its_proof():
    (record,) = totals.offered(3, 4).write(PUSH, by=ANN, dice=loaded(5))

    assert isinstance(record.event, e.LuckPushed)
    assert record.event.push.proof is not None
    assert record.event.push.proof.n == 2


@pytest.mark.rule("C18")
def test_a_choice_that_was_not_made_is_settled_by_the_push():
    table = totals.offered(3, 4)
    choice = Choice(check_id="kick", instead_of=EffectKind.MOMENTUM, offered=("Trip",))
    table.happen(e.EffectsOffered(character_id="ada", choice=choice, choices=(choice,)))

    assert push(table, 5) == [
        e.EffectChosen(character_id="ada", check_id="kick", effect="momentum", choices=()),
        e.MomentumGained(character_id="ada", check_id="kick", momentum=True, interference=False),
        totals.push_to(3, 4, 5, face=5),
    ]


@pytest.mark.rule("B13", "B-effort")
def test_an_effort_that_succeeds_by_a_push_ticks_the_threat_once_and_takes_its_point():
    table = totals.with_characters(racing(door=2))
    table.do(totals.propose(effort={"challenge_id": "door"}), by=GM)
    table.do(totals.require(12))

    assert table.do(totals.order("roll_total"), by=ANN, dice=loaded(3, 4))[0] == threat_at(14, e.Cause.EFFORT)
    table.do(OFFER)

    assert push(table, 5) == [totals.push_to(3, 4, 5, face=5, enough=True), totals.succeeded(), challenge_at("door", 1)]


@pytest.mark.rule("D6", "D7")
@pytest.mark.parametrize("late", [PUSH, OFFER], ids=lambda one: one["type"])
def test_no_luck_is_pushed_for_a_character_whose_crisis_waits(late: dict[str, Any]):
    table = totals.offered(3, 4) if late is PUSH else totals.rolled(3, 4, number=99)
    table.happen(e.CrisisDue(character_id="ada", total_id="fall"))

    assert table.refusal(late) == (Code.CRISIS_WAITS, {"id": "ada"})


# Leaving it at that


@pytest.mark.rule("D-push")
@pytest.mark.parametrize("who", [ANN, GM], ids=["owner", "gm"])
def test_the_owner_or_the_gm_leaves_a_total_that_missed_at_that(who: Any):
    assert totals.rolled(3, 4, number=9).do(STOP, by=who) == [totals.failed()]
    table = totals.offered(3, 4)
    assert table.do(STOP, by=who) == [totals.failed()]
    assert table.view.totals["leap"].push_odds is None


def test_a_total_without_a_number_is_left_at_that_by_the_gm_alone():
    table = totals.rolled(3, 4)

    assert table.refusal(STOP, by=ANN) == (Code.NOT_MISSED, {"id": "leap"})
    assert table.do(STOP, by=GM) == [totals.failed()]


def test_a_total_that_is_not_rolled_is_withdrawn_instead():
    for who in (ANN, GM):
        assert totals.proposed().refused(STOP, by=who).code is Code.NOT_MISSED


# Crises: boxes, their kind and description, death and retirement. Rulings D5-D8


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
