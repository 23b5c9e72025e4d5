"""dddice: show a room's rolls as dddice's 3D dice, with the same faces."""

import asyncio
import json
import logging
from dataclasses import dataclass

from dreadclock.client.room import Room
from dreadclock.dice.rolled import rolled
from dreadclock.narration import Narrator
from dreadclock.wire.base import Faces
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.calls import Answer, Backoff, Caller, Stopped
from dreadclock_server.tools.relay.moments import Moments
from dreadclock_server.tools.relay.settings import DddiceSettings
from dreadclock_server.tools.relay.tasks import together

MOST_LABEL = 250  # characters of a label
_TOO_MANY = 429
_FOR_GOOD = {401: "its key is not valid", 403: "its key may not roll there", 404: "there is no such room"}
_log = logging.getLogger("dreadclock.relay")


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice to show. Retries have the same `id`."""

    id: str
    faces: Faces
    label: str


class Dddice:
    """Shows dice in one room of dddice."""

    def __init__(self, name: str, settings: DddiceSettings, key: str, narrator: Narrator) -> None:
        self._name, self._settings, self._narrator = name, settings, narrator
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Authorization": f"Bearer {key}",
        }
        self._caller = Caller(settings.timeout_s)
        self._time = asyncio.get_running_loop().time

    async def run(self, room: Room) -> None:
        """Show dice until the room is closed.

        Raises Stopped if dddice refuses all rolls, and ConnectionEnded when the room is closed.
        """
        moments = Moments(room, self._settings.channels, lambda *happened: self._thrown(room, *happened))
        try:
            await together(moments.listen(), self._show(moments))
        finally:
            await self._caller.close()

    def _thrown(self, room: Room, record: Record, after: View, before: View) -> Thrown | None:
        roll = rolled(record.event)
        if roll is None or not roll.faces:
            return None
        label = self._narrator.told(record, after, before)[:MOST_LABEL]
        return Thrown(f"{room.id}_{record.channel}_{record.seq}", tuple(roll.faces), label)

    async def _show(self, moments: Moments[Thrown]) -> None:
        while True:
            fresh_until, thrown = await moments.next()
            await self._throw(thrown, fresh_until)

    async def _throw(self, thrown: Thrown, fresh_until: float) -> None:
        """Show dice. Give up if the next try would be after `fresh_until`, in the event loop's time.

        Raises Stopped if dddice refuses the key, or knows no such room.
        """
        dice = [{"type": "d6", "theme": self._settings.theme, "value": face} for face in thrown.faces]
        fields = {"room": self._settings.room, "dice": dice, "label": thrown.label, "external_id": thrown.id}
        body, backoff = json.dumps(fields, ensure_ascii=False).encode(), Backoff(longest_s=10.0)
        while True:
            answer = await self._caller.send("POST", f"{self._settings.base}/roll", body, self._headers)
            if answer.is_success:
                return
            if answer.status in _FOR_GOOD:
                raise Stopped(f"dddice answered {answer.status}: {_FOR_GOOD[answer.status]}")
            wait_s = _wait_s(answer, backoff)
            if wait_s is None or self._time() + wait_s > fresh_until:
                _log.warning("%s: the dice of %s were not shown: %s", self._name, thrown.id, answer.said)
                await asyncio.sleep(min(wait_s or 0.0, 60.0))
                return
            await asyncio.sleep(wait_s)


def _wait_s(answer: Answer, backoff: Backoff) -> float | None:
    """Return the delay before a retry; None if a retry would be refused again."""
    if answer.status == _TOO_MANY:
        told_s = answer.seconds("Retry-After")
        return told_s if told_s is not None else backoff.next_s()
    return backoff.next_s() if answer.status == 0 or answer.status >= 500 else None
