"""What a page complains of while it is open, and whom it asks for anything."""

from urllib.parse import urlsplit

from playwright.async_api import ConsoleMessage, Dialog, Page, Request

_OWN_SCHEMES = ("data", "blob", "about")


class Complaints:
    """All errors of a page: uncaught ones, the console's (a broken policy is one), dialogs, foreign requests."""

    def __init__(self, page: Page, host: str) -> None:
        self.heard: list[str] = []
        self.requested: list[str] = []
        self._host = host
        self._forgiven: list[str] = []
        page.on("pageerror", lambda error: self._note(f"uncaught: {error}"))
        page.on("crash", lambda _: self._note("the page crashed"))
        page.on("console", self._console)
        page.on("request", self._request)
        page.on("websocket", lambda socket: self._ask(socket.url))
        page.on("dialog", self._dialog)

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

    def _request(self, request: Request) -> None:
        self._ask(request.url)

    def _ask(self, url: str) -> None:
        self.requested.append(url)
        address = urlsplit(url)
        if address.scheme not in _OWN_SCHEMES and address.netloc != self._host:
            self._note(f"a request to another host: {url}")

    async def _dialog(self, dialog: Dialog) -> None:
        self._note(f"a dialog: {dialog.message}")
        await dialog.dismiss()
