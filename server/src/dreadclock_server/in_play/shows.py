"""The demo rooms of this process. Each demo room plays a story, and is removed after a while without watchers."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from pydantic import ValidationError

from dreadclock.wire.base import Channel, Id, Role, RoomId, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.rest import InPlay, InPlayAct, InPlayState, Language
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import Done
from dreadclock_server.demo.lighthouse import STORY, tell, words
from dreadclock_server.demo.script import GM
from dreadclock_server.gateway.limits.caps import shares_of
from dreadclock_server.gateway.limits.rates import too_soon
from dreadclock_server.gateway.parsing import parse_command
from dreadclock_server.gateway.rest.room_calls import ask
from dreadclock_server.in_play.pace import Abandoned, Pace
from dreadclock_server.journal import LoggedFailures
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.rooms.registry import Rooms, new_room_id
from dreadclock_server.store.base import StoreError

UNWATCHED_FOR_S = 600.0  # after this time without watchers, any process may remove the demo room
KEPT_FOR_S = 3600.0  # the same for a room that a watcher took over, if it cannot become an ordinary room
LOOK_EVERY_S = 15.0  # how often one process looks for demo rooms whose story has stopped
PLAYS_FOR_S = 60.0  # how long a process's announcement that it plays a room is valid
SITE = 2  # an IPv6 network of 48 bits may have twice as many demo rooms as an address
ANSWERED_WITHIN_S = 1.5  # how long to wait for an answer of the process that plays a room
MOST_REFUSED = 8  # refused commands in a row that end the story: watchers have changed the room too much
FULL_MS = 60_000  # when a client may try again if there are too many demo rooms
SCOPES = (Scope.TURNS, Scope.COUNTDOWNS, Scope.ROLLS)  # the scopes of the story's integration
ASKED, ANSWERED = b"play? ", b"play! "
STOPPED = InPlayState(state=InPlay.STOPPED)
_log = structlog.get_logger()


class Show:
    """One demo room, and its story."""

    def __init__(self, rooms: Rooms, live: LiveRoom, seats: dict[str, Id], language: Language) -> None:
        """`seats`: the seats of the players and of the integration, by their names in the story."""
        self.pace = Pace(UNWATCHED_FOR_S, waits=self._stay)
        self.room_id, self.state = live.id, InPlay.PLAYING
        self._told: dict[str, Any] = {}  # fields of the state for watchers: the caption, and when to show it
        self._rooms, self._live, self._words = rooms, live, words(language)
        self._actors = {who: Actor(seat, Role.PLAYER) for who, seat in seats.items()}
        self._actors |= {GM: Actor(GM_SEAT, Role.GM), STORY: Actor(seats[STORY], Role.INTEGRATION, SCOPES)}
        self._refused = 0

    async def play(self) -> None:
        """Play the story, then wait until nobody has watched for UNWATCHED_FOR_S, and raise Abandoned.

        Raises Refused if the server refuses too many commands, and StoreError if the store fails.
        """
        await tell(self)
        self.state = InPlay.OVER
        self._tell("over")
        await self.pace.rest()

    def act(self, wish: InPlayAct) -> InPlayState:
        """Carry out a watcher's request, and return the state."""
        self.pace.watched()
        if wish in (InPlayAct.PAUSE, InPlayAct.GO_ON):
            self.pace.set(paused=wish is InPlayAct.PAUSE)
        elif wish in (InPlayAct.FASTER, InPlayAct.SLOWER):
            self.pace.set(fast=wish is InPlayAct.FASTER)
        elif wish is InPlayAct.NEXT:
            self.pace.set(skip=True)
        paused = self.state is InPlay.PLAYING and self.pace.is_paused
        state = InPlay.PAUSED if paused else self.state
        return InPlayState(state=state, fast=self.pace.is_fast, **self._told)

    # Methods for the story

    @property
    def view(self) -> View:
        """The gm's current view."""
        return self._live.room.view

    def text(self, key: str) -> str:
        """Return one of the story's texts."""
        return self._words[key]

    async def say(self, key: str, about: str | None = None) -> None:
        """Show a text to the watchers, and return after the time for reading it."""
        self._tell(key, about)
        await self.pace.read(self._words[key])

    def _tell(self, key: str, about: str | None = None) -> None:
        """Set the caption `key`. Pages show it once they have received all records that the room has now."""
        self._told = {"caption": self._words[key], "after": self._live.room.seq(Channel.PUBLIC), "about": about}

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Send a command for a seat. Return whether it was accepted.

        Raises Refused after MOST_REFUSED refused commands in a row.
        """
        fields = {key: self._actors[str(value)].seat_id if key == "owner" else value for key, value in fields.items()}
        self._live = await self._rooms.get(self.room_id)
        with suppress(Refused):
            command = parse_command(json.dumps({"type": kind, **fields}))
            if isinstance(await ask(self._live, self._actors[who], command), Done):
                self._refused = 0
                return True
        self._refused += 1
        if self._refused >= MOST_REFUSED:
            raise Refused(Code.UNSETTLED)
        return False

    def _stay(self) -> None:
        """Keep the room in memory. Otherwise this process would miss the requests that other processes forward."""
        self._live.last_used = time.monotonic()


class Shows:
    """All demo rooms of this process. Forwards requests about a demo room that another process plays."""

    def __init__(self, rooms: Rooms, most: int, *, keeps: bool) -> None:
        """`most`: how many demo rooms all processes may have at a time.

        `keeps`: whether a room that is taken over becomes an ordinary room. False if opening rooms needs a key:
        otherwise anybody could get an ordinary room.
        """
        self._rooms, self._keeps, self._most = rooms, keeps, most
        self._shows: dict[RoomId, Show] = {}
        self._tasks: dict[RoomId, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._asked: dict[str, asyncio.Future[InPlayState]] = {}
        rooms.on_play = self._heard

    def start(self) -> None:
        """Start to look for demo rooms whose story has stopped."""
        self._looking = asyncio.create_task(self._look_for_ever(), name="tables in play")

    @asynccontextmanager
    async def opening(self, host: str) -> AsyncIterator[RoomId]:
        """Reserve a place for a demo room, and yield the id of the new room. Raises Refused if there is no place.

        If the caller's block fails, the place is free again, and the room is deleted.
        """
        room_id = new_room_id()
        if not await self._rooms.store.in_play.reserve(
            room_id,
            shares_of(host, SITE),
            self._most,
            plays_ms=_ms(PLAYS_FOR_S),
            for_ms=_ms(UNWATCHED_FOR_S),
            now_ms=now_ms(),
        ):
            raise too_soon(FULL_MS)
        try:
            yield room_id
        except BaseException:
            with suppress(StoreError):  # the room stays until its time is over
                await self._rooms.end_in_play(room_id, at_once=True)
            raise

    def begin(self, live: LiveRoom, seats: dict[str, Id], language: Language) -> None:
        """Start the story in a new demo room."""
        show = self._shows[live.id] = Show(self._rooms, live, seats, language)
        self._tasks[live.id] = asyncio.create_task(self._play(show), name=f"in play {live.id}")

    async def act(self, live: LiveRoom, wish: InPlayAct) -> InPlayState:
        """Carry out a watcher's request, here or in the process that plays the room, and return the state."""
        state = await self._answered(live, wish)
        if state.state is InPlay.STOPPED:  # no story plays now: leave the room to its watchers
            await self._let_go(live.id)
            ends_at = None if self._keeps else await self._rooms.store.in_play.ends_at(live.id)
            return state.model_copy(update={"ends_at": ends_at})
        return state

    async def _answered(self, live: LiveRoom, wish: InPlayAct) -> InPlayState:
        if live.id in self._shows:
            return self._act(live.id, wish)
        if not any(seat.scopes == SCOPES for seat in live.room.view.seats.values()):
            return STOPPED  # this is no demo room, so no other process plays it
        number = secrets.token_hex(8)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._rooms.store.announce(live.id, ASKED + f"{number} {wish}".encode())
            return await asyncio.wait_for(answer, ANSWERED_WITHIN_S)
        except TimeoutError:
            if await self._rooms.store.in_play.is_playing(live.id, now_ms()):
                raise Refused(Code.UNAVAILABLE, why="The server that tells this story does not answer") from None
            return STOPPED
        finally:
            del self._asked[number]

    async def aclose(self) -> None:
        """Stop all stories. Their rooms stay until their time is over."""
        rooms = list(self._shows)
        tasks = [*self._tasks.values(), *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreError):  # otherwise, other processes notice when the announcement expires
            await self._rooms.store.in_play.playing(rooms, 0)

    def _act(self, room_id: RoomId, wish: InPlayAct) -> InPlayState:
        state = self._shows[room_id].act(wish)
        if wish is not InPlayAct.TAKE_OVER:
            return state
        self._stop(room_id)
        return STOPPED

    def _stop(self, room_id: RoomId) -> None:
        self._tasks[room_id].cancel()
        del self._shows[room_id], self._tasks[room_id]

    async def _let_go(self, room_id: RoomId) -> None:
        """Leave a room to its watchers. Unless `keeps` is set, the room stays a demo room for KEPT_FOR_S."""
        if self._keeps:
            await self._rooms.keep_demo(room_id)
        else:
            await self._rooms.store.in_play.mark_again(room_id, _ms(KEPT_FOR_S), now_ms())
            await self._rooms.store.in_play.playing([room_id], 0)

    async def _play(self, show: Show) -> None:
        """Play the story to its end, then remove the show from the lists, unless `_stop` has already done so."""
        room_id = show.room_id
        try:
            await self._ended(show)
        except StoreError as error:
            _log.warning("a demo room stopped", room=room_id, error=str(error))
        finally:
            if self._shows.get(room_id) is show:
                del self._shows[room_id], self._tasks[room_id]

    async def _ended(self, show: Show) -> None:
        """Play the story, then delete the room. After an error, leave the room to its watchers.

        Raises StoreError if the store fails. Then the room stays until a process finds that its time is over.
        """
        try:
            await show.play()
        except Abandoned:
            await self._rooms.end_in_play(show.room_id, at_once=True)
        except Refused as error:
            _log.warning("a demo room stopped", room=show.room_id, error=str(error))
            await self._let_go(show.room_id)
        except StoreError:
            raise
        except Exception:
            _log.exception("bug", where="in play", room=show.room_id)
            await self._let_go(show.room_id)

    async def _look_for_ever(self) -> None:
        while True:
            with LoggedFailures("ended demo rooms could not be looked for", where="tables in play"):
                await self._look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look(self) -> None:
        """Announce which demo rooms play here. Remove every demo room whose time is over, also of other processes."""
        store = self._rooms.store
        await store.in_play.playing(list(self._shows), now_ms() + _ms(PLAYS_FOR_S))
        for room_id in list(self._shows):
            await store.in_play.mark_again(room_id, _ms(UNWATCHED_FOR_S), now_ms())
        for room_id in await store.in_play.due(_ms(LOOK_EVERY_S / 2), now_ms()):
            if await self._rooms.end_in_play(room_id):
                _log.info("an ended demo room is removed", room=room_id)

    def _heard(self, live: LiveRoom, payload: bytes) -> None:
        """Answer another process's request about a demo room that plays here, or receive an answer to our own."""
        number, _, rest = payload[len(ASKED) :].decode(errors="replace").partition(" ")
        try:
            if payload.startswith(ASKED) and live.id in self._shows:
                state = self._act(live.id, InPlayAct(rest))
                self._rooms.store.announce(live.id, ANSWERED + f"{number} {state.model_dump_json()}".encode())
            elif payload.startswith(ANSWERED) and number in self._asked and not self._asked[number].done():
                self._asked[number].set_result(InPlayState.model_validate_json(rest))
        except (ValueError, ValidationError):
            _log.warning("an announcement about a demo room is malformed", room=live.id)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
