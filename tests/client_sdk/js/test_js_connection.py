"""How the JavaScript client keeps connected, against a table that loses connections and breaks the protocol."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import UnknownEvent
from dreadclock.wire.frames import ResetReason
from kit.puppet import Puppet, needs_node, puppet
from kit.servers.table_server import TableServer
from kit.table import ROOM, Log, Table, reset_to, rolled
from kit.waiting import until

pytestmark = [needs_node, pytest.mark.asyncio(loop_scope="module")]
ROLL = {"type": "roll_dice", "pool": 1}


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="module")
async def client(server: TableServer, visitor: Puppet) -> Puppet:
    """A client that has opened the room; its rolls go without tokens, which this table knows nothing of."""
    await visitor.do("connect", link=link_to(server), dice=False)
    return visitor


def link_to(server: TableServer) -> str:
    return f"{server.url}/r/{ROOM}#token"


def view_of(server: TableServer) -> dict[str, Any]:
    view: dict[str, Any] = server.table.log.view.model_dump(mode="json", exclude_none=True)
    return view


async def test_a_connection_that_is_lost_comes_back_and_misses_nothing(server: TableServer, client: Puppet) -> None:
    await server.happen(rolled(1))
    server.cut()
    server.table.log.write(rolled(2))

    seen = await client.do("until", seqs={"public": 2})

    assert seen["heard"]["records"] == [["public", 1], ["public", 2]]
    assert (seen["view"], seen["connected"], len(server.table.hellos)) == (view_of(server), True, 2)


async def test_only_what_was_missed_between_two_connections_is_late(server: TableServer, client: Puppet) -> None:
    await server.happen(rolled(1))
    await client.do("until", seqs={"public": 1})
    server.cut()
    server.table.log.write(rolled(2))
    await client.do("until", seqs={"public": 2})
    await server.happen(rolled(3))

    seen = await client.do("until", seqs={"public": 3})

    assert seen["heard"]["late"] == [["public", 2]]


async def test_what_follows_another_log_is_not_late(server: TableServer, client: Puppet) -> None:
    for number in range(1, 4):
        await server.happen(rolled(number))
    await client.do("until", seqs={"public": 3})
    server.table = Table(Channel.PUBLIC)
    server.table.log.write(rolled(1))
    server.cut()
    await client.do("lost")
    await client.do("until", seqs={"public": 1})
    await server.happen(rolled(2))
    await client.do("until", seqs={"public": 2})

    assert (await client.do("look"))["heard"]["late"] == []


async def test_what_follows_a_log_that_was_replaced_on_the_way_is_not_late(server: TableServer, client: Puppet) -> None:
    for number in range(1, 4):
        server.table.log.write(rolled(number))
    server.cut()
    await client.do("until", seqs={"public": 3})  # missed, and late
    server.table = Table(Channel.PUBLIC)
    server.table.log.write(rolled(1))
    await server.tell(reset_to(server.table.log, ResetReason.FORKED))
    await client.do("until", seqs={"public": 1})
    await server.happen(rolled(2))
    await client.do("until", seqs={"public": 2})

    assert (await client.do("look"))["heard"]["late"] == [["public", number] for number in (1, 2, 3)]


async def test_commands_whose_replies_are_lost_are_done_once(server: TableServer, client: Puppet) -> None:
    server.keep_silent()
    submitted = [client.order("submit", command=ROLL) for _ in range(3)]
    await until(lambda: server.commands > 0)
    server.cut()
    server.speak()

    acknowledged = [(await each)["ok"] for each in submitted]

    assert ([each["n"] for each in acknowledged], len(server.table.done)) == ([1, 2, 3], 3)


async def test_a_server_that_was_away_is_found_again(server: TableServer, client: Puppet) -> None:
    await server.stop()
    submitted = client.order("submit", command=ROLL)
    await server.start()

    assert (await submitted)["ok"]["n"] == 1


async def test_a_server_that_lost_its_log_is_reported(server: TableServer, client: Puppet) -> None:
    await server.happen(rolled(1))
    await client.do("until", seqs={"public": 1})
    server.table = Table(Channel.PUBLIC)
    for number in (7, 8):
        server.table.log.write(rolled(number))
    server.cut()

    seen = await client.do("until", seqs={"public": 2})

    assert (seen["heard"]["replaced"], seen["view"]) == (["forked"], view_of(server))


async def test_commands_that_waited_for_a_view_go_out_once_it_is_there(server: TableServer, client: Puppet) -> None:
    await server.happen(rolled(1))
    await client.do("until", seqs={"public": 1})
    server.table.log = Log(Channel.PUBLIC)
    server.table.log.write(rolled(2))
    server.keep_waiting()
    server.cut()
    submitted = client.order("submit", command=ROLL)
    server.welcome()

    async with asyncio.timeout(20):
        assert (await submitted)["ok"]["n"] == 1


async def test_of_what_only_newer_servers_know_the_view_is_asked_for_anew(server: TableServer, client: Puppet) -> None:
    await server.happen(UnknownEvent.model_validate({"type": "bell_struck", "bell": {"times": 3}}))
    await client.do("until", seqs={"public": 1})
    await server.happen(rolled(1))

    seen = await client.do("until", seqs={"public": 2})

    assert (seen["heard"]["replaced"], seen["heard"]["alarms"], seen["view"]) == (["asked"], [], view_of(server))


async def test_a_record_that_does_not_fit_raises_the_alarm_and_is_asked_for_again(server: TableServer, client: Puppet):
    server.table.log.write(rolled(1))
    await server.tell(server.table.log.frame().replace("[1,2,3]", "[6,6,6]"))

    seen = await client.do("until", seqs={"public": 1})

    (alarm,) = seen["heard"]["alarms"]
    assert "do not lead to the head" in alarm
    assert (seen["view"], seen["heard"]["records"]) == (view_of(server), [["public", 1]])


async def test_a_server_that_keeps_breaking_the_protocol_is_given_up(server: TableServer, client: Puppet) -> None:
    waiting = client.order("never")
    server.garbled.extend(["no frame", b"binary"])

    await server.tell("no frame")

    ended = (await waiting)["ended"]
    assert (ended["code"], "keeps breaking the protocol" in ended["reason"]) == (None, True)
    assert (await client.ask("submit", command=ROLL))["ended"] == ended
    assert (await client.do("look"))["heard"]["ended"] == ended


@pytest.mark.parametrize("code", [4500, 4501, 4502, 4503, 1009])
async def test_a_server_that_closes_for_good_is_not_asked_again(server: TableServer, client: Puppet, code: int) -> None:
    waiting = client.order("never")

    await server.close(code, "go away")

    assert (await waiting)["ended"] == {"code": code, "reason": "go away"}
    assert len(server.table.hellos) == 1


@pytest.mark.parametrize("code", [4000, 4001, 1011])
async def test_a_server_that_closes_for_now_is_asked_again(server: TableServer, client: Puppet, code: int) -> None:
    await server.close(code, "come back")

    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    assert len(server.table.hellos) == 2


async def test_what_the_server_cannot_take_is_sent_again(server: TableServer, client: Puppet) -> None:
    server.table.obstacles.extend([Refused(Code.UNAVAILABLE), Refused(Code.RATE_LIMITED, retry_ms=1)])
    submitted = [client.order("submit", command={**ROLL, "name": f"{i}"}) for i in range(5)]

    assert [(await each)["ok"]["n"] for each in submitted] == [1, 2, 3, 4, 5]
    assert [each.name for each in server.table.done if each.type == "roll_dice"] == ["0", "1", "2", "3", "4"]


async def test_more_commands_than_may_be_unanswered_wait_for_a_place(server: TableServer, client: Puppet) -> None:
    submitted = [client.order("submit", command=ROLL) for _ in range(150)]

    assert [(await each)["ok"]["n"] for each in submitted] == list(range(1, 151))
    assert len(server.table.done) == 150


async def test_a_refusal_comes_with_its_code_sentence_and_numbers(client: Puppet) -> None:
    assert (await client.ask("submit", command={"type": "end_turn"}))["refused"] == {
        "code": "not_allowed",
        "sentence": "Only nobody may do that.",
        "details": {"allowed": "nobody"},
    }


async def test_a_command_larger_than_a_frame_is_refused_and_uses_no_number(client: Puppet) -> None:
    refused = (await client.ask("submit", command={**ROLL, "faces": [1] * 40_000}))["refused"]

    assert (refused["code"], refused["details"]) == ("bad_command", {"problem": "it is larger than 65536 bytes"})
    assert refused["sentence"] == str(Refused(Code.BAD_COMMAND, **refused["details"]))
    assert (await client.submit("roll_dice", pool=1))["n"] == 1


async def test_what_is_null_in_a_command_was_left_out(server: TableServer, client: Puppet) -> None:
    assert (await client.submit("roll_dice", pool=1, name=None, note=None))["n"] == 1


async def test_whoever_closes_the_room_ends_all_waiting(server: TableServer, client: Puppet) -> None:
    server.keep_silent()
    waiting = [client.order("never"), client.order("submit", command=ROLL)]
    assert (await client.ask("late"))["failed"].startswith("TimeoutError")

    await client.do("close")

    closed = {"code": None, "reason": "this client closed the connection"}
    assert [(await each)["ended"] for each in waiting] == [closed, closed]


async def test_a_first_connection_that_cannot_be_made_is_not_tried_again(server: TableServer, visitor: Puppet) -> None:
    server.turned_away.append((4501, "There is no such room."))
    turned_away = await visitor.ask("connect", link=link_to(server))
    await server.stop()
    away = await visitor.ask("connect", link=link_to(server))

    assert turned_away == {"ended": {"code": 4501, "reason": "There is no such room."}}
    assert away["ended"] == {"code": None, "reason": f"{server.url.replace('http', 'ws')}/ws/{ROOM} cannot be reached"}


async def test_a_server_that_stays_away_is_given_up_when_told_to(server: TableServer, visitor: Puppet) -> None:
    await visitor.do("connect", link=link_to(server), giveUpAfterMs=50)
    waiting = visitor.order("never")
    await server.stop()

    assert "out of reach for 0.05 s" in (await waiting)["ended"]["reason"]


async def test_commands_that_never_get_through_end_with_the_reason(server: TableServer, visitor: Puppet) -> None:
    server.table.obstacles.extend([Refused(Code.UNAVAILABLE)] * 1_000)
    await visitor.do("connect", link=link_to(server), retryForMs=100)

    refused = await visitor.ask("submit", command=ROLL)

    assert (refused["refused"]["code"], server.table.done) == ("unavailable", [])


# How the JavaScript client notices that a connection has died without a word, after sleep or on another network


HOURS_MS = 10_000_000


async def misses(server: TableServer, client: Puppet, number: int) -> None:
    """See that something that happened while nothing got through arrives now."""
    seen = await client.do("until", seqs={"public": number})
    assert seen["view"] == server.table.log.view.model_dump(mode="json", exclude_none=True)


async def test_a_command_that_is_met_with_silence_is_sent_on_a_new_connection(server: TableServer, client: Puppet):
    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    server.forsake()
    submitted = client.order("submit", command=ROLL)
    await client.do("sleep", ms=11_000)

    assert (await submitted)["ok"]["n"] == 2
    assert (len(server.table.hellos), len(server.table.done)) == (2, 2)
    assert (await client.submit("roll_dice", pool=1))["n"] == 3


async def counted(client: Puppet, what: str, number: int) -> None:
    """Wait until the client has counted so many `changes` (frames taken in), or `sockets` opened."""

    async def reached() -> bool:
        return bool((await client.do("look"))["heard"][what] >= number)

    await until(reached)


async def test_a_server_that_takes_its_time_is_asked_less_and_less_often(server: TableServer, client: Puppet):
    greeting = 2  # a welcome and who is here; on the second connection also what was rolled
    await counted(client, "changes", greeting)
    server.keep_silent()
    submitted = client.order("submit", command=ROLL)
    for patience, times in (([9], 1), ([2], 2), ([14, 5], 2), ([2], 3), ([14, 14, 11], 3), ([2], 4)):
        for seconds in patience:
            await client.do("sleep", ms=seconds * 1000)
            await client.do("ticks")
        await counted(client, "changes", times * greeting + (times > 1))
        assert len(server.table.hellos) == times
    server.speak()

    assert (await submitted)["ok"]["n"] == 1
    assert len(server.table.done) == 1


async def test_silence_is_fine_while_nothing_is_asked(server: TableServer, client: Puppet):
    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    for _ in range(3):
        await client.do("sleep", ms=12_000)
        await client.do("ticks")

    assert len(server.table.hellos) == 1


@pytest.mark.parametrize("sign", ["slept", "online", "seen again", "told"])
async def test_a_connection_that_may_have_died_is_made_anew(server: TableServer, client: Puppet, sign: str):
    server.forsake()
    server.table.log.write(rolled(1))
    match sign:
        case "slept":
            await client.do("sleep", ms=60_000)
        case "online":
            await client.do("online")
        case "seen again":
            await client.do("hide")
            await client.do("sleep", ms=16_000)
            await client.do("show")
        case "told":
            await client.do("wake")

    await misses(server, client, 1)
    assert len(server.table.hellos) == 2
    assert (await client.submit("roll_dice", pool=1))["n"] == 1


async def test_a_glance_elsewhere_is_no_reason(server: TableServer, client: Puppet):
    await client.do("hide")
    await client.do("sleep", ms=14_000)
    await client.do("show")
    await client.do("ticks")

    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    assert len(server.table.hellos) == 1


async def test_what_happens_to_the_clock_out_of_sight_is_no_reason(server: TableServer, client: Puppet):
    await client.do("hide")
    for _ in range(3):
        await client.do("sleep", ms=60_000)
        await client.do("ticks")
    assert len(server.table.hellos) == 1

    await client.do("show")
    await until(lambda: len(server.table.hellos) == 2)


async def test_several_signs_at_once_make_one_new_connection(server: TableServer, client: Puppet):
    for order in ("online", "wake", "hide", "show", "online"):
        client.order(order)
    await until(lambda: len(server.closed_with) == 1)

    assert (await client.submit("roll_dice", pool=1))["n"] == 1
    assert (len(server.table.hellos), server.connected) == (2, 1)


async def test_the_old_connection_is_closed_once_the_new_one_is_welcomed(server: TableServer, client: Puppet):
    server.keep_waiting()
    await client.do("wake")
    await until(lambda: len(server.table.hellos) == 2)
    await client.do("ticks")
    assert server.closed_with == []
    server.welcome()
    await until(lambda: len(server.closed_with) == 1)

    assert server.closed_with == [1005]
    await server.happen(rolled(1))
    await misses(server, client, 1)


async def test_where_no_new_connection_can_be_made_the_old_one_counts_as_lost(server: TableServer, client: Puppet):
    server.forsake()
    await server.listen_no_more()
    await client.do("online")
    await client.do("lost")
    server.table.log.write(rolled(1))
    await server.start()

    await misses(server, client, 1)


async def test_a_new_connection_that_is_turned_away_is_the_end(server: TableServer, client: Puppet):
    server.turned_away.append((4502, "revoked"))
    waiting = client.order("never")
    await client.do("wake")

    assert (await waiting)["ended"] == {"code": 4502, "reason": "revoked"}


@pytest.mark.parametrize("sign", ["online", "show", "wake"])
async def test_nobody_waits_for_the_next_try_once_there_is_a_sign(server: TableServer, visitor: Puppet, sign: str):
    backoff = {"firstMs": HOURS_MS, "longestMs": HOURS_MS}
    await visitor.do("connect", link=link_to(server), backoff=backoff)
    await server.stop()
    await visitor.do("lost")
    server.table.log.write(rolled(1))
    await server.start()
    await visitor.do(sign)

    await misses(server, visitor, 1)


async def test_a_try_that_leads_nowhere_is_given_up_for_a_better_one(server: TableServer, visitor: Puppet):
    await visitor.do("connect", link=link_to(server), backoff={"firstMs": HOURS_MS, "longestMs": HOURS_MS})
    await server.stop()
    await visitor.do("lost")
    with socket.create_server(("127.0.0.1", urlsplit(server.url).port)) as nowhere:
        nowhere.setblocking(False)
        await visitor.do("online")
        with await reached(nowhere):
            await visitor.do("online")
            await visitor.do("sleep", ms=3_000)
            assert (await visitor.do("look"))["heard"]["sockets"] == 2
            await visitor.do("online")
            await counted(visitor, "sockets", 3)


async def reached(listener: socket.socket) -> socket.socket:
    """Wait until somebody connects to a listener that does not block."""
    found: list[socket.socket] = []

    def accepted() -> bool:
        with suppress(BlockingIOError):
            found.append(listener.accept()[0])
        return bool(found)

    await until(accepted)
    return found[0]


async def test_who_closes_the_room_meanwhile_leaves_nothing_behind(server: TableServer):
    async with puppet() as client:  # whose process ends by itself
        await client.do("connect", link=link_to(server), dice=False)
        server.forsake()
        client.order("wake")
        await client.do("close")

        assert (await client.ask("submit", command=ROLL))["ended"]["code"] is None


# How the JavaScript client notices that its network went silent or lets no websocket open, and what it does then


BEAT = '{"type":"beat"}'
GREETING = 2  # frames: a welcome, and who is here
LOOK_MS = 14_000  # a clock that jumps further between two looks at it has slept


@pytest_asyncio.fixture(loop_scope="module")
async def page(server: TableServer, visitor: Puppet) -> Puppet:
    await visitor.do("connect", link=link_to(server), dice=False)
    await until(lambda: arrived(visitor, GREETING))
    return visitor


async def passes(page: Puppet, times: int) -> None:
    """Let 14 s pass so often, while the client looks at its clock."""
    for _ in range(times):
        await page.do("sleep", ms=LOOK_MS)
        await page.do("ticks")


async def heard(page: Puppet, what: str) -> int:
    """Return how often the client counted something."""
    count: int = (await page.do("look"))["heard"][what]
    return count


async def test_a_connection_without_heartbeats_for_45_s_is_doubted_and_renewed(server: TableServer, page: Puppet):
    server.forsake()
    server.table.log.write(rolled(1))
    await passes(page, 3)
    assert (await heard(page, "doubts"), len(server.said)) == (0, 1)
    await passes(page, 1)

    await page.do("until", seqs={"public": 1})
    assert [hello["beat"] for hello in server.said] == [True, True]
    assert await heard(page, "doubts") == 1


async def test_a_heartbeat_and_any_other_frame_end_the_silence(server: TableServer, page: Puppet):
    changes = await heard(page, "changes")
    for number in range(1, 4):
        await passes(page, 2)
        await server.tell(BEAT)
        await until(lambda: arrived(page, changes + 2 * number - 1))  # noqa: B023
        await passes(page, 2)
        await server.happen(rolled(number))
        await page.do("until", seqs={"public": number})

    assert (await heard(page, "doubts"), len(server.said)) == (0, 1)


async def arrived(page: Puppet, changes: int) -> bool:
    """Tell whether the client has taken in so many frames."""
    return await heard(page, "changes") >= changes


async def test_while_a_connection_is_doubted_the_client_is_not_connected(server: TableServer, page: Puppet):
    server.forsake()
    server.keep_waiting()
    seen = await page.do("offline")
    assert (seen["connected"], seen["doubtful"]) == (False, True)
    server.welcome()

    await page.do("until", seqs={"public": 0})
    assert (await page.do("look"))["doubtful"] is False
    assert len(server.said) == 2


async def test_a_hidden_page_judges_the_silence_when_it_becomes_visible(server: TableServer, page: Puppet):
    server.forsake()
    await page.do("hide")
    await passes(page, 4)
    assert (await heard(page, "doubts"), len(server.said)) == (0, 1)

    await page.do("show")
    await until(lambda: len(server.said) == 2)
    assert await heard(page, "doubts") == 1


async def test_a_clock_that_is_set_back_delays_the_judgement_by_45_s_at_most(server: TableServer, page: Puppet):
    server.forsake()
    await page.do("sleep", ms=-3_600_000)
    await page.do("ticks")
    await passes(page, 4)

    await until(lambda: len(server.said) == 2)


async def test_an_older_server_is_greeted_once_more_without_asking_for_heartbeats(server: TableServer, visitor: Puppet):
    server.turned_away.append((4500, "beat: Extra inputs are not permitted"))
    await visitor.do("connect", link=link_to(server), dice=False)
    await passes(visitor, 5)
    await server.happen(rolled(1))
    await visitor.do("until", seqs={"public": 1})

    assert [hello.get("beat") for hello in server.said] == [True, None]
    assert await heard(visitor, "doubts") == 0


async def test_a_server_that_became_older_is_greeted_so_too(server: TableServer, page: Puppet):
    server.turned_away.extend([(4500, "beat: Extra inputs are not permitted")] * 2)
    await page.do("wake")
    await until(lambda: len(server.said) == 4)
    await server.happen(rolled(1))
    await page.do("until", seqs={"public": 1})

    assert [hello.get("beat") for hello in server.said] == [True, True, True, None]


async def test_a_server_that_refuses_both_hellos_is_not_asked_again(server: TableServer, visitor: Puppet):
    server.turned_away.extend([(4500, "no hello")] * 3)
    refused = await visitor.ask("connect", link=link_to(server))

    assert (refused["ended"], len(server.said)) == ({"code": 4500, "reason": "no hello"}, 2)


async def test_firefox_opens_no_websocket_before_a_plain_request_is_answered(server: TableServer, page: Puppet):
    await page.do("firefox")
    await server.stop()
    await page.do("lost")
    for _ in range(20):
        await page.do("ticks")  # 60 ms, in which others try several times
    assert await heard(page, "sockets") == 1
    server.table.log.write(rolled(1))
    await server.start()

    await page.do("until", seqs={"public": 1})
    assert (await heard(page, "sockets"), server.asked) == (2, 1)


async def test_firefox_tries_on_where_the_server_answers_but_the_websocket_fails(server: TableServer, page: Puppet):
    await page.do("firefox")
    server.is_blocked = True
    server.cut()
    await until(lambda: opened(page, 4))
    server.is_blocked = False
    server.table.log.write(rolled(1))

    await page.do("until", seqs={"public": 1})
    assert server.asked >= 3


async def opened(page: Puppet, number: int) -> bool:
    """Tell whether the client has opened so many websockets."""
    return await heard(page, "sockets") >= number


async def test_a_firefox_whose_requests_are_blocked_tries_every_30_s(server: TableServer, page: Puppet):
    await page.do("firefox")
    await page.do("no_fetch")
    server.table.log.write(rolled(1))
    server.cut()
    await page.do("sleep", ms=20_000)  # real time passes, too
    for _ in range(20):
        await page.do("ticks")
    assert await heard(page, "sockets") == 1

    await page.do("sleep", ms=11_000)
    await page.do("until", seqs={"public": 1})
    assert await heard(page, "sockets") == 2


async def test_other_browsers_do_not_ask_before_they_try(server: TableServer, page: Puppet):
    server.table.log.write(rolled(1))
    server.cut()
    await page.do("until", seqs={"public": 1})

    assert server.asked == 0


@pytest.mark.parametrize(
    ("limit", "retry_after", "obstacle", "retry_ms"),
    [
        (None, "7", "blocked", None),
        (429, "7", "limit", 7_000),
        (429, None, "limit", 10_000),
        (503, "7", "limit", 7_000),
        (503, None, "blocked_or_limit", 10_000),  # of a proxy, and not of this server
        (404, "7", "blocked_or_limit", 7_000),
    ],
)
async def test_the_end_of_a_first_connection_says_what_stopped_it(
    server: TableServer,
    visitor: Puppet,
    limit: int | None,
    retry_after: str | None,
    obstacle: str,
    retry_ms: int | None,
):
    server.limit, server.retry_after, server.is_blocked = limit, retry_after, limit is None
    ended = await visitor.ask("connect", link=link_to(server))

    assert (ended["obstacle"], ended.get("retryMs")) == (obstacle, retry_ms)


async def test_a_server_that_does_not_answer_at_all_is_unreachable(server: TableServer, visitor: Puppet):
    await server.stop()
    ended = await visitor.ask("connect", link=link_to(server))

    assert (ended["obstacle"], ended.get("retryMs")) == ("unreachable", None)


async def test_while_it_comes_back_a_client_knows_what_stops_it(server: TableServer, page: Puppet):
    server.is_blocked = True
    server.cut()
    await until(lambda: is_stopped_by(page, "blocked"))
    await server.stop()
    await until(lambda: is_stopped_by(page, "unreachable"))
    server.is_blocked = False
    server.table.log.write(rolled(1))
    await server.start()

    await page.do("until", seqs={"public": 1})
    assert (await page.do("look"))["obstacle"] is None


async def is_stopped_by(page: Puppet, obstacle: str) -> bool:
    """Tell what the client says of its latest try."""
    return bool((await page.do("look"))["obstacle"] == obstacle)
