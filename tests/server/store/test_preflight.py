import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.connections import redacted
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import StoreUnfit, connect
from kit.stores import batch, open_room

# All that the store does, for an operator who grants no more.
NEEDED = (
    "+ping +eval +evalsha +exists +get +set +unlink +hget +hmget +hgetall +hset +hdel +hexists +hincrby "
    "+xadd +xrange +publish +subscribe +unsubscribe"
)


@contextlib.asynccontextmanager
async def setting(admin: Redis, name: str, value: str) -> AsyncIterator[None]:
    before = (await admin.config_get(name))[name] or ""
    await admin.config_set(name, value)
    try:
        yield
    finally:
        await admin.config_set(name, before)


@contextlib.asynccontextmanager
async def user(admin: Redis, *rules: str) -> AsyncIterator[None]:
    await admin.execute_command("ACL", "SETUSER", "guest", "reset", "on", ">pass word", *rules)
    try:
        yield
    finally:
        await admin.execute_command("ACL", "DELUSER", "guest")


def as_guest(url: str, password: str = "pass%20word") -> str:
    return url.replace("unix://", f"unix://guest:{password}@")


async def refusal(url: str, **options: bool | float) -> str:
    """Give the sentence with which a store is refused."""
    with pytest.raises(StoreUnfit) as unfit:
        await connect(url, **options)  # type: ignore[arg-type]
    sentence = str(unfit.value)
    assert "\n" not in sentence
    assert "pass" not in sentence.replace("password", "")
    return sentence


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("appendonly", "no", "put `appendonly yes` into its configuration file"),
        ("appendfsync", "everysec", "put `appendfsync always` into its configuration file"),
        ("no-appendfsync-on-rewrite", "yes", "put `no-appendfsync-on-rewrite no` into its configuration file"),
        ("maxmemory-policy", "allkeys-lru", "put `maxmemory-policy noeviction` into its configuration file"),
    ],
)
async def test_a_setting_that_could_lose_events_is_refused_unless_memory_is_all_that_is_asked(
    server: Embedded, admin: Redis, name: str, value: str, advice: str
):
    async with setting(admin, name, value):
        sentence = await refusal(server.url)
        store = await connect(server.url, durability="memory")

    assert f"`{name} {value}`" in sentence
    assert advice in sentence
    assert "--durability memory" in sentence
    assert store.durability == "memory"
    await store.aclose()


async def test_all_settings_that_could_lose_events_are_named_at_once(server: Embedded, admin: Redis):
    async with setting(admin, "appendfsync", "everysec"), setting(admin, "maxmemory-policy", "allkeys-lru"):
        sentence = await refusal(server.url)

    assert "has `appendfsync everysec` and `maxmemory-policy allkeys-lru`" in sentence
    assert "put `appendfsync always` and `maxmemory-policy noeviction` into its configuration file" in sentence


async def test_a_setting_that_is_read_and_wrong_is_refused_whoever_vouches_for_it(server: Embedded, admin: Redis):
    async with setting(admin, "appendonly", "no"):
        sentence = await refusal(server.url, trust_store_durability=True)

    assert "`appendonly no`" in sentence


async def test_settings_that_cannot_be_read_must_be_vouched_for(server: Embedded, admin: Redis):
    async with user(admin, "~*", "&*", "+@all", "-config"):
        sentence = await refusal(as_guest(server.url))
        store = await connect(as_guest(server.url), trust_store_durability=True)
        await store.aclose()

    assert "--trust-store-durability" in sentence
    assert store.durability == "fsync"


async def test_a_user_with_no_more_rights_than_needed_will_do(server: Embedded, admin: Redis, room: str):
    async with user(admin, "~dreadclock:*", "&dreadclock:*", *NEEDED.split()):
        store = await connect(as_guest(server.url), trust_store_durability=True)
        listener = store.listen(lambda _room, _payload: None, lambda: None)
        await open_room(store, room)
        await listener.start()
        await listener.watch(room)
        await listener.aclose()
        await store.aclose()


@pytest.mark.parametrize(("rights", "tells"), [("", False), ("+info", True)])
async def test_a_user_without_the_right_to_ask_for_the_memory_is_not_told_of_it_and_does_all_else(
    server: Embedded, admin: Redis, room: str, rights: str, tells: bool
):
    async with user(admin, "~dreadclock:*", "&dreadclock:*", *NEEDED.split(), *rights.split()):
        store = await connect(as_guest(server.url), trust_store_durability=True)
        position = await store.append(room, await open_room(store, room), batch("next"))
        await store.save_snapshot(room, position, b"blob")

        assert await store.load_snapshot(room) == (position, b"blob")
        assert (await store.memory() is not None) is tells
        await store.aclose()


def test_the_guide_grants_just_these_rights():
    guide = (Path(__file__).parents[3] / "docs/operations.md").read_text()

    assert f"~dreadclock:* resetchannels &dreadclock:* {NEEDED}\n" in guide


@pytest.mark.parametrize("missing", ["xadd", "evalsha", "hincrby", "publish", "subscribe"])
async def test_a_right_that_is_missing_shows_at_once(server: Embedded, admin: Redis, missing: str):
    async with user(admin, "~dreadclock:*", "&dreadclock:*", *NEEDED.split(), f"-{missing}"):
        sentence = await refusal(as_guest(server.url), trust_store_durability=True)

    assert "cannot do what is needed" in sentence
    assert missing in sentence or "t run this command" in sentence or "permission" in sentence


async def test_the_rehearsal_leaves_nothing_behind(server: Embedded, admin: Redis):
    await admin.flushdb()

    store = await connect(server.url)
    await store.aclose()

    assert await admin.dbsize() == 0


async def test_a_server_that_takes_no_writes_is_refused(server: Embedded, admin: Redis):
    async with setting(admin, "min-replicas-to-write", "1"):
        assert "NOREPLICAS" in await refusal(server.url)


async def test_a_wrong_password_is_named_and_not_shown(server: Embedded, admin: Redis):
    async with user(admin, "~*", "&*", "+@all"):
        sentence = await refusal(as_guest(server.url, "passable"))

    assert "refuses the user name or password" in sentence


async def test_a_server_that_wants_a_password_is_not_entered_without(server: Embedded, admin: Redis):
    await admin.execute_command("ACL", "SETUSER", "default", "resetpass", ">pass word")
    try:
        sentence = await refusal(server.url)
    finally:
        await admin.execute_command("ACL", "SETUSER", "default", "nopass")

    assert "refuses the user name or password" in sentence


async def test_nobody_at_an_address_is_said_so(tmp_path: Path):
    assert "cannot be reached" in await refusal(f"unix://{tmp_path}/nobody.sock")
    assert "cannot be reached" in await refusal("redis://guest:password@127.0.0.1:1/0")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1", "127.0.0.1:6379", "", "redis://127.0.0.1?socket_timeout=soon", "redis://h?no=such"]
)
async def test_an_address_that_makes_no_sense_is_said_so(url: str):
    assert "is not a usable store address" in await refusal(url)


async def test_another_kind_of_server_is_said_so(tmp_path: Path):
    async with strange_server(tmp_path / "sock", lambda writer: writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")):
        assert "is not a Redis or Valkey server" in await refusal(f"unix://{tmp_path}/sock")


async def test_a_server_that_never_answers_is_said_so(tmp_path: Path):
    async with strange_server(tmp_path / "sock", lambda _writer: None):
        assert "cannot be reached" in await refusal(f"unix://{tmp_path}/sock?socket_timeout=0.1")


async def test_a_server_that_falls_silent_is_not_said_to_be_of_the_wrong_kind(server: Embedded, admin: Redis):
    await admin.execute_command("CLIENT", "PAUSE", "60000", "WRITE")
    try:
        sentence = await refusal(f"{server.url}?socket_timeout=0.1", deadline_s=0.3)
    finally:
        await admin.execute_command("CLIENT", "UNPAUSE")

    assert "cannot be reached" in sentence
    assert "cannot do what is needed" not in sentence


async def test_a_server_that_still_loads_is_waited_for_and_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dreadclock_server.store.preflight._LOADING_S", 0.3)
    answer = b"-LOADING server is loading the dataset in memory\r\n"
    asked: list[None] = []

    def still_loading(writer: asyncio.StreamWriter) -> None:
        asked.append(None)
        writer.write(answer)

    async with strange_server(tmp_path / "sock", still_loading):
        assert "is still loading its data" in await refusal(f"unix://{tmp_path}/sock?lib_name=&lib_version=")

    assert len(asked) > 1


@contextlib.asynccontextmanager
async def strange_server(path: Path, answer: Callable[[asyncio.StreamWriter], None]) -> AsyncIterator[None]:
    """Serve at a unix socket something that answers every line in its own way."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while await reader.read(65536):
                answer(writer)
        writer.close()

    server = await asyncio.start_unix_server(serve, path)
    async with server:
        yield


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://user:secret@store.example:6379/2?ssl_ca_certs=x", "redis://store.example:6379/2"),
        ("rediss://:p@ss@store.example", "rediss://store.example"),
        ("unix://user:secret@/run/valkey.sock?db=1", "unix:///run/valkey.sock"),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str):
    assert redacted(url) == shown
