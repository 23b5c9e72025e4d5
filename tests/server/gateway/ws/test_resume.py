"""Coming back: exactly what was missed, or the whole view and the reason why."""

from typing import Any

from kit.raw import RawClient
from kit.rooms import Table, open_table
from kit.server import Server

ROLL = {"type": "roll_dice", "pool": 1}
COUNTDOWNS = 60
MOST_MISSED = 5_000


async def start_many(gm: RawClient, visibility: str = "public") -> None:
    """Start countdowns, as many as a room may well have, that are rolled at the end of each turn."""
    start = {"type": "start_countdown", "name": "F", "pool": 60, "bound_to": "turn", "visibility": visibility}
    numbers = [await gm.order(start) for _ in range(COUNTDOWNS)]
    for n in numbers:
        reply = await gm.reply(n)
        assert reply["type"] == "ack" or reply["code"] == "too_many"


async def let_happen(gm: RawClient, records: int) -> None:
    """Let so many public records come about, or some more."""
    end = len(gm.texts()) + records
    while len(gm.texts()) < end:
        await start_many(gm)
        numbers = [await gm.order({"type": "end_turn"}) for _ in range(20)]
        await gm.reply(numbers[-1])


async def standing(client: RawClient) -> dict[str, Any]:
    """What a client says who comes back."""
    return {"positions": client.positions(), "session": client.welcome["session"]}


async def comes_back(table: Table, name: str, hello: dict[str, Any], server: Server | None = None) -> RawClient:
    """Connect again as somebody, and read up to where the welcome says that the room stands."""
    async with table.connected(name, server, **hello) as client:
        await client.expect("presence")
        return client


def heads(positions: dict[str, Any]) -> dict[str, str]:
    return {channel: head["hash"] for channel, head in positions.items()}


async def test_who_missed_nothing_is_told_so(table: Table):
    async with table.connected("ann") as ann:
        await ann.do(ROLL)
        hello = await standing(ann)

    back = await comes_back(table, "ann", hello)

    assert (back.welcome["resumed"], "view" in back.welcome) == (True, False)
    assert back.welcome["session"] == hello["session"]
    assert back.welcome["positions"] == hello["positions"]
    assert back.records() == []


async def test_who_missed_something_gets_exactly_that_in_both_channels(table: Table):
    async with table.connected("gm") as gm, table.connected("ann") as ann:
        for client in (gm, ann):
            await client.do(ROLL)
        hello_gm, hello_ann = await standing(gm), await standing(ann)
        before = {channel: head["seq"] for channel, head in hello_gm["positions"].items()}
        for visibility in ("public", "sealed", "gm"):
            await gm.do({"type": "start_countdown", "name": "F", "pool": 3, "visibility": visibility})
        await ann.do(ROLL)

    log = await table.log("gm", **before)
    back_gm, back_ann = await comes_back(table, "gm", hello_gm), await comes_back(table, "ann", hello_ann)

    assert back_gm.texts("public") == [text for text in log if '"channel":"public"' in text]
    assert back_gm.texts("gm") == [text for text in log if '"channel":"gm"' in text]
    assert back_ann.texts("public") == back_gm.texts("public")[-len(back_ann.records()) :]
    assert [record["event"]["type"] for record in back_ann.records()][-2:] == ["sealed_started", "dice_rolled"]
    assert back_ann.texts("gm") == []
    assert back_gm.positions() == back_gm.welcome["positions"]


async def test_a_server_that_stops_sends_everyone_away_and_goes_on_where_it_was(mortal: Server):
    table = await open_table(mortal)
    async with table.connected("ann") as ann, table.connected("eve") as eve:
        acked = await ann.do(ROLL)
        refused = await ann.do({"type": "end_turn"})
        hello = await standing(ann)
        missed = [await ann.do(ROLL) for _ in range(3)]
        await mortal.stop()
        for client in (ann, eve):
            assert await client.ended() == (4001, "this server restarts: come back within 100 ms")
    await mortal.start()

    async with table.connected("ann", **hello) as back:
        assert (back.welcome["resumed"], back.welcome["session"]) == (True, hello["session"])
        assert [await back.do(ROLL, n=n) for n in (1, 2)] == [acked, refused]
        assert [await back.do(ROLL, n=n) for n in (3, 4, 5)] == missed
        assert [record["seq"] for record in back.records()] == [ack["events"]["public"][0] for ack in missed]
        assert (await back.do(ROLL))["events"]["public"] == [len(await table.log())] * 2


async def test_who_missed_thousands_gets_them_and_beyond_that_the_view(table: Table):
    async with table.connected("gm") as gm, table.connected("eve") as eve:
        hello = await standing(eve)
        await let_happen(gm, MOST_MISSED - 1400)

        back = await comes_back(table, "eve", hello)
        assert back.welcome["resumed"] is True
        assert back.texts() == gm.texts()[-len(back.texts()) :]
        assert back.records()[0]["seq"] == hello["positions"]["public"]["seq"] + 1
        assert back.positions() == back.welcome["positions"]
        assert len("".join(back.frames)) > 1 << 20
        assert max(map(len, back.frames)) < 1 << 20

        await let_happen(gm, MOST_MISSED // 2)
        back = await comes_back(table, "eve", hello)
        assert (back.welcome["resumed"], "view" in back.welcome, back.texts()) == (False, False, [])
        (reset,) = [frame for frame in back.parsed_frames() if frame["type"] == "reset"]
        assert (reset["reason"], "differs" in reset) == ("too_old", False)
        assert reset["positions"] == back.welcome["positions"]
        assert reset["view"] == await table.view("eve")


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


async def test_a_resend_of_an_acknowledged_command_gets_the_first_ack_and_no_event(table: Table, second: Server):
    async with table.connected("eve") as eve, table.connected("eve", second) as eve_there:
        async with table.connected("ann") as ann:
            replies = [await ann.do(command) for command in (ROLL, {"type": "end_turn"}, {**ROLL, "note": "mine"})]
            hello = await standing(ann)
        assert [reply["type"] for reply in replies] == ["ack", "refused", "ack"]

        for server in (table.server, second, second, table.server):
            async with table.connected("ann", server, **hello) as back:
                numbers = [await back.order(ROLL) for _ in replies]
                assert [await back.reply(n) for n in numbers] == replies
                assert back.records() == []

        log = await table.log()
        for client, server in ((eve, table.server), (eve_there, second)):
            async with table.connected("ben", server) as ben:
                await ben.do({**ROLL, "note": "the end"})
            while not client.records() or client.records()[-1]["event"].get("note") != "the end":
                await client.next()
        assert [record["event"].get("note") for record in eve.records()] == [None, "mine", "the end"]
        assert eve_there.texts()[:3] == eve.texts()[:3]
        assert eve.texts()[:2] == log[-2:]


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
