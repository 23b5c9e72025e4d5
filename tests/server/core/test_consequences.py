"""What follows by itself: moments, effects, order and limits. Ruling E5."""

from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from kit.evenings.audited import BOTH, PUBLIC, rules_broken
from kit.strategies.graphs import SCENE
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, GM, Table, loaded

pytestmark = pytest.mark.rule("E5")

TELL = {"does": "tell", "text": "A cry."}
Fields = dict[str, Any]


def tick(clock_id: str, by: int = 1) -> Fields:
    return {"does": "tick", "thing_id": clock_id, "by": by}


def on(kind: str, thing_id: str, when: str, *do: Fields, at: int | None = None, **more: Any) -> Fields:
    """Order that something follows; what is named `gm-` something is the gm's, and so are the ids."""
    moment = {"when": when} if at is None else {"when": when, "at": at}
    of = {"kind": kind, "id": thing_id}
    return {"type": "attach_consequence", "of": of, "when": moment, "do": list(do), **more}


def clock(clock_id: str, size: int = 3, **more: Any) -> Fields:
    return {"type": "start_clock", "id": clock_id, "name": clock_id, "size": size, **more}


def countdown(countdown_id: str, pool: int = 3, **more: Any) -> Fields:
    return {"type": "start_countdown", "id": countdown_id, "name": countdown_id, "pool": pool, **more}


def starting(**fields: Any) -> Fields:
    return {"does": "start", "countdown": {"name": "x", "pool": 1, **fields}}


def roll(countdown_id: str) -> Fields:
    return {"type": "roll_countdown", "countdown_id": countdown_id}


HIDDEN: Fields = {"visibility": "gm"}
START: list[Fields] = [
    {"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id, "attributes": {"Brawn": 2}},
    {"type": "give_state", "character_id": "ada", "state": "afraid"},
    {"type": "set_track", "character_id": "ada", "track": "breath", "value": 3, "most": 3},
    clock("bell", 1),
    clock("guards"),
    clock("moon", direction="up"),
    clock("gm-doom", 1, **HIDDEN),
    clock("gm-trap", 4, **HIDDEN),
    countdown("alarm", stages=[{"at": 2, "effect": "Steps"}, {"at": 1, "effect": "Torches"}]),
    countdown("leanne", stabilizable=True, replenishable=True),
    countdown("gm-plot", 2, **HIDDEN),
    countdown("gas", 2, visibility="sealed"),
    *SCENE,
]
RING = {"type": "tick_clock", "clock_id": "bell"}


def room(*orders: Fields) -> Table:
    table = Table()
    for order in (*START, *orders):
        table.do(order)
    return table


def agreed(table: Table) -> Table:
    """Fail if the verifier derives anything else, of all channels or of the public one alone."""
    for channels in (BOTH, PUBLIC):
        assert rules_broken(table.texts, channels) == []
    return table


def types(events: list[e.Event]) -> list[str]:
    return [event.type for event in events]


def public(table: Table, order: Fields, **more: Any) -> list[str]:
    return types(table.in_channel(Channel.PUBLIC, order, **more))


# Moments

CHECK = {"type": "propose_check", "id": "jump", "character_id": "ada", "score": 2}
ROLL_CHECK = {"type": "roll_check", "check_id": "jump"}
PAID: list[Fields] = [
    {"type": "propose_cost", "check_id": "jump", "cost": "A scar"},
    {"type": "answer_cost", "check_id": "jump", "answer": "accept"},
]


@pytest.mark.parametrize(
    ("faces", "moments"),
    [
        ((1, 1), {"fumble", "fail", "lost"}),
        ((2, 3), {"fail", "lost"}),
        ((2, 5), {"success", "won"}),
        ((6, 6, 2, 2), {"triumph", "success", "won"}),
    ],
)
def test_a_check_comes_to_its_outcome_and_to_what_that_is_as_well(faces: tuple[int, ...], moments: set[str]):
    every = ("fumble", "fail", "success", "triumph", "won", "lost")
    table = room(CHECK, *(on("check", "jump", when, TELL, id=when) for when in every))

    events = table.do(ROLL_CHECK, dice=loaded(*faces))

    assert {event.consequence_id for event in events if isinstance(event, e.ConsequenceHappened)} == moments
    agreed(table)


def test_a_failure_that_is_paid_for_succeeds_then():
    table = room(CHECK, on("check", "jump", "success", tick("guards")))
    assert "consequence_happened" not in types(table.do(ROLL_CHECK, dice=loaded(2, 3)))
    for order in PAID:
        table.do(order)

    events = table.do({"type": "settle_failure", "check_id": "jump", "apply": True})

    assert types(events) == ["failure_settled", "consequence_happened", "clock_ticked"]
    agreed(table)


TOTAL: list[Fields] = [
    {"type": "propose_total", "id": "climb", "character_id": "ada", "attribute": 2},
    {"type": "set_required", "total_id": "climb", "required": 9, "crisis": "physical"},
]


@pytest.mark.parametrize(
    ("faces", "after", "moments"),
    [
        ((4, 5), [], ["succeeded"]),
        ((4, 4), [({"type": "stop_pushing", "total_id": "climb"}, ())], ["failed"]),
        (
            (4, 4),
            [({"type": "offer_push", "total_id": "climb"}, ()), ({"type": "push_luck", "total_id": "climb"}, (4,))],
            ["failed", "crisis", "character"],
        ),
    ],
)
def test_totals_and_characters_come_to_moments(faces: tuple[int, ...], after: list[Any], moments: list[str]):
    attached = [on("total", "climb", when, TELL, id=when) for when in ("succeeded", "failed", "crisis")]
    table = room(*TOTAL, *attached, on("character", "ada", "crisis", TELL, id="character"))
    events = table.do({"type": "roll_total", "total_id": "climb"}, dice=loaded(*faces))

    for order, more in after:
        events += table.do(order, dice=loaded(*more))

    assert [each.consequence_id for each in events if isinstance(each, e.ConsequenceHappened)] == moments
    agreed(table)


@pytest.mark.parametrize(
    ("faces", "happened"),
    [((6, 2, 2), ["two"]), ((6, 6, 2), ["two", "one"]), ((6, 6, 6), ["two", "one", "end"]), ((2, 2, 2), [])],
)
def test_a_countdown_comes_to_each_stage_that_it_falls_past_and_to_its_end(faces: tuple[int, ...], happened: list[str]):
    table = room(
        on("countdown", "alarm", "end", TELL, id="end"),
        on("countdown", "alarm", "stage", TELL, at=1, id="one"),
        on("countdown", "alarm", "stage", TELL, at=2, id="two"),
    )

    events = table.do(roll("alarm"), dice=loaded(*faces))

    assert [each.consequence_id for each in events if isinstance(each, e.ConsequenceHappened)] == happened
    agreed(table)


@pytest.mark.parametrize(
    "order",
    [
        {"type": "resolve_situation", "situation_id": "flight", "how": "They fly"},
        {"type": "amend_clock", "clock_id": "flight-clock", "value": 0, "reason": "Over"},
    ],
)
def test_a_situations_clock_ends_however_it_is_won(order: Fields):
    table = room(on("clock", "flight-clock", "end", TELL))

    assert "consequence_told" in types(table.do(order))
    agreed(table)


# Effects

EFFECTS: list[tuple[Fields, list[str]]] = [
    (tick("guards", 2), ["clock_ticked"]),
    (tick("keep-clock", 1), ["clock_ticked"]),
    ({"does": "stabilize", "thing_id": "leanne"}, ["countdown_stabilized"]),
    ({"does": "replenish", "thing_id": "leanne", "by": 2}, ["countdown_replenished"]),
    ({"does": "roll", "thing_id": "alarm"}, ["countdown_rolled", "stage_reached"]),
    ({"does": "start", "countdown": {"name": "Fire", "pool": 5}}, ["countdown_started"]),
    ({"does": "take_off", "thing_id": "gate", "by": 1}, ["clock_ticked"]),
    ({"does": "leave", "thing_id": "ada", "fate": "dies"}, ["character_died"]),
    ({"does": "leave", "thing_id": "ada", "fate": "leaves"}, ["character_left"]),
    ({"does": "give_state", "thing_id": "ada", "name": "soaked"}, ["state_gained"]),
    ({"does": "drop_state", "thing_id": "ada", "name": "afraid"}, ["state_lost"]),
    ({"does": "move_track", "thing_id": "ada", "name": "breath", "by": -2}, ["track_moved"]),
    ({"does": "give_token", "thing_id": "ada", "token": "momentum"}, ["momentum_gained"]),
    ({"does": "give_token", "thing_id": "ada", "token": "interference"}, ["interference_gained"]),
    (TELL, ["consequence_told"]),
]


@pytest.mark.parametrize(("effect", "follows"), EFFECTS, ids=lambda one: str(one)[:30])
@pytest.mark.parametrize("by", [GM, ANN])
def test_each_effect_is_an_ordinary_event_after_its_cause_whoever_acted(effect: Fields, follows: list[str], by: Any):
    table = Table()
    for order in START:
        table.do(order if order != clock("bell", 1) else clock("bell", 1, owner=ANN.seat_id))
    table.do(on("clock", "bell", "end", effect))

    events = table.do(RING, by=by, dice=loaded(*(2, 3, 6) if effect["does"] == "roll" else ()))

    assert types(events) == ["clock_ticked", "consequence_happened", *follows]
    agreed(table)


@pytest.mark.parametrize(
    ("effect", "follows"), [each for each in EFFECTS if each[0] != TELL], ids=lambda one: str(one)[:30]
)
def test_of_a_hidden_one_everyone_hears_what_it_does_and_not_why(effect: Fields, follows: list[str]):
    table = room(on("clock", "bell", "end", effect, **HIDDEN))

    events = table.in_channel(Channel.PUBLIC, RING, dice=loaded(*(2, 3, 6) if effect["does"] == "roll" else ()))

    assert types(events) == ["clock_ticked", "consequence_happened", *follows]
    assert events[1] == e.ConsequenceHappened()
    assert not [each for each in events[2:] if getattr(each, "cause", "hidden") != "hidden"]
    agreed(table)


@pytest.mark.parametrize(
    ("effect", "seen", "faces"),
    [
        (tick("gm-trap"), [], ()),
        ({"does": "roll", "thing_id": "gm-plot"}, [], (2, 6)),
        ({"does": "roll", "thing_id": "gm-plot"}, [], (6, 6)),
        ({"does": "roll", "thing_id": "gas"}, ["sealed_changed"], (2, 6)),
        ({"does": "roll", "thing_id": "gas"}, ["sealed_changed", "revealed"], (6, 6)),
        ({"does": "start", "countdown": {"name": "Rot", "pool": 4, **HIDDEN}}, [], ()),
        (
            {"does": "start", "countdown": {"name": "Rot", "pool": 4, "visibility": "sealed"}},
            ["consequence_happened", "sealed_started"],
            (),
        ),
        ({"does": "reveal", "thing_id": "gm-plot"}, ["consequence_happened", "revealed"], ()),
        (TELL, [], ()),
    ],
    ids=str,
)
def test_what_is_done_to_hidden_things_is_told_as_hidden(effect: Fields, seen: list[str], faces: tuple[int, ...]):
    table = room(on("clock", "bell", "end", effect, **HIDDEN))

    assert public(table, RING, dice=loaded(*faces)) == ["clock_ticked", *seen]
    agreed(table)


def test_a_clock_moves_back_and_a_stabilized_countdown_runs_again():
    table = room(
        {"type": "tick_clock", "clock_id": "moon", "by": 2},
        {"type": "stabilize_countdown", "countdown_id": "leanne"},
        on("clock", "bell", "end", tick("moon", -1), {"does": "resume", "thing_id": "leanne"}),
    )

    assert types(table.do(RING)) == ["clock_ticked", "consequence_happened", "clock_ticked", "countdown_resumed"]
    assert table.view.clocks["moon"].value == 1
    agreed(table)


# What cannot happen

SKIPPED: list[tuple[list[Fields], Fields, str]] = [
    ([], {"does": "give_state", "thing_id": "ada", "name": "afraid"}, "unchanged"),
    ([], {"does": "drop_state", "thing_id": "ada", "name": "soaked"}, "unchanged"),
    ([], {"does": "move_track", "thing_id": "ada", "name": "breath", "by": 1}, "unchanged"),
    (
        [{"type": "take_out_of_play", "character_id": "ada", "fate": "dies"}],
        {"does": "leave", "thing_id": "ada", "fate": "leaves"},
        "over",
    ),
    ([{"type": "cancel", "thing_id": "guards", "reason": "No"}], tick("guards"), "gone"),
    ([{"type": "end_scene", "scene_id": "keep"}], tick("keep-clock"), "over"),
    ([], tick("moon", -1), "unchanged"),
    ([{"type": "cancel_countdown", "countdown_id": "alarm"}], {"does": "roll", "thing_id": "alarm"}, "over"),
    ([{"type": "stabilize_countdown", "countdown_id": "leanne"}], {"does": "stabilize", "thing_id": "leanne"}, "over"),
    ([], {"does": "resume", "thing_id": "leanne"}, "over"),
    ([], {"does": "replenish", "thing_id": "leanne", "by": 58}, "cap"),
    (
        [{"type": "overcome_challenge", "challenge_id": "gate"}],
        {"does": "take_off", "thing_id": "gate", "by": 1},
        "over",
    ),
]


@pytest.mark.parametrize(("before", "effect", "reason"), SKIPPED, ids=str)
def test_what_cannot_happen_is_skipped_and_the_command_stands(before: list[Fields], effect: Fields, reason: str):
    table = room(on("clock", "bell", "end", effect, id="none"), *before)

    events = table.do(RING)

    assert types(events)[-1:] == ["consequence_skipped"]
    assert events[1:] == [e.ConsequenceSkipped(consequence_id="none", place=0, reason=e.SkipReason(reason))]
    assert table.records[-1].channel is Channel.GM
    agreed(table)


def test_the_cap_of_countdowns_skips_their_start():
    fire = {"does": "start", "countdown": {"name": "Fire", "pool": 1}}
    table = room(on("clock", "bell", "end", fire), *(countdown(f"c{n}") for n in range(61)))

    assert types(table.do(RING)) == ["clock_ticked", "consequence_skipped"]
    agreed(table)


# Order and limits


def test_what_follows_comes_after_all_that_the_command_does_breadth_first_and_public_first():
    table = room(
        on("clock", "bell", "end", tick("guards", 3), id="first"),
        on("clock", "bell", "end", tick("gm-doom"), id="gm-second", **HIDDEN),
        on("clock", "bell", "end", tick("moon", 3), id="third"),
        on("clock", "guards", "end", TELL, id="deeper"),
        on("clock", "moon", "end", TELL, id="moonlit"),
        on("clock", "gm-doom", "end", TELL, id="gm-doomed", **HIDDEN),
    )

    events = table.do(RING)

    happened = [event.consequence_id for event in events if isinstance(event, e.ConsequenceHappened)]
    assert happened == ["first", "third", "gm-second", "deeper", "moonlit", "gm-doomed"]
    agreed(table)


def loop(size: int, **more: Any) -> Table:
    """Let clocks set each other off in a circle."""
    prefix = "gm-" if more else ""
    names = [f"{prefix}c{n}" for n in range(size)]
    rounds = zip(names, names[1:] + names[:1], strict=True)
    links = [on("clock", one, "end", tick(other), id=f"{prefix}after-{one[-2:]}", **more) for one, other in rounds]
    return room(*(clock(name, 1, **more) for name in names), *links)


@pytest.mark.parametrize("more", [{}, HIDDEN], ids=["public", "gm"])
def test_a_chain_stops_eight_deep_where_it_is_told(more: Fields):
    table = loop(10, **more)
    first = next(iter((more and ["gm-c0"]) or ["c0"]))

    events = table.do({"type": "tick_clock", "clock_id": first})

    assert types(events).count("consequence_happened") == 8
    assert events[-1] == e.ConsequencesStopped(reason=e.StopReason.DEPTH)
    assert table.records[-1].channel is (Channel.GM if more else Channel.PUBLIC)
    agreed(table)


def test_a_circle_stops_by_itself_as_each_follows_once():
    table = loop(3)

    assert types(table.do({"type": "tick_clock", "clock_id": "c0"})).count("consequence_happened") == 2
    agreed(table)


def test_more_events_than_a_batch_may_hold_stop_where_they_are_too_many_and_only_there():
    many = [on("clock", "bell", "end", *[TELL] * 8) for _ in range(10)]
    hidden = [on("clock", "bell", "end", *[TELL] * 8, **HIDDEN) for _ in range(10)]
    table = room(*many, on("clock", "guards", "end", TELL), *hidden)

    events = table.do(RING)

    told = [record.channel for record in table.records[-len(events) :] if record.event.type == "consequence_told"]
    stopped = [record.channel for record in table.records if isinstance(record.event, e.ConsequencesStopped)]
    assert told.count(Channel.PUBLIC) == told.count(Channel.GM) == 57
    assert stopped == [Channel.PUBLIC, Channel.GM]
    agreed(table)


def test_what_is_skipped_counts_and_the_referee_counts_the_same():
    nothing = {"does": "drop_state", "thing_id": "ada", "name": "soaked"}
    many = [on("clock", "bell", "end", *[TELL] * 8) for _ in range(7)]
    table = room(*many, on("clock", "bell", "end", nothing, TELL))

    events = table.do(RING)

    assert types(events)[-2:] == ["consequence_skipped", "consequences_stopped"]
    assert len(events) == 1 + 64 + 1
    agreed(table)


def test_what_hidden_ones_do_in_public_counts_as_theirs():
    back_and_forth = [tick("moon"), tick("moon", -1)] * 4
    hidden = [on("clock", "bell", "end", *back_and_forth, **HIDDEN) for _ in range(10)]
    table = room(*hidden, on("clock", "bell", "end", TELL))

    events = table.do(RING)

    assert types(events)[:3] == ["clock_ticked", "consequence_happened", "consequence_told"]
    assert len(events) == 3 + 64 + 1
    assert (events[-1].type, table.records[-1].channel) == ("consequences_stopped", Channel.GM)
    agreed(table)


DOOMED = countdown("gm-doomed", 1, about="ada", fate="dies", **HIDDEN)
WITHIN: Fields = {"scene_id": "keep", "content": "combat", "kind": "standard", "clock": 1}
PLOT = {"type": "start_situation", "id": "gm-coup", "name": "Coup", **WITHIN, **HIDDEN}


@pytest.mark.parametrize(
    ("effect", "seen", "faces"),
    [
        ({"does": "roll", "thing_id": "gas"}, ["sealed_changed"], (2, 6)),
        ({"does": "roll", "thing_id": "gas"}, ["sealed_changed", "revealed"], (6, 6)),
        ({"does": "roll", "thing_id": "gm-doomed"}, ["character_died"], (6,)),
        (tick("gm-coup-clock"), ["clock_ticked"], ()),
    ],
    ids=str,
)
@pytest.mark.parametrize("others", [[], [on("clock", "drum", "end", TELL)]], ids=["alone", "among others"])
def test_an_unseen_cause_is_a_sound_log(effect: Fields, seen: list[str], faces: tuple[int, ...], others: list[Fields]):
    drum = clock("drum", 1, owner=ANN.seat_id)
    table = room(drum, DOOMED, PLOT, on("clock", "drum", "end", effect, **HIDDEN), *others)

    beat = {"type": "tick_clock", "clock_id": "drum"}

    told = ["consequence_happened", "consequence_told"] if others else []
    assert public(table, beat, by=ANN, dice=loaded(*faces)) == ["clock_ticked", *told, *seen]
    agreed(table)


def test_what_is_skipped_unheard_may_be_possible_once_a_hidden_one_has_happened():
    soaked: Fields = {"thing_id": "ada", "name": "soaked"}
    dries, soaks = on("clock", "bell", "end", {"does": "drop_state", **soaked}), {"does": "give_state", **soaked}
    table = room(dries, on("clock", "bell", "end", soaks, **HIDDEN))

    assert public(table, RING) == ["clock_ticked", "consequence_happened", "state_gained"]
    agreed(table)


# Attaching


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (on("clock", "nope", "end", TELL), Code.UNKNOWN),
        (on("clock", "bell", "end", tick("nope")), Code.UNKNOWN),
        (on("clock", "bell", "success", TELL), Code.NO_SUCH_MOMENT),
        (on("countdown", "alarm", "stage", TELL), Code.NO_SUCH_MOMENT),
        (on("countdown", "alarm", "stage", TELL, at=3), Code.NO_SUCH_MOMENT),
        (on("clock", "bell", "end", TELL, at=3), Code.NO_SUCH_MOMENT),
        (on("clock", "bell", "end", {"does": "stabilize", "thing_id": "alarm"}), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", {"does": "resume", "thing_id": "alarm"}), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", {"does": "replenish", "thing_id": "alarm", "by": 1}), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", {"does": "reveal", "thing_id": "alarm"}, **HIDDEN), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", starting(owner="spectator-3")), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", starting(owner="player-9")), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", starting(pool=None)), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", starting(bound_to="scene", bound_id="nope")), Code.NEVER_HAPPENS),
        (on("clock", "bell", "end", tick("gm-trap")), Code.SECRET_NAMED),
        (on("countdown", "gas", "end", TELL), Code.SECRET_NAMED),
        (on("clock", "gm-trap", "end", TELL), Code.SECRET_NAMED),
        (on("clock", "bell", "end", {"does": "reveal", "thing_id": "gas"}), Code.SECRET_NAMED),
        (on("clock", "bell", "end", starting(**HIDDEN)), Code.SECRET_NAMED),
        ({"type": "detach_consequence", "consequence_id": "nope"}, Code.UNKNOWN),
    ],
    ids=str,
)
def test_what_can_never_come_about_or_would_tell_of_a_secret_is_refused(order: Fields, code: Code):
    assert room().refused(order).code is code


def test_of_what_is_over_nothing_follows_any_more():
    table = room({"type": "cancel_countdown", "countdown_id": "alarm"})

    refused = table.refused(on("countdown", "alarm", "end", TELL))
    assert refused.code is Code.ENDED
    assert refused.details == {"kind": "countdown", "id": "alarm", "status": "cancelled"}


def test_what_can_never_come_about_any_more_makes_room():
    table = room(
        on("countdown", "alarm", "end", TELL, id="old"),
        on("clock", "bell", "end", TELL, id="stays"),
        {"type": "cancel_countdown", "countdown_id": "alarm"},
    )

    (event,) = table.do(on("clock", "guards", "end", TELL, id="new"))

    assert isinstance(event, e.ConsequenceAttached)
    assert event.dropped == ("old",)
    assert list(table.view.consequences) == ["stays", "new"]
    agreed(table)


@pytest.mark.rule("B20")
def test_what_is_prepared_or_set_aside_is_not_over():
    """Its consequences wait for it: they can be attached, may tick its clocks, and are not dropped for others."""
    siege = {"type": "start_situation", "id": "gm-siege", "scene_id": "keep", "name": "Siege", "kind": "standard"}
    table = room(
        {**siege, "clock": 1, "content": "combat", "prepared": True}, {"type": "set_scene_aside", "scene_id": "keep"}
    )
    table.do(on("clock", "keep-clock", "end", TELL, id="fall"))
    table.do(on("clock", "gm-siege-clock", "end", tick("keep-clock"), id="gm-walls", **HIDDEN))

    (event,) = table.do(on("clock", "bell", "end", TELL, id="new"))

    assert isinstance(event, e.ConsequenceAttached)
    assert event.dropped == ()
    for order in (
        {"type": "take_up_scene", "scene_id": "keep"},
        {"type": "begin_situation", "situation_id": "gm-siege"},
        {"type": "resolve_situation", "situation_id": "gm-siege", "how": "The walls hold."},
    ):
        table.do(order)
    assert table.view.clocks["keep-clock"].value < 7
    agreed(table)


def test_caps_count_each_channel_on_its_own():
    table = room(*(on("clock", "guards", "end", TELL) for _ in range(256)))

    assert table.refused(on("clock", "bell", "end", TELL)).code is Code.TOO_MANY
    table.do(on("clock", "bell", "end", TELL, **HIDDEN))


def test_all_of_a_channel_are_no_more_than_a_view_bears():
    stages = [{"at": at, "effect": "x" * 279} for at in range(1, 25)]
    starts = {"does": "start", "countdown": {"name": "Doom", "pool": 30, "stages": stages}}
    table = room(*(on("clock", "guards", "end", *[starts] * 4, id=f"big-{n}") for n in range(6)))

    refused = table.refused(on("clock", "guards", "end", *[starts] * 4))
    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 200_000)
    table.do({"type": "detach_consequence", "consequence_id": "big-0"})
    table.do(on("clock", "guards", "end", *[starts] * 4))


@pytest.mark.rule("B20")
def test_nothing_moves_a_clock_while_its_scene_is_set_aside():
    table = room(on("clock", "bell", "end", tick("keep-clock")), {"type": "set_scene_aside", "scene_id": "keep"})

    events = table.do(RING)

    assert [each.reason for each in events if isinstance(each, e.ConsequenceSkipped)] == ["over"]
    assert table.view.clocks["keep-clock"].value == 8
    agreed(table)


@pytest.mark.rule("B15")
def test_a_clock_can_set_itself_back_from_its_end():
    table = room(on("clock", "guards", "end", tick("guards", -3), id="anew"))

    for _ in range(2):
        table.do({"type": "tick_clock", "clock_id": "guards", "by": 3})
        assert table.view.clocks["guards"].value == 3
    agreed(table)


@pytest.mark.rule("C20")
def test_a_check_that_failed_can_come_to_success_alone():
    check = {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2}
    table = room(check)
    table.do({"type": "roll_check", "check_id": "leap"}, dice=loaded(2, 3))

    for when in ("fail", "fumble", "triumph", "won", "lost"):
        assert table.refused(on("check", "leap", when, TELL)).code is Code.NO_SUCH_MOMENT
    table.do({"type": "propose_cost", "check_id": "leap", "cost": "a scar"})
    table.do(on("check", "leap", "success", TELL))
    agreed(table)


def test_one_that_is_taken_away_does_not_come_about():
    table = room(on("clock", "bell", "end", TELL, id="cry"), {"type": "detach_consequence", "consequence_id": "cry"})

    assert types(table.do(RING)) == ["clock_ticked"]
    agreed(table)


def test_taking_a_command_back_takes_back_what_followed():
    table = room(on("clock", "bell", "end", tick("guards"), id="wake"))
    table.do(RING)

    table.do({"type": "void_command", "seq": table.room.seq(Channel.PUBLIC), "reason": "A slip"})

    assert (table.view.clocks["bell"].value, table.view.clocks["guards"].value) == (1, 3)
    assert "wake" in table.view.consequences
    agreed(table)


def test_what_is_hidden_says_nothing_where_it_does_nothing_in_public():
    """Two rooms that differ in hidden consequences alone look the same."""
    plain, other = (
        room(),
        room(
            on("clock", "bell", "end", tick("gm-trap"), TELL, **HIDDEN),
            on("clock", "bell", "end", tick("moon", -1), **HIDDEN),
            on("countdown", "gm-plot", "end", TELL, **HIDDEN),
        ),
    )
    for table in (plain, other):
        table.do(RING)
        table.do(roll("alarm"), dice=loaded(2, 3, 6))

    assert plain.public() == other.public()


@pytest.mark.parametrize(
    "new",
    [
        {"pool": 3, "about": "gm-ghost"},
        {"from_attribute": "Brawn", "about": "gm-ghost"},
        {"pool": 3, "bound_to": "scene", "bound_id": "gm-den"},
        {"pool": 3, "bound_to": "rounds", "bound_id": "gm-fight"},
    ],
    ids=str,
)
def test_who_sets_off_what_starts_need_not_see_what_it_names(new: Fields):
    table = room(
        {"type": "add_character", "id": "gm-ghost", "name": "Ghost", "attributes": {"Brawn": 4}, **HIDDEN},
        {"type": "open_scene", "id": "gm-den", "name": "Den", "clock": 3, **HIDDEN},
        {"type": "start_situation", "id": "gm-fight", "scene_id": "gm-den", "name": "Fight", "kind": "standard"}
        | {"content": "combat", "clock": 2},
        clock("mine", 1, owner=ANN.seat_id),
    )
    assert table.refused(on("clock", "mine", "end", starting(**new))).code is Code.NEVER_HAPPENS
    table.do(on("clock", "mine", "end", starting(**{"pool": None, **HIDDEN, **new}), **HIDDEN))

    events = table.do({"type": "tick_clock", "clock_id": "mine"}, by=ANN, dice=LEDGER)

    assert "countdown_started" in types(events)
    agreed(table)


def test_what_starts_may_wait_for_a_scene_that_is_set_aside():
    starts = {"does": "start", "countdown": {"name": "Fire", "pool": 3, "bound_to": "scene", "bound_id": "keep"}}
    table = room(on("clock", "bell", "end", starts), {"type": "set_scene_aside", "scene_id": "keep"})

    assert "countdown_started" in types(table.do(RING))
    agreed(table)


def test_what_starts_from_an_attribute_has_its_dice():
    new = starting(pool=None, from_attribute="Brawn", about="ada", owner=ANN.seat_id)
    table = room(on("clock", "bell", "end", new))

    table.do(RING)

    [begun] = [each for each in table.view.countdowns.values() if each.name == "x"]
    assert (begun.pool, begun.owner) == (2, ANN.seat_id)
    agreed(table)


@pytest.mark.rule("E6")
def test_what_waits_for_a_character_that_left_is_kept_until_it_is_gone_for_good():
    fates = [{"type": "take_out_of_play", "character_id": "ada", "fate": fate} for fate in ("leaves", "dies")]
    table = room(on("character", "ada", "crisis", TELL, id="waits"), fates[0])
    table.do(on("clock", "guards", "end", TELL, id="new"))
    assert list(table.view.consequences) == ["waits", "new"]

    table.do({"type": "return_to_play", "character_id": "ada"})
    table.do(fates[1])

    assert table.do(on("clock", "guards", "end", TELL, id="newer"))[0] == e.ConsequenceAttached(
        consequence=table.view.consequences["newer"], dropped=("waits",)
    )
