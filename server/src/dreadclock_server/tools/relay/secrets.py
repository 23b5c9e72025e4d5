"""The secrets of a relay: read them from the files and variables that the settings name, and keep them out of
the log.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dreadclock.client.links import Link, parse_link
from dreadclock_server.tools.relay.discord import checked_address
from dreadclock_server.tools.relay.settings import (
    BadSettings,
    DddiceSettings,
    DiscordSettings,
    ObsSettings,
    RelaySettings,
    WebhookSettings,
    is_private,
    others_may_read,
    parts_of,
    read_secret,
)
from dreadclock_server.tools.relay.webhook import key_of


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a relay: the link, and the secrets of each target by name."""

    link: Link
    of: dict[str, tuple[str, ...]] = field(repr=False)

    def all(self) -> set[str]:
        """Return all secrets, to keep them out of the log."""
        urls = {value for values in self.of.values() for value in values}
        paths = {urlsplit(url).path for url in urls if url.startswith("http")}
        return {self.link.token, *urls, *(path for path in paths if len(path) > 1)}


def fetched(settings: RelaySettings, folder: Path) -> Secrets:
    """Read and check all secrets. Raises BadSettings if one is missing or malformed.

    The error names the setting, and shows no secret.
    """
    try:
        link = parse_link(read_secret(settings.link, folder))
    except ValueError as error:
        raise BadSettings(f"link: {error}") from None
    of = {}
    for name, target in settings.targets.items():
        try:
            of[name] = _secrets_of(target, folder)
        except BadSettings as error:
            raise BadSettings(f"targets.{name}: {error}") from None
    return Secrets(link, of)


def _secrets_of(target: Any, folder: Path) -> tuple[str, ...]:
    match target:
        case DiscordSettings():
            return (checked_address(read_secret(target.url, folder)),)
        case WebhookSettings():
            url = target.url if target.url.startswith("http") else read_secret(target.url, folder)
            secrets = tuple(read_secret(place, folder) for place in target.secrets)
            _ = [key_of(secret) for secret in secrets]
            return (_receiver(url, allow_http=target.allow_http), *secrets)
        case DddiceSettings():
            return (read_secret(target.key, folder),)
        case ObsSettings():
            return (read_secret(target.password, folder),) if target.password is not None else ()
    raise AssertionError(target)


def _receiver(url: str, *, allow_http: bool) -> str:
    parts = parts_of(url)
    if parts.hostname and (is_private(parts) or (allow_http and parts.scheme == "http")):
        return url
    raise BadSettings("its address must begin with https://; allow_http = true permits http://, which others can read")


def readable_by_others(settings: RelaySettings, folder: Path) -> list[str]:
    """Return the secret files that other users of this machine may read."""
    places = [settings.link]
    for target in settings.targets.values():
        named = (getattr(target, field, None) for field in ("url", "key", "password"))
        places += [place for place in named if place] + list(getattr(target, "secrets", ()))
    return sorted({place.partition(":")[2] for place in places if others_may_read(place, folder)})


class Discreet(logging.Formatter):
    """A log formatter that replaces each secret by `***`."""

    def __init__(self, layout: str, secrets: Iterable[str]) -> None:
        super().__init__(layout)
        self._secrets = sorted(secrets, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as a line, or as several lines for an exception."""
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, "***")
        return line
