"""What countdowns are about and bound to, who cares for them, how they are amended and begin again. A9 to A15."""

import json
from typing import Any

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.things import BoundTo, Stage
from dreadclock_server.core.draft import Actor
from dreadclock_server.evening.verify import verify
from kit.evenings.audited import BOTH, PUBLIC, export_of, rules_broken
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, CLERK, GM, WATCHER, Table, loaded

START = {"type": "start_countdown", "id": "fever", "name": "Fever", "bound_to": "nothing", "pool": 4}
ROLL = {"type": "roll_countdown", "countdown_id": "fever"}
AMEND = {"type": "amend_countdown", "countdown_id": "fever", "reason": "A slip."}
END_TURN, END_ROUND = {"type": "end_turn"}, {"type": "end_round", "situation_id": "fight"}
STAGES: list[dict[str, Any]] = [{"at": 3, "effect": "pale"}, {"at": 1, "effect": "blind"}]


def fever(table: Table, by: Actor = GM, /, **fields: Any) -> Table:
    table.do({**START, **fields}, by=by)
    return table


def with_ada(**policy: Any) -> Table:
    table = Table(**policy)
    sheet = {"attributes": {"Endurance": 5, "Luck": 0}, "owner": ANN.seat_id}
    table.do({"type": "add_character", "id": "ada", "name": "Ada", **sheet})
    return table


def with_fight(visibility: str = "public") -> Table:
    table, hidden = with_ada(), {"visibility": visibility}
    prefix = "gm-" if visibility == "gm" else ""
    table.do({"type": "open_scene", "id": f"{prefix}vault", "name": "Vault", "clock": 9, **hidden})
    fields = {"kind": "standard", "content": "combat", "clock": 2}
    table.do({"type": "start_situation", "id": f"{prefix}fight", "scene_id": f"{prefix}vault", "name": "F", **fields})
    return table


def rolled(*faces: int, removed: int, turn: int = 1, period: int = 0) -> e.CountdownRolled:
    left = len(faces) - removed
    return e.CountdownRolled(
        countdown_id="fever", faces=faces, removed=removed, remaining=left, turn=turn, period=period
    )


# Where a pool comes from


@pytest.mark.rule("A10")
def test_a_pool_is_read_from_an_attribute_whose_name_stays_with_it():
    table = fever(with_ada(), pool=None, about="ada", from_attribute="Endurance")

    one = table.view.countdowns["fever"]
    assert (one.pool, one.started_with, one.about, one.from_attribute) == (5, 5, "ada", "Endurance")


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("about", "shown"), [("ada", "Endurance"), ("gm-spy", None)])
def test_the_attribute_of_a_sealed_countdown_is_the_gms_alone_until_it_is_revealed(about: str, shown: str | None):
    table = with_ada()
    table.do({"type": "add_character", "id": "gm-spy", "name": "S", "attributes": {"Endurance": 5}, "visibility": "gm"})
    fever(table, pool=None, about=about, from_attribute="Endurance", visibility="sealed")
    assert "Endurance" not in "".join(table.public()[-1:])

    table.do({"type": "reveal", "thing_id": "fever"})

    revealed = table.view_as(BO).countdowns["fever"]
    assert (revealed.about, revealed.from_attribute) == (shown and about, shown)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"pool": None}, Code.POOL_NEEDED),
        ({"about": "ada", "from_attribute": "Endurance"}, Code.POOL_NEEDED),
        ({"pool": None, "from_attribute": "Endurance"}, Code.ABOUT_NEEDED),
        ({"fate": "dies"}, Code.ABOUT_NEEDED),
        ({"pool": None, "about": "ada", "from_attribute": "Charm"}, Code.NOT_ON_SHEET),
        ({"pool": None, "about": "ada", "from_attribute": "Luck"}, Code.POOL_OUT_OF_RANGE),
        ({"about": "nobody"}, Code.UNKNOWN),
        ({"bound_to": "rounds"}, Code.BINDING_UNSAID),
        ({"bound_to": "turn", "bound_id": "fight"}, Code.BINDING_UNSAID),
        ({"bound_to": "rounds", "bound_id": "vault"}, Code.UNKNOWN),
        ({"bound_to": "scene", "bound_id": "fight"}, Code.UNKNOWN),
    ],
)
def test_a_countdown_that_contradicts_itself_is_refused(fields: dict[str, Any], code: Code):
    assert with_fight().refused({**START, **fields}).code is code


# Who cares for it


@pytest.mark.rule("A11")
@pytest.mark.parametrize(
    ("care", "allowed"), [("gm", {GM}), ("owner", {GM, ANN}), ("players", {GM, ANN, BO}), (None, {GM})]
)
@pytest.mark.parametrize("seat", [GM, ANN, BO, WATCHER, CLERK], ids=lambda seat: seat.seat_id)
def test_the_policy_says_who_cares_for_a_countdown(care: str | None, allowed: set[Actor], seat: Actor):
    policy: dict[str, Any] = {} if care is None else {"care": care}
    table = fever(Table(**policy), ANN, stabilizable=True, replenishable=True)
    orders: list[dict[str, Any]] = [
        {"type": "replenish_countdown", "dice": 1},
        {"type": "stabilize_countdown"},
        {"type": "resume_countdown"},
    ]
    for order in orders:
        command = {**order, "countdown_id": "fever"}
        if seat not in allowed:
            assert table.refused(command, by=seat).code is Code.NOT_ALLOWED
        table.do(command, by=seat if seat in allowed else GM)


# What rolls it


@pytest.mark.rule("A12")
def test_the_end_of_a_round_rolls_what_is_bound_to_it_once_a_round():
    table = fever(with_fight(), ANN, bound_to="rounds", bound_id="fight")
    assert table.do(ROLL, by=ANN, dice=loaded(1, 1, 1, 1)) == [rolled(1, 1, 1, 1, removed=0, period=1)]
    assert table.refused(ROLL, by=ANN).code is Code.ALREADY_ROLLED
    assert table.do(END_ROUND) == [e.RoundEnded(situation_id="fight", round=1)]
    assert table.do(END_TURN) == [e.TurnEnded(turn=1)]

    assert table.do(END_ROUND, by=CLERK, dice=loaded(6, 6, 1, 1)) == [
        rolled(6, 6, 1, 1, removed=2, turn=2, period=2),
        e.RoundEnded(situation_id="fight", round=2),
    ]


@pytest.mark.rule("A12", "A14")
def test_a_countdown_that_is_bound_to_another_situation_was_rolled_in_none_of_its_rounds():
    table = fever(with_fight(), bound_to="rounds", bound_id="fight")
    table.do(END_ROUND, dice=loaded(1, 1, 1, 1))
    more = {"scene_id": "vault", "kind": "standard", "content": "combat", "clock": 2}
    table.do({"type": "start_situation", "id": "brawl", "name": "Brawl", **more})
    table.do({**AMEND, "bound_to": "rounds", "bound_id": "brawl"})

    (first, _) = table.do({**END_ROUND, "situation_id": "brawl"}, dice=loaded(1, 1, 1, 1))

    assert first == rolled(1, 1, 1, 1, removed=0, period=1)
    for channels in (BOTH, PUBLIC):
        assert rules_broken(table.texts, channels) == []


@pytest.mark.rule("A12")
def test_what_is_bound_to_a_situation_that_is_over_is_rolled_when_somebody_says_so():
    table = fever(with_fight(), bound_to="rounds", bound_id="fight")
    table.do({"type": "fail_situation", "situation_id": "fight", "reason": "retreated"})

    assert table.do(END_ROUND) == []
    for _ in range(2):
        assert table.do(ROLL, dice=loaded(1, 1, 1, 1)) == [rolled(1, 1, 1, 1, removed=0, period=1)]


@pytest.mark.rule("A12", "B20")
@pytest.mark.parametrize("binding", [("scene", "vault"), ("rounds", "fight")], ids=lambda each: each[0])
def test_a_countdown_can_be_bound_to_what_is_set_aside_and_waits_for_it(binding: tuple[str, str]):
    table = with_fight()
    table.do({"type": "set_scene_aside", "scene_id": "vault"})

    fever(table, bound_to=binding[0], bound_id=binding[1])

    assert table.refused(ROLL).code is Code.SCENE_ASIDE
    table.do({"type": "take_up_scene", "scene_id": "vault"})
    table.do(ROLL, dice=loaded(1, 1, 1, 1))


@pytest.mark.rule("B20")
@pytest.mark.parametrize("binding", [("scene", "vault"), ("rounds", "fight")], ids=lambda each: each[0])
def test_nothing_rolls_what_is_bound_to_a_scene_that_is_set_aside(binding: tuple[str, str]):
    table = fever(with_fight(), bound_to=binding[0], bound_id=binding[1])
    table.do({"type": "set_scene_aside", "scene_id": "vault"})

    assert table.refused(ROLL).code is Code.SCENE_ASIDE
    assert table.do(END_TURN) == [e.TurnEnded(turn=1)]


@pytest.mark.rule("A12")
def test_the_end_of_the_whole_turn_rolls_what_is_bound_to_a_scene_that_is_open():
    table = fever(with_fight(), bound_to="scene", bound_id="vault")

    assert table.do(END_TURN, dice=loaded(1, 1, 1, 1)) == [rolled(1, 1, 1, 1, removed=0, period=1), e.TurnEnded(turn=1)]
    table.do({"type": "end_scene", "scene_id": "vault"})
    assert table.do(END_TURN) == [e.TurnEnded(turn=2)]


@pytest.mark.rule("A12", "B19")
def test_the_end_of_a_scenes_turn_rolls_what_is_bound_to_that_scene_alone():
    table = fever(with_fight(), bound_to="scene", bound_id="vault")
    table.do({**START, "id": "rain", "bound_to": "turn"})
    end = {**END_TURN, "scene_id": "vault"}
    for turn in (1, 2):
        assert table.do(end, by=CLERK, dice=loaded(1, 1, 1, 1)) == [
            rolled(1, 1, 1, 1, removed=0, period=turn),
            e.SceneTurnEnded(scene_id="vault", turn=turn),
        ]

    ended = table.do(END_TURN, dice=loaded(1, 1, 1, 1))

    assert [event.countdown_id for event in ended if isinstance(event, e.CountdownRolled)] == ["rain"]


@pytest.mark.rule("A12", "E4")
@pytest.mark.parametrize(
    "binding", [{"bound_to": "rounds", "bound_id": "gm-fight"}, {"bound_to": "scene", "bound_id": "gm-vault"}]
)
def test_what_everyone_sees_is_bound_to_nothing_hidden(binding: dict[str, Any]):
    table = with_fight("gm")
    assert table.refused({**START, **binding}).code is Code.NAMES_HIDDEN
    assert table.refused({**START, **binding}, by=ANN).code is Code.UNKNOWN
    fever(table, **binding, visibility="sealed")

    table.do({"type": "reveal", "thing_id": "fever"})

    one = table.view_as(BO).countdowns["fever"]
    assert (one.bound_to, one.bound_id) == (BoundTo.NOTHING, None)


# Amending it


@pytest.mark.rule("A14")
@pytest.mark.parametrize(
    ("pool", "follows"),
    [
        (2, [e.StageReached(countdown_id="fever", at=3, effect="pale")]),
        (5, []),
        (
            0,
            [
                e.StageReached(countdown_id="fever", at=3, effect="pale"),
                e.StageReached(countdown_id="fever", at=1, effect="blind"),
                e.CountdownExpired(countdown_id="fever", ending="Cold."),
            ],
        ),
    ],
)
def test_a_pool_amended_past_a_stage_or_to_0_falls_there(pool: int, follows: list[Any]):
    table = fever(Table(), stages=STAGES, ending="Cold.")
    stages = tuple(Stage(**each) for each in STAGES)
    amended = e.CountdownAmended(
        countdown_id="fever", reason="A slip.", pool=pool, speed=Speed.SLOW, stages=stages, ending="Cold."
    )

    assert table.do({**AMEND, "pool": pool}) == [amended, *follows]
    assert table.view_as(WATCHER).countdowns["fever"].pool == pool


@pytest.mark.rule("A14")
def test_all_of_a_countdown_but_its_past_may_be_amended():
    table = fever(with_fight(), about="ada", fate="dies", owner=ANN.seat_id, ending="Cold.", bound_to="turn")
    changes = {"speed": "fast", "stages": STAGES, "owner": BO.seat_id, "stabilizable": True, "replenishable": True}
    table.do(
        {**AMEND, **changes, "bound_to": "rounds", "bound_id": "fight", "repeats": "d6", "clear": ["about", "ending"]}
    )

    one = table.view.countdowns["fever"]
    assert (one.speed, one.owner, one.bound_id, one.repeats, one.about, one.fate, one.ending) == (
        "fast",
        BO.seat_id,
        "fight",
        "d6",
        None,
        None,
        None,
    )
    assert (one.stabilizable, one.replenishable, len(one.stages), one.pool, one.started_with) == (True, True, 2, 4, 4)
    table.do({**AMEND, "pool": 2})
    assert table.do({**AMEND, "pool": 4})[1:] == [e.StageLeft(countdown_id="fever", at=3)]
    table.do({**AMEND, "bound_to": "turn"})
    assert table.view.countdowns["fever"].bound_id is None


@pytest.mark.rule("A14")
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, Code.NOTHING_TO_CHANGE),
        ({"pool": 4, "speed": "slow"}, Code.NOTHING_TO_CHANGE),
        ({"fate": "dies"}, Code.ABOUT_NEEDED),
        ({"owner": WATCHER.seat_id}, Code.LOOKS_ON),
        ({"stages": [STAGES[0], STAGES[0]]}, Code.STAGE_TWICE),
        ({"bound_to": "scene"}, Code.BINDING_UNSAID),
    ],
)
def test_an_amendment_that_says_nothing_or_too_much_is_refused(fields: dict[str, Any], code: Code):
    assert fever(Table()).refused({**AMEND, **fields}).code is code


@pytest.mark.rule("A14", "A5")
def test_a_countdown_that_ended_is_not_amended():
    table = fever(Table(), ANN, pool=1)
    table.do(ROLL, dice=loaded(6))

    assert table.refused({**AMEND, "pool": 3}).code is Code.NOT_RUNNING


@pytest.mark.rule("A14", "E4")
def test_of_a_sealed_countdown_everyone_hears_only_that_it_changed():
    table = fever(Table(), visibility="sealed")

    told = table.in_channel(Channel.PUBLIC, {**AMEND, "pool": 2})

    assert told == [e.SealedChanged(kind=Kind.COUNTDOWN, id="fever", name="Fever")]


# Beginning again


@pytest.mark.rule("A15")
@pytest.mark.parametrize(
    ("repeats", "faces", "again"), [("same", (6, 6), {"pool": 2}), ("d6", (6, 6, 3), {"pool": 3, "faces": (3,)})]
)
def test_a_loop_restarts_with_its_dice_or_as_a_die_says(repeats: str, faces: tuple[int, ...], again: dict[str, Any]):
    table = fever(Table(), pool=2, repeats=repeats, ending="A gust.", stages=[{"at": 1, "effect": "calm"}])

    assert table.do(ROLL, dice=loaded(*faces)) == [
        rolled(6, 6, removed=2),
        e.StageReached(countdown_id="fever", at=1, effect="calm"),
        e.CountdownRepeated(countdown_id="fever", ending="A gust.", **again),
    ]
    assert table.view.countdowns["fever"].pool == again["pool"]
    assert table.view.countdowns["fever"].started_with == again["pool"]


@pytest.mark.rule("A15")
def test_the_die_that_says_with_how_many_it_begins_again_is_the_servers_even_after_physical_ones():
    table = fever(Table(physical_dice="everyone"), pool=1, repeats="d6")

    events = table.do({**ROLL, "faces": [6]}, dice=loaded(5))

    assert events[-1] == e.CountdownRepeated(countdown_id="fever", pool=5, faces=(5,))
    assert table.do({**AMEND, "pool": 0}, dice=loaded(2))[-1] == e.CountdownRepeated(
        countdown_id="fever", pool=2, faces=(2,)
    )


# All of it, with the ledger's dice, as an audit sees it


@pytest.mark.rule("A12", "A14", "A15")
def test_an_audit_finds_no_fault_in_rounds_loops_and_amendments_open_or_sealed():
    table = Table(dice=LEDGER, care="owner")
    orders: list[dict[str, Any]] = [
        {"type": "add_character", "id": "ada", "name": "Ada", "attributes": {"Endurance": 3}},
        {"type": "open_scene", "id": "vault", "name": "Vault", "clock": 9},
        {
            "type": "start_situation",
            "id": "fight",
            "scene_id": "vault",
            "name": "F",
            "kind": "race",
            "content": "combat",
            "clock": 2,
            "level": 1,
            "difficulty": "easy",
        },
    ]
    loop = {"pool": None, "about": "ada", "from_attribute": "Endurance", "speed": "fast", "repeats": "d6"}
    for n, visibility in enumerate(("public", "public", "sealed", "gm", "sealed")):
        binding = [
            {"bound_to": "turn"},
            {"bound_to": "rounds", "bound_id": "fight"},
            {"bound_to": "scene", "bound_id": "vault"},
        ][n % 3]
        name = {"id": f"{'gm-' if visibility == 'gm' else ''}c{n}", "name": f"C{n}", "visibility": visibility}
        orders.append({**START, **loop, **name, **binding, "repeats": ("d6", "same")[n % 2]})
    for n in range(8):
        orders += [END_ROUND, {**END_TURN, "scene_id": "vault"}, END_TURN]
        amended = ("c0", "c1", "c2", "gm-c3", "c4")[n % 5]
        orders.append(
            {**AMEND, "countdown_id": amended, "pool": n % 3, "speed": ("slow", "fast")[n % 2], "ending": f"End {n}."}
        )
    orders += [{"type": "reveal", "thing_id": each} for each in ("c2", "gm-c3", "c4")]
    for order in orders:
        table.do(order, dice=LEDGER)

    kinds = {record.event.type for record in table.records}
    assert {"countdown_repeated", "countdown_amended", "round_ended", "revealed"} <= kinds
    for channels in (BOTH, PUBLIC):
        assert not verify(export_of(table.texts, *channels)).faults


# Whom it is about


@pytest.mark.rule("A9")
@pytest.mark.parametrize(("fate", "status"), [("dies", "dead"), ("leaves", "left")])
@pytest.mark.parametrize("visibility", ["public", "sealed", "gm"])
def test_its_end_takes_the_character_that_it_is_about_out_of_play(fate: str, status: str, visibility: str):
    table = with_ada()
    table.do({**START, "id": None, "name": "Slow poison", "about": "ada", "fate": fate, "visibility": visibility})
    (countdown_id,) = table.view.countdowns
    told = len(table.public())

    table.do({"type": "amend_countdown", "countdown_id": countdown_id, "reason": "Now.", "pool": 0})

    assert table.view_as(BO).characters["ada"].status == status
    public = [json.loads(text)["event"] for text in table.public()[told:]]
    assert public[-1]["type"] == f"character_{'died' if fate == 'dies' else 'left'}"
    if visibility == "gm":
        assert public == [{"type": public[-1]["type"], "character_id": "ada"}]


@pytest.mark.rule("A9")
def test_the_end_of_a_countdown_changes_nothing_for_who_is_out_of_play_already():
    table = fever(with_ada(), pool=1, about="ada", fate="dies")
    table.do({"type": "take_out_of_play", "character_id": "ada", "fate": "retires"})

    assert table.do(ROLL, dice=loaded(6)) == [rolled(6, removed=1), e.CountdownExpired(countdown_id="fever")]


@pytest.mark.rule("A9")
@pytest.mark.parametrize("visibility", ["public", "sealed", "gm"])
def test_an_audit_finds_no_fault_where_a_clerk_ends_the_turn_that_kills(visibility: str):
    table = Table(dice=LEDGER)
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, dice=LEDGER)
    poison = {**START, "id": None, "pool": 1, "speed": "fast", "about": "ada", "fate": "dies", "bound_to": "turn"}
    table.do({**poison, "visibility": visibility}, dice=LEDGER)
    while table.view.characters["ada"].status == "in_play":
        table.do(END_TURN, by=CLERK, dice=LEDGER)

    for channels in (BOTH, PUBLIC):
        assert not verify(export_of(table.texts, *channels)).faults
