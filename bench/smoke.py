"""Play a short session on the pages in Firefox and in WebKit, with real clicks and keys.

    make smoke
    make smoke ARGS="firefox --shots shots"     one browser; screenshots go into the folder `shots`

Firefox is driven by WebDriver BiDi, WebKit by the classic WebDriver protocol of `WebKitWebDriver`. Playwright cannot
drive these two: its own builds are patched. Needs `firefox` or `firefox-esr`, `WebKitWebDriver` with its MiniBrowser
(on Debian the package webkit2gtk-driver), and a display for WebKit: `make smoke` starts one with xvfb-run.

Prints a row for each step. Ends with 1 if a step failed, or if a page reported an error on its console.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import httpx
from websockets.asyncio.client import ClientConnection, connect

from kit.browser.labels import label
from kit.server import free_port, running_server
from kit.waiting import until

WIDTH, HEIGHT = 1280, 1000
PHONE = (390, 800)
START_S, STEP_S, ANSWER_S = 60.0, 20.0, 60.0
CALM_S = 0.7  # between two clicks: the pages take two in a row for a double click
STILL_S = 0.15  # for which an element has to stay where it is before it is clicked
PAINTED_S = 0.3  # WebKit's screenshots show the last picture painted
LANDED_S = 2.5  # within which dice have stopped tumbling
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id in the classic protocol
CTRL = "\ue009"
COUNTDOWN = '[data-thing="countdown:countdown-1"]'

# Return an element that is shown, or null: by a CSS selector, or by the kind and the label that people read.
FIND = """((wanted, kind, within) => {
  const named = (text) => text.trim() === wanted || [":", "\\n"].some((end) => text.trim().startsWith(wanted + end));
  const nameOf = (each) => each.getAttribute("aria-label") ?? each.textContent;
  const ways = {
    css: (all) => [...all.querySelectorAll(wanted)],
    button: (all) => [...all.querySelectorAll("button")].filter((each) => named(nameOf(each))),
    summary: (all) => [...all.querySelectorAll("summary")].filter((each) => named(nameOf(each))),
    field: (all) => [...all.querySelectorAll("label")]
      .filter((each) => named((each.querySelector(".name") ?? each).textContent))
      .map((each) => each.control),
  };
  const roots = within ? [...document.querySelectorAll(within)] : [document];
  const element = roots.flatMap(ways[kind]).find((each) => each?.checkVisibility({ visibilityProperty: true }));
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  return element ?? null;
})"""


def find(kind: str, wanted: str, within: str = "") -> str:
    """Return the JavaScript expression of an element."""
    return f"{FIND}({json.dumps(wanted)}, {json.dumps(kind)}, {json.dumps(within)})"


class Page:
    """One person's page. Both drivers implement the methods that raise NotImplementedError."""

    def __init__(self, name: str, shots: Path) -> None:
        self.name = name
        self._shots = shots
        self._clicked_at = 0.0

    async def navigate(self, url: str) -> None:
        """Open an address, and return once it is loaded."""
        raise NotImplementedError

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression: null, a boolean, a number or a string."""
        raise NotImplementedError

    async def _click(self, element: str) -> None:
        raise NotImplementedError

    async def _type(self, element: str, text: str) -> None:
        raise NotImplementedError

    async def _choose(self, select: str, option: str) -> None:
        raise NotImplementedError

    async def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        raise NotImplementedError

    async def picture(self) -> str:
        """Return a screenshot, PNG in base64."""
        raise NotImplementedError

    async def complaints(self) -> list[str]:
        """Return the errors and warnings of the console so far; in WebKit those of the document that is open."""
        raise NotImplementedError

    async def wait(self, expression: str) -> None:
        """Return once a JavaScript expression is truthy. Raises AssertionError with it."""

        async def holds() -> bool:
            return bool(await self.evaluate(f"!!({expression})"))

        with explained(f"{self.name} waits in vain for {expression.removeprefix(FIND)}"):
            await until(holds, STEP_S)

    async def sees(self, selector: str) -> None:
        """Return once an element is shown."""
        await self.wait(find("css", selector))

    async def click(self, kind: str, wanted: str, within: str = "") -> None:
        """Click an element once it is shown."""
        element = find(kind, wanted, within)
        await self.wait(element)
        await asyncio.sleep(self._clicked_at + CALM_S - time.monotonic())
        await self._stands_still(element)
        await self._click(element)
        self._clicked_at = time.monotonic()

    async def _stands_still(self, element: str) -> None:
        """Return once an element stays where it is: what is loaded above it may move it."""
        place = None

        async def stayed() -> bool:
            nonlocal place
            before, place = place, await self.evaluate(f"{element}?.getBoundingClientRect().top")
            await asyncio.sleep(STILL_S)
            return place is not None and place == before

        await until(stayed, STEP_S)

    async def press(self, key: str, within: str = "", **fields: object) -> None:
        """Press a button, by the key of its label."""
        await self.click("button", label(key, **fields), within)

    async def unfold(self, key: str, within: str = "") -> None:
        """Open what is folded away, by the key of its label."""
        await self.click("summary", label(key), within)

    async def fill(self, text: str, key: str, within: str = "", **fields: object) -> None:
        """Click a field, by the key of its label, and type a text in place of what stands there."""
        field = label(key, **fields)
        await self.click("field", field, within)
        await self._type(find("field", field, within), text)

    async def choose(self, option: str, key: str) -> None:
        """Choose an option by its words, in the field of this label's key."""
        field = find("field", label(key))
        await self.wait(field)
        await self._choose(field, option)

    async def screenshot(self, step: str) -> None:
        """Save a screenshot."""
        self._shots.mkdir(parents=True, exist_ok=True)
        await asyncio.sleep(PAINTED_S)
        (self._shots / f"{step}-{self.name}.png").write_bytes(base64.b64decode(await self.picture()))


# Firefox


class Bidi:
    """A connection to a browser that speaks WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.logged: list[dict[str, Any]] = []

    async def listen(self) -> None:
        """Take in answers and log entries, until cancelled."""
        async for text in self._socket:
            message = json.loads(text)
            if message.get("method") == "log.entryAdded":
                self.logged.append(message["params"])
            elif message.get("id") in self._answers:
                self._answers.pop(message["id"]).set_result(message)

    async def ask(self, method: str, **params: Any) -> Any:
        """Send a command, and return its result. Raises AssertionError if the browser refuses it."""
        number = len(self._answers) + int(time.monotonic() * 1e6)
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        async with asyncio.timeout(ANSWER_S):
            message = await answer
        assert message["type"] == "success", f"{method}: {message}"
        return message["result"]


class FirefoxPage(Page):
    """A window in a user context of its own, which shares no storage with the others."""

    def __init__(self, name: str, shots: Path, bidi: Bidi, context: str) -> None:
        super().__init__(name, shots)
        self._bidi = bidi
        self._context = context

    async def navigate(self, url: str) -> None:
        await self._bidi.ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def _evaluated(self, expression: str) -> dict[str, Any]:
        target = {"context": self._context}
        told = await self._bidi.ask("script.evaluate", expression=expression, target=target, awaitPromise=False)
        assert told["type"] == "success", f"{expression}: {told['exceptionDetails']['text']}"
        result: dict[str, Any] = told["result"]
        return result

    async def evaluate(self, expression: str) -> Any:
        return (await self._evaluated(expression)).get("value")

    async def _click(self, element: str) -> None:
        node = await self._evaluated(element)
        origin = {"type": "element", "element": {"sharedId": node["sharedId"]}}
        await self._act(
            type="pointer",
            id="mouse",
            actions=[
                {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ],
        )

    async def _type(self, element: str, text: str) -> None:
        await self._keys([("keyDown", CTRL), ("keyDown", "a"), ("keyUp", "a"), ("keyUp", CTRL)])
        await self._keys([(way, letter) for letter in text for way in ("keyDown", "keyUp")])

    async def _choose(self, select: str, option: str) -> None:
        await self.evaluate(f"{select}.focus()")
        await self._keys([(way, letter) for letter in option for way in ("keyDown", "keyUp")])

    async def _keys(self, keys: list[tuple[str, str]]) -> None:
        await self._act(type="key", id="keys", actions=[{"type": way, "value": key} for way, key in keys])

    async def _act(self, **source: Any) -> None:
        await self._bidi.ask("input.performActions", context=self._context, actions=[source])

    async def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        await self._bidi.ask("browsingContext.setViewport", context=self._context, viewport=size)

    async def picture(self) -> str:
        return str((await self._bidi.ask("browsingContext.captureScreenshot", context=self._context))["data"])

    async def complaints(self) -> list[str]:
        own = (each for each in self._bidi.logged if each["source"].get("context") == self._context)
        return [f"{each['level']}: {each['text']}" for each in own if each["level"] in ("error", "warn")]


Opener = Callable[[str], Coroutine[Any, Any, Page]]


@asynccontextmanager
async def firefox(folder: Path, shots: Path) -> AsyncIterator[Opener]:
    """Run Firefox, and give what opens a page for a person."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    assert path, "there is no firefox-esr and no firefox on the PATH"
    port = free_port()
    profile = folder / "profile"
    profile.mkdir()
    command = [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port)]
    with process(command, folder / "firefox.log"):
        await listening(port)
        async with connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=START_S) as socket:
            bidi = Bidi(socket)
            listener = asyncio.create_task(bidi.listen())
            await bidi.ask("session.new", capabilities={})
            await bidi.ask("session.subscribe", events=["log.entryAdded"])

            async def opened(name: str) -> Page:
                user = (await bidi.ask("browser.createUserContext"))["userContext"]
                context = (await bidi.ask("browsingContext.create", type="window", userContext=user))["context"]
                page = FirefoxPage(name, shots, bidi, context)
                await page.resize(WIDTH, HEIGHT)
                return page

            yield opened
            with suppress(AssertionError, TimeoutError):
                await bidi.ask("browser.close")
            listener.cancel()


# WebKit


# The classic protocol knows no console: note what comes after the first script that was run in a document.
HEAR = """
if (!window.heard) {
  window.heard = [];
  const note = (kind) => (...all) => window.heard.push(`${kind}: ${all.map(String).join(" ")}`);
  for (const kind of ["error", "warn"]) console[kind] = note(kind);
  addEventListener("error", ({ message }) => note("error")(message));
  addEventListener("unhandledrejection", ({ reason }) => note("error")(reason));
}
"""


class WebKitPage(Page):
    """A browser of its own with a driver of its own: a driver has one session, whose windows share their storage."""

    def __init__(self, name: str, shots: Path, http: httpx.AsyncClient) -> None:
        super().__init__(name, shots)
        self._http = http
        self._session = ""

    async def begin(self) -> None:
        """Start the browser."""
        self._session = (await self._ask("POST", "", capabilities={}))["sessionId"]
        await self.resize(WIDTH, HEIGHT)

    async def end(self) -> None:
        """Close the browser."""
        await self._ask("DELETE", "")

    async def _ask(self, method: str, path: str, **body: Any) -> Any:
        url = f"/session/{self._session}{path}" if self._session else "/session"
        answer = await self._http.request(method, url, content=json.dumps(body) if method == "POST" else None)
        value = answer.json()["value"]
        assert answer.is_success, f"{method} {path}: {value}"
        return value

    async def navigate(self, url: str) -> None:
        await self._ask("POST", "/url", url=url)

    async def evaluate(self, expression: str) -> Any:
        return await self._ask("POST", "/execute/sync", script=f"{HEAR} return {expression};", args=[])

    async def _click(self, element: str) -> None:
        await self._ask("POST", f"/element/{(await self.evaluate(element))[ELEMENT]}/click")

    async def _type(self, element: str, text: str) -> None:
        path = f"/element/{(await self.evaluate(element))[ELEMENT]}"
        if await self.evaluate(f"{element}.value"):
            await self._ask("POST", f"{path}/clear")
        await self._ask("POST", f"{path}/value", text=text)

    async def _choose(self, select: str, option: str) -> None:
        await self._click(f"[...{select}.options].find((each) => each.label === {json.dumps(option)})")

    async def resize(self, width: int, height: int) -> None:
        await self._ask("POST", "/window/rect", width=width, height=height)

    async def picture(self) -> str:
        return str(await self._ask("GET", "/screenshot"))

    async def complaints(self) -> list[str]:
        return list(await self.evaluate("window.heard"))


@asynccontextmanager
async def webkit(folder: Path, shots: Path) -> AsyncIterator[Opener]:
    """Give what runs a WebKit for a person."""
    path = shutil.which("WebKitWebDriver")
    assert path, "there is no WebKitWebDriver on the PATH"
    async with AsyncExitStack() as stack:

        async def opened(name: str) -> Page:
            port = free_port()
            stack.enter_context(process([path, f"--port={port}"], folder / f"{name}.log"))
            await listening(port)
            http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_S, trust_env=False)
            page = WebKitPage(name, shots, await stack.enter_async_context(http))
            await page.begin()
            stack.push_async_callback(page.end)
            return page

        yield opened


@contextmanager
def process(command: list[str], log: Path) -> Any:
    """Run a program for as long as the block lasts."""
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as running:
        try:
            yield
        finally:
            running.terminate()


async def listening(port: int) -> None:
    """Return once something listens at a port."""

    async def answers() -> bool:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return True
        return False

    await until(answers, START_S)


@contextmanager
def explained(what: str) -> Any:
    """Say in an AssertionError what was waited for."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(what) from error


# The session


class Session:
    """A gm, a player, somebody who knocks, and an overlay."""

    def __init__(self, opened: Opener, url: str) -> None:
        self._opened = opened
        self._url = url
        self._link = ""  # Tom's
        self.pages: list[Page] = []

    async def come(self, name: str) -> Page:
        """Open a page for a person."""
        self.pages.append(await self._opened(name))
        return self.pages[-1]

    async def open_a_room(self) -> None:
        """Open a room on the first page."""
        self.gm = gm = await self.come("gm")
        await gm.navigate(self._url)
        await gm.press("home.open")
        await gm.fill("The Sunken Chapel", "home.title")
        await gm.screenshot("00-home")
        await gm.press("home.open_send")
        await gm.sees("main[data-role=gm]")

    async def invite_a_player(self) -> None:
        """Make a link for Tom, and open it."""
        gm = self.gm
        form = '[data-form="seat:invite"]'
        await gm.press("gm.beginning.invite")
        await gm.fill("Tom", "form.name", form)
        await gm.press("gm.invite.make", form)
        await gm.sees("[data-part=link] input[readonly]")
        self._link = await gm.evaluate("document.querySelector('[data-part=link] input[readonly]').value")
        await gm.screenshot("02-link")
        await gm.press("gm.done", "[data-part=link]")
        self.tom = await self.come("tom")
        await self.tom.navigate(self._link)
        await self.tom.sees("main[data-role=player]")

    async def roll_a_countdown(self) -> None:
        """Start a countdown, and roll it."""
        gm, thing = self.gm, COUNTDOWN
        form = '[data-form="countdown:start"]'
        await gm.unfold("gm.add_thing")
        await gm.fill("The flood", "form.name", form)
        await gm.fill("8", "form.dice", form)
        await gm.screenshot("03-form")
        panel = "document.querySelector('.panel:popover-open')"
        await gm.wait(f"{panel}.scrollWidth <= {panel}.clientWidth")  # it does not scroll sideways
        await gm.press("form.start", form)
        await gm.press("gm.roll", thing)
        await self.tom.sees(f"{thing} [aria-label*='{label('last_roll', faces='').strip()}']")

    async def roll_a_check(self) -> None:
        """Bring a character, propose a check, approve and roll it."""
        gm, tom = self.gm, self.tom
        form = "form:has([name=attribute0])"
        await tom.fill("Rook", "form.name", form)
        await tom.click("css", '[name="dots:Stealth"]', form)  # a click in the middle of eight dots: 4
        await tom.screenshot("04-form")
        await tom.press("my.add", form)
        await gm.press("gm.sheet.approve", '[data-thing="sheet:character-1"]')
        await tom.unfold("my.check", '[data-thing="character:character-1"]')
        form = '[data-form="character:character-1:check:send"]'
        await tom.fill("past the guard", "form.purpose", form)
        await tom.screenshot("04-proposal")
        await tom.press("my.propose", form)
        await gm.press("gm.approve", '[data-thing="check:check-1"]')
        await tom.press("my.roll", '[data-thing="check:check-1"]', dice=4)
        await gm.sees('[data-thing="check:check-1"] .badge')

    async def push_a_total(self) -> None:
        """Propose a total, name a number out of reach, roll, offer a push and push."""
        gm, tom, thing = self.gm, self.tom, '[data-thing="total:total-1"]'
        await tom.unfold("my.total", '[data-thing="character:character-1"]')
        form = '[data-form="character:character-1:total:send"]'
        await tom.fill("hold the door", "form.purpose", form)
        await tom.press("my.propose", form)
        await gm.click("css", f"{thing} .actions > summary")
        await gm.unfold("gm.required.name", thing)
        await gm.fill("25", "gm.required", thing)
        await gm.press("gm.required.set", thing)
        await tom.click("css", f'{thing} [data-key="total:total-1:roll"]')
        await gm.press("gm.push.offer", thing)
        await tom.screenshot("05-offer")
        await tom.press("my.push", thing)
        await tom.press("my.push_again", thing)  # or hold it
        await gm.sees(f"{thing} [aria-label^='{label('total.pushes', faces='').strip()}']")

    async def knock(self) -> None:
        """Knock without a link, and be let in."""
        wren = await self.come("wren")
        await wren.navigate(self._link.partition("#")[0])
        await wren.fill("Wren", "knock.name")
        await wren.press("knock.send")
        await wren.sees("[data-part=code]")
        await wren.screenshot("06-asks")
        await self.gm.sees("[data-place=knocks]")
        await self.gm.screenshot("06-asks")
        await self.gm.press("gm.knock.seat.player", "[data-place=knocks]")
        await wren.sees("main[data-role=player]")

    async def watch_the_overlay(self) -> None:
        """Open the overlay, and see a roll on it."""
        overlay = await self.come("overlay")
        await overlay.navigate(self._link.replace("/r/", "/o/"))
        await overlay.wait("document.body.textContent.includes('The flood')")
        await self.gm.press("gm.turn.end")
        await self.gm.press("gm.roll", COUNTDOWN)
        await overlay.sees("[data-moment=roll]")
        await overlay.screenshot("07-tumbling")

    async def turn_dark(self) -> None:
        """Choose the dark theme in the gm's settings."""
        drawer = "[data-place='menu:drawer'] > summary"
        await self.gm.click("css", drawer)
        await self.gm.unfold("settings")
        await self.gm.choose(label("theme.dark"), "theme")
        await self.gm.wait("getComputedStyle(document.documentElement).colorScheme === 'dark'")
        await self.gm.screenshot("08-settings")
        await self.gm.click("css", drawer)

    async def look_on_a_phone(self) -> None:
        """Make the player's window narrow: nothing may stick out at the side."""
        await self.tom.resize(*PHONE)
        await asyncio.sleep(CALM_S)
        await self.tom.wait("document.documentElement.scrollWidth <= innerWidth")

    async def play(self) -> None:
        """Play all steps. Raises AssertionError for the first that fails."""
        steps = [self.open_a_room, self.invite_a_player, self.roll_a_countdown, self.roll_a_check]
        steps += [self.push_a_total, self.knock, self.watch_the_overlay, self.turn_dark, self.look_on_a_phone]
        for number, step in enumerate(steps, 1):
            began = time.monotonic()
            try:
                await step()
            finally:
                took = time.monotonic() - began
                await asyncio.sleep(LANDED_S)
                for page in self.pages:
                    await page.screenshot(f"{number:02}-{step.__name__}")
            print(f"  {step.__name__:<20} {took:5.1f} s")


BROWSERS = {"firefox": firefox, "webkit": webkit}


async def smoke(name: str, shots: Path) -> bool:
    """Play the session in a browser, and return whether all went well."""
    print(name)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        async with running_server(folder / "data") as server, BROWSERS[name](folder, shots / name) as opened:
            session, failure = Session(opened, server.url), ""
            try:
                await session.play()
            except (AssertionError, TimeoutError, httpx.HTTPError) as error:
                failure = f"{error!r}"
                print(f"  FAILED: {failure}")
            heard = [f"{page.name}: {each}" for page in session.pages for each in await page.complaints()]
            print(*(f"  console of {each}" for each in heard), sep="\n")
            return not failure and not heard


def main() -> None:
    """Read the command line, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("browsers", nargs="*", choices=[*BROWSERS, []], help="which browsers; both unless given")
    parser.add_argument("--shots", type=Path, default=Path(tempfile.gettempdir()) / "smoke", help="a folder")
    given = parser.parse_args()
    went_well = [asyncio.run(smoke(name, given.shots)) for name in given.browsers or BROWSERS]
    raise SystemExit(0 if all(went_well) else 1)


if __name__ == "__main__":
    main()
