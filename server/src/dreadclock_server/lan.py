"""Access for other devices in the network (`serve --lan`), and the keys in the data folder."""

import secrets
import socket
from contextlib import suppress
from pathlib import Path

import structlog

from dreadclock.cli.installed import LINKS_KEY_FILE, OPERATOR_KEY_FILE
from dreadclock.cli.qr import drawn
from dreadclock.client.trust.device import read_regular
from dreadclock.wire.base import RoomId
from dreadclock_server.gateway.rest.addresses import own_addresses, rows_of
from dreadclock_server.privacy import keep_private, write_private
from dreadclock_server.settings.table import Settings
from dreadclock_server.settings.values import BadSetting, is_secret

_EVERYWHERE = "0.0.0.0"


def with_lan(settings: Settings) -> Settings:
    """Apply the setting `lan`: listen on all IPv4 addresses unless `host` names one, with an operator's key.

    A key in the settings wins over the key in the data folder. Raises OSError if the key cannot be stored, BadSetting
    if it is damaged.
    """
    if not settings.lan:
        return settings
    host = _EVERYWHERE if settings.on_loopback else settings.host
    key = settings.operator_key or _kept_key(settings.data_folder / OPERATOR_KEY_FILE)
    return settings.model_copy(update={"host": host, "operator_key": key})


def links_key(settings: Settings) -> str | None:
    """Return the secret for making gms' links on a server without an operator's key. It is kept in the data
    folder.

    Return None if there is an operator's key. Also return None if the key cannot be stored or is damaged; then a
    warning is logged.
    """
    if settings.operator_key is not None:
        return None
    try:
        return _kept_key(settings.data_folder / LINKS_KEY_FILE)
    except (OSError, BadSetting) as error:
        structlog.get_logger().warning("dreadclock rooms link cannot be used", error=str(error))
        return None


def _kept_key(path: Path) -> str:
    """Return the key in this file. If there is no file, make a key and write it.

    Raises BadSetting if the file has no valid key, and OSError if it cannot be read or written.
    """
    keep_private(path)
    try:
        if not path.exists():
            with suppress(FileExistsError):  # another process has just made the file
                write_private(path, secrets.token_urlsafe(24) + "\n", only_new=True)
        key = read_regular(path).decode("ascii").strip()
    except ValueError:
        key = ""
    if not is_secret(key):
        raise BadSetting(f"{path} holds no key. Delete the file: the next start makes a new key.")
    return key


def lan_lines(settings: Settings, room_id: RoomId, *, with_qr: bool) -> list[str]:
    """Return lines with the address of a room for other devices. `with_qr`: add the address as a QR code."""
    addresses = own_addresses(socket.AF_INET)
    name = next(iter(settings.further_names), addresses[0] if addresses else None)
    if name is None:
        return ["\nNo network was found, so other devices cannot reach this server yet."]
    address = f"{settings.public_url or f'http://{name}:{settings.port}'}/r/{room_id}"
    rows = rows_of(address) if with_qr else None
    return [
        f"\nFriends on this network open {address}",
        "They knock, and you let them in on the gm's page.",
        *(["", *drawn(rows)] if rows else ()),
    ]
