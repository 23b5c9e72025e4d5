"""The tables in play of this process: each tells its story, and is removed when nobody has watched for long."""

import asyncio
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import structlog
from pydantic import ValidationError

from dreadclock.wire.base import Id, Role, RoomId, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import InPlay, InPlayAct, InPlayState, Language
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import GM_SEAT
from dreadclock_server.core.sessions import Done
from dreadclock_server.gateway.parsing import parse_command
from dreadclock_server.gateway.rest.room_calls import ask
from dreadclock_server.in_play.pace import Abandoned, Pace
from dreadclock_server.in_play.story import GM, STORY, tell
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import RoomUnknown, StoreError

UNWATCHED_FOR_S = 600.0  # after which a table in play is removed
KEPT_FOR_S = 3600.0  # the same once it was taken over, where opening a room takes a key
ANSWERED_WITHIN_S = 1.5  # by the process that plays
MOST_REFUSED = 8  # commands in a row: then the room is no longer what the story is about
MOST_LEFT = 4  # times as many as play at once may lie about, taken over
SCOPES = (Scope.TURNS, Scope.COUNTDOWNS, Scope.ROLLS)  # of the integration
ASKED, ANSWERED = b"play? ", b"play! "
STOPPED = InPlayState(state=InPlay.STOPPED)
_log = structlog.get_logger()


@cache
def words(language: Language) -> dict[str, str]:
    """Return the story's texts in a language."""
    texts: dict[str, str] = json.loads((Path(__file__).parent / f"words.{language}.json").read_text("utf-8"))
    return texts


class Show:
    """One table in play."""

    def __init__(self, rooms: Rooms, live: LiveRoom, seats: dict[str, Id], language: Language) -> None:
        """`seats`: those of the players and of the integration, by who they are in the story."""
        self.pace = Pace(UNWATCHED_FOR_S, waits=self._stay)
        self.room_id, self.state, self.caption = live.id, InPlay.PLAYING, ""
        self._rooms, self._live, self._words = rooms, live, words(language)
        self._actors = {who: Actor(seat, Role.PLAYER) for who, seat in seats.items()}
        self._actors |= {GM: Actor(GM_SEAT, Role.GM), STORY: Actor(seats[STORY], Role.INTEGRATION, SCOPES)}
        self._refused = 0

    async def play(self) -> None:
        """Tell the story and wait until nobody watches any more. Raises Abandoned then."""
        await tell(self)
        self.state = InPlay.OVER
        self.caption = self._words["over"]
        await self.pace.rest()

    def act(self, wish: InPlayAct) -> InPlayState:
        """Do what a watcher wishes, and tell how things stand."""
        self.pace.watched()
        if wish in (InPlayAct.PAUSE, InPlayAct.GO_ON):
            self.pace.set(paused=wish is InPlayAct.PAUSE)
        elif wish in (InPlayAct.FASTER, InPlayAct.SLOWER):
            self.pace.set(fast=wish is InPlayAct.FASTER)
        elif wish is InPlayAct.NEXT:
            self.pace.set(skip=True)
        paused = self.state is InPlay.PLAYING and self.pace.is_paused
        return InPlayState(
            state=InPlay.PAUSED if paused else self.state, caption=self.caption or None, fast=self.pace.is_fast
        )

    # What the story asks for

    @property
    def view(self) -> View:
        """What the gm sees now."""
        return self._live.room.view

    def text(self, key: str) -> str:
        """Return one of the story's texts."""
        return self._words[key]

    async def say(self, key: str) -> None:
        """Tell what comes next, and return once it was read."""
        self.caption = self._words[key]
        await self.pace.read(self.caption)

    async def do(self, who: str, kind: str, /, **fields: object) -> bool:
        """Let somebody give a command. Raises Refused if the room takes none of the story's commands any more."""
        fields = {key: self._seat_of(value) if key == "owner" else value for key, value in fields.items()}
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
        """Keep the room in memory: what other processes ask is heard by those that have it there."""
        self._live.last_used = time.monotonic()

    def _seat_of(self, who: object) -> Id:
        return self._actors[str(who)].seat_id


class Shows:
    """All tables in play of this process, and the way to those of others."""

    def __init__(self, rooms: Rooms, most: int, *, keeps: bool) -> None:
        """`most`: so many play at a time. `keeps`: whether one that was taken over stays for ever."""
        self._rooms, self._most, self._keeps = rooms, most, keeps
        self._shows: dict[RoomId, Show] = {}
        self._opening = 0  # for which rooms are being made
        self._tasks: dict[RoomId, asyncio.Task[None]] = {}
        self._leaving: dict[RoomId, asyncio.Task[None]] = {}  # rooms that were taken over, and are not kept
        self._asked: dict[str, asyncio.Future[InPlayState]] = {}
        rooms.on_play = self._heard

    @property
    def is_full(self) -> bool:
        """Whether no more can play now."""
        return len(self._shows) + self._opening >= self._most or len(self._leaving) >= MOST_LEFT * self._most

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Hold a place for a table while its room is made."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    def begin(self, live: LiveRoom, seats: dict[str, Id], language: Language) -> None:
        """Begin to play at a table that was opened for it."""
        show = self._shows[live.id] = Show(self._rooms, live, seats, language)
        self._tasks[live.id] = asyncio.create_task(self._play(show), name=f"in play {live.id}")

    async def act(self, live: LiveRoom, wish: InPlayAct) -> InPlayState:
        """Do what a watcher wishes, here or in the process that plays there, and tell how things stand."""
        if live.id in self._shows:
            return self._act(live.id, wish)
        if not any(seat.scopes == SCOPES for seat in live.room.view.seats.values()):
            return STOPPED  # nothing ever played here: no other process need be asked
        number = secrets.token_hex(8)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._rooms.store.announce(live.id, ASKED + f"{number} {wish}".encode())
            return await asyncio.wait_for(answer, ANSWERED_WITHIN_S)
        except TimeoutError:
            return STOPPED
        finally:
            del self._asked[number]

    async def aclose(self) -> None:
        """Stop all stories; their rooms stay."""
        tasks = [*self._tasks.values(), *self._leaving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _act(self, room_id: RoomId, wish: InPlayAct) -> InPlayState:
        state = self._shows[room_id].act(wish)
        if wish is not InPlayAct.TAKE_OVER:
            return state
        self._tasks[room_id].cancel()
        del self._shows[room_id]
        self._let_go(room_id)
        return STOPPED

    def _let_go(self, room_id: RoomId) -> None:
        """Leave a room to whoever is there, for ever only where anyone may open rooms."""
        if not self._keeps:
            self._leave(room_id, KEPT_FOR_S)

    def _leave(self, room_id: RoomId, after_s: float) -> None:
        task = self._remove_unused(room_id, after_s)
        self._leaving[room_id] = asyncio.create_task(task, name=f"leaving {room_id}")

    async def _abandoned(self, room_id: RoomId) -> None:
        """Remove a room, or wait for those who are there without watching the story."""
        if self._is_empty(room_id):
            await self._remove(room_id)
        else:
            self._leave(room_id, UNWATCHED_FOR_S)

    def _is_empty(self, room_id: RoomId) -> bool:
        return room_id not in self._rooms.live or self._rooms.live[room_id].idle

    async def _play(self, show: Show) -> None:
        try:
            await show.play()
        except Abandoned:
            await self._abandoned(show.room_id)
        except (Refused, RoomUnknown, StoreError) as error:
            _log.warning("a table in play stopped", room=show.room_id, error=str(error))
            self._let_go(show.room_id)
        except Exception:
            _log.exception("bug", where="in play", room=show.room_id)
            self._let_go(show.room_id)
        finally:
            self._shows.pop(show.room_id, None)
            self._tasks.pop(show.room_id, None)

    async def _remove_unused(self, room_id: RoomId, after_s: float) -> None:
        """Remove a room once nobody has been there for long."""
        try:
            while True:
                await asyncio.sleep(after_s)
                if self._is_empty(room_id):
                    return await self._remove(room_id)
        finally:
            self._leaving.pop(room_id, None)

    async def _remove(self, room_id: RoomId) -> None:
        with suppress(StoreError):
            await self._rooms.delete(room_id)

    def _heard(self, live: LiveRoom, payload: bytes) -> None:
        """Answer what another process asks about a table that plays here, or take its answer."""
        number, _, rest = payload[len(ASKED) :].decode(errors="replace").partition(" ")
        try:
            if payload.startswith(ASKED) and live.id in self._shows:
                state = self._act(live.id, InPlayAct(rest))
                self._rooms.store.announce(live.id, ANSWERED + f"{number} {state.model_dump_json()}".encode())
            elif payload.startswith(ANSWERED) and number in self._asked and not self._asked[number].done():
                self._asked[number].set_result(InPlayState.model_validate_json(rest))
        except (ValueError, ValidationError):
            _log.warning("not understood what was announced of a table in play", room=live.id)
