"""Knocks: a seat for somebody who has no token, given by the gm and known to nobody else."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from dreadclock.wire.base import Role
from dreadclock_server.app import Application
from dreadclock_server.gateway import knocks
from dreadclock_server.gateway.knocks import EXPIRES_S, MOST_KNOCKS
from dreadclock_server.gateway.rest.knock_calls import ANSWERED_AFTER_S
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.knocks import NOWHERE, Knocker, answer, knock_at, old_knock, post_knock, seated
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.servers.in_process import in_process


async def waiting(table: Table) -> list[dict[str, object]]:
    """Ask as the gm who knocks."""
    async with table.http("gm") as http:
        found = await http.get(table.path("/knocks"))
    assert found.status_code == 200, found.text
    rows: list[dict[str, object]] = found.json()
    return rows


async def stored(table: Table) -> str:
    """Give all that the store holds, as text."""
    parts = []
    async with Redis.from_url(table.server.store_url) as store:
        async for name in store.scan_iter(f"*{table.id}*"):
            kind = await store.type(name)
            parts.append(await (store.hgetall(name) if kind == b"hash" else store.dump(name)))
    return repr(parts)


# From the knock to the seat


async def test_who_knocks_and_is_let_in_gets_a_seat_and_a_link(table: Table):
    log = await table.log()
    ines = await knock_at(table.server, table.id, wants="player", client="Foundry VTT")
    pending = await ines.state()
    assert pending["state"] == "pending"
    assert knocks.EXPIRES_S - 10 < pending["expires_s"] <= knocks.EXPIRES_S
    assert await table.log() == log, "nothing happened at the table yet"
    [row] = await waiting(table)
    shown = {"knock": ines.knock, "name": "Ines", "wants": "player", "client": "Foundry VTT", "code": ines.said["code"]}
    assert {**row, "expires_at": 0} == {**shown, "expires_at": 0}

    told = await seated(table, ines)
    state = await ines.state()

    assert told == {"state": "seated", "seat_id": "player-4", "role": "player"}
    grant = state.pop("grant")
    assert state == told
    assert grant["link"] == f"{table.server.url}/r/{table.id}#{grant['token']}"
    async with http_client(table.server, grant["token"]) as http:
        seats = (await http.get(table.path())).json()["channels"]["public"]["seats"]
    assert seats["player-4"]["name"] == "Ines"
    assert await waiting(table) == []


@pytest.mark.parametrize("is_fetched", [False, True])
async def test_a_seat_that_is_gone_is_not_fetched(is_fetched: bool, table: Table, second: Server):
    ines = await knock_at(table.server, table.id)
    seat = (await seated(table, ines))["seat_id"]
    if is_fetched:
        assert (await ines.state())["state"] == "seated"
    async with table.http("gm") as http:
        known = [each["token_id"] for each in (await http.get(table.path("/tokens"))).json()]
        await http.post(table.path("/commands"), json={"type": "remove_seat", "seat_id": seat})

        assert [await ines.state(), await ines.state(server=second)] == [{"state": "turned_away"}] * 2
        assert [each["token_id"] for each in (await http.get(table.path("/tokens"))).json()] == known


async def test_a_seat_is_fetched_again_after_a_lost_answer_until_it_has_arrived(table: Table):
    ines = await knock_at(table.server, table.id)
    await seated(table, ines)

    first, again = await ines.state(), await ines.state()
    at_once = await asyncio.gather(*(ines.state() for _ in range(4)))
    await ines.forget()

    assert [first] * 5 == [again, *at_once]
    assert (await ines.state())["state"] == "pending", "nothing is known of it any more"
    async with http_client(table.server, first["grant"]["token"]) as http:
        assert (await http.get(table.path())).status_code == 200
    async with table.http("gm") as http:
        rows = (await http.get(table.path("/tokens"))).json()
    assert [row["token_id"] for row in rows if row["seat_id"] == first["seat_id"]] == [first["grant"]["token_id"]]


async def test_who_waits_hears_the_answer_when_it_is_given_on_either_process(table: Table, second: Server):
    ines, tom = await knock_at(table.server, table.id), await knock_at(second, table.id, name="Tom")
    begun = time.monotonic()
    waits = [asyncio.create_task(ines.state(20, second)), asyncio.create_task(tom.state(20))]

    await seated(table, ines)
    await seated(table.at(second), tom)

    assert [each["state"] for each in await asyncio.gather(*waits)] == ["seated", "seated"]
    assert time.monotonic() - begun < 15, "not only once the wait was over"


async def test_who_is_turned_away_is_told_so_and_makes_no_seat(table: Table):
    log, ines = await table.log(), await knock_at(table.server, table.id)

    first, again = await answer(table, ines, accept=False), await answer(table, ines, accept=False, role="player")

    assert (first.json(), again.json()) == ({"state": "turned_away"}, {"state": "turned_away"})
    assert await ines.state(20) == {"state": "turned_away"}
    assert (await answer(table, ines, accept=True)).json()["code"] == "knock_answered"
    assert await table.log() == log


async def test_a_seat_that_exists_is_given_and_a_role_that_was_not_asked_for(table: Table):
    ines = await knock_at(table.server, table.id, name="Ann")
    assert (await waiting(table))[0]["resembles"] == table.seat("ann")
    assert await seated(table, ines, seat_id=table.seat("ann")) == {
        "state": "seated", "seat_id": table.seat("ann"), "role": "player"
    }  # fmt: skip
    assert (await ines.state())["seat_id"] == table.seat("ann")

    module = await knock_at(table.server, table.id, name="Module", wants="integration")
    given = await seated(table, module, role="spectator", name="A module")
    assert given == {"state": "seated", "seat_id": "spectator-4", "role": "spectator"}

    other = await knock_at(table.server, table.id, name="Module", wants="integration")
    assert (await seated(table, other, scopes=["turns"]))["seat_id"] == "integration-5"
    seats = (await table.view())["channels"]["public"]["seats"]
    assert (seats["spectator-4"]["name"], seats["integration-5"]["scopes"]) == ("A module", ["turns"])


async def test_what_is_not_picked_up_survives_a_restart(mortal: Server):
    table = await open_table(mortal)
    ines = await knock_at(mortal, table.id)
    await seated(table, ines)
    await mortal.kill()
    await mortal.start()

    grant = (await ines.state())["grant"]

    async with http_client(mortal, grant["token"]) as http:
        assert (await http.get(table.path())).status_code == 200


# Once


async def test_two_answers_at_once_make_one_seat(table: Table, second: Server):
    ines = await knock_at(table.server, table.id)

    answers = await asyncio.gather(*(answer(each, ines, accept=True) for each in [table, table.at(second)] * 4))

    assert {each.text for each in answers} == {'{"state":"seated","seat_id":"player-4","role":"player"}'}
    assert "player-5" not in (await table.view())["channels"]["public"]["seats"]


async def test_of_two_different_answers_one_counts(table: Table, second: Server):
    ines = await knock_at(table.server, table.id)

    bodies: list[dict[str, Any]] = [{"accept": False}, {"accept": True}, {"accept": True, "role": "spectator"}] * 2
    places = [table, table.at(second)] * 3
    answers = await asyncio.gather(*(answer(place, ines, **body) for place, body in zip(places, bodies, strict=True)))

    told = {each.text for each in answers if each.status_code == 200}
    assert len(told) == 1
    assert {each.json()["code"] for each in answers if each.status_code != 200} == {"knock_answered"}
    seats = set((await table.view())["channels"]["public"]["seats"])
    assert len(seats) == (4 if "turned_away" in told.pop() else 5)


async def test_an_answer_that_the_room_refuses_leaves_the_knock_open(table: Table):
    ines = await knock_at(table.server, table.id, name="G m")
    assert (await waiting(table))[0]["resembles"] == "gm"

    refused = [
        await answer(table, ines, accept=True),
        await answer(table, ines, accept=True, name="Ines", seat_id="player-9"),
        await answer(table, ines, accept=True, seat_id="gm"),
        await answer(table, ines, accept=True, name="Ines", scopes=["turns"]),
    ]

    assert [each.json()["code"] for each in refused] == ["not_allowed", "unknown", "unknown", "bad_request"]
    assert len(await waiting(table)) == 1
    assert (await ines.state())["state"] == "pending"
    await seated(table, ines, name="Ines")


async def test_an_answer_that_was_cut_off_is_finished_by_the_same_again_and_makes_one_seat(table: Table):
    ines = await knock_at(table.server, table.id)
    await seated(table, ines)
    store = await connect(table.server.store_url, rehearse=False)
    text = await store.knock(table.id, ines.knock)
    row = knocks.row_of(text, 0)
    assert text is not None
    assert row is not None
    decided = row.model_copy(update={"seat_id": None}).text()  # as it stood before the seat was noted
    assert await store.change_knock(table.id, ines.knock, text, decided)
    await store.aclose()
    assert (await ines.state())["state"] == "pending"
    assert len(await waiting(table)) == 1

    assert (await answer(table, ines, accept=False)).json()["code"] == "knock_answered"
    assert (await seated(table, ines))["seat_id"] == "player-4"

    assert (await ines.state())["seat_id"] == "player-4"
    assert "player-5" not in (await table.view())["channels"]["public"]["seats"]


async def test_a_token_that_was_revoked_is_not_given_out_again(table: Table):
    ines = await knock_at(table.server, table.id)
    await seated(table, ines)
    grant = (await ines.state())["grant"]

    async with table.http("gm") as http:
        assert (await http.delete(table.path(f"/tokens/{grant['token_id']}"))).status_code == 204

    assert await ines.state() == {"state": "turned_away"}
    async with http_client(table.server, grant["token"]) as http:
        assert (await http.get(table.path())).status_code == 401


async def test_a_room_has_no_more_tokens_for_knocks_than_for_invites(table: Table):
    early, late = await knock_at(table.server, table.id), await knock_at(table.server, table.id, name="Tom")
    await seated(table, early)
    async with Redis.from_url(table.server.store_url) as store:
        info = '{"token_id":"aaaaaaaa","seat_id":"player-1","role":"player","created_at":0}'
        await store.hset(f"dreadclock:{{{table.id}}}:tokens", mapping={f"{n:064x}": info for n in range(1020)})

    assert (await answer(table, late, accept=True)).json()["code"] == "too_many"
    assert (await early.ask()).json()["code"] == "too_many"
    assert len((await table.view())["channels"]["public"]["seats"]) == 5

    async with table.http("gm") as http:
        assert (await http.delete(table.path("/tokens/aaaaaaaa"))).status_code == 204
    assert (await early.state())["state"] == "seated"


# What a stranger learns


async def test_a_knock_at_a_room_that_does_not_exist_is_answered_alike(table: Table):
    async def seen(room_id: str) -> tuple[object, ...]:
        began = time.monotonic()
        knocked = await post_knock(table.server, room_id, name="Ines")
        assert time.monotonic() - began >= ANSWERED_AFTER_S
        said = knocked.json()
        knocker = Knocker(table.server, f"/api/rooms/{room_id}/knocks/{said['knock']}", said["secret"], said)
        states = [await knocker.state(), await knocker.state(1)]
        wrong = await knocker.ask(secret="A" * 22)
        shape = {name: len(str(value)) for name, value in said.items()}
        headers = set(knocked.headers)
        shown = ([each["state"] for each in states], wrong.status_code, wrong.json())
        await knocker.forget()
        return (knocked.status_code, shape, headers, *shown, (await knocker.state())["state"])

    real, none, odd = await asyncio.gather(*map(seen, (table.id, NOWHERE, "{no-room}")))

    assert real == none == odd
    async with Redis.from_url(table.server.store_url) as store:
        assert not await store.exists(f"dreadclock:{{{NOWHERE}}}:knocks")


async def test_a_guessed_knock_opens_nothing(table: Table):
    ines = await knock_at(table.server, table.id)
    await seated(table, ines)
    other = await knock_at(table.server, table.id, name="Tom")
    guesses = ["a" * 26, "x", "a" * 400, "ä" * 26, "=" * 26, "AAAA", "gm"]
    guessed = [Knocker(table.server, table.path(f"/knocks/{guess}"), ines.secret, {}) for guess in guesses]
    elsewhere = Knocker(table.server, f"/api/rooms/{NOWHERE}/knocks/{ines.knock}", ines.secret, {})
    answers = {knocker.path: (await knocker.ask()).status_code for knocker in (*guessed, elsewhere)}

    assert answers == dict.fromkeys(answers, 401)
    assert (await ines.ask(secret=f"{ines.secret}A")).status_code == 401
    assert (await other.ask(secret=ines.secret)).status_code == 401
    assert (await ines.ask(secret=other.secret)).status_code == 401
    async with http_client(table.server) as http:
        assert (await http.get(ines.path)).status_code == 401
        assert (await http.delete(ines.path)).status_code == 401


async def test_only_the_gm_lists_and_answers(table: Table):
    ines = await knock_at(table.server, table.id)
    for name in ("ann", "eve"):
        assert (await answer(table, ines, by=name, accept=True)).status_code == 403
        async with table.http(name) as http:
            assert (await http.get(table.path("/knocks"))).status_code == 403
    async with http_client(table.server, ines.secret) as http:
        assert (await http.post(f"{ines.path}/answer", json={"accept": True})).status_code == 401
        assert (await http.get(table.path("/knocks"))).status_code == 401
    assert (await ines.state())["state"] == "pending"


async def test_the_store_never_holds_what_opens_a_seat_or_fetches_it(table: Table):
    ines = await knock_at(table.server, table.id)
    texts = [await stored(table)]
    await seated(table, ines)
    texts.append(await stored(table))
    token = (await ines.state())["grant"]["token"]
    texts.append(await stored(table))

    assert all("Ines" in text for text in texts)
    assert not any(secret in text for text in texts for secret in (token, ines.secret))
    assert not any(secret in table.server.log_text() for secret in (token, ines.secret))


# Too much, too late, nonsense


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Ines", "wants": "gm"},
        {"name": "I" * 10_000},
        {"name": "I\u200bnes"},
        {"name": "Ines", "client": "a\u2066b"},
        {"name": "Ines", "role": "player"},
        [],
        "Ines",
    ],
)
async def test_a_knock_that_makes_no_sense_is_refused_alike_everywhere(shared_table: Table, body: object):
    async with http_client(shared_table.server) as http:
        answers = [await http.post(f"/api/rooms/{room_id}/knocks", json=body) for room_id in (shared_table.id, NOWHERE)]
    assert [each.status_code for each in answers] == [422, 422]
    assert answers[0].json() == answers[1].json()


async def test_an_answer_or_a_wait_that_makes_no_sense_is_refused(table: Table):
    ines = await knock_at(table.server, table.id)
    bodies: list[dict[str, Any]] = [{}, {"accept": True, "role": "gm"}, {"accept": 1}, {"accept": None}]
    for body in (*bodies, {"accept": True, "name": "I" * 65}):
        assert (await answer(table, ines, **body)).status_code == 422, body
    async with http_client(table.server, ines.secret) as http:
        for wait_s in ("26", "-1", "1.5", "x", "100", "007", "٣"):
            assert (await http.get(ines.path, params={"wait_s": wait_s})).status_code == 422, wait_s
    assert (await ines.state())["state"] == "pending"


async def test_where_too_many_knock_the_oldest_go_and_are_told_so_whether_or_not_there_is_such_a_room(table: Table):
    first = await old_knock(table, 60_000, "First")
    told: dict[str, dict[str, str]] = {}
    for room_id in (table.id, NOWHERE):
        names = ["No", "Oh", *(f"Guest {number}" for number in range(knocks.MOST_KNOCKS + 1))]
        knockers = {name: await knock_at(table.server, room_id, name=name) for name in names[:2]}
        if room_id == table.id:
            await answer(table, knockers["No"], accept=False)
        await knockers["Oh"].forget()
        guests = await asyncio.gather(*(knock_at(table.server, room_id, name=name) for name in names[2:]))
        knockers |= dict(zip(names[2:], guests, strict=True))
        told[room_id] = {name: (await each.state())["state"] for name, each in knockers.items()}

    real, made_up = told[table.id], told[NOWHERE]
    pending = sorted(name for name, state in real.items() if state == "pending" and name != "Oh")

    assert sorted(str(row["name"]) for row in await waiting(table)) == pending
    assert (await answer(table, first, accept=True)).json()["code"] == "unknown"
    # of the real room's 16, one is kept for whom the gm has answered; which of one second go is chance
    assert (real["No"], real["Oh"], made_up["Oh"]) == ("turned_away", "pending", "pending")
    assert Counter(real.values()) == {"turned_away": 1, "pending": knocks.MOST_KNOCKS, "expired": 2}
    assert Counter(made_up.values()) == {"pending": knocks.MOST_KNOCKS + 1, "expired": 2}
    assert (await first.state())["state"] == "pending", "it came to another process, and waits until it expires"


async def test_after_its_time_a_knock_is_over(table: Table):
    late = await old_knock(table, knocks.EXPIRES_S * 1000 + 1_000, "Late")
    soon = await old_knock(table, knocks.EXPIRES_S * 1000 - 2_000, "Soon")

    assert await late.state(20) == {"state": "expired"}
    assert [row["name"] for row in await waiting(table)] == ["Soon"]
    assert (await answer(table, late, accept=True)).json()["code"] == "unknown"
    assert await soon.state(20) == {"state": "expired"}
    assert (await answer(table, soon, accept=True)).json()["code"] == "unknown"
    assert await waiting(table) == []


async def test_a_seat_given_in_the_last_moment_can_still_be_fetched(table: Table):
    given = knocks.Decision(nonce="n", accept=True, role=Role.PLAYER, name="Ann")
    late = await old_knock(table, knocks.EXPIRES_S * 1000 + 1_000, decision=given, seat_id=table.seat("ann"))

    assert (await late.state())["state"] == "seated"


async def test_a_room_that_is_deleted_takes_its_knocks_along(server: Server):
    table = await open_table(server)
    ines, tom = await knock_at(server, table.id), await knock_at(server, table.id, name="Tom")
    await seated(table, tom)
    async with table.http("gm") as http:
        assert (await http.delete(table.path(), params={"confirm": table.title})).status_code == 204

    assert [(await each.state())["state"] for each in (ines, tom)] == ["pending", "pending"]
    await knock_at(server, table.id, name="Ines")
    async with Redis.from_url(server.store_url) as store:
        assert [name async for name in store.scan_iter(f"*{table.id}*")] == []


async def test_an_address_knocks_only_so_often(tmp_path_factory: pytest.TempPathFactory):
    data = tmp_path_factory.mktemp("strict") / "data"
    async with running_server(data, environment={"DREADCLOCK_LIMITS": "yes"}) as strict:
        table = await open_table(strict)
        answers = [await post_knock(strict, room, name="Ines") for room in [table.id, NOWHERE] * 4]
    assert [each.status_code for each in answers] == [201] * 6 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) <= 60


async def test_who_waits_too_often_at_a_time_is_answered_at_once(table: Table):
    ines = await knock_at(table.server, table.id)
    ends: list[float] = []

    async def asked() -> httpx.Response:
        answered = await ines.ask(3)
        ends.append(time.monotonic())
        return answered

    began = time.monotonic()
    answers = await asyncio.gather(*(asked() for _ in range(12)))

    assert {each.json()["state"] for each in answers} == {"pending"}
    assert sum(end - began < 2.5 for end in ends) == 4


# A knock that is withdrawn or over while it is answered, in a store that lets that happen each time


class Meanwhile:
    """A store in which something happens just before a seat is noted in a knock, or just after one was read."""

    def __init__(self, store: ValkeyStore, moment: str, happens: Callable[[ValkeyStore], Awaitable[object]]) -> None:
        self._store, self._moment, self._happens = store, moment, happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        """Change a row, after what happens if it is to name a seat."""
        if after is not None and '"seat_id"' in after.partition('"decision"')[2].partition("}")[2]:
            await self._at("noting")
        return await self._store.change_knock(room, knock, before, after)

    async def knock(self, room: str, knock: str) -> str | None:
        """Return a row as it was before what happens."""
        text = await self._store.knock(room, knock)
        await self._at("read")
        return text

    async def _at(self, moment: str) -> None:
        if moment == self._moment:
            self._moment = "over"
            await self._happens(self._store)


def node(
    table: Table, moment: str, happens: Callable[[ValkeyStore], Awaitable[object]]
) -> AbstractAsyncContextManager[tuple[Application, Server]]:
    """Run a server of such a store."""
    return in_process(table.server, Settings(), lambda store: Meanwhile(store, moment, happens))


async def answered(
    table: Table, ines: Knocker, happens: Callable[[ValkeyStore], Awaitable[object]], **body: object
) -> httpx.Response:
    """Answer a knock by a server of such a store."""
    async with node(table, "noting", happens) as (_, here), table.http("gm", here) as http:
        return await http.post(f"{ines.path}/answer", json={"accept": True, **body})


def withdrawing(table: Table, ines: Knocker) -> Callable[[ValkeyStore], Awaitable[object]]:
    """Delete a knock."""

    async def delete(store: ValkeyStore) -> None:
        text = await store.knock(table.id, ines.knock)
        assert text is not None
        await store.change_knock(table.id, ines.knock, text, None)

    return delete


async def seats(table: Table) -> set[str]:
    """Return the ids of all seats."""
    return set((await table.view())["channels"]["public"]["seats"])


async def test_no_seat_is_left_behind(table: Table):
    before = await seats(table)

    ines = await knock_at(table.server, table.id)
    answer = await answered(table, ines, withdrawing(table, ines))

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert await seats(table) == before


async def test_a_seat_that_others_hold_stays(table: Table):
    before = await seats(table)

    ines = await knock_at(table.server, table.id)
    answer = await answered(table, ines, withdrawing(table, ines), seat_id=table.seat("ann"))

    assert answer.status_code == 404
    assert await seats(table) == before


async def test_who_was_told_that_the_knock_is_over_gets_no_seat_of_an_answer_under_way(table: Table):
    before = await seats(table)
    ines = await old_knock(table, (EXPIRES_S - 3) * 1000)
    told: list[dict[str, Any]] = []

    async def hears(_: ValkeyStore) -> None:
        told.append(await ines.state(wait_s=10))

    answer = await answered(table, ines, hears)

    assert told == [{"state": "expired"}]
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert await seats(table) == before


async def test_who_asks_as_the_knock_lapses_and_is_answered_gets_the_seat(table: Table):
    ines = await knock_at(table.server, table.id)
    async with node(table, "read", lambda _: seated(table, ines)) as (app, here):
        for number, knock in enumerate([ines.knock, *(f"later-{each}" for each in range(MOST_KNOCKS))]):
            app.lapsed_knocks.put(table.id, knock, now_ms() + number + 1_000, now_ms())

        assert (await ines.state(server=here))["state"] == "seated"
