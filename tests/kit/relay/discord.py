"""A Discord with one webhook, which it limits as the real one does; it sees whom messages would call."""

import json
import re
from collections import deque
from typing import Any

from kit.relay.stubs import Call, Reply, Stub

PATH = "/api/webhooks/123456789012345678/a-secret-token_of_the-webhook"
CALLED = re.compile(r"@everyone|@here|<@[!&]?[0-9]+>")
_MESSAGE = re.compile(re.escape(PATH) + r"/messages/([0-9]+)(?:\?thread_id=([0-9]+))?")


class StubDiscord(Stub):
    """`messages` are those in the channel by id; `refused` counts calls that were too many."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.messages: dict[str, dict[str, Any]] = {}
        self.posted: list[dict[str, Any]] = []
        self.refused = 0
        self.pings = 0
        self.faults: list[str] = []
        self.before: deque[Reply] = deque()  # what the next calls are answered instead
        self.minute_s = 60.0  # where it is shorter, all else that it allows within a time is, too
        self._recent: deque[float] = deque()  # calls in the last 2 s
        self._minute: deque[float] = deque()  # messages in the last minute

    @property
    def webhook(self) -> str:
        """The webhook's address."""
        return self.url + PATH

    async def _answer(self, call: Call) -> Reply:
        if self.before:
            return self.before.popleft()
        wait_s = max(
            _wait_s(self._recent, 5, self.minute_s / 30, call.at), _wait_s(self._minute, 30, self.minute_s, call.at)
        )
        if wait_s > 0:
            self.refused += 1
            told = {"message": "You are being rate limited.", "retry_after": wait_s, "global": False}
            return Reply(429, json.dumps(told).encode(), {"Retry-After": str(wait_s)})
        left = 5 - len(self._recent)
        limits = {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": str(left), "X-RateLimit-Reset-After": "2"}
        return self._take(call, json.loads(call.body), limits)

    def _take(self, call: Call, message: dict[str, Any], limits: dict[str, str]) -> Reply:
        self._look_at(message)
        edited = _MESSAGE.fullmatch(call.path)
        if call.method == "PATCH" and edited:
            if edited[1] not in self.messages:
                return Reply(404, b'{"message": "Unknown Message", "code": 10008}', limits)
            self.messages[edited[1]] |= message
            return Reply(200, json.dumps(self.messages[edited[1]]).encode(), limits)
        if call.method != "POST" or call.path.partition("?")[0] != PATH:
            return Reply(404, b'{"message": "Unknown Webhook", "code": 10015}', limits)
        made = {**message, "id": str(1000 + len(self.posted)), "channel_id": "77", "path": call.path}
        self.messages[made["id"]] = made
        self.posted.append(made)
        return Reply(200, json.dumps(made).encode(), limits)

    def _look_at(self, message: dict[str, Any]) -> None:
        """Count whom it would call, and note which limit of Discord's it breaks."""
        embeds = message.get("embeds", [])
        texts = [message.get("content", "")]
        for each in embeds:
            texts += [each.get("title", ""), each.get("description", ""), each.get("footer", {}).get("text", "")]
        if message.get("allowed_mentions") != {"parse": []}:
            self.faults.append("a message may call people")
            self.pings += sum(len(CALLED.findall(text)) for text in texts)
        self.pings += sum(len(CALLED.findall(text)) for text in texts)  # even where it would be let through
        sizes = [len(text.encode("utf-16-le")) // 2 for text in texts]
        if sizes[0] > 2000 or sum(sizes[1:]) > 6000 or len(embeds) > 10:
            self.faults.append("a message is too long")
        if any(len(each.get("description", "")) > 4096 or len(each.get("title", "")) > 256 for each in embeds):
            self.faults.append("a part of an embed is too long")


def _wait_s(times: deque[float], most: int, within_s: float, now: float) -> float:
    """Count a call; return how long to wait where it is one too many."""
    while times and now - times[0] >= within_s:
        times.popleft()
    if len(times) >= most:
        return times[0] + within_s - now
    times.append(now)
    return 0.0


def shown(text: str) -> str:
    """Return what Discord shows of an escaped text, in which no mark may be left that means something."""
    rest = re.sub(r"\\[^0-9A-Za-z\s]", "", text)
    assert not re.search(r"[\\*_~`|<>#\[\]()@]|https?:", rest), rest
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text).replace("\u200b", "")
