"""A whole room against a second reading of the rules: random commands by random seats, accepted or refused alike.

`DREADCLOCK_RUNS=300` makes 300 runs of 50 commands instead of the few that every test run makes.
"""

import copy
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest
from hypothesis import given, note, settings

from dreadclock.wire.base import Channel, Faces
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.room import Room
from kit.evenings.audited import FACTOTUM
from kit.evenings.prepared import evening_orders
from kit.model import Model
from kit.model.pictures import of_model, of_view
from kit.model.reading import shown, stages
from kit.strategies.orders import BUILDERS
from kit.strategies.picks import Fields, Picks
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.strategies.scripts import GOING_ON, OFTEN, RARE, SEATS, Outcome, Step, chances, play
from kit.tables import ANN, BO, CLERK, GM, ORACLE, Loaded, Table, loaded, read_command
from kit.tables import SEATS as AT_TABLE

Evening = tuple[Sequence[Actor], Sequence[str]]

IN_FULL = "DREADCLOCK_RUNS" in os.environ
RUNS, STEPS = (int(os.environ["DREADCLOCK_RUNS"]), 50) if IN_FULL else (30, 30)
TAKEN_BACK = 1 / 8  # of the commands that are accepted
OF_EACH = 3  # commands of each type that are accepted in a full test
FITTING = ("choose_effect", "propose_cost", "answer_cost", "settle_failure")  # have fitting references as they are
OVER = ("cancelled", "expired", "closed", "overcome", "won", "failed", "succeeded", "resolved", "dead", "retired")
PROPOSING = ("propose_check", "oppose_check", "help_check", "propose_total", "set_required")
ROLLING = ("roll_check", "roll_check", "roll_check", "roll_total", "push_luck", "offer_push")
MOVING = ("tick_clock", "amend_clock", "overcome_challenge", "resolve_situation", "end_turn", "end_round")
COUNTING = ("start_countdown", "amend_countdown", "roll_countdown", "roll_countdown", "set_scene_aside")
BRINGING = (*("attach_consequence",) * 5, "detach_consequence", *MOVING, *COUNTING, "judge_total", "describe_crisis")
DAMAGING = (*("roll_dice",) * 20, *("set_effects",) * 6, "open_scene", "start_situation", "fail_situation")
SELDOM = (
    "lend_seat",
    "take_back_seat",
    "help_check",
    "oppose_check",
    "begin_situation",
    "approve_sheet",
    "take_up_scene",
)
EVENINGS = (  # who gives which commands: everyone all of them, or mostly the gm those of a kind
    (SEATS, OFTEN),
    ((*SEATS, *(ANN, BO) * 6, *(FACTOTUM,) * 20), (*OFTEN, *SELDOM * 4)),
    (SEATS, (*OFTEN, *RARE)),
    ((*(GM,) * 20, ANN, ANN, BO, ORACLE), (*ROLL_BUILDERS, *(PROPOSING + ROLLING) * 4)),
    ((*(GM,) * 20, ANN, BO, CLERK), (*BRINGING, *ROLLING)),
    ((*(GM,) * 6, ANN, BO), (*DAMAGING, *RARE)),
)
PALETTES = ((1, 2, 3, 4, 5, 6), (1, 2, 3), (2, 5), (1, 3, 4, 5, 6))  # faces: some evenings are lucky, some are not
KINDS = {
    "countdown_id": "countdown",
    "scene_id": "scene",
    "situation_id": "situation",
    "within": "situation",
    "about": "character",
    "consequence_id": "consequence",
    "challenge_id": "challenge",
    "effort_id": "effort",
    "clock_id": "clock",
    "check_id": "check",
    "total_id": "total",
    "character_id": "character",
    "beneficiary": "character",
    "remove": "character",
}


def test_a_room_and_a_second_reading_of_the_rules_agree_on_every_command(figures: list[str]):
    counts: Counter[tuple[str, bool]] = Counter()

    @settings(max_examples=RUNS)
    @given(chances(STEPS, given=255))
    def evenings(drawn: tuple[Random, list[bool]]) -> None:
        run(*drawn, counts)

    evenings()

    accepted = {kind: counts[kind, True] for kind in GOING_ON}
    figures.append(f"room against model: {counts.total()} commands, {sum(accepted.values())} accepted; of each type:")
    figures.append(", ".join(f"{kind} {accepted[kind]}" for kind in sorted(accepted, key=accepted.__getitem__)))
    assert not IN_FULL or min(accepted.values()) >= OF_EACH


def run(chance: Random, given: Sequence[bool], counts: Counter[tuple[str, bool]]) -> None:
    """Give random commands in a prepared room, and hold each against the model."""
    room, prototype = prepared()
    model, evening, dice = copy.deepcopy(prototype), chance.choice(EVENINGS), Chance(chance)
    for place, is_given in enumerate(given, start=1_000):
        numbers = chance.getrandbits(80), chance.getrandbits(40)
        if is_given:
            by, order = order_of(*numbers, evening, model)
            note(f"{by.seat_id}: {order}")
            [outcome] = play(room, [Step(place, by, read_command(order))], dice)
            counts[order["type"], compare(outcome, model)] += 1
            room = taken_back(outcome, model) if outcome.written and chance.random() < TAKEN_BACK else outcome.room


class Chance(Loaded):
    """Dice that show some faces only, in an order that nobody chose."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self._chance, self._some = chance, chance.choice(PALETTES)

    def take(self, count: int) -> Faces:
        return tuple(self._chance.choices(self._some, k=count))


@cache
def prepared() -> tuple[Room, Model]:
    """Prepare an evening in a room and in the model, comparing them on the way."""
    room, model = Table(physical_dice="everyone").room, Model()
    model.policy.physical_dice = "everyone"
    for actor in AT_TABLE.values():
        model.join(actor.seat_id, actor.role)
    joined = JoinSeat(FACTOTUM.role, "Factotum", FACTOTUM.scopes)
    room = decide(room, joined, by=GM, dice=loaded(), now_ms=1_000, fresh=lambda: "").room
    model.join(FACTOTUM.seat_id, FACTOTUM.role, FACTOTUM.scopes)
    for place, (by, order) in enumerate([*((GM, order) for order in evening_orders()), *conditions()]):
        [outcome] = play(room, [Step(place, by, read_command(order))])
        assert compare(outcome, model), order
        room = outcome.room
    return room, model


def conditions() -> Iterator[tuple[Actor, Fields]]:
    """Give characters states and tracks, let some wait for the gm's word, and one leave; let sixes add to damage."""
    for who in ("ada", "bea", "cid", "dan", "eli", "foe"):
        yield GM, {"type": "give_state", "character_id": who, "state": "tired"}
        yield GM, {"type": "set_track", "character_id": who, "track": "Hits", "most": 6, "value": 3}
    for name in ("Gil", "Hal", "Ian"):
        yield ANN, {"type": "add_character", "id": name.lower(), "name": name}
        yield GM, {"type": "take_out_of_play", "character_id": name.lower(), "fate": "leaves"}
    yield ANN, {"type": "lend_seat", "to": FACTOTUM.seat_id}
    yield GM, {"type": "set_effects", "thing_id": "bomb", "sixes_add": True}


def compare(outcome: Outcome, model: Model) -> bool:
    """Do in the model what was done in the room, compare them, and tell whether it was accepted."""
    step = outcome.step
    accepted = model.do(step.command, step.by.seat_id, step.by.scopes, shown(outcome))
    assert accepted == (outcome.refused is None), f"the model says {accepted}, the room {outcome.refused}"
    assert not accepted or model.stages == stages(outcome)
    assert of_model(model) == of_view(outcome.room.view)
    return accepted


def taken_back(outcome: Outcome, model: Model) -> Room:
    """Let the gm take back what was just done, in the room and in the model."""
    record = outcome.written[0].record
    order = {"type": "void_command", "channel": record.channel, "seq": record.seq, "reason": "a slip"}
    [voiding] = play(outcome.room, [Step(outcome.step.place, GM, read_command(order))])
    done, expected = voiding.refused is None, model.may_be_taken_back()
    if expected and record.channel is Channel.GM:
        expected = None  # the end of a hidden thing closes its lane of dice, which stays closed
    lanes, known = (room.view.channels[Channel.GM].lanes for room in (outcome.room, outcome.before))
    if expected and lanes.keys() - known.keys():
        expected = False  # a lane of dice that was opened, for something hidden that began, stays open
    note(f"taken back: {done}")
    assert expected in (None, done), f"the model says {expected}, the room {voiding.refused}"
    if done:
        model.take_back()
        assert of_model(model) == of_view(voiding.room.view)
    return voiding.room


def order_of(number: int, aim: int, evening: Evening, model: Model) -> tuple[Actor, Fields]:
    """Make a command of an evening, and aim most of its references at things that are there."""
    picks = Picks(number)
    by, kind = picks.one(evening[0]), picks.one(evening[1])
    if model.closed:
        by, kind = picks.one(((by, kind), (GM, "reopen_room")))
    fields = picks.fields(BUILDERS[kind])
    if kind not in FITTING:
        fields = aimed(fields, Picks(aim), model)
    if kind == "roll_check" and fields["check_id"] in model.things:
        parts = [part.who for part in model.things[fields["check_id"]].parts]
        fields["character_id"] = picks.one((None, picks.one(parts)))
    if by == FACTOTUM:
        fields["act_for"] = picks.one((None, None, ANN.seat_id, ANN.seat_id, BO.seat_id, GM.seat_id))
    return by, {"type": kind, **fields}


def aimed(fields: Fields, picks: Picks, model: Model) -> Fields:
    """Leave ids to the server, and take most references from among what is there, often from what is under way."""
    result: Fields = {}
    for name, value in fields.items():
        if isinstance(value, dict) and name not in ("attributes", "of"):
            result[name] = aimed(value, picks, model)
        elif name in ("do", "fumble_does") and value is not None:
            result[name] = [aimed(each, picks, model) for each in value]
        elif name in KINDS and value is not None and picks.one((True,) * 7 + (False,)):
            there = model.all(KINDS[name])
            under_way = [one for one in there if getattr(one, "status", None) not in OVER]
            chosen = picks.one((under_way[-3:], under_way, there))
            result[name] = picks.one([one.id for one in chosen] or [value])
        elif name != "id" and value is not None:
            result[name] = value
    return result


@pytest.mark.rule("C26")
@pytest.mark.parametrize("care", ["gm", "players"])
@pytest.mark.parametrize("offered", [["slide"], ["slide", "fall"]])
def test_the_model_judges_what_a_fumble_does_to_countdowns_dice_included(offered: list[str], care: str):
    """One effect happens at once, of two one is chosen; what it rolls and stabilizes may be the player's, or not."""
    room, prototype = prepared()
    model, dice = copy.deepcopy(prototype), loaded(1, 6, 3)
    do = [{"does": does, "thing_id": "fuse"} for does in ("roll", "stabilize")]
    fuse = {"name": "Fuse", "pool": 2, "stabilizable": True, "bound_to": "nothing"}
    orders: list[tuple[Actor, Fields]] = [
        (GM, {"type": "set_policy", "care": care}),
        (GM, {"type": "start_countdown", "id": "fuse", **fuse}),
        (GM, {"type": "add_character", "id": "kai", "name": "Kai", "owner": ANN.seat_id}),
        (
            GM,
            {
                "type": "set_effects",
                "thing_id": "kai",
                "fumble_effects": offered,
                "fumble_does": [{"effect": "slide", "do": do}],
            },
        ),
        (GM, {"type": "propose_check", "id": "skid", "character_id": "kai", "score": 1}),
        (ANN, {"type": "roll_check", "check_id": "skid"}),
        *(
            [(ANN, {"type": "choose_effect", "check_id": "skid", "character_id": "kai", "effect": "slide"})]
            * (len(offered) - 1)
        ),
    ]
    for place, (by, order) in enumerate(orders, start=1_000):
        [outcome] = play(room, [Step(place, by, read_command(order))], dice)
        assert compare(outcome, model), order
        room = outcome.room

    fuse_now = room.view.countdowns["fuse"]
    assert (fuse_now.pool, fuse_now.status) == (1, "stabilized")
