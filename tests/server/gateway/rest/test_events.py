"""The stream of a room's events: what it tells, from where on, and to whom."""

from typing import Any

import pytest

from dreadclock.wire.base import MOST_SEQ, Channel
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.records import Head
from dreadclock_server.gateway.rest.events import event_id, read_event_id
from kit.event_reader import LINES, SSE, EventReader, Told, event_reader
from kit.rooms import Table, chained, http_client
from kit.server import Server

ROLL = {"type": "roll_dice", "pool": 2}
both = pytest.mark.parametrize("form", [SSE, LINES])


async def do(table: Table, name: str, command: dict[str, object]) -> dict[str, Any]:
    async with table.http(name) as http:
        answer: dict[str, Any] = (await http.post(table.path("/commands"), json=command)).json()
    assert answer["type"] == "ack", answer
    return answer


async def happenings(table: Table) -> None:
    """Let things happen in both channels."""
    for visibility in ("public", "gm", "sealed", "public"):
        await do(table, "gm", {"type": "start_countdown", "name": "F", "pool": 3, "visibility": visibility})
    await do(table, "ann", {**ROLL, "note": 'id: "⚅"\\n'})


async def until_told(reader: EventReader, positions: dict[str, int]) -> None:
    """Read until as much was told."""
    while {channel: len(reader.texts(channel)) for channel in positions} != positions:
        await reader.next()


async def lengths(table: Table, *channels: str) -> dict[str, int]:
    log = await table.log()
    return {channel: sum(f'"channel":"{channel}"' in text for text in log) for channel in channels}


def id_of(welcome: Told) -> str:
    """Write the positions of a welcome as the id that is taken back."""
    heads = [(name, welcome.data["positions"].get(name)) for name in ("public", "gm")]
    return ",".join(f"{name}:{head['seq']}:{head['hash']}" for name, head in heads if head)


@both
@pytest.mark.parametrize("name", ["gm", "ann"])
async def test_who_comes_first_gets_the_view_and_then_every_record_with_its_head(table: Table, form: str, name: str):
    await happenings(table)
    async with event_reader(table, name, form) as reader:
        welcome = await reader.next()
        assert (reader.status, reader.headers["content-type"].partition(";")[0]) == (200, form)
        assert (welcome.kind, welcome.id) == ("welcome", id_of(welcome))
        assert (welcome.data["seat"], welcome.data["resumed"]) == (table.seat(name), False)
        assert welcome.data["view"] == await table.view(name)
        assert (await reader.next()).kind == "presence"

        before = {channel: head["seq"] for channel, head in welcome.data["positions"].items()}
        await happenings(table)
        ends = await lengths(table, *before)
        await until_told(reader, {channel: ends[channel] - seq for channel, seq in before.items()})

    log = await table.log(name)
    for channel, seq in before.items():
        texts = [text for text in log if f'"channel":"{channel}"' in text]
        assert reader.texts(channel) == texts[seq:]
    stands = {
        channel: [text for text in log if f'"channel":"{channel}"' in text][:seq] for channel, seq in before.items()
    }
    for told in (each for each in reader.told if each.kind == "record"):
        stands[told.data["channel"]].append(told.text)
        heads = {
            channel: chained(table.id, welcome.data["log_id"], channel, texts) for channel, texts in stands.items()
        }
        assert told.id == ",".join(f"{channel}:{len(stands[channel])}:{heads[channel]}" for channel in stands)


async def test_who_comes_back_to_any_place_gets_what_followed_and_then_what_happens(table: Table):
    async with event_reader(table, "gm") as reader:
        before = id_of(await reader.next())
        await happenings(table)
        start = dict(part.split(":")[:2] for part in before.split(","))
        ends = await lengths(table, "public", "gm")
        await until_told(reader, {channel: ends[channel] - int(start[channel]) for channel in ends})
    told = [each for each in reader.told if each.kind == "record"]
    places = [before, *(each.id for each in told)]
    assert len(places) > 8

    for number, place in enumerate(places):
        async with event_reader(table, "gm", LINES if number % 2 else SSE, place) as back:
            welcome = await back.next()
            assert (welcome.kind, welcome.data["resumed"], welcome.id) == ("welcome", True, place)
            await back.expect("presence")
            for channel in ("public", "gm"):
                assert back.texts(channel) == [each.text for each in told[number:] if each.data["channel"] == channel]
            assert back.last_id == places[-1]

    async with event_reader(table, "gm", last_id=places[4]) as back:
        await back.expect("presence")
        rolled = [(await do(table, "ben", ROLL))["events"]["public"][0] for _ in range(3)]
        assert [(await back.expect("record")).data["seq"] for _ in range(3)] == rolled
        assert len(back.texts("public") + back.texts("gm")) == len(told[4:]) + 3


async def test_an_id_from_one_process_is_good_on_another_and_from_a_websocket(table: Table, second: Server):
    async with table.connected("ann") as ann:
        heads = ann.welcome["positions"]["public"]
        await ann.do(ROLL)
    async with event_reader(table, "ann", last_id=f"public:{heads['seq']}:{heads['hash']}", server=second) as reader:
        assert (await reader.next()).data["resumed"] is True
        assert (await reader.next()).text == (await table.log("ann"))[-1]
        assert reader.last_id is not None


@both
async def test_who_knows_another_past_gets_the_view_anew_with_the_reason(table: Table, form: str):
    await happenings(table)
    seq = (await lengths(table, "public"))["public"]
    for known, differs in ((f"{seq}:{'0' * 64}", seq), (f"{seq + 1}:{'0' * 64}", seq + 1), (f"1:{'0' * 64}", 1)):
        async with event_reader(table, "ann", form, f"public:{known}") as reader:
            welcome, reset = await reader.next(), await reader.next()
            assert (welcome.data["resumed"], "view" in welcome.data, welcome.id) == (False, False, None)
            assert (reset.kind, reset.data["reason"], reset.data["differs"]) == ("reset", "forked", {"public": differs})
            assert (reset.id, reset.data["view"]) == (id_of(welcome), await table.view("ann"))
        async with event_reader(table, "ann", form, reset.id) as back:
            assert (await back.next()).data["resumed"] is True


async def test_positions_of_channels_say_nothing_to_who_does_not_hold_them_and_too_few_bring_the_view(table: Table):
    async with event_reader(table, "gm") as gm:
        place = id_of(await gm.next())
    await do(table, "gm", {"type": "start_countdown", "name": "The secret", "pool": 3, "visibility": "gm"})
    async with event_reader(table, "ann", last_id=place) as ann:
        welcome = await ann.next()
        assert (welcome.data["resumed"], welcome.id) == (True, place.partition(",")[0])
        ack = await do(table, "ann", ROLL)
        assert (await ann.expect("record")).data["seq"] == ack["events"]["public"][0]
        assert '"gm"' not in "".join(told.text for told in ann.told if told.kind == "record")
    async with event_reader(table, "gm", last_id=place.partition(",")[0]) as gm:
        assert set((await gm.next()).data["view"]["channels"]) == {"public", "gm"}


@pytest.mark.parametrize(
    "place", ["1", "public:1:xyz", '{"public":{"seq":1}}', "public:1:" + "0" * 64 + ",", "x" * 5000]
)
async def test_what_is_no_id_is_refused(shared_table: Table, place: str):
    async with event_reader(shared_table, "ann", last_id=place) as reader:
        refusal = await reader.refusal()
        assert (reader.status, refusal["code"]) == (422, "bad_request")
        assert refusal["detail"].endswith("Last-Event-ID is not the id of an event.")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("", {}),
        ("?token=TOKEN&access_token=TOKEN", {}),
        ("", {"Authorization": "Basic TOKEN"}),
        ("", {"Authorization": "Bearer wrong"}),
        ("", {"Cookie": "token=TOKEN"}),
    ],
)
async def test_a_token_counts_in_its_header_alone(shared_table: Table, path: str, headers: dict[str, str]):
    token = shared_table.token("ann")
    async with http_client(shared_table.server) as http:
        sent = {name: value.replace("TOKEN", token) for name, value in headers.items()}
        answer = await http.get(shared_table.path("/events" + path.replace("TOKEN", token)), headers=sent)
        unknown = await http.get(f"/api/rooms/{'a' * 26}/events", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorised")
    assert (unknown.status_code, unknown.content) == (401, answer.content)
    assert token not in answer.text + str(answer.headers)


async def test_a_question_for_the_head_is_answered_at_once_and_other_methods_are_not_taken(shared_table: Table):
    async with shared_table.http("ann") as http:
        for accept, kind in ((SSE, SSE), ("*/*", LINES), (f"text/html, {SSE};q=0.9", SSE)):
            head = await http.head(shared_table.path("/events"), headers={"Accept": accept})
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-type"].partition(";")[0] == kind
            assert (head.headers["cache-control"], head.headers["x-accel-buffering"]) == ("no-store", "no")
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = await http.request(method, shared_table.path("/events"))
            assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})


async def test_pages_elsewhere_that_are_allowed_may_read_on_from_where_they_were(table: Table, second: Server):
    page = "https://pages.example"
    asks = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization,last-event-id"}
    async with http_client(second) as http:
        allowed = await http.options(table.path("/events"), headers={"Origin": page, **asks})
        refused = await http.options(table.path("/events"), headers={"Origin": "https://evil.example", **asks})
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, page)
    assert (refused.status_code, "access-control-allow-origin" in refused.headers) == (400, False)
    for origin, may_read in ((page, True), ("https://evil.example", False)):
        async with event_reader(table, "ann", server=second, Origin=origin) as reader:
            await reader.next()
            assert (reader.headers.get("access-control-allow-origin") == origin) == may_read
            assert "Accept" in reader.headers["vary"]


async def test_a_reader_is_shown_as_its_seat_until_it_goes(table: Table):
    async with table.connected("gm") as gm:
        async with event_reader(table, "eve") as eve:
            await gm.expect("presence", here={"gm": 1, table.seat("eve"): 1})
            await eve.expect("presence", here={"gm": 1, table.seat("eve"): 1})
            eve.vanish()
        await gm.expect("presence", here={"gm": 1})


# Ids of the events of a stream: positions as text


A, B = "a" * 64, "0123456789abcdef" * 4
PUBLIC, GM = Head(seq=41, hash=A), Head(seq=0, hash=B)


@pytest.mark.parametrize(
    ("positions", "text"),
    [
        ({Channel.PUBLIC: PUBLIC}, f"public:41:{A}"),
        ({Channel.GM: GM, Channel.PUBLIC: PUBLIC}, f"public:41:{A},gm:0:{B}"),
        ({Channel.PUBLIC: Head(seq=MOST_SEQ, hash=A)}, f"public:{MOST_SEQ}:{A}"),
    ],
)
def test_positions_are_written_as_an_id_and_read_again(positions: dict[Channel, Head], text: str):
    assert event_id(positions) == text
    assert read_event_id(text) == positions


def test_an_id_may_name_its_channels_in_any_order():
    assert read_event_id(f"gm:0:{B},public:41:{A}") == {Channel.PUBLIC: PUBLIC, Channel.GM: GM}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "41",
        f"public:41:{A[:-1]}",
        f"public:41:{A}0",
        f"public:41:{A.upper()}",
        f"public:-1:{A}",
        f"public:{MOST_SEQ + 1}:{A}",
        f"public:٤١:{A}",
        f"public::{A}",
        f"secret:41:{A}",
        f"public:41:{A},",
        f"public:41:{A}\n",
        f"public:41:{A},public:41:{A}",
        f"public:41:{A},gm:0:{B},public:41:{A}",
        f" public:41:{A}",
        f'{{"public":{{"seq":41,"hash":"{A}"}}}}',
    ],
)
def test_anything_else_is_no_id(text: str):
    with pytest.raises(ProtocolViolation, match="Last-Event-ID is not the id of an event"):
        read_event_id(text)
