"""A party that splits up, and a race with a fight in it: two scenes' turns over websockets, with dice typed in."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest

from dreadclock import Acknowledged, Refused
from dreadclock.evening.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.verify import verify
from kit.links.listeners import Listener, all_agree, listener, outcome
from kit.rooms import Table

PREPARED: tuple[Mapping[str, Any], ...] = (
    {"type": "set_policy", "physical_dice": "everyone", "check_approval": "open"},
    {"type": "open_scene", "id": "roof", "name": "Roof", "clock": 6},
    {"type": "open_scene", "id": "crypt", "name": "Crypt", "clock": 8},
    {"type": "start_situation", "id": "gm-flight", "scene_id": "roof", "name": "Flight", "kind": "race", "clock": 2}
    | {"content": "exploration", "level": 1, "difficulty": "hard", "prepared": True},
    {
        "type": "add_challenge",
        "id": "gm-gap",
        "situation_id": "gm-flight",
        "name": "Gap",
        "kind": "barrier",
        "clock": 2,
    },
    {"type": "start_situation", "id": "gm-guards", "scene_id": "roof", "name": "Guards", "kind": "standard", "clock": 1}
    | {"content": "combat", "within": "gm-flight", "prepared": True},
)


def breath(table: Table, name: str) -> dict[str, Any]:
    """Start somebody's countdown, bound to everyone's turn."""
    mine = {"id": f"of-{name}", "name": "Breath", "owner": table.seat(name)}
    return {"type": "start_countdown", **mine, "pool": 2, "bound_to": "turn"}


async def told(one: Listener, **command: Any) -> list[str]:
    """Do a command and return the types of the events that its sender heard."""
    done = await outcome(one.room, command)
    assert isinstance(done, Acknowledged), done
    return [record.event.type for record in done.records]


async def refused(one: Listener, **command: Any) -> Code:
    done = await outcome(one.room, command)
    assert isinstance(done, Refused)
    return done.code


@pytest.mark.rule("B19")
@pytest.mark.rule("B20")
@pytest.mark.rule("B21")
async def test_a_party_that_splits_up_plays_two_scenes_and_a_race_with_a_fight_in_it(table: Table):
    async with AsyncExitStack() as stack:
        everyone = [await stack.enter_async_context(listener(table, name)) for name in ("gm", "ann", "ben", "eve")]
        gm, ann, ben, eve = everyone
        for command in PREPARED:
            await gm.room.submit(dict(command))
        assert (await told(ann, type="add_character", id="ada", name="Ada", attributes={"Agility": 2}))[0]
        for name in ("ann", "ben"):
            await gm.room.submit(breath(table, name))

        await _play_two_scenes_turns(gm, ann, ben)
        await _race_with_a_fight_in_it(gm, ann)

        await all_agree(table, everyone, [table.server])
        first = next(place for place, record in enumerate(eve.heard) if record.event.type == "revealed")
        assert not any("gm-flight" in record.model_dump_json() for record in eve.heard[:first])
        for name, channels in (("gm", tuple(Channel)), ("eve", (Channel.PUBLIC,))):
            lines = await table.log(name)
            export = "".join(write_export(table.id, gm.room.log_id, channels, lines)).encode()
            assert verify(export).faults == ()


async def _play_two_scenes_turns(gm: Listener, ann: Listener, ben: Listener) -> None:
    """Each scene's turn ends for itself; Ann rolls with dice of her own meanwhile, Ben at the end of everyone's."""
    assert await told(ann, type="roll_countdown", countdown_id="of-ann", faces=[6, 2]) == ["countdown_rolled"]
    for scene_id in ("roof", "crypt", "roof"):
        assert await told(gm, type="end_turn", scene_id=scene_id) == ["scene_turn_ended"]
    assert await refused(ben, type="end_turn", scene_id="crypt") is Code.NOT_ALLOWED
    assert {each.id: each.turn for each in gm.room.view.scenes.values()} == {"roof": 3, "crypt": 2}
    whole = await told(gm, type="end_turn")
    assert (whole.count("countdown_rolled"), whole[-1]) == (1, "turn_ended")

    await told(gm, type="set_scene_aside", scene_id="crypt")
    for command in ({"type": "end_turn", "scene_id": "crypt"}, {"type": "travel", "scene_id": "crypt"}):
        assert await refused(gm, **command) is Code.SCENE_ASIDE
    await told(gm, type="take_up_scene", scene_id="crypt")
    assert await told(gm, type="travel", scene_id="crypt") == ["clock_ticked"]


async def _race_with_a_fight_in_it(gm: Listener, ann: Listener) -> None:
    """The threat begins at 8; an effort and a round of the fight tick it to the scene's 6, which would be a failure."""
    assert await refused(ann, type="begin_situation", situation_id="gm-flight") is Code.NOT_ALLOWED
    await told(gm, type="begin_situation", situation_id="gm-flight")
    assert await refused(gm, type="begin_situation", situation_id="gm-flight") is Code.BEGUN
    await told(gm, type="begin_situation", situation_id="gm-guards")
    effort = {"effort": {"challenge_id": "gm-gap"}, "character_id": "ada", "attribute": "Agility"}
    await told(ann, type="propose_check", id="leap", **effort)
    heard = await told(ann, type="roll_check", check_id="leap", faces=[5, 2])
    assert heard[0] == "clock_ticked"  # before its result
    expect = {"gm-flight": "partial_success"}
    assert await told(gm, type="end_round", situation_id="gm-guards") == ["round_ended", "clock_ticked"]
    wrong = await refused(gm, type="end_scene", scene_id="roof", expect=expect)
    assert wrong is Code.OUTCOME_CHANGED
    assert (await told(gm, type="end_scene", scene_id="roof", expect={"gm-flight": "failure"}))[-1] == "scene_ended"
    assert gm.room.view.clocks["roof-threat"].value == 6
