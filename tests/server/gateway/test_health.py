"""Whether a server can serve now: heard from its store again and again, and noticed when that falls silent."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from dreadclock_server.gateway.health import Health
from dreadclock_server.store.base import Memory, Store
from dreadclock_server.store.preflight import connect
from kit.histograms import observed
from kit.raw import RawClient
from kit.rooms import Table, http_client, open_table
from kit.server import Server
from kit.waiting import until

MIB = 1024 * 1024


class Holding:
    """A store that answers pings only while it is let."""

    def __init__(self, store: Store) -> None:
        self.lets = asyncio.Event()
        self.lets.set()
        self._store = store
        self.says: Memory | None = None  # of its memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def ping(self) -> None:
        """Answer, or wait until it may be answered."""
        await self.lets.wait()
        await self._store.ping()

    async def memory(self) -> Memory | None:
        """Say what it is told to say."""
        return self.says


@pytest.fixture
async def holding(server: Server) -> AsyncIterator[Holding]:
    store = await connect(server.store_url)
    yield Holding(store)
    await store.aclose()


@asynccontextmanager
async def felt(holding: Holding) -> AsyncIterator[Health]:
    """Measure health often, for as long as the block lasts."""
    health = Health(cast(Store, holding), every_s=0.01, patience_s=0.3, memory_every_s=0.001)
    await health.start()
    try:
        yield health
    finally:
        await health.aclose()


async def test_a_store_that_gives_no_answer_is_noticed_before_its_deadline_and_so_is_its_return(holding: Holding):
    async with felt(holding) as health:
        await until(lambda: health.objection is None)
        holding.lets.clear()
        await until(lambda: health.objection is not None)
        counted = observed(health.round_trip_s)[0]
        holding.lets.set()
        await until(lambda: health.objection is None)
        await until(lambda: observed(health.round_trip_s)[0] > counted)


async def test_a_server_that_has_never_heard_from_its_store_is_not_ready(holding: Holding):
    holding.lets.clear()
    async with felt(holding) as health:
        assert health.objection is not None
        holding.lets.set()
        await until(lambda: health.objection is None)


async def test_who_is_about_to_end_says_so_before_anything_else(holding: Holding):
    async with felt(holding) as health:
        health.is_leaving = True
        assert health.objection == "this server is shutting down"


async def test_a_loop_that_is_held_up_shows_in_its_lag(holding: Holding):
    async with felt(holding) as health:
        before = observed(health.lag_s)[1]
        time.sleep(0.2)  # noqa: ASYNC251
        await until(lambda: observed(health.lag_s)[1] > before + 0.15)


async def test_a_memory_that_is_nearly_full_is_warned_of_once_for_each_time_it_gets_there(holding: Holding):
    with capture_logs() as log:
        async with felt(holding) as health:
            for used in (10, 79, 80, 79, 85, 71, 80, 69, 75, 80):
                holding.says = Memory(used * MIB, 100 * MIB)
                await until(lambda: health.memory == holding.says)

    told = [(each["event"], each.get("used_mib")) for each in log]
    nearly, again = "the memory of the store is nearly full", "there is room in the memory of the store again"
    assert told == [(nearly, 80), (again, None), (nearly, 80)]


async def test_a_memory_without_a_limit_or_that_is_kept_secret_is_not_warned_of(holding: Holding):
    with capture_logs() as log:
        async with felt(holding) as health:
            for says in (Memory(MIB, 0), None):
                holding.says = says
                await until(lambda: health.memory == holding.says)

    assert log == []


# Figures for Prometheus: right, well-formed, without secrets, and for the operator alone


OPERATIONS = Path(__file__).parents[3] / "docs/operations.md"
ROLL = {"type": "roll_dice", "pool": 1}
UNITS = ("_seconds", "_bytes", "_frames", "_commands")


async def families_of(server: Server, token: str | None = None) -> dict[str, Metric]:
    """Read the figures with the official parser."""
    async with http_client(server, token) as http:
        answer = await http.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {family.name: family for family in text_string_to_metric_families(answer.text)}


async def figures_of(server: Server) -> dict[str, float]:
    """Give each sample's value, by its name and labels."""
    return dict(_named(await families_of(server)))


def _named(families: dict[str, Metric]) -> Iterable[tuple[str, float]]:
    for family in families.values():
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            yield (f"{sample.name}{{{labels}}}" if labels else sample.name), sample.value


async def test_figures_follow_what_happens(table: Table):
    before = await figures_of(table.server)

    def grown(after: dict[str, float]) -> dict[str, float]:
        names = {name for name in after if name.startswith("dreadclock_")}
        return {name: after[name] - before.get(name, 0) for name in names if after[name] != before.get(name, 0)}

    async with table.connected("ann") as ann, table.connected("eve") as eve:
        assert (await ann.do(ROLL))["type"] == "ack"
        assert (await ann.do({"type": "roll_countdown", "countdown_id": "none"}))["code"] == "unknown"
        assert (await ann.do({"type": "no such"}))["code"] == "bad_command"
        assert (await ann.do(ROLL, n=9))["code"] == "out_of_order"
        await eve.expect("events")
        async with table.connected("eve", positions=eve.positions()):
            found = grown(await figures_of(table.server))
    assert found["dreadclock_connections{role=player}"] == 1
    assert found["dreadclock_connections{role=spectator}"] == 2
    assert found["dreadclock_connections_opened_total"] == 3
    assert found["dreadclock_resumes_total{outcome=exact}"] == 1
    assert found["dreadclock_commands_total{type=roll_dice}"] == 1
    assert found["dreadclock_commands_total{type=roll_countdown}"] == 1
    assert found["dreadclock_commands_total{type=unreadable}"] == 1
    assert found["dreadclock_refusals_total{code=unknown}"] == 1
    assert found["dreadclock_refusals_total{code=bad_command}"] == 1
    assert found["dreadclock_refusals_total{code=out_of_order}"] == 1
    assert found["dreadclock_append_seconds_count"] >= 1
    assert 0 < found["dreadclock_append_seconds_sum"] < 10
    assert found["dreadclock_batch_commands_sum"] == 3
    assert found["dreadclock_sent_bytes_total"] > found["dreadclock_sent_frames_total"] * 10 > 0

    async def is_told_of_the_end() -> bool:
        ended = grown(await figures_of(table.server)).get("dreadclock_connections_ended_total{reason=lost}")
        return ended == 3

    await until(is_told_of_the_end)


@pytest.mark.parametrize("reason", ["revoked", "bad_frame"])
async def test_a_close_is_counted_by_its_reason(table: Table, reason: str):
    name = f"dreadclock_connections_ended_total{{reason={reason}}}"
    before = (await figures_of(table.server))[name]
    async with table.connected("ann") as ann, table.connected("gm") as gm:
        if reason == "revoked":
            await gm.do({"type": "remove_seat", "seat_id": table.seat("ann")})
        else:
            await ann.send("no frame")
        assert (await ann.ended())[0] in (4500, 4502)

    async def is_counted() -> bool:
        return (await figures_of(table.server))[name] == before + 1

    await until(is_counted)


async def test_a_cap_that_is_reached_is_counted(table: Table):
    before = (await figures_of(table.server)).get("dreadclock_caps_reached_total{cap=per_seat}", 0.0)
    async with table.connected("ann") as ann:
        await _fill_seat(table, ann)
        figures = await figures_of(table.server)
    assert figures["dreadclock_caps_reached_total{cap=per_seat}"] == before + 1


async def _fill_seat(table: Table, one: RawClient) -> None:
    """Open as many connections of ann's seat as there may be, and one more."""
    async with AsyncExitStack() as stack:
        for _ in range(15):
            await stack.enter_async_context(table.connected("ann"))
        more = await stack.enter_async_context(table.unwelcomed())
        await more.send({"type": "hello", "v": 1, "token": table.token("ann")})
        assert (await more.ended())[0] == 4002


async def test_figures_are_well_formed(table: Table):
    families = await families_of(table.server)
    for name, family in families.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name), name
        assert family.documentation, name
        assert family.type in {"counter", "gauge", "histogram"}, name
        if name.startswith("dreadclock_") and family.type == "counter":
            assert all(sample.name.endswith("_total") for sample in family.samples), name
        if family.type == "histogram":
            assert name.endswith(UNITS), name
            assert_is_histogram(family)


SECONDS = "0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1.0 2.5 5.0 10.0 +Inf"
BOUNDS = {
    "append_seconds": SECONDS,
    "batch_commands": "1 2 4 8 16 32 64 128 256 +Inf",
    "gc_pause_seconds": "0.0005 0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1.0 2.0 +Inf",
    "loop_lag_seconds": SECONDS,
    "store_round_trip_seconds": SECONDS,
}
COUNTERS = {
    "caps_reached",
    "commands",
    "conflicts",
    "connections_ended",
    "connections_opened",
    "refusals",
    "repeats",
    "resumes",
    "sent_bytes",
    "sent_frames",
}


async def test_types_and_bounds_are_those_that_dashboards_and_alerts_name(server: Server):
    families = (await families_of(server)).values()
    ours = [family for family in families if family.name.startswith("dreadclock_")]

    assert {family.name.removeprefix("dreadclock_") for family in ours if family.type == "counter"} == COUNTERS
    assert {family.name.removeprefix("dreadclock_"): _bounds(family) for family in ours if _bounds(family)} == BOUNDS


def _bounds(family: Metric) -> str:
    return " ".join(sample.labels["le"] for sample in family.samples if sample.name.endswith("_bucket"))


def assert_is_histogram(family: Metric) -> None:
    """See that buckets grow, end at infinity, and agree with the count."""
    buckets = [sample for sample in family.samples if sample.name.endswith("_bucket")]
    counts = [sample.value for sample in buckets]
    (count,) = [sample.value for sample in family.samples if sample.name.endswith("_count")]
    assert [sample.labels["le"] for sample in buckets][-1] == "+Inf"
    assert counts == sorted(counts)
    assert counts[-1] == count


async def test_every_figure_is_documented_with_its_labels_and_nothing_else_is(server: Server):
    shown = {
        (f"{name}_total" if family.type == "counter" else name, *sorted(_labels(family)))
        for name, family in (await families_of(server)).items()
        if name.startswith("dreadclock_")
    }
    rows = re.findall(r"^\| `(dreadclock_\w+)(?:\{(.*?)\})?` \|", OPERATIONS.read_text(), re.MULTILINE)
    assert {(name, *sorted(filter(None, labels.split(", ")))) for name, labels in rows} == shown


def _labels(family: Metric) -> set[str]:
    return {name for sample in family.samples for name in sample.labels if name != "le"}


async def test_no_label_names_anything_that_somebody_chose_or_holds(table: Table):
    await table.invite("zazie", "player")  # no command and no code is called anything like it
    async with table.connected("gm") as gm:
        await gm.do({"type": "start_countdown", "id": "gm-canary", "name": "Canary", "pool": 3, "visibility": "gm"})
        await gm.do({"type": "roll_countdown", "countdown_id": "gm-canary"})
        async with http_client(table.server) as http:
            text = (await http.get("/metrics")).text
    secrets = [table.id, table.title, "canary", "Zazie", *(grant["token"] for grant in table.grants.values())]
    assert [secret for secret in secrets if secret.lower() in text.lower()] == []
    families = text_string_to_metric_families(text)
    labels = {name for family in families for sample in family.samples for name in sample.labels}
    allowed = {
        "role",
        "type",
        "code",
        "reason",
        "what",
        "outcome",
        "cap",
        "le",
        "version",
        "python",
        "durability",
        "generation",
    }
    assert labels <= allowed


@pytest.mark.parametrize("bearer", [None, "wrong"])
async def test_where_there_is_a_key_figures_are_not_for_others(second: Server, bearer: str | None):
    async with http_client(second, bearer) as http:
        answer = await http.get("/metrics")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "dreadclock_" not in answer.text


async def test_the_operators_key_opens_the_figures(second: Server, operator_key: str):
    families = await families_of(second, operator_key)
    assert families["dreadclock_ready"].samples[0].value == 1


async def test_a_key_of_its_own_opens_the_figures_and_no_room(second: Server, metrics_key: str):
    assert "dreadclock_ready" in await families_of(second, metrics_key)
    async with http_client(second, metrics_key) as http:
        assert (await http.post("/api/rooms", json={"title": "A room"})).status_code == 401


async def test_without_a_key_figures_are_for_this_machine_alone(server: Server):
    async with http_client(server) as http:
        answer = await http.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"})
        assert answer.status_code == 401
        assert answer.text == "The figures are for this machine alone until DREADCLOCK_METRICS_KEY is set.\n"
        answer = await http.get("/metrics", headers={"X-Forwarded-For": "no address"})
        assert answer.status_code == 401


async def test_two_servers_count_for_themselves(server: Server, second: Server, operator_key: str):
    table = await open_table(server)
    before = await figures_of(server)
    elsewhere = dict(_named(await families_of(second, operator_key)))
    async with table.connected("ann") as ann:
        await ann.do(ROLL)
    name = "dreadclock_commands_total{type=roll_dice}"
    assert (await figures_of(server))[name] == before.get(name, 0) + 1
    assert dict(_named(await families_of(second, operator_key))).get(name) == elsewhere.get(name)
