"""Coming back: exactly what was missed, or the whole view and the reason why."""

from typing import Any

from kit.raw import RawClient
from kit.rooms import Table
from kit.server import Server

ROLL = {"type": "roll_dice", "pool": 1}


async def standing(client: RawClient) -> dict[str, Any]:
    """What a client says who comes back."""
    return {"positions": client.positions(), "session": client.welcome["session"]}


async def comes_back(table: Table, name: str, hello: dict[str, Any], server: Server | None = None) -> RawClient:
    """Connect again as somebody, and read up to where the welcome says that the room stands."""
    async with table.connected(name, server, **hello) as client:
        await client.expect("presence")
        return client


async def test_who_missed_nothing_is_told_so(table: Table):
    async with table.connected("ann") as ann:
        await ann.do(ROLL)
        hello = await standing(ann)

    back = await comes_back(table, "ann", hello)

    assert (back.welcome["resumed"], "view" in back.welcome) == (True, False)
    assert back.welcome["session"] == hello["session"]
    assert back.welcome["positions"] == hello["positions"]
    assert back.records() == []


async def test_who_knows_another_log_is_told_where_it_differs(table: Table):
    async with table.connected("ann") as ann:
        await ann.do(ROLL)
        hello = await standing(ann)
        at = hello["positions"]["public"]
    beyond = {"seq": at["seq"] + 1, "hash": at["hash"]}
    other = {"seq": at["seq"], "hash": "0" * 64}
    early = {"seq": 1, "hash": "0" * 64}
    for known, differs in ((beyond, at["seq"] + 1), (other, at["seq"]), (early, 1)):
        back = await comes_back(table, "ann", {**hello, "positions": {"public": known}})
        (reset,) = [frame for frame in back.parsed_frames() if frame["type"] == "reset"]
        assert (reset["reason"], reset["differs"]) == ("forked", {"public": differs})
        assert reset["view"] == await table.view("ann")
        assert (back.welcome["resumed"], back.texts()) == (False, [])


async def test_positions_of_channels_that_a_seat_does_not_hold_say_nothing(table: Table):
    async with table.connected("gm") as gm:
        await gm.do({"type": "start_countdown", "name": "F", "pool": 3, "visibility": "gm"})
        hello = await standing(gm)

    back = await comes_back(table, "ann", hello)

    assert back.welcome["resumed"] is True
    assert set(back.welcome["positions"]) == {"public"}
    assert "gm-countdown" not in "".join(back.frames)


async def test_who_gives_only_some_positions_gets_the_whole_view(table: Table):
    async with table.connected("gm") as gm:
        hello = await standing(gm)
    for positions in ({}, {"public": hello["positions"]["public"]}, None):
        back = await comes_back(table, "gm", {"positions": positions})
        assert (back.welcome["resumed"], set(back.welcome["view"]["channels"])) == (False, {"public", "gm"})


async def test_a_session_of_another_seat_or_a_made_up_one_is_not_gone_on_with(table: Table, second: Server):
    async with table.connected("ann") as ann:
        await ann.do(ROLL)
        session = ann.welcome["session"]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    written_otherwise = session[:-1] + alphabet[alphabet.index(session[-1]) ^ 1]  # the same bytes, carelessly read
    forged = session[:8] + ("A" if session[8] != "A" else "B") + session[9:]
    for name, asked in (
        ("ben", session),
        ("gm", session),
        ("ann", forged),
        ("ann", written_otherwise),
        ("ann", "x" * 43),
        ("ann", "key-" + "0" * 39),
    ):
        for server in (table.server, second):
            async with table.connected(name, server, session=asked) as client:
                assert client.welcome["session"] != asked
                assert (await client.do(ROLL, n=1))["events"]["public"][0] == len(await table.log())
    async with table.connected("ann", session=session) as ann:
        assert ann.welcome["session"] == session


# Asking for the whole view in the midst of a connection


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
