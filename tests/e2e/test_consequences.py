"""What follows by itself as a table plays it, over websockets, with faces that people type in. Source: rules.md E5."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

import pytest

from dreadclock import Room
from dreadclock.evening.export import write_export
from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record
from dreadclock_server.verify import verify
from kit.links.listeners import Listener, all_agree, listener
from kit.rooms import Table

pytestmark = pytest.mark.rule("E5")


class People(NamedTuple):
    """Everyone at the table; each keeps every byte that the server sends."""

    gm: Listener
    ann: Listener
    ben: Listener
    eve: Listener


@asynccontextmanager
async def seated(table: Table) -> AsyncIterator[People]:
    """Seat the gm, Ann with Leanne, Ben with Chen, and Eve who looks on; at last everyone agrees on a sound log."""
    async with AsyncExitStack() as stack:
        people = People(
            *[await stack.enter_async_context(listener(table, name, tap=True)) for name in ("gm", "ann", "ben", "eve")]
        )
        gm = people.gm.room
        await gm.set_policy(physical_dice="everyone", check_approval="open")
        for id_, owner in (("leanne", "ann"), ("chen", "ben")):
            scores = {"Endurance": 3, "First aid": 2}
            await gm.add_character(name=id_.title(), id=id_, owner=table.seat(owner), attributes=scores)
        yield people
        await all_agree(table, people, [table.server])
        for name, channels in (("gm", tuple(Channel)), ("ann", (Channel.PUBLIC,)), ("eve", (Channel.PUBLIC,))):
            report = verify("".join(write_export(table.id, gm.log_id, channels, await table.log(name))).encode())
            assert ([str(each) for each in report.faults], report.unjudged) == ([], 0)


def on(kind: str, thing_id: str, when: str, *do: Mapping[str, Any], at: int | None = None) -> dict[str, Any]:
    """Write down what follows from a moment of a thing."""
    moment = {"when": when} if at is None else {"when": when, "at": at}
    return {"of": {"kind": kind, "id": thing_id}, "when": moment, "do": do}


def told(done: Any) -> list[str]:
    """Name the events that the sender of a command heard."""
    return [record.event.type for record in done.records]


def sentences(one: Listener, records: Sequence[Record]) -> list[str]:
    """Tell records as somebody at the table reads them."""
    return [Narrator().told(record, one.room.view) for record in records]


# Leanne, who dies by her countdown unless somebody helps her


async def bleed(table: Table, people: People) -> None:
    """Let Leanne bleed, as many dice as her Endurance; Ben's Chen gives first aid, which would stabilize her."""
    gm, ben = people.gm.room, people.ben.room
    fate: dict[str, Any] = {"from_attribute": "Endurance", "about": "leanne", "fate": "dies", "stabilizable": True}
    await gm.start_countdown("Leanne bleeds", id="bleeding", owner=table.seat("ann"), **fate)
    await ben.propose_check("chen", id="aid", attribute="First aid", purpose="first aid")
    await gm.attach_consequence(
        **on("check", "aid", "success", {"does": "stabilize", "thing_id": "bleeding"}), id="saved"
    )


@pytest.mark.rule("A9")
@pytest.mark.rule("A10")
async def test_leanne_dies_where_first_aid_fails_and_her_dice_run_out(table: Table):
    async with seated(table) as people:
        await bleed(table, people)
        gm, ann, ben, eve = (each.room for each in people)
        await ann.roll_countdown("bleeding", faces=[6, 2, 3])

        assert told(await ben.roll_check("aid", faces=[3, 2])) == ["check_rolled", "check_resolved"]
        await gm.end_turn()
        died = await ann.roll_countdown("bleeding", faces=[6, 6])

        assert told(died) == ["countdown_rolled", "countdown_expired", "character_died"]
        view = await eve.wait_for(lambda view: view.countdowns["bleeding"].status == "expired")
        assert view.characters["leanne"].status == "dead"


@pytest.mark.rule("A11")
async def test_leanne_lives_where_first_aid_succeeds(table: Table):
    async with seated(table) as people:
        await bleed(table, people)
        gm, ann, ben, eve = (each.room for each in people)
        await ann.roll_countdown("bleeding", faces=[6, 6, 3])
        await gm.end_turn()

        saved = await ben.roll_check("aid", faces=[5, 2])

        assert told(saved) == ["check_rolled", "check_resolved", "consequence_happened", "countdown_stabilized"]
        assert sentences(people.ben, saved.records)[2:] == [
            'As the check of Chen ("first aid") succeeds, something follows.',
            '"Leanne bleeds" is stabilized.',
        ]
        for _ in range(2):
            assert told(await gm.end_turn()) == ["turn_ended"]
        view = await eve.wait_for(lambda view: view.turn == 4)
        assert (view.countdowns["bleeding"].status, view.countdowns["bleeding"].pool) == ("stabilized", 1)
        assert view.characters["leanne"].status == "in_play"


# An alarm that brings the guards, in a race


async def sneak(gm: Room) -> None:
    """Prepare the way out of a keep: a race past one gate, an alarm, and the guards, who are three steps away."""
    await gm.open_scene("The keep", 8, id="keep")
    await gm.start_situation("keep", "The way out", "race", "exploration", 1, id="flight", level=2, difficulty="hard")
    await gm.add_challenge("flight", "The gate", "barrier", id="gate")
    await gm.start_clock("The guards", 3, id="guards")
    stages = [{"at": 2, "effect": "Steps"}, {"at": 1, "effect": "Torches"}]
    await gm.start_countdown("The alarm", 3, id="alarm", stages=stages, bound_to="nothing")
    nearer = {"does": "tick", "thing_id": "guards", "by": 1}
    for at in (2, 1):
        await gm.attach_consequence(**on("countdown", "alarm", "stage", nearer, at=at), id=f"nearer-{at}")
    hunt = {"name": "The hunt", "pool": 4, "speed": "medium", "bound_to": "turn"}
    await gm.attach_consequence(**on("countdown", "alarm", "end", {"does": "start", "countdown": hunt}), id="hunted")


async def run_out(gm: Room) -> None:
    """Let the alarm run out, a die each time."""
    for faces in ([6, 2, 3], [6, 2], [6]):
        await gm.roll_countdown("alarm", faces=faces)


async def escape(ann: Room) -> list[str]:
    """Let Leanne force the gate, and name what comes of it."""
    await ann.propose_check("leanne", id="force", attribute="Endurance", effort={"challenge_id": "gate"})
    return told(await ann.roll_check("force", faces=[5, 2, 1]))


@pytest.mark.rule("B16")
async def test_an_alarm_brings_the_guards_and_they_make_the_way_out_longer(table: Table):
    async with seated(table) as people:
        gm, ann, _, eve = (each.room for each in people)
        await sneak(gm)
        await run_out(gm)
        assert gm.view.clocks["guards"].value == 1
        assert [each.name for each in gm.view.countdowns.values() if each.status == "running"] == ["The hunt"]

        await gm.tick_clock("guards", note="Here they are.")
        grown = await gm.add_challenge("flight", "Two guards", "foe", id="two-guards")

        assert told(grown) == ["challenge_added", "clock_resized"]
        assert (await escape(ann))[-2:] == ["challenge_overcome", "clock_ticked"]
        view = await eve.wait_for(lambda view: view.clocks["flight-clock"].value == 1)
        assert view.situations["flight"].status == "open"  # the guards are still there
        first, *_, last = told(await gm.end_turn())
        assert (first, last) == ("countdown_rolled", "turn_ended")  # the hunt is on, and may be over


async def test_what_the_gm_alone_knows_of_moves_what_everyone_sees_and_tells_nothing_of_itself(table: Table):
    async with seated(table) as people:
        gm = people.gm.room
        await sneak(gm)
        told_to_her = {"does": "tell", "text": "Wyrd waits in the yard."}
        nearer = {"does": "tick", "thing_id": "guards", "by": 1}
        ambush = on("countdown", "alarm", "end", nearer, told_to_her)
        await gm.attach_consequence(**ambush, id="gm-ambush", visibility="gm")

        await run_out(gm)

        for one in people:
            await one.room.wait_for(lambda view: view.clocks["guards"].done)
        assert sentences(people.eve, people.eve.room.view.public.recent[-6:]) == [
            'Gm rolled "The alarm" with dice of their own: 6; 1 die out, no dice left.',
            '"The alarm" is over.',
            'As "The alarm" ends, something follows.',
            '"The hunt" counts down: 4 dice, medium.',
            "Something follows from what is unseen.",
            'The clock "The guards" stands at 0 after something unseen.',
        ]
        of_hers = [record.event.type for record in gm.view.channels[Channel.GM].recent]
        assert of_hers == ["consequence_attached", "consequence_happened", "consequence_told"]
        for secret in ("ambush", "Wyrd"):
            assert [one.name for one in people if one.tap is not None and one.tap.holds(secret)] == ["gm"]
            assert [one.name for one in people if secret in "".join(await table.log(one.name))] == ["gm"]
        assert [one.name for one in people if "gm-ambush" in one.room.view.consequences] == ["gm"]
