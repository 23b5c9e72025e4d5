"""A room that has all the bytes it may have: nothing new is taken, what was answered stays so, and all can be read.

And what it may have does not depend, for a player, on what is hidden in it.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from redis.asyncio import Redis

from dreadclock.export import write_export
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Policy
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.sessions import Done, No, Outcome
from dreadclock_server.evening.verify import verify
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.live import LiveRoom, decide_batch
from dreadclock_server.rooms.log import empty_log
from dreadclock_server.rooms.registry import Rooms, new_room_id
from dreadclock_server.rooms.size import Size, full_demo
from dreadclock_server.store.base import EMPTY, Store
from dreadclock_server.store.codec import decode
from dreadclock_server.store.in_play import CAP_BYTES, FIRST_GRANT_BYTES
from dreadclock_server.store.keys import DEMO_ROOMS, META, key
from kit.nodes import ROLL, ask, node, opened, submit
from kit.stores import whole_log
from kit.tables import GM, Table, loaded, read_command
from kit.waiting import until

MIB = 1024 * 1024
ANN = Actor("player-1", Role.PLAYER)
MOST = 20_000
MANY = 60_000
FULL = No(Code.TOO_MANY, {"limit": 19, "what": "KiB of events, all of which its gm can save"})  # a player's
NO_MORE_HIDDEN = No(Code.TOO_MANY, {"limit": 5, "what": "KiB of events that only its gm sees"})
HIDDEN = {"type": "roll_dice", "pool": 9, "visibility": "gm", "note": "Behind the screen"}
GHOST = {"type": "roll_countdown", "countdown_id": "ghost"}
TIMER = Actor("integration-2", Role.INTEGRATION, (Scope.TURNS,))


def is_full(outcome: Outcome) -> bool:
    """Tell whether a command was refused because the room is full, however large that is."""
    return isinstance(outcome, No) and outcome.details.get("what") == FULL.details["what"]


async def fill(rooms: Rooms, room_id: str, by: Actor = ANN) -> int:
    """Roll until nothing more is taken; give how many rolls were."""
    live = await rooms.get(room_id)
    for count in range(1000):
        if is_full(await ask(live, ROLL, by=by, session=by.seat_id, n=count + 1)):
            return count
    raise AssertionError("1,000 rolls were taken")


async def public(store: Store, room_id: str) -> int:
    counted = (await store.meta(room_id)).counted
    assert counted is not None
    return counted.public


async def test_a_full_room_takes_nothing_more_and_can_be_read(store: Store, room_id: str):
    rooms = Rooms(store, MOST)

    rolls = await fill(rooms, room_id)

    log = await whole_log(store, room_id)
    assert 10 < rolls < 200
    assert MOST * 15 // 16 <= await public(store, room_id) < MOST
    live = await rooms.get(room_id)
    assert [await ask(live, ROLL, by=ANN, session="s", n=1) for _ in range(300)] == [FULL] * 300
    assert await whole_log(store, room_id) == log
    assert (await Rooms(store, MOST).get(room_id)).room == live.room


async def test_the_last_of_a_room_is_kept_for_its_gm_who_can_close_it(store: Store, room_id: str):
    rooms = Rooms(store, MOST)
    await fill(rooms, room_id)
    live = await rooms.get(room_id)

    assert isinstance(await ask(live, {"type": "close_room"}), Done)
    assert await ask(live, ROLL) == No(Code.ROOM_CLOSED, {})


async def test_a_gm_too_comes_to_the_end_of_a_room(store: Store, room_id: str):
    rooms = Rooms(store, MOST)

    await fill(rooms, room_id, by=GM)

    assert await public(store, room_id) >= MOST
    assert await ask(await rooms.get(room_id), ROLL, by=ANN) == FULL


@pytest.mark.parametrize("is_known", [True, False], ids=["here", "on another node"])
async def test_an_answer_from_before_a_room_was_full_is_repeated(store: Store, room_id: str, is_known: bool):
    rooms = Rooms(store, MOST)
    first = await ask(await rooms.get(room_id), ROLL, by=ANN, session="mine")
    ghost = {"type": "roll_countdown", "countdown_id": "ghost"}
    refused = await ask(await rooms.get(room_id), ghost, by=ANN, session="mine", n=2)
    await fill(rooms, room_id)

    live = await (rooms if is_known else Rooms(store, MOST)).get(room_id)

    assert [await ask(live, ROLL, by=ANN, session="mine", n=n) for n in (1, 2, 3)] == [first, refused, FULL]
    assert isinstance(refused, No)
    assert refused.code is Code.UNKNOWN


async def test_one_batch_may_hold_what_is_taken_and_what_is_not(store: Store, room_id: str):
    rooms = Rooms(store, MOST)
    await fill(rooms, room_id)
    live = await rooms.get(room_id)

    anns, gms = submit(live, ROLL, by=ANN)[0], submit(live, ROLL, by=GM)[0]

    assert await anns == FULL
    assert isinstance(await gms, Done)


async def test_a_node_learns_how_large_others_made_a_room(store: Store, other: Store, room_id: str):
    here, there = Rooms(store, MOST), Rooms(other, MOST)
    await here.start()
    live = await here.get(room_id)

    await fill(there, room_id)

    await until(lambda: live.size.refusal(ANN) == FULL)
    assert live.size.refusal(GM) is None
    await here.aclose()


async def test_a_node_counts_what_it_reads_of_others(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)
    for n in range(1, 4):
        await ask(there, ROLL, by=ANN, session="ann", n=n)
        await ask(there, HIDDEN, session="gm", n=n)

    await here.refresh()

    assert (here.size.public_bytes, here.size.hidden_bytes) == (await store.meta(room_id)).counted


async def test_a_room_without_a_limit_grows_on(store: Store, room_id: str):
    live = await Rooms(store).get(room_id)

    assert [type(await ask(live, ROLL, by=ANN)) for _ in range(100)] == [Done] * 100
    assert live.size.public_bytes > MOST


def test_a_limit_below_1_mib_is_told_in_kib():
    assert Size(MIB).hidden_refusal() == No(
        Code.TOO_MANY, {"limit": 256, "what": "KiB of events that only its gm sees"}
    )


def test_the_sentence_says_how_much_there_is_and_that_it_can_be_saved():
    full = Size(128 * MIB, 1024 * MIB)

    sentences = [Refused(no.code, **no.details).sentence for by in (ANN, GM) if (no := full.refusal(by))]

    assert sentences == [
        "The room already has 120 MiB of events, all of which its gm can save, the most it can hold.",
        "The room already has 128 MiB of events, all of which its gm can save, the most it can hold.",
    ]


# What is hidden


async def test_a_player_is_refused_at_the_same_roll_whatever_is_hidden(store: Store):
    counts, hiding = [], [0, 40]
    for hidden in hiding:
        room_id = await opened(store)
        rooms = Rooms(store, 200_000)
        live = await rooms.get(room_id)
        for n in range(hidden):
            assert isinstance(await ask(live, HIDDEN, session="gm", n=n + 1), Done)
        counts.append(await fill(rooms, room_id))

    assert counts[0] > 200
    assert counts[0] == counts[1]


async def test_where_a_room_is_full_does_not_depend_on_how_commands_fall_into_batches(store: Store):
    places = []
    for at_once in (1, 2, 100):
        live, outcomes = await Rooms(store, MOST).get(await opened(store)), list[Outcome]()
        for start in range(0, 100, at_once):
            sent = [
                submit(live, order, by=by, session=by.seat_id, n=n + 1)[0]
                for n in range(start, start + at_once)
                for order, by in ((GHOST if n % 3 else ROLL, ANN), (HIDDEN, GM))
            ]
            outcomes += [await each for each in sent]
        places.append([outcome == FULL for outcome in outcomes[::2]].index(True))

    assert places[0] > 20
    assert places == [places[0]] * 3


async def test_refusals_of_players_are_not_stored_with_what_is_hidden(store: Store, room_id: str):
    live = await node(store, room_id)
    before = await public(store, room_id)
    for n in range(1, 11):
        await ask(live, GHOST, by=ANN, session="ann", n=n)

    await ask(live, HIDDEN, session="gm", n=1)
    await ask(live, HIDDEN, session="gm", n=1)
    assert await public(store, room_id) == before

    await ask(live, {"type": "end_turn"}, session="gm", n=2)
    assert await public(store, room_id) >= before + 11 * 256
    assert (await node(store, room_id)).sessions.outcome("ann", 10) is not None


async def test_a_gm_who_has_hidden_all_that_may_be_hidden_can_do_all_else(store: Store, room_id: str):
    live = await Rooms(store, MOST).get(room_id)
    await ask(live, JoinSeat(Role.INTEGRATION, "Timer", (Scope.TURNS,)))
    trap = {"type": "start_countdown", "name": "Trap", "pool": 30, "bound_to": "turn", "visibility": "gm"}
    assert isinstance(await ask(live, trap), Done)
    assert isinstance(await ask(live, {**trap, "id": "gm-snare", "name": "Snare"}), Done)

    for n in range(1, 100):
        if await ask(live, HIDDEN, session="gm", n=n) == NO_MORE_HIDDEN:
            break

    assert 2 < n < 50
    assert live.size.hidden_bytes >= MOST // 4
    log = await whole_log(store, room_id)
    assert [await ask(live, HIDDEN, session="gm", n=n) for _ in range(300)] == [NO_MORE_HIDDEN] * 300
    assert await ask(live, {"type": "end_turn"}) == NO_MORE_HIDDEN  # it would roll what is hidden
    assert await whole_log(store, room_id) == log
    assert isinstance(await ask(live, {"type": "cancel_countdown", "countdown_id": "gm-snare", "reason": "No."}), Done)
    assert isinstance(await ask(live, {"type": "end_turn"}, by=TIMER), Done)
    assert isinstance(await ask(live, ROLL, by=ANN), Done)
    assert isinstance(await ask(live, {"type": "close_room"}), Done)


async def test_a_roll_that_everyone_sees_is_not_refused_for_what_it_would_hide(store: Store, room_id: str):
    """The dice are drawn by then: who is refused for some faces alone could keep them for another roll."""
    live = await Rooms(store, MOST).get(room_id)
    fuse = {"type": "start_countdown", "id": "fuse", "name": "Fuse", "pool": 1, "speed": "fast", "bound_to": "nothing"}
    of = {"kind": "countdown", "id": "fuse"}
    hidden = {"of": of, "when": {"when": "end"}, "do": [{"does": "tell", "text": "It blows."}], "visibility": "gm"}
    assert isinstance(await ask(live, fuse), Done)
    assert isinstance(await ask(live, {"type": "attach_consequence", **hidden}), Done)
    for n in range(1, 100):
        if await ask(live, HIDDEN, session="gm", n=n) == NO_MORE_HIDDEN:
            break

    while live.room.view.public.countdowns["fuse"].status == "running":
        assert isinstance(await ask(live, {"type": "roll_countdown", "countdown_id": "fuse"}), Done)
    assert await ask(live, HIDDEN, session="gm", n=n) == NO_MORE_HIDDEN


# What hidden things do by themselves

REPEATING = {"type": "start_countdown", "pool": 60, "repeats": "same"}
HIDDEN_TRAPS = [{**REPEATING, "id": f"gm-{n}", "name": f"Trap {n}", "visibility": "gm"} for n in range(4)]
STAGES = [{"at": at, "effect": "Crack! " * 20} for at in range(1, 25)]
SEAL = {
    **REPEATING,
    "id": "seal",
    "name": "Seal",
    "pool": 24,
    "speed": "fast",
    "visibility": "sealed",
    "stages": STAGES,
}
FUSE = {**REPEATING, "id": "fuse", "name": "Fuse", "pool": 1, "speed": "fast"}
CLOCK = {"type": "start_clock", "id": "bells", "name": "Bells", "size": 1}


def when_the_fuse_ends(effects: list[dict[str, Any]], visibility: str) -> dict[str, Any]:
    of, when = {"kind": "countdown", "id": "fuse"}, {"when": "end"}
    return {"type": "attach_consequence", "of": of, "when": when, "do": effects, "visibility": visibility}


TELLS = when_the_fuse_ends([{"does": "tell", "text": "Boom! " * 40}] * 8, "gm")
RINGS = when_the_fuse_ends([{"does": "tick", "thing_id": "bells", "by": 1}] * 8, "public")  # skipped after the first


async def room_with(store: Store, orders: Iterable[dict[str, Any]]) -> LiveRoom:
    """Open a room of at most MANY public bytes with an integration that ends turns, where the gm did these."""
    live = await Rooms(store, MANY).get(await opened(store))
    await ask(live, JoinSeat(Role.INTEGRATION, "Timer", (Scope.TURNS,)))
    for order in orders:
        assert isinstance(await ask(live, order), Done)
    return live


async def turns_until_full(live: LiveRoom, by: Actor = TIMER) -> int:
    """End turns until that is refused because the room is full, and return how many ended."""
    for count in range(1000):
        outcome = await ask(live, {"type": "end_turn"}, by=by)
        if not isinstance(outcome, Done):
            assert is_full(outcome)
            return count
    raise AssertionError("1,000 turns ended")


async def faults_in(store: Store, live: LiveRoom) -> list[str]:
    """Return what is wrong with a room's log by its rules and hashes, as the gm and as everybody else reads it."""
    texts = [text for entry in await whole_log(store, live.id) for text in decode(entry).texts]
    public = [text for text in texts if '"channel":"public"' in text]
    return [
        str(fault)
        for channels, held in (((Channel.PUBLIC,), public), (Channel, texts))
        for fault in verify("".join(write_export(live.id, live.room.log_id, channels, held)).encode()).faults
    ]


async def test_turns_end_for_who_does_not_see_hidden_countdowns_as_if_there_were_none(store: Store):
    plain, hiding = await room_with(store, []), await room_with(store, HIDDEN_TRAPS)

    turns = [await turns_until_full(live) for live in (plain, hiding)]

    assert turns[0] == turns[1]
    assert turns[0] > 50
    assert hiding.size.public_bytes == plain.size.public_bytes <= MANY
    assert MANY // 8 < hiding.size.hidden_bytes <= MANY * 3 // 8
    traps = hiding.room.view.channels[Channel.GM].countdowns.values()
    assert {(trap.status, trap.bound_to) for trap in traps} == {("running", "nothing")}
    assert await faults_in(store, hiding) == []


@pytest.mark.parametrize(
    ("by", "orders"),
    [(TIMER, [SEAL]), *((by, orders) for by in (TIMER, GM) for orders in ([FUSE, TELLS], [FUSE, CLOCK, *[RINGS] * 8]))],
    ids=["sealed", "told", "skipped", "told, by the gm", "skipped, by the gm"],
)
async def test_consequences_hide_little_more_than_a_room_may(store: Store, orders: list[dict[str, Any]], by: Actor):
    live = await room_with(store, orders)

    await turns_until_full(live, by)

    assert live.size.public_bytes >= MANY * 15 // 16
    assert live.size.hidden_bytes <= MANY * 3 // 8
    assert await faults_in(store, live) == []


async def test_a_hidden_countdown_of_a_player_who_left_is_stopped_like_others(store: Store):
    live = await room_with(store, [{**trap, "owner": ANN.seat_id} for trap in HIDDEN_TRAPS])
    assert isinstance(await ask(live, {"type": "leave_seat"}, by=ANN), Done)

    await turns_until_full(live)

    assert live.size.hidden_bytes <= MANY * 3 // 8
    traps = live.room.view.channels[Channel.GM].countdowns.values()
    assert {(trap.status, trap.bound_to) for trap in traps} == {("running", "nothing")}
    assert await faults_in(store, live) == []


LONG_REFUSAL = {"type": "drop_track", "character_id": "ann" * 10, "track": "\U0001f480" * 64}


@pytest.mark.parametrize("order", [GHOST, LONG_REFUSAL], ids=["short", "long"])
async def test_refusals_of_players_use_up_no_space_of_hidden_things(store: Store, room_id: str, order: dict[str, Any]):
    live = await Rooms(store, MANY).get(room_id)
    await ask(live, {"type": "add_character", "name": "Ann", "id": "ann" * 10}, by=ANN)
    before = live.size.hidden_bytes

    for n in range(1, 200):
        for _ in range(2):  # what is asked again is stored at once, in an entry of its own
            assert isinstance(await ask(live, order, by=ANN, session="x" * 43, n=n), No)

    assert live.size.hidden_bytes - before < 10 * 200
    assert is_full(await ask(live, order, by=ANN, session="x" * 43, n=n + 1))


async def test_refusals_of_the_gm_make_a_room_that_is_full_of_hidden_things_no_larger(store: Store, room_id: str):
    live = await Rooms(store, MOST).get(room_id)
    while await ask(live, HIDDEN) != NO_MORE_HIDDEN:
        pass
    log = await whole_log(store, room_id)

    outcomes = [await ask(live, GHOST, session="gm", n=n) for n in range(1, 400)]

    assert {outcome.code for outcome in outcomes if isinstance(outcome, No)} == {Code.UNKNOWN}
    assert await whole_log(store, room_id) == log


async def test_what_the_gm_was_refused_while_no_more_could_be_hidden_is_decided_anew(store: Store, room_id: str):
    live = await Rooms(store, MOST).get(room_id)
    while await ask(live, HIDDEN) != NO_MORE_HIDDEN:
        pass
    refused = await ask(live, GHOST, session="gm")
    assert isinstance(refused, No)
    await ask(live, {"type": "start_countdown", "id": "ghost", "name": "Ghost", "pool": 9}, by=ANN)

    again = await ask(live, GHOST, session="gm")

    assert refused.code is Code.UNKNOWN
    assert isinstance(again, Done)
    assert await ask(live, GHOST, session="gm") == again


# Rooms of their own


async def test_a_room_that_was_never_counted_is_counted_when_it_is_loaded(store: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    for n in range(1, 20):
        await ask(live, ROLL, by=ANN, session="ann", n=n)
        await ask(live, GHOST, by=ANN, session="late", n=n)
        await ask(live, HIDDEN, session="gm", n=n)
    await ask(live, ROLL)
    before = await public(store, room_id)
    await admin.hdel(key(room_id, META), "public", "hidden")

    again = await node(store, room_id)

    assert (await store.meta(room_id)).counted == (before, 0)
    await ask(again, ROLL)
    assert (again.size.public_bytes, again.size.hidden_bytes) == (await store.meta(room_id)).counted


async def test_a_room_that_was_never_counted_is_read_without_writes(store: Store, admin: Redis, room_id: str):
    await ask(await node(store, room_id), ROLL)
    before = await public(store, room_id)
    await admin.hdel(key(room_id, META), "public", "hidden")
    maxmemory = str((await admin.config_get("maxmemory"))["maxmemory"])
    await admin.config_set("maxmemory", 1)
    try:
        assert (await node(store, room_id)).size.public_bytes == before
    finally:
        await admin.config_set("maxmemory", maxmemory)


async def demo_room(store: Store, rooms: Rooms, cap_bytes: int = CAP_BYTES) -> LiveRoom:
    """Open a demo room with its gm and Ann, player-1."""
    room_id = new_room_id()
    assert await store.in_play.reserve(room_id, {}, 1000, plays_ms=60_000, for_ms=60_000, now_ms=1)
    limits = {"cap_bytes": cap_bytes, "granted_bytes": FIRST_GRANT_BYTES}
    await rooms.begin(Open("The bomb", Policy()), {}, room_id=room_id, **limits)
    live = await rooms.get(room_id)
    await ask(live, JoinSeat(Role.PLAYER, "Ann"))
    return live


async def test_a_room_may_have_a_cap_of_its_own_until_that_is_lifted(store: Store):
    rooms = Rooms(store, 10 * MOST)
    live = await demo_room(store, rooms, MOST)
    await rooms.start()

    assert 10 < await fill(rooms, live.id) < 200
    await store.in_play.keep(live.id)
    await until(lambda: live.size.limit_bytes == 10 * MOST)

    assert isinstance(await ask(live, ROLL, by=ANN), Done)
    await rooms.aclose()


async def test_a_demo_room_without_memory_refuses_the_same_roll_whatever_is_hidden(store: Store, admin: Redis):
    rooms, counts = Rooms(store), list[int]()
    for hidden in (0, 100):
        live = await demo_room(store, rooms)
        await admin.hset(DEMO_ROOMS, "another", '{"bytes":1e12,"plays":0,"who":{}}')
        for n in range(hidden):
            assert isinstance(await ask(live, {**HIDDEN, "pool": 60}, session="gm", n=n + 1), Done)
        outcomes = [await ask(live, ROLL, by=ANN, session="ann", n=n + 1) for n in range(150)]
        await admin.hdel(DEMO_ROOMS, "another")

        counts.append([isinstance(outcome, Done) for outcome in outcomes].index(False))
        full = full_demo(live.size.public_bytes)
        assert set(map(type, outcomes[: counts[-1]])) == {Done}
        assert outcomes[counts[-1] :] == [full] * (150 - counts[-1])
        assert isinstance(await ask(live, ROLL, by=ANN, session="ann", n=151), Done), "there is memory again"

    assert counts[0] > 20
    assert counts[0] == counts[1]


def test_a_demo_room_without_memory_draws_no_dice_for_what_it_refuses():
    table = Table()
    size = Size(CAP_BYTES, public_bytes=1001, is_demo=True, granted_public_bytes=1000)
    roll = QueuedCommand(GM, read_command(ROLL), "", 0, lambda outcome: None)

    tried = decide_batch(empty_log(table.room, EMPTY), [roll], size=size, dice=loaded(), now_ms=1, fresh=str)

    assert [outcome for _, outcome in tried.replies] == [full_demo(1001)]
    assert tried.size.lacks_memory
