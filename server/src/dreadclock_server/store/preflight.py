"""Preflight checks of a Redis or Valkey server, before it is used as a store.

If the server cannot be used, the message of the exception tells the operator why, and what to do.
"""

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial

from redis.exceptions import AuthenticationError, BusyLoadingError, InvalidResponse, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError

from dreadclock_server.store.base import Batch, IndexRow, Store, StoreError, StoreUnavailable, Trouble
from dreadclock_server.store.connections import RedisClient, make_client, redacted
from dreadclock_server.store.keys import REHEARSAL, channel
from dreadclock_server.store.retries import OUTCOME_UNKNOWN
from dreadclock_server.store.valkey import DEADLINE_S, ValkeyStore

_LOADING_S = 60.0
_LOADING_PAUSE_S = 0.1

# A setting, its required value, and what goes wrong with another value.
_DURABLE = (
    ("appendonly", "yes", "acknowledged events would be lost when it stops"),
    ("appendfsync", "always", "acknowledged events could be lost in a crash"),
    ("no-appendfsync-on-rewrite", "no", "acknowledged events could be lost in a crash"),
    ("maxmemory-policy", "noeviction", "acknowledged events could be evicted"),
)


class StoreUnfit(Exception):
    """The server cannot be used as a store. The message is a sentence for the operator."""


class StoreSilent(StoreUnfit):
    """The server does not answer, or takes no writes, at the moment. A later try may succeed."""


async def connect(
    url: str,
    *,
    durability: str = "fsync",
    trust_store_durability: bool = False,
    rehearse: bool = True,
    deadline_s: float = DEADLINE_S,
) -> ValkeyStore:
    """Check the server at a redis://, rediss:// or unix:// address, and return a store over it.

    `durability`: `fsync` demands settings under which an answered write is on the server's disk,
    `memory` demands none. `trust_store_durability`: accept settings that cannot be read.
    `rehearse`: try all operations on a test room, which writes to the store.
    `deadline_s`: how long a call is retried before it raises StoreUnavailable.

    Raises StoreUnfit, or its subclass StoreSilent, with a sentence for the operator.
    """
    try:
        client = make_client(url)
    except (ValueError, TypeError, RedisError) as error:
        raise StoreUnfit(f"{redacted(url)} is not a usable store address: {error}.") from error
    store = ValkeyStore(client, durability=durability, deadline_s=deadline_s)
    if durability == "fsync":
        store.check = partial(_check_settings, client, url, trusted=trust_store_durability)
    try:
        await _check_answers(client, url)
        await store.check()
        if rehearse:
            await play_rehearsal(store, client, url)
    except BaseException:
        await store.aclose()
        raise
    return store


async def _check_answers(client: RedisClient, url: str) -> None:
    """Wait for an answer, up to _LOADING_S while the server loads its data.

    Raises StoreUnfit if the password is wrong or no such server answers, and StoreSilent if a later try may succeed.
    """
    address = redacted(url)
    try:
        async with asyncio.timeout(_LOADING_S):
            await _first_answer(client)
    except TimeoutError as error:
        raise StoreSilent(f"The store at {address} is still loading its data: start again later.") from error
    except (*OUTCOME_UNKNOWN, ResponseError) as error:
        is_for_good = _is_due_to(AuthenticationError, error) or _is_due_to(InvalidResponse, error)
        raise (StoreUnfit if is_for_good else StoreSilent)(_why_silent(address, error)) from error


async def _first_answer(client: RedisClient) -> None:
    while True:
        try:
            await client.execute_command("PING")
            return
        except RedisConnectionError as error:
            if not _is_due_to(BusyLoadingError, error):
                raise
        await asyncio.sleep(_LOADING_PAUSE_S)


def _why_silent(address: str, error: Exception) -> str:
    if _is_due_to(AuthenticationError, error):
        return f"The store at {address} refuses the user name or password: put the right ones into its address."
    if _is_due_to(InvalidResponse, error):
        return f"What answers at {address} is not a Redis or Valkey server."
    return f"The store at {address} cannot be reached: {error}"


def _is_due_to(kind: type[Exception], error: BaseException | None) -> bool:
    return error is not None and (isinstance(error, kind) or _is_due_to(kind, error.__cause__))


async def _check_settings(client: RedisClient, url: str, *, trusted: bool = False) -> None:
    """Check the settings by which an answered write is on the server's disk, and is not evicted later.

    `trusted`: accept settings that cannot be read. Raises StoreUnfit if a setting is wrong or cannot be read, and
    StoreSilent if the server does not answer.
    """
    address = redacted(url)
    weak = list[tuple[str, str, str, str]]()  # setting, its value, the required value, and what could go wrong
    for name, wanted, harm in _DURABLE:
        try:
            setting = (await client.execute_command("CONFIG GET", name)).get(name)
        except ResponseError as error:
            if trusted:
                break
            raise StoreUnfit(
                f"The store at {address} does not let its settings be read: if you know that it has "
                "`appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`, "
                "start with --trust-store-durability."
            ) from error
        except OUTCOME_UNKNOWN as error:
            raise StoreSilent(_why_silent(address, error)) from error
        if setting not in (wanted, None):
            weak.append((name, setting, wanted, harm))
    if weak:
        raise StoreUnfit(_why_weak(address, weak))


def _why_weak(address: str, weak: Sequence[tuple[str, str, str, str]]) -> str:
    has = " and ".join(f"`{name} {setting}`" for name, setting, _, _ in weak)
    harms = ", and ".join(dict.fromkeys(harm for _, _, _, harm in weak))
    wanted = " and ".join(f"`{name} {wanted}`" for name, _, wanted, _ in weak)
    return (
        f"The store at {address} has {has}, so {harms}: "
        f"put {wanted} into its configuration file, or start with --durability memory."
    )


async def play_rehearsal(store: Store, client: RedisClient, url: str) -> None:
    """Try the operations on a test room, so that a missing permission or command is noticed at the start.

    A server whose memory is full is accepted, because its rooms can still be read. Raises StoreUnfit or StoreSilent.
    """
    room = REHEARSAL + secrets.token_hex(8)
    try:
        await _play(store, room)
        await _hear_and_say(client, room)
    except (StoreError, *OUTCOME_UNKNOWN, ResponseError) as error:
        if isinstance(error, StoreUnavailable) and error.trouble is Trouble.MEMORY_FULL:
            return
        raise _why_unfit(redacted(url), error) from error


def _why_unfit(address: str, error: Exception) -> StoreUnfit:
    if not _is_due_to(ResponseError, error):
        return StoreSilent(_why_silent(address, error))
    return (StoreUnfit if isinstance(error, ResponseError) else StoreSilent)(
        f"The store at {address} cannot do what is needed (Redis 6.2 or newer, or Valkey, "
        f"not a replica, all commands on dreadclock:*): {error}"
    )


async def _hear_and_say(client: RedisClient, room: str) -> None:
    connection = client.connection_pool.make_connection()
    try:
        await connection.connect()
        await connection.send_command("SUBSCRIBE", channel(room))
        await connection.read_response()
        await client.execute_command("PUBLISH", channel(room), b"")
    finally:
        await connection.disconnect(nowait=True)


async def _play(store: Store, room: str) -> None:
    tokens = {"0": "{}"}
    opening = Batch("opening", b"1", [IndexRow(1, "public", 1, "1-1")])
    position = await store.open_room(
        room, log_id="rehearsal", session_key=b"", dice_secret=b"", tokens=tokens, batch=opening
    )
    position = await store.append(room, position, Batch("second", b"2", [IndexRow(2, "public", 2, "1-1")]))
    await store.read(room, 0)
    await store.add_to_index(room, 0, 2, [])
    await store.add_to_index(room, 2, 2, [])
    await store.read_channel(room, "public", 0, 2)
    await store.save_snapshot(room, position, b"")
    await store.load_snapshot(room)
    await store.touch_tokens(room, {"0": 1})
    await store.token_uses(room)
    await store.put_token(room, "1", "{}", 2)
    await store.delete_token(room, "1")
    await store.set_here(room, "node", {"seat": 1}, 0)
    await store.set_here(room, "other node", {}, 60_001)
    await store.delete_room(room)
    await store.in_play.reserve(room, {}, 1, plays_ms=0, for_ms=0, now_ms=0)
    await store.in_play.end(room, 60_001)
