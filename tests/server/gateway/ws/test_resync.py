"""Asking for the whole view in the midst of a connection."""

from kit.raw import RawClient
from kit.rooms import Table

ROLL = {"type": "roll_dice", "pool": 1}
RESYNC = {"type": "resync"}
BAD_FRAME = 4500


async def shown(client: RawClient) -> dict[str, object]:
    """Ask for the view, and wait for it."""
    await client.send(RESYNC)
    return await client.expect("reset", reason="asked")


async def test_who_asks_is_shown_the_view_where_its_events_stand(table: Table):
    async with table.connected("ann") as ann, table.connected("gm") as gm:
        await ann.do(ROLL)
        await gm.do({"type": "start_countdown", "name": "Fuse", "pool": 3, "visibility": "gm"})
        for client, name in ((ann, "ann"), (gm, "gm")):
            reset = await shown(client)

            assert reset["log_id"] == client.welcome["log_id"]
            assert reset["positions"] == client.positions()
            assert reset["view"] == await table.view(name)
        await ann.do(ROLL)


async def test_views_come_in_their_place_among_the_events(table: Table):
    async with table.connected("ann") as ann, table.connected("gm") as gm:
        numbers = []
        for _ in range(30):
            numbers.append(await gm.order(ROLL))
            await ann.send(RESYNC)
        await gm.reply(numbers[-1])
        await ann.expect("reset")
        known = dict(ann.welcome["positions"])
        for frame in ann.parsed_frames():
            if frame["type"] == "reset":
                assert frame["positions"] == known
            known |= frame.get("heads", {})


async def test_wishes_that_come_together_are_one(table: Table):
    async with table.connected("ann") as ann:
        await shown(ann)
        for _ in range(4):  # while that view is fresh
            await ann.send(RESYNC)
        await ann.expect("reset")
        await ann.do(ROLL)
        reset = await shown(ann)
        assert reset["positions"] == ann.positions()


async def test_it_is_no_first_frame(table: Table):
    async with table.unwelcomed() as nobody:
        await nobody.send(RESYNC)

        assert (await nobody.ended())[0] == BAD_FRAME


async def test_nothing_else_may_be_in_it(table: Table):
    async with table.connected("ann") as ann:
        await ann.send({**RESYNC, "channel": "gm"})

        assert (await ann.ended())[0] == BAD_FRAME
