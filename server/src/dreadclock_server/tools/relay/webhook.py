"""Standard Webhooks 1.0.0: signed events, in order, with retries.

An event is written to the disk before it is sent, and deleted after the receiver has accepted it. So even if the relay
is killed, the receiver gets every event at least once. Duplicates have the same id.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from dreadclock.narration import Narrator
from dreadclock.wire.base import RoomId
from dreadclock.wire.records import Record, canonical
from dreadclock_server.tools.relay.calls import LONGEST_WAIT_S, Answer, Caller, Stopped
from dreadclock_server.tools.relay.feed import Feed, PastChanged, Step
from dreadclock_server.tools.relay.kept import Keeper, Pending
from dreadclock_server.tools.relay.settings import BadSettings, WebhookSettings

WINDOW = 32  # how many events are read from the log at once
MOST_BYTES = 20_000  # bytes of a body
MOST_TOLD = 1000  # if a record is too large, only this many characters of its sentence are sent
SHORTEST_KEY, LONGEST_KEY = 24, 64  # bytes of a key
_LEAST_JITTER, _MOST_JITTER = 0.9, 1.1
_GONE = 410
_PREFIX = "whsec_"
_log = logging.getLogger("dreadclock.relay")


def key_of(secret: str) -> bytes:
    """Decode a secret. Raises BadSettings if it is malformed. The error does not show the secret."""
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except ValueError:  # includes binascii.Error; also raised for non-ASCII texts
        key = b""
    if not secret.startswith(_PREFIX) or not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise BadSettings(f"a webhook's secret is {_PREFIX} and base64 of {SHORTEST_KEY} to {LONGEST_KEY} bytes")
    return key


def signed(keys: Sequence[bytes], webhook_id: str, timestamp: int, body: str) -> dict[str, str]:
    """Return the headers of a delivery."""
    content = f"{webhook_id}.{timestamp}.{body}".encode()
    macs = (base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode() for key in keys)
    return {
        "Content-Type": "application/json",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{mac}" for mac in macs),
    }


class Webhook:
    """Sends the room's events to a receiver."""

    def __init__(
        self, name: str, settings: WebhookSettings, url: str, keys: Sequence[bytes], narrator: Narrator, keeper: Keeper
    ) -> None:
        self._name, self._settings, self._url, self._keys = name, settings, url, keys
        self._narrator, self._keeper = narrator, keeper
        self._caller = Caller(settings.timeout_s)

    async def run(self, feed: Feed) -> None:
        """Send events until the room is closed and all are delivered.

        Raises Stopped if the receiver wants no more events or all tries failed, and ConnectionEnded when the room is
        closed.
        """
        try:
            await feed.resume(self._keeper, self._restart, from_beginning=self._settings.from_beginning)
            while True:
                while self._keeper.kept.pending:
                    await self._deliver(self._keeper.kept.pending[0])
                try:
                    await self._take(await feed.read(WINDOW))
                except PastChanged as changed:
                    await self._restart(feed, changed)
        finally:
            await self._caller.close()

    async def _take(self, steps: Sequence[Step]) -> None:
        """Write events to the disk as pending, with the position after them."""
        wanted, kept = self._settings.events, self._keeper.kept
        mine = [step for step in steps if wanted is None or step.record.event.type in wanted]
        pending = [Pending(id=_id(kept.room, step.record, kept.past), body=self._body(step)) for step in mine]
        await self._keeper.change(pending=tuple(pending), standing=steps[-1].standing)

    async def _restart(self, feed: Feed, changed: PastChanged) -> None:
        """Send the receiver an event about the changed past, and continue from now."""
        message = "the room's past was changed; what happens from now on is sent"
        _log.error("%s: %s (%s)", self._name, message, changed)
        feed.jump()
        kept = self._keeper.kept
        data = {"room": kept.room, "past": kept.past + 1, **feed.standing.model_dump(mode="json")}
        body = canonical({"type": "past_changed", "timestamp": _iso(int(time.time() * 1000)), "data": data})
        notice = Pending(id=f"{kept.room}_past_{kept.past + 1}", body=body)
        pending = (*kept.pending, notice)
        await self._keeper.change(pending=pending, standing=feed.standing, past=kept.past + 1)

    def _body(self, step: Step) -> str:
        record, sentence = step.record, self._narrator.told(step.record, step.after, step.before)
        data = {"room": self._keeper.kept.room, "told": sentence, "record": json.loads(step.text)}
        fields = {"type": record.event.type, "timestamp": _iso(record.at), "data": data}
        body = canonical(fields)
        if len(body.encode()) > MOST_BYTES:
            place = {"channel": record.channel, "seq": record.seq}
            left = {"room": self._keeper.kept.room, "told": sentence[:MOST_TOLD], "record": place, "left_out": True}
            body = canonical({**fields, "data": left})
        return body

    async def _deliver(self, first: Pending) -> None:
        """Wait until the first pending event is due, then try once to deliver it.

        Raises Stopped if the receiver wants no more events, or after the last try.
        """
        # `due_ms` may be far in the future, because the wall clock may have been set back
        longest_s = max(*self._settings.retries_s, LONGEST_WAIT_S) * _MOST_JITTER
        await asyncio.sleep(min(longest_s, max(0.0, first.due_ms / 1000 - time.time())))
        headers = signed(self._keys, first.id, int(time.time()), first.body)
        answer = await self._caller.send("POST", self._url, first.body.encode(), headers)
        if answer.is_success:
            await self._delivered()
        elif answer.status == _GONE:
            raise Stopped("the receiver answered 410: it wants no more events")
        else:
            await self._put_off(first, answer)

    async def _delivered(self) -> None:
        await self._keeper.change(pending=self._keeper.kept.pending[1:])

    async def _put_off(self, first: Pending, answer: Answer) -> None:
        """Schedule the next try. After the last try, reset the count of tries and raise Stopped."""
        if first.tries >= len(self._settings.retries_s):
            again = first.model_copy(update={"tries": 0, "due_ms": 0})
            await self._keeper.change(pending=(again, *self._keeper.kept.pending[1:]))
            raise Stopped(f"{first.id} was tried {first.tries + 1} times, and {answer.said}")
        wait_s = self._settings.retries_s[first.tries] * random.uniform(_LEAST_JITTER, _MOST_JITTER)
        wait_s = max(wait_s, answer.seconds("Retry-After") or 0.0)
        _log.warning("%s: %s was not taken: %s; the next try is in %.0f s", self._name, first.id, answer.said, wait_s)
        due_ms = int((time.time() + wait_s) * 1000)
        again = first.model_copy(update={"tries": first.tries + 1, "due_ms": due_ms})
        await self._keeper.change(pending=(again, *self._keeper.kept.pending[1:]))


def _id(room: RoomId, record: Record, past: int) -> str:
    """Return the id of an event. It stays the same, unless the past of the log is changed."""
    return f"{room}_{record.channel}_{record.seq}" + (f"_{past}" if past > 1 else "")


def _iso(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
