"""Run a server until a signal stops it."""

import asyncio
import errno
import importlib.util
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version

import structlog
from starlette.types import ASGIApp

from dreadclock.cli.installed import start_command
from dreadclock.wire.base import Model
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.events import EVENT
from dreadclock.wire.frames import CLIENT_FRAME, SERVER_FRAME
from dreadclock_server import garbage_collection
from dreadclock_server.app import Application, create_app
from dreadclock_server.gateway.limits.caps import Caps
from dreadclock_server.gateway.uvicorn.graceful_shutdown import GracefulServer, ShutdownPlan
from dreadclock_server.gateway.uvicorn.http_protocol import ServerConfig
from dreadclock_server.lan import links_key
from dreadclock_server.privacy import warn_of_others
from dreadclock_server.settings.table import Settings
from dreadclock_server.settings.values import BadSetting
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import StoreSilent, StoreUnfit, connect
from dreadclock_server.store.valkey import ValkeyStore

if sys.platform != "win32":
    import resource

MIB = 1024 * 1024
BACKLOG = 2048
SILENT_MS = 20_000  # the kernel ends a connection if sent bytes are not acknowledged for this long
MOST_NOT_SENT = 1 << 16  # unsent bytes in the kernel's buffer; its default of 4 MiB would hide slow readers
CHECK_STORE_EVERY_S = 5.0
OTHER_FILES = 64  # open files in addition to connections, such as those of the store and the log
_ANOTHER_SERVER = (
    "Perhaps a server runs there already: then use that one, or stop it. To run another one beside it, give it a port "
    f"and a data folder of its own: {start_command('--port 7718 --data second-data')}"
)
_log = structlog.get_logger()


class CannotServe(Exception):
    """The server cannot run with these settings. The message is a sentence for the operator."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Bind the server's address, and return the socket. Raises CannotServe if the address cannot be bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is given, because asyncio sets TCP_NODELAY only for a socket with protocol TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":  # accepted connections inherit these options
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MOST_NOT_SENT)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        is_taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        hint = f" {_ANOTHER_SERVER}" if is_taken else ""
        raise CannotServe(f"Cannot listen on {host} port {port}: {why}.{hint}") from error
    return listener


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[ValkeyStore]:
    """Connect to the store that the settings name. Without a name, start the embedded Valkey."""
    if settings.store is None:
        async with Embedded(
            settings.data_folder,
            durability=settings.durability,
            reserve_bytes=settings.disk_reserve_mib * MIB,
            memory_bytes=settings.store_memory_mib and settings.store_memory_mib * MIB,
        ) as embedded:
            store = await connect(embedded.url, durability=settings.durability, rehearse=embedded.space.takes_writes)
            store.is_disk_full = lambda: embedded.space.is_full
            yield store
            await store.aclose()
    else:
        store = await connect(
            settings.store, durability=settings.durability, trust_store_durability=settings.trust_store_durability
        )
        yield store
        await store.aclose()


def build_validators() -> None:
    """Build the validators of all messages. Without this, pydantic builds a validator on its first use.

    The first command would then block the event loop for 30 to 80 ms. The validators also take 43,000 blocks of memory.
    If these blocks were added later, `garbage_collection` would run no full collection while there are live rooms.
    """
    models: list[type[Model]] = [Model]
    for model in models:
        model.model_rebuild()
        models += model.__subclasses__()
    for adapter in (COMMAND, EVENT, CLIENT_FRAME, SERVER_FRAME):
        adapter.rebuild()


def run(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine to its end, on uvloop if that is installed."""
    build_validators()
    garbage_collection.configure()
    factory = None
    if importlib.util.find_spec("uvloop") is not None:
        factory = import_module("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(work)


async def serve(settings: Settings, on_ready: Callable[[Application], Awaitable[None]]) -> None:
    """Serve until a signal stops the server. `on_ready` is awaited once the server accepts connections.

    Raises BadSetting, CannotServe, EmbeddedFailed, StoreSilent or StoreUnfit if the server cannot run.
    """
    _check_who_can_reach(settings)
    listener = listening_socket(settings.host, settings.port)
    warn_of_others(settings.data_folder)
    with listener:
        async with open_store(settings) as store:
            app = create_app(store, settings, links_key(settings))
            config = config_for(app.asgi, settings)
            app.metrics.counted_in.append(config.connection_limiter)
            plan = ShutdownPlan(app.health, app.hubs, settings.drain_notice_s, settings.drain_s)
            server = GracefulServer(config, plan, partial(_tell_ready, app, settings, on_ready))
            watching = asyncio.create_task(_end_if_unfit(store, server))
            async with garbage_collection.collecting(app.metrics.gc_pauses_s, lambda: not app.rooms.live):
                await server.serve(sockets=[listener])
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching


async def _tell_ready(app: Application, settings: Settings, on_ready: Callable[[Application], Awaitable[None]]) -> None:
    _log.info("serving", **_where(settings), version=version("dreadclock-server"), pid=os.getpid())
    await on_ready(app)


def _where(settings: Settings) -> dict[str, str | int]:
    """Return the server's address and the place of its rooms, for the log.

    Omits the address of an external store, which may contain a password.
    """
    data = {"data": str(settings.data_folder.absolute())} if settings.store is None else {}
    return {"host": settings.host, "port": settings.port, **data}


def _check_who_can_reach(settings: Settings) -> None:
    """Raise BadSetting if strangers could open rooms, or if no other machine could connect."""
    if settings.is_for_others and settings.operator_key is None:
        raise BadSetting(
            "Others are to reach this server, and without a key any of them could open rooms: "
            "set DREADCLOCK_OPERATOR_KEY (or --operator-key), which opening rooms then needs."
        )
    if not settings.is_reachable_by_name:
        raise BadSetting(
            f"Nobody elsewhere could connect to {settings.host}: "
            "set DREADCLOCK_ALLOWED_HOSTS (or --allowed-hosts) to the names this server goes by, separated by commas."
        )


async def _end_if_unfit(store: ValkeyStore, server: GracefulServer) -> None:
    """Check the store's durability regularly.

    Stop the server and raise StoreUnfit if the store is no longer as durable as the settings promise.
    """
    while True:
        await asyncio.sleep(CHECK_STORE_EVERY_S)
        try:
            await store.check()
        except StoreSilent:
            continue
        except StoreUnfit:
            server.should_exit = True
            raise


def config_for(app: ASGIApp, settings: Settings) -> ServerConfig:
    """Return uvicorn's configuration for an application."""
    return ServerConfig(
        app,
        within_files(settings.caps),
        settings.rates.requests,
        access_log=False,
        log_config=None,
        server_header=False,
        lifespan="on",
        forwarded_allow_ips=list(settings.trusted_proxies) or None,
    )


def within_files(caps: Caps) -> Caps:
    """Raise the limit of open files, and return the caps. If the limit stays too low, return lower caps."""
    if sys.platform == "win32":
        return caps
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = caps.in_all + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft < needed:
            _log.warning("fewer connections than the settings ask for", files=soft, connections=soft - OTHER_FILES)
            return replace(caps, in_all=max(1, soft - OTHER_FILES))
    return caps
