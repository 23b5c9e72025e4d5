"""Fumble effects that do something when they happen. Ruling C26."""

import json
from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Choice, EffectKind, FumbleDoes, StandingEffects, Subject
from kit.evenings.audited import BOTH, PUBLIC, rules_broken
from kit.families.checks import adjust, choose, holds, interference, propose, roll, seated
from kit.tables import ANN, Table, loaded

pytestmark = pytest.mark.rule("C26")

HANG, FALL = "You hang from the ledge.", "You fall."
DYING: dict[str, Any] = {"does": "leave", "fate": "dies"}
HANGING: list[dict[str, Any]] = [
    {"does": "give_state", "name": "hanging"},
    {"does": "set_fumble", "text": FALL, "do": [{"does": "drop_state", "name": "hanging"}, DYING]},
]
LEDGE: dict[str, Any] = {
    "type": "set_effects",
    "thing_id": "cliff",
    "fumble_effects": [HANG],
    "fumble_does": [{"effect": HANG, "do": HANGING}],
}


def on_the_cliff() -> Table:
    """Return a table with one open scene, in which all checks happen."""
    table = seated()
    table.do({"type": "open_scene", "id": "cliff", "name": "Cliff", "clock": 8})
    return table


def fumbles(table: Table, check: str, who: str = "han") -> list[Any]:
    """Let a character fumble, and return what that brings."""
    table.do(propose(who, 1, id=check))
    events = table.do(roll(who, check), dice=loaded(1))
    return events[[event.type for event in events].index("check_resolved") + 1 :]


def deed(effect: str, *do: dict[str, Any]) -> FumbleDoes:
    """Return what an effect does as it is kept."""
    return FumbleDoes.model_validate_json(json.dumps({"effect": effect, "do": do}))


def acts(*effects: dict[str, Any]) -> dict[str, Any]:
    """Let an effect on the cliff do this."""
    return {**LEDGE, "fumble_does": [{"effect": HANG, "do": list(effects)}]}


def test_you_hang_and_at_a_second_fumble_you_fall():
    table = on_the_cliff()
    table.do(LEDGE)
    falling = StandingEffects(
        fumble_effects=(FALL,), fumble_does=(deed(FALL, {"does": "drop_state", "name": "hanging"}, DYING),)
    )
    han = Subject(kind=Kind.CHARACTER, id="han")

    assert fumbles(table, "first") == [
        e.EffectHappened(character_id="han", check_id="first", effect=HANG),
        e.ConsequenceHappened(of=han, effect=HANG),
        e.StateGained(character_id="han", state="hanging", states=("hanging",)),
        e.EffectsSet(kind=Kind.CHARACTER, id="han", effects=falling),
    ]
    assert fumbles(table, "chens", "chen")[0] == e.EffectHappened(character_id="chen", check_id="chens", effect=HANG)
    assert fumbles(table, "second") == [
        e.EffectHappened(character_id="han", check_id="second", effect=FALL),
        e.ConsequenceHappened(of=han, effect=FALL),
        e.StateLost(character_id="han", state="hanging", states=()),
        e.CharacterDied(character_id="han"),
    ]
    assert holds(table) == (False, False)
    assert table.view.characters["chen"].states == ("hanging",)


def test_an_effect_that_could_do_nothing_any_more_leaves_interference():
    table = on_the_cliff()
    table.do(acts({"does": "give_state", "name": "hanging"}))
    fumbles(table, "first")

    assert fumbles(table, "second") == [interference(check="second")]


def test_a_chosen_effect_does_what_it_did_when_it_was_offered():
    table = on_the_cliff()
    table.do({**LEDGE, "fumble_effects": [HANG, "Smoke."]})
    [offered] = fumbles(table, "first")
    table.do({**LEDGE, "fumble_effects": [], "fumble_does": []})
    offers: dict[str, Any] = {"offered": (HANG, "Smoke."), "or_token": False, "does": (deed(HANG, *HANGING),)}
    choice = Choice(check_id="first", instead_of=EffectKind.INTERFERENCE, **offers)

    events = table.do(choose(HANG, check="first"), by=ANN)

    assert offered.choice == choice
    assert events[0] == e.EffectChosen(character_id="han", check_id="first", effect=HANG, choices=())
    assert [event.type for event in events[1:]] == ["consequence_happened", "state_gained", "effects_set"]


def test_a_choice_that_makes_itself_follows_after_the_roll():
    table = on_the_cliff()
    table.do({**LEDGE, "fumble_effects": [HANG, "Smoke."]})
    fumbles(table, "first")
    table.do(propose("han", 1, id="next"))

    events = table.do(roll("han", "next"), dice=loaded(4))

    assert [event.type for event in events] == [
        *("effect_chosen", "check_rolled", "check_resolved"),
        *("consequence_happened", "state_gained", "effects_set"),
    ]


def test_what_the_gm_adds_to_one_check_may_do_something_and_name_a_thing():
    table = on_the_cliff()
    table.do({"type": "set_track", "character_id": "chen", "track": "hits", "value": 3, "most": 3})
    hit = {"does": "move_track", "thing_id": "chen", "name": "hits", "by": -1}
    table.do(propose("han", 1, id="swing"))
    table.do(adjust("swing", fumble_effects=["You hit Chen."], fumble_does=[{"effect": "You hit Chen.", "do": [hit]}]))

    events = table.do(roll("han", "swing"), dice=loaded(1))

    assert events[-1] == e.TrackMoved(character_id="chen", track="hits", value=2)


def test_of_several_things_done_what_cannot_happen_is_skipped_and_the_gm_alone_hears_of_it():
    table = on_the_cliff()
    table.do(acts({"does": "give_state", "name": "wet"}, {"does": "tell", "text": "A splash."}))
    table.do({"type": "give_state", "character_id": "han", "state": "wet"})

    records = table.write(propose("han", 1, id="first"))
    records = table.write(roll("han", "first"), dice=loaded(1))

    assert [(each.channel, each.event) for each in records[-3:]] == [
        (Channel.GM, e.ConsequenceSkipped(place=0, reason=e.SkipReason.UNCHANGED, effect=HANG)),
        (Channel.PUBLIC, e.ConsequenceHappened(of=Subject(kind=Kind.CHARACTER, id="han"), effect=HANG)),
        (Channel.PUBLIC, e.ConsequenceTold(text="A splash.", effect=HANG)),
    ]


@pytest.mark.rule("E5")
def test_an_attached_consequence_lets_a_fumble_effect_stand_and_drops_it():
    table = on_the_cliff()
    table.do({"type": "start_clock", "id": "rain", "name": "Rain", "size": 1})
    table.do({"type": "start_clock", "id": "sun", "name": "Sun", "size": 1})
    for clock, does in (("rain", "set_fumble"), ("sun", "drop_fumble")):
        do = [{"does": does, "thing_id": "cliff", "text": "You slip."}]
        table.do(
            {"type": "attach_consequence", "of": {"kind": "clock", "id": clock}, "when": {"when": "end"}, "do": do}
        )

    table.do({"type": "tick_clock", "clock_id": "rain"})
    assert table.view.scenes["cliff"].effects == StandingEffects(fumble_effects=("You slip.",))
    table.do({"type": "tick_clock", "clock_id": "sun"})
    assert table.view.scenes["cliff"].effects == StandingEffects()


def at_the_end_of(table: Table, clock: str, **do: Any) -> None:
    """Let the end of a new clock of one point do something to the cliff."""
    table.do({"type": "start_clock", "id": clock, "name": clock, "size": 1})
    of, when = {"kind": "clock", "id": clock}, {"when": "end"}
    table.do({"type": "attach_consequence", "of": of, "when": when, "do": [{"thing_id": "cliff", **do}]})


def on_tick(table: Table, clock: str) -> list[Any]:
    """End a clock, and return what its consequence brings."""
    return table.do({"type": "tick_clock", "clock_id": clock})[1:]


def test_an_effect_that_is_set_takes_the_place_of_the_one_that_reads_alike():
    table = on_the_cliff()
    table.do(LEDGE)
    at_the_end_of(table, "rain", does="set_fumble", text=HANG.upper(), do=[DYING])
    at_the_end_of(table, "sun", does="set_fumble", text=HANG)

    on_tick(table, "rain")
    does = (deed(HANG.upper(), DYING),)
    assert table.view.scenes["cliff"].effects == StandingEffects(fumble_effects=(HANG.upper(),), fumble_does=does)
    on_tick(table, "sun")
    assert table.view.scenes["cliff"].effects == StandingEffects(fumble_effects=(HANG,))


def test_what_an_effect_does_goes_with_it_whichever_way_it_is_dropped():
    for drops in ("set_effects", "drop_fumble"):
        table = on_the_cliff()
        table.do({**LEDGE, "or_interference": [HANG]})
        if drops == "set_effects":
            table.do({"type": "set_effects", "thing_id": "cliff", "fumble_effects": []})
        else:
            at_the_end_of(table, "sun", does="drop_fumble", text=HANG)
            on_tick(table, "sun")

        assert table.view.scenes["cliff"].effects == StandingEffects(), drops


def test_beyond_8_effects_and_where_the_scene_is_over_none_is_set():
    table = on_the_cliff()
    eight = [f"You lose {number}." for number in range(8)]
    table.do({"type": "set_effects", "thing_id": "cliff", "fumble_effects": eight})
    for clock in ("rain", "storm"):
        at_the_end_of(table, clock, does="set_fumble", text="You slip.")
    at_the_end_of(table, "sun", does="set_fumble", text=eight[0], do=[DYING])

    assert on_tick(table, "rain") == [skipped("consequence-1", e.SkipReason.CAP)]
    assert on_tick(table, "sun")[-1].effects.fumble_does == (deed(eight[0], DYING),)
    table.do({"type": "end_scene", "scene_id": "cliff"})
    assert on_tick(table, "storm") == [skipped("consequence-2", e.SkipReason.OVER)]


def skipped(consequence: str, reason: e.SkipReason) -> e.ConsequenceSkipped:
    return e.ConsequenceSkipped(consequence_id=consequence, place=0, reason=reason)


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_verify_finds_what_a_server_may_not_let_an_effect_do(channels: tuple[Channel, ...]):
    table = on_the_cliff()
    table.do({"type": "start_clock", "id": "gm-plot", "name": "Plot", "size": 4, "visibility": "gm"})
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4})
    table.do(acts({"does": "tick", "thing_id": "tide", "by": 1}))
    assert rules_broken(table.texts, channels) == []

    hidden = [*table.texts[:-1], table.texts[-1].replace('"thing_id":"tide"', '"thing_id":"gm-plot"')]
    another = table.texts[-1].replace(f'"fumble_effects":["{HANG}"]', f'"fumble_effects":["{FALL}"]')

    for lied in (hidden, [*table.texts[:-1], another]):
        [fault] = rules_broken(lied, channels)
        assert fault.startswith("effects_set: ")


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_verify_finds_what_no_attached_consequence_may_set(channels: tuple[Channel, ...]):
    table = on_the_cliff()
    table.do({"type": "start_clock", "id": "gm-plot", "name": "Plot", "size": 4, "visibility": "gm"})
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4})
    at_the_end_of(table, "rain", does="set_fumble", text=HANG, do=[{"does": "tick", "thing_id": "tide", "by": 1}])
    assert rules_broken(table.texts, channels) == []

    for old, new in (('"thing_id":"tide"', '"thing_id":"gm-plot"'), (',"thing_id":"cliff"', "")):
        forged = table.texts[-1].replace(old, new)
        assert forged != table.texts[-1]
        [fault] = rules_broken([*table.texts[:-1], forged], channels)
        assert fault.startswith("consequence_attached: ")


@pytest.mark.rule("E4", "E5")
@pytest.mark.parametrize(
    "effect",
    [
        {"does": "tick", "thing_id": "gm-plot", "by": 1},
        {"does": "reveal", "thing_id": "gm-plot"},
        {"does": "give_state", "thing_id": "gm-spy", "name": "angry"},
        {"does": "start", "countdown": {"name": "Fuse", "pool": 3, "visibility": "gm"}},
        {"does": "set_fumble", "text": FALL, "do": [{"does": "tick", "thing_id": "gm-plot", "by": 1}]},
    ],
    ids=str,
)
def test_an_effect_that_names_a_hidden_thing_is_refused(effect: dict[str, Any]):
    table = on_the_cliff()
    table.do({"type": "start_clock", "id": "gm-plot", "name": "Plot", "size": 4, "visibility": "gm"})
    table.do({"type": "add_character", "id": "gm-spy", "name": "Spy", "visibility": "gm"})
    table.do(propose("han", 1, id="first"))

    assert table.refused(acts(effect)).code is Code.SECRET_NAMED
    deeds = {"fumble_effects": [HANG], "fumble_does": [{"effect": HANG, "do": [effect]}]}
    assert table.refused(adjust("first", **deeds)).code is Code.SECRET_NAMED
    nested = {"does": "set_fumble", "thing_id": "cliff", "text": HANG, "do": [effect]}
    end = {"of": {"kind": "character", "id": "han"}, "when": {"when": "crisis"}}
    attach = {"type": "attach_consequence", **end, "do": [nested], "visibility": "gm"}
    assert table.refused(attach).code is Code.SECRET_NAMED


@pytest.mark.parametrize(
    ("deeds", "code"),
    [
        ([{"effect": FALL, "do": [DYING]}], Code.NOT_OFFERED),
        ([{"effect": HANG, "do": [DYING]}, {"effect": HANG, "do": [DYING]}], Code.EFFECTS_ALIKE),
        ([{"effect": HANG, "do": [{"does": "tick", "thing_id": "nothing", "by": 1}]}], Code.UNKNOWN),
        ([{"effect": HANG, "do": [{"does": "drop_fumble", "thing_id": "gone", "text": FALL}]}], Code.UNKNOWN),
    ],
)
def test_what_fits_no_effect_or_can_never_happen_is_refused(deeds: list[Any], code: Code):
    assert on_the_cliff().refused({**LEDGE, "fumble_does": deeds}).code is code


def test_only_what_a_fumble_effect_does_may_leave_out_whom_it_is_about():
    table = on_the_cliff()
    attach = {"type": "attach_consequence", "of": {"kind": "character", "id": "han"}, "when": {"when": "crisis"}}

    with pytest.raises(ValueError, match="thing_id"):
        table.do({**attach, "do": [DYING]})


def test_effects_are_set_one_within_the_other_at_most_4_deep():
    table, deepest = on_the_cliff(), DYING
    for _ in range(4):
        deepest = {"does": "set_fumble", "text": FALL, "do": [deepest]}
    table.do(acts(deepest))

    with pytest.raises(ValueError, match="at most 4"):
        table.do(acts({"does": "set_fumble", "text": FALL, "do": [deepest]}))


@pytest.mark.rule("A12")
def test_a_countdown_that_a_fumble_starts_is_bound_to_the_turn_unless_said():
    table = on_the_cliff()
    table.do(acts({"does": "start", "countdown": {"name": "Rope", "pool": 3}}))

    fumbles(table, "first")

    [rope] = table.view.countdowns.values()
    assert (rope.name, rope.bound_to) == ("Rope", "turn")
