"""Discord: a message with the current state of the table (the tracker), and messages about events (the story)."""

import asyncio
import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from dreadclock.client.room import Room
from dreadclock.narration import Narrator, is_quiet
from dreadclock.wire.plain import plain
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.calls import Answer, Caller, Stopped
from dreadclock_server.tools.relay.feed import Feed, PastChanged, Step, seen
from dreadclock_server.tools.relay.kept import Keeper
from dreadclock_server.tools.relay.markdown import escaped_within, length
from dreadclock_server.tools.relay.pace import Everywhere
from dreadclock_server.tools.relay.settings import BadSettings, DiscordSettings, is_private, parts_of
from dreadclock_server.tools.relay.tasks import together
from dreadclock_server.tools.relay.tracker import embed, words_of

WINDOW = 64  # how many events are read from the log at once
MOST_CONTENT = 2000
_PATH = re.compile(r"(/api(/v[0-9]+)?/webhooks/[0-9]+/[A-Za-z0-9_-]+)/?")
_SNOWFLAKE = re.compile(r"[0-9]{1,20}")
_QUIET_LINKS = 1 << 2  # a flag: no previews of links
MOST_SAID = 200  # characters of Discord's error message in the log
_UNKNOWN_MESSAGE = 10008
_UNFIT = (50006, 50035)  # codes for empty and malformed messages, for which a retry is useless
_WHY = {
    401: ": its token is not valid",
    403: ": it may not write there",
    404: ": there is no such webhook, or no such thread",
}
_HEADERS = {"Content-Type": "application/json"}
_log = logging.getLogger("dreadclock.relay")


def checked_address(url: str) -> str:
    """Return the address of a Discord webhook.

    Raises BadSettings if this is not the address of a Discord webhook. The error does not show the address.
    """
    parts = parts_of(url)
    path = _PATH.fullmatch(parts.path)
    if path is None or not is_private(parts) or parts.query:
        raise BadSettings("a webhook's address looks like https://discord.com/api/webhooks/NUMBER/TOKEN")
    return f"{parts.scheme}://{parts.netloc}{path[1]}"


class Discord:
    """Writes into a channel by its webhook."""

    def __init__(
        self,
        name: str,
        settings: DiscordSettings,
        url: str,
        narrator: Narrator,
        keeper: Keeper,
        everywhere: Everywhere,
    ) -> None:
        self._name, self._settings, self._url, self._narrator = name, settings, url, narrator
        self._keeper, self._pace = keeper, everywhere.pace(url)
        self._words = words_of(narrator.language)
        self._caller = Caller(settings.timeout_s)
        self._writable = asyncio.Event()  # set once the forum post exists: the story goes into it
        if not self._opens_post:
            self._writable.set()

    async def run(self, room: Room, feed: Feed) -> None:
        """Write until the room is closed.

        Raises Stopped if Discord refuses a message for good, and ConnectionEnded when the room is closed.
        """
        parts = [self._track(room)] if self._settings.tracker else []
        parts += [self._tell(feed)] if self._settings.story else []
        try:
            await together(*parts)
        finally:
            await self._caller.close()

    # The tracker

    async def _track(self, room: Room) -> None:
        """Update the tracker after each change of its picture, as often as Discord allows."""
        shown: Any = None
        while True:
            view = room.view
            if self._pictured(view) != shown:
                shown = await self._show(room)
            await room.wait_for(lambda _, before=view: room.view is not before)  # type: ignore[misc]

    async def _show(self, room: Room) -> Any:
        """Send a picture of the room, and return the picture. It is drawn when the call is made, after any wait."""
        sent: list[Any] = []
        message = self._keeper.kept.message

        def request() -> tuple[str, str, bytes]:
            sent[:] = [self._pictured(room.view)]
            if message is not None:
                return "PATCH", self._address(f"/messages/{message}"), _body({"embeds": sent})
            opening = {"thread_name": self._settings.forum_post} if self._opens_post else {}
            return "POST", self._address("", wait="true"), _body({"embeds": sent, **opening})

        answer = await self._call(request)
        if _code(answer) == _UNKNOWN_MESSAGE and message is not None:
            _log.warning("%s: somebody deleted the tracker; there will be a new one", self._name)
            await self._keeper.change(message=None)
            return await self._show(room)
        self._judge(answer, "a picture of the table")
        if message is None and answer.is_success:
            await self._note(answer.json())
        return sent[0]

    async def _note(self, made: Mapping[str, Any]) -> None:
        """Store the id of the new message, and of its forum post if there is one.

        Raises Stopped if the answer has no ids.
        """
        if not _SNOWFLAKE.fullmatch(str(made.get("id"))) or not _SNOWFLAKE.fullmatch(str(made.get("channel_id"))):
            raise Stopped("what answers at its address is not Discord: a message was made, and has no id")
        changes = {"thread": str(made["channel_id"])} if self._opens_post else {}
        await self._keeper.change(message=str(made["id"]), **changes)
        self._writable.set()

    @property
    def _opens_post(self) -> bool:
        return self._settings.forum_post is not None and self._keeper.kept.thread is None

    def _pictured(self, view: View) -> dict[str, Any]:
        return embed(seen(view, self._settings.channels), self._words, self._narrator)

    # The story

    async def _tell(self, feed: Feed) -> None:
        await feed.resume(self._keeper, self._restart, from_beginning=self._settings.from_beginning)
        while True:
            try:
                await self._tell_all(await feed.read(WINDOW))
            except PastChanged as changed:
                await self._restart(feed, changed)

    async def _restart(self, feed: Feed, changed: PastChanged) -> None:
        message = "the room's past was changed; the story continues from now on"
        _log.error("%s: %s (%s)", self._name, message, changed)
        feed.jump()
        await self._write(self._words("past_changed"), "the line about the changed past")
        await self._keeper.change(standing=feed.standing, past=self._keeper.kept.past + 1)

    async def _tell_all(self, steps: Sequence[Step]) -> None:
        """Send events in as few messages as possible, and store the position after each message."""
        lines: dict[str, str] = {}  # sentences by the channel and number of their record
        last = self._keeper.kept.standing
        for step in steps:
            line = "" if is_quiet(step.record.event) else self._line(step)
            if lines and length("\n".join((*lines.values(), line))) > MOST_CONTENT:
                await self._write_lines(lines)
                await self._keeper.change(standing=last)
                lines = {}
            if line:
                lines[f"{step.record.channel} {step.record.seq}"] = line
            last = step.standing
        if lines:
            await self._write_lines(lines)
        await self._keeper.change(standing=last)

    async def _write_lines(self, lines: Mapping[str, str]) -> None:
        await self._write("\n".join(lines.values()), f"the sentences of the records {', '.join(lines)}")

    def _line(self, step: Step) -> str:
        return escaped_within(self._narrator.told(step.record, step.after, step.before), MOST_CONTENT)

    async def _write(self, content: str, what: str) -> None:
        await self._writable.wait()
        more = {"thread_id": self._settings.story_thread} if self._settings.story_thread else {}
        body = _body({"content": content, "flags": _QUIET_LINKS})
        self._judge(await self._call(lambda: ("POST", self._address("", wait="true", **more), body)), what)

    # Calls for the tracker and the story

    async def _call(self, request: Any) -> Answer:
        return await self._pace.call(self._name, self._caller, request, _HEADERS)

    def _address(self, path: str, **query: str) -> str:
        if self._keeper.kept.thread is not None:
            query["thread_id"] = self._keeper.kept.thread
        return self._url + path + (f"?{urlencode(query)}" if query else "")

    def _judge(self, answer: Answer, what: str) -> None:
        """Raise Stopped if Discord refused a message for good. If only its content was refused, log that and go on.

        `what`: words that describe the message.
        """
        if answer.is_success:
            return
        if _code(answer) not in _UNFIT:
            raise Stopped(f"Discord answered {_refusal(answer)}")
        _log.error(
            "%s: Discord does not take a message, so it is left out: %s; it answered %s",
            self._name,
            what,
            _refusal(answer),
        )


def _code(answer: Answer) -> object:
    """Return Discord's error code in a refusal; None if there is none."""
    return answer.json().get("code") if 400 <= answer.status < 500 else None


def _refusal(answer: Answer) -> str:
    """Describe a refusal: the HTTP status, our explanation, and Discord's code and message."""
    said = [plain(str(fields[key]))[:MOST_SAID] for key in ("code", "message") if key in (fields := answer.json())]
    return f"{answer.status}{_WHY.get(answer.status, '')}" + (f" ({': '.join(said)})" if said else "")


def _body(fields: dict[str, Any]) -> bytes:
    """Return the body of a message that mentions nobody, whatever its text."""
    return json.dumps({**fields, "allowed_mentions": {"parse": []}}, ensure_ascii=False).encode()
