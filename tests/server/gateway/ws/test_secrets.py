"""What only the gm knows reaches nobody else: not a byte, not a frame, not a gap in the numbers."""

import pytest

from kit.rooms import Table
from kit.server import Server

pytestmark = pytest.mark.rule("E4")

SECRETS = ("gm-doom", "Doomsday", "It is too late", "The gm smiles")


async def test_of_what_only_the_gm_knows_the_others_get_not_even_a_frame(table: Table, second: Server):
    async with table.connected("gm") as gm, table.connected("ann") as ann, table.connected("eve", second) as eve:
        everyone = {"gm": 1, table.seat("ann"): 1, table.seat("eve"): 1}
        for client in (ann, eve):
            await client.expect("presence", here=everyone)
            client.frames.clear()
        doom = {"id": "gm-doom", "name": "Doomsday", "pool": 9, "ending": "It is too late", "visibility": "gm"}
        for command in (
            {"type": "start_countdown", **doom, "bound_to": "turn", "note": "The gm smiles"},
            {"type": "roll_countdown", "countdown_id": "gm-doom", "note": "The gm smiles"},
            {"type": "roll_dice", "pool": 3, "name": "Doomsday", "visibility": "gm"},
            {"type": "start_clock", "id": "gm-doom-tide", "name": "Doomsday", "size": 9, "visibility": "gm"},
            {"type": "tick_clock", "clock_id": "gm-doom-tide"},
            {"type": "cancel_countdown", "countdown_id": "gm-doom", "reason": "It is too late"},
        ):
            assert (await gm.do(command))["type"] == "ack", command
        seq = (await gm.do({"type": "roll_dice", "pool": 1}))["events"]["public"][0]

        for client in (ann, eve):
            assert (await client.expect("events"))["records"][0]["seq"] == seq
            assert len(client.frames) == 1
        assert (await ann.do({"type": "roll_dice", "pool": 1}))["positions"] == {"public": seq + 1}
        for name in ("ann", "eve"):
            seen = [str(await table.view(name)), *await table.log(name, gm=0)]
            assert not any(secret in text for secret in SECRETS for text in seen)
        assert all(any(secret in frame for frame in gm.frames) for secret in SECRETS)
