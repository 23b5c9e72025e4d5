"""A page of another origin that loads the client from the server: it opens a room, plays, and reads its log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser

from kit.rooms import open_table
from kit.server import Server, running_server

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<!doctype html>"
PLAY = """
async (server) => {
  const { connect } = await import(`${server}/assets/client/dreadclock.js`);
  const { openRoom, invite, log, odds } = await import(`${server}/assets/client/rest.js`);
  const { gm } = await openRoom(server, { title: "From elsewhere" });
  const { link } = await invite(gm.link, { role: "player", name: "Ines" });
  const room = await connect(link);
  await room.submit({ type: "roll_dice", pool: 3 });
  room.close();
  const lines = await log(link);
  const { mean_rolls: { decimal: mean } } = await odds(server, "countdown", { pool: 4, speed: "slow" });
  return { rolled: lines.some((line) => line.includes('"dice_rolled"')), mean };
}
"""
COME = """
async ({ server, link, change }) => {
  const { connect } = await import(`${server}/assets/client/dreadclock.js`);
  const name = Object.keys(localStorage).find((key) => key.startsWith("dreadclock.head/"));
  if (change) localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), ...change }));
  const room = await connect(link);
  const until = async (holds) => { while (!holds()) await new Promise((done) => setTimeout(done, 20)); };
  if (change) await until(() => room.forked || room.unchecked);
  else {
    await room.submit({ type: "roll_dice", pool: 3 });
    await until(() => Object.keys(localStorage).some((key) => key.startsWith("dreadclock.head/")));
  }
  room.close();
  return { forked: room.forked?.sentence ?? null, unchecked: room.unchecked !== null };
}
"""
REFUSED = "(server) => fetch(`${server}/api/version`).then(() => 'read', String)"


@asynccontextmanager
async def page_elsewhere() -> AsyncIterator[str]:
    """Serve an empty page, and give its origin."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(PAGE)
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with listener:
        yield f"http://localhost:{listener.sockets[0].getsockname()[1]}"


async def test_an_allowed_page_plays_and_raises_an_alarm_at_another_past(browser: Browser, tmp_path: Path):
    async with page_elsewhere() as origin:
        settings = {"DREADCLOCK_ALLOWED_ORIGINS": origin}
        async with running_server(tmp_path / "data", environment=settings) as server:
            table = await open_table(server)
            page = await browser.new_page()
            await page.goto(origin)
            played = await page.evaluate(PLAY, server.url)
            asked = {"server": server.url, "link": f"{server.url}/r/{table.id}#{table.token('ann')}"}
            await page.evaluate("() => localStorage.clear()")
            first = await page.evaluate(COME, asked)
            again = await page.evaluate(COME, {**asked, "change": {"hash": "0" * 64}})  # as if the log had been changed
            await page.close()

    assert played["rolled"]
    assert played["mean"] > 0
    assert first == {"forked": None, "unchecked": False}
    assert again == {"forked": "This log is not the one that was shown here before.", "unchecked": False}


async def test_another_page_reads_nothing(browser: Browser, server: Server):
    async with page_elsewhere() as origin:
        page = await browser.new_page()
        await page.goto(origin)
        assert "TypeError" in await page.evaluate(REFUSED, server.url)
        await page.close()
