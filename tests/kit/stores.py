"""Rooms and entries for tests of the store."""

from collections.abc import Sequence

from dreadclock_server.store.base import EMPTY, Batch, Position, StaleWrite, Store, StoreUnavailable


def batch(name: str) -> Batch:
    """Make a batch whose entry says its name."""
    return Batch(batch_id=f"batch-{name}", entry=f"entry {name}".encode())


async def open_room(store: Store, room: str, opening: Batch | None = None) -> Position:
    """Open a room that holds one entry."""
    return await store.open_room(
        room,
        log_id="log-of-" + room,
        session_key=b"\x00session key\xff",
        dice_secret=b"\x00dice secret\xff",
        tokens={"token-a": '{"role":"gm"}', "token-b": "{}"},
        batch=opening or batch("opening"),
    )


async def append_whatever_happens(store: Store, room: str, expected: Position, what: Batch) -> Position:
    """Append until it is in the log for certain, as a node does: after a conflict from there, if unsure once more.

    A batch that was sent with one `expected` and whose outcome is unknown is never sent with another.
    """
    while True:
        try:
            return await store.append(room, expected, what)
        except StaleWrite as stale:
            expected = stale.position
        except StoreUnavailable:
            continue


async def whole_log(store: Store, room: str) -> list[bytes]:
    """Give all entries of a room, having checked their numbers and the digest chain."""
    entries: list[bytes] = []
    while rows := await store.read(room, len(entries)):
        assert [number for number, _ in rows] == list(range(len(entries) + 1, len(entries) + len(rows) + 1))
        entries += [entry for _, entry in rows]
    assert (await store.meta(room)).position == end_of(entries)
    return entries


def end_of(entries: Sequence[bytes]) -> Position:
    """Give the position at which a log of these entries ends."""
    position = EMPTY
    for entry in entries:
        position = position.after(entry)
    return position
