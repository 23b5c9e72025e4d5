"""What a page complains of while it is open, and, where a test wants to know, whom it asks for anything."""

from urllib.parse import urlsplit

from playwright.async_api import ConsoleMessage, Dialog, Page, Request

_OWN_SCHEMES = ("data", "blob", "about")


class Complaints:
    """All errors of a page: uncaught ones, dialogs, the console's; a broken policy, as a foreign request is, is one."""

    def __init__(self, page: Page) -> None:
        self.forget()
        page.on("pageerror", lambda error: self._note(f"uncaught: {error}"))
        page.on("crash", lambda _: self._note("the page crashed"))
        page.on("console", self._console)
        page.on("dialog", self._dialog)

    def forget(self) -> None:
        """Begin anew."""
        self.heard: list[str] = []
        self._forgiven: list[str] = []

    def forgive(self, *parts: str) -> None:
        """From now on, take errors that hold one of these texts for what has to happen."""
        self._forgiven += parts

    def take(self) -> list[str]:
        """Return what has been heard so far, and forget it."""
        heard, self.heard = self.heard, []
        return heard

    def _note(self, text: str) -> None:
        if not any(part in text for part in self._forgiven):
            self.heard.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert"):
            self._note(f"console: {message.text} ({message.location['url']})")

    async def _dialog(self, dialog: Dialog) -> None:
        self._note(f"a dialog: {dialog.message}")
        await dialog.dismiss()


class Asked:
    """What a page asks anybody for, from now on; whoever listens to that makes a page's loads a tenth slower."""

    def __init__(self, page: Page) -> None:
        self._requests: list[Request] = []
        self._sockets: list[str] = []
        page.on("request", lambda request: self._requests.append(request))
        page.on("websocket", lambda socket: self._sockets.append(socket.url))

    @property
    def urls(self) -> list[str]:
        """All addresses."""
        return [request.url for request in self._requests] + self._sockets

    def elsewhere(self, host: str) -> list[str]:
        """Return those that are at other hosts."""
        return [url for url in self.urls if urlsplit(url).scheme not in _OWN_SCHEMES and urlsplit(url).netloc != host]

    async def bytes_by_url(self) -> dict[str, int]:
        """Give the bytes that each load took, headers and bodies as they were transferred."""
        sizes: dict[str, int] = {}
        for request in self._requests:
            size = await request.sizes()
            sizes[request.url] = sizes.get(request.url, 0) + size["responseHeadersSize"] + size["responseBodySize"]
        return sizes
