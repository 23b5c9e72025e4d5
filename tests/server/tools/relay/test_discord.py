"""Discord: a tracker that shows the last state, a story, and never more calls, pings or characters than are allowed."""

import asyncio
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import dreadclock
from dreadclock.wire.base import Channel
from dreadclock_server.tools.relay import pace
from dreadclock_server.tools.relay.calls import Backoff
from kit.relay.discord import PATH, StubDiscord, shown
from kit.relay.running import begun, kept, link_of, relaying, written
from kit.relay.stubs import Call, Reply
from kit.rooms import Table
from kit.waiting import until

PUBLIC = Channel.PUBLIC
NASTY = "@everyone **x** <@123> [y](https://evil.example)"
SOON_S = 30.0
HASTE, FLOOD_HASTE = 40, 4


@pytest.fixture
def hasty(discord: StubDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a minute of Discord's, and the pace that keeps to it, pass in a few seconds."""
    discord.minute_s /= HASTE
    monkeypatch.setattr(pace, "SPACING_S", pace.SPACING_S / HASTE)
    monkeypatch.setattr(pace, "Backoff", lambda: Backoff(first_s=1 / HASTE))


def target(more: str = "", name: str = "discord") -> str:
    return f'[targets.{name}]\nkind = "discord"\nurl = "file:discord"\n{more}\n'


def settings(folder: Path, table: Table, discord: StubDiscord, targets: str, more: str = "", who: str = "eve") -> Path:
    path = written(folder, link_of(table, who), targets, more)
    (folder / "discord").write_text(discord.webhook)
    (folder / "discord").chmod(0o600)
    return path


def picture(discord: StubDiscord) -> str:
    """Return the texts of the first message; empty before it is sent."""
    first = next(iter(discord.messages.values()), None)
    if first is None:
        return ""
    (embed,) = first["embeds"]
    return "\n".join([embed["title"], embed["description"], embed["footer"]["text"]])


async def tick(gm: dreadclock.Room) -> None:
    await gm.submit({"type": "tick_clock", "clock_id": "alarm"})


async def start_clock(gm: dreadclock.Room, name: str = "The guards wake", size: int = 60) -> None:
    await gm.submit({"type": "start_clock", "id": "alarm", "name": name, "size": size})


@pytest.mark.usefixtures("hasty")
async def test_a_message_is_edited_in_place(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    path = settings(tmp_path, table, discord, target())
    async with relaying(path):
        await start_clock(gm)
        await until(lambda: "60/60" in picture(discord), SOON_S)
        await tick(gm)
        await until(lambda: "59/60" in picture(discord), SOON_S)
        await until(lambda: (known := kept(path, "discord")) is not None and known.message is not None)
    await tick(gm)
    async with relaying(path):
        await until(lambda: "58/60" in picture(discord), SOON_S)

    assert len(discord.posted) == 1
    assert discord.posted[0]["path"] == f"{PATH}?wait=true"
    assert (discord.refused, discord.pings, discord.faults) == (0, 0, [])


@pytest.mark.usefixtures("hasty")
async def test_the_tracker_shows_the_table(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    for command in (
        {"type": "open_scene", "id": "vault", "name": "Out of the vault", "clock": 8},
        {"type": "start_countdown", "id": "air", "name": "Air", "pool": 5, "stages": [{"at": 3, "effect": "dizzy"}]},
        {"type": "start_countdown", "id": "x", "name": "What wakes", "pool": 3, "visibility": "sealed"},
        {"type": "start_clock", "id": "gm-z", "name": "Zanzibar", "size": 4, "visibility": "gm"},
        {"type": "add_character", "id": "rook", "name": "Rook", "owner": "player-2", "attributes": {"Stealth": 4}},
    ):
        await gm.submit(command)
    path = settings(tmp_path, table, discord, target(), 'lang = "de"', who="gm")
    async with relaying(path), dreadclock.connect(link_of(table, "ann"), dice_secrets=False) as ann:
        check = {"type": "propose_check", "character_id": "rook", "attribute": "Stealth", "purpose": "sneak in"}
        await ann.submit(check) if ann.seat == "player-2" else await gm.submit(check)
        await until(lambda: bool(discord.messages) and "sneak in" in picture(discord), SOON_S)

    assert picture(discord).splitlines() == [
        "The Sunken Chapel",
        "**Out of the vault** · ▰▰▰▰▰▰▰▰ 8/8",
        "__Countdowns__",
        "**Air** ⬢⬢⬢⬢⬢ · 5 Würfel · bei 3: dizzy",
        "__Versiegelt__",
        "**What wakes**",
        "__Was wartet__",
        "**Rook** · sneak in · kann gewürfelt werden",
        "Zug 1",
    ]


@pytest.mark.usefixtures("hasty")
async def test_names_are_shown_and_call_nobody(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    path = settings(tmp_path, table, discord, target("story = true"))
    async with relaying(path):
        await until(lambda: (known := kept(path, "discord")) is not None and known.standing is not None)
        await until(lambda: bool(discord.messages), SOON_S)  # the tracker comes first, before what is told
        await start_clock(gm, NASTY)
        await until(lambda: len(discord.posted) == 2 and "60/60" in picture(discord), SOON_S)

    assert shown(picture(discord).splitlines()[2].partition("** · ")[0].removeprefix("**")) == NASTY
    assert NASTY in shown(discord.posted[1]["content"])
    assert discord.posted[1]["flags"] == 4
    assert (discord.pings, discord.faults) == (0, [])


@pytest.mark.usefixtures("hasty")
async def test_a_story_goes_on_after_a_restart(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    more = 'tracker = false\nstory = true\nstory_thread = "55"'
    path = settings(tmp_path, table, discord, target(more))
    async with relaying(path):
        await until(lambda: (known := kept(path, "discord")) is not None and known.standing is not None)
        await start_clock(gm)
        await until(lambda: len(discord.posted) == 1, SOON_S)
        await until(lambda: told_so_far(path) == gm.positions[PUBLIC].seq)
    for _ in range(40):
        await tick(gm)
    async with relaying(path):
        await until(lambda: told_so_far(path) == gm.positions[PUBLIC].seq, SOON_S)

    lines = [line for message in discord.posted for line in shown(message["content"]).splitlines()]
    assert len(lines) == 41
    assert [line for line in lines[1:] if "The guards wake" not in line] == []
    assert {message["path"] for message in discord.posted} == {f"{PATH}?wait=true&thread_id=55"}
    assert (discord.refused, discord.faults) == (0, [])


def told_so_far(path: Path) -> int:
    known = kept(path, "discord")
    return known.standing.heads[PUBLIC].seq if known and known.standing else 0


@pytest.mark.usefixtures("hasty")
async def test_in_a_forum_all_is_in_one_post(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    path = settings(tmp_path, table, discord, target('story = true\nforum_post = "Tonight"'))
    async with relaying(path):
        await until(lambda: (known := kept(path, "discord")) is not None and known.standing is not None)
        await start_clock(gm)
        await until(lambda: len(discord.posted) == 2 and "60/60" in picture(discord), SOON_S)

    assert discord.posted[0]["thread_name"] == "Tonight"
    assert discord.posted[1]["path"].endswith("thread_id=77")
    assert "thread_name" not in discord.posted[1]
    assert all(call.path.endswith("thread_id=77") for call in discord.calls[1:])


async def test_a_flood_is_shown_by_its_last_state_within_the_limits(
    table: Table,
    gm: dreadclock.Room,
    discord: StubDiscord,
    tmp_path: Path,
    figures: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """500 events in 10 s of Discord's: the calls, what they show in the end, and whom they call."""
    discord.minute_s /= FLOOD_HASTE
    monkeypatch.setattr(pace, "SPACING_S", pace.SPACING_S / FLOOD_HASTE)
    path = settings(tmp_path, table, discord, target())
    time = asyncio.get_running_loop().time
    await start_clock(gm, NASTY, size=10)
    async with relaying(path):
        await until(lambda: bool(discord.messages), SOON_S)
        began, before = time(), len(discord.calls)
        for number in range(500):
            back = {"back": True} if number % 2 else {}
            await gm.submit({"type": "tick_clock", "clock_id": "alarm", **back})
            await asyncio.sleep(max(0.0, began + (number + 1) * 0.02 / FLOOD_HASTE - time()))
        flooded_s = (time() - began) * FLOOD_HASTE
        await gm.submit({"type": "amend_clock", "clock_id": "alarm", "value": 3, "reason": "The last word."})
        last = time()
        await until(lambda: "3/10" in picture(discord), SOON_S)
        shown_s = (time() - last) * FLOOD_HASTE
        calls = len(discord.calls) - before

    assert calls <= 5 * (flooded_s + shown_s) / 2 + 5
    assert calls <= 2 * max(15.0, flooded_s)  # a busy machine takes longer to send them
    assert (discord.refused, discord.pings, discord.faults) == (0, 0, [])
    figures.append(
        f"Discord: 501 events in {flooded_s:.1f} s, {calls} calls, {discord.refused} refused, {discord.pings} pings,"
        f" the last state shown after {shown_s:.1f} s"
    )


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "refusal",
    [
        Reply(429),
        Reply(429, b'{"retry_after": 0.3, "global": true}', {"Retry-After": "1", "X-RateLimit-Global": "true"}),
        Reply(429, b"<html>", {"Retry-After": "soon"}),
        Reply(502, b"<html>"),
        Reply(408),
        Reply(302),
        Reply(200, b"{}", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "nonsense"}),
    ],
    ids=["without a date", "everywhere", "without sense", "broken", "timeout", "redirect", "without sense where taken"],
)
async def test_what_is_put_off_is_done(
    table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path, refusal: Reply
) -> None:
    async with relaying(settings(tmp_path, table, discord, target())):
        await until(lambda: bool(discord.messages), SOON_S)
        discord.before.append(refusal)
        await start_clock(gm)
        await until(lambda: not discord.before, SOON_S)
        await tick(gm)
        await until(lambda: "59/60" in picture(discord), SOON_S)


@pytest.mark.usefixtures("hasty")
async def test_it_waits_as_discord_says(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    discord.before.append(Reply(429, b'{"retry_after": 0.9}'))
    async with relaying(settings(tmp_path, table, discord, target())):
        await until(lambda: bool(discord.messages), SOON_S)

    assert discord.calls[1].at - discord.calls[0].at >= 0.9 > pace.SPACING_S


STORY = target("tracker = false\nstory = true")
REFUSALS = {
    "forum": (400, {"message": "Choose a thread", "code": 220001}, " (220001: Choose a thread)"),
    "token": (401, {"message": "Invalid Webhook Token", "code": 50027}, " (50027: Invalid Webhook Token)"),
    "thread": (404, {"message": "Unknown Channel", "code": 10003}, " (10003: Unknown Channel)"),
    "gone": (403, {"message": "Unknown Webhook", "code": 10015}, " (10015: Unknown Webhook)"),
    "too large": (413, [], "413"),
}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("status", "said", "words"), REFUSALS.values(), ids=REFUSALS)
async def test_a_refusal_stops_the_target_with_discords_words_and_no_sentence_is_lost(
    table: Table,
    gm: dreadclock.Room,
    discord: StubDiscord,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    status: int,
    said: object,
    words: str,
) -> None:
    path = settings(tmp_path, table, discord, STORY)
    async with relaying(path) as running:
        await begun(path, "discord")
        discord.before.append(Reply(status, json.dumps(said).encode()))
        await start_clock(gm)
        await until(running.done, SOON_S)
        assert (len(discord.calls), discord.posted) == (1, [])
    known = kept(path, "discord")
    assert known is not None
    assert known.stopped is not None
    assert f"discord: nothing is sent there any more: {known.stopped}" in caplog.text
    assert known.stopped.startswith(f"Discord answered {status}")
    assert known.stopped.endswith(words)

    await tick(gm)
    async with relaying(path, again=("discord",)):
        await until(lambda: told_so_far(path) == gm.positions[PUBLIC].seq, SOON_S)
    lines = [shown(line) for message in discord.posted for line in message["content"].splitlines()]
    assert len(lines) == 2
    assert "The guards wake" in lines[0]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("code", [50006, 50035])
async def test_a_message_that_discord_will_never_take_is_left_out_and_its_records_are_logged(
    table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    path = settings(tmp_path, table, discord, STORY)
    async with relaying(path):
        await begun(path, "discord")
        discord.before.append(Reply(400, json.dumps({"code": code, "message": "Not like that"}).encode()))
        await start_clock(gm)
        started = gm.positions[PUBLIC].seq
        await until(lambda: told_so_far(path) == started, SOON_S)
        await tick(gm)
        await until(lambda: told_so_far(path) == started + 1, SOON_S)

    assert len(discord.posted) == 1
    assert f"the sentences of the records public {started}; it answered 400 ({code}: Not like that)" in caplog.text
    assert (known := kept(path, "discord")) is not None
    assert known.stopped is None


@pytest.mark.usefixtures("hasty")
async def test_a_failed_story_stops_no_tracker(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    answer, broken = discord.answering, [True]

    async def broken_for_stories(call: Call) -> Reply:
        return Reply(503) if broken and b'"content"' in call.body else await answer(call)

    discord.answering = broken_for_stories
    path = settings(tmp_path, table, discord, target("story = true"))
    async with relaying(path):
        await begun(path, "discord")
        await start_clock(gm)
        for left in ("59/60", "58/60", "57/60"):
            await tick(gm)
            tried = stories(discord)
            await until(lambda left=left: left in picture(discord), SOON_S)  # type: ignore[misc]
            await until(lambda tried=tried: stories(discord) > tried, SOON_S)  # type: ignore[misc]
        broken.clear()
        await until(lambda: told_so_far(path) == gm.positions[PUBLIC].seq, SOON_S)

    lines = [shown(line) for message in discord.posted[1:] for line in message["content"].splitlines()]
    assert len(lines) == 4
    numbers = [re.findall("[0-9]+", line)[-1] for line in lines]
    assert numbers == ["60", "59", "58", "57"]


def stories(discord: StubDiscord) -> int:
    """Count the calls that told the story."""
    return sum(b'"content"' in call.body for call in discord.calls)


@pytest.mark.usefixtures("hasty")
async def test_a_deleted_tracker_is_made_anew(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    async with relaying(settings(tmp_path, table, discord, target())):
        await until(lambda: bool(discord.messages), SOON_S)
        discord.messages.clear()
        await start_clock(gm)
        await until(lambda: "60/60" in picture(discord), SOON_S)
    assert len(discord.posted) == 2


@pytest.mark.usefixtures("hasty")
async def test_targets_share_a_webhooks_limit(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    both = target() + target("tracker = false\nstory = true", "story")
    async with relaying(settings(tmp_path, table, discord, both)):
        await until(lambda: bool(discord.messages), SOON_S)
        await start_clock(gm)
        await until(lambda: len(discord.calls) >= 3, SOON_S)

    times = [call.at for call in discord.calls]
    assert min(later - earlier for earlier, later in pairwise(times)) >= discord.minute_s / 30


@pytest.mark.usefixtures("hasty")
async def test_a_full_table_is_cut_to_an_embed(table: Table, gm: dreadclock.Room, discord: StubDiscord, tmp_path: Path):
    for number in range(40):
        await gm.submit({"type": "start_clock", "name": f"{number:02} " + "*" * 61, "size": 4})
    async with relaying(settings(tmp_path, table, discord, target())):
        await until(lambda: bool(discord.messages), SOON_S)

    assert "more lines" in picture(discord).splitlines()[-2]
    assert discord.faults == []
    assert json.loads(discord.calls[0].body)["allowed_mentions"] == {"parse": []}
