"""Browser contexts that tests use in turn: a page in a process that has run ours before loads in half the time."""

from typing import Any

from playwright.async_api import Browser, BrowserContext, Page

from kit.browser.complaints import Complaints
from kit.browser.wire import Wire

IDLE = 6  # each some 80 MB
WITHIN_MS = 20_000
_LASTING = ("add_init_", "add_locator_", "emulate_", "expose_", "grant_", "install", "new_", "on", "route", "set_")
_RESTORED = ("set_viewport_size", "emulate_media", "on", "route")  # of a page
_VIEWPORT = {"width": 1280, "height": 720}  # Playwright's own
_MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}
_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Place:
    """A page in a context of its own, what is noted of it, and whether a test did to it what would outlast the test."""

    def __init__(self, options: dict[str, Any], context: BrowserContext, page: Page) -> None:
        self.options = options
        self.context = context
        self.page = page
        self.complaints = Complaints(page)
        self.wire = Wire(page)
        self.changed = False
        for thing in (page, page.clock, context):
            for name in dir(thing):
                if name.startswith(_LASTING) and (thing is not page or name not in _RESTORED):
                    setattr(thing, name, self._noting(getattr(thing, name)))
        self._listeners: list[tuple[Any, Any]] = []
        self._listen, page.on = page.on, self._noting_listener  # type: ignore[method-assign]

    def _noting(self, method: Any) -> Any:
        def noted(*given: Any, **named: Any) -> Any:
            self.changed = True
            return method(*given, **named)

        return noted

    def _noting_listener(self, event: Any, f: Any) -> None:
        self._listeners.append((event, f))
        self._listen(event, f)

    async def clear(self) -> None:
        """Leave the table, and forget what the browser kept; the page stays with the server, to keep its process."""
        while self._listeners:
            self.page.remove_listener(*self._listeners.pop())
        await self.page.unroute_all(behavior="ignoreErrors")
        await self.page.mouse.move(0, 0)
        await self.page.goto("/healthz")
        await self.page.evaluate(_FORGET)
        await self.context.clear_cookies()


class Places:
    """Gives out places, each like a new one, and takes them back; at most `idle` of them wait for somebody."""

    def __init__(self, browser: Browser, idle: int = IDLE) -> None:
        self._browser = browser
        self._limit = idle
        self._idle: list[Place] = []

    async def take(self, options: dict[str, Any], *, new: bool) -> Place:
        """Give a page in a context with these options of Playwright's; viewport and media can be set in any context."""
        options = {"viewport": _VIEWPORT, **_MEDIA, **options}
        viewport = options.pop("viewport")
        media = {name: options.pop(name) for name in _MEDIA}
        fitting = [place for place in self._idle if place.options == options and not new]
        if not fitting:
            context = await self._browser.new_context(**options, **media, viewport=viewport)
            context.set_default_timeout(WITHIN_MS)
            return Place(options, context, await context.new_page())
        place = fitting[-1]
        self._idle.remove(place)
        await place.page.set_viewport_size(viewport)
        await place.page.emulate_media(media="null", **media)
        place.complaints.forget()
        place.wire.forget()
        return place

    async def give_back(self, place: Place) -> None:
        """Clear a place for the next test, or close it; the one that waited longest goes for it."""
        if place.changed or place.page.is_closed() or not self._limit:
            await place.context.close()
            return
        await place.clear()
        self._idle.append(place)
        if len(self._idle) > self._limit:
            await self._idle.pop(0).context.close()
