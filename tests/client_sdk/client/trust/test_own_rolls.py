"""Watching the rolls of one's own seat: an honest evening raises no alarm, and each thing a server may do is named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.trust.own_rolls import OwnRolls
from dreadclock.client.unanswered import Ticket
from dreadclock.dice.flaws import Flaw
from dreadclock.dice.rolled import faces_of
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import CommandBase
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import CheckResolved, CheckRolled, CountdownRolled, DiceRolled, Event
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM, ROOM, Order, Table, read_command

LEDGER = Ledger(ROOM, bytes(32))
LANE = "seat/player-1/1"
ROLL = {"type": "roll_dice", "pool": 4, "name": "luck", "dice": dice(1, LANE)}
JOINS = {"type": "add_character", "name": "Ada"}
CHECK = {"type": "roll_check", "check_id": "duel", "character_id": "ada"}


@dataclass
class Done:
    """A command that was done, with what its sender saw before and after it."""

    command: CommandBase
    by: Actor
    records: list[Record]
    before: View
    after: View


def opened() -> Table:
    table = Table(dice=LEDGER, physical_dice="everyone", check_approval="open")
    table.write(opening(), by=ANN, dice=LEDGER)
    return table


def done(table: Table, order: dict[str, Any], by: Actor = ANN) -> Done:
    before = table.view_as(by)
    records = [record for record in table.write(order, by=by, dice=LEDGER) if record.channel in by.channels]
    return Done(read_command(order), by, records, before, table.view_as(by))


def flaws(one: Done, logged: Sequence[Record] | None = None, named: Sequence[Record] | None = None) -> list[Flaw]:
    """Let a sender hear of its command: `logged` is what the log holds, `named` what the answer says is of it."""
    logged = one.records if logged is None else logged
    rolls, ticket = OwnRolls(), Ticket(1, "")
    rolls.send(ticket, one.command, one.before)
    found = [alarm for record in logged for alarm in rolls.hear(record, one.by.seat_id, one.after)]
    outcome = Acknowledged(1, {}, tuple(logged if named is None else named))
    return [alarm.flaw for alarm in [*found, *rolls.answer(ticket, outcome, one.after)]]


def changed(record: Record, **fields: Any) -> Record:
    """Change the event of a record; of a plain roll and of its proof, too."""
    event: Event = record.event
    if isinstance(event, DiceRolled):
        proof = event.roll.proof
        own = {name: value for name, value in fields.items() if name in type(event.roll).model_fields}
        of_proof = {name: value for name, value in fields.items() if name not in own}
        fields = {"roll": event.roll.model_copy(update={"proof": proof and proof.model_copy(update=of_proof), **own})}
    return record.model_copy(update={"event": event.model_copy(update=fields)})


# Honest tables


def duel(table: Table) -> None:
    for by, order in (
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
        (BO, {"type": "add_character", "id": "bea", "name": "Bea"}),
        (ANN, {"type": "propose_check", "id": "duel", "character_id": "ada", "score": 1, "contest": True}),
        (BO, {"type": "oppose_check", "check_id": "duel", "character_id": "bea", "score": 1}),
    ):
        table.write(order, by=by, dice=LEDGER)


def climb(table: Table) -> None:
    for by, order in (
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
        (GM, {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2}),
        (GM, {"type": "set_required", "total_id": "climb", "required": 40}),
    ):
        table.write(order, by=by, dice=LEDGER)


def honest() -> list[tuple[str, Done]]:
    """Play one command of each sort, each at a table of its own."""
    played: list[tuple[str, Done]] = []

    def play(name: str, order: Order, by: Actor = ANN, *before: tuple[Actor, dict[str, Any]], **at: Any) -> None:
        table = opened()
        at.get("prepare", lambda _: None)(table)
        for one, earlier in before:
            table.write(earlier, by=one, dice=LEDGER)
        assert isinstance(order, dict)
        played.append((name, done(table, order, by)))

    turn = {"type": "start_countdown", "name": "C", "pool": 4, "bound_to": "turn"}
    hidden = {**turn, "visibility": "sealed"}
    fever = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4, "owner": ANN.seat_id}
    total = {"type": "roll_total", "total_id": "climb"}
    play("with a token", ROLL)
    play("without a token", {"type": "roll_dice", "pool": 4})
    play("physical", {"type": "roll_dice", "pool": 2, "faces": [3, 6]})
    play("hidden", {"type": "roll_dice", "pool": 2, "visibility": "sealed"}, GM)
    play("a countdown", {"type": "roll_countdown", "countdown_id": "fever", "dice": dice(1, LANE)}, ANN, (GM, fever))
    play("a turn", {"type": "end_turn"}, GM, (GM, turn), (GM, turn), (GM, hidden))
    play("a turn with nothing in it", {"type": "end_turn"}, GM)
    play("a check", CHECK, ANN, prepare=duel)
    play("a deal", {**CHECK, "faces": [5]}, ANN, (BO, {**CHECK, "character_id": "bea", "faces": [5]}), prepare=duel)
    play("a total", {**total, "dice": dice(1, LANE)}, ANN, prepare=climb)
    push = (ANN, total), (GM, {"type": "offer_push", "total_id": "climb", "crisis": "mental"})
    play("a push", {"type": "push_luck", "total_id": "climb"}, ANN, *push, prepare=climb)
    play("no roll at all", {"type": "add_character", "id": "cat", "name": "Cat"})
    return played


HONEST = honest()


@pytest.mark.parametrize("one", [one for _, one in HONEST], ids=[name for name, _ in HONEST])
def test_what_was_asked_for_and_done_is_no_alarm(one: Done):
    assert flaws(one) == []


def test_the_honest_tables_roll_and_deal():
    rolled = [record for _, one in HONEST for record in one.records if faces_of(record.event)]

    assert len(rolled) >= 10
    assert any(isinstance(record.event, CheckResolved) for record in rolled)


@pytest.mark.parametrize(
    "one",
    [one for name, one in HONEST if name not in ("hidden", "a turn with nothing in it", "no roll at all", "a deal")],
)
def test_a_roll_that_is_not_there_was_dropped(one: Done):
    without = [record for record in one.records if not faces_of(record.event) or record.channel is Channel.GM]
    after = one.before

    assert flaws(Done(one.command, one.by, without, one.before, after)) == [Flaw.DROPPED]


# What a turn, a scene's turn or a round should have rolled

SCENE = {"type": "open_scene", "id": "vault", "name": "Vault", "clock": 8}
FIGHT = {"type": "start_situation", "id": "fight", "scene_id": "vault", "name": "Fight", "kind": "standard"}
RACE = {**FIGHT, "kind": "race", "level": 1, "difficulty": "hard"}
FUSE = {"type": "start_countdown", "id": "fuse", "name": "Fuse", "pool": 4}
AIR = {**FUSE, "id": "air", "name": "Air"}
ENDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "turn": ({"bound_to": "turn"}, {"type": "end_turn"}),
    "scene, whole turn": ({"bound_to": "scene", "bound_id": "vault"}, {"type": "end_turn"}),
    "scene, its turn": ({"bound_to": "scene", "bound_id": "vault"}, {"type": "end_turn", "scene_id": "vault"}),
    "rounds": ({"bound_to": "rounds", "bound_id": "fight"}, {"type": "end_round", "situation_id": "fight"}),
}


def ticking(bound: dict[str, Any], *more: Order, situation: dict[str, Any] = FIGHT) -> Table:
    """Open a table with two countdowns that are bound alike."""
    table = opened()
    for order in (SCENE, {**situation, "content": "combat", "clock": 2}, {**FUSE, **bound}, {**AIR, **bound}, *more):
        table.write(order, by=GM, dice=LEDGER)
    return table


def dropping(one: Done, countdown_id: str) -> list[Flaw]:
    """Return the alarms of a sender whose server leaves out the rolls of a countdown, and what they change."""
    logged = [record for record in one.records if getattr(record.event, "countdown_id", "") != countdown_id]
    assert len(logged) == len(one.records) - 1
    public = one.after.public
    before = one.before.public.countdowns[countdown_id]
    unrolled = public.model_copy(update={"countdowns": {**public.countdowns, countdown_id: before}})
    after = View(channels={**one.after.channels, Channel.PUBLIC: unrolled})
    return flaws(Done(one.command, one.by, logged, one.before, after))


@pytest.mark.rule("A8", "A12", "B19")
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("left_out", ["fuse", "air"])
def test_a_countdown_that_an_end_leaves_out_was_dropped(end: str, left_out: str):
    bound, order = ENDS[end]
    one = done(ticking(bound), order, GM)

    assert flaws(one) == []
    assert dropping(one, left_out) == [Flaw.DROPPED]


def test_a_roll_that_the_last_round_of_a_race_leaves_out_was_dropped():
    bound, order = ENDS["rounds"]
    ticks = [{"type": "amend_clock", "clock_id": "vault-threat", "value": 1, "reason": "Late."}]
    one = done(ticking(bound, *ticks, situation=RACE), order, GM)
    assert one.after.situations["fight"].status == "failed"

    assert flaws(one) == []
    assert dropping(one, "fuse") == [Flaw.DROPPED]


ROLL_FUSE = {"type": "roll_countdown", "countdown_id": "fuse"}
SAVE = {"type": "stabilize_countdown", "countdown_id": "fuse"}
ASIDE = {"type": "set_scene_aside", "scene_id": "vault"}
BACK = {"type": "take_up_scene", "scene_id": "vault"}


@pytest.mark.rule("A8", "A12", "B19", "B20")
@pytest.mark.parametrize(
    ("end", "before"),
    [
        *((end, [order]) for end in ENDS for order in (ROLL_FUSE, SAVE)),
        *((end, [ASIDE, BACK]) for end in ENDS),
        ("scene, whole turn", [ASIDE]),
        ("scene, whole turn", [{"type": "end_scene", "scene_id": "vault"}]),
        ("scene, its turn", [ROLL_FUSE, {"type": "end_turn"}]),
    ],
    ids=str,
)
def test_what_an_end_need_not_roll_is_no_alarm(end: str, before: list[Order]):
    bound, order = ENDS[end]
    table = ticking({**bound, "stabilizable": True})
    for each in before:
        table.write(each, by=GM, dice=LEDGER)

    assert flaws(done(table, order, GM)) == []


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("meanwhile", [ROLL_FUSE, SAVE, {"type": "cancel_countdown", "countdown_id": "fuse"}], ids=str)
def test_what_somebody_else_did_before_the_end_is_no_alarm(end: str, meanwhile: Order):
    bound, order = ENDS[end]
    table = ticking({**bound, "stabilizable": True})
    before = table.view_as(GM)
    table.write(meanwhile, by=GM, dice=LEDGER)
    one = done(table, order, GM)

    assert flaws(Done(one.command, one.by, one.records, before, one.after)) == []


def test_a_check_of_0_dice_is_rolled_without_a_die_and_is_no_alarm():
    table = opened()
    duel(table)
    table.write({"type": "propose_check", "id": "fall", "character_id": "ada", "score": 0}, by=ANN, dice=LEDGER)
    roll = {"type": "roll_check", "check_id": "fall", "dice": dice(1, LANE)}
    one = done(table, roll)

    assert [faces_of(record.event) for record in one.records if isinstance(record.event, CheckRolled)] == [()]
    assert flaws(one) == []
    assert flaws(one, [record for record in one.records if not isinstance(record.event, CheckRolled)]) == [Flaw.DROPPED]


# Cheats


CHEATS: dict[str, tuple[Callable[[Record], Record], Flaw]] = {
    "in another slot": (lambda record: changed(record, n=2), Flaw.WITHOUT_TOKEN),
    "in the lane without tokens": (lambda record: changed(record, lane="seat/player-1/0"), Flaw.WITHOUT_TOKEN),
    "with faces that it calls physical": (
        lambda record: changed(record, proof=None, physical=True),
        Flaw.WITHOUT_TOKEN,
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_roll_that_does_not_use_the_token_is_named(cheat: str):
    change, flaw = CHEATS[cheat]
    one = done(opened(), ROLL)

    assert flaws(one, [change(record) for record in one.records]) == [flaw]


@pytest.mark.parametrize("fields", [{"name": "damage"}, {"faces": (1, 2, 3)}, {"character_id": "ada"}], ids=str)
def test_a_roll_of_something_else_is_named_and_the_right_one_missed(fields: dict[str, Any]):
    one = done(opened(), ROLL)

    assert flaws(one, [changed(record, **fields) for record in one.records]) == [Flaw.DROPPED, Flaw.OTHER_THING]


@pytest.mark.parametrize("fields", [{"faces": (3, 5)}, {"physical": False}], ids=str)
def test_dice_that_were_typed_in_and_changed_are_named(fields: dict[str, Any]):
    one = done(opened(), {"type": "roll_dice", "pool": 2, "faces": [3, 6]})

    assert flaws(one, [changed(record, **fields) for record in one.records]) == [Flaw.DROPPED, Flaw.OTHER_THING]


def test_dice_that_a_venture_adds_are_no_other_roll():
    one = done(opened(), ROLL)

    assert flaws(one, [changed(record, faces=(1, 2, 3, 4, 5), paid=1) for record in one.records]) == []


def damaged(*scenes: str, **fields: Any) -> Done:
    """Let Ann roll 2 dice of damage, typed in as 6 3 6 1, in the pit, one of two scenes in which sixes add dice."""
    table = opened()
    for each in scenes or ("pit", "attic"):
        table.do({"type": "open_scene", "id": each, "name": each, "clock": 8, "sixes_add": True})
    typed = {"type": "roll_dice", "pool": 2, "purpose": "damage", "faces": [6, 3, 6, 1], "within_id": "pit"}
    return done(table, {**typed, **fields})


@pytest.mark.rule("C27")
def test_dice_that_sixes_add_to_damage_are_no_other_roll():
    one = damaged()

    assert [record.event.roll.added for record in one.records if isinstance(record.event, DiceRolled)] == [2]
    assert flaws(one) == []


@pytest.mark.rule("C27")
@pytest.mark.parametrize(
    "fields", [{"added": 1}, {"added": 3}, {"added": None}, {"within_id": "attic"}, {"within_id": None}], ids=str
)
def test_damage_elsewhere_or_with_other_dice_than_sixes_add_is_named(fields: dict[str, Any]):
    one = damaged()

    assert flaws(one, [changed(record, **fields) for record in one.records]) == [Flaw.DROPPED, Flaw.OTHER_THING]


@pytest.mark.rule("C27")
def test_added_dice_are_as_many_as_the_sixes():
    one = damaged(faces=None, dice=dice(1, LANE))

    def found(*faces: int) -> list[Flaw]:
        return flaws(one, [changed(record, faces=faces, added=2) for record in one.records])

    assert found(6, 3, 6, 1) == []
    assert found(6, 3, 1, 1) == [Flaw.DROPPED, Flaw.OTHER_THING]


@pytest.mark.rule("C27")
def test_a_place_that_the_server_chose_for_damage_is_named():
    unnamed = {"faces": None, "within_id": None, "dice": dice(1, LANE)}
    rolled_there = {"faces": (6, 3, 1), "added": 1, "within_id": "attic"}
    nowhere, there = damaged(**unnamed), damaged("attic", **unnamed)

    assert flaws(nowhere) == flaws(there) == []
    assert flaws(nowhere, [changed(record, **rolled_there) for record in nowhere.records]) == [Flaw.OTHER_THING]
    assert flaws(there, [changed(record, **rolled_there) for record in there.records]) == []


def test_another_countdown_than_the_one_named_is_named():
    table = opened()
    for each in ("fever", "gas"):
        fields = {"type": "start_countdown", "id": each, "name": each, "pool": 4, "owner": ANN.seat_id}
        table.write(fields, dice=LEDGER)
    one = done(table, {"type": "roll_countdown", "countdown_id": "fever", "dice": dice(1, LANE)})
    other = [
        changed(record, countdown_id="gas") if isinstance(record.event, CountdownRolled) else record
        for record in one.records
    ]

    assert flaws(one, other) == [Flaw.DROPPED, Flaw.OTHER_THING]


def test_a_roll_beside_the_one_that_was_asked_for_is_in_ones_name():
    one = done(opened(), ROLL)
    beside = one.records[-1].model_copy(update={"seq": one.records[-1].seq + 1})

    assert flaws(one, [*one.records, beside], one.records) == [Flaw.NOT_SENT]


def test_a_roll_that_a_command_without_dice_is_said_to_have_made_is_named():
    rolled = done(opened(), ROLL)
    joins = Done(read_command(JOINS), ANN, rolled.records, rolled.before, rolled.after)

    assert flaws(joins) == [Flaw.OTHER_THING]


def test_a_roll_while_nothing_is_on_its_way_is_named_at_once():
    one = done(opened(), ROLL)

    alarms = OwnRolls().hear(one.records[-1], ANN.seat_id, one.after)

    assert [(alarm.flaw, alarm.record) for alarm in alarms] == [(Flaw.NOT_SENT, one.records[-1])]


def test_another_device_is_named_once_for_each_lane_it_rolls_in():
    one, rolls = done(opened(), ROLL), OwnRolls()
    lanes = ("seat/player-1/5", "seat/player-1/5", "seat/player-1/6")

    found = [rolls.hear(changed(one.records[-1], lane=lane), ANN.seat_id, one.after) for lane in lanes]

    assert [[alarm.flaw for alarm in alarms] for alarms in found] == [[Flaw.NOT_SENT], [], [Flaw.NOT_SENT]]


def test_rolls_of_others_and_in_lanes_of_this_device_are_no_alarm():
    one = done(opened(), ROLL)
    anchor = one.after.public.lanes[LANE].anchor
    assert anchor is not None

    assert OwnRolls().hear(one.records[-1], BO.seat_id, one.after) == []
    assert OwnRolls(lambda other: other == anchor).hear(one.records[-1], ANN.seat_id, one.after) == []


@pytest.mark.parametrize("late", [False, True], ids=["before the refusal", "after it"])
def test_a_roll_that_was_refused_and_logged_is_named(late: bool):
    one = done(opened(), ROLL)
    rolls, ticket = OwnRolls(), Ticket(1, "")
    rolls.send(ticket, one.command, one.before)

    def hear() -> list[Flaw]:
        return [alarm.flaw for record in one.records for alarm in rolls.hear(record, ANN.seat_id, one.after)]

    found = [] if late else hear()
    found += [alarm.flaw for alarm in rolls.answer(ticket, Refused(Code.NOT_ALLOWED, allowed="no"), one.after)]
    found += hear() if late else []

    assert found == [Flaw.REFUSED]


@pytest.mark.parametrize("code", [Code.SESSION_EXPIRED, Code.DUPLICATE])
def test_a_roll_of_which_it_is_not_known_whether_it_was_done_may_show_up(code: Code):
    one = done(opened(), ROLL)
    rolls, ticket = OwnRolls(), Ticket(1, "")
    rolls.send(ticket, one.command, one.before)
    rolls.answer(ticket, Refused(code, n=1), one.after)

    assert rolls.hear(one.records[-1], ANN.seat_id, one.after) == []
    other = changed(one.records[-1], n=2)
    assert [alarm.flaw for alarm in rolls.hear(other, ANN.seat_id, one.after)] == [Flaw.NOT_SENT]


def test_after_a_view_that_was_shown_anew_nothing_is_known_of_the_rolls_before_it():
    one = done(opened(), ROLL)
    rolls, ticket = OwnRolls(), Ticket(1, "")
    rolls.send(ticket, one.command, one.before)
    for record in one.records:
        rolls.hear(record, ANN.seat_id, one.after)
    rolls.forget()

    assert rolls.answer(ticket, Acknowledged(1, {}, (), complete=False), one.after) == []


def test_one_of_two_commands_on_their_way_claims_a_roll():
    table = opened()
    before = table.view_as(ANN)
    one = done(table, ROLL)
    rolls, joins, roll = OwnRolls(), Ticket(1, ""), Ticket(2, "")
    rolls.send(joins, read_command(JOINS), before)
    rolls.send(roll, one.command, before)

    found = [alarm for record in one.records for alarm in rolls.hear(record, ANN.seat_id, one.after)]
    found += rolls.answer(joins, Acknowledged(1, {}, ()), one.after)
    found += rolls.answer(roll, Acknowledged(2, {}, tuple(one.records)), one.after)

    assert found == []
