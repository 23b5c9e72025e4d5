"""What those try who see no secrets: to guess at ids, to read everything, to come back in every way."""

import json
import random
from collections import Counter
from collections.abc import Sequence

from dreadclock.wire.errors import CloseCode
from dreadclock.wire.views import ChannelView
from kit.leaks.book import Fields
from kit.leaks.people import Person
from kit.raw import parsed, raw_client

_GHOST = "gm-plain-0"  # the id of nothing
_FAR = 10_000

GUESSES: tuple[Fields, ...] = (
    *({"type": f"{verb}_countdown", "countdown_id": "?"} for verb in ("roll", "stabilize", "resume", "cancel")),
    {"type": "replenish_countdown", "countdown_id": "?", "dice": 1},
    {"type": "tick_clock", "clock_id": "?"},
    {"type": "tick_clock", "clock_id": "?-clock"},
    {"type": "enlarge_clock", "clock_id": "?"},
    {"type": "introduce_complication", "scene_id": "?", "text": "To see."},
    {"type": "amend_clock", "clock_id": "?", "value": 1, "reason": "To see."},
    {"type": "cancel", "thing_id": "?", "reason": "To see."},
    {"type": "reveal", "thing_id": "?"},
    {"type": "travel", "scene_id": "?"},
    {"type": "end_round", "situation_id": "?"},
    {"type": "attempt_effort", "challenge_id": "?"},
    {"type": "attempt_effort", "challenge_id": "door", "id": "?"},
    {"type": "roll_check", "check_id": "?"},
    {"type": "help_check", "check_id": "?", "character_id": "ada", "score": 1},
    {"type": "propose_check", "character_id": "bea", "score": 1, "effort": {"challenge_id": "?"}},
    {"type": "propose_total", "character_id": "ada", "attribute": 1, "effort": {"challenge_id": "?"}},
    {"type": "propose_cost", "check_id": "?", "cost": "To see."},
    {"type": "choose_effect", "check_id": "?", "character_id": "ada", "effect": "momentum"},
    {"type": "roll_total", "total_id": "?"},
    {"type": "start_countdown", "id": "?", "name": "To see.", "pool": 1},
    {"type": "start_clock", "id": "?", "name": "To see.", "size": 1},
    {"type": "add_character", "id": "?", "name": "To see."},
)
_FAMILIES = {
    "countdown_id": "countdowns",
    "clock_id": "clocks",
    "scene_id": "scenes",
    "situation_id": "situations",
    "check_id": "checks",
    "thing_id": "countdowns",
}
GARBAGE: tuple[Fields, ...] = (
    {"type": "no_such_command"},
    {"type": "roll_dice", "pool": -1},
    {"type": "reveal"},
    {"type": "start_countdown", "name": "", "pool": 1, "visibility": "gm"},
    {"type": "roll_dice", "pool": 1, "visibility": "sealed"},
    {"type": "roll_dice", "pool": 1, "extra": {"deep": [1, 2]}},
)
READS = (
    *("", "?gm=0", "/log", "/log?gm=0", "/log?public=3&gm=0", "/log?gm=-1", "/log?public=x", "/tokens", "/nothing"),
    *("/commands", "/export", "/snapshot", "/undoable"),
)
ELSEWHERE = (
    *("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/api/odds/check?dice=3", "/api/odds/total?dice=x"),
    *("/api/odds/countdown?pool=4&id=sealed-1", "/api/rooms/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/nowhere"),
)


def about(command: Fields, thing_id: str) -> Fields:
    """Put an id into a command for its question mark."""
    fields: Fields = json.loads(json.dumps(command).replace("?", thing_id))
    return fields


def fitting(chance: random.Random, hidden: ChannelView, ids: Sequence[str]) -> tuple[Fields, str]:
    """Choose a command and an id, which mostly is that of a hidden thing that such a command can be about."""
    command, thing_id = chance.choice(GUESSES), chance.choice(ids)
    alike = [each for name, family in _FAMILIES.items() if name in command for each in getattr(hidden, family)]
    plain = [each for each in alike if each in ids]
    return command, chance.choice(plain) if plain and chance.random() < 0.8 else thing_id


async def guess(
    one: Person, chance: random.Random, hidden: ChannelView, ids: Sequence[str], seen: "Counter[str]"
) -> None:
    """Name a thing that only the gm knows: it is answered as if there were no such thing."""
    command, thing_id = fitting(chance, hidden, ids)
    rest = chance.random() < 0.3
    answers = [await one.do(about(command, each), rest=rest) for each in (thing_id, _GHOST)]
    texts = [json.dumps({**each, "n": 0}) for each in answers]
    seen[answers[0].get("code", "done")] += 2
    assert texts[0].replace(thing_id, _GHOST) == texts[1], f"{one.name}: {command} of {thing_id}: {texts}"


async def guess_sealed(one: Person, chance: random.Random, ids: Sequence[str], seen: "Counter[str]") -> None:
    """Name a sealed thing."""
    reply = await one.do(about(chance.choice(GUESSES), chance.choice(ids)), rest=chance.random() < 0.3)
    seen[reply.get("code", "done")] += 1


async def babble(one: Person, chance: random.Random, seen: "Counter[str]") -> None:
    """Send what is no command."""
    reply = await one.do(chance.choice(GARBAGE), rest=chance.random() < 0.3)
    seen[reply["code"]] += 1


async def _settled(one: Person, command: Fields, key: str) -> Fields:
    """Send a command until its outcome is known: on a busy machine the store may take longer to answer."""
    while True:
        reply = await one.do(command, rest=True, key=key)
        if reply.get("type") != "pending" and reply.get("code") != "unavailable":
            return reply


async def repeat(one: Person, chance: random.Random, seen: "Counter[str]") -> None:
    """Send a command twice with one Idempotency-Key, and once more in a session that went on."""
    command, key = {"type": "end_turn"}, f"key-{chance.random()}"
    first, second = [await _settled(one, command, key) for _ in range(2)]
    assert first == second
    reply = await one.do(command)
    welcome = one.client.welcome
    await one.leave()
    await one.connect(session=welcome["session"])
    again = await one.client.do(command, n=reply["n"])
    one.take_in()
    assert again == reply
    seen[first.get("code", "done")] += 2
    seen[reply.get("code", "done")] += 2


async def knock(one: Person, chance: random.Random) -> int:
    """Come to the door as one who may not in; return the close code."""
    token = one.table.token(one.name)
    hellos: tuple[str | bytes, ...] = (
        json.dumps({"type": "hello", "v": 1, "token": "A" * 22}),
        json.dumps({"type": "hello", "v": 99, "token": token}),
        json.dumps({"type": "hello", "v": 1, "token": token, "positions": {"gm": "all"}}),
        json.dumps({"type": "command", "n": 1, "command": {"type": "reveal", "thing_id": "gm-plain-1"}}),
        "no JSON",
        b"no text",
    )
    async with raw_client(one.url) as client:
        await client.send(chance.choice(hellos))
        return (await client.ended())[0]


async def read(one: Person, chance: random.Random) -> None:
    """Read what can be read by REST, and what cannot."""
    path = chance.choice((*(one.table.path(each) for each in READS), *ELSEWHERE))
    answer = await one.http.request(chance.choice(("GET", "GET", "GET", "HEAD", "OPTIONS")), path)
    assert answer.status_code < 500, path


async def meddle(one: Person) -> None:
    """Try what only the gm may do by REST."""
    for method, path in (("POST", "/invites"), ("DELETE", "/tokens/abc"), ("DELETE", "?confirm=x"), ("GET", "/tokens")):
        answer = await one.http.request(method, one.table.path(path), content=b"{}" if method == "POST" else None)
        assert answer.status_code == 403, path


async def read_everything(one: Person) -> None:
    """Read all that the server has for a seat."""
    for path in ("", "/log?gm=0"):
        answer = await one.http.get(one.table.path(path))
        assert answer.status_code == 200


async def come_back(one: Person, chance: random.Random) -> str:
    """Leave, or be thrown out, and come back in some way; say in which."""
    positions = one.client.positions()
    frames = (parsed(text) for text in one.frames)
    heads = [frame["heads"]["public"] for frame in frames if frame["type"] == "events"]
    way = chance.choice(("afresh", "after all", "from earlier", "forged", "beyond", "as the gm", "thrown out"))
    if way == "thrown out":
        await one.client.send('{"type":"command","n":1,"command":{"type":"reveal","thing_id":{"x":')
        assert (await one.client.ended())[0] == CloseCode.BAD_FRAME
    await one.leave()
    public = positions["public"]
    hello: dict[str, Fields] = {
        "afresh": {},
        "forged": {"public": {**public, "hash": "0" * 64}},
        "beyond": {"public": {"seq": public["seq"] + _FAR, "hash": public["hash"]}},
        "as the gm": {"public": public, "gm": {"seq": 0, "hash": "0" * 64}},
        "from earlier": {"public": chance.choice([public, *heads[-30:]])},
    }
    known = hello.get(way, {"public": public})
    welcome = await one.connect(**({"positions": known} if known else {}))
    assert set(welcome["positions"]) == {"public"}
    return way if welcome["resumed"] or "view" in welcome else f"{way}, and was reset"
