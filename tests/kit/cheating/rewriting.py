"""A log whose past is changed in the store, with all hashes made anew, as only a server can do it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from redis import Redis

from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.records import Positions, advance, canonical, opening_head
from dreadclock_server.store.base import EMPTY
from dreadclock_server.store.codec import Entry, decode, encode
from dreadclock_server.store.keys import LOG, META, SNAPSHOT, key

Change = Callable[[list[str]], Sequence[str]]  # of all texts, in the order stored; as many come back


def rewrite(store_url: str, room_id: RoomId, change: Change) -> None:
    """Change what a room's log says from its first record on."""
    log, meta = key(room_id, LOG), key(room_id, META)
    with Redis.from_url(store_url) as valkey:
        client: Any = valkey
        rows = client.xrange(log)
        entries = [decode(fields[b"e"]) for _, fields in rows]
        texts = list(change([text for entry in entries for text in entry.texts]))
        position = EMPTY
        client.delete(log, key(room_id, SNAPSHOT))
        chained = _chained(client.hget(meta, "log_id").decode(), room_id, entries, texts)
        for (row_id, fields), entry in zip(rows, chained, strict=True):
            data = encode(entry)
            position = position.after(data)
            client.xadd(log, {"b": fields[b"b"], "d": position.digest, "e": data}, id=row_id)
        client.hset(meta, mapping={"number": position.number, "digest": position.digest})


def _chained(log_id: str, room_id: RoomId, entries: Sequence[Entry], texts: list[str]) -> Iterator[Entry]:
    """Put texts in the place of those in entries, with heads that follow."""
    heads: Positions = {channel: opening_head(room_id, log_id, channel) for channel in Channel}
    for entry in entries:
        mine = [texts.pop(0) for _ in entry.texts]
        for text in mine:
            channel = Channel(json.loads(text)["channel"])
            heads = {**heads, channel: advance(heads[channel], text)}
        yield replace(entry, texts=mine, heads=heads)


def swapped(first: str, second: str) -> Change:
    """Return a change that lets two events change places; each is named by a piece of its text."""

    def change(texts: list[str]) -> list[str]:
        places = [next(i for i, text in enumerate(texts) if piece in text) for piece in (first, second)]
        bodies = [json.loads(texts[place]) for place in places]
        for place, body, other in zip(places, bodies, reversed(bodies), strict=True):
            texts[place] = canonical({**body, "event": other["event"], "by": other["by"]})
        return texts

    return change


def replaced(piece: str, old: str, new: str) -> Change:
    """Return a change of the one text that holds a piece."""

    def change(texts: list[str]) -> list[str]:
        place = next(i for i, text in enumerate(texts) if piece in text)
        assert old in texts[place]
        texts[place] = texts[place].replace(old, new)
        return texts

    return change


def kept(store_url: str, room_id: RoomId) -> dict[str, bytes]:
    """Return what the store holds of a room's log, to be put back later."""
    with Redis.from_url(store_url) as valkey:
        client: Any = valkey
        return {name: client.dump(name) for name in (key(room_id, META), key(room_id, LOG))}


def put_back(store_url: str, before: dict[str, bytes]) -> None:
    """Set a room's log back."""
    with Redis.from_url(store_url) as valkey:
        for name, value in before.items():
            valkey.restore(name, 0, value, replace=True)
