"""The JavaScript client rolls with tokens, at a real server that is honest, or between a tamperer's hands."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from kit.cheating.tampering import Tamperer, tampering, unchanged
from kit.puppet import Puppet, needs_node, puppet
from kit.puppet_rolls import LANE, ROLL, Json, alarms, link_to, proofs, slots
from kit.rooms import Table, open_table
from kit.server import Server

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(loop_scope="module")
async def client(visitor: Puppet) -> Puppet:
    return visitor


@pytest_asyncio.fixture(loop_scope="module")
async def ann(table: Table, client: Puppet) -> Puppet:
    await client.do("connect", link=link_to(table, "ann"), keeps=True)
    return client


@pytest_asyncio.fixture(loop_scope="module")
async def tamperer(table: Table) -> AsyncIterator[Tamperer]:
    async with tampering(table.server) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="module")
async def deceived(table: Table, tamperer: Tamperer, client: Puppet) -> Puppet:
    """Ann, who has rolled once and is connected through the tamperer."""
    await client.do("connect", link=link_to(table, "ann", tamperer.url), keeps=True)
    await client.do("submit", command=ROLL)
    return client


# Lanes


async def test_the_first_roll_opens_a_lane_and_the_next_goes_on_in_it(ann: Puppet):
    first = await ann.do("submit", command=ROLL)
    second = await ann.do("submit", command=ROLL)

    assert slots(first, second) == [(LANE, 1), (LANE, 2)]
    assert all(proof["token"] for proof in proofs(first, second))
    seen = await ann.do("look")
    assert [label for label, lane in seen["view"]["channels"]["public"]["lanes"].items() if "anchor" in lane] == [LANE]
    assert seen["alarms"] == []


async def test_a_page_that_is_loaded_again_goes_on_with_its_lane(table: Table, ann: Puppet):
    first = await ann.do("submit", command=ROLL)
    await ann.do("close")
    await ann.do("connect", link=link_to(table, "ann"), keeps=True)

    assert slots(first, await ann.do("submit", command=ROLL)) == [(LANE, 1), (LANE, 2)]


async def test_two_tabs_of_a_seat_roll_in_lanes_of_their_own_without_an_alarm(table: Table, ann: Puppet):
    await ann.do("connect", link=link_to(table, "ann"), keeps=True, tab="two")

    rolls = [await ann.do("submit", command=ROLL, tab=tab) for tab in ("one", "two", "one", "two")]
    for tab in ("one", "two"):
        await ann.do("used", lane="seat/player-1/2", n=2, tab=tab)

    assert slots(*rolls) == [(LANE, 1), ("seat/player-1/2", 1), (LANE, 2), ("seat/player-1/2", 2)]
    assert [(await ann.do("look", tab=tab))["alarms"] for tab in ("one", "two")] == [[], []]


async def test_another_device_of_the_seat_is_told_of_once_and_has_a_lane_of_its_own(table: Table, ann: Puppet):
    async with puppet() as phone:
        await phone.do("connect", link=link_to(table, "ann"))
        rolled = await phone.do("submit", command=ROLL)
        await phone.do("submit", command=ROLL)
        await ann.do("used", lane=LANE, n=2)

        [alarm] = await ann.do("alarmed", times=1)

    assert slots(rolled) == [(LANE, 1)]
    assert (alarm["flaw"], alarm["record"]["event"]) == ("not_sent", rolled["events"][0])
    assert "another device of yours" in alarm["sentence"]
    assert slots(await ann.do("submit", command=ROLL)) == [("seat/player-1/2", 1)]


async def test_no_secret_is_told_to_anybody_but_the_store(table: Table, tamperer: Tamperer, deceived: Puppet):
    await deceived.ask("submit", command={**ROLL, "character_id": "nobody"})
    [[_, text]] = await kept_secrets(deceived, table)
    content = json.loads(text)
    [secret] = [each["secret"] for each in content["secrets"]]

    assert secret not in json.dumps([tamperer.sent, await table.log(), await deceived.do("look")])
    assert content["secrets"][0]["anchor"] in json.dumps(tamperer.sent)


async def kept_secrets(client: Puppet, table: Table) -> list[list[str]]:
    return [[key, text] for key, text in await client.do("kept") if key.startswith(f"dreadclock.dice/{table.id}/")]


async def test_what_is_kept_and_makes_no_sense_is_one_more_lane(table: Table, ann: Puppet):
    await ann.do("submit", command=ROLL)
    await ann.do("close")
    [[key, _]] = await kept_secrets(ann, table)
    for nonsense in ("no JSON", "7", '{"secrets": [{"anchor": 1}, null, {"anchor": "A", "secret": "B"}]}'):
        await ann.do("keep", key=key, value=nonsense)
        await ann.do("connect", link=link_to(table, "ann"), keeps=True)
        rolled = await ann.do("submit", command=ROLL)
        await ann.do("close")

        assert proofs(rolled)[0]["n"] == 1
        assert "token" in proofs(rolled)[0]


async def test_tokens_can_be_switched_off(table: Table, client: Puppet):
    await client.do("connect", link=link_to(table, "ann"), dice=False)

    [proof] = proofs(await client.do("submit", command=ROLL))

    assert (proof["lane"], "token" in proof) == ("seat/player-1/0", False)


async def test_whom_the_server_opens_no_lane_for_rolls_without_tokens(table: Table, client: Puppet):
    """An integration may end turns, and has no lane of its own tokens."""
    grant = await table.invite("bot", "integration", scopes=["turns"])
    async with puppet() as gm:
        await gm.do("connect", link=link_to(table, "gm"))
        fever = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4, "bound_to": "turn"}
        started = await gm.do("submit", command=fever)
        await client.do("connect", link=f"{table.server.url}/r/{table.id}#{grant['token']}")
        await client.do("until", seqs={"public": started["positions"]["public"]})

        ended = await client.do("submit", command={"type": "end_turn"})

    assert ["token" in proof for proof in proofs(ended)] == [False]
    assert await alarms(client) == []


async def test_a_secret_roll_leaves_the_token_for_the_next_roll(table: Table, tamperer: Tamperer, client: Puppet):
    await client.do("connect", link=link_to(table, "gm", tamperer.url))
    hidden = await client.do("submit", command={**ROLL, "visibility": "sealed"})
    shown = await client.do("submit", command=ROLL)

    assert (slots(hidden)[-1], slots(shown)) == (("thing/roll/roll-1", 1), [("seat/gm/1", 1)])
    assert [json.loads(sent)["command"].get("dice", {}).get("n") for sent in tamperer.sent] == [None, None, 1]
    assert await alarms(client) == []


async def test_a_callers_own_slot_is_left_as_it_is(ann: Puppet):
    own = {"lane": "seat/player-1/0", "n": 1, "seen": 0}

    assert slots(await ann.do("submit", command={**ROLL, "dice": own})) == [("seat/player-1/0", 1)]


async def test_what_changed_since_the_caller_looked_is_refused_and_keeps_its_token(table: Table, ann: Puppet):
    async with puppet() as gm:
        await gm.do("connect", link=link_to(table, "gm"))
        fever = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4, "owner": table.seat("ann")}
        await gm.do("submit", command=fever)
    await ann.do("has", thing="fever")
    roll = {"type": "roll_countdown", "countdown_id": "fever"}

    first, second = [ann.order("submit", command=roll) for _ in range(2)]

    assert slots((await first)["ok"]) == [(LANE, 1)]
    assert (await second)["refused"]["code"] == "changed"
    assert slots(await ann.do("submit", command=ROLL)) == [(LANE, 2)]
    assert await alarms(ann) == []


async def test_tokens_of_two_players_witness_each_others_lanes(table: Table, ann: Puppet):
    async with puppet() as ben:
        await ben.do("connect", link=link_to(table, "ben"))
        for _ in range(2):
            for client in (ann, ben):
                await client.do("submit", command=ROLL)
        later = [proofs(await client.do("submit", command=ROLL))[0]["witnesses"] for client in (ann, ben)]

        assert later == [1, 1]
        assert (await alarms(ann), await alarms(ben)) == ([], [])


# One after the other


async def test_rolls_at_once_take_slots_in_the_order_submitted(ann: Puppet):
    submitted = [ann.order("submit", command={**ROLL, "name": f"roll {number}"}) for number in range(20)]
    rolls = [(await each)["ok"] for each in submitted]

    assert slots(*rolls) == [(LANE, n) for n in range(1, 21)]
    assert [roll["events"][0]["roll"]["name"] for roll in rolls] == [f"roll {number}" for number in range(20)]


async def test_no_other_command_waits_for_rolls(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_client = without_replies
    rolls = [deceived.order("submit", command=ROLL) for _ in range(2)]
    await deceived.do("used", lane=LANE, n=2)

    adding = deceived.order("submit", command={"type": "add_character", "id": "ada", "name": "Ada"})
    await deceived.do("has", thing="ada")

    seen = await deceived.do("look")
    assert seen["view"]["channels"]["public"]["lanes"][LANE]["used"] == 2  # the second waits for the first one's answer
    tamperer.to_client = unchanged
    tamperer.cut()
    assert slots(*[(await each)["ok"] for each in (*rolls, adding)]) == [(LANE, 2), (LANE, 3)]
    assert await alarms(deceived) == []


def without_replies(frame: Json) -> Json | None:
    return None if frame["type"] in ("ack", "refused") else frame


async def test_a_roll_that_is_sent_again_is_the_same_to_the_byte(tamperer: Tamperer, deceived: Puppet):
    def lose(frame: Json) -> Json | None:
        if frame["type"] != "ack":
            return frame
        tamperer.to_client = unchanged
        tamperer.cut()
        return None

    tamperer.to_client = lose
    rolled = await deceived.do("submit", command=ROLL)

    first, again = tamperer.sent[-2:]
    assert first == again
    assert slots(rolled) == [(LANE, 2)]
    assert await alarms(deceived) == []


def refused(frame: Json, code: str, **details: object) -> Json:
    return {"type": "refused", "n": frame["n"], "code": code, "sentence": "No.", "details": details}


async def test_a_server_that_refuses_a_roll_and_logs_it_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_client = lambda frame: refused(frame, "not_allowed", allowed="no") if frame["type"] == "ack" else frame

    assert (await deceived.ask("submit", command=ROLL))["refused"]["code"] == "not_allowed"

    assert [each["flaw"] for each in await deceived.do("alarmed", times=1)] == ["refused"]


async def test_a_server_that_drops_a_roll_is_found_out(tamperer: Tamperer, deceived: Puppet):
    """It sees the token and likes the faces not: it does something else instead, and calls the roll done."""

    def swap(frame: Json) -> Json:
        return {**frame, "command": {"type": "add_character", "id": "ada", "name": "Ada"}}

    tamperer.to_server = swap
    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["dropped"]


async def test_a_server_that_rolls_without_the_token_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_server = lambda frame: {**frame, "command": {k: v for k, v in frame["command"].items() if k != "dice"}}

    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["without_token"]


async def test_a_server_that_rolls_something_else_with_the_token_is_found_out(tamperer: Tamperer, deceived: Puppet):
    tamperer.to_server = lambda frame: {**frame, "command": {**frame["command"], "pool": 3}}

    await deceived.do("submit", command=ROLL)

    assert await alarms(deceived) == ["dropped", "other_thing"]


async def test_a_server_that_turns_a_token_away_gains_no_other_one(tamperer: Tamperer, deceived: Puppet):
    def spoil(frame: Json) -> Json:
        command = frame["command"]
        return {**frame, "command": {**command, "dice": {**command["dice"], "token": "A" * 43}}}

    tamperer.to_server = spoil
    assert (await deceived.ask("submit", command=ROLL))["refused"]["code"] == "bad_token"
    assert await alarms(deceived) == ["denied"]
    tamperer.to_server = unchanged

    assert slots(await deceived.do("submit", command=ROLL)) == [(LANE, 2)]
    denied, again = (json.loads(text)["command"]["dice"]["token"] for text in tamperer.sent[-2:])
    assert denied == again


async def test_a_server_that_opens_a_lane_for_other_tokens_gets_none(table: Table, tamperer: Tamperer, client: Puppet):
    def replace(frame: Json) -> Json:
        if frame.get("command", {}).get("type") != "open_lane":
            return frame
        return {**frame, "command": {"type": "open_lane", "anchor": "A" * 42 + "E"}}

    tamperer.to_server = replace
    await client.do("connect", link=link_to(table, "ann", tamperer.url))
    [proof] = proofs(await client.do("submit", command=ROLL))

    assert (proof["lane"], "token" in proof) == ("seat/player-1/0", False)
    assert await alarms(client) == ["opening"]


# The JavaScript client comes back to a seat: rolls without tokens that it did not send are named, its own are not


TYPED = {"type": "roll_dice", "pool": 2, "faces": [3, 6]}


@pytest_asyncio.fixture(loop_scope="module")
async def table(server: Server) -> Table:
    return await open_table(server, physical_dice="everyone")


async def come(client: Puppet, table: Table, name: str = "ann", tab: str = "one") -> None:
    """Load the page, and wait until what was missed is looked through: only then the head is noted."""
    seen = await client.do("connect", link=link_to(table, name), keeps=True, tab=tab)
    await client.do("noted", seq=seen["positions"]["public"]["seq"], tab=tab)


async def by_rest(table: Table, name: str, command: Json = ROLL) -> Any:
    """Let somebody roll without a token, as a server can in anybody's name."""
    async with table.http(name) as http:
        answer = await http.post(table.path("/commands"), json=command)
    assert answer.status_code == 200, answer.text


async def test_each_roll_without_a_token_while_nobody_was_there_is_named_once(table: Table, client: Puppet):
    await come(client, table)
    await client.do("submit", command=ROLL)
    await client.do("close")
    for _ in range(2):
        await by_rest(table, "ann")

    await come(client, table)
    told = await client.do("alarmed", times=2)
    assert [each["flaw"] for each in told] == ["not_sent"] * 2
    await client.do("close")
    await come(client, table)
    await client.do("submit", command=ROLL)
    assert await alarms(client) == []


async def test_each_roll_without_a_token_is_named_while_she_looks_on(table: Table, client: Puppet):
    await come(client, table)
    for _ in range(2):
        await by_rest(table, "ann")

    assert [each["flaw"] for each in await client.do("alarmed", times=2)] == ["not_sent"] * 2


async def test_her_own_rolls_of_last_time_and_those_of_another_tab_are_no_news(table: Table, client: Puppet):
    await come(client, table)
    await client.do("submit", command=ROLL)
    await client.do("submit", command=TYPED)
    await client.do("close")
    await come(client, table, tab="two")
    await client.do("submit", command=ROLL, tab="two")
    await client.do("submit", command=TYPED, tab="two")
    await client.do("close", tab="two")
    await by_rest(table, "gm")

    await come(client, table)
    await client.do("submit", command=ROLL)

    assert await alarms(client) == []


async def test_a_lost_note_marks_rolls_with_tokens_of_this_browser_no_more_than_before(table: Table, client: Puppet):
    await come(client, table)
    seen = dict(await client.do("kept"))
    await client.do("submit", command=ROLL)
    await client.do("submit", command=ROLL)
    await client.do("close")
    for key in (f"dreadclock.head/{table.id}", f"dreadclock.head/{table.id}/player-1"):
        await client.do("keep", key=key, value=seen[key])
    await by_rest(table, "ann")

    await come(client, table)

    assert [each["flaw"] for each in await client.do("alarmed", times=1)] == ["not_sent"]
    await client.do("submit", command=ROLL)
    assert len(await alarms(client)) == 1


async def test_another_seat_in_the_same_browser_hides_nothing(table: Table, client: Puppet):
    await come(client, table)
    await client.do("close")
    await by_rest(table, "ann")
    await come(client, table, "ben", tab="two")
    await client.do("close", tab="two")

    await come(client, table)

    assert [each["flaw"] for each in await client.do("alarmed", times=1)] == ["not_sent"]
