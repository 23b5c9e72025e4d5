"""A third crisis by mistyped dice, taken back and typed again, over websockets. Source: rules.md E7."""

import pytest

from dreadclock.dice.audit import Standing
from dreadclock.evening.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.things import CharacterStatus
from dreadclock_server.verify import verify
from kit.links.listeners import listener
from kit.rooms import Table


@pytest.mark.rule("E7", "D8")
async def test_a_third_crisis_by_mistyped_dice_is_taken_back_and_typed_again(table: Table):
    async with listener(table, "gm") as the_gm, listener(table, "ann") as a_player:
        gm, ann = the_gm.room, a_player.room
        await gm.set_policy(physical_dice="everyone", check_approval="open")
        await gm.add_character("Leanne", id=(leanne := "leanne"), owner=table.seat("ann"))
        seq = 0
        for number in ("first", "second", "third"):
            await gm.propose_total(leanne, 3, id=number)
            await gm.set_required(number, 12)
            await ann.roll_total(number, faces=[4, 2, 1])
            await gm.offer_push(number, crisis="physical", description=f"The {number} injury")
            seq = (await ann.push_luck(number, faces=[4])).positions[Channel.PUBLIC]
        await gm.wait_for(lambda view: view.characters[leanne].status is CharacterStatus.DEAD)

        await gm.void_command(seq, "It showed a 5")
        await ann.push_luck("third", faces=[5])
        view = await gm.wait_for(lambda view: view.totals["third"].total == 12)

        assert view.characters[leanne].status is CharacterStatus.IN_PLAY
        assert [crisis.total_id for crisis in view.characters[leanne].crises] == ["first", "second"]
        assert the_gm.room.alarms == a_player.room.alarms == ()
        log = await table.log("gm")
    report = verify("".join(write_export(table.id, gm.log_id, list(Channel), log)).encode())
    assert [str(each) for each in report.faults] == []
    typed = [roll.faces for roll in report.rolls if roll.standing is Standing.PHYSICAL]
    assert typed[-2:] == [(4,), (5,)]  # both stay in the log
