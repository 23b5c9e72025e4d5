"""The REST call that tells which commands the caller may take back."""

from typing import Any

from kit.rooms import Table

CLOCK = {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6}
LATEST = 20


async def undoable(table: Table, name: str) -> Any:
    """Ask on behalf of a seat."""
    async with table.http(name) as http:
        answer = await http.get(table.path("/undoable"))
        assert answer.status_code == 200
        return answer.json()


def told(table: Table, *latest: int) -> list[dict[str, Any]]:
    """Return what is said of public commands of Ann's with one record each."""
    return [{"channel": "public", "first": seq, "last": seq, "by": table.seat("ann")} for seq in latest]


async def test_each_seat_is_told_what_it_may_take_back_the_latest_first(table: Table):
    async with table.connected("gm") as gm, table.connected("ann") as ann:
        await gm.do({**CLOCK, "owner": table.seat("ann")})
        await gm.do({**CLOCK, "id": "gm-gas", "visibility": "gm"})
        ticks = [(await ann.do({"type": "tick_clock", "clock_id": "tide"}))["events"]["public"][1] for _ in range(2)]

        assert await undoable(table, "ann") == told(table, ticks[1])  # the first has changed since
        of_gm = await undoable(table, "gm")
        assert of_gm[0] == told(table, ticks[1])[0]
        assert "gm" in {each["channel"] for each in of_gm}
        assert [await undoable(table, name) for name in ("ben", "eve")] == [[], []]

        for number in range(LATEST):
            await ann.do({"type": "narrate", "text": f"Number {number}."})
        said = await undoable(table, "ann")
        assert [each["last"] for each in said] == [*range(ticks[1] + LATEST, ticks[1], -1)]
        await gm.do({"type": "close_room"})
    assert [await undoable(table, name) for name in ("gm", "ann")] == [[], []]


async def test_what_was_done_for_a_player_is_hers_to_take_back_or_that_of_whom_she_lent_her_seat(table: Table):
    bots = (await table.invite("bot", "integration", scopes=["act_for"]))["seat_id"]
    anns = table.seat("ann")
    async with table.connected("ann") as ann:
        await ann.do({"type": "lend_seat", "to": bots})
    async with table.http("bot") as bot:
        say = {"type": "narrate", "text": "It rains.", "act_for": anns}
        done = (await bot.post(table.path("/commands"), json=say)).json()
        seq = done["events"]["public"][1]
        assert await undoable(table, "ann") == told(table, seq)
        assert await undoable(table, "bot") == []
        void = {"type": "void_command", "seq": seq, "reason": "a slip"}
        refused = await bot.post(table.path("/commands"), json=void)
        assert refused.json()["code"] == "not_allowed"
        assert (await bot.post(table.path("/commands"), json={**void, "act_for": anns})).status_code == 200
        assert await undoable(table, "ann") == []


async def test_nobody_else_is_told_anything(table: Table):
    async with table.http("gm") as http:
        answer = await http.get(table.path("/undoable"), headers={"Authorization": "Bearer nothing"})
    assert answer.status_code == 401
