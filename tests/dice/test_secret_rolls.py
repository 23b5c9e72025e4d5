"""Secret rolls: before they are shown nothing of them can be worked out, and afterwards nothing of any other."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from redis import Redis

from dreadclock.dice.flaws import Flaw
from dreadclock.export import write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.events import Revealed
from dreadclock.wire.things import Lane
from dreadclock_server.core.draft import Actor
from dreadclock_server.dice import Ledger
from dreadclock_server.evening.verify import verify
from dreadclock_server.store.keys import DICE, key
from kit import second_ledger as second
from kit.dice.hidden_keys import found, keys_of_lane
from kit.dice.lanes import dice, opening
from kit.leaks.people import gathered
from kit.server import Server
from kit.tables import ANN, BO, GM, LOG, ROOM, Loaded, Order, Table

SECRET = bytes([0x77]) * 32
LEDGER = Ledger(ROOM, SECRET)
PLAIN: dict[str, Any] = {"type": "roll_dice", "pool": 5}
Deed = tuple[Actor, Order]


class Biased:
    """The room's own dice, with their keys; but hidden things show one face alone."""

    def __init__(self, face: int) -> None:
        self._face = face

    def key(self, label: str, anchor: str | None) -> str:
        return LEDGER.key(label, anchor)

    def slot(self, lane: Lane, n: int, token: str | None) -> Any:
        honest = LEDGER.slot(lane, n, token)
        if not lane.label.startswith("thing/"):
            return honest
        slot = Loaded(*[self._face] * 100).slot(lane, n, token)
        slot.key = honest.key
        return slot


def hidden(visibility: str, pool: int, physical: bool = False) -> Iterator[Deed]:
    """Roll hidden things of every sort, with so many dice, among rolls that everyone sees."""
    faces = {"faces": [3] * pool} if physical else {}
    gm = "gm-" if visibility == "gm" else ""
    secret = {"visibility": visibility}
    gas = {
        "type": "start_countdown",
        "id": f"{gm}gas",
        "name": "Gas",
        "bound_to": "nothing",
        "pool": pool + 20,
        **secret,
    }
    check = {"type": "propose_check", "id": f"{gm}trap", "character_id": "ada", "score": pool, **secret}
    yield GM, {**PLAIN, "id": f"{gm}lot", "pool": pool, **faces, **secret}
    yield ANN, {**PLAIN, "id": "r1", "dice": dice(1, "seat/player-1/1")}
    yield GM, gas
    yield GM, {"type": "roll_countdown", "countdown_id": f"{gm}gas"}
    yield BO, {**PLAIN, "id": "r2", "dice": dice(1, "seat/player-2/1", 2)}
    yield GM, {"type": "roll_countdown", "countdown_id": f"{gm}gas"}
    yield GM, check
    yield ANN, {**PLAIN, "id": "r3", "dice": dice(2, "seat/player-1/1")}
    yield GM, {**PLAIN, "id": "r4"}


def played(deeds: Iterator[Deed], face: int | None = None) -> Table:
    """Play an evening; with a `face`, all hidden dice show that."""
    rolled: Any = LEDGER if face is None else Biased(face)
    table = Table(dice=LEDGER, physical_dice="everyone", check_approval="open")
    first: Sequence[Deed] = [
        (ANN, opening(1)),
        (BO, opening(2)),
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada"}),
    ]
    for by, order in [*first, *deeds]:
        table.write(order, by=by, dice=rolled)
        table.now_ms += 10
    return table


def told(table: Table) -> tuple[list[str], str, str]:
    """Return all that players hold: the public records, the view that a newcomer is sent, and the head."""
    return table.public(), table.view_as(ANN).model_dump_json(), table.room.positions[Channel.PUBLIC].hash


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_whether_a_hidden_roll_is_of_physical_dice_changes_no_byte_that_players_hold(visibility: str):
    one, other = (played(hidden(visibility, 4, physical)) for physical in (False, True))

    assert one.texts != other.texts
    assert told(one) == told(other)


# After a reveal


def test_a_sealed_roll_that_is_shown_follows_from_the_key_that_was_published_before():
    table = played(hidden("sealed", 9))
    [made_public, shown] = table.write({"type": "reveal", "thing_id": "lot"})
    reader = second.Reader(ROOM)

    assert made_public.channel is Channel.GM
    assert isinstance(shown.event, Revealed)
    assert reader.broken(table.public()) is None
    assert reader.rolls[-1]["lane"] == "thing/roll/lot"
    assert tuple(reader.rolls[-1]["faces"]) == shown.event.things.rolls[0].faces


def test_a_sealed_roll_that_shows_other_faces_than_were_fixed_is_noticed():
    table = played(hidden("sealed", 9), face=2)
    table.write({"type": "reveal", "thing_id": "lot"})
    public = [record for record in table.records if record.channel is Channel.PUBLIC]
    report = verify("".join(write_export(ROOM, LOG, [Channel.PUBLIC], public)).encode())

    assert second.Reader(ROOM).broken(table.public()) == (len(public), 6)
    assert [(fault.seq, fault.flaw) for fault in report.faults] == [(len(public), Flaw.FACES)]


def test_one_reveal_gives_no_key_of_another_thing_nor_a_later_one_of_its_own():
    table = played(hidden("sealed", 9))
    lanes = {label: keys_of_lane(ROOM, SECRET, label) for label in ("thing/roll/lot", "thing/countdown/gas")}
    sent = json.dumps(told(table)).encode()
    assert {label: found(keys, sent) for label, keys in lanes.items()} == {label: [0] for label in lanes}

    table.write({"type": "reveal", "thing_id": "lot"})

    sent = json.dumps(told(table)).encode()
    assert {label: found(keys, sent) for label, keys in lanes.items()} == {
        "thing/roll/lot": [0, 1],
        "thing/countdown/gas": [0],
    }


def test_the_keys_of_one_lane_lead_to_no_key_of_another():
    lot, gas = (keys_of_lane(ROOM, SECRET, label) for label in ("thing/roll/lot", "thing/countdown/gas"))
    lane = second.lane_of(ROOM, second.ZERO, "thing/countdown/gas")
    led_to = {second.key_before(lane, n, value) for value in lot for n in (1, 2, 3)}

    assert set(lot) & set(gas) == set()
    assert led_to & set(gas) == set()


# On the wire


async def test_no_byte_that_anyone_is_sent_holds_a_hidden_key_before_its_reveal(server: Server):
    async with gathered(server) as company:
        for visibility, name in (("sealed", "lot"), ("sealed", "fate"), ("gm", "gm-plot")):
            await company.gm.do({**PLAIN, "id": name, "visibility": visibility})
        await company.gm.do({"type": "reveal", "thing_id": "lot"})
        await company.gm.do({"type": "reveal", "thing_id": "gm-plot"})
        await company.settle()
        for one in company.outsiders.values():
            await one.http.get(company.table.path())
            await one.http.get(company.table.path("/log"))
        with Redis.from_url(server.store_url) as valkey:
            secret: Any = valkey.get(key(company.table.id, DICE))

        lanes = {
            name: keys_of_lane(company.table.id, secret, f"thing/roll/{name}") for name in ("lot", "fate", "gm-plot")
        }
        expected = {"lot": [0, 1], "fate": [0], "gm-plot": [1]}
        for one in company.outsiders.values():
            assert {name: found(keys, bytes(one.tap.bytes)) for name, keys in lanes.items()} == expected
            assert secret not in one.tap.bytes
