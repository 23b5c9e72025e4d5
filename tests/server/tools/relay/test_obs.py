"""OBS: cues are done as things happen, over connections that may be lost, and only by those whom it lets in."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import dreadclock
from dreadclock_server.tools.relay.obs import proof_of
from kit.relay.obs import StubObs
from kit.relay.running import link_of, relaying, roll, written
from kit.rooms import Table
from kit.waiting import until

CUES = """
[[targets.stream.when]]
events = ["dice_rolled"]
source = "Last roll"

[[targets.stream.when]]
events = ["turn_ended"]
scene = "Doom"
source = "Last roll"
text = "Time passes."
"""
SOON_S = 20.0


@pytest.fixture
async def obs() -> AsyncIterator[StubObs]:
    async with StubObs("a-secret-password").listening() as obs:
        yield obs


def settings(folder: Path, table: Table, obs: StubObs, cues: str = CUES, password: str = "a-secret-password") -> Path:
    target = f'[targets.stream]\nkind = "obs"\nurl = "{obs.url}"\npassword = "file:password"\n{cues}'
    path = written(folder, link_of(table, "eve"), target)
    (folder / "password").write_text(password)
    (folder / "password").chmod(0o600)
    return path


async def listens(table: Table, gm: dreadclock.Room) -> None:
    """Wait until the relay looks on."""
    await until(lambda: table.seat("eve") in gm.here, SOON_S)


def test_the_answer_to_a_challenge_is_that_of_the_protocols_own_example() -> None:
    salt, challenge = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=", "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="
    assert proof_of("supersecretpassword", salt, challenge) == "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="


async def test_scenes_and_sources_follow_what_happens(table: Table, gm: dreadclock.Room, obs: StubObs, tmp_path: Path):
    async with relaying(settings(tmp_path, table, obs)):
        await listens(table, gm)
        await roll(gm, "luck")
        await until(lambda: len(obs.asked) == 1)
        await gm.submit({"type": "end_turn"})
        await until(lambda: len(obs.asked) == 3)

    (first, told), *others = obs.asked
    assert first == "SetInputSettings"
    assert told["inputSettings"]["text"].startswith('Gm rolled 1 die for "luck"')
    text = {"inputName": "Last roll", "inputSettings": {"text": "Time passes."}, "overlay": True}
    assert others == [("SetInputSettings", text), ("SetCurrentProgramScene", {"sceneName": "Doom"})]


async def test_the_last_counts_and_it_reconnects(table: Table, gm: dreadclock.Room, obs: StubObs, tmp_path: Path):
    async with relaying(settings(tmp_path, table, obs)):
        await listens(table, gm)
        for number in range(100):
            await roll(gm, f"roll {number}")
        await until(lambda: bool(obs.asked) and "roll 99" in obs.asked[-1][1]["inputSettings"]["text"])
        obs.cut()
        await roll(gm, "after all")
        await until(lambda: "after all" in obs.asked[-1][1]["inputSettings"]["text"], SOON_S)

    assert obs.hellos == 2


@pytest.mark.parametrize("asks", [True, False], ids=["wrong", "needless"])
async def test_a_wrong_password_stops_the_target_and_a_needless_one_does_no_harm(
    table: Table, gm: dreadclock.Room, tmp_path: Path, caplog: pytest.LogCaptureFixture, asks: bool
) -> None:
    obs = StubObs("another" if asks else None)
    async with obs.listening(), relaying(settings(tmp_path, table, obs)) as running:
        await listens(table, gm)
        await roll(gm, "luck")
        await until(lambda: running.done() if asks else bool(obs.asked))
    assert ("stream: nothing is sent there any more: OBS does not take its password" in caplog.text) is asks
    assert "a-secret-password" not in caplog.text


async def test_what_is_absent_is_named(
    table: Table, gm: dreadclock.Room, obs: StubObs, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    obs.sources.clear()
    async with relaying(settings(tmp_path, table, obs)):
        await listens(table, gm)
        await roll(gm, "luck")
        await until(
            lambda: "OBS did not do SetInputSettings (code 600): is there such a source Last roll?" in caplog.text
        )


async def test_an_obs_that_is_started_later_does_what_is_not_over_yet(
    table: Table, gm: dreadclock.Room, obs: StubObs, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    late = StubObs("a-secret-password")
    async with late.listening():
        port = late.port
    async with relaying(settings(tmp_path, table, late)):
        await listens(table, gm)
        await roll(gm, "luck")
        await until(lambda: "stream: OBS is out of reach" in caplog.text)
        async with late.listening(port):
            await until(lambda: len(late.asked) == 1, SOON_S)
