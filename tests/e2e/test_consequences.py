"""What a consequence that only the gm knows shows to others, over websockets, dice typed in. Source: rules.md E5."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest

from dreadclock.export import write_export
from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock_server.evening.verify import verify
from kit.links.listeners import all_agree, listener
from kit.rooms import Table

NEARER = {"does": "tick", "thing_id": "guards", "by": 1}
HUNT = {"does": "start", "countdown": {"name": "The hunt", "pool": 4, "speed": "medium", "bound_to": "turn"}}


def of_alarm(when: str, *do: Mapping[str, Any], **stage: int) -> dict[str, Any]:
    """Write down what the alarm brings about."""
    return {"of": {"kind": "countdown", "id": "alarm"}, "when": {"when": when, **stage}, "do": do}


@pytest.mark.rule("E5")
async def test_what_the_gm_alone_knows_of_moves_what_everyone_sees_and_tells_nothing_of_itself(table: Table):
    async with AsyncExitStack() as stack:
        names = ("gm", "ann", "ben", "eve")
        people = [await stack.enter_async_context(listener(table, name, tap=True)) for name in names]
        gm, eve = people[0].room, people[-1].room
        await gm.set_policy(physical_dice="everyone")
        await gm.start_clock("The guards", 3, id="guards")
        stages = [{"at": 2, "effect": "Steps"}, {"at": 1, "effect": "Torches"}]
        await gm.start_countdown("The alarm", 3, id="alarm", stages=stages, bound_to="nothing")
        for at in (2, 1):
            await gm.attach_consequence(**of_alarm("stage", NEARER, at=at), id=f"nearer-{at}")
        await gm.attach_consequence(**of_alarm("end", HUNT), id="hunted")
        ambush = of_alarm("end", NEARER, {"does": "tell", "text": "Wyrd waits in the yard."})
        await gm.attach_consequence(**ambush, id="gm-ambush", visibility="gm")

        for faces in ([6, 2, 3], [6, 2], [6]):
            await gm.roll_countdown("alarm", faces=faces)

        for listening in people:
            await listening.room.wait_for(lambda view: view.clocks["guards"].done)
        assert [Narrator().told(record, eve.view) for record in eve.view.public.recent[-6:]] == [
            'Gm rolled "The alarm" with dice of their own: 6; 1 die out, no dice left.',
            '"The alarm" is over.',
            'As "The alarm" ends, something follows.',
            '"The hunt" counts down: 4 dice, medium.',
            "Something follows from what is unseen.",
            'The clock "The guards" stands at 0 after something unseen.',
        ]
        hidden = [record.event.type for record in gm.view.channels[Channel.GM].recent]
        assert hidden == ["consequence_attached", "consequence_happened", "consequence_told"]
        logs = {name: await table.log(name) for name in names}
        for secret in ("ambush", "Wyrd"):
            assert [each.name for each in people if each.tap is not None and each.tap.holds(secret)] == ["gm"]
            assert [name for name in names if secret in "".join(logs[name])] == ["gm"]
        await all_agree(table, people, [table.server])
        for name, channels in (("gm", tuple(Channel)), ("eve", (Channel.PUBLIC,))):
            report = verify("".join(write_export(table.id, gm.log_id, channels, logs[name])).encode())
            assert ([str(each) for each in report.faults], report.unjudged) == ([], 0)
