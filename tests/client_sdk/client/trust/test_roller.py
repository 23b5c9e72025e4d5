"""Rolling with tokens against a real server, honest or between a tamperer's hands."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from dreadclock import sync
from dreadclock.client.connection import Backoff
from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.room import Room, connect
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets, Holder
from dreadclock.dice.flaws import Flaw
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.fold import proof_of
from dreadclock.wire.views import View
from kit.cheating.tampering import Tamperer, tampering, unchanged
from kit.rooms import Table
from kit.waiting import until

SOON = Backoff(longest_s=0.01)


def seated(
    table: Table, name: str, secrets: DiceSecrets | None = None, url: str | None = None
) -> AbstractAsyncContextManager[Room]:
    return connect(url or table.server.url, table.id, table.token(name), backoff=SOON, dice_secrets=secrets)


@pytest.fixture
async def ann(table: Table) -> AsyncIterator[Room]:
    async with seated(table, "ann") as room:
        yield room


@pytest.fixture
async def tamperer(table: Table) -> AsyncIterator[Tamperer]:
    async with tampering(table.server) as one:
        yield one


@pytest.fixture
async def deceived(table: Table, tamperer: Tamperer) -> AsyncIterator[Room]:
    """Ann, who has rolled once and is connected through the tamperer."""
    async with seated(table, "ann", url=tamperer.url) as room:
        await room.roll_dice(1)
        yield room


def proofs(acknowledged: Acknowledged) -> list[RollProof]:
    return [proof for event in acknowledged.events if (proof := proof_of(event))]


def slots(*acknowledged: Acknowledged) -> list[tuple[str, int]]:
    return [(proof.lane, proof.n) for each in acknowledged for proof in proofs(each)]


def opened(room: Room) -> list[str]:
    return [label for label, lane in room.view.public.lanes.items() if lane.anchor and lane.seat_id == room.seat]


def flaws(room: Room) -> list[Flaw]:
    return [alarm.flaw for alarm in room.alarms if isinstance(alarm, RollAlarm)]


# Lanes


async def test_the_first_roll_opens_a_lane_and_nothing_before_it_does(ann: Room):
    await ann.add_character("Ada", id="ada")
    assert opened(ann) == []

    first, second = await ann.roll_dice(2), await ann.roll_dice(2)

    assert opened(ann) == ["seat/player-1/1"]
    assert slots(first, second) == [("seat/player-1/1", 1), ("seat/player-1/1", 2)]
    assert all(proof.token for proof in [*proofs(first), *proofs(second)])
    assert ann.alarms == ()


async def test_whoever_comes_back_goes_on_with_the_lane(table: Table):
    async with seated(table, "ann") as ann:
        first = await ann.roll_dice(2)
    async with seated(table, "ann") as ann:
        second = await ann.roll_dice(2)

    assert slots(first, second) == [("seat/player-1/1", 1), ("seat/player-1/1", 2)]


async def test_two_connections_of_a_seat_roll_in_lanes_of_their_own_without_an_alarm(table: Table):
    async with seated(table, "ann") as one, seated(table, "ann") as two:
        rolls = [await room.roll_dice(1) for room in (one, two, one, two)]
        await one.wait_for(lambda _: one.positions == two.positions)

        assert slots(*rolls) == [
            ("seat/player-1/1", 1),
            ("seat/player-1/2", 1),
            ("seat/player-1/1", 2),
            ("seat/player-1/2", 2),
        ]
        assert (one.alarms, two.alarms) == ((), ())


async def test_a_lost_secret_is_one_more_lane(table: Table):
    async with seated(table, "ann", DiceSecrets(None)) as ann:
        first = await ann.roll_dice(1)
    async with seated(table, "ann", DiceSecrets(None)) as ann:
        second = await ann.roll_dice(1)

    assert slots(first, second) == [("seat/player-1/1", 1), ("seat/player-1/2", 1)]


def test_tokens_can_be_switched_off(table: Table, state_home: Path):
    with sync.connect(table.server.url, table.id, table.token("ann"), dice_secrets=False) as ann:
        rolled = ann.roll_dice(1)

    assert slots(rolled) == [("seat/player-1/0", 1)]
    assert proofs(rolled)[0].token is None
    assert not state_home.exists()


async def test_a_secret_that_fits_no_more_is_one_more_lane(table: Table, tmp_path: Path):
    """The lane has seen another token than the secret's: what was kept is of no use."""
    secrets = DiceSecrets(tmp_path)
    async with seated(table, "ann", secrets) as ann:
        await ann.roll_dice(1)
        [anchor] = secrets.stored(Holder(ann.id, ann.log_id, ann.seat))
        see_lane(ann, token="A" * 43)

        assert slots(await ann.roll_dice(1)) == [("seat/player-1/2", 1)]
        assert anchor not in secrets.stored(Holder(ann.id, ann.log_id, ann.seat))


async def test_a_lane_that_is_used_up_is_followed_by_another(ann: Room):
    await ann.roll_dice(1)
    assert ann._roller is not None
    assert ann._roller._secret is not None
    see_lane(ann, used=LANE_LENGTH, token=ann._roller._secret.token(LANE_LENGTH))

    assert slots(await ann.roll_dice(1)) == [("seat/player-1/2", 1)]


@pytest.mark.parametrize(
    ("fields", "found"),
    [({"key": "A" * 43}, [Flaw.KEY]), ({"key": "A" * 43, "label": "seat/player-1/9"}, [])],
    ids=["of the same name", "of another name"],
)
async def test_no_token_is_shown_in_a_lane_opened_too_late(ann: Room, fields: dict[str, Any], found: list[Flaw]):
    """A server that set its log back before the lane could choose other keys for it."""
    await ann.roll_dice(1)
    see_lane(ann, **fields)

    assert slots(await ann.roll_dice(1)) == [("seat/player-1/2", 1)]
    assert flaws(ann) == found
    assert [alarm.sentence for alarm in ann.alarms] == [
        "The lane seat/player-1/1 is not to be trusted: its key does not lead to those that the server has shown."
    ] * len(found)


def see_lane(room: Room, **fields: object) -> None:
    """Let a client see its lane otherwise than it is."""
    public = room.view.public
    [label] = opened(room)
    lanes = {**public.lanes, label: public.lanes[label].model_copy(update=fields)}
    channels = {**room.view.channels, Channel.PUBLIC: public.model_copy(update={"lanes": lanes})}
    room._protocol.mirror.view = View(channels=channels)


async def test_whom_the_server_opens_no_lane_for_rolls_without_tokens(table: Table):
    """An integration may end turns, and has no lane of its own tokens."""
    grant = await table.invite("bot", "integration", scopes=["turns"])
    async with seated(table, "gm") as gm, connect(table.server.url, table.id, grant["token"]) as bot:
        await gm.start_countdown("Fever", 4, id="fever", bound_to="turn")
        await bot.wait_for(lambda view: "fever" in view.countdowns)
        ended = await bot.end_turn()

        assert [proof.token for proof in proofs(ended)] == [None]
        assert bot.alarms == ()


async def test_what_rolls_no_die_leaves_the_token_for_the_next_roll(table: Table):
    async with seated(table, "gm") as gm:
        await gm.end_turn()
        hidden = await gm.roll_dice(2, visibility="sealed")
        shown = await gm.roll_dice(2)

        assert [proof.lane for proof in proofs(hidden)] == ["thing/roll/roll-1"]
        assert slots(shown) == [("seat/gm/1", 1)]
        assert gm.alarms == ()


async def test_a_callers_own_slot_is_left_as_it_is(ann: Room):
    own = {"lane": "seat/player-1/0", "n": 1, "seen": 0}

    assert slots(await ann.submit({"type": "roll_dice", "pool": 1, "dice": own})) == [("seat/player-1/0", 1)]


async def test_what_changed_since_the_caller_looked_is_refused(table: Table, ann: Room):
    async with seated(table, "gm") as gm:
        await gm.start_countdown("Fever", 4, id="fever", owner=table.seat("ann"))
        await ann.wait_for(lambda view: "fever" in view.countdowns)
        rolls = await asyncio.gather(*(ann.roll_countdown("fever") for _ in range(2)), return_exceptions=True)

    assert isinstance(rolls[0], Acknowledged)
    assert isinstance(rolls[1], Refused)
    assert rolls[1].code is Code.CHANGED


async def test_tokens_of_two_players_witness_each_others_lanes(table: Table):
    async with seated(table, "ann") as ann, seated(table, "ben") as ben:
        for _ in range(2):
            await ann.roll_dice(1)
            await ben.roll_dice(1)
        later = [proofs(await room.roll_dice(1))[0].witnesses for room in (ann, ben)]

        assert later == [1, 1]
        assert (ann.alarms, ben.alarms) == ((), ())


def test_the_twin_without_asyncio_rolls_with_tokens_too(table: Table, tmp_path: Path):
    with sync.connect(table.server.url, table.id, table.token("ann"), dice_secrets=DiceSecrets(tmp_path)) as room:
        assert slots(room.roll_dice(1)) == [("seat/player-1/1", 1)]
        assert room.alarms == ()
    assert len([path for path in tmp_path.rglob("*") if path.parent.parent.parent.name == "dice"]) == 1


# One after the other


async def test_rolls_at_once_take_slots_in_the_order_submitted(ann: Room):
    rolls = await asyncio.gather(*(ann.roll_dice(1, name=f"roll {number}") for number in range(20)))

    assert slots(*rolls) == [("seat/player-1/1", n) for n in range(1, 21)]
    assert [event.roll.name for each in rolls for event in each.events if isinstance(event, DiceRolled)] == [
        f"roll {number}" for number in range(20)
    ]


async def test_no_other_command_waits_for_rolls(tamperer: Tamperer, deceived: Room):
    tamperer.to_client = without_replies
    first, second = (asyncio.create_task(deceived.roll_dice(1)) for _ in range(2))
    await deceived.wait_for(lambda view: view.public.lanes["seat/player-1/1"].used == 2)

    adding = asyncio.create_task(deceived.add_character("Ada", id="ada"))
    await deceived.wait_for(lambda view: "ada" in view.characters)

    assert deceived.view.public.lanes["seat/player-1/1"].used == 2  # the second one waits for the first one's answer
    tamperer.to_client = unchanged
    tamperer.cut()
    assert slots(await first, await second, await adding) == [("seat/player-1/1", 2), ("seat/player-1/1", 3)]
    assert deceived.alarms == ()


async def test_a_roll_that_is_cancelled_on_its_way_keeps_its_slot(tamperer: Tamperer, deceived: Room):
    tamperer.to_server = lambda frame: None
    cancelled = asyncio.create_task(deceived.roll_dice(1))
    await until(lambda: len(tamperer.sent) == 3)
    cancelled.cancel()
    following = asyncio.create_task(deceived.roll_dice(1))
    await asyncio.wait({cancelled})
    tamperer.to_server = unchanged
    tamperer.cut()

    assert slots(await following) == [("seat/player-1/1", 3)]
    assert cancelled.cancelled()
    sent = [json.loads(text) for text in tamperer.sent[2:]]
    assert [(frame["n"], frame["command"]["dice"]["n"]) for frame in sent] == [(3, 2), (3, 2), (4, 3)]
    assert deceived.alarms == ()


def without_replies(frame: dict[str, Any]) -> dict[str, Any] | None:
    return None if frame["type"] in ("ack", "refused") else frame


async def test_a_roll_sent_again_is_the_same_and_has_its_faces(table: Table, tamperer: Tamperer, deceived: Room):
    def lose(frame: dict[str, Any]) -> dict[str, Any] | None:
        if frame["type"] != "ack":
            return frame
        tamperer.to_client = unchanged
        tamperer.cut()
        return None

    tamperer.to_client = lose
    rolled = await deceived.roll_dice(5)

    first, again = tamperer.sent[-2:]
    assert first == again
    log = [json.loads(text) for text in await table.log("ann")]
    assert [each["event"]["roll"]["faces"] for each in log if each["event"]["type"] == "dice_rolled"][1:] == [
        list(event.roll.faces) for event in rolled.events if isinstance(event, DiceRolled)
    ]
    assert slots(rolled) == [("seat/player-1/1", 2)]
    assert deceived.alarms == ()


async def test_a_slot_taken_with_one_secret_is_followed_by_the_next(table: Table, tmp_path: Path, tamperer: Tamperer):
    """Two devices with one home: the view, looked at anew, shows that the token was used."""
    async with seated(table, "ann", DiceSecrets(tmp_path), tamperer.url) as ann:
        await ann.roll_dice(1)
        roller = ann._roller
        assert roller is not None
        assert roller._secret is not None
        token = roller._secret.token(2)

        async with connect(table.server.url, table.id, table.token("ann"), dice_secrets=False) as twin:
            stolen = {"lane": "seat/player-1/1", "n": 2, "token": token, "seen": 0}
            held = asyncio.Event()

            def after_the_twin(frame: dict[str, Any]) -> dict[str, Any] | None:
                held.set()
                return None

            tamperer.to_server = after_the_twin
            rolling = asyncio.create_task(ann.roll_dice(1))
            await held.wait()
            await twin.submit({"type": "roll_dice", "pool": 2, "dice": stolen})
            tamperer.to_server = unchanged
            tamperer.cut()

            assert slots(await rolling) == [("seat/player-1/1", 3)]
    assert flaws(ann) == [Flaw.NOT_SENT]


# What a server may try


@pytest.mark.parametrize("code", ["slot_taken", "bad_token"])
async def test_denied_tokens_stay_next(tamperer: Tamperer, deceived: Room, code: str, monkeypatch: pytest.MonkeyPatch):
    """A server that has seen the token knows the faces: it may not get another choice of them."""
    monkeypatch.setattr("dreadclock.client.trust.roller.FOLLOW_WITHIN_S", 0.01)

    def swallow(frame: dict[str, Any]) -> dict[str, Any]:
        return {**frame, "command": {"type": "remove_seat", "seat_id": "gm"}}

    def turn_away(frame: dict[str, Any]) -> dict[str, Any]:
        details = {"lane": "seat/player-1/1", "n": 2}
        return {**frame, "code": code, "details": details} if frame["type"] == "refused" else frame

    tamperer.to_server, tamperer.to_client = swallow, turn_away
    with pytest.raises(Refused) as refused:
        await deceived.roll_dice(3)
    tamperer.to_server = tamperer.to_client = unchanged

    assert refused.value.code == code
    assert flaws(deceived) == [Flaw.DENIED]
    assert slots(await deceived.roll_dice(3)) == [("seat/player-1/1", 2)]
    shown = [json.loads(text)["command"]["dice"] for text in tamperer.sent[-2:]]
    assert shown[0]["token"] == shown[1]["token"]
    assert opened(deceived) == ["seat/player-1/1"]


async def test_a_roll_in_ones_name_is_told_of_unless_this_device_made_it(table: Table, tmp_path: Path):
    async with seated(table, "ann") as ann, seated(table, "ann", DiceSecrets(tmp_path)) as elsewhere:
        await elsewhere.roll_dice(2)
        async with connect(table.server.url, table.id, table.token("ann"), dice_secrets=False) as without:
            await without.roll_dice(2)
        await ann.wait_for(lambda _: len(ann.alarms) == 2)

    assert flaws(ann) == [Flaw.NOT_SENT] * 2
    assert "it may have been another device of yours" in ann.alarms[0].sentence
